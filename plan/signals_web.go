package plan

// What ruby, its test tools and bundler print.
var rubySignals = []signal{
	{CodeMissingScript, "bundle", `Could not locate Gemfile\b`, nil},
	{CodeMissingScript, "ruby", `(?:\S*/)?\w*ruby[\d.]*: No such file or directory -- (\S+)`, givenPath},

	{CodeNoTestFiles, "ruby", `0 examples, 0 failures$`, nil},
	{CodeNoTestFiles, byOwn + "rspec", `cannot load such file -- (\S+)`, givenModule},
	{nothingRan, "ruby", `0 examples, 0 failures$`, nil},
	{nothingRan, "ruby", `0 (?:runs|tests), 0 assertions\b`, nil},

	{CodeEnvironmentIssue, "ruby", `(?:Retrying .*\bHTTPError )?Could not (?:reach host|fetch specs from)\b`, nil},
	{CodeEnvironmentIssue, "ruby", `Network error while fetching\b`, nil},

	{CodeSetupIssue, "ruby", rubyLead + `cannot load such file -- (\S+)`, isPackage},
	{CodeSetupIssue, "ruby", rubyLead + `Could not find gem\b`, nil},
	{CodeSetupIssue, "ruby", rubyLead + `Could not find .+ in (?:locally installed gems|any of the sources)\b`, nil},
	{CodeSetupIssue, "ruby", rubyLead + `Could not find <q>bundler<q>`, nil},
	{CodeSetupIssue, "ruby", `bundler: command not found: `, nil},
	{CodeSetupIssue, "ruby", `(?:Your Ruby version is \S+,? but )?your Gemfile specified\b`, nil},
	{CodeSetupIssue, "ruby", `Bundler can't satisfy your Gemfile's dependencies`, nil},
}

// rubyLead is how ruby says where an exception was raised, and which.
const rubyLead = "(?:\\S+:in [`'][^']*': )?(?:LoadError: |[\\w:]*Error: )?"

// What php, its test tools and composer print.
var phpSignals = []signal{
	{CodeMissingScript, "composer php", `(?:ERROR\s+)?(?:Script|Command) <N> is not defined\b`, ownScript},
	{CodeMissingScript, "composer", `(?:Composer )?could not find a composer\.json`, nil},
	{CodeMissingScript, "php", `Could not open input file: (\S+)`, givenPath},

	{CodeNoTestFiles, "php", `No tests executed!`, nil},
	{CodeNoTestFiles, "php", `Cannot open file <q>.+<q>\.|Test file <q>.+<q> not found`, nil},
	{CodeNoTestFiles, "php", `(?:INFO\s+)?No tests found\.`, nil},
	{nothingRan, "php", `No tests executed!`, nil},

	{CodeEnvironmentIssue, "php", `(?:- )?curl error (?:6|7|28) while downloading\b`, nil},
	{CodeEnvironmentIssue, "php", `The "https?://\S+" file could not be downloaded\b`, nil},

	{CodeSetupIssue, "php", `(?:PHP )?(?:Warning|Fatal error): .*\bvendor[/\\]autoload\.php`, nil},
	{CodeSetupIssue, "php", `Your requirements could not be resolved\b`, nil},
	{CodeSetupIssue, "php", `(?:- )?` + composerPackage + `requires php\b.* your php version\b`, nil},
	{CodeSetupIssue, "php", `(?:- )?` + composerPackage + `requires (?:PHP extension )?ext-\S+ .*\bis missing from your system`, nil},
	{CodeSetupIssue, "php", `(?:(?:PHP )?Fatal error: .*)?Composer detected issues in your platform`, nil},
	{CodeSetupIssue, "php", `You need to set up the project dependencies using Composer`, nil},
}

// composerPackage is how composer says who asks for something.
const composerPackage = `(?:Root composer\.json|[\w./-]+ \S+) `

// What the dotnet command prints.
var dotnetSignals = []signal{
	{CodeMissingScript, "dotnet", msbuildLead + `error MSB10(?:03|09): `, nil},
	{CodeMissingMakeTarget, "dotnet", msbuildLead + `error MSB4057: The target <N> does not exist`, givenWord},

	{CodeNoTestFiles, "dotnet", noDotnetTests, nil},
	{nothingRan, "dotnet", noDotnetTests, nil},

	{CodeEnvironmentIssue, "dotnet", msbuildLead + `error NU1301: `, nil},

	{CodeSetupIssue, "dotnet", msbuildLead + `error (?:NETSDK1004|NETSDK1045|NU110[0-3]): `, nil},
	{CodeSetupIssue, "dotnet", `A compatible (?:installed )?\.NET (?:Core )?SDK\b|A compatible SDK version\b`, nil},
	{CodeSetupIssue, "dotnet", `(?:Could not execute because the )?specified command or file was not found`, nil},
	{CodeSetupIssue, "dotnet", `(?:Run <q>)?dotnet tool restore\b`, nil},
	{CodeSetupIssue, "dotnet", `You must install (?:or update )?\.NET\b`, nil},
}

// msbuildLead is the file, and the place in it, before a message.
const msbuildLead = `(?:(?:\S+|[A-Za-z]:\\[^"']*?)\s?: )?`

const noDotnetTests = `No test is available in\b|No test matches the given testcase filter\b`

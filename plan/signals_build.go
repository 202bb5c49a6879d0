package plan

import "regexp"

// What make, its kin and the runners of C print. Their ecosystem is no one's.
var buildSignals = []signal{
	{CodeMissingMakeTarget, "make cmake", makeName + `: \*\*\* No rule to make target ` + "[\"'`‘]([^\"'`’]+)[\"'’]" + `\.`, givenWordOrPath},
	{CodeMissingMakeTarget, "make cmake", `(?i)` + makeName + `: (?:fatal error: )?don't know how to make (?:target )?<N>`, givenWord},
	{CodeMissingMakeTarget, "make", makeName + `: \*\*\* No targets\b`, nil},
	{CodeMissingMakeTarget, "make", makeName + `: no target to make`, nil},
	{CodeMissingMakeTarget, "make", makeName + `: \*\*\* ([^:]+): No such file or directory\.`, givenWordOrPath},
	{CodeMissingMakeTarget, "make", makeName + `: (?:cannot open ([^\s:]+?)\.?$|chdir ([^\s:]+): No such)`, givenWordOrPath},
	{nothingRan, byOwn + "make", `(?:` + makeName + `: )?<N> is up to date\.`, isCheckTarget},
	{nothingRan, byOwn + "make", makeName + `: Nothing to be done for <N>`, isCheckTarget},

	{CodeMissingMakeTarget, "ninja cmake", `ninja: error: unknown target <N>`, givenWord},
	{CodeMissingMakeTarget, "ninja cmake", `ninja: error: loading <q>build\.ninja<q>`, nil},
	{CodeMissingMakeTarget, "ninja cmake", `ninja: fatal: chdir to <N>`, givenWordOrPath},
	{CodeMissingMakeTarget, "cmake", `(?:CMake )?Error: could not load cache`, nil},
	{CodeMissingMakeTarget, "cmake", `CMake Error: The source directory .* does not appear to contain CMakeLists\.txt`, nil},
	{CodeMissingMakeTarget, "cmake", `Error: (\S+) is not a directory`, givenPath},
	{CodeMissingMakeTarget, "ant", `Target <N> does not exist in the project <q>[^"]*<q>\.$`, givenWord},
	{CodeMissingMakeTarget, "ant", `Buildfile: .* does not exist`, nil},

	{CodeNoTestFiles, ecoNative, `No tests were found!!!|No test configuration file found!`, nil},
	{nothingRan, ecoNative, `No tests were found!!!|No test configuration file found!`, nil},
	{CodeNoTestFiles, ecoNative, `Test file <q>.+<q> does not exist|bats: \S+ does not exist`, nil},
	{nothingRan, byOwn + "bats", `1\.\.0$`, nil},

	{CodeMissingMakeTarget, "just", `(?i)(?:error: )?justfile does not contain recipes? <N>`, givenWord},
	{CodeMissingMakeTarget, "just", `(?i)(?:error: )?(?:no justfile found|justfile contains no (?:default )?recipe)`, nil},
	{CodeMissingMakeTarget, "task", `task: Task <N> (?:does not exist|not found)`, givenTarget},
	{CodeMissingMakeTarget, "task", `task: No Taskfile found`, nil},
	{CodeMissingMakeTarget, "mage", `(?:Error: )?Unknown target specified: <N>`, givenWord},
	{CodeMissingMakeTarget, "mage", `(?:Error: )?No \.go files marked with the mage build tag`, nil},
	{CodeMissingMakeTarget, "rake", `Don't know how to build task <N>`, givenTarget},
	{CodeMissingMakeTarget, "rake", `No Rakefile found`, nil},
	{CodeSetupIssue, byOwn + "rake", `Command failed with status \(127\): \[([^\s\]]+)`, isProgram},
}

// makeName is how a make calls itself, unless it was started by another one.
const makeName = `(?:\S*[/\\])?[\w.-]*make(?:\.exe)?`

// recipeFailed is what make, just, task, rake, mage and ninja say when a recipe that
// they ran failed.
var recipeFailed = regexp.MustCompile(`^(?:` + makeName + `: \*\*\* \[|error: Recipe |task: Failed to run task |Command failed with status |Error: running "|FAILED: )`)

// ecoNative is the ecosystem of tools that serve any language: nobody's leaf, so
// only runners show what they print.
const ecoNative = "native"

// givenWordOrPath is for what may be a target or a file.
func givenWordOrPath(h *hearing, name string) bool { return givenWord(h, name) || givenPath(h, name) }

// isCheckTarget holds for a target whose name says that it checks something. That
// a build is up to date is what it should be.
func isCheckTarget(_ *hearing, name string) bool { return checkTarget.MatchString(name) }

var checkTarget = regexp.MustCompile(`(?i)^(?:.*[-_:./])?(?:tests?|checks?|verify|lint)(?:[-_:.].*)?$`)

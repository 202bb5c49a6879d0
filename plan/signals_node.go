package plan

import (
	"regexp"
	"slices"
	"strings"
)

// What package managers, test runners and compilers of JavaScript print.
var nodeSignals = []signal{
	// A script that is not there, and no manifest to look for it in.
	{CodeMissingScript, "npm", `npm (?:error|ERR!) (?:Missing|missing) script: <N>`, ownScript},
	{CodeMissingScript, "pnpm", `\[?ERR_PNPM_NO_SCRIPT(?:_OR_SERVER)?\]?\s+Missing script:? <N>`, ownScript},
	{CodeMissingScript, "pnpm", `\[?ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT\]?\s+None of the (?:selected )?packages has an? <N> script`, ownScript},
	{CodeMissingScript, "yarn", `error Command <N> not found`, ownScript},
	{CodeMissingScript, "yarn", `(?:Usage Error: )?Couldn't find a script named <N>`, ownScript},
	{CodeMissingScript, "bun", `error: (?:Script not found|[Mm]issing script:?) <N>`, ownScript},
	{CodeMissingScript, "bun", `error: Module not found <N>`, givenPath},
	{CodeMissingScript, "npm", `npm (?:error|ERR!) (?:enoent )?(?:Could not read package\.json: Error: )?ENOENT: no such file or directory, open .*package\.json`, beforeScripts},
	{CodeMissingScript, "pnpm", `\[?ERR_PNPM_NO_(?:IMPORTER|PKG)_MANIFEST(?:_FOUND)?\]?\s`, beforeScripts},
	{CodeMissingScript, "yarn", `error Couldn't find a package\.json`, beforeScripts},
	{CodeMissingScript, "yarn", `(?:Usage Error: )?No project found`, beforeScripts},
	{CodeMissingScript, "bun", `error: No package\.json was found`, beforeScripts},
	{CodeMissingScript, "npm", `npm (?:error|ERR!) No workspaces found`, beforeScripts},
	{CodeMissingScript, "yarn", `(?:error Unknown workspace|Usage Error: Workspace) <N>`, givenWord},
	{CodeMissingScript, "yarn", `error Cannot find the root of your workspace`, beforeScripts},
	{CodeMissingScript, nodeTools, `Error(?: \[\w+\])?: Cannot find module <N>`, givenModule},

	{CodeNoTestFiles, "node", `(?i)no tests?(?: files?| suites?| modules?| specs?)?(?: were)? found\b`, nil},
	{CodeNoTestFiles, "node", `No files matching (?:the patterns? )?(?:were found|["'` + "`" + `])`, nil},
	{CodeNoTestFiles, "node", `No files found matching\b`, nil},
	{CodeNoTestFiles, "node", `(?i)(?:can't run because )?no spec(?: file)?s (?:were )?found`, nil},
	{CodeNoTestFiles, "node", `(?:✖ )?(?:Couldn't find any files to test|Could not find any (?:test )?files)`, nil},
	{CodeNoTestFiles, "node", `Error: no test specified$`, nil},
	{CodeNoTestFiles, "node", `Could not find ["'](.+)["']$`, isTestPath},
	{CodeNoTestFiles, "node", `The following filters did not match any test files|(?:error: )?0 test files matching\b`, nil},
	{CodeNoTestFiles, "node", `Test filter <q>.+<q> had no matches`, nil},
	{CodeNoTestFiles, "node", `No projects matched the filters in\b`, nil},

	{nothingRan, "node", `No projects matched the filters in\b`, nil},
	{nothingRan, "node", `No tasks were executed as part of this run|(?:NX +)?No tasks were run\b`, nil},
	{nothingRan, "node", `(?i)no tests?(?: files?| suites?| specs?)? found, exiting with code 0`, nil},
	{nothingRan, "node", `[#ℹ] tests 0$`, nil},
	{nothingRan, "node", `0 passing\b`, nil},
	{nothingRan, "node", `(?:[\w.]+ [\w .()]*: )?Executed 0 of 0\b`, nil},

	{CodeEnvironmentIssue, "node", `npm (?:error|ERR!) (?:code|network|errno)\b.*\b` + networkFaults, nil},
	{CodeEnvironmentIssue, "node", `\[?ERR_PNPM_META_FETCH_FAIL\]?\s`, nil},
	{CodeEnvironmentIssue, "node", `(?:\w*Error: )?(?:request to \S+ failed, reason: )?getaddrinfo (?:ENOTFOUND|EAI_AGAIN)\b`, nil},
	{CodeEnvironmentIssue, "node", `error An unexpected error occurred: ".*\b` + networkFaults, nil},

	{CodeSetupIssue, "node", `Local package\.json exists, but node_modules missing`, nil},
	{CodeSetupIssue, "node", `The project in .* doesn't seem to have been installed`, nil},
	{CodeSetupIssue, "node", `(?:\S+@\S+: )?This package doesn't seem to be present in your lockfile`, nil},
	{CodeSetupIssue, "node", `\[?ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\]?\s+Command <q>.+<q> not found`, nil},
	{CodeSetupIssue, "node", `(?:npx )?canceled due to missing packages`, nil},
	{CodeSetupIssue, "node", `npm (?:error|ERR!) could not determine executable to run`, nil},
	{CodeSetupIssue, "node", `npm (?:error|ERR!) code EBADENGINE`, nil},
	{CodeSetupIssue, "node", `\[?ERR_PNPM_UNSUPPORTED_ENGINE\]?\s`, nil},
	{CodeSetupIssue, "node", `error \S+: The engine "node" is incompatible`, nil},
	{CodeSetupIssue, "node", typescriptError + `(?:\w*Error(?: \[\w+\])?: )?Cannot find (?:package|module) <N>`, isPackage},
	{CodeSetupIssue, "node", `(?:✘ )?(?:\[\w+\]:? )?(?:\w*Error: )?(?:Failed to resolve import|Rollup failed to resolve import|Could not resolve|Module not found: (?:Error: )?Can't resolve) <N>`, isPackage},
	{CodeSetupIssue, "node", `(?:\w*Error(?: \[\w+\])?: )?(?:\[\w+\]: )?(?:require\(\) of ES Module|Must use import to load ES Module:?) \S*\bnode_modules[/\\]`, nil},
	{CodeSetupIssue, "node", `(?:\w*Error: )?(?:[\w ]+ )?[Mm]odule path <N> to exist, but none could be found`, isPackage},
	{CodeSetupIssue, "node", `(?i)(?:[\w@/.-]+ ){0,4}requires node(?:\.?js)?(?: version)? ?[v><=^~\d]`, nil},
	{CodeSetupIssue, "node", `You are using Node(?:\.js)? \S+.*\brequire`, nil},
	{CodeSetupIssue, "node", `ESLint couldn't find the (?:plugin|config)\b`, nil},
	{CodeSetupIssue, "node", `(?:Preset \S+|Module \S+ in the \S+ option) (?:was )?not found\b`, nil},
	{CodeSetupIssue, "node", `(?:Error: )?browserType\.launch: Executable doesn't exist`, nil},
}

// nodeTools are the tools that are given a file to run.
const nodeTools = "node tsx ts-node mocha ava tap tape"

// networkFaults are what node calls a host that cannot be reached.
const networkFaults = `(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ERR_SOCKET_TIMEOUT)\b`

// typescriptError is how the compiler of TypeScript begins a line.
const typescriptError = `(?:\S+(?:\(\d+,\d+\):|:\d+:\d+ -) error TS\d+: )?`

// givenModule is givenPath, for what is a path at all: a package is looked for
// elsewhere.
func givenModule(h *hearing, name string) bool { return !isPackage(h, name) && givenPath(h, name) }

// isTestPath holds for a file that the tool was given, or that is called after
// tests.
func isTestPath(h *hearing, name string) bool {
	return givenPath(h, name) || strings.Contains(name, "test") || strings.Contains(name, "spec")
}

// ownScript is givenScript before any script runs: one that calls another which is
// not there is broken, whatever that one is called.
func ownScript(h *hearing, name string) bool {
	return givenScript(h, name) && beforeScripts(h, name)
}

// beforeScripts holds as long as the tool has not begun to run a script, since
// what is missing then is missing for what the script does.
func beforeScripts(h *hearing, _ string) bool {
	for _, name := range h.tool.names {
		banner, ok := scriptBanners[name]
		if ok && slices.ContainsFunc(h.lines, func(l outputLine) bool { return banner.MatchString(l.text) && !synopsis.MatchString(l.text) }) {
			return false
		}
	}
	return true
}

// scriptBanners are what tools print before they run a script.
var scriptBanners = map[string]*regexp.Regexp{
	"npm":      npmBanner,
	"pnpm":     npmBanner,
	"yarn":     regexp.MustCompile(`^\$ \S`),
	"bun":      regexp.MustCompile(`^\$ \S`),
	"composer": regexp.MustCompile(`^> \S`),
}

// npmBanner is the package and the script, or the script alone.
var npmBanner = regexp.MustCompile(`^(?:> \S+@\S+ \S|> [\w:.-]+(?: [/\\].*)?$)`)

// synopsis is how yarn says what it may be given, which looks like its banner.
var synopsis = regexp.MustCompile(`^\$ yarn .*(?:\[-|<\w+>)`)

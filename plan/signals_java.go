package plan

import (
	"regexp"
	"slices"
	"strings"
)

// What maven, gradle and their wrappers print.
var javaSignals = []signal{
	{CodeMissingScript, "mvn", `\[ERROR\] .*\bno POM in this directory`, nil},
	{CodeMissingScript, "mvn", `\[ERROR\] Unknown lifecycle phase <N>`, givenWord},
	{CodeMissingScript, "mvn", `\[ERROR\] (?:\[ERROR\] )?Could not find the selected project in the reactor: (\S+)`, givenTask},
	{CodeMissingScript, "mvn", `(?:\[ERROR\] )?(?:Error: )?POM file \S+ specified with the -f/--file .* does not exist`, nil},
	{CodeMissingMakeTarget, "gradle", `(?:> )?Task <N> not found in\b`, givenTask},
	{CodeMissingMakeTarget, "gradle", `(?:> )?Project <N> not found in\b`, givenTask},
	{CodeMissingMakeTarget, "gradle", `(?:> )?Cannot locate tasks that match <N>`, givenTask},
	{CodeMissingMakeTarget, "gradle", `(?:> )?(?:Directory .* )?does not contain a Gradle build`, nil},

	{CodeNoTestFiles, "java", mavenGoal + `No tests (?:matching pattern .*)?were executed!`, nil},
	{CodeNoTestFiles, "java", mavenGoal + `No tests matching pattern\b`, nil},
	{CodeNoTestFiles, "java", `No tests found for given includes\b`, nil},
	{nothingRan, "java", `No tests to run\.`, nil},
	{nothingRan, byOwn + "gradle", `(?:> Task )?:\S*[tT]est NO-SOURCE$`, onlyTestTasks},

	{CodeEnvironmentIssue, byFree + "java", `Could not transfer artifact \S+ from/to .*(?:refused|timed out|unreachable|name resolution)`, nil},
	{CodeEnvironmentIssue, byFree + "java", `\bUnknown host\b`, nil},
	{CodeEnvironmentIssue, "java", `Could not (?:GET|HEAD) <q>https?://`, nil},
	{CodeEnvironmentIssue, "java", `Exception in thread "main" java\.net\.(?:UnknownHostException|ConnectException|SocketTimeoutException)\b`, nil},

	{CodeSetupIssue, "java", mavenGoal + `Could not resolve dependencies for project\b`, nil},
	{CodeSetupIssue, "java", `(?:Failed to execute goal|Plugin|The following artifacts?|Unresolveable build extension).*\bcould not be resolved\b`, nil},
	{CodeSetupIssue, "java", `Non-resolvable (?:parent|import) POM\b`, nil},
	{CodeSetupIssue, "java", `No plugin found for prefix\b`, nil},
	{CodeSetupIssue, "java", mavenGoal + `(?:Fatal error compiling: )?(?:error: )?(?:release version \S+ not supported|invalid (?:target|source) release\b)`, nil},
	{CodeSetupIssue, "java", mavenGoal + `(?:Compilation failure: )?No compiler is provided in this environment`, nil},
	{CodeSetupIssue, "java", `Could not resolve all \S+ for\b`, nil},
	{CodeSetupIssue, "java", `Could not find or load main class org\.(?:gradle|apache\.maven)\.wrapper\b`, nil},
	{CodeSetupIssue, "java", `Unable to access jarfile .*-wrapper\.jar`, nil},
	{CodeSetupIssue, "java", `(?:The )?JAVA_HOME (?:is (?:not|set to an invalid)|environment variable is not)\b`, nil},
	{CodeSetupIssue, byFree + "java", `(?:BUG! exception in phase .* )?Unsupported class file major version \d`, nil},
	{CodeSetupIssue, "java", `(?:Exception in thread "main" |Error: LinkageError occurred .*)?java\.lang\.UnsupportedClassVersionError\b`, nil},
	{CodeSetupIssue, "java", `(?:No matching toolchains? found|Cannot find a Java installation)\b`, nil},
}

// mavenGoal is how maven begins what a plugin says.
const mavenGoal = `(?:Failed to execute goal .*: )?`

// onlyTestTasks holds if gradle was asked for tests and nothing else: a build
// without tests has built something.
func onlyTestTasks(h *hearing, _ string) bool {
	tasks := targets(h.tool.args, "-p -b -c -I -x -g --project-dir --tests")
	return len(tasks) > 0 && !slices.ContainsFunc(tasks, func(t string) bool { return !strings.HasSuffix(strings.ToLower(t), "test") }) &&
		!slices.ContainsFunc(h.lines, func(l outputLine) bool { return testTask.MatchString(l.text) })
}

// testTask is a test task that gradle ran.
var testTask = regexp.MustCompile(`^(?:> Task )?:\S*[tT]est(?: (?:FAILED|UP-TO-DATE|FROM-CACHE))?$`)

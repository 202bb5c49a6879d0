package plan

import (
	"regexp"
	"sync"
)

// What anyone prints who starts a program, and what a machine at its limits says.
var anySignals = []signal{
	{CodeEnvironmentIssue, byAnyone, `(?i)no space left on device|disk quota exceeded`, nil},
	{CodeEnvironmentIssue, byAnyone, `Cannot connect to the Docker daemon`, nil},
	{CodeEnvironmentIssue, byAnyone, `Cannot allocate memory`, nil},
	{CodeSetupIssue, byAnyone, `"[^"]+": executable file not found in (?:\$PATH|%PATH%)|executable file <q>[^"'` + "`" + `]+<q> not found in (?:\$PATH|%PATH%)`, nil},
	{CodeSetupIssue, byAnyone, `error while loading shared libraries: |Library not loaded: `, nil},
	{CodeEnvironmentIssue, byShell, `(?:fatal: unable to access .*: (?:Could not resolve host|Failed to connect|Couldn't connect)|ssh: Could not resolve hostname|curl: \((?:6|7|28)\))`, nil},

	// A file that a shell was given to read.
	{CodeMissingScript, shells, `(?:\S*/)?\w*sh: ([^\s:]+): No such file or directory$|(?:\S*/)?\w*sh: (?:line )?\d+: (?:cannot open|can't open) <q>?([^\s'":]+)`, givenPath},

	// A program that a shell, or what stands in for one, did not find.
	{CodeSetupIssue, byShell, `(?:\S+: )?(?:line )?\d+: ([^\s:]+): (?:command )?not found\b`, isProgram},
	{CodeSetupIssue, byShell, `(?:\S*/)?\w*sh: ([^\s:]+): (?:command )?not found\b`, isProgram},
	{CodeSetupIssue, byShell, `[\w./-]+: ([^\s:]+): command not found$`, isProgram},
	{CodeSetupIssue, byShell, `(?:\S+: ?)?command not found: (\S+)`, isProgram},
	{CodeSetupIssue, byShell, `fish: Unknown command:? <N>`, isProgram},
	{CodeSetupIssue, byShell, `<q>([^'"]+)<q> is not recognized as an internal or external command`, isProgram},
	{CodeSetupIssue, byShell, `(?:\S*/)?` + starters + `: (?:can't execute |failed to (?:run command|execute) |cannot run )?<q>?([^\s:'‘’]+)<q>?: (?:No such file or directory|command not found)`, isProgram},
	{CodeSetupIssue, byShell, `(?:\w*Error: )?spawn (?:(\S+) )?ENOENT`, isProgramIfNamed},
	{CodeSetupIssue, byShell, makeName + `(?:\[\d+\])?: (?:exec\()?([^\s:()]+)(?:: (?:No such file or directory|[Cc]ommand not found)$|\) failed \(No such file)`, isProgram},
	{CodeSetupIssue, byShell, `(?:rbenv|pyenv|nodenv|goenv|asdf): version .* is not installed`, nil},
	{CodeSetupIssue, byShell, `(?i)(?:missing dependency|cannot find dependency):? <N>[.!]?$`, nil},
}

const shells = "sh bash dash ash ksh mksh zsh"

// starters are programs that start another one.
const starters = `(?:env|nice|nohup|timeout|stdbuf|setsid|ionice|xargs|time|sudo|doas|exec)`

// isProgramIfNamed is isProgram, for messages that may leave the name out.
func isProgramIfNamed(h *hearing, name string) bool { return name == "" || isProgram(h, name) }

// Texts that conditions look for.
var (
	// scriptBanner is what package managers print before they run a script.
	scriptBanner = regexp.MustCompile(`^(?:> \S+@\S+ \S|> [\w:.-]+$|\$ \S)`)

	checkTarget = regexp.MustCompile(`(?i)^(?:.*[-_:./])?(?:tests?|checks?|verify|lint)(?:[-_:.].*)?$`)
)

// signals returns the table of all signals. They are made ready when the first
// failure is looked at.
var signals = sync.OnceValue(func() []compiled {
	return compile(buildSignals, nodeSignals, goSignals, rustSignals, pythonSignals, javaSignals, rubySignals, phpSignals, dotnetSignals, anySignals)
})

// somethingRan is what test tools print of tests that they ran.
var somethingRan = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^ok\s+\S+\s+(?:\d|\(cached\))|^--- (?:pass|fail|skip):|^running [1-9]\d* tests?\b|^starting [1-9]\d* tests?\b` +
		`|\b[1-9]\d* (?:tests? )?(?:passed|passing|failed|failing)\b|^[#ℹ] (?:tests|pass) [1-9]|^(?:not )?ok [1-9]\d*\b` +
		`|\bran [1-9]\d* tests?\b|\btests run: *[1-9]|\b[1-9]\d* (?:examples?|runs|tests), |^ok \([1-9]\d* tests?\b` +
		`|\bpassed: +[1-9]|\btotal tests: +[1-9]|\btests passed, \d+ tests? failed out of [1-9]`)
})

// somethingFailed is what test tools print of tests that failed.
var somethingFailed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^--- fail:|^not ok \d|\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|^[#ℹ] fail [1-9]|\b(?:failures|failed): *[1-9]|\b[1-9]\d* failures?\b`)
})

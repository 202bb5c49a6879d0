package plan

// What anyone prints who starts a program, and what a machine at its limits says.
var anySignals = []signal{
	{CodeEnvironmentIssue, byAnyone, `(?i)no space left on device|disk quota exceeded`, nil},
	{CodeEnvironmentIssue, byAnyone, `Cannot connect to the Docker daemon`, nil},
	{CodeEnvironmentIssue, byAnyone, `(?i)cannot allocate memory`, nil},
	{CodeSetupIssue, byAnyone, `"[^"]+": executable file not found in (?:\$PATH|%PATH%)|executable file <q>[^"'` + "`" + `]+<q> not found in (?:\$PATH|%PATH%)`, nil},
	{CodeSetupIssue, byAnyone, `error while loading shared libraries: |Library not loaded: `, nil},
	{CodeEnvironmentIssue, byShell, `(?:fatal: unable to access .*: (?:Could not resolve host|Failed to connect|Couldn't connect)|ssh: Could not resolve hostname|curl: \((?:6|7|28)\))`, nil},

	// A file that a shell was given to read.
	{CodeMissingScript, shells, `(?:\S*/)?\w*sh: ([^\s:]+): No such file or directory$|(?:\S*/)?\w*sh: (?:line )?\d+: (?:cannot open|can't open) <q>?([^\s'":]+)`, givenPath},

	// A program that a shell, or what stands in for one, did not find.
	{CodeSetupIssue, byShell, `(?:\S+: )?(?:line )?\d+: ([^\s:]+): (?:command )?not found\b`, isProgram},
	{CodeSetupIssue, byShell, `(?:\S*/)?\w*sh: ([^\s:]+): (?:command )?not found\b`, isProgram},
	{CodeSetupIssue, byShell, `[\w./-]+: ([^\s:]+): command not found$`, isProgram},
	{CodeSetupIssue, byShell, `# \S*[./]\S*: line \d+: ([^\s:]+): command not found$`, isProgram}, // bats, as TAP
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

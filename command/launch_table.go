package command

// launcher says how a program that starts another gets to that one. The zero value is
// one whose options have no values and whose first operand is the program. Lists of
// options have a blank on both sides of each, as [hasName] wants them.
type launcher struct {
	grammar
	operands int    // how many words stand before the program; -1 if none is the program, and options stand anywhere
	direct   string // options with which the words are the program all the same
	assigns  bool   // NAME=value may stand before it too
	none     string // options with which it starts nothing, each with a blank on both sides
	shells   string // options with which it starts a shell of its own if no program is named
	text     string // options whose value is shell text
	joins    bool   // the words are put together and read as shell text
	idle     bool   // without a program, it waits for input
}

// launchers holds every program that starts another which its arguments name.
// Shells, xargs and find are elsewhere: they do more than that. A launcher that is
// missing here is a way round all rules, so that those of common systems are here
// whether or not a recipe would use them. An option with a value that is missing makes
// the value the program, which is an unknown program at worst.
var launchers = map[string]launcher{
	"env":      {grammar: grammar{values: "uCPaS", long: " --unset --chdir --argv0 --split-string ", known: " --ignore-environment --null --debug "}, assigns: true},
	"nice":     {grammar: grammar{values: "n", long: " --adjustment "}},
	"ionice":   {grammar: grammar{values: "cnpPu", long: " --class --classdata --pid --pgid --uid "}, none: " -p -P -u --pid --pgid --uid "},
	"timeout":  {grammar: grammar{values: "ks", long: " --kill-after --signal ", known: " --foreground --preserve-status "}, operands: 1},
	"gtimeout": {grammar: grammar{values: "ks", long: " --kill-after --signal "}, operands: 1},
	"stdbuf":   {grammar: grammar{values: "ioe", long: " --input --output --error "}},
	"time":     {grammar: grammar{values: "fo", long: " --format --output "}},
	"nohup":    {},
	"setsid":   {},
	"busybox":  {none: " --list --list-full --install --help "},
	"toybox":   {none: " --long --help "},
	"chrt":     {grammar: grammar{values: "TPD"}, operands: 1, none: " -p --pid -m --max "},
	"taskset":  {operands: 1, none: " -p --pid "},
	"chroot":   {operands: 1},
	"flock":    {grammar: grammar{values: "wEc", long: " --wait --timeout --conflict-exit-code --command "}, operands: 1, text: " -c --command "},
	"xvfb-run": {grammar: grammar{values: "enfpsw", long: " --error-file --server-num --auth-file --xauth-protocol --server-args --wait "}},
	"sudo": {
		grammar: grammar{
			values: "ugpChrtTUDR",
			long:   " --user --group --prompt --close-from --host --role --type --command-timeout --other-user --chdir --chroot ",
		},
		assigns: true, none: " -l --list -v --validate -K --remove-timestamp -e --edit ", shells: " -i -s --login --shell ",
	},
	"doas":  {grammar: grammar{values: "uC"}, none: " -L ", shells: " -s "},
	"watch": {grammar: grammar{values: "nq", long: " --interval --equexit "}, joins: true},
	"su": {
		grammar: grammar{
			values: "cgGsw",
			long:   " --command --session-command --group --supp-group --shell --whitelist-environment ",
		},
		operands: -1, text: " -c --command --session-command ", idle: true,
	},
	"runuser": {
		grammar: grammar{
			values: "cgGsuw",
			long:   " --command --session-command --group --supp-group --shell --user ",
		},
		operands: -1, direct: " -u --user ", text: " -c --command --session-command ", idle: true,
	},
	"pkexec": {grammar: grammar{long: " --user "}, idle: true},
	"script": {
		grammar: grammar{
			values: "cEImBOoT",
			long:   " --command --echo --log-in --log-io --log-out --log-timing --output-limit ",
		},
		operands: -1, text: " -c --command ", idle: true,
	},
	"strace":    {grammar: grammar{values: "abeEIoOpPsSuUX", long: " --trace --output --attach "}, none: " -p --attach "},
	"ltrace":    {grammar: grammar{values: "aAeFlnopsuwxX"}, none: " -p "},
	"unshare":   {grammar: grammar{values: "GRSwm", long: " --setgid --setuid --root --wd --map-user --map-group "}, idle: true},
	"nsenter":   {grammar: grammar{values: "tGS", long: " --target --setuid --setgid "}, idle: true},
	"setpriv":   {grammar: grammar{long: " --reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --pdeathsig "}},
	"prlimit":   {grammar: grammar{values: "po", long: " --pid --output "}, none: " -p --pid "},
	"choom":     {grammar: grammar{values: "np", long: " --adjust --pid "}, none: " -p --pid "},
	"fakeroot":  {grammar: grammar{values: "lisbf"}},
	"unbuffer":  {},
	"chronic":   {},
	"eatmydata": {},
	"caffeinate": {
		grammar: grammar{values: "tw"},
	},
	"systemd-run": {
		grammar: grammar{
			values: "puMHE",
			long:   " --unit --property --description --slice --uid --gid --nice --working-directory --setenv --machine --host --on-calendar ",
		},
		shells: " -S --shell ",
	},
}

// builtins are words that a shell acts upon by itself and that no program has for
// a name, or, as cd and command where POSIX asks for them, none that does the same. A
// program that is started directly cannot stand in for them. Builtins that every
// system has as programs too, as echo, test and kill, are programs here.
var builtins = wordSet(`. : alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown enable eval exec
	exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set setopt shift shopt source
	suspend times trap type typeset ulimit umask unalias unset unsetopt wait`)

package plan

import (
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// starter is a program that starts another one, which stands behind its options.
type starter struct {
	values   string // its options that take the next word
	operands int    // how many words of its own come first
	verbs    string // of which one comes first; "" if none does
	names    bool   // NAME=value words come before the program
	texts    string // its options whose next word a shell reads
	shell    bool   // a shell reads the whole command
}

// starters are the programs whose last arguments are a command.
var starters = map[string]starter{
	"env":      {values: "-u -C -P -a --unset --chdir --argv0", names: true, texts: "-S --split-string"},
	"nice":     {values: "-n --adjustment"},
	"ionice":   {values: "-c -n --class --classdata"},
	"nohup":    {},
	"setsid":   {},
	"time":     {values: "-f -o --format --output"},
	"timeout":  {values: "-k -s --kill-after --signal", operands: 1},
	"stdbuf":   {values: "-i -o -e --input --output --error"},
	"chrt":     {operands: 1},
	"taskset":  {operands: 1},
	"chroot":   {operands: 1},
	"flock":    {values: "-w -E --wait --timeout", operands: 1, texts: "-c --command"},
	"sudo":     {values: "-u -g -p -C -h -r -t -T -U -D -R --user --group --chdir --host", names: true},
	"doas":     {values: "-u -C"},
	"su":       {operands: 1, texts: "-c --command"},
	"xargs":    {values: "-I -n -P -L -E -s -a -d --max-args --max-procs --max-lines --arg-file --delimiter"},
	"watch":    {values: "-n --interval", shell: true},
	"busybox":  {},
	"toybox":   {},
	"xvfb-run": {values: "-e -n -f -p -s -w"},
	"npx":      {values: "-p --package -w --workspace", texts: "-c --call"},
	"pnpx":     {values: "-p --package"},
	"bunx":     {values: "-p --package"},
	"npm":      {values: "-p --package -w --workspace --prefix -C", verbs: "exec x", texts: "-c --call"},
	"pnpm":     {values: "-F --filter -C --dir --package", verbs: "exec dlx"},
	"yarn":     {values: "-p --package --cwd", verbs: "exec dlx"},
	"bun":      {values: "--cwd", verbs: "x exec"},
	"bundle":   {verbs: "exec"},
	"poetry":   {values: "-C --directory -P --project", verbs: "run"},
	"uv":       {values: "--with --python -p --directory --project --extra --group", verbs: "run"},
	"uvx":      {values: "--with --python -p --from"},
	"pipx":     {values: "--spec", verbs: "run"},
	"pipenv":   {verbs: "run"},
	"pdm":      {values: "-p --project", verbs: "run"},
	"hatch":    {values: "-e --env", verbs: "run"},
	"rye":      {verbs: "run"},
}

// shellNames are the programs that read a command line from their -c.
var shellNames = setOf("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish")

// maxNesting is how deep a command can stand in others and still be found.
const maxNesting = 8

// startedBy returns a command, and the commands that it is known to start: the
// ones behind launchers, and the ones in texts for a shell.
func startedBy(argv []string) [][]string {
	var all [][]string
	collectStarted(argv, 0, &all)
	return all
}

func collectStarted(argv []string, depth int, all *[][]string) {
	if len(argv) == 0 || depth > maxNesting {
		return
	}
	*all = append(*all, argv)
	inner, text := launches(argv)
	collectStarted(inner, depth+1, all)
	collectText(text, depth+1, all)
	if programName(argv[0]) == "find" {
		collectFound(argv[1:], depth, all)
	}
}

// launches returns the command that a launcher starts, or the text that it hands
// to a shell; neither if the command is that of no launcher.
func launches(argv []string) (inner []string, text string) {
	name, args := programName(argv[0]), argv[1:]
	if s, ok := starters[name]; ok {
		inner, text = s.command(args)
		if s.shell {
			return nil, strings.Join(inner, " ")
		}
		return withoutVersion(inner), text
	}
	switch {
	case shellNames[name]:
		return nil, shellText(args)
	case strings.HasPrefix(name, "python"):
		if i := slices.Index(args, "-m"); i >= 0 && !slices.ContainsFunc(args[:i], isOperand) {
			return args[i+1:], ""
		}
	}
	return nil, ""
}

// toolNames returns the names of the program that a command starts and of the
// launchers before it, the program first.
func toolNames(argv []string) []string {
	var names []string
	for len(argv) > 0 && len(names) <= maxNesting {
		names = append(names, programName(argv[0]))
		argv, _ = launches(argv)
	}
	slices.Reverse(names)
	return names
}

// command returns the command that the arguments of a starter hold, or the text
// for a shell that stands in its place.
func (s starter) command(args []string) (inner []string, text string) {
	values, texts, verbs := strings.Fields(s.values), strings.Fields(s.texts), strings.Fields(s.verbs)
	operands := s.operands
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case slices.Contains(texts, a) && i+1 < len(args):
			return nil, strings.Join(args[i+1:], " ")
		case a == "--":
		case len(a) > 1 && a[0] == '-':
			if slices.Contains(values, a) {
				i++
			}
		case s.names && strings.IndexByte(a, '=') > 0:
		case len(verbs) > 0:
			if !slices.Contains(verbs, a) {
				return nil, ""
			}
			verbs = nil
		case operands > 0:
			operands--
		default:
			return args[i:], ""
		}
	}
	return nil, ""
}

// isOperand reports whether an argument is no option.
func isOperand(arg string) bool { return arg == "-" || !strings.HasPrefix(arg, "-") }

// withoutVersion returns a command of a package, as rimraf@5, by the package's name.
func withoutVersion(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	if at := strings.LastIndexByte(argv[0], '@'); at > 0 {
		argv = slices.Clone(argv)
		argv[0] = argv[0][:at]
	}
	return argv
}

// shellText returns what stands behind a shell's -c, which may be one of several
// letters; "" if there is none.
func shellText(args []string) string {
	for i, a := range args {
		switch {
		case isOperand(a) || a == "--":
			return ""
		case a[1] != '-' && strings.Contains(a, "c"):
			if i+1 < len(args) {
				return args[i+1]
			}
		}
	}
	return ""
}

// collectFound adds the commands that find starts.
func collectFound(args []string, depth int, all *[][]string) {
	for i, a := range args {
		switch a {
		case "-exec", "-execdir", "-ok", "-okdir":
			inner := args[i+1:]
			if end := slices.IndexFunc(inner, func(w string) bool { return w == ";" || w == "+" }); end >= 0 {
				inner = inner[:end]
			}
			collectStarted(inner, depth+1, all)
		}
	}
}

// collectText adds the commands in a text for a shell. Where the text is more than
// plain commands, every word of it may be the program of one.
func collectText(text string, depth int, all *[][]string) {
	if strings.TrimSpace(text) == "" || depth > maxNesting {
		return
	}
	if parts, err := Split(text); err == nil {
		for _, p := range parts {
			collectStarted(p.Argv, depth, all)
		}
		return
	}
	if argv, err := command.Split(text); err == nil { // a builtin
		collectStarted(argv, depth, all)
		return
	}
	for segment := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";&|()`\n<>{}", r) }) {
		words := strings.Fields(strings.NewReplacer(`"`, "", "'", "", `\`, "", "$", "").Replace(segment))
		for i, w := range words {
			if dir, ok := strings.CutSuffix(w, "/*"); ok {
				words[i] = dir + "/"
			}
		}
		for i := range words {
			*all = append(*all, words[i:])
		}
	}
}

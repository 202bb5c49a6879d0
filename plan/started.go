package plan

import (
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// furtherLaunchers are programs beside those of launchers whose last arguments are
// a command. What they print is nobody's signal, but what they start is started.
var furtherLaunchers = map[string]launcher{
	"chrt":    {operands: 1},
	"taskset": {operands: 1},
	"chroot":  {operands: 1},
	"flock":   {values: "-w -E --wait --timeout", operands: 1},
	"su":      {operands: 1},
	"xargs":   {values: "-I -n -P -L -E -s -a -d --max-args --max-procs --max-lines --arg-file --delimiter"},
	"watch":   {values: "-n --interval"},
	"busybox": {},
	"toybox":  {},
}

// textOptions are options of launchers whose next word a shell reads, or what
// takes it apart like one.
var textOptions = map[string]string{
	"env": "-S --split-string", "npx": "-c --call", "npm": "-c --call", "flock": "-c --command", "su": "-c --command",
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
	if named := withoutVersion(argv); named[0] != argv[0] {
		argv = named
		*all = append(*all, argv)
	}
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
	l, ok := launchers[name]
	if !ok {
		l, ok = furtherLaunchers[name]
	}
	switch {
	case ok:
		start := l.command(args)
		switch {
		case start < 0:
			return nil, ""
		case name == "watch" || start > 0 && slices.Contains(strings.Fields(textOptions[name]), args[start-1]):
			return nil, strings.Join(args[start:], " ")
		}
		return args[start:], ""
	case shellNames[name]:
		return nil, shellText(args)
	case strings.HasPrefix(name, "python"):
		if start, _ := scriptOf("python", args); start >= 0 {
			return args[start:], ""
		}
	}
	return nil, ""
}

// toolNames returns the names of the program that a command starts and of the
// launchers before it, the program first.
func toolNames(argv []string) []string {
	var names []string
	for len(argv) > 0 && len(names) <= maxNesting {
		argv = withoutVersion(argv)
		names = append(names, programName(argv[0]))
		argv, _ = launches(argv)
	}
	slices.Reverse(names)
	return names
}

// isOperand reports whether an argument is no option.
func isOperand(arg string) bool { return arg == "-" || !strings.HasPrefix(arg, "-") }

// withoutVersion returns a command of a package, as rimraf@5, by the package's name.
func withoutVersion(argv []string) []string {
	base := strings.LastIndexAny(argv[0], `/\`) + 1 // @ begins a scope there
	if at := strings.LastIndexByte(argv[0], '@'); at > base {
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

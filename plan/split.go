package plan

import (
	"errors"
	"path"
	"strings"

	"github.com/mendkit/mend/command"
)

// Classes of a [command.SplitError] that [Split] adds to those of package command.
const (
	classDirectory   = "cd"           // a cd that does not lead somewhere inside the tree, at that word
	classBuiltin     = "builtin"      // a first word that only a shell acts on, at that word
	classWindowsPath = "windows-path" // a first word X:\…, whose backslashes would be taken for quotes
)

// Part is the start of one program. It belongs to an entry of a plan, whose parts
// run in order until one fails.
type Part struct {
	Dir  string   // where it runs, slashed and relative to the tree; "" is the tree's root
	Env  []string // NAME=value, in order, added to the environment
	Argv []string
}

// Split reads an entry: plain commands as [command.SplitEnv] reads them, joined by
// &&, and starts of the form cd DIR && that say where those behind them run. The
// error is a [*command.SplitError]. It has a class of package command, of what
// stands first in the line; an && with nothing before or behind it is an operator.
// Or it is one of three more: "cd" for a cd that is not followed by a part, has
// not just one operand (behind --, where there is one), or leads out of the tree; "builtin" for a command that
// only a shell knows; "windows-path" for a program written C:\….
//
// A cd holds for its own entry only, and a bad one refuses the whole of it.
func Split(line string) ([]Part, error) {
	if _, _, err := splitEnv(line); err != nil && err.Class == command.ClassControlChar {
		return nil, err
	}
	r := entryReader{line: line, end: len(strings.TrimRight(line, "\r\n"))}
	for at := r.end - len(strings.TrimLeft(line[:r.end], "\r\n")); ; {
		text := line[at:r.end]
		n := chainOperator(text)
		if n >= 0 {
			text = text[:n]
		}
		if err := r.part(text, at, n >= 0); err != nil {
			return nil, err
		}
		if n < 0 {
			return r.parts, nil
		}
		at += n + len("&&")
	}
}

// entryReader puts the parts of one entry together.
type entryReader struct {
	line  string
	end   int // where the line ends, without the CR and LF behind it
	dir   string
	parts []Part
}

// part reads the text of one part, which begins at offset at of the line and is
// followed by an && or by nothing.
func (r *entryReader) part(text string, at int, followed bool) error {
	if strings.Trim(text, " \t") == "" {
		return r.nothing(text, at, followed)
	}
	env, argv, err := splitEnv(text)
	if n := len(strings.TrimRight(text, "\n")); err == nil && n < len(text) {
		err = &command.SplitError{Class: command.ClassOperator, Offset: n}
	}
	if text[0] == '\n' { // at both ends of a line it would not count, but here it stands in the middle of one
		return &command.SplitError{Class: command.ClassOperator, Offset: at}
	}
	start, first := firstWord(text, err)
	class := ""
	switch {
	case start < 0:
	case isWindowsPath(text[start:]):
		class = classWindowsPath
	case first == "cd" && err == nil:
		if !followed || env != nil || !r.enter(argv[1:]) {
			class = classDirectory
		}
	case first != "cd" && builtins[strings.ToLower(first)]:
		class = classBuiltin
	}
	switch {
	case class != "":
		return &command.SplitError{Class: class, Offset: at + start}
	case err != nil:
		return &command.SplitError{Class: err.Class, Offset: at + err.Offset}
	case first != "cd":
		r.parts = append(r.parts, Part{Dir: r.dir, Env: env, Argv: argv})
	}
	return nil
}

// nothing returns the error for a part without a word.
func (r *entryReader) nothing(text string, at int, followed bool) error {
	switch {
	case followed:
		return &command.SplitError{Class: command.ClassOperator, Offset: at + len(text)}
	case at >= len("&&") && strings.HasSuffix(r.line[:at], "&&"):
		return &command.SplitError{Class: command.ClassOperator, Offset: at - len("&&")}
	}
	return &command.SplitError{Class: command.ClassEmpty, Offset: 0}
}

// enter changes the directory for the parts that follow to the one operand that
// cd has, and reports whether it is one inside the tree. A backslash divides names
// on some systems, so what it would lead out of the tree there is refused everywhere.
func (r *entryReader) enter(args []string) bool {
	odd := len(args) > 0 && args[0] == "--" // what follows is no option, whatever it begins with
	if odd {
		args = args[1:]
	}
	if len(args) != 1 || args[0] == "" {
		return false
	}
	dir := args[0]
	slashed := strings.ReplaceAll(dir, `\`, "/")
	if dir == "-" || dir[0] == '-' && !odd || slashed[0] == '/' || hasDrive(dir) {
		return false
	}
	for _, d := range []string{path.Join(r.dir, dir), path.Join(strings.ReplaceAll(r.dir, `\`, "/"), slashed)} {
		if d == ".." || strings.HasPrefix(d, "../") {
			return false
		}
	}
	next := path.Join(r.dir, dir)
	if next[0] == '\\' || hasDrive(next) { // which ./ had hidden
		return false
	}
	if r.dir = next; next == "." {
		r.dir = ""
	}
	return true
}

// firstWord returns the program's name in a part, and where it begins; "" if the
// error with which reading ended, if any, is inside the first word that may be it,
// and -1 if there is no word.
func firstWord(text string, err *command.SplitError) (start int, word string) {
	limit := len(text)
	if err != nil {
		limit = err.Offset
	}
	for at := 0; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		end := wordEnd(text, at)
		if at == end || at > limit {
			return -1, ""
		}
		if end > limit {
			return at, ""
		}
		if _, argv, err := splitEnv(text[at:end]); err == nil {
			return at, argv[0]
		}
		at = end
	}
}

// chainOperator returns the offset of the first && outside quotes, or -1.
func chainOperator(text string) int {
	return scanBare(text, 0, func(i int) bool { return strings.HasPrefix(text[i:], "&&") })
}

// wordEnd returns where the word that begins at offset at ends.
func wordEnd(text string, at int) int {
	if n := scanBare(text, at, func(i int) bool { return strings.IndexByte(" \t\n;&|<>()", text[i]) >= 0 }); n >= 0 {
		return n
	}
	return len(text)
}

// scanBare returns the first offset from at on that is outside quotes, not behind
// a backslash, and wanted; -1 if there is none.
func scanBare(text string, at int, wanted func(i int) bool) int {
	for quote := byte(0); at < len(text); at++ {
		c := text[at]
		switch {
		case c == '\\' && quote != '\'':
			at++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case wanted(at):
			return at
		}
	}
	return -1
}

// isWindowsPath reports whether a word begins with a drive and a bare backslash.
func isWindowsPath(word string) bool {
	return len(word) > 2 && hasDrive(word) && word[2] == '\\'
}

// hasDrive reports whether a path begins with a drive's letter.
func hasDrive(name string) bool { return len(name) > 1 && isLetter(name[0]) && name[1] == ':' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// String returns a line that [Split] reads back as the part and nothing else, if
// the part is one that Split returned.
func (p Part) String() string {
	var b strings.Builder
	if p.Dir != "" {
		dir := p.Dir
		if dir[0] == '-' {
			dir = "./" + dir
		}
		b.WriteString(command.Join([]string{"cd", dir}) + " && ")
	}
	for _, v := range p.Env {
		name, value, _ := strings.Cut(v, "=")
		b.WriteString(name + "=" + strings.TrimPrefix(command.Join([]string{"x", value}), "x ") + " ")
	}
	b.WriteString(command.Join(p.Argv))
	return b.String()
}

// splitEnv is [command.SplitEnv] with the type of its error.
func splitEnv(line string) (env, argv []string, refused *command.SplitError) {
	env, argv, err := command.SplitEnv(line)
	if err != nil {
		errors.As(err, &refused)
		return nil, nil, refused
	}
	return env, argv, nil
}

// builtins are names that stand for no program, or for one that cannot do what the
// shell's own does. The case is folded: some file systems would find cd as CD.
var builtins = setOf(strings.Fields(`
	. : alias bg bind break builtin caller cd continue declare dirs disown enable eval exec exit export fc fg getopts help
	jobs let local logout mapfile popd pushd readarray readonly return set setopt shift shopt source suspend times trap
	typeset ulimit umask unalias unset`)...)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

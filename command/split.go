package command

import (
	"fmt"
	"strings"
)

// Why [Split] refuses a line: the classes of a [SplitError]. Each is something
// that a shell would act on, and that a directly started program would be handed
// as text. They are triggered outside quotes unless the comment says otherwise.
const (
	ClassControlChar  = "control-char"  // a C0 byte but tab and LF, or DEL, quoted too; looked for before all else
	ClassUnterminated = "unterminated"  // an open quote, at its opener, or a backslash that ends the line
	ClassOperator     = "operator"      // one of ; & | < > ( ) or LF, or a backslash before LF, also in double quotes
	ClassSubstitution = "substitution"  // a backtick or $(, also in double quotes
	ClassExpansion    = "expansion"     // $NAME, ${, $[, $1, $@ and their like, also in double quotes; $' and $"
	ClassGlob         = "glob"          // * or ?, or [ with a ] behind it in the same word
	ClassBrace        = "brace"         // {…} with a comma or two dots inside
	ClassTilde        = "tilde"         // ~ at a word's start, or behind = or : in a word like NAME=…
	ClassComment      = "comment"       // # at a word's start
	ClassAssignment   = "assignment"    // a first word NAME=… or NAME+=…
	ClassReservedWord = "reserved-word" // a first word as if, for, ! or {
	ClassEmpty        = "empty"         // no word at all
)

// SplitError reports why a line is not one plain command, and where.
type SplitError struct {
	Class  string // one of the Class constants, or one that a grammar built on Split's adds
	Offset int    // in bytes of the line as it was given, from 0
}

// Error gives the offset, the class and, where that says too little, the reason on
// one line.
func (e *SplitError) Error() string {
	text := fmt.Sprintf("cannot split the command at byte %d: %s", e.Offset, e.Class)
	if why := reasons[e.Class]; why != "" {
		text += ": " + why
	}
	return text
}

// Split returns the argv of a line that is one plain command. What it accepts,
// sh, dash and bash turn into exactly this argv, with no expansion, redirection
// or other command; a first word that is a builtin, a job as %1 or, in bash,
// begins NAME[ is another matter. All else is refused with a [*SplitError], of
// the trigger that stands first in the line.
//
// Carriage returns and line feeds at both ends are dropped. Words are divided by
// blanks and tabs, and made of bare text, '…', "…" and \x in any sequence; two
// quotes with nothing between them are an argument. Bytes are taken as they come:
// the line need not be UTF-8. A placeholder as {version} is plain text.
func Split(line string) ([]string, error) {
	_, argv, err := split(line, false)
	return argv, err
}

// SplitEnv is [Split], but words NAME=value that stand before the program are
// returned as its environment and not refused; name and sign are bare, and the
// value follows the rules of all words. Order and repetitions stay. What it
// accepts, sh, dash and bash start with exactly these variables and this argv,
// but for variables that a shell keeps for itself, as UID and _.
//
// Refused, as [ClassAssignment], are NAME+=value, a line that sets variables for
// no program, and a name that is one in some locales only.
func SplitEnv(line string) (env, argv []string, err error) {
	return split(line, true)
}

// split is Split or, if it takes the environment too, SplitEnv.
func split(line string, takeEnv bool) (env, argv []string, err error) {
	argv = make([]string, 0, 8)
	refused := eachWord(line, takeEnv, func(l *lexer, isEnv bool) {
		if isEnv {
			env = append(env, l.text)
		} else {
			argv = append(argv, l.text)
		}
	})
	if refused != nil {
		return nil, nil, refused
	}
	return env, argv, nil
}

// eachWord calls take with a lexer at each word of a line that is one plain
// command, and says of each whether it sets a variable before the program, if such
// words are taken. It returns why the line is no such command, or nil; then the
// words that were taken mean nothing.
func eachWord(line string, takeEnv bool, take func(l *lexer, isEnv bool)) *SplitError {
	l := newLexer(line)
	setter, started := -1, false // where the first variable is set; whether there is a program
	for l.next() {
		isEnv := takeEnv && !started && l.assigns && setsPlainly(line[l.start:l.pos])
		if !started && !isEnv {
			l.checkFirst()
		}
		if l.class != "" {
			break
		}
		if isEnv && setter < 0 {
			setter = l.start
		}
		started = !isEnv
		take(&l, isEnv)
	}
	switch {
	case l.class != "" || started:
	case setter >= 0:
		l.refuse(ClassAssignment, setter)
	default:
		l.refuse(ClassEmpty, 0)
	}
	if l.class != "" {
		return &SplitError{Class: l.class, Offset: l.at}
	}
	return nil
}

// setsPlainly reports whether a word that looks like an assignment is one for
// every shell and every locale.
func setsPlainly(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	for i := range len(name) {
		if name[i] == '+' || name[i] >= 0x80 {
			return false
		}
	}
	return true
}

package command

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Lint reads a command line and returns what there is to say about it, or nil. It
// looks at the text alone: it runs nothing, opens nothing, and says the same of the
// same line and profile always. A nil profile knows nothing of the system.
//
// Findings stand in the order of the line, the worst first where they begin at the
// same byte, and there are 64 at most. Beside a [SyntaxError] or an
// [InvalidFormat] of severity error only fatal ones are left, since what else could
// be said would be a guess. A clean line is not a safe line.
func Lint(line string, p *Profile) []Finding {
	found := lint(line, p)
	if i := fixable(line, found); i >= 0 {
		if fixed := fix(line); fixed != line && !hasError(lint(fixed, p)) {
			for k := range found {
				if found[k].Severity == SeverityError {
					found[k].Fix = fixed
				}
			}
		}
	}
	return found
}

// lint is Lint without fixes. The order of the steps decides what is said of a line
// with several faults: bytes, then the look of it, then its words. After the first that
// leaves doubt only what is fatal is still looked for.
func lint(line string, p *Profile) []Finding {
	if p == nil {
		p = &Profile{}
	}
	l := linter{line: line, profile: p}
	if l.bytes() {
		return l.findings()
	}
	l.form()
	if !l.doubt {
		l.unquoted()
		l.commands()
		return l.findings()
	}
	// It is no command as it stands. What it would do if somebody put it right is
	// looked at all the same, for what is fatal.
	f := plainly(line)
	li, _ := readShellAt(withoutControls(f.text), f.origin)
	l.walk(li, scope{})
	return l.findings()
}

// withoutControls returns a text with blanks for what no command holds, byte for byte,
// so that offsets stay what they are.
func withoutControls(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			b[i] = ' '
		}
	}
	return string(b)
}

// bytes looks at the line before anything is read in it, and reports whether
// nothing else is to be read.
func (l *linter) bytes() (ended bool) {
	if len(l.line) > maxLine {
		l.report(&scope{}, InvalidFormat, detailTooLong, plainWord("", maxLine, len(l.line)))
		return true
	}
	for i, c := range l.line {
		if c == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(l.line[i:]); size <= 1 {
				l.report(&scope{}, SyntaxError, detailEncoding, plainWord(l.line[i:i+1], i, i+1))
				l.doubt = true
				return false
			}
		}
	}
	if body := strings.TrimSpace(l.line); body == "" || body[0] == '#' && strings.IndexByte(body, '\n') < 0 {
		e := SplitError{Class: ClassEmpty}
		l.add(e.Finding(l.line))
		return true
	}
	if x := newLexer(l.line); x.class != "" {
		l.refuse(&SplitError{Class: x.class, Offset: x.at})
	}
	return false
}

// refuse notes that the line cannot be read, so that what else there is to say of it
// would be a guess.
func (l *linter) refuse(e *SplitError) {
	l.add(e.Finding(l.line))
	l.doubt = true
}

// form looks at whether the line is a command at all, and written in the signs
// that commands are written in.
func (l *linter) form() {
	if l.doubt {
		return
	}
	if detail, start, end := look(l.line); detail != "" {
		l.report(&scope{}, InvalidFormat, detail, plainWord(l.line[start:end], start, end))
		l.doubt = true
		return
	}
	for _, w := range asciiForm(l.line).found {
		l.report(&scope{}, SyntaxError, detailLookalike, w)
		l.doubt = true
	}
}

// commands reads the line as it will be read when it is started, and if it cannot
// be started, as a shell would read it. The refusal of Split is said once, whatever
// else a shell would have to do in the line; if a shell could not read it either, that
// is said in its place.
func (l *linter) commands() {
	words, refused := splitWords(l.line)
	if refused == nil {
		l.command(words, scope{})
		return
	}
	li, failed := readShell(l.line, 0, nil)
	if end := placeholderAt(l.line, refused); end > 0 {
		l.report(&scope{}, InvalidFormat, detailPlaceholder, plainWord(l.line[refused.Offset:end], refused.Offset, end))
		l.doubt = true
	} else if refused.Class == ClassUnterminated {
		l.refuse(refused)
	} else if failed == nil || failed.code != SyntaxError {
		l.add(refused.Finding(l.line))
	}
	l.walk(li, scope{})
	if failed != nil {
		l.report(&scope{}, failed.code, failed.detail, plainWord(l.line[failed.start:failed.end], failed.start, failed.end))
	}
}

// splitWords is [Split], with the place of each word.
func splitWords(line string) ([]word, *SplitError) {
	words := make([]word, 0, 8)
	refused := eachWord(line, false, func(l *lexer, _ bool) {
		words = append(words, plainWord(l.text, l.start, l.pos))
	})
	return words, refused
}

// placeholders are words in brackets that stand for what has to be filled in.
var placeholders = names(`option options flag flags arg args argument arguments command commands subcommand cmd file files filename path paths dir directory url name`)

// placeholderAt returns where a placeholder ends that stands where the line was
// refused, or 0. It has to be a word of its own, or of the form --name=<value>: in all
// other places the signs are a redirection or a pattern. {version} is no placeholder in
// this sense, since it is expanded later.
func placeholderAt(line string, refused *SplitError) int {
	rest := line[refused.Offset:]
	switch {
	case refused.Class == ClassOperator && strings.HasPrefix(rest, "<"):
		n := strings.IndexByte(rest, '>')
		if n < 2 || !isPlaceholder(rest[1:n]) || n+1 < len(rest) && strings.IndexByte(" \t\r\n=,/", rest[n+1]) < 0 {
			return 0
		}
		return refused.Offset + n + 1
	case refused.Class == ClassGlob && strings.HasPrefix(rest, "["):
		n := strings.IndexByte(rest, ']')
		if n < 2 || !hasName(placeholders, strings.ToLower(rest[1:n])) {
			return 0
		}
		end := n + 1
		if strings.HasPrefix(rest[end:], "...") {
			end += len("...")
		}
		if end < len(rest) && !isBlank(rest[end]) && rest[end] != '\r' && rest[end] != '\n' {
			return 0
		}
		return refused.Offset + end
	}
	return 0
}

// isPlaceholder reports whether a word in angle brackets is a name. A number is none.
func isPlaceholder(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isNameByte(c) && strings.IndexByte("-.:|", c) < 0 {
			return false
		}
	}
	return strings.Trim(text, "0123456789") != ""
}

// hasError reports whether a finding keeps a line from being run.
func hasError(found []Finding) bool {
	for i := range found {
		if found[i].Severity >= SeverityError {
			return true
		}
	}
	return false
}

// splitRefusal returns the error of Split as what it is.
func splitRefusal(err error) *SplitError {
	var refused *SplitError
	errors.As(err, &refused)
	return refused
}

package command

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted bounds the text quoted in a message, in bytes with its quotes, so that
// the message stays within 200.
const maxQuoted = 80

// Finding returns the refusal of a line as a finding of severity error about it.
// What no shell would read either is a [SyntaxError], a line without a word is an
// [EmptyCommand], and all else [NeedsShell] with the class as its detail. It spans
// the text concerned from e.Offset on; a line other than the one refused gets a
// span that may say little, but is inside it.
func (e *SplitError) Finding(line string) Finding {
	what, known := refusals[e.Class]
	if !known {
		what = refusals[ClassOperator]
		what.hint = ""
	}
	start, end, text := e.locate(line)
	if hint, ok := operatorHints[text]; ok && e.Class == ClassOperator {
		what.hint = hint
	}
	f := Finding{
		Code:     what.code,
		Detail:   e.Class,
		Severity: SeverityError,
		Message:  strings.Replace(what.says, "%q", quoteShort(text), 1),
		Hint:     what.hint,
		Start:    start,
		End:      end,
	}
	if e.Class == ClassEmpty {
		f.Detail = ""
	}
	return f
}

// locate returns the span of the text that was refused, and the text to quote:
// the same, or the whole word if the trigger says nothing without it.
func (e *SplitError) locate(line string) (start, end int, text string) {
	start = min(max(e.Offset, 0), len(line))
	rest := line[start:]
	switch e.Class {
	case ClassEmpty:
		return start, len(line), ""
	case ClassControlChar:
		end = start + min(1, len(rest))
	case ClassUnterminated, ClassComment:
		end = start + len(strings.TrimRight(rest, "\r\n"))
	case ClassOperator:
		end = start + operatorLen(rest)
	case ClassSubstitution, ClassExpansion:
		end = start + dollarLen(rest)
	default:
		var from int
		if from, end = wordAround(line, start); from == end { // behind an operator that Split would have refused
			_, n := wordAround(rest, 0)
			from, end = start, start+n
		}
		return start, end, line[from:end]
	}
	return start, end, line[start:end]
}

// operatorLen returns the length of the operator that text begins with, a
// backslash at a line's end included, and at most 1 if there is none.
func operatorLen(text string) int {
	if strings.HasPrefix(text, "\\\n") {
		return 2
	}
	return max(len(operatorAt(text)), min(1, len(text)))
}

// dollarLen returns the length of the expansion or substitution that text begins
// with. One that does not end is as long as its opener.
func dollarLen(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch c := text[1]; {
	case text[0] == '`':
		return closedLen(text, 1, "`")
	case c == '(':
		return closedLen(text, 2, ")")
	case c == '{':
		return closedLen(text, 2, "}")
	case isName(text[1:2]):
		n := 2
		for n < len(text) && isNameByte(text[n]) {
			n++
		}
		return n
	}
	return 2
}

// closedLen returns the length of text up to and with the closer that follows
// its opener, or the opener's length if none does. Nested pairs are not counted:
// it is for showing, not for reading.
func closedLen(text string, opener int, closer string) int {
	if n := strings.Index(text[opener:], closer); n >= 0 {
		return opener + n + len(closer)
	}
	return opener
}

// wordAround returns the span of the word that holds the byte at the offset, or
// an empty one there if it is in no word.
func wordAround(line string, offset int) (start, end int) {
	l := newLexer(line)
	for l.next() {
		if offset < l.start {
			break
		}
		if offset < l.pos {
			return l.start, l.pos
		}
	}
	return offset, offset
}

// quoteShort returns text as %q would write it, at most maxQuoted bytes with the quotes,
// cut between characters and with an ellipsis where that is too long.
func quoteShort(text string) string {
	if len(text) <= maxQuoted {
		if q := strconv.Quote(text); len(q) <= maxQuoted {
			return q
		}
	}
	n := 0
	for size := len(`"…"`); ; {
		_, width := utf8.DecodeRuneInString(text[n:])
		size += len(strconv.Quote(text[n:n+width])) - len(`""`)
		if size > maxQuoted {
			return strconv.Quote(text[:n] + "…")
		}
		n += width
	}
}

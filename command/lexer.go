package command

import "strings"

// lexer reads the words of one line. What it refuses inside a word does not stop
// it before the word's end, since a trigger that stands earlier may show later:
// the bracket of a glob does only when its other half is seen.
type lexer struct {
	line string
	pos  int // where reading goes on
	end  int // where the line ends, without the CR and LF behind it

	// The first thing refused; class is "" if nothing is.
	class string
	at    int

	// The word read last. It spans line[start:pos] with its quotes.
	start   int
	text    string
	quoted  bool // it has a quote or a backslash
	assigns bool // it looks like NAME=… or NAME+=…

	buf     []byte // the text of a quoted word
	copied  int    // how far the word is in buf
	tilde   int    // where a tilde would be expanded
	bracket int    // the first [ of the word; -1 if there is none
	braces  bracer
}

// newLexer returns a lexer at the first byte of the line that counts. If the line
// holds a control character it has nothing to read: such a byte is refused before all
// else, wherever it stands, since people who look at the line would not see it.
func newLexer(line string) lexer {
	l := lexer{line: line, end: len(strings.TrimRight(line, "\r\n"))}
	for l.pos < l.end && (line[l.pos] == '\r' || line[l.pos] == '\n') {
		l.pos++
	}
	for i := l.pos; i < l.end; i++ {
		if c := line[i]; c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			l.refuse(ClassControlChar, i)
			l.pos = l.end
			break
		}
	}
	return l
}

// refuse notes a trigger, if none that stands before it is noted.
func (l *lexer) refuse(class string, at int) {
	if l.class == "" || at < l.at {
		l.class, l.at = class, at
	}
}

// next reads a word and reports whether there was one. There is none at the
// line's end, at an operator and at a comment; the last two are refused, and pos
// is left on them.
func (l *lexer) next() bool {
	for l.pos < l.end && isBlank(l.line[l.pos]) {
		l.pos++
	}
	if l.pos == l.end {
		return false
	}
	switch c := l.line[l.pos]; {
	case isOperator(c):
		l.refuse(ClassOperator, l.pos)
		return false
	case c == '#':
		l.refuse(ClassComment, l.pos)
		return false
	}
	l.readWord()
	return true
}

// readWord reads the word that begins at pos, up to a bare blank or operator. A word
// without quotes is a slice of the line; only of others the text is copied.
func (l *lexer) readWord() {
	l.start, l.copied, l.tilde = l.pos, l.pos, l.pos
	l.quoted, l.assigns = false, false
	l.bracket, l.braces = -1, newBracer()
	l.buf = l.buf[:0]
	for l.pos < l.end {
		c := l.line[l.pos]
		if isBlank(c) || isOperator(c) {
			break
		}
		switch c {
		case '\'':
			l.readSingle()
		case '"':
			l.readDouble()
		case '\\':
			l.readEscape()
		default:
			l.readBare(c)
			l.pos++
		}
	}
	l.text = l.line[l.start:l.pos]
	if l.quoted {
		l.text = string(append(l.buf, l.line[l.copied:l.pos]...))
	}
}

// take appends what was read since the last call to the word's text, leaves out
// the next skip bytes, and goes on behind them.
func (l *lexer) take(skip int) {
	l.buf = append(l.buf, l.line[l.copied:l.pos]...)
	l.pos += skip
	l.copied = l.pos
	l.quoted = true
}

// readSingle reads '…'.
func (l *lexer) readSingle() {
	opener := l.pos
	l.take(1)
	n := strings.IndexByte(l.line[l.pos:l.end], '\'')
	if n < 0 {
		l.refuse(ClassUnterminated, opener)
		l.pos = l.end
		return
	}
	l.pos += n
	l.take(1)
}

// readDouble reads "…". A backslash escapes four characters there and stays in
// front of all others; an end of line behind it would vanish with it.
func (l *lexer) readDouble() {
	opener := l.pos
	l.take(1)
	for ; l.pos < l.end; l.pos++ {
		switch l.line[l.pos] {
		case '"':
			l.take(1)
			return
		case '`':
			l.refuse(ClassSubstitution, l.pos)
		case '$':
			l.checkDollar()
		case '\\':
			switch l.peek(1) {
			case '"', '\\', '$', '`':
				l.take(1)
			case '\n':
				l.refuse(ClassOperator, l.pos)
			}
		}
	}
	l.refuse(ClassUnterminated, opener)
}

// readEscape reads \x outside of quotes. At the line's end there is nothing to escape,
// and a line feed would vanish with the backslash.
func (l *lexer) readEscape() {
	switch {
	case l.pos+1 == l.end:
		l.refuse(ClassUnterminated, l.pos)
	case l.line[l.pos+1] == '\n':
		l.refuse(ClassOperator, l.pos)
	}
	l.take(1)
	l.pos = min(l.pos+1, l.end)
}

// readBare looks at one byte of bare text, at pos. It refuses and does not move, so
// that the text of a word is the same whatever was refused in it.
func (l *lexer) readBare(c byte) {
	switch c {
	case '`':
		l.refuse(ClassSubstitution, l.pos)
	case '$':
		if n := l.peek(1); n == '\'' || n == '"' {
			l.refuse(ClassExpansion, l.pos)
		}
		l.checkDollar()
	case '*', '?':
		l.refuse(ClassGlob, l.pos)
	case '[', ']':
		l.checkBracket(c)
	case '{', ',', '.', '}':
		if opener := l.braces.see(c, l.peek(1), l.pos); opener >= 0 {
			l.refuse(ClassBrace, opener)
		}
	case '=', ':', '~':
		l.checkTilde(c)
	}
}

// checkDollar looks at the byte behind a dollar sign that is not escaped. A byte
// beyond ASCII counts as a letter, as it does in bash where the locale says so.
func (l *lexer) checkDollar() {
	switch c := l.peek(1); {
	case c == '(':
		l.refuse(ClassSubstitution, l.pos)
	case isNameByte(c), strings.IndexByte("{[@*#?$!-", c) >= 0:
		l.refuse(ClassExpansion, l.pos)
	}
}

// checkBracket finds a bracket that has another half.
func (l *lexer) checkBracket(c byte) {
	switch {
	case l.bracket < 0 && c == '[':
		l.bracket = l.pos
	case l.bracket >= 0 && c == ']':
		l.refuse(ClassGlob, l.bracket)
	}
}

// checkTilde finds a tilde that stands for a home directory. Bash reads an
// argument that looks like an assignment as it reads an assignment.
func (l *lexer) checkTilde(c byte) {
	switch {
	case c == '~':
		if l.pos == l.tilde {
			l.refuse(ClassTilde, l.pos)
		}
		return
	case c == '=' && !l.assigns:
		l.assigns = isName(strings.TrimSuffix(l.line[l.start:l.pos], "+"))
	}
	if l.assigns {
		l.tilde = l.pos + 1
	}
}

// checkFirst looks at a word that stands where the program's name belongs. A quoted
// word is never reserved: 'if' is the name of a program.
func (l *lexer) checkFirst() {
	if l.assigns {
		l.refuse(ClassAssignment, l.start)
	}
	if !l.quoted && isReserved(l.text) {
		l.refuse(ClassReservedWord, l.start)
	}
}

// peek returns the byte n behind pos, or a blank if the line ends before it.
func (l *lexer) peek(n int) byte {
	if l.pos+n < l.end {
		return l.line[l.pos+n]
	}
	return ' '
}

// isBlank reports whether c divides words.
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isOperator reports whether c ends a word and begins or is an operator.
func isOperator(c byte) bool {
	switch c {
	case ';', '&', '|', '<', '>', '(', ')', '\n':
		return true
	}
	return false
}

// isName reports whether s could be a variable's name.
func isName(s string) bool {
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// isNameByte reports whether c may stand in a variable's name. What lies beyond
// ASCII is a letter in some locales and on some systems, so it may.
func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

// isReserved reports whether a shell would take a bare first word for a part of
// its grammar. Some are reserved in bash only.
func isReserved(word string) bool {
	switch word {
	case "!", "{", "}", "[[", "]]", "if", "then", "elif", "else", "fi", "for", "in", "do", "done",
		"while", "until", "case", "esac", "select", "function", "time", "coproc":
		return true
	}
	return false
}

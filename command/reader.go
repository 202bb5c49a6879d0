package command

import "strings"

// Reading shell text is for findings only: nothing that was read here ever runs.
// The reader knows what bash knows, and takes what dash would refuse as well.

// list is what stands between two ends of shell text: pipelines, one after the
// other. How they are joined makes no difference to what they may do.
type list struct{ pipelines []pipeline }

// pipeline is one or more commands, each of which reads what the one before it
// writes.
type pipeline struct {
	stages     []*stage
	background bool
}

// stage is one command of a pipeline. It has words, or lists of commands inside,
// or is nothing but redirections.
type stage struct {
	words    []word // the program and its arguments; of for, what it goes through
	assigns  []word // variables set before it
	redirs   []*redirection
	body     []*list // the commands inside; nil for a simple command
	function string  // the name of the function that the body is of
	compound bool
}

// reader reads one piece of shell text. Whatever is wrong ends the reading, and
// what was read until then is kept, since it may be fatal: to end the reading, fail
// moves to the end of the text, where every loop stops by itself.
type reader struct {
	text  string
	pos   int
	end   int
	level int   // how many texts this one stands in
	nest  int   // how many constructs are open
	place *word // of nested text, the word that holds it

	origin []int // where each byte of the text comes from in the line; nil: the same

	docs   []*redirection // here-documents whose text has yet to come
	failed *failure
}

// failure is why reading ended before the text did.
type failure struct {
	code       FindingCode
	detail     string
	start, end int // in the text that was read
}

// How deep texts may stand in each other, and constructs in one text. People stay
// far below; what is above is made to be hard to read.
const (
	maxLevel = 4
	maxNest  = 50
)

// readShell reads text that stands level texts deep. The place is the word that
// holds it, or nil for the line itself.
func readShell(text string, level int, place *word) (*list, *failure) {
	r := &reader{text: text, level: level, place: place}
	return r.read()
}

// readShellAt reads text that was made of the line, of which the origin says where
// each byte comes from.
func readShellAt(text string, origin []int) (*list, *failure) {
	r := &reader{text: text, origin: origin}
	return r.read()
}

// read reads the whole text. The list is what was read until a failure, if there is
// one, and is never nil.
func (r *reader) read() (*list, *failure) {
	r.end = len(strings.TrimRight(r.text, "\r\n"))
	if r.end < len(r.text) {
		r.end++ // one line end is enough for a here-document
	}
	l := r.list()
	switch {
	case r.failed != nil:
	case r.pos < r.end:
		r.unexpected()
	case len(r.docs) > 0:
		r.missingDocument()
	}
	return l, r.failed
}

// fail ends the reading. Only the first call counts: what comes after it is said of a
// text that was not read any more.
func (r *reader) fail(code FindingCode, detail string, start, end int) {
	if r.failed == nil {
		r.failed = &failure{code, detail, start, max(start, min(end, len(r.text)))}
	}
	r.pos = r.end
}

// unexpected ends the reading at a closing bracket or word that nothing opened.
func (r *reader) unexpected() {
	if c := r.text[r.pos]; c == ')' || c == '}' {
		r.fail(SyntaxError, detailUnbalanced, r.pos, r.pos+1)
		return
	}
	if w := r.bare(); w != "" {
		r.fail(SyntaxError, ClassReservedWord, r.pos, r.pos+len(w))
		return
	}
	r.fail(SyntaxError, ClassOperator, r.pos, r.pos+operatorLen(r.text[r.pos:r.end]))
}

// enter counts a construct that is opened at pos; the result is false if there are
// too many. Whoever calls it takes one from nest when the construct is closed. It
// bounds the stack that a line of brackets takes.
func (r *reader) enter() bool {
	if r.nest++; r.nest > maxNest {
		r.fail(OpaqueCommand, detailDepth, r.pos, r.pos+1)
		return false
	}
	return true
}

// peek returns the byte n behind pos, or a blank if the text ends before it.
func (r *reader) peek(n int) byte {
	if r.pos+n < r.end {
		return r.text[r.pos+n]
	}
	return ' '
}

// blanks goes to the next token of the line; a comment is none.
func (r *reader) blanks() {
	for r.pos < r.end {
		switch c := r.text[r.pos]; {
		case isBlank(c):
			r.pos++
		case c == '\\' && r.peek(1) == '\n':
			r.pos += 2
		case c == '#':
			n := strings.IndexByte(r.text[r.pos:r.end], '\n')
			if n < 0 {
				n = r.end - r.pos
			}
			r.pos += n
		default:
			return
		}
	}
}

// lines goes to the next token on whatever line.
func (r *reader) lines() {
	for r.blanks(); r.pos < r.end && r.text[r.pos] == '\n'; r.blanks() {
		r.newline()
	}
}

// newline takes a line end and the here-documents behind it.
func (r *reader) newline() {
	r.pos++
	r.documents()
}

// bare returns the word at pos if it is short and nothing in it is quoted or
// expanded, as a word of the shell's grammar must be, else "".
func (r *reader) bare() string {
	const longest = len("function")
	for i := r.pos; i <= r.pos+longest; i++ {
		if i == r.end || isBlank(r.text[i]) || isOperator(r.text[i]) {
			return r.text[r.pos:i]
		}
		if strings.IndexByte("'\"\\$`", r.text[i]) >= 0 {
			break
		}
	}
	return ""
}

// closes reports whether a list of commands ends at pos: at the end of the text, a
// closing bracket, or a word that only stands behind a list.
func (r *reader) closes() bool {
	if r.pos >= r.end || r.text[r.pos] == ')' {
		return true
	}
	switch r.bare() {
	case "then", "else", "elif", "fi", "do", "done", "esac", "in", "}", "]]":
		return true
	}
	return false
}

// list reads commands up to where they end, and leaves pos there. What ends them is
// for the caller to take: it knows what it opened.
func (r *reader) list() *list {
	l := &list{}
	if !r.enter() {
		return l
	}
	for r.lines(); !r.closes(); r.lines() {
		p := pipeline{stages: r.stages()}
		more := r.failed == nil && r.separator(&p)
		l.pipelines = append(l.pipelines, p)
		if !more {
			break
		}
	}
	r.nest--
	return l
}

// separator takes what stands behind a pipeline, and reports whether another may
// follow. Behind && and || one has to; behind ; and & there may be nothing.
func (r *reader) separator(p *pipeline) bool {
	r.blanks()
	if r.pos == r.end {
		return false
	}
	at := r.pos
	switch op := operatorAt(r.text[r.pos:r.end]); op {
	case "\n":
		r.newline()
	case ";":
		r.pos++
	case "&":
		r.pos++
		p.background = true
	case "&&", "||":
		r.pos += 2
		if r.lines(); r.closes() {
			r.fail(SyntaxError, ClassOperator, at, at+2)
		}
	case ")":
		return false
	case "":
		if !r.closes() {
			r.wordBehind()
		}
		return false
	default:
		r.fail(SyntaxError, ClassOperator, at, at+len(op))
	}
	return r.failed == nil
}

// wordBehind ends the reading at a word that stands where a command is over.
func (r *reader) wordBehind() {
	end := r.pos
	for end < r.end && !isBlank(r.text[end]) && !isOperator(r.text[end]) {
		end++
	}
	r.fail(SyntaxError, ClassOperator, r.pos, end)
}

// stages reads the commands of one pipeline. A line may hold nothing behind ! and time,
// which bash allows; then there is one empty stage.
func (r *reader) stages() []*stage {
	var stages []*stage
	for r.prefix() {
		if r.pos == r.end || r.peek(0) == ';' || r.peek(0) == '\n' {
			return append(stages, &stage{})
		}
	}
	for {
		stages = append(stages, r.command())
		r.blanks()
		if r.failed != nil || r.pos == r.end || r.text[r.pos] != '|' || r.peek(1) == '|' {
			return stages
		}
		at := r.pos
		r.pos++
		if r.peek(0) == '&' {
			r.pos++
		}
		end := r.pos
		if r.lines(); r.closes() {
			r.fail(SyntaxError, ClassOperator, at, end)
			return stages
		}
	}
}

// prefix takes a word that may stand before a pipeline and changes nothing of what
// runs. Before a program, time is a program too, with options of its own.
func (r *reader) prefix() bool {
	from := r.pos
	switch r.bare() {
	case "!":
		r.pos++
		r.blanks()
		return true
	case "time":
		r.pos += len("time")
		r.blanks()
		if r.bare() == "-p" {
			r.pos += len("-p")
			r.blanks()
		}
		switch r.bare() {
		case "{", "if", "while", "until", "for", "case", "select", "[[", "!":
			return true
		}
		if r.closes() || isOperator(r.text[r.pos]) && !r.streamAhead() && redirectionAt(r.text[r.pos:r.end]) == "" {
			return true
		}
		r.pos = from
	}
	return false
}

// command reads a command of whatever form.
func (r *reader) command() *stage {
	if r.closes() {
		if r.pos < r.end {
			r.unexpected()
		}
		return &stage{}
	}
	c := r.text[r.pos]
	switch {
	case c == '(':
		return r.bracketed()
	case isOperator(c) && redirectionAt(r.text[r.pos:r.end]) == "" && !r.streamAhead():
		r.fail(SyntaxError, ClassOperator, r.pos, r.pos+operatorLen(r.text[r.pos:r.end]))
		return &stage{}
	}
	if s := r.reserved(r.bare()); s != nil {
		return s
	}
	return r.simple()
}

// simple reads variables, words and redirections, in any order; or the function that
// they turn out to begin, at a bracket behind its name.
func (r *reader) simple() *stage {
	s := &stage{}
	for r.blanks(); r.pos < r.end; r.blanks() {
		c := r.text[r.pos]
		switch {
		case redirectionAt(r.text[r.pos:r.end]) != "":
			s.redirs = append(s.redirs, r.redirection(""))
		case c == '(' && len(s.words) == 1 && len(s.assigns) == 0:
			return r.function(s)
		case isOperator(c) && !r.streamAhead():
			return s
		default:
			r.simpleWord(s)
		}
		if r.failed != nil {
			break
		}
	}
	return s
}

// simpleWord reads one word of a simple command, or the redirection of which it
// names the stream. Of a word that does not end, only the commands in it are kept:
// half of an operand is another operand.
func (r *reader) simpleWord(s *stage) {
	from := r.pos
	w := r.word()
	raw := r.text[from:r.pos]
	switch {
	case r.failed != nil:
		s.assigns = append(s.assigns, w) // half a word, but there may be commands in it
	case r.namesStream(raw):
		s.redirs = append(s.redirs, r.redirection(raw))
	case isAssignment(raw) && (len(s.words) == 0 || declares(&s.words[0])):
		if strings.HasSuffix(raw, "=") && r.peek(0) == '(' {
			w = r.array(w)
		}
		s.assigns = append(s.assigns, w)
	default:
		w.time = len(s.words) == 0 && raw == "time"
		s.words = append(s.words, w)
	}
}

// declares reports whether a builtin sets variables that follow it.
func declares(w *word) bool {
	switch w.text {
	case "declare", "typeset", "local", "export", "readonly":
		return w.known()
	}
	return false
}

// array reads NAME=(…), which is a variable of many words; pos is on the bracket. Only
// the substitutions of its words are kept, with the name.
func (r *reader) array(name word) word {
	opener := r.pos
	r.pos++
	for r.lines(); r.pos < r.end && r.text[r.pos] != ')'; r.lines() {
		if isOperator(r.text[r.pos]) && !r.streamAhead() {
			r.pos++
			continue
		}
		w := r.word()
		name.subs = append(name.subs, w.subs...)
	}
	if r.failed == nil && r.pos == r.end {
		r.fail(SyntaxError, detailUnbalanced, opener, opener+1)
	}
	r.pos = min(r.pos+1, r.end)
	name.unknown = len(name.text)
	return name
}

// isAssignment reports whether a first word, as it stands in the text, sets a variable
// or an element of one. A quote in front of the sign makes it a program's name.
func isAssignment(raw string) bool {
	n := strings.IndexByte(raw, '=')
	if n <= 0 {
		return false
	}
	name := strings.TrimSuffix(raw[:n], "+")
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return isName(name)
}

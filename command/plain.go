package command

import "strings"

// What [Plain] takes away. Redirections are spelled without the blanks a shell
// allows inside them, and what may follow the command with one blank between its
// words.
var (
	silencers = map[string]bool{
		"2>&1": true, "1>&2": true, ">&2": true,
		">/dev/null": true, "1>/dev/null": true, "2>/dev/null": true,
		">>/dev/null": true, "1>>/dev/null": true, "2>>/dev/null": true,
		"&>/dev/null": true, "&>>/dev/null": true, ">&/dev/null": true,
		"</dev/null": true, "0</dev/null": true,
	}
	excuses = map[string]bool{
		"|| true": true, "|| :": true, "|| exit 0": true,
		"; true": true, "; :": true, "; exit 0": true,
		"| cat": true,
	}
)

// Plain returns the line without what only redirects or silences its streams or
// hides its exit code, and reports whether there was such a thing: 2>&1, 1>&2, a
// redirection of standard streams to or from /dev/null anywhere in the command,
// and || true, || :, || exit 0, ; true and | cat behind it, in any combination and
// spacing. A program that is started directly needs none of them: its input is
// empty, both its streams are captured, and its exit code is looked at.
//
// The line comes back as it was, with false, unless what is left is a command that
// [Split] accepts and nothing else had to go. So a pipe into another program, a
// file, a second command, a variable or a comment leaves everything in place.
// Quoted text is never taken away: in || 'true' the word is somebody's program.
func Plain(line string) (plain string, changed bool) {
	p := stripper{lexer: newLexer(line)}
	if !p.run() || !p.removed {
		return line, false
	}
	plain = p.kept.String()
	if _, err := Split(plain); err != nil {
		return line, false
	}
	return plain, true
}

// stripper copies the words of one command and leaves out what Plain knows.
type stripper struct {
	lexer
	kept    strings.Builder
	gap     int    // where the blanks before the next word begin
	excuse  string // what follows the command since its last separator, "" in the command itself
	removed bool
}

// run reads the whole line and reports whether it consists of words, silencers
// and excuses only. A word that Split refuses ends it.
func (p *stripper) run() bool {
	for known := true; known; p.gap = p.pos {
		isWord := p.next()
		switch {
		case p.class != "" && (isWord || p.class != ClassOperator):
			return false
		case isWord && p.beginsRedirection():
			known = p.redirection(p.line[p.start:p.pos])
		case isWord:
			p.word()
		case p.class == "":
			return p.excused()
		default:
			p.class = ""
			known = p.operator()
		}
	}
	return false
}

// beginsRedirection reports whether the word just read stands right before < or >
// and so may be no word but the number of a stream, or in bash {NAME} for one.
func (p *stripper) beginsRedirection() bool {
	if c := p.peek(0); c != '<' && c != '>' {
		return false
	}
	return strings.Trim(p.line[p.start:p.pos], "0123456789") == "" || p.line[p.start] == '{'
}

// word keeps the word just read, with the blanks before it as they are.
func (p *stripper) word() {
	switch {
	case p.excuse != "":
		p.excuse += " " + p.line[p.start:p.pos]
	case p.kept.Len() == 0:
		p.kept.WriteString(p.line[p.start:p.pos])
	default:
		p.kept.WriteString(p.line[p.gap:p.pos])
	}
}

// operator reads the operator at pos and, if it is a redirection, its target.
func (p *stripper) operator() bool {
	switch op := operatorAt(p.line[p.pos:p.end]); op {
	case "||", ";", "|":
		if !p.excused() {
			return false
		}
		p.excuse, p.removed = op, true
		p.pos += len(op)
		return true
	default:
		return p.redirection("")
	}
}

// redirection reads a redirection of the stream numbered fd, from its operator
// on, and reports whether it is one of the silencers.
func (p *stripper) redirection(fd string) bool {
	op := operatorAt(p.line[p.pos:p.end])
	p.pos += len(op)
	if !p.next() {
		return false
	}
	p.removed = true
	return silencers[fd+op+p.line[p.start:p.pos]]
}

// excused reports whether what was read since the last separator is nothing but
// an excuse; the command itself needs none.
func (p *stripper) excused() bool { return p.excuse == "" || excuses[p.excuse] }

// operatorAt returns the operator that text begins with, the longest that a shell
// would see there, or "".
func operatorAt(text string) string {
	for _, op := range [...]string{
		"<<<", "<<-", "&>>", ";;&",
		"<<", "<&", "<>", "<(", ">>", ">&", ">|", ">(", "&>", "&&", "||", "|&", ";;", ";&",
		"<", ">", "&", "|", ";", "(", ")", "\n",
	} {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

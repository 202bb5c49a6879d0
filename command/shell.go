package command

import "strings"

// shell looks at what a shell would run: the text of -c, a file, or what it reads. The
// text of -c is the first operand and not the option's value: options may stand
// between them. One that answers to the network is a reverse shell; where a pipe
// feeds it as well, as behind a named pipe, what it reads decides.
func (l *linter) shell(c *call, g *grammar) {
	if kind := c.input().kind; c.socket || c.sink && kind != inputPipe && (kind == inputFile || c.hasLetter('i')) {
		l.danger(&c.scope, detailReverseShell, c.program())
		return
	}
	a := g.parse(c.words[1:], true)
	for len(a.operands) > 0 && len(a.operands[0].text) > 1 && a.operands[0].text[0] == '+' {
		more := g.parse(a.operands[1:], true)
		a.options, a.operands = append(a.options, more.options...), more.operands
	}
	if len(a.operands) > 0 && a.operands[0].is("-") {
		a.operands = a.operands[1:]
	}
	switch {
	case a.has(" -c "):
		if len(a.operands) > 0 {
			l.script(c, a.operands[0])
		}
	case a.has(" -n "):
	case a.has(" -s ") || len(a.operands) == 0 || readsInput(&a.operands[0]):
		l.shellInput(c)
	default:
		l.scriptFile(c, a.operands[0])
	}
}

// hasLetter reports whether the first argument is a cluster with that letter. It is
// asked before the options are parsed; where it is wrong, it errs to the safe side.
func (c *call) hasLetter(letter byte) bool {
	if len(c.words) < 2 {
		return false
	}
	w := c.words[1].text
	return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.IndexByte(w, letter) > 0
}

// readsInput reports whether a file's name is that of the standard input.
func readsInput(w *word) bool {
	return w.is("/dev/stdin") || w.is("/dev/fd/0") || w.is("/proc/self/fd/0")
}

// shellInput looks at a shell that reads its commands from its input. Text that stands
// in the line is read as its script; the commands in it have no such input themselves.
func (l *linter) shellInput(c *call) {
	if c.input().kind == inputText {
		text := c.input().asWord()
		c.stdin = nil
		l.script(c, text)
		return
	}
	l.programInput(c)
}

// asWord returns the text of an input as the word that holds it.
func (in *input) asWord() word {
	return plainWord(in.text, in.word.start, in.word.end)
}

// programInput looks at a shell or an interpreter that reads its program from its
// input, where that is no text of the line: what was downloaded is worst, then what
// another command writes, then what nobody knows. A file is a script. Without any
// input it would wait for somebody to type.
func (l *linter) programInput(c *call) {
	switch in := c.input(); {
	case in.remote:
		l.danger(&c.scope, detailRemoteExec, c.program())
	case in.kind == inputPipe:
		l.danger(&c.scope, detailPipeToShell, c.program())
	case in.kind == inputUnknown:
		l.opaque(&c.scope, detailScript, in.word)
	case in.kind == inputFile && l.downloaded(&in.word):
		l.danger(&c.scope, detailRemoteExec, in.word)
	case in.kind == inputFile && isShell(c.base):
		l.scriptFile(c, in.word)
	case in.kind == inputFile: // other languages may run files
	default:
		l.opaque(&c.scope, detailInteractive, c.program())
	}
}

package command

import "strings"

// interpret looks at what an interpreter would run: code among its arguments, a
// file, or what it reads. To run files and modules is what checks of tools do, and is
// not held against it, unless the line has downloaded the file. A full name, as
// python3, is looked up before the one without a version.
//
// What it reads is its program if nothing else is named, by - or by the name of the
// standard input. Options alone may be questions, so that only a stream before them
// makes them wait for a program.
func (l *linter) interpret(c *call) {
	in := interpreters[withoutVersion(c.base)]
	if _, exact := interpreters[c.base]; exact {
		in = interpreters[c.base]
	}
	a := in.parse(in.unmerge(c.words[1:]), true)
	coded := false
	for _, o := range a.options {
		if hasName(in.code, o.name) {
			coded = true
			if o.valued {
				l.code(c, o.value, &in)
			}
		}
	}
	switch {
	case coded, a.has(in.runs):
	case len(a.operands) == 0:
		if len(a.options) == 0 || c.input().kind != inputNone {
			l.codeInput(c, &in)
		}
	case hasName(in.words, a.operands[0].text):
		for _, w := range a.operands[1:] {
			if len(w.text) == 0 || w.text[0] != '-' {
				l.code(c, w, &in)
				break
			}
		}
	case a.operands[0].is("-"), readsInput(&a.operands[0]), a.operands[0].is("run") && len(a.operands) > 1 && a.operands[len(a.operands)-1].is("-"):
		l.codeInput(c, &in)
	case a.operands[0].remote(), l.downloaded(&a.operands[0]), len(a.operands) > 1 && a.operands[0].is("run") && l.downloaded(&a.operands[1]):
		l.danger(&c.scope, detailRemoteExec, a.operands[0])
	}
}

// unmerge returns the words with a cluster of letters that share one value, as
// -pe, cut to the last of them: in node -pe CODE the value belongs to both, where the
// grammar would take the e for the value of p.
func (in *interpreter) unmerge(words []word) []word {
	if in.merges == "" {
		return words
	}
	for i, w := range words {
		if len(w.text) < 3 || w.text[0] != '-' || strings.Trim(w.text[1:], in.merges) != "" {
			continue
		}
		words = append([]word(nil), words...)
		words[i].text = "-" + w.text[len(w.text)-1:]
		break
	}
	return words
}

// codeInput looks at an interpreter that reads its program from its input. Text that
// stands in the line is looked at as code; all else as with a shell.
func (l *linter) codeInput(c *call, in *interpreter) {
	if c.input().kind == inputText {
		l.code(c, c.input().asWord(), in)
		return
	}
	l.programInput(c)
}

// code looks at code of another language: whether it names a way to start
// programs or to remove files, and then at its strings. It is not parsed, and any
// encoding would hide what it does; what people write down plainly is found.
// Reading and writing files is not looked for: nearly all code does. A home
// directory that the language looks up has no string, and is known by the name of
// the function.
func (l *linter) code(c *call, w word, in *interpreter) {
	if !w.known() {
		if w.remote() {
			l.danger(&c.scope, detailRemoteExec, w)
		} else {
			l.opaque(&c.scope, detailScript, w)
		}
		return
	}
	starts := in.mentions(w.text, startWords) || in.ticks && (strings.IndexByte(w.text, '`') >= 0 || in.mentions(w.text, tickWords))
	removes := in.mentions(w.text, removeWords)
	l.codeDangers(c, w, in, starts)
	if !starts && !removes {
		return
	}
	l.opaque(&c.scope, detailInlineCode, w)
	l.literals(c, w, starts, removes)
	if removes && in.mentions(w.text, homeWords) {
		l.danger(&c.scope, detailDelete, w)
	}
}

// codeDangers looks at combinations in code that are harm whatever its strings say: a
// connection and a shell, a download and what runs text, a fork and a loop. Each half
// alone is in many a harmless check.
func (l *linter) codeDangers(c *call, w word, in *interpreter, starts bool) {
	if starts && in.mentions(w.text, connectWords) && in.mentions(w.text, shellWords) {
		l.danger(&c.scope, detailReverseShell, w)
	}
	if in.mentions(w.text, evalWords) && in.mentions(w.text, fetchWords) {
		l.danger(&c.scope, detailRemoteExec, w)
	}
	if in.mentions(w.text, forkWords) && in.mentions(w.text, loopWords) {
		l.danger(&c.scope, detailForkBomb, w)
	}
}

// mentions reports whether code holds one of the words, with nothing before it
// that would make it a part of another. What is called as a method is another
// thing than the function of that name, but in languages whose programs are
// started so.
func (in *interpreter) mentions(code string, words []string) bool {
	for _, word := range words {
		for from := 0; ; {
			i := strings.Index(code[from:], word)
			if i < 0 {
				break
			}
			from += i
			switch {
			case from == 0, !isWordByte(word[0]):
				return true
			case isWordByte(code[from-1]), !in.ticks && methodWords[word] != "" && strings.HasSuffix(code[:from], methodWords[word]):
			default:
				return true
			}
			from++
		}
	}
	return false
}

// isWordByte reports whether c belongs to a name in most languages. Letters beyond ASCII
// are taken for what ends one, so that a word behind them is found.
func isWordByte(c byte) bool { return c < 0x80 && isNameByte(c) }

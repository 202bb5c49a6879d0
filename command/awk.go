package command

import "strings"

// awk looks at a program of awk: whether it starts others, and what it writes. The
// program is the first operand, unless options hold it. With -f it is a file, as a
// script of any other language, and the operands are data. Options have to come first:
// what is behind the program belongs to it.
func (l *linter) awk(c *call, g *grammar) {
	a := g.parse(c.words[1:], true)
	var code []word
	for _, o := range a.options {
		if o.valued && (o.name == "-e" || o.name == "--source") {
			code = append(code, o.value)
		}
	}
	if len(code) == 0 && !a.has(" -f --file ") {
		if len(a.operands) == 0 {
			return
		}
		code = a.operands[:1]
	}
	for _, w := range code {
		l.awkCode(c, w)
	}
	// gawk -i inplace writes what it reads, as sed -i does.
	if o, ok := a.find(" -i --include "); ok && o.value.is("inplace") && len(a.operands) > 0 {
		for _, w := range a.operands[1:] {
			l.writes(&c.scope, w, false)
		}
	}
}

// awkCode looks at one program of awk. It is not parsed: system and a pipe to or from
// a program make it inline code, whose strings are read for what is fatal. To write
// a file is what awk is for, so that only what the file is counts.
func (l *linter) awkCode(c *call, w word) {
	if !w.known() {
		l.code(c, w, &interpreter{})
		return
	}
	pipes, writes := awkStreams(w.text)
	for _, file := range writes {
		l.writes(&c.scope, plainWord(file, w.start, w.end), false)
	}
	in := interpreter{}
	starts := pipes || in.mentions(w.text, []string{"system(", "system ("})
	l.codeDangers(c, w, &in, starts)
	if starts {
		l.opaque(&c.scope, detailInlineCode, w)
		l.literals(c, w, true, false)
	}
}

// awkStreams finds what a program of awk writes to: whether it reads from or
// writes to programs, and the names of files. A > between numbers is a comparison,
// and a || is no pipe. Names are seen only where they are strings: print > $1 writes
// whatever the data say, and every other script of awk would be opaque if that counted.
// A string that does not end takes the rest of the code with it.
func awkStreams(code string) (pipes bool, files []string) {
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '"':
			_, n, ok := literalAt(code[i+1:], '"')
			if !ok {
				return pipes, files
			}
			i += n
		case '|':
			if i+1 < len(code) && code[i+1] == '|' {
				i++
				continue
			}
			rest := strings.TrimLeft(strings.TrimPrefix(code[i+1:], "&"), " \t")
			pipes = pipes || strings.HasPrefix(rest, "getline") || strings.HasPrefix(rest, `"`)
		case '>':
			rest := strings.TrimLeft(strings.TrimPrefix(code[i+1:], ">"), " \t")
			if strings.HasPrefix(rest, `"`) {
				if text, _, ok := literalAt(rest[1:], '"'); ok {
					files = append(files, text)
				}
			}
		}
	}
	return pipes, files
}

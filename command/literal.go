package command

import "strings"

// literal is a string that stands in code, with its escapes undone.
type literal struct {
	text   string
	joined bool // nothing but a comma and blanks is between it and the one before it
}

// maxLiterals bounds how many strings of one piece of code are looked at. Code on a
// command line has a handful.
const maxLiterals = 64

// literals looks at the strings of code that starts programs or removes files: as
// shell text, strings in a row as a program with its arguments, and as operands
// that would be removed. Only what is fatal counts, and it spans all of the code: which
// string goes where nobody knows without a parser. A string that is only printed is
// taken for worse than it is if the same code starts something.
func (l *linter) literals(c *call, code word, starts, removes bool) {
	found := literalsOf(code.text)
	quiet := call{scope: c.scope, words: c.words}
	quiet.quiet, quiet.nested = true, true
	quiet.stdin = nil
	var row []word
	for i, lit := range found {
		if removes {
			w := plainWord(lit.text, code.start, code.end)
			w.glob = strings.IndexAny(lit.text, "*?")
			if strings.HasPrefix(lit.text, "~") {
				w.home = 0
			}
			if lit.text != "" {
				l.deletes(&quiet, w)
			}
		}
		if !starts {
			continue
		}
		l.glance(&quiet, lit.text, code)
		if !lit.joined {
			row = nil
		}
		row = append(row, plainWord(lit.text, code.start, code.end))
		if last := i+1 == len(found) || !found[i+1].joined; last && len(row) > 1 && quiet.level < maxLevel {
			in := quiet.scope
			in.level++
			l.command(row, in)
		}
	}
}

// literalsOf returns the strings of code: in quotes, in backticks, and behind qx
// or %x; maxLiterals at most. An apostrophe in a comment begins one as well, and may
// swallow the next; a quote that does not end is passed over.
func literalsOf(code string) []literal {
	var found []literal
	end := -1 // where the last one ended
	for i := 0; i < len(code) && len(found) < maxLiterals; i++ {
		closer := byte(0)
		switch c := code[i]; {
		case c == '\'' || c == '"' || c == '`':
			closer = c
		case c == 'x' && i > 0 && (code[i-1] == 'q' || code[i-1] == '%') && i+1 < len(code):
			closer = closing(code[i+1])
			i++
		}
		if closer == 0 {
			continue
		}
		text, n, ok := literalAt(code[i+1:], closer)
		if !ok {
			continue
		}
		joined := end >= 0 && strings.Trim(code[end:i], " \t\n,") == "" && strings.Count(code[end:i], ",") == 1
		found = append(found, literal{text, joined})
		i += n
		end = i + 1
	}
	return found
}

// closing returns the byte that ends a string which begins with c behind qx or %x, or 0
// if none begins with it. Brackets within brackets are not counted.
func closing(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	case '/', '|', '!', '\'':
		return c
	}
	return 0
}

// literalAt returns the string that text begins with, without its escapes, and
// how long it is with its closer; false if that does not come. Of the escapes only \n
// is read as what it means; others are the byte behind the backslash.
func literalAt(text string, closer byte) (literal string, n int, ok bool) {
	var b []byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == closer:
			return string(b), i + 1, true
		case c == '\\' && i+1 < len(text):
			i++
			c = text[i]
			if c == 'n' {
				c = '\n'
			}
		}
		b = append(b, c)
	}
	return "", 0, false
}

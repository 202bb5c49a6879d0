package command

import "strings"

// dollar takes a dollar sign and what it stands for, bare or in double quotes. Home
// directories and the working directory are known, and no other value is: a value set
// in the same line is not looked up either, since a command between might change it.
// A dollar sign before anything else is itself. In double quotes $' and $" are no
// quotes, as in all shells.
func (w *wordReader) dollar() {
	opener := w.pos
	switch c := w.peek(1); {
	case c == '(':
		w.pos += 2
		if w.peek(0) == '(' && arithmeticAt(w.reader.text[w.pos+1:w.reader.end]) {
			w.pos++
			w.sum(')', opener)
			w.pos = min(w.pos+1, w.reader.end)
			return
		}
		w.commands('$', opener)
	case c == '[':
		w.pos += 2
		w.sum(']', opener)
	case c == '{':
		w.parameter(opener)
	case c == '\'' && w.quotes == 0:
		w.ansi(opener)
	case c == '"' && w.quotes == 0:
		w.pos += 2
		w.double(opener)
	case isNameByte(c) && (c < '0' || c > '9'):
		n := 2
		for w.pos+n < w.reader.end && isNameByte(w.peek(n)) {
			n++
		}
		w.variable(w.reader.text[opener+1 : opener+n])
		w.pos += n
	case '0' <= c && c <= '9' || strings.IndexByte("@*#?$!-", c) >= 0:
		w.variable("")
		w.pos += 2
	default:
		w.take(1)
	}
}

// variable adds the value of a variable, if it is known; else the word is unknown from
// here on. The name is "" of what has none, as $1 and $@.
func (w *wordReader) variable(name string) {
	switch name {
	case "HOME":
		w.putHome()
	case "PWD":
		w.buf = append(w.buf, '.')
	default:
		w.lose(len(w.buf))
	}
}

// sum takes what a shell calculates, or what stands in ${…} behind the name, up to the
// closer; pos is behind the opener, which opener is the offset of. Commands in it run,
// so they are read. The value is not known, and neither are words of it that might
// be: ${X:-/} stands for anything.
func (w *wordReader) sum(closer byte, opener int) {
	kept := len(w.buf)
	w.lose(kept)
	if w.enter() && !w.inside(closer) {
		w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
	}
	w.nest--
	w.buf = w.buf[:kept]
}

// parameter takes ${…}; pos is on the dollar sign, which opener is the offset of. ${NAME}
// is the variable, and all else is as unknown as a sum: what a shell makes of the
// value would have to be done here, too.
func (w *wordReader) parameter(opener int) {
	rest := w.reader.text[opener+2 : w.reader.end]
	n := 0
	for n < len(rest) && isNameByte(rest[n]) {
		n++
	}
	if n < len(rest) && rest[n] == '}' {
		w.variable(rest[:n])
		w.pos += n + 3
		return
	}
	w.pos += 2
	w.sum('}', opener)
}

// commands takes the commands of a substitution, behind its opener, up to the bracket
// that ends them. The kind is $, < or >, as the byte before the opening bracket: it
// tells who reads from whom. They are read in place, and count for no level of text.
func (w *wordReader) commands(kind byte, opener int) {
	w.lose(len(w.buf))
	l := w.list()
	w.subs = append(w.subs, substitution{list: l, kind: kind})
	switch {
	case w.failed != nil:
	case w.pos == w.reader.end:
		w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
	case w.peek(0) != ')':
		w.unexpected()
	default:
		w.pos++
	}
}

// backticks takes `…`, whose commands are text of their own: what is escaped for
// the outer text is bare in it.
func (w *wordReader) backticks() {
	opener := w.pos
	var inner []byte
	for w.pos++; w.pos < w.reader.end; w.pos++ {
		c := w.peek(0)
		if c == '`' {
			w.pos++
			w.nested(string(inner), opener)
			return
		}
		if n := w.peek(1); c == '\\' && w.pos+1 < w.reader.end && (n == '`' || n == '\\' || n == '$' || n == '"' && w.quotes > 0) {
			c = n
			w.pos++
		}
		inner = append(inner, c)
	}
	w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
}

// nested reads the commands between backticks, which are a text one level deeper. All
// that is found in it spans the backticks, since its own offsets are those of the
// unescaped text. A text too deep is given up with what was read before it.
func (w *wordReader) nested(text string, opener int) {
	w.lose(len(w.buf))
	if w.level == maxLevel {
		w.fail(OpaqueCommand, detailDepth, opener, w.pos)
		return
	}
	place := word{}
	place.start, place.end = w.span(opener, w.pos)
	l, failed := readShell(text, w.level+1, &place)
	w.subs = append(w.subs, substitution{list: l, kind: '`', nested: true})
	if failed != nil {
		w.fail(failed.code, failed.detail, opener, w.pos)
	}
}

// arithmeticAt reports whether the text behind (( is a sum, which )) ends or
// nothing does, and not two lists of commands. Shells try the one and then the
// other; to count brackets is enough, since quotes are rare in sums. If it is wrong,
// the commands are read as part of a sum, where only substitutions count.
func arithmeticAt(text string) bool {
	open, closed := 0, false
	for i := range len(text) {
		switch text[i] {
		case '(':
			open++
		case ')':
			if open == 0 {
				return i+1 < len(text) && text[i+1] == ')'
			}
			open--
			closed = true
		}
	}
	return !closed
}

// ansi takes $'…', in which a backslash spells other bytes. They are put into the word,
// so that $'\x2f' is the root for the rules as it is for bash. dash knows no such
// quote and keeps the dollar sign; since nothing read so is run, bash decides.
func (w *wordReader) ansi(opener int) {
	for w.pos += 2; w.pos < w.reader.end; {
		switch c := w.peek(0); {
		case c == '\'':
			w.pos++
			return
		case c == '\\' && w.pos+1 < w.reader.end:
			w.ansiEscape()
		default:
			w.take(1)
		}
	}
	w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
}

// ansiEscape takes \x… and its like; pos is on the backslash, and there is a byte
// behind it. A letter that bash does not know stands for itself.
func (w *wordReader) ansiEscape() {
	c := w.peek(1)
	w.pos += 2
	switch c {
	case 'x':
		w.number(16, 2)
	case 'u':
		w.number(16, 4)
	case 'U':
		w.number(16, 8)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		w.pos--
		w.number(8, 3)
	case 'c':
		w.buf = append(w.buf, w.peek(0)&0x1f)
		w.pos = min(w.pos+1, w.reader.end)
	default:
		const letters, bytes = `abeEfnrtv`, "\a\b\x1b\x1b\f\n\r\t\v"
		if i := strings.IndexByte(letters, c); i >= 0 {
			c = bytes[i]
		}
		w.buf = append(w.buf, c)
	}
}

// number takes up to n digits of a byte's or a character's number: with 2 hexadecimal
// or 3 octal ones it is a byte, with more a character. Octal numbers above 0377 lose
// their high bits, as in bash. No digits make a zero byte.
func (w *wordReader) number(base rune, n int) {
	value, from := rune(0), w.pos
	for ; w.pos < w.reader.end && w.pos-from < n; w.pos++ {
		digit := strings.IndexByte("0123456789abcdef", w.peek(0)|0x20)
		if digit < 0 || rune(digit) >= base {
			break
		}
		value = value*base + rune(digit)
	}
	if n <= 3 {
		w.buf = append(w.buf, byte(value))
		return
	}
	w.buf = append(w.buf, string(value)...)
}

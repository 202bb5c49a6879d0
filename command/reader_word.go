package command

import "strings"

// wordReader reads one word, or text that is expanded like one. What a shell would
// put in is noted by place, so that what stands in front of it still counts.
type wordReader struct {
	*reader
	word
	from   int    // where it begins
	buf    []byte // its text
	quotes int    // how many double quotes it is in

	braces  bracer // of offsets in buf
	bracket int    // where a bare [ stands in buf; -1 if nowhere
	tilde   int    // where in the text that is read a bare ~ is a home directory
	assigns bool   // it looks like NAME=…
}

// newWord returns a wordReader at pos, of which nothing is unknown, home or a pattern.
func (r *reader) newWord() *wordReader {
	return &wordReader{
		reader: r, word: word{unknown: -1, home: -1, glob: -1}, from: r.pos,
		braces: newBracer(), bracket: -1, tilde: r.pos,
	}
}

// finish returns the word that was read, up to pos. It is called after a failure too:
// what stands in the word until there may be fatal.
func (w *wordReader) finish() word {
	w.raw = w.reader.text[w.from:max(w.from, w.pos)]
	w.word.text = string(w.buf)
	w.start, w.word.end = w.span(w.from, w.pos)
	return w.word
}

// span returns the bytes of the linted line for some of the text: of nested text those
// of the word that holds it, and where signs were replaced those of the originals. The
// end is never before the start, whatever a failure left.
func (r *reader) span(from, to int) (start, end int) {
	switch {
	case r.place != nil:
		return r.place.start, r.place.end
	case r.origin != nil:
		return r.origin[from], r.origin[max(from, to)]
	}
	return from, max(from, to)
}

// isOrdinary reports whether a byte means itself wherever it stands in a word.
func isOrdinary(c byte) bool {
	switch c {
	case '-', '.', '/', '_', ',', '+', '@', '%', '=', ':', '^', '!', '#', ']', '}':
		return true
	}
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// word reads the word at pos; at an operator it is empty. Most words hold nothing that
// a shell would act upon, and are slices of the text; only the others are put together
// byte by byte.
func (r *reader) word() word {
	i := r.pos
	for i < r.end && isOrdinary(r.text[i]) {
		i++
	}
	if i == r.end || isBlank(r.text[i]) || isOperator(r.text[i]) && !(i+1 < r.end && r.text[i+1] == '(') {
		start, end := r.span(r.pos, i)
		w := plainWord(r.text[r.pos:i], start, end)
		r.pos = i
		return w
	}
	w := r.newWord()
	for r.pos < r.end && r.failed == nil {
		c := r.text[r.pos]
		if isBlank(c) || isOperator(c) && !r.streamAhead() {
			break
		}
		w.bare(c)
	}
	return w.finish()
}

// bare takes what begins with a byte outside of quotes. Patterns stay in the text, and
// the word notes where the last one stands; of a list in braces, which is several words,
// everything from its opener on is unknown.
func (w *wordReader) bare(c byte) {
	switch c {
	case '\'', '"', '\\', '$', '`', '<', '>':
		w.quoted = true
		w.special(c)
		return
	case '*', '?':
		w.glob = len(w.buf)
	case '[':
		if w.bracket < 0 {
			w.bracket = len(w.buf)
		}
	case ']':
		if w.bracket >= 0 {
			w.glob = max(w.glob, w.bracket)
			w.bracket = -1
		}
	case '{', ',', '.', '}':
		if opener := w.braces.see(c, w.peek(1), len(w.buf)); opener >= 0 {
			w.lose(opener)
		}
	case '~':
		if w.pos == w.tilde {
			w.homeOf()
			return
		}
	case '=', ':':
		w.assigns = w.assigns || c == '=' && isName(w.reader.text[w.from:w.pos])
		if w.assigns {
			w.tilde = w.pos + 1
		}
	}
	w.take(1)
}

// special takes a quote, an escape, an expansion or a stream.
func (w *wordReader) special(c byte) {
	opener := w.pos
	switch c {
	case '\'':
		w.single(opener)
	case '"':
		w.pos++
		w.double(opener)
	case '\\':
		w.escape(opener)
	case '$':
		w.dollar()
	case '`':
		w.backticks()
	case '<', '>':
		w.pos += 2
		w.commands(c, opener)
	}
}

// take adds n bytes as they stand.
func (w *wordReader) take(n int) {
	w.buf = append(w.buf, w.reader.text[w.pos:w.pos+n]...)
	w.pos += n
}

// lose notes that a part of the word that nobody can know stands at an offset of
// its text. The first such part counts: what stands before it is certain, and
// nothing behind it is.
func (w *wordReader) lose(at int) {
	if w.unknown < 0 || at < w.unknown {
		w.unknown = at
	}
}

// homeOf takes a tilde and the name behind it. Whose home it is does not matter, so
// that ~root and ~ are the same. ~+ is the working directory; which one ~- was before
// it nobody knows.
func (w *wordReader) homeOf() {
	w.pos++
	name := w.pos
	for w.pos < w.reader.end && (isNameByte(w.peek(0)) || strings.IndexByte("-+.", w.peek(0)) >= 0) {
		w.pos++
	}
	switch w.reader.text[name:w.pos] {
	case "+":
		w.buf = append(w.buf, '.')
	case "-":
		w.lose(len(w.buf))
	default:
		w.putHome()
	}
}

// putHome adds a home directory, as a tilde; the word's home tells it from a tilde that
// is a name. Only the first is noted, since a path can begin with one only.
func (w *wordReader) putHome() {
	if w.home < 0 {
		w.home = len(w.buf)
	}
	w.buf = append(w.buf, '~')
}

// single takes '…'; pos and opener are at the quote. Nothing is special in it.
func (w *wordReader) single(opener int) {
	n := strings.IndexByte(w.reader.text[opener+1:w.reader.end], '\'')
	if n < 0 {
		w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
		return
	}
	w.pos++
	w.take(n)
	w.pos++
}

// double takes what is behind an opening double quote, up to the closing one. Quotes in
// substitutions in quotes nest, which is why the depth is counted.
func (w *wordReader) double(opener int) {
	if w.quotes++; w.enter() && !w.inside('"') {
		w.fail(SyntaxError, ClassUnterminated, opener, w.reader.end)
	}
	w.quotes--
	w.nest--
}

// escape takes a backslash outside of quotes and what it quotes. Before a line feed both
// vanish, and the word goes on.
func (w *wordReader) escape(opener int) {
	w.pos++
	switch {
	case w.pos == w.reader.end:
		w.fail(SyntaxError, ClassUnterminated, opener, w.pos)
	case w.peek(0) == '\n':
		w.pos++
	default:
		w.take(1)
	}
}

// inside takes text that is expanded but not divided, up to the closer, and
// reports whether it came. A closing bracket has its own pair in a sum; a closer of
// zero is the end of the text.
func (w *wordReader) inside(closer byte) bool {
	for open := 0; w.pos < w.reader.end && w.failed == nil; {
		switch c := w.peek(0); {
		case c == closer && open == 0:
			w.pos++
			return true
		case c == '$':
			w.dollar()
		case c == '`':
			w.backticks()
		case c == '\\':
			w.escapeInside(closer)
		case c == '"' && (closer == '}' || closer == ')'):
			w.pos++
			w.double(w.pos - 1)
		case c == '\'' && closer == '}' && w.quotes == 0:
			w.single(w.pos)
		default:
			if closer == ')' && c == '(' {
				open++
			} else if closer == ')' && c == ')' {
				open--
			}
			w.take(1)
		}
	}
	return closer == 0 && w.failed == nil
}

// escapeInside takes a backslash in text that is expanded. In quotes it quotes few
// bytes, and stays in front of all others.
func (w *wordReader) escapeInside(closer byte) {
	c := w.peek(1)
	switch {
	case c == '\n':
		w.pos = min(w.pos+2, w.reader.end)
		return
	case c == '$', c == '`', c == '\\', c == closer, closer != '"' && closer != 0:
		w.pos++
	}
	if w.pos < w.reader.end {
		w.take(1)
	}
}

package command

import "strings"

// Join returns a line that [Split], sh, dash and bash take apart into argv again.
// Words that would not survive bare are quoted, and so are some that would but
// look as if they might not; a placeholder as {version} stays bare.
//
// No line holds control characters other than tab and line feed, so an argument
// that has one makes a line that Split refuses. Of no words, Join makes "".
func Join(argv []string) string {
	var b strings.Builder
	for i, word := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if staysBare(word, i == 0) {
			b.WriteString(word)
		} else {
			writeQuoted(&b, word)
		}
	}
	return b.String()
}

// staysBare reports whether a word, the first of its line or another, is written
// without quotes.
func staysBare(word string, first bool) bool {
	for i := range len(word) {
		if c := word[i]; c >= 0x80 || !isNameByte(c) && strings.IndexByte("-./:,+@%={}", c) < 0 {
			return false
		}
	}
	l := lexer{line: word, end: len(word)}
	if !l.next() {
		return false
	}
	if first {
		l.checkFirst()
	}
	return l.class == ""
}

// writeQuoted writes a word in quotes: in double ones if it holds a single quote
// and nothing that means something between them, else in single ones. The
// exclamation mark means something to the bash that people type into.
func writeQuoted(b *strings.Builder, word string) {
	if strings.IndexByte(word, '\'') >= 0 && !strings.ContainsAny(word, "\"\\$`!") {
		b.WriteByte('"')
		b.WriteString(word)
		b.WriteByte('"')
		return
	}
	b.WriteByte('\'')
	for {
		before, after, found := strings.Cut(word, "'")
		b.WriteString(before)
		if !found {
			break
		}
		b.WriteString(`'\''`)
		word = after
	}
	b.WriteByte('\'')
}

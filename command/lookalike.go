package command

import (
	"strings"
	"unicode/utf8"
)

// likeness is the sign of ASCII that a character is taken for.
type likeness uint8

const (
	likeNothing likeness = iota
	likeBlank            // it shows as a blank, and divides no words
	likeNone             // it does not show at all
	likeDouble           // a double quote
	likeSingle           // a single quote
	likeDash             // a dash
	likeDashes           // a dash as long as two
)

// likenessOf returns what a character is taken for. ASCII is what it is. The ranges are
// the blanks of Unicode that are no ASCII, and what has no width or turns the direction
// of the text, behind which anything may be hidden.
func likenessOf(c rune) likeness {
	switch {
	case c < utf8.RuneSelf:
		return likeNothing
	case c == 0xa0 || c >= 0x2000 && c <= 0x200a || c == 0x202f || c == 0x205f || c == 0x3000:
		return likeBlank
	case c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060 && c <= 0x2069 || c == 0xfeff || c == 0xad || c == 0x061c:
		return likeNone
	}
	switch c {
	case '“', '”', '„', '‟', '«', '»', '″', '＂':
		return likeDouble
	case '‘', '’', '‚', '‛', '‹', '›', '′', '＇':
		return likeSingle
	case '‐', '‑', '‒', '–', '−', '﹣', '－':
		return likeDash
	case '—', '―', '⸺':
		return likeDashes
	}
	return likeNothing
}

// alwaysCounts reports whether the character misleads wherever it stands; the
// others are letters inside a word, as in it’s.
func (k likeness) alwaysCounts() bool { return k == likeBlank || k == likeNone }

// plainForm is a line as it was probably meant.
type plainForm struct {
	text   string
	origin []int  // for each byte of the text, and its end, where it comes from in the line; nil: the same
	found  []word // the first characters replaced
}

// asciiForm returns a line with ASCII for what stands outside of quotes and only
// looks like it. Editors and models write such characters; a shell takes them for
// letters, so that “a b” is two words and –x is no option.
func asciiForm(line string) plainForm {
	if isASCII(line) {
		return plainForm{text: line}
	}
	a := asciiWriter{line: line, starts: true}
	for a.pos < len(line) {
		c, size := utf8.DecodeRuneInString(line[a.pos:])
		k := likenessOf(c)
		switch {
		case a.quote == 0 && k != likeNothing && a.misleads(k, size):
			a.replace(k, size)
		case a.quote == 0 && k != likeNothing:
			a.copy(size)
			a.starts = false
		default:
			a.ordinary(c, size)
		}
	}
	if len(a.found) == 0 {
		return plainForm{text: line}
	}
	return plainForm{text: string(a.text), origin: append(a.origin, len(line)), found: a.found}
}

// asciiWriter writes a line with ASCII for what looks like it.
type asciiWriter struct {
	line   string
	pos    int
	quote  byte     // the quote that is open, or 0
	starts bool     // a word, or the value behind an equals sign, begins here
	dashes bool     // a dash was replaced right before
	opened likeness // the quote that was replaced and has no other half yet

	text   []byte
	origin []int
	found  []word
}

// misleads reports whether the character at pos, of size bytes, is taken for what
// it is not: at a word's start, behind another dash, or as the other half of a quote
// that was taken for one. In the middle of a word it is a letter.
func (a *asciiWriter) misleads(k likeness, size int) bool {
	return k.alwaysCounts() || a.starts || a.dashes && k >= likeDash || k == a.opened && endsWord(a.line[a.pos+size:])
}

// replace writes ASCII for the character at pos, and notes the first of them; all bytes
// written come from the place of that character.
func (a *asciiWriter) replace(k likeness, size int) {
	rest := a.line[a.pos+size:]
	if len(a.found) < maxFindings {
		a.found = append(a.found, plainWord(a.line[a.pos:a.pos+size], a.pos, a.pos+size))
	}
	plain := asciiOf(k, rest)
	a.text = append(a.text, plain...)
	for range len(plain) {
		a.origin = append(a.origin, a.pos)
	}
	switch {
	case k == a.opened && k != likeNothing:
		a.opened = likeNothing
	case k == likeDouble || k == likeSingle:
		a.opened = k
	}
	a.dashes = k >= likeDash
	a.starts = k == likeBlank || k == likeNone && a.starts
	a.pos += size
}

// ordinary copies a character that looks like nothing else, or stands in quotes.
func (a *asciiWriter) ordinary(c rune, size int) {
	switch {
	case a.quote == 0 && c == '\\' && a.pos+1 < len(a.line):
		_, next := utf8.DecodeRuneInString(a.line[a.pos+1:])
		size += next
	case a.quote == 0 && (c == '\'' || c == '"'):
		a.quote = byte(c)
	case a.quote != 0 && rune(a.quote) == c:
		a.quote = 0
	}
	a.copy(size)
	a.starts = a.quote == 0 && (c == '=' || c < utf8.RuneSelf && (isBlank(byte(c)) || isOperator(byte(c))))
}

// copy takes n bytes over as they are.
func (a *asciiWriter) copy(n int) {
	for i := range n {
		a.text = append(a.text, a.line[a.pos+i])
		a.origin = append(a.origin, a.pos+i)
	}
	a.pos += n
	a.dashes = false
}

// asciiOf returns what is written for a character, by what stands behind it. One
// long dash is what editors make of two.
func asciiOf(k likeness, rest string) string {
	switch k {
	case likeBlank:
		return " "
	case likeDouble:
		return `"`
	case likeSingle:
		return "'"
	case likeDash:
		return "-"
	case likeDashes:
		if rest != "" && rest[0] < utf8.RuneSelf && isName(rest[:1]) {
			return "--"
		}
		return "-"
	}
	return ""
}

// endsWord reports whether a word ends before the text.
func endsWord(rest string) bool {
	if rest == "" || isBlank(rest[0]) || isOperator(rest[0]) {
		return true
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return likenessOf(c) == likeBlank
}

// isASCII reports whether a text has no byte beyond ASCII.
func isASCII(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

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

// likenessOf returns what a character is taken for.
func likenessOf(c rune) likeness {
	switch {
	case c < 0x80:
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

// shows reports whether the character is one wherever it stands; the others are
// letters inside a word.
func (k likeness) shows() bool { return k == likeBlank || k == likeNone }

// plainForm is a line as it was probably meant.
type plainForm struct {
	text   string
	origin []int  // for each byte of the text, and its end, where it comes from in the line; nil: the same
	found  []word // the characters replaced, but for those inside a word
}

// asciiForm returns a line with ASCII for what stands outside of quotes and only
// looks like it.
func asciiForm(line string) plainForm {
	f := plainForm{text: line}
	if isASCII(line) {
		return f
	}
	var b []byte
	var origin []int
	quote, start := byte(0), true // the open quote; whether a word or a value begins here
	opened := likeNothing         // the typographic quote that was replaced last and is open
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRuneInString(line[i:])
		k := likenessOf(c)
		if quote != 0 || k == likeNothing {
			n := size
			switch {
			case quote == 0 && c == '\\' && i+1 < len(line):
				_, next := utf8.DecodeRuneInString(line[i+1:])
				n += next
			case quote == 0 && (c == '\'' || c == '"'):
				quote = byte(c)
			case rune(quote) == c:
				quote = 0
			}
			start = quote == 0 && (c == '=' || c < 0x80 && (isBlank(byte(c)) || isOperator(byte(c))))
			for k := range n {
				b, origin = append(b, line[i+k]), append(origin, i+k)
			}
			i += n
			continue
		}
		closes := k == opened && endsWord(line[i+size:])
		plain := ""
		if k.shows() || start || closes || len(b) > 0 && b[len(b)-1] == '-' && k >= likeDash && len(origin) > 1 && origin[len(origin)-1] == i-size {
			plain = asciiOf(k, line[i+size:])
			f.found = append(f.found, plainWord(line[i:i+size], i, i+size))
			switch {
			case closes:
				opened = likeNothing
			case k == likeDouble || k == likeSingle:
				opened = k
			}
		} else {
			plain = line[i : i+size]
		}
		for range len(plain) {
			origin = append(origin, i)
		}
		b = append(b, plain...)
		start = k.shows() && start || k == likeBlank
		i += size
	}
	if len(f.found) > 0 {
		f.text, f.origin = string(b), append(origin, len(line))
	}
	return f
}

// asciiOf returns what is written for a character, by what stands behind it.
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
		if rest != "" && isName(rest[:1]) && rest[0] < 0x80 {
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

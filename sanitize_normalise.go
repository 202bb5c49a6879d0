package mend

import "unicode/utf8"

// settledText reports whether s is what normaliseText makes of it, as far as that
// is seen from its bytes: all printable ASCII, tabs and line feeds, or valid UTF-8
// without the runes that do not show.
func settledText(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		const ones, highs = 0x0101010101010101, 0x8080808080808080
		// A byte below 0x20 borrows into its high bit, 0x7f carries into it, and
		// what is not ASCII has it.
		if (w|(w-0x20*ones)|(w+ones))&highs != 0 && !settledBytes(s, i, i+8) {
			return false
		}
	}
	return settledBytes(s, i, len(s))
}

// settledBytes does the same byte by byte. A rune is looked at where it begins,
// and what is no beginning has to be the rest of one.
func settledBytes(s string, i, end int) bool {
	for ; i < end; i++ {
		switch c := s[i]; {
		case c == '\r':
			if byteAt(s, i+1) != '\n' || i+1 == len(s) {
				return false
			}
		case c < 0x20 && c != '\n' && c != '\t', c == 0x7f:
			return false
		case c >= utf8.RuneSelf && utf8.RuneStart(c):
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || isInvisible(r) {
				return false
			}
		case c >= utf8.RuneSelf:
			if !continuesRune(s, i) {
				return false
			}
		}
	}
	return true
}

// continuesRune reports whether the byte at i belongs to a rune that begins
// before it.
func continuesRune(s string, i int) bool {
	for k := i - 1; k >= 0 && k > i-utf8.UTFMax; k-- {
		if utf8.RuneStart(s[k]) {
			_, size := utf8.DecodeRuneInString(s[k:])
			return k+size > i
		}
	}
	return false
}

// isInvisible reports whether r shows nothing, and so could part a secret into
// pieces that nothing finds: zero-width, bidirectional and soft-hyphen
// characters, tags, and control characters outside ASCII.
func isInvisible(r rune) bool {
	switch {
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e, r == 0xfeff:
	case r >= 0x80 && r <= 0x9f:
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
	case r >= 0xe0000 && r <= 0xe007f:
	default:
		return false
	}
	return true
}

// normaliseText returns s as it is read: escape sequences, control characters
// but tab and LF, and invisible characters removed, overstruck characters once, a
// CR not before LF as LF, invalid UTF-8 as U+FFFD.
func normaliseText(s string) string {
	if settledText(s) {
		return s
	}
	out, _ := normaliseUpTo(s, -1)
	return out
}

// normaliseUpTo normalises s until the result has length limit, if that is not
// negative, and returns how many bytes of s it took.
func normaliseUpTo(s string, limit int) (string, int) {
	b := make([]byte, 0, len(s)+len(s)/16)
	noEnd := 0 // no sequence that begins before this offset finds its end
	i := 0
	for i < len(s) && (limit < 0 || len(b) < limit) {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f, c == '\n', c == '\t':
			b = append(b, c)
			i++
		case c == '\r':
			if i++; i < len(s) && s[i] == '\n' {
				b = append(b, c)
			} else {
				b = append(b, '\n')
			}
		case c == '\b':
			if i++; len(b) > 0 && b[len(b)-1] != '\n' {
				_, size := utf8.DecodeLastRune(b)
				b = b[:len(b)-size]
			}
		case c == 0x1b:
			i = behindEscape(s, i, &noEnd)
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if i += size; !isInvisible(r) {
				b = utf8.AppendRune(b, r)
			}
		}
	}
	return string(b), i
}

// behindEscape returns the offset behind the escape sequence at i. One that is
// not complete loses only its ESC.
func behindEscape(s string, i int, noEnd *int) int {
	switch c := byteAt(s, i+1); c {
	case '[':
		k := i + 2
		for k < len(s) && s[k] >= 0x20 && s[k] <= 0x3f {
			k++
		}
		if k < len(s) && s[k] >= 0x40 && s[k] <= 0x7e {
			return k + 1
		}
	case ']', 'P', 'X', '^', '_':
		return behindString(s, i, noEnd)
	case ' ', '!', '"', '#', '$', '%', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/':
		if f := byteAt(s, i+2); f >= 0x30 && f <= 0x7e { // a character set is named
			return i + 3
		}
	case '=', '>', '7', '8', 'c', 'D', 'E', 'H', 'M', 'N', 'O', 'Z':
		return i + 2
	}
	return i + 1
}

// behindString skips an operating system command (a hyperlink is one) or another
// string sequence, which ends with BEL or ESC \ on its line. That no end was found
// is remembered, so that a line full of beginnings costs no more than another.
func behindString(s string, i int, noEnd *int) int {
	if i < *noEnd {
		return i + 1
	}
	for k := i + 2; k < len(s) && s[k] != '\n'; k++ {
		if s[k] == '\a' {
			return k + 1
		}
		if s[k] == 0x1b && byteAt(s, k+1) == '\\' {
			return k + 2
		}
		*noEnd = k
	}
	return i + 1
}

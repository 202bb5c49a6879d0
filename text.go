package mend

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// PlainText returns s as a reader sees it: ANSI sequences gone, CRLF and lone
// CR turned into LF, overstruck characters printed once. Text that holds none
// of these is returned as it is. The result is never longer than s.
func PlainText(s string) string {
	i := len(s)
	for _, c := range []byte("\x1b\r\b") {
		if k := strings.IndexByte(s[:i], c); k >= 0 {
			i = k
		}
	}
	if i == len(s) {
		return s
	}
	b := make([]byte, len(s))
	n := copy(b, s[:i])
	noOSCEnd := 0 // no sequence that starts before this offset finds its terminator
	for i < len(s) {
		c := s[i]
		i++
		switch c {
		case '\r':
			if i < len(s) && s[i] == '\n' {
				continue
			}
			c = '\n'
		case '\b':
			if n > 0 && b[n-1] != '\n' {
				_, size := utf8.DecodeLastRune(b[:n])
				n -= size
			}
			continue
		case '\x1b':
			i = skipEscape(s, i-1, &noOSCEnd)
			continue
		}
		b[n] = c
		n++
	}
	return string(b[:n])
}

// skipEscape returns the offset behind the escape sequence at i. A sequence
// that is not complete loses only its ESC.
func skipEscape(s string, i int, noOSCEnd *int) int {
	if i+1 == len(s) {
		return i + 1
	}
	switch c := s[i+1]; {
	case c == '[':
		j := i + 2
		for j < len(s) && s[j] >= 0x20 && s[j] <= 0x3f {
			j++
		}
		if j < len(s) && s[j] >= 0x40 && s[j] <= 0x7e {
			return j + 1
		}
		return i + 1
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return behindString(s, i, noOSCEnd)
	case c >= 0x20 && c <= 0x2f && i+2 < len(s): // a character set is named
		return i + 3
	case c >= 0x30 && c <= 0x7e:
		return i + 2
	}
	return i + 1
}

// maskByte stands for a byte of a masked path. It occurs in no valid UTF-8, so
// no pattern of a recipe can match it.
const maskByte = '\xff'

// ownPaths says which paths in an output are the tool's own, and so prove
// neither its version nor its name: they are put together from where it was
// installed.
type ownPaths struct {
	dir     string // install directory, or ""
	argv0   string // as it was started
	tool    string // its base name
	version string // installed version, or ""
}

// mask returns text with the tool's own paths overwritten, byte for byte, so
// that offsets stay. Text without such a path is returned as it is.
func (p ownPaths) mask(text string) string {
	var b []byte
	hide := func(from, to int) {
		if b == nil {
			b = []byte(text)
		}
		for k := from; k < to; k++ {
			b[k] = maskByte
		}
	}
	for _, whole := range []string{p.dir, p.argv0} {
		if len(whole) < 2 || !strings.Contains(whole, "/") {
			continue
		}
		for at := 0; ; {
			k := strings.Index(text[at:], whole)
			if k < 0 {
				break
			}
			end := pathEnd(text, at+k+len(whole))
			hide(at+k, end)
			at = end
		}
	}
	for at := 0; ; {
		k := strings.IndexByte(text[at:], '/')
		if k < 0 {
			break
		}
		start := at + k
		end := pathEnd(text, start)
		if startsPath(text, start) && p.isOwn(text[start:end]) {
			hide(start, end)
		}
		at = end
	}
	if b == nil {
		return text
	}
	return string(b)
}

// isOwn reports whether an absolute path has a component that begins with the
// tool's name, or that holds its version.
func (p ownPaths) isOwn(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if p.tool != "" && strings.HasPrefix(part, p.tool) &&
			(len(part) == len(p.tool) || !isWordByte(part[len(p.tool)])) {
			return true
		}
		if p.version != "" && strings.Contains(part, p.version) {
			return true
		}
	}
	return false
}

// startsPath reports whether the slash at i, the first of a run of them, begins
// an absolute path, rather than standing inside a word, a relative path or a URL
// with a host. That of a file (file:///usr) has none.
func startsPath(text string, i int) bool {
	end := i
	for end < len(text) && text[end] == '/' {
		end++
	}
	if end == len(text) || !isPathByte(text[end]) {
		return false
	}
	if i == 0 {
		return true
	}
	c := text[i-1]
	if c == ':' && end-i == 2 {
		return false
	}
	return c != '.' && c != '~' && c != '-' && !isWordByte(c)
}

// pathEnd returns the offset of the first byte from i on that is no part of a path.
func pathEnd(text string, i int) int {
	for i < len(text) && isPathByte(text[i]) {
		i++
	}
	return i
}

func isPathByte(c byte) bool {
	return c > ' ' && c != 0x7f && strings.IndexByte("\"'`:;,()<>[]{}|", c) < 0
}

// occurrences yields the offsets at which sub stands in text, also where two of
// them overlap.
func occurrences(text, sub string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for from := 0; sub != ""; {
			k := strings.Index(text[from:], sub)
			if k < 0 || !yield(from+k) {
				return
			}
			from += k + 1
		}
	}
}

// isWordByte reports whether c belongs to a name. Bytes of other scripts do not:
// they are as good as blanks round a version.
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// clip returns at most limit bytes from the start of s, cut between runes.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

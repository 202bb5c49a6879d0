package mend

import (
	"encoding/base64"
	"strings"
)

// maxKey bounds how long a private key is.
const maxKey = 16 << 10

// privateKey looks at "BEGIN … PRIVATE KEY" and at the head of a PuTTY key. The
// body goes; BEGIN and END stay.
func (s *scanner) privateKey(at int) {
	if at < s.keyEnd {
		return
	}
	from := s.keyHead(at)
	if from < 0 {
		return
	}
	s.nameEnd = max(s.nameEnd, from) // its KEY is no label's
	limit := min(len(s.text), from+maxKey)
	end := s.keyFoot(from, limit)
	if end < 0 {
		end = keyBody(s.text, from, limit)
	}
	s.keyEnd = end
	from, end = s.withoutPrefix(at, from, end)
	s.hideBody(from, end)
}

// withoutPrefix leaves out of a key's body what a log put before its first line,
// and before the line that ends it. at is where the key's head is.
func (s *scanner) withoutPrefix(at, from, end int) (int, int) {
	t := s.text
	start := strings.LastIndexByte(t[max(0, at-maxPrefix):at], '\n') + 1 + max(0, at-maxPrefix)
	prefix := strings.TrimRight(t[start:at], "-")
	if prefix == "" || strings.Trim(prefix, " \t") == "" || end <= from {
		return from, end
	}
	first := (setLineEnd).span(t, from, 2)
	if first > from && first+len(prefix) <= end && samePrefix(t[first:first+len(prefix)], prefix) {
		from = first + len(prefix)
	}
	if last := strings.LastIndexByte(t[from:end], '\n'); last >= 0 && startsAt(t, end, "-----END") && end-from-last <= maxPrefix {
		end = from + last
	}
	return from, end
}

// samePrefix reports whether two prefixes differ in nothing but their digits, as
// those with a time do.
func samePrefix(a, b string) bool {
	for i := range len(a) {
		if a[i] != b[i] && !(setDigit.in(a[i]) && setDigit.in(b[i])) {
			return false
		}
	}
	return true
}

// maxPrefix bounds how long what a log puts before a line is.
const maxPrefix = 80

// keyHead returns the offset behind the line that begins a private key, or -1.
func (s *scanner) keyHead(at int) int {
	t := s.text
	if startsAt(t, at, "Private-Lines:") {
		return setDigit.span(t, skipBlanks(t, at+len("Private-Lines:")), 8)
	}
	if !startsAt(t, at, "BEGIN ") {
		return -1
	}
	window := t[at:min(len(t), at+80)]
	k := strings.Index(window, "PRIVATE KEY")
	if k < 0 || strings.IndexByte(window[:k], '\n') >= 0 {
		return -1
	}
	from := at + k + len("PRIVATE KEY")
	if startsAt(t, from, " BLOCK") {
		from += len(" BLOCK")
	}
	dashes := setDash.span(t, from, 8)
	if dashes-from < 2 {
		return -1
	}
	return dashes
}

// keyFoot returns where the line that ends a key begins, at its dashes, or -1. The
// next END is remembered, so that BEGINs without end cost no more than other text.
func (s *scanner) keyFoot(from, limit int) int {
	const foot = "-----END"
	if s.nextFoot < from {
		s.nextFoot = len(s.text)
		if k := strings.Index(s.text[from:], foot); k >= 0 {
			s.nextFoot = from + k
		}
	}
	at := s.nextFoot
	if at >= limit {
		return -1
	}
	line := s.text[at:min(len(s.text), at+80)]
	end := strings.Index(line, "PRIVATE KEY")
	if end < 0 || strings.IndexByte(line[:end], '\n') >= 0 || strings.Contains(s.text[from:at], "-----BEGIN") {
		return -1
	}
	return at
}

// keyBody returns where the lines end that are shaped as a key's body: base64,
// "Name: value", blank, perhaps all behind the same prefix.
func keyBody(t string, from, limit int) int {
	end := from
	for i := from; i < limit; {
		next := i
		for next < limit && t[next] != '\n' && !startsAt(t, next, `\n`) {
			next++
		}
		if !isBodyLine(t[i:next], i == from) {
			break
		}
		end = next
		if next == limit {
			break
		}
		i = next + 1
		if t[next] == '\\' {
			i++
		}
	}
	return end
}

// isBodyLine reports whether line may be one of a key's body.
func isBodyLine(line string, first bool) bool {
	line = strings.Trim(line, " \t\r\"'`,+>|\\")
	if line == "" {
		return true
	}
	if k := strings.LastIndexByte(line, ' '); k >= 0 && !strings.Contains(line[:k], ": ") && !strings.HasSuffix(line[:k], ":") {
		line = line[k+1:] // a log's prefix
	} else if k := strings.IndexByte(line, ':'); k > 0 && k < 40 && setBase64URL.all(line[:k]) {
		return keyHeaders.has(line[:k])
	}
	if !(setBase64 | setEqual).all(line) {
		return false
	}
	return len(line) >= 24 || first || len(line) >= 4 && (setDigit.any(line) || setUpper.any(line) && setLower.any(line) || line[len(line)-1] == '=')
}

// keyHeaders are the names of lines that stand in a key.
var keyHeaders = newWordSet("proc-type", "dek-info", "version", "comment", "hash", "charset", "messageid", "key-info", "private-mac", "private-hash")

// hideBody hides the text between the lines that begin and end a key, but for
// the blanks at its ends.
func (s *scanner) hideBody(from, end int) {
	for from < end {
		if setSpace.in(s.text[from]) {
			from++
		} else if k := escapedEnd(s.text[from:end]); k > 0 {
			from += k
		} else {
			break
		}
	}
	for from < end {
		if setSpace.in(s.text[end-1]) {
			end--
		} else if k := escapedEndLeft(s.text[from:end]); k > 0 {
			end -= k
		} else {
			break
		}
	}
	s.hide(from, end, kindPrivateKey)
}

// escapedEnd returns the length of the escaped line end that s begins with, or 0:
// \n or \r\n, with one backslash or two.
func escapedEnd(s string) int {
	k := 0
	for k < len(s) && k < 3 && s[k] == '\\' {
		k++
	}
	if k > 0 && k < len(s) && (s[k] == 'n' || s[k] == 'r') {
		return k + 1
	}
	return 0
}

// escapedEndLeft returns the length of the escaped line end that s ends with.
func escapedEndLeft(s string) int {
	if len(s) < 2 || s[len(s)-1] != 'n' && s[len(s)-1] != 'r' || s[len(s)-2] != '\\' {
		return 0
	}
	k := len(s) - 2
	for k > 0 && s[k-1] == '\\' {
		k--
	}
	return len(s) - k
}

// encodedKey looks at a whole key in base64: what begins as -----BEGIN does, and
// decodes to a private one.
func (s *scanner) encodedKey(at int) {
	const head = "LS0tLS1CRUdJTi"
	if at < max(s.keyEnd, s.encodedEnd) || !startsAt(s.text, at, head) {
		return
	}
	end := (setBase64 | setEqual).span(s.text, at, maxKey)
	s.encodedEnd = end
	n := min(end-at, 120) &^ 3
	var buf [90]byte
	decoded, err := base64.RawStdEncoding.Decode(buf[:], []byte(s.text[at:at+n]))
	if err != nil && decoded == 0 || !strings.Contains(string(buf[:decoded]), "PRIVATE KEY") {
		return
	}
	for end < len(s.text) && end-at < maxKey { // wrapped over lines
		from := setSpace.span(s.text, end, 40)
		next := (setBase64 | setEqual).span(s.text, from, 256)
		if from == end || next-from < 40 && !(next > from && s.text[next-1] == '=') {
			break
		}
		end = next
	}
	s.keyEnd = end
	s.hide(at, end, kindPrivateKey)
}

// keyEdge hides what the body of a key left at the edge of a window: text begins
// amid a longer one, and with lines that are shaped so. It is none if the END
// of something else follows.
func (s *scanner) keyEdge() {
	if !s.atStart {
		return
	}
	limit := min(len(s.text), maxKey+1024)
	end := keyBody(s.text, 0, limit)
	rest := strings.TrimLeft(s.text[end:min(len(s.text), end+120)], " \t\r\n")
	if strings.HasPrefix(rest, "-----END") && !strings.Contains(rest[:strings.IndexByte(rest+"\n", '\n')], "PRIVATE KEY") {
		return
	}
	if end >= 60 || end > 0 && strings.HasPrefix(rest, "-----END") {
		s.keyEnd = end
		s.hideBody(0, end)
	}
}

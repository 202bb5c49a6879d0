package mend

import "unicode/utf8"

// byteSet is a set of kinds of bytes; the sanitizer's parsers walk over them.
type byteSet uint32

const (
	setLower   byteSet = 1 << iota // a to z
	setUpper                       // A to Z
	setDigit                       // 0 to 9
	setUnder                       // _
	setDash                        // -
	setPlus                        // + and /, which base64 adds
	setEqual                       // =, which pads base64
	setDot                         // .
	setHex                         // 0-9 a-f A-F
	setName                        // bytes of a label's name, but for the colon
	setBlank                       // space, tab
	setLineEnd                     // CR, LF
	setQuote                       // " ' `
	setStop                        // ends a value that is not in quotes
	setWide                        // bytes of runes outside ASCII
	setNameEnd                     // ends the name of a home directory
	setURLEnd                      // ends a URL
	setURLPath                     // ends the host of a URL
	setTagEnd                      // ends a tag
	setBrace                       // }

	setLetter    = setLower | setUpper
	setAlnum     = setLetter | setDigit
	setWord      = setAlnum | setUnder
	setBase64URL = setWord | setDash
	setBase64    = setAlnum | setPlus
	setSpace     = setBlank | setLineEnd
)

// byteSets holds the sets that each byte is in.
var byteSets = func() (t [256]byteSet) {
	mark := func(set byteSet, bytes string) {
		for _, c := range []byte(bytes) {
			t[c] |= set
		}
	}
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] |= setLower | setName
		case c >= 'A' && c <= 'Z':
			t[c] |= setUpper | setName
		case c >= '0' && c <= '9':
			t[c] |= setDigit | setName
		case c >= utf8.RuneSelf:
			t[c] |= setWide
		}
	}
	mark(setUnder, "_")
	mark(setDash, "-")
	mark(setPlus, "+/")
	mark(setEqual, "=")
	mark(setDot, ".")
	mark(setHex, "0123456789abcdefABCDEF")
	mark(setName, "_.$@/-")
	mark(setBlank, " \t")
	mark(setLineEnd, "\r\n")
	mark(setQuote, "\"'`")
	mark(setBrace, "}")
	mark(setTagEnd, "<>\r\n")
	mark(setURLPath, "/?#")
	mark(setURLEnd, " \t\"'`<>\\|")
	mark(setNameEnd, " \t\r\n/\\:,;()[]{}\"'`<>|&?#!=*")
	mark(setStop, " \t\r\n\"'`<>,;&)]}|")
	return t
}()

// in reports whether c is in one of the sets.
func (set byteSet) in(c byte) bool { return byteSets[c]&set != 0 }

// span returns the offset, at most limit bytes behind i, of the first byte of s
// from i on that is not in the set.
func (set byteSet) span(s string, i, limit int) int {
	end := min(len(s), i+limit)
	for i < end && byteSets[s[i]]&set != 0 {
		i++
	}
	return i
}

// spanLeft returns the offset, at most limit bytes before i, where the run of
// bytes of the set that ends at i begins.
func (set byteSet) spanLeft(s string, i, limit int) int {
	end := max(0, i-limit)
	for i > end && byteSets[s[i-1]]&set != 0 {
		i--
	}
	return i
}

// until returns the offset of the first byte of s from i on and before end that is in
// the set, or end.
func (set byteSet) until(s string, i, end int) int {
	for i < end && byteSets[s[i]]&set == 0 {
		i++
	}
	return i
}

// all reports whether every byte of s is in the set.
func (set byteSet) all(s string) bool { return set.span(s, 0, len(s)) == len(s) }

// any reports whether a byte of s is in the set.
func (set byteSet) any(s string) bool {
	for i := range len(s) {
		if set.in(s[i]) {
			return true
		}
	}
	return false
}

// byteAt returns the byte of s at i, or LF beyond its ends, where text ends as at
// the end of a line.
func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return '\n'
	}
	return s[i]
}

// foldByte returns c as a small letter.
func foldByte(c byte) byte {
	if setUpper.in(c) {
		return c | 0x20
	}
	return c
}

// startsFold reports whether s holds word, which is lower case, at i, whatever
// the case of its letters.
func startsFold(s string, i int, word string) bool {
	if i < 0 || len(s)-i < len(word) {
		return false
	}
	for k := range len(word) {
		if foldByte(s[i+k]) != word[k] {
			return false
		}
	}
	return true
}

// sameFold reports whether s is word, which is lower case, whatever its case.
func sameFold(s, word string) bool { return len(s) == len(word) && startsFold(s, 0, word) }

// startsAt reports whether s holds word at i.
func startsAt(s string, i int, word string) bool {
	return i >= 0 && len(s)-i >= len(word) && s[i:i+len(word)] == word
}

// endsFold reports whether what s holds before i ends in word, which is lower case.
func endsFold(s string, i int, word string) bool { return startsFold(s, i-len(word), word) }

// findFold returns the offset of word, which is lower case, in s, or -1.
func findFold(s, word string) int {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0]|0x20 && startsFold(s, i, word) {
			return i
		}
	}
	return -1
}

// skipBlanks returns the offset of the first byte from i on that is no space, tab
// or no-break space, at most 64 bytes on.
func skipBlanks(s string, i int) int {
	for end := min(len(s), i+64); i < end; {
		switch {
		case setBlank.in(s[i]):
			i++
		case startsAt(s, i, "\u00a0"):
			i += len("\u00a0")
		default:
			return i
		}
	}
	return i
}

// skipBlanksLeft returns where the blanks that end at i begin.
func skipBlanksLeft(s string, i int) int {
	for end := max(0, i-64); i > end; {
		switch {
		case setBlank.in(s[i-1]):
			i--
		case i >= 2 && s[i-2:i] == "\u00a0":
			i -= 2
		default:
			return i
		}
	}
	return i
}

// foldWord returns word in small letters, in buf if it fits; a longer one comes
// back empty, since no table holds it.
func foldWord(buf *[wordLen]byte, word string) []byte {
	if len(word) > len(buf) {
		return nil
	}
	for i := range len(word) {
		buf[i] = foldByte(word[i])
	}
	return buf[:len(word)]
}

// wordLen is the length of the longest word that a table holds.
const wordLen = 24

// wordSet is a table of lower-case words.
type wordSet map[string]struct{}

func newWordSet(words ...string) wordSet {
	set := make(wordSet, len(words))
	for _, w := range words {
		set[w] = struct{}{}
	}
	return set
}

// has reports whether word, in whatever case, is in the table.
func (set wordSet) has(word string) bool {
	var buf [wordLen]byte
	_, ok := set[string(foldWord(&buf, word))]
	return ok && word != ""
}

package mend

import (
	"cmp"
	"slices"
	"strings"
)

// redactionKind says what was found, for [Report].
type redactionKind uint8

const (
	kindKnown redactionKind = iota
	kindPrivateKey
	kindToken
	kindURL
	kindHeader
	kindConnection
	kindHash
	kindLabelled
	kindHome
	kindUser
	kindIP
	kindEmail
	kindCount
)

var redactionNames = [kindCount]string{
	"known", "private_key", "token", "url", "header", "connection", "hash", "labelled", "home", "user", "ip", "email",
}

// The marks. They hold no type, no hash and no part of what they stand for.
const (
	markSecret      = "[REDACTED]"
	markIP          = "[IP]"
	markEmail       = "[EMAIL]"
	markHome        = "$HOME"
	markWindowsHome = "%USERPROFILE%"
	markLongest     = len(markWindowsHome)
)

var redactionMarks = []string{markSecret, markIP, markEmail, markHome, markWindowsHome}

// The notice that stands where text was left out.
const (
	noticeHead = "[... truncated, "
	noticeTail = " bytes omitted ...]"
)

// markAt returns the length of the mark that stands in s at i, or 0.
func markAt(s string, i int) int {
	if i < 0 || i >= len(s) {
		return 0
	}
	switch s[i] {
	case '[', '$', '%':
		for _, m := range redactionMarks {
			if startsAt(s, i, m) {
				return len(m)
			}
		}
	}
	return 0
}

// markBefore returns the length of the mark that ends in s at i, or 0.
func markBefore(s string, i int) int {
	switch byteAt(s, i-1) {
	case ']', 'E', '%':
		for _, m := range redactionMarks {
			if startsAt(s, i-len(m), m) {
				return len(m)
			}
		}
	}
	return 0
}

// markAround returns where the mark begins and ends that the offset i lies
// inside, or i twice.
func markAround(s string, i int) (start, end int) {
	for k := max(0, i-markLongest+1); k < i; k++ {
		if n := markAt(s, k); k+n > i {
			return k, k + n
		}
	}
	return i, i
}

// isMarks reports whether s holds nothing but marks.
func isMarks(s string) bool {
	for i := 0; i < len(s); {
		n := markAt(s, i)
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// redaction is a part of a text, and what is written in its place.
type redaction struct {
	start, end int
	kind       redactionKind
	mark       string
}

// scanner is one pass over a text. What it remembers of the line it is in keeps
// the work linear: nothing is searched for twice.
type scanner struct {
	*sanitizerTables
	text    string
	atStart bool // text begins amid a longer one
	found   []redaction
	wide    bool // something found may count for a line far from its own

	lineFrom, lineTo int // the line last asked for
	at               nextByte
	quotes           [3]nextByte
	addressStop      int // what begins before this offset was looked at as an IPv6 address
	homeEnd          int // as a home directory
	nameStart        int // where the last label's name began
	nameEnd          int // as a label's name
	commandEnd       int // as arguments of a command
	keyEnd           int // as the body of a key
	nextFoot         int // where a key ends next
	tokenEnd         int // as a token
	upstreamLine     int // the line, from 1, that was asked whether it speaks of who made the program
	upstream         bool
	headerEnd        int // as credentials of a header
	encodedEnd       int // as a key in base64
	hashEnd          int // as a password hash
	maskEnd          int // as what a CI run masks
	userinfoEnd      int // where the userinfo of a URL ends, in which no label stands
	urlEnd           int // as the userinfo of a URL
	pgLine           int // the line, from 1, that was looked at as one of a password file
	lastAddress      addressFound
}

// addressFound is the last thing of four numbers, and what it was taken for.
type addressFound struct {
	end     int // behind its port or prefix length
	address bool
}

// nextByte remembers where a byte stands next.
type nextByte struct{ from, at int }

// find returns the offset of the first c from i on and before end, or -1.
func (n *nextByte) find(s string, c byte, i, end int) int {
	if i < n.from || i > n.at || n.from == n.at {
		n.from, n.at = i, len(s)
		if k := strings.IndexByte(s[i:end], c); k >= 0 {
			n.at = i + k
		} else {
			n.at = end
		}
	}
	if n.at >= end {
		return -1
	}
	return n.at
}

// line returns where the line that i is in begins and ends. The end is before its
// CR, if it has one.
func (s *scanner) line(i int) (start, end int) {
	if i < s.lineFrom || i > s.lineTo || s.lineTo == 0 {
		from := 0
		if i > s.lineTo {
			from = s.lineTo
		}
		s.lineFrom = from + strings.LastIndexByte(s.text[from:i], '\n') + 1
		if k := strings.IndexByte(s.text[i:], '\n'); k >= 0 {
			s.lineTo = i + k
		} else {
			s.lineTo = len(s.text)
		}
	}
	end = s.lineTo
	if end > s.lineFrom && end > i && s.text[end-1] == '\r' {
		end--
	}
	return s.lineFrom, end
}

// add has text from start to end replaced. What is a mark already is left.
func (s *scanner) add(start, end int, kind redactionKind, mark string) {
	if start >= end || isMarks(s.text[start:end]) {
		return
	}
	s.found = append(s.found, redaction{start, end, kind, mark})
}

// hide has a secret replaced.
func (s *scanner) hide(start, end int, kind redactionKind) { s.add(start, end, kind, markSecret) }

// compareRedactions orders by the start, and puts the container before the contained.
func compareRedactions(a, b redaction) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.kind, b.kind))
}

// merge sorts what was found and joins what overlaps: the container wins over
// the contained.
func (s *scanner) merge() {
	if !slices.IsSortedFunc(s.found, compareRedactions) {
		slices.SortStableFunc(s.found, compareRedactions)
	}
	out := s.found[:0]
	for _, r := range s.found {
		if n := len(out); n > 0 && r.start < out[n-1].end {
			last := &out[n-1]
			if r.end > last.end {
				// Neither holds the other, so no part of either may be told.
				last.end, last.mark = r.end, markSecret
			}
			continue
		}
		out = append(out, r)
	}
	s.found = out
}

// write returns the text with everything that was found replaced. A mark that
// would be cut is taken whole.
func (s *scanner) write() string {
	size := len(s.text)
	for i := range s.found {
		r := &s.found[i]
		r.start, _ = markAround(s.text, r.start)
		_, r.end = markAround(s.text, r.end)
		size += len(r.mark)
	}
	s.merge()
	b := make([]byte, 0, size)
	at := 0
	for _, r := range s.found {
		b = append(b, s.text[at:r.start]...)
		b = append(b, r.mark...)
		at = r.end
	}
	return string(append(b, s.text[at:]...))
}

package mend

import "strings"

// maxValue bounds how long a value is.
const maxValue = 8 << 10

// labelled is a name with what stands between it and its value.
type labelled struct {
	start, end int // of the name
	value      int // where the value begins, or its quote
	assigned   bool
	param      bool // of a URL
	flag       bool // a blank stands between them
	loose      bool // nothing else says that they belong together: the value has to be shaped
	tuple      bool // they stand in brackets with a comma between them
	element    bool // <name>value<
	column     bool // name and value are cells of a row
	strength   nameStrength
}

// separator finds what parts the name from its value, and reports whether there
// is such a thing.
func (s *scanner) separator(l *labelled) bool {
	t := s.text
	p := behindQuote(t, l.end)
	quoted := p > l.end
	if quoted || byteAt(t, p) == ']' {
		if end := setLower.span(t, p+1, 16); byteAt(t, p) == ':' && byteAt(t, end) == ']' {
			p = end // ["name":protected]
		}
		for byteAt(t, p) == ']' || byteAt(t, p) == ')' {
			p++
		}
	}
	q := skipBlanks(t, p)
	n, colon := separatorAt(t, q)
	switch {
	case n > 0:
		v := skipBlanks(t, q+n)
		if next := setSpace.span(t, v, 64); next > v && startsAt(t, next, "string(") {
			v = next // as PHP dumps it
		}
		l.value = v
		l.assigned = quoted || !colon && q == p && v == q+n
		return true
	case byteAt(t, q) == '>' && q == p:
		l.value, l.assigned, l.element = q+1, true, true
		return true
	case quoted && s.pairedValue(l, q):
		return true
	case byteAt(t, p) == ',' && (quoted || setQuote.in(byteAt(t, p+1))):
		l.value, l.tuple, l.loose = skipBlanks(t, p+1), true, true
		return behindQuote(t, l.value) > l.value
	case quoted:
		return false
	case startsAt(t, p, `\t`):
		l.value, l.column = p+len(`\t`), true
		return true
	case q == p || q >= len(t):
		return false
	case byteAt(t, p) == '\t':
		l.value, l.column = q, true
		return true
	}
	if end := tagEnd(t, l.end, q); end > 0 {
		l.value, l.assigned, l.element = end, true, true
		return true
	}
	if d := setDigit.span(t, q, 3); d > q && q == p+1 { // Key 1: …
		if n, _ = separatorAt(t, d); n > 0 {
			l.value = skipBlanks(t, d+n)
			return true
		}
	}
	if k := q + len("--value"); startsAt(t, q, "--value") && strings.IndexByte(" =", byteAt(t, k)) >= 0 {
		l.value, l.assigned = skipBlanks(t, k+1), true
		return true
	}
	l.value, l.flag = q, true
	if startsAt(t, q, "is: ") || startsAt(t, q, "is ") {
		l.flag, l.loose = false, t[q+2] == ' '
		l.value = skipBlanks(t, q+len("is:"))
	}
	return q == p+1 && t[q] != '|'
}

// behindQuote returns the offset behind the quote at i, which may be escaped, or i.
func behindQuote(t string, i int) int {
	switch byteAt(t, i) {
	case '"', '\'', '`':
		return i + 1
	case '\\', '&', '%':
	default:
		return i
	}
	p := i
	for p < len(t) && p-i < 8 && t[p] == '\\' {
		p++
	}
	if p < len(t) && setQuote.in(t[p]) {
		return p + 1
	}
	for _, q := range [...]string{"&quot;", "&#34;", "&apos;", "&#39;", `\u0022`, `\u0027`, "%22"} {
		if startsAt(t, i, q) {
			return i + len(q)
		}
	}
	return i
}

// tagEnd returns the offset behind a tag whose name ends at end, and whose attributes
// begin at attributes, or 0.
func tagEnd(t string, end, attributes int) int {
	name := end
	for name > 0 && end-name < maxName && (setName.in(t[name-1]) || t[name-1] == ':') {
		name--
	}
	if byteAt(t, name-1) != '<' {
		return 0
	}
	stop := min(len(t), attributes+maxJudged)
	k := setTagEnd.until(t, attributes, stop)
	if k == stop || t[k] != '>' || t[k-1] == '/' {
		return 0
	}
	return k + 1
}

// behindQuoteLeft returns where the quote begins that ends at i, with its escapes, or i.
func behindQuoteLeft(t string, i int) int {
	if !setQuote.in(byteAt(t, i-1)) {
		return i
	}
	for i--; byteAt(t, i-1) == '\\'; {
		i--
	}
	return i
}

// separatorAt returns the length of the separator at i, or 0, and whether it has
// a colon and no equals sign.
func separatorAt(t string, i int) (n int, colon bool) {
	switch byteAt(t, i) {
	case '=':
		switch byteAt(t, i+1) {
		case '=', '~':
			return 0, false
		case '>':
			return 2, true
		}
		return 1, false
	case ':':
		switch byteAt(t, i+1) {
		case '=':
			return 2, false
		case ':':
			return 2, true
		case '/':
			if byteAt(t, i+2) == '/' {
				return 0, false
			}
		}
		return 1, true
	case '?', '+':
		if byteAt(t, i+1) == '=' {
			return 2, false
		}
	case '%', '\\':
		for _, sep := range [...]string{"%3D", "%3d", `\u003d`, `\u003D`} {
			if startsAt(t, i, sep) {
				return len(sep), false
			}
		}
		for _, sep := range [...]string{"%3A", "%3a", `\u003a`, `\u003A`} {
			if startsAt(t, i, sep) {
				return len(sep), true
			}
		}
	case "："[0]:
		if startsAt(t, i, "：") {
			return len("："), true
		}
		if startsAt(t, i, "＝") {
			return len("＝"), false
		}
	}
	return 0, false
}

// pairedValue finds the value of a name that is itself one: key="…" value="…" and
// "name": "…", "value": "…".
func (s *scanner) pairedValue(l *labelled, i int) bool {
	t := s.text
	if byteAt(t, i) == ',' {
		i = setSpace.span(t, i+1, 64)
	} else if setLineEnd.in(byteAt(t, i)) {
		i = setSpace.span(t, i, 64)
	}
	k := behindQuote(t, i)
	if !startsFold(t, k, "value") {
		return false
	}
	end := k + len("value")
	p := skipBlanks(t, behindQuote(t, end))
	n, _ := separatorAt(t, p)
	if n == 0 {
		return false
	}
	l.value, l.assigned = skipBlanks(t, p+n), true
	return behindQuote(t, l.value) > l.value
}

// closing returns the offset of the quote that matches the one that stands at v and
// ends before open, or -1. Quotes that are more escaped than the opening one are
// part of the value.
func (s *scanner) closing(v, open int) int {
	t := s.text
	_, end := s.line(v)
	quote := t[v:open]
	if !setQuote.in(quote[len(quote)-1]) || len(quote) > 8 {
		k := strings.Index(t[open:min(end, open+maxValue)], quote)
		if k < 0 {
			return -1
		}
		return open + k
	}
	c, escapes := quote[len(quote)-1], len(quote)-1
	memo := &s.quotes[strings.IndexByte("\"'`", c)]
	for i := open; i < open+maxValue; {
		k := memo.find(t, c, i, max(i, end))
		if k < 0 {
			return -1
		}
		run := k
		for run > open && t[run-1] == '\\' {
			run--
		}
		if n := k - run; escapes == 0 && n%2 == 0 || escapes > 0 && n <= escapes {
			if escapes == 0 {
				return k
			}
			return run
		}
		i = k + 1
	}
	return -1
}

// plainEnd returns where a value that is not in quotes ends.
func (s *scanner) plainEnd(v, limit int, param bool) int {
	t := s.text
	i := v
	for end := min(len(t), v+limit); i < end; i++ {
		c := t[i]
		if setStop.in(c) {
			break
		}
		switch c {
		case '[', '$', '%':
			if n := markAt(t, i); n > 0 && i > v {
				return i
			}
			if startsAt(t, i, "%26") {
				return i
			}
		case '\\':
			if n := byteAt(t, i+1); setQuote.in(n) || n == '\\' && setQuote.in(byteAt(t, i+2)) || n == 'n' || n == 'r' ||
				startsAt(t, i, `\u00`) {
				return i
			}
		case '#':
			if param {
				return i
			}
		case "\u00a0"[0]:
			if startsAt(t, i, "\u00a0") {
				return i
			}
		}
	}
	return i
}

// sentenceEnd returns where a value ends that is not in quotes: before the full stop,
// the comma or the colon of the sentence that it stands in.
func sentenceEnd(t string, v, end int) int {
	for end > v && (t[end-1] == '.' || t[end-1] == ',') && !strings.HasSuffix(t[v:end], "..") {
		end--
	}
	if end > v+1 && t[end-1] == ':' && setSpace.in(byteAt(t, end)) {
		end--
	}
	return end
}

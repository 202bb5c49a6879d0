package mend

import "strings"

// label looks at a word that may end the name of a secret.
func (s *scanner) label(at int) {
	if at < s.nameEnd || at < s.userinfoEnd || !namingWord(s.text, at) {
		return
	}
	end := setName.span(s.text, at, maxName)
	s.nameEnd = end
	for end > at && (setDot | setDash).in(s.text[end-1]) {
		end--
	}
	l := labelled{end: end}
	if !s.separator(&l) {
		s.labelOfLine(end, at)
		return
	}
	if isNextLabel(s.text, l.value) && !l.element || !s.name(&l, at) {
		return
	}
	s.value(&l)
}

// escapedLabel looks at a letter that is written as \u00XX: the name that it is part of
// is read as if it were not.
func (s *scanner) escapedLabel(at int) {
	t := s.text
	if at < s.nameEnd || !startsAt(t, at, `\u00`) {
		return
	}
	var buf [maxName]byte
	start := setName.spanLeft(t, at, 32)
	name := append(buf[:0], t[start:at]...)
	end := at
	for len(name) < cap(name) && end < len(t) {
		if startsAt(t, end, `\u00`) && len(t)-end >= 6 && setHex.all(t[end+4:end+6]) {
			c := hexDigit(t[end+4])<<4 | hexDigit(t[end+5])
			if !setName.in(c) {
				break
			}
			name, end = append(name, c), end+6
			continue
		}
		if !setName.in(t[end]) {
			break
		}
		name, end = append(name, t[end]), end+1
	}
	s.nameEnd = end
	l := labelled{start: start, end: end, strength: nameOf(string(name), 0, len(name), false)}
	if l.strength != nameNone && s.separator(&l) && !l.loose && !l.flag {
		s.value(&l)
	}
}

// hexDigit returns the value of a hexadecimal digit.
func hexDigit(c byte) byte {
	if setDigit.in(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// closes reports whether the quote behind a separator closes one that stands before
// the name, as in "Password: ".
func (s *scanner) closes(l *labelled, quote, before byte) bool {
	if behindQuote(s.text, l.end) > l.end {
		return false
	}
	if before == quote {
		return true
	}
	from, _ := s.line(l.start)
	return quote == '"' && strings.Count(s.text[max(from, l.start-maxJudged):l.start], `"`)%2 == 1
}

// beginsTuple reports whether what begins at i is the first of a tuple, or an option in
// a list of arguments: ("password", "--password",
func beginsTuple(t string, i int) bool {
	opening := "({["
	if byteAt(t, i-1) == '-' {
		opening += ","
		i = setDash.spanLeft(t, i, 2)
	}
	i = skipBlanksLeft(t, behindQuoteLeft(t, i))
	return strings.IndexByte(opening, byteAt(t, i-1)) >= 0
}

// name finds where the name begins and what it tells.
func (s *scanner) name(l *labelled, at int) bool {
	t := s.text
	start := at
	for low := max(0, at-maxName, s.nameStart); start > low; start-- {
		if c := t[start-1]; !setName.in(c) && c != ':' || endsEscape(t, start) && t[start-1] != '$' {
			break
		}
	}
	for start < at && strings.IndexByte("-:/@.", t[start]) >= 0 {
		start++
	}
	l.start, s.nameStart = start, start
	before := byteAt(t, start-1)
	l.param = before == '?' || before == '&'
	l.loose = l.loose || l.flag && before != '-'
	if l.tuple && !beginsTuple(t, start) {
		return false
	}
	if strings.HasPrefix(t[start:l.end], "arn:") || startsAt(t, l.end, "::") && strings.Contains(t[start:l.end], "::") {
		return false
	}
	if q := byteAt(t, l.value); !l.flag && !l.tuple && setQuote.in(q) && s.closes(l, q, before) {
		return false
	}
	l.strength = nameOf(t, start, l.end, !l.flag || l.loose)
	return l.strength != nameNone
}

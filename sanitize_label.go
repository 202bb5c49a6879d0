package mend

import "strings"

// label looks at a word that may end the name of a secret.
func (s *scanner) label(at int) {
	if at < s.nameEnd {
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
	if !s.name(&l, at) {
		return
	}
	s.value(&l)
}

// name finds where the name begins and what it tells.
func (s *scanner) name(l *labelled, at int) bool {
	t := s.text
	start := at
	for low := max(0, at-maxName); start > low; start-- {
		if c := t[start-1]; !setName.in(c) && c != ':' || endsEscape(t, start) && t[start-1] != '$' {
			break
		}
	}
	for start < at && strings.IndexByte("-:/@.", t[start]) >= 0 {
		start++
	}
	l.start = start
	before := byteAt(t, start-1)
	l.param = before == '?' || before == '&'
	if l.flag && before != '-' {
		return false
	}
	l.strength = nameOf(t, start, l.end, !l.flag)
	return l.strength != nameNone
}

package mend

import "strings"

// value takes the value of a label, if it passes the gate.
func (s *scanner) value(l *labelled) {
	t := s.text
	if l.element {
		s.elementValue(l)
		return
	}
	if typed := behindType(t, l.value); typed > 0 {
		l.value, l.loose = typed, false
	}
	v := behindWrapper(t, l.value)
	if isNextLabel(t, v) {
		return
	}
	if strings.IndexByte("bBuUrRfF@$", byteAt(t, v)) >= 0 && setQuote.in(byteAt(t, v+1)) && t[v+1] != '`' {
		v++ // b'…' as Python writes it
	}
	if open := behindQuote(t, v); open > v {
		l.assigned = !l.loose
		if end := s.closing(v, open); end >= 0 {
			if t[v] == '`' && byteAt(t, v-1) == '=' && setBlank.any(t[open:end]) {
				return // what a command prints
			}
			if t[open] == '{' && behindQuote(t, open+1) > open+1 {
				return // names with values of their own
			}
			s.gate(l, open, end, end)
			s.changedTo(l, behindQuote(t, end))
			return
		}
		v = open
		_, end := s.line(v)
		s.gate(l, v, min(end, v+maxValue), -1)
		return
	}
	switch byteAt(t, v) {
	case '{':
		if _, end := s.line(v); l.assigned && byteAt(t, v+1) != '{' && t[v-1] == '=' {
			stop := min(end, v+maxJudged)
			k := setBrace.until(t, v+1, stop)
			for k+1 < stop && t[k+1] == '}' { // two stand for one
				k = setBrace.until(t, k+2, stop)
			}
			if k < stop && !setQuote.any(t[v:k]) {
				s.gate(l, v+1, k, -1)
			}
		}
		return
	case '[':
		if !strings.HasPrefix(t[v:], "[REDACTED]") && markAt(t, v) == 0 {
			v++
			if open := behindQuote(t, v); open > v {
				v = open
			}
		}
	case '|', '>':
		if s.block(l, v) {
			return
		}
	}
	s.gate(l, v, s.plainEnd(v, maxJudged, l.param), -1)
}

// changedTo takes the second of two values, "old" -> "new", as plans of changes have
// them.
func (s *scanner) changedTo(l *labelled, i int) {
	const arrow = " -> "
	if v := i + len(arrow); startsAt(s.text, i, arrow) {
		if open := behindQuote(s.text, v); open > v {
			if end := s.closing(v, open); end >= 0 {
				s.gate(l, open, end, end)
			}
		}
	}
}

// behindType returns the offset of the quote behind the type at i and an equals sign,
// as a declaration has them, or 0: password: String = "…".
func behindType(t string, i int) int {
	if !setLetter.in(byteAt(t, i)) && byteAt(t, i) != '&' && byteAt(t, i) != '*' {
		return 0
	}
	end := i + 1
	for end < len(t) && end-i < 40 && (setWord.in(t[end]) || strings.IndexByte("<>[]?.:&*", t[end]) >= 0) {
		end++
	}
	const equals = " = "
	if v := end + len(equals); startsAt(t, end, equals) && behindQuote(t, v) > v {
		return v
	}
	return 0
}

// behindWrapper returns the offset of the quote of a value that a dump writes with its
// type, as in Some("…") and string(12) "…"; else i.
func behindWrapper(t string, i int) int {
	if startsAt(t, i, `<<"`) {
		return i + 2
	}
	if !setLetter.in(byteAt(t, i)) {
		return i
	}
	end := setLetter.span(t, i, 16)
	if byteAt(t, end) != '(' || !wrappers.has(t[i:end]) {
		return i
	}
	v := end + 1
	if d := setDigit.span(t, v, 6); d > v && startsAt(t, d, ") ") {
		v = d + len(") ")
	}
	if behindQuote(t, v) > v {
		return v
	}
	return i
}

var wrappers = newWordSet("some", "just", "ok", "optional", "string", "str", "secret", "secretstring", "password", "token")

// elementValue takes the text of an XML element.
func (s *scanner) elementValue(l *labelled) {
	t := s.text
	named := setQuote.in(byteAt(t, l.start-1)) && (endsFold(t, l.start-1, " name=") || endsFold(t, l.start-1, " key="))
	if !named && byteAt(t, l.start-1) != '<' {
		return
	}
	_, end := s.line(l.value)
	k := strings.IndexByte(t[l.value:min(end, l.value+maxValue)], '<')
	if k < 0 || !startsAt(t, l.value+k, "</") {
		return
	}
	from, to := l.value, l.value+k
	if named && setBlank.any(t[from:to]) {
		return // a heading
	}
	if to-from > 2 && t[from] == '{' && t[to-1] == '}' && isShaped(t[from+1:to-1]) {
		from, to = from+1, to-1 // encrypted, as Maven writes it
	}
	s.gate(l, from, to, to)
}

// block takes a YAML block, which ends where the lines are no longer indented more
// than the name's.
func (s *scanner) block(l *labelled, at int) bool {
	t := s.text
	i := at + 1
	for i < len(t) && strings.IndexByte("+-0123456789", t[i]) >= 0 {
		i++
	}
	_, end := s.line(at)
	if i < end && strings.TrimLeft(t[i:end], " \t") != "" || end >= len(t) {
		return false
	}
	from, _ := s.line(l.start)
	indent := setBlank.span(t, from, 256) - from
	first, last := -1, -1
	for i = strings.IndexByte(t[end:], '\n') + end + 1; i < len(t) && i-at < maxValue; {
		next := i
		for next < len(t) && t[next] != '\n' && next-at < maxValue {
			next++
		}
		text := setBlank.span(t, i, 256)
		if text < next && t[text] != '\r' {
			if text-i <= indent {
				break
			}
			if first < 0 {
				first = text
			}
			last = next
		}
		i = next + 1
	}
	if first < 0 {
		return true
	}
	if last > first && t[last-1] == '\r' {
		last--
	}
	l.assigned = true
	s.gate(l, first, last, last)
	return true
}

// isNextLabel reports whether another label stands at i, with something behind its
// separator. It is asked first, since it costs little.
func isNextLabel(t string, i int) bool {
	end := (setLetter | setUnder | setDash | setDot).span(t, i, 32)
	if end == i || !setLetter.in(t[i]) {
		return false
	}
	switch byteAt(t, end) {
	case '=':
		c := byteAt(t, end+1)
		return c != '=' && (!setStop.in(c) || setQuote.in(c))
	case ':':
		return setAlnum.in(byteAt(t, end+1)) && nameOf(t, i, end, false) != nameNone
	}
	return false
}

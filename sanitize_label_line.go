package mend

import "strings"

// labelOfLine looks at a name that is the last of its line, for a value under it:
// that of a "name:" line, or the cells under a header.
func (s *scanner) labelOfLine(end, at int) {
	t := s.text
	from, to := s.line(at)
	start := (setName).spanLeft(t, at, maxName)
	if start < from {
		start = from
	}
	if nameOf(t, start, end, false) == nameNone {
		return
	}
	rest := behindQuote(t, end)
	if byteAt(t, rest) == ',' && s.underName(start, from, end, rest+1) { // {name: X, value: Y}
		return
	}
	if strings.TrimLeft(t[min(rest, to):to], " \t,") == "" && to < len(t) && s.underName(start, from, end, to) {
		return
	}
	if setUpper.in(t[at]) && !setLower.any(t[start:end]) || rulesOff(t, to) {
		s.cells(start, end)
	}
}

// rulesOff reports whether the line behind the one that ends at i is a rule, of which at
// least one bar parts columns, so that the line above it is a header.
func rulesOff(t string, i int) bool {
	from := setLineEnd.span(t, i, 2)
	end := from
	for end < len(t) && end-from < maxJudged && strings.IndexByte("-+|=: ", t[end]) >= 0 {
		end++
	}
	return end-from > 3 && setLineEnd.in(byteAt(t, end)) && strings.ContainsAny(t[from:end], "+|")
}

// underName takes the value of a line "value: …" under one "name: NAME".
func (s *scanner) underName(start, from, end, to int) bool {
	t := s.text
	if !isNameField(t[max(from, start-16):start]) {
		return false
	}
	i := setSpace.span(t, to, 128)
	k := behindQuote(t, i)
	if !startsFold(t, k, "value") {
		return false
	}
	p := skipBlanks(t, behindQuote(t, k+len("value")))
	n, _ := separatorAt(t, p)
	if n == 0 {
		return false
	}
	l := labelled{start: k, end: k + len("value"), value: skipBlanks(t, p+n)}
	l.strength = nameOf(t, start, end, false)
	s.value(&l)
	return true
}

// isNameField reports whether what stands before a name says that it is one: "name:",
// "key =", in quotes or not.
func isNameField(before string) bool {
	before = strings.TrimRight(before, " \t\"'")
	field := strings.TrimRight(strings.TrimRight(before, ":="), " \t\"'")
	if len(field) == len(before) {
		return false
	}
	word := field[setLetter.spanLeft(field, len(field), wordLen):]
	return sameFold(word, "name") || sameFold(word, "key")
}

// maxRows bounds how many rows of a table are looked at.
const maxRows = 32

// cells takes the cells under a header in capitals. Columns are parted by two
// blanks, a tab or a bar.
func (s *scanner) cells(start, end int) {
	t := s.text
	from, to := s.line(start)
	if word := wordBefore(t, start); word < start && word >= from && (setUpper | setDash | setUnder).all(t[word:start-1]) {
		start = word // API KEY
	}
	if start > from && !partsColumns(t, start-1, -1) || end < to && !partsColumns(t, end, 1) || to-from > maxJudged || setLower.any(t[from:to]) && !rulesOff(t, to) {
		return
	}
	l := labelled{start: start, end: end, strength: nameOf(t, start, end, false), column: true}
	column := start - from
	found, nameEnd := len(s.found), s.nameEnd
	defer func() {
		s.wide = s.wide || len(s.found) > found // columns move
		s.nameEnd = nameEnd                     // the header may have more names
	}()
	for range maxRows {
		k := strings.IndexByte(t[to:min(len(t), to+2*maxJudged)], '\n')
		if k < 0 || to+k+1 >= len(t) {
			return
		}
		row := to + k + 1
		to = row
		for to < len(t) && t[to] != '\n' && to-row < maxJudged+column {
			to++
		}
		line := strings.TrimRight(t[row:to], "\r ")
		if strings.Trim(line, " -+|=") == "" && line != "" {
			continue // a rule
		}
		cell := row + column
		if line == "" || strings.HasPrefix(line, noticeHead) {
			return
		}
		if column >= len(line) || column > 0 && !setBlank.in(t[cell-1]) && t[cell-1] != '|' || setSpace.in(t[cell]) {
			continue
		}
		if !setLower.any(line) && !setDigit.any(line) {
			return // another header
		}
		s.gate(&l, cell, s.plainEnd(cell, maxJudged, false), -1)
	}
}

// partsColumns reports whether a gap between columns is at i, going in a direction.
func partsColumns(t string, i, step int) bool {
	c, next := byteAt(t, i), byteAt(t, i+step)
	return c == '\t' || c == '|' || c == '\r' || c == ' ' && (next == ' ' || next == '|' || setLineEnd.in(next) && step > 0)
}

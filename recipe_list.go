package mend

import (
	"bytes"
	"slices"
	"strings"
)

// tomlSplice puts text in the place of a range of bytes. The text of an empty
// range is inserted.
type tomlSplice struct {
	tomlSpan
	text string
}

// applySplices returns src with the splices made, which must not overlap. Of
// those that start at the same place, an earlier one comes first.
func applySplices(src []byte, splices []tomlSplice) []byte {
	slices.SortStableFunc(splices, func(a, b tomlSplice) int { return a.start - b.start })
	size := len(src)
	for _, s := range splices {
		size += len(s.text)
	}
	out := make([]byte, 0, size)
	pos := 0
	for _, s := range splices {
		out = append(out, src[pos:s.start]...)
		out = append(out, s.text...)
		pos = s.end
	}
	return append(out, src[pos:]...)
}

// tomlList is where the items of an array or inline table stand.
type tomlList struct {
	src   []byte
	span  tomlSpan // brackets included
	items []tomlItem
}

// tomlItem is an array's element or an inline table's assignment.
type tomlItem struct {
	key   []string // of an assignment
	body  tomlSpan // from the first byte of the key or value to the last of the value
	value tomlSpan
	comma int // offset of the comma behind it, or -1
}

// scanList returns the items of the array or inline table at span; they are none
// if something else stands there.
func scanList(src []byte, span tomlSpan) *tomlList {
	l := &tomlList{src: src, span: span}
	s := tomlScanner{src: src[:span.end], pos: span.start, tooDeep: -1}
	table := s.peek() == '{'
	if !table && s.peek() != '[' {
		return l
	}
	s.pos++
	for {
		s.skipTrivia()
		if c := s.peek(); s.pos >= span.end || c == ']' || c == '}' {
			return l
		}
		item := tomlItem{comma: -1}
		item.body.start = s.pos
		if table {
			item.key = s.key()
			s.skipAssign()
		}
		item.value = s.value()
		item.body.end = s.pos
		s.skipTrivia()
		if s.peek() == ',' {
			item.comma = s.pos
			s.pos++
		}
		l.items = append(l.items, item)
		if s.pos == item.body.start { // not valid TOML
			return l
		}
	}
}

// insert puts new items behind the last one: on its line, or on lines like its
// own if it begins one. There must be at least one text.
func (l *tomlList) insert(texts []string) []tomlSplice {
	if len(l.items) == 0 {
		return []tomlSplice{l.fill(texts)}
	}
	last := l.items[len(l.items)-1]
	lineStart, ok := l.lineStart(last.body.start)
	if !ok {
		return []tomlSplice{{tomlSpan{last.body.end, last.body.end}, ", " + strings.Join(texts, ", ")}}
	}
	if last.comma >= 0 {
		end := l.lineComment(last.comma + 1)
		return []tomlSplice{{tomlSpan{end, end}, lineStart + strings.Join(texts, ","+lineStart) + ","}}
	}
	end := l.lineComment(last.body.end)
	return []tomlSplice{
		{tomlSpan{last.body.end, last.body.end}, ","},
		{tomlSpan{end, end}, lineStart + strings.Join(texts, ","+lineStart)},
	}
}

// fill puts the first items behind the opening bracket.
func (l *tomlList) fill(texts []string) tomlSplice {
	at := l.span.start + 1
	text := strings.Join(texts, ", ")
	if l.src[l.span.start] == '{' {
		text = " " + text
		if l.src[at] == '}' {
			text += " "
		}
	}
	return tomlSplice{tomlSpan{at, at}, text}
}

// lineStart returns the line break and the indentation before the item at pos,
// and whether the item begins a line.
func (l *tomlList) lineStart(pos int) (string, bool) {
	start := pos
	for start > l.span.start && isTOMLSpace(l.src[start-1]) {
		start--
	}
	if l.src[start-1] != '\n' {
		return "", false
	}
	start--
	if l.src[start-1] == '\r' {
		start--
	}
	return string(l.src[start:pos]), true
}

// lineComment returns the offset behind the comment that follows pos on its
// line, or pos if there is none.
func (l *tomlList) lineComment(pos int) int {
	s := tomlScanner{src: l.src, pos: pos}
	s.skipSpace()
	if s.peek() != '#' {
		return pos
	}
	s.skipComment()
	return s.pos
}

// remove takes out the items for which gone says so, each with its comma and the
// comment behind it. Comments above them stay.
func (l *tomlList) remove(gone func(i int) bool) []tomlSplice {
	var splices []tomlSplice
	lastKept := -1
	for i, item := range l.items {
		if !gone(i) {
			lastKept = i
			continue
		}
		follows := i+1 < len(l.items) && gone(i+1)
		splices = append(splices, tomlSplice{tomlSpan: l.extent(i, follows)})
		if i == len(l.items)-1 && item.comma < 0 && lastKept >= 0 {
			comma := l.items[lastKept].comma
			splices = append(splices, tomlSplice{tomlSpan: tomlSpan{comma, comma + 1}})
		}
	}
	return splices
}

// extent returns what goes with item i. Before it, that is the white space
// behind the last comment or comma; the line break that ends a comment stays,
// unless another one takes its place because the next item is kept.
func (l *tomlList) extent(i int, nextGone bool) tomlSpan {
	item := l.items[i]
	start := l.span.start + 1
	if i > 0 {
		start = l.items[i-1].comma + 1
	}
	end := item.body.end
	if item.comma >= 0 {
		end = item.comma + 1
	}
	end = l.lineComment(end)

	hash := l.lastComment(start, item.body.start)
	if hash < 0 {
		return tomlSpan{start, end}
	}
	s := tomlScanner{src: l.src, pos: hash}
	s.skipComment()
	start = s.pos
	s.pos = end
	s.skipSpace()
	if c := s.peek(); nextGone || c != '\n' && c != '\r' {
		start += bytes.IndexByte(l.src[start:], '\n') + 1
	}
	return tomlSpan{start, end}
}

// lastComment returns where the last comment between start and end begins, or -1
// if there is none. Nothing but white space and comments may stand there.
func (l *tomlList) lastComment(start, end int) int {
	last := -1
	for s := (tomlScanner{src: l.src[:end], pos: start}); s.pos < end; s.pos++ {
		if s.peek() == '#' {
			last = s.pos
			s.skipComment()
		}
	}
	return last
}

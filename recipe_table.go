package mend

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// tomlField is a key and its value's TOML text, which is "" for a value that is
// not written out.
type tomlField struct{ name, text string }

// tomlTable is where the assignments of one table stand: on lines of their own,
// or between the braces of an inline table.
type tomlTable struct {
	doc    *tomlDocument
	list   *tomlList // the inline table; nil if the assignments stand on lines
	header int       // statement of the header above the lines, -1 if there is none
	lines  []int     // statements
	prefix string    // what stands before each key of the lines, with its dot, or ""
}

// put adds a statement: the table's header or one of its assignments.
func (t *tomlTable) put(i int) {
	if t.doc.statements[i].kind == tomlAssignment {
		t.lines = append(t.lines, i)
	} else {
		t.header = i
	}
}

// line returns the statement that assigns to name, or -1.
func (t *tomlTable) line(name string) int {
	depth := 0
	if t.prefix != "" {
		depth = 1
	}
	for _, i := range t.lines {
		if key := t.doc.statements[i].key; len(key) == depth+1 && key[depth] == name {
			return i
		}
	}
	return -1
}

// value returns where the value of name stands, if the table has it.
func (t *tomlTable) value(name string) (tomlSpan, bool) {
	if t.list == nil {
		i := t.line(name)
		if i < 0 {
			return tomlSpan{}, false
		}
		return t.doc.statements[i].value, true
	}
	for _, item := range t.list.items {
		if len(item.key) == 1 && item.key[0] == name {
			return item.value, true
		}
	}
	return tomlSpan{}, false
}

// set writes the fields of now that are not what they are in was. It removes
// none; was and now have the same names in the same order.
func (t *tomlTable) set(was, now []tomlField) []tomlSplice {
	var splices []tomlSplice
	var added []tomlField
	for i, field := range now {
		if field.text == "" || field.text == was[i].text {
			continue
		}
		if value, ok := t.value(field.name); ok {
			splices = append(splices, tomlSplice{value, field.text})
		} else {
			added = append(added, field)
		}
	}
	switch {
	case len(added) == 0:
		return splices
	case t.list == nil:
		return append(splices, t.doc.insertLines(t.end(), assignmentTexts(added, t.indent()+t.prefix)))
	default:
		return append(splices, t.list.insert(assignmentTexts(added, ""))...)
	}
}

// unsetNames returns the names of the fields that were written in was and are not to
// be in now.
func unsetNames(was, now []tomlField) []string {
	var names []string
	for i, field := range now {
		if field.text == "" && was[i].text != "" {
			names = append(names, field.name)
		}
	}
	return names
}

// remove takes out the fields with the given names, each with its whole line, or
// with its comma if it stands in an inline table.
func (t *tomlTable) remove(names []string) []tomlSplice {
	if t.list != nil {
		return t.list.remove(func(i int) bool {
			key := t.list.items[i].key
			return len(key) == 1 && slices.Contains(names, key[0])
		})
	}
	var splices []tomlSplice
	for _, name := range names {
		if i := t.line(name); i >= 0 {
			splices = append(splices, tomlSplice{tomlSpan: t.doc.statements[i].lines})
		}
	}
	return splices
}

// assignmentTexts returns name = value for each field that has a text, behind
// the given prefix.
func assignmentTexts(fields []tomlField, prefix string) []string {
	var texts []string
	for _, field := range fields {
		if field.text != "" {
			texts = append(texts, prefix+field.name+" = "+field.text)
		}
	}
	return texts
}

// end returns the offset behind the last of the table's lines.
func (t *tomlTable) end() int {
	if len(t.lines) > 0 {
		return t.doc.statements[t.lines[len(t.lines)-1]].lines.end
	}
	return t.doc.statements[t.header].lines.end
}

// indent returns the white space before the table's last assignment. If it has
// none, the indentation of the document's other tables is its own too.
func (t *tomlTable) indent() string {
	if len(t.lines) > 0 {
		return t.doc.indent(t.lines[len(t.lines)-1])
	}
	return t.doc.indent(t.header) + t.doc.tableIndent()
}

// tableIndent returns by how much the first assignment that stands under a
// header is indented beyond that header.
func (d *tomlDocument) tableIndent() string {
	for i, st := range d.statements {
		if st.kind == tomlAssignment && st.header >= 0 {
			indent, _ := strings.CutPrefix(d.indent(i), d.indent(st.header))
			return indent
		}
	}
	return ""
}

// insertLines puts whole lines at an offset where a line begins, or at the end of
// the document. If the line before lacks its newline, so does the last new one.
func (d *tomlDocument) insertLines(at int, lines []string) tomlSplice {
	newline := cmp.Or(d.newlineBefore(at), d.newline())
	text := strings.Join(lines, newline)
	if at > d.begin && d.src[at-1] != '\n' {
		text = newline + text
	} else {
		text += newline
	}
	return tomlSplice{tomlSpan{at, at}, text}
}

// appendLines puts whole lines at the end of the document, behind a blank line.
func (d *tomlDocument) appendLines(lines []string) tomlSplice {
	if len(d.src) > d.begin && !d.blankBefore(len(d.src)) {
		lines = append([]string{""}, lines...)
	}
	return d.insertLines(len(d.src), lines)
}

// cutLines takes out whole lines. If they stand between two blank lines, or
// between a blank line and the end, the one before them goes too.
func (d *tomlDocument) cutLines(lines tomlSpan) tomlSplice {
	if after := d.src[lines.end:]; len(after) == 0 || after[0] == '\n' || after[0] == '\r' {
		if d.blankBefore(lines.start) {
			lines.start -= len(d.newlineBefore(lines.start))
		}
	}
	return tomlSplice{tomlSpan: lines}
}

// newlineBefore returns the newline that ends at an offset, or "".
func (d *tomlDocument) newlineBefore(at int) string {
	for _, newline := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(d.src[d.begin:at], []byte(newline)) {
			return newline
		}
	}
	return ""
}

// blankBefore reports whether the line that ends at an offset is empty.
func (d *tomlDocument) blankBefore(at int) bool {
	newline := d.newlineBefore(at)
	start := at - len(newline)
	return newline != "" && (start == d.begin || d.src[start-1] == '\n')
}

package mend

import (
	"strconv"
	"strings"
)

// editVerify returns src with its verify section changed from was, which is what
// src says, to now; nil stands for no section. Values that are equal in both are
// not touched, whatever their spelling.
func editVerify(src []byte, was, now *VerifySection) []byte {
	v := locateVerify(scanTOML(src))
	switch {
	case now == nil:
		return applySplices(src, v.cut(v.statements))
	case was == nil:
		lines := sectionLines(verifyFields(now), now.Additional, v.doc.tableIndent())
		return applySplices(src, []tomlSplice{v.doc.appendLines(lines)})
	}
	// New values go in before old ones go out, so that they find their siblings.
	if splices := v.set(was, now); len(splices) > 0 {
		src = applySplices(src, splices)
		v = locateVerify(scanTOML(src))
	}
	return applySplices(src, v.unset(was, now))
}

// set replaces the values that differ and adds those that are new.
func (v *verifyText) set(was, now *VerifySection) []tomlSplice {
	old, fields := verifyFields(was), verifyFields(now)
	if v.home == verifyBelow {
		return v.setBelow(fields, was.Additional, now.Additional)
	}
	splices := v.setPatterns(was.Patterns, now.Patterns)
	if len(splices) > 0 {
		old[patternsField] = fields[patternsField]
	}
	list := v.array()
	if list == nil && v.home != verifyHeader && len(v.blocks) == 0 {
		// There are no lines for a [[verify.additional]] to follow.
		old = append(old, tomlField{name: "additional"})
		fields = append(fields, tomlField{"additional", additionalArray(now.Additional)})
		return append(splices, v.table.set(old, fields)...)
	}
	splices = append(splices, v.table.set(old, fields)...)
	return append(splices, v.setAdditional(list, was.Additional, now.Additional)...)
}

// setBelow is set for a section of which there are only tables below it: it puts
// a [verify] before the first of them, if one is needed.
func (v *verifyText) setBelow(fields []tomlField, was, now []AdditionalVerify) []tomlSplice {
	var splices []tomlSplice
	if len(v.blocks) > 0 {
		splices, now = v.setAdditional(nil, was, now), nil
	}
	if len(assignmentTexts(fields, "")) == 0 && len(now) == 0 {
		return splices
	}
	lines := append(sectionLines(fields, now, v.doc.tableIndent()), "")
	at := v.doc.statements[v.statements[0]].lines.start
	return append(splices, v.doc.insertLines(at, lines))
}

// setPatterns edits the array of patterns item by item, so that its layout and
// comments stay. It does nothing if there is no array, or is to be none.
func (v *verifyText) setPatterns(was, now []string) []tomlSplice {
	value, ok := v.table.value("patterns")
	if !ok || len(was) == 0 || len(now) == 0 {
		return nil
	}
	list := scanList(v.doc.src, value)
	var splices []tomlSplice
	for i := range min(len(was), len(now)) {
		if was[i] != now[i] {
			splices = append(splices, tomlSplice{list.items[i].value, tomlString(now[i])})
		}
	}
	if len(now) > len(was) {
		texts := make([]string, 0, len(now)-len(was))
		for _, pattern := range now[len(was):] {
			texts = append(texts, tomlString(pattern))
		}
		splices = append(splices, list.insert(texts)...)
	}
	return splices
}

// setAdditional edits the additional checks that are in both, each where it
// stands, and adds the new ones behind them. The list is nil for blocks.
func (v *verifyText) setAdditional(list *tomlList, was, now []AdditionalVerify) []tomlSplice {
	var splices []tomlSplice
	for i := range min(len(was), len(now)) {
		old, fields := additionalFields(was[i]), additionalFields(now[i])
		splices = append(splices, v.check(list, i).set(old, fields)...)
	}
	if len(now) <= len(was) {
		return splices
	}
	now = now[len(was):]
	if list == nil {
		return append(splices, v.insertBlocks(now))
	}
	texts := make([]string, len(now))
	for i, check := range now {
		texts[i] = additionalTable(check)
	}
	return append(splices, list.insert(texts)...)
}

// check returns the table of one additional check.
func (v *verifyText) check(list *tomlList, i int) *tomlTable {
	if list == nil {
		return &v.blocks[i].table
	}
	return &tomlTable{doc: v.doc, list: scanList(v.doc.src, list.items[i].value)}
}

// insertBlocks puts new blocks behind the last one, or behind the section's own
// lines.
func (v *verifyText) insertBlocks(checks []AdditionalVerify) tomlSplice {
	table, at := &v.table, 0
	if n := len(v.blocks); n > 0 {
		table = &v.blocks[n-1].table
		last := v.blocks[n-1].statements
		at = v.doc.statements[last[len(last)-1]].lines.end
	} else {
		at = table.end()
	}
	lines := blockLines(checks, v.doc.indent(table.header), table.indent())
	if after := v.doc.src[at:]; len(after) > 0 && after[0] != '\n' && after[0] != '\r' {
		lines = append(lines, "")
	}
	return v.doc.insertLines(at, lines)
}

// unset takes out the values that are not to be written any more.
func (v *verifyText) unset(was, now *VerifySection) []tomlSplice {
	names := unsetNames(verifyFields(was), verifyFields(now))
	list := v.array()
	if list != nil && len(now.Additional) == 0 && len(was.Additional) > 0 {
		names, list = append(names, "additional"), nil
	}
	splices := v.table.remove(names)
	if value, ok := v.table.value("patterns"); ok && len(now.Patterns) > 0 {
		patterns := scanList(v.doc.src, value)
		splices = append(splices, patterns.remove(func(i int) bool { return i >= len(now.Patterns) })...)
	}
	if list != nil || len(v.blocks) > 0 {
		splices = append(splices, v.unsetAdditional(list, was.Additional, now.Additional)...)
	}
	return v.keep(splices, names, len(now.Additional))
}

// unsetAdditional takes out what goes from the additional checks that stay, and
// the checks that do not. The list is nil for blocks.
func (v *verifyText) unsetAdditional(list *tomlList, was, now []AdditionalVerify) []tomlSplice {
	var splices []tomlSplice
	for i := range min(len(was), len(now)) {
		names := unsetNames(additionalFields(was[i]), additionalFields(now[i]))
		splices = append(splices, v.check(list, i).remove(names)...)
	}
	if list != nil {
		return append(splices, list.remove(func(i int) bool { return i >= len(now) })...)
	}
	for i := len(now); i < len(v.blocks); i++ {
		splices = append(splices, v.cut(v.blocks[i].statements)...)
	}
	return splices
}

// keep returns the splices, which take out fields and blocks. If they leave
// nothing of the section, an empty one takes the place of its first statement: a
// recipe with an empty section is not one without a section.
func (v *verifyText) keep(splices []tomlSplice, names []string, checks int) []tomlSplice {
	gone := 0
	if v.home == verifyDotted {
		for _, name := range names {
			if v.table.line(name) >= 0 {
				gone++
			}
		}
	}
	for i := checks; i < len(v.blocks); i++ {
		gone += len(v.blocks[i].statements)
	}
	if gone < len(v.statements) {
		return splices
	}
	empty := "verify = {}"
	first := &v.doc.statements[v.statements[0]]
	if first.kind != tomlAssignment {
		empty = "[verify]"
	}
	at := first.lines.start
	for i := range splices {
		if s := &splices[i]; s.start <= at && at < s.end {
			s.start, s.text = at, empty+v.doc.newlineBefore(s.end)
		}
	}
	return splices
}

// cut takes out statements, with the comments between those that follow each
// other.
func (v *verifyText) cut(statements []int) []tomlSplice {
	var splices []tomlSplice
	for i := 0; i < len(statements); {
		lines := v.doc.statements[statements[i]].lines
		for i++; i < len(statements) && statements[i] == statements[i-1]+1; i++ {
			lines.end = v.doc.statements[statements[i]].lines.end
		}
		splices = append(splices, v.doc.cutLines(lines))
	}
	return splices
}

// patternsField is the index of patterns in verifyFields.
const patternsField = 2

// verifyFields returns the fields of v that are written as key = value in every
// form of the section, in the order in which they are written.
func verifyFields(v *VerifySection) []tomlField {
	fields := []tomlField{
		{"command", tomlText(v.Command)},
		{"pattern", tomlText(v.Pattern)},
		{"patterns", ""},
		{"mode", tomlText(v.Mode)},
		{"version_format", tomlText(v.VersionFormat)},
		{"reason", tomlText(v.Reason)},
		{"exit_code", ""},
	}
	if len(v.Patterns) > 0 {
		fields[patternsField].text = tomlStrings(v.Patterns)
	}
	if v.ExitCode != nil {
		fields[len(fields)-1].text = strconv.Itoa(*v.ExitCode)
	}
	return fields
}

// additionalFields returns the fields of an additional check.
func additionalFields(a AdditionalVerify) []tomlField {
	return []tomlField{{"command", tomlText(a.Command)}, {"pattern", tomlText(a.Pattern)}}
}

// additionalTable returns an additional check as an inline table.
func additionalTable(a AdditionalVerify) string {
	texts := assignmentTexts(additionalFields(a), "")
	if len(texts) == 0 {
		return "{}"
	}
	return "{ " + strings.Join(texts, ", ") + " }"
}

// additionalArray returns additional checks as an array on one line, or "" if
// there are none.
func additionalArray(checks []AdditionalVerify) string {
	if len(checks) == 0 {
		return ""
	}
	texts := make([]string, len(checks))
	for i, check := range checks {
		texts[i] = additionalTable(check)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// sectionLines returns a whole section: [verify] with its assignments, and the
// blocks behind it.
func sectionLines(fields []tomlField, checks []AdditionalVerify, indent string) []string {
	lines := append([]string{"[verify]"}, assignmentTexts(fields, indent)...)
	return append(lines, blockLines(checks, "", indent)...)
}

// blockLines returns a [[verify.additional]] for each check, behind a blank line.
func blockLines(checks []AdditionalVerify, headerIndent, indent string) []string {
	var lines []string
	for _, check := range checks {
		lines = append(lines, "", headerIndent+"[[verify.additional]]")
		lines = append(lines, assignmentTexts(additionalFields(check), indent)...)
	}
	return lines
}

// tomlText is tomlString, but "" for the empty string, which is not written out.
func tomlText(s string) string {
	if s == "" {
		return ""
	}
	return tomlString(s)
}

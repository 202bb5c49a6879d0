package mend

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Bytes returns the recipe as TOML, in a slice of its own.
//
// A recipe from [ParseRecipe] comes back as it was parsed, byte for byte, but for
// what its Verify says otherwise: values that differ are replaced where they
// stand, fields that became zero lose their line with the comment on it, and new
// ones follow the section's last key, in the form in which the section is
// written. Comments, layout and unknown keys of the section stay. A section that
// the recipe did not have is put at its end; one whose Verify became nil goes,
// with all its keys and the tables below it.
//
// A recipe composed in Go is written in the order of its fields, with sorted
// parameters, and [ParseRecipe] reads it back. In both cases an exit code that is
// not from 0 to 255 is written and makes the recipe unreadable, and bytes of a
// string that are not UTF-8 become U+FFFD.
func (r *Recipe) Bytes() []byte {
	switch {
	case r.raw == nil:
		return r.encode()
	case sameVerify(r.parsed, r.Verify):
		return bytes.Clone(r.raw)
	default:
		return editVerify(r.raw, r.parsed, r.Verify)
	}
}

// sameVerify reports whether two sections say the same; an empty list is no
// list.
func sameVerify(a, b *VerifySection) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Patterns, b.Patterns) &&
		slices.Equal(a.Additional, b.Additional) &&
		reflect.DeepEqual(a.ExitCode, b.ExitCode) &&
		a.Command == b.Command && a.Pattern == b.Pattern && a.Mode == b.Mode &&
		a.VersionFormat == b.VersionFormat && a.Reason == b.Reason
}

// encode writes the recipe without regard to raw.
func (r *Recipe) encode() []byte {
	var tables [][]string
	if metadata := assignmentTexts(metadataFields(r.Metadata), ""); len(metadata) > 0 {
		tables = append(tables, append([]string{"[metadata]"}, metadata...))
	}
	for _, step := range r.Steps {
		tables = append(tables, stepLines(step))
	}
	if r.Verify != nil {
		tables = append(tables, sectionLines(verifyFields(r.Verify), r.Verify.Additional, ""))
	}
	var b strings.Builder
	for i, lines := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, line := range lines {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return []byte(b.String())
}

func metadataFields(m Metadata) []tomlField {
	return []tomlField{
		{"name", tomlText(m.Name)},
		{"description", tomlText(m.Description)},
		{"homepage", tomlText(m.Homepage)},
		{"version_format", tomlText(m.VersionFormat)},
	}
}

// stepLines returns one [[steps]]. A parameter by the name of "action" is left
// out: the step has its own.
func stepLines(step Step) []string {
	lines := []string{"[[steps]]"}
	if step.Action != "" {
		lines = append(lines, "action = "+tomlString(step.Action))
	}
	for _, key := range slices.Sorted(maps.Keys(step.Params)) {
		if value := step.Params[key]; key != "action" && value != nil {
			lines = append(lines, tomlKey(key)+" = "+tomlValue(value))
		}
	}
	return lines
}

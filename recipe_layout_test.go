package mend_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// FuzzRecipeLayout edits valid documents in layouts that are drawn at random,
// which mutated bytes hardly ever reach.
func FuzzRecipeLayout(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, uint32(seed*2654435761))
	}
	f.Fuzz(func(t *testing.T, seed uint64, shape uint32) {
		doc := randomRecipe(rand.New(rand.NewPCG(seed, 0)))
		r, err := mend.ParseRecipe([]byte(doc))
		require.NoError(t, err, "%s", doc)
		require.Equal(t, doc, string(r.Bytes()))
		requireEdit(t, r, shapedSection(shape, "tool --version", "a'\"b", "x\ny"))
		requireRemoval(t, r)
	})
}

// layout draws the spelling of a document.
type layout struct {
	*rand.Rand
	newline string
}

func (l layout) pick(texts ...string) string { return texts[l.IntN(len(texts))] }

// randomRecipe returns a document whose verify section may stand anywhere, in any
// form.
func randomRecipe(r *rand.Rand) string {
	l := layout{r, "\n"}
	tables := []string{l.table("[metadata]", l.fields("name", "homepage")), l.table("[[steps]]", l.fields("action", "url", "verify"))}
	root := l.comment() + l.pick("", "x = 1\n", "verify_all = { verify = 1 } # verify\n")
	section, below := l.section()
	if l.IntN(2) == 0 {
		section = section + strings.Join(below, "")
		below = nil
	}
	if strings.HasPrefix(strings.TrimLeft(section, " \t"), "[") {
		tables = slices.Insert(tables, l.IntN(len(tables)+1), section)
	} else {
		root += section
	}
	at := 0
	for _, table := range below { // their order counts
		at += l.IntN(len(tables) + 1 - at)
		tables = slices.Insert(tables, at, table)
		at++
	}
	doc := root + strings.Join(tables, "") + l.comment()
	if l.IntN(4) == 0 {
		doc = strings.TrimRight(doc, "\n")
	}
	if l.IntN(4) == 0 {
		doc = strings.ReplaceAll(doc, "\n", "\r\n")
	}
	return l.pick("", "", "\ufeff") + doc
}

// section returns the verify section's own lines, or "" if it has none, and the
// tables below it.
func (l layout) section() (own string, below []string) {
	fields := l.verifyFields()
	if l.IntN(2) == 0 {
		for range l.IntN(4) {
			below = append(below, l.block())
		}
	}
	if l.IntN(3) == 0 {
		below = slices.Insert(below, 0, l.table("[verify.extra]", l.fields("command", "x")))
	}
	if below == nil && l.IntN(2) == 0 {
		fields = append(fields, "additional = "+l.array(l.checks()))
	}
	l.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	switch l.IntN(5) {
	case 0:
		return "", below
	case 1:
		if below == nil {
			return l.pick("verify", `"verify"`, `'verify'`) + " = " + l.inline(fields) + l.lineEnd(), nil
		}
		fallthrough
	case 2:
		for _, field := range fields {
			own += l.comment() + l.pick("verify.", ` "verify" . `, "\tverify.") + field + l.lineEnd()
		}
		return own, below
	default:
		return l.table(l.pick("[verify]", "[ verify ]", `["verify"]`, `  ['verify']`), fields), below
	}
}

func (l layout) verifyFields() []string {
	fields := l.fields("command", "pattern", "mode", "version_format", "reason", "unknown")
	if l.IntN(3) == 0 {
		fields = append(fields, l.pick("exit_code=1", "exit_code = 0x0_0", "'exit_code'= 255 "))
	}
	if l.IntN(3) == 0 {
		fields = append(fields, "patterns = "+l.array(l.values(l.IntN(4))))
	}
	return fields
}

// block returns a [[verify.additional]], which may have a table below it.
func (l layout) block() string {
	text := l.table(l.pick("[[verify.additional]]", `[[ verify . "additional" ]]`), l.fields("command", "pattern", "note"))
	if l.IntN(4) == 0 {
		text += l.table("  [verify.additional.sub]", l.fields("command"))
	}
	return text
}

func (l layout) checks() []string {
	checks := make([]string, l.IntN(4))
	for i := range checks {
		checks[i] = l.inline(l.fields("command", "pattern", "note"))
	}
	return checks
}

// fields returns assignments to some of the names.
func (l layout) fields(names ...string) []string {
	var fields []string
	for _, name := range names {
		if l.IntN(2) == 0 {
			name = l.pick(name, name, `"`+name+`"`, "'"+name+"'")
			fields = append(fields, name+l.pick(" = ", "=", "\t= ", " =")+l.values(1)[0])
		}
	}
	return fields
}

func (l layout) values(n int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = l.pick(`""`, `"x"`, `'a "b" # c'`, `"]}{[, \" \\"`, `"""`+"\n"+`a "quoted" '''`+"\n#b\\\"\"\"\"\"", `'''[verify]'''''`, `"\e\x41\u00e9"`)
	}
	return values
}

// table returns a header and its assignments, with comments and blank lines.
func (l layout) table(header string, fields []string) string {
	indent := l.pick("", "  ", "\t")
	text := l.comment() + header + l.lineEnd()
	for _, field := range fields {
		text += l.comment() + indent + field + l.lineEnd()
	}
	return text + l.pick("", "", "\n", "\n\n")
}

func (l layout) array(items []string) string  { return l.brackets("[", "]", items) }
func (l layout) inline(items []string) string { return l.brackets("{", "}", items) }

// brackets returns a list on one line or several, with a comma behind the last
// item or without.
func (l layout) brackets(open, end string, items []string) string {
	space := func() string { return l.pick("", " ", " ") }
	if l.IntN(2) == 0 {
		space = func() string { return l.pick("", " ", "\n  ", " # c\n\t", "\n# [own\n ", "\n") }
	}
	text := open + space()
	for i, item := range items {
		text += item + space()
		if i < len(items)-1 || l.IntN(3) == 0 {
			text += "," + space()
		}
	}
	return text + end
}

func (l layout) comment() string {
	return l.pick("", "", "", "\n", fmt.Sprintf("# %d\n", l.IntN(100)), "  # [verify]\n", "# verify.command = 1\n\n")
}

func (l layout) lineEnd() string { return l.pick("\n", "\n", " # c\n", "#\"\n", " \t\n") }

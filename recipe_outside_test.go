package mend_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

// outsidePart is a statement that is not of the verify section, and the lines
// between it and the next such one. The first part of a document has no text.
type outsidePart struct {
	text string
	gap  []gapLine
}

// gapLine is a statement of the verify section, or a blank or comment line.
type gapLine struct {
	text   string
	verify bool
}

// requireSameOutside checks that two documents are the same but for their verify
// sections. Between two other statements, all bytes have to be the same, unless
// the section stands there in one of the documents: then blank lines may differ,
// and the comments around the section have to be there still.
func requireSameOutside(t *testing.T, before, after []byte) {
	t.Helper()
	a, b := outside(t, before), outside(t, after)
	require.Len(t, b, len(a), "%s\n----\n%s", before, after)
	for i := range a {
		last := i == len(a)-1
		if last { // its newline may have been missing
			a[i].text, b[i].text = strings.TrimRight(a[i].text, "\r\n"), strings.TrimRight(b[i].text, "\r\n")
		}
		require.Equal(t, a[i].text, b[i].text, "%s\n----\n%s", before, after)
		if last || hasVerify(a[i].gap) || hasVerify(b[i].gap) {
			requireComments(t, a[i].gap, b[i].gap)
		} else {
			require.Equal(t, a[i].gap, b[i].gap, "%s\n----\n%s", before, after)
		}
	}
}

// outside takes a document apart without the library's help: a line, or as many
// as it takes to be valid TOML, is a statement, and the TOML reader says which
// key it is about.
func outside(t *testing.T, doc []byte) []outsidePart {
	t.Helper()
	parts := []outsidePart{{}}
	chunk, below, inVerify := "", false, false
	for line := range strings.Lines(strings.TrimPrefix(string(doc), "\ufeff")) {
		chunk += line
		var m map[string]any
		if toml.Unmarshal([]byte(chunk), &m) != nil {
			continue
		}
		_, verify := m["verify"]
		switch {
		case len(m) > 0 && strings.HasPrefix(strings.TrimLeft(chunk, " \t"), "["):
			below, inVerify = true, verify
		case below:
			verify = inVerify
		}
		last := &parts[len(parts)-1]
		switch {
		case len(m) == 0:
			last.gap = append(last.gap, gapLine{text: chunk})
		case verify:
			last.gap = append(last.gap, gapLine{text: chunk, verify: true})
		default:
			parts = append(parts, outsidePart{text: chunk})
		}
		chunk = ""
	}
	require.Empty(t, chunk)
	return parts
}

func hasVerify(gap []gapLine) bool {
	return slices.ContainsFunc(gap, func(l gapLine) bool { return l.verify })
}

// requireComments checks that the comments of gap a that do not stand within the
// section are in b too, in this order.
func requireComments(t *testing.T, a, b []gapLine) {
	t.Helper()
	isVerify := func(l gapLine) bool { return l.verify }
	if first := slices.IndexFunc(a, isVerify); first >= 0 {
		last := len(a) - 1
		for !a[last].verify {
			last--
		}
		a = slices.Concat(a[:first], a[last+1:])
	}
	for _, line := range a {
		text := strings.TrimRight(line.text, "\r\n")
		if strings.TrimSpace(text) == "" {
			continue
		}
		i := slices.IndexFunc(b, func(l gapLine) bool { return strings.TrimRight(l.text, "\r\n") == text })
		require.GreaterOrEqual(t, i, 0, "%q is gone", text)
		b = b[i+1:]
	}
}

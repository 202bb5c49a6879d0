package mend

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// foldPieces are pieces of all forms, and of what only begins like one.
var foldPieces = []string{
	"fail 3", "# fail 2", "ℹ fail 4", "errors: 3", "failed=2", "problems: 3", "3 tests failed", "failed 3 tests", "failed tests: 4", "3 / 4 tests failed",
	"not ok 12", "--- fail: a12", "a::b[3]", "::x::y9", "x-48213", "a_1", "_a1", "e0308", "/a/b/c", `c:\x\y`, "./a", "http://x/1", "@a/b",
	"12", "1,000", "0x1f", "1.5s", "2 min", "3 µs", "9f8e7d6c", "deadbeef", "550e8400-e29b-41d4-a716-446655440000",
	"12:30:00", "2026-01-02t03:04:05z", "jan 2 2026", "mon, 02 jan 2026",
	"foo", "foo:bar", "not", "ok 3", "err", "error", "maybe", "sunny", "é", " ", "  ", "-", "--x", "~", "+", ".", "..", "#", "(", ")", "[", "]", "\xff",
}

// TestFoldPassesOverPlainWords holds that what is passed over without asking the forms
// is what none of them changes.
func TestFoldPassesOverPlainWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var text strings.Builder
		for range 1 + random.IntN(9) {
			text.WriteString(foldPieces[random.IntN(len(foldPieces))])
			if random.IntN(2) == 0 {
				text.WriteByte(' ')
			}
		}
		var folded strings.Builder
		foldLine(&folded, text.String())
		require.Equal(t, foldedByForms(text.String()), folded.String(), "%q", text.String())
	}
}

// foldedByForms folds a line with the forms alone.
func foldedByForms(text string) string {
	var b strings.Builder
	for text != "" {
		at := folding().FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		b.WriteString(text[:at[0]])
		for i, form := range foldForms {
			if at[2*i+2] >= 0 {
				b.WriteString(form.fold(text[at[0]:at[1]]))
			}
		}
		text = text[at[1]:]
	}
	return b.String() + text
}

package mend_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// FuzzRecipe edits any document that parses in any way.
func FuzzRecipe(f *testing.F) {
	for _, doc := range recipeForms {
		for _, shape := range []uint32{0, 1, 0xffffffff, 0x12345678, 0x0055aa33, 0xabcdef01} {
			f.Add([]byte(doc), shape, "tool --version", "{version}\n", `a\"b`)
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte, shape uint32, a, b, c string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || !utf8.ValidString(c) {
			t.Skip("a recipe's strings have to be UTF-8")
		}
		r, err := mend.ParseRecipe(doc)
		if err != nil {
			var parse *mend.ParseError
			require.ErrorAs(t, err, &parse)
			assert.Positive(t, parse.Line)
			assert.Positive(t, parse.Column)
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		require.Equal(t, string(doc), string(r.Bytes()))
		requireEdit(t, r, shapedSection(shape, a, b, c))
		requireRemoval(t, r)
		requireCompose(t, r)
	})
}

// shapedSection makes a section whose fields are chosen by the bits of shape:
// two for each string field, of which 0 is "".
func shapedSection(shape uint32, a, b, c string) mend.VerifySection {
	texts := []string{"", a, b, c}
	next := func(n uint32) uint32 {
		v := shape % n
		shape /= n
		return v
	}
	v := mend.VerifySection{
		Command:       texts[next(4)],
		Pattern:       texts[next(4)],
		Mode:          texts[next(4)],
		VersionFormat: texts[next(4)],
		Reason:        texts[next(4)],
	}
	v.Patterns = []string{a, b, c, ""}[:next(5)]
	if n := int(next(3)) * 127; n > 0 {
		n -= 127
		v.ExitCode = &n
	}
	v.Additional = []mend.AdditionalVerify{{Command: a}, {Command: b, Pattern: c}, {Pattern: strings.ToUpper(a)}, {}}[:next(5)]
	return v
}

package mend

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMatcherFindsWhatASearchFinds compares the matcher with one search for each
// phrase, over short alphabets so that phrases overlap and begin alike.
func TestMatcherFindsWhatASearchFinds(t *testing.T) {
	type place struct{ start, phrase int }
	random := rand.New(rand.NewPCG(1, 2))
	word := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(b)
	}
	for range 2000 {
		phrases := make([]string, 1+random.IntN(20))
		for i := range phrases {
			phrases[i] = word("ab[{@` ", gramLen+random.IntN(4)) // some of these share a hash
		}
		text := word("aAbB[{@` \xff", random.IntN(200))
		var got, want []place
		passedOver := newMatcher(phrases).each(text, len(text), func(phrase, start int) { got = append(got, place{start, phrase}) })
		for start := range text {
			for id, p := range phrases {
				if strings.HasPrefix(strings.ToLower(text[start:min(len(text), start+len(p))]), p) {
					want = append(want, place{start, id})
				}
			}
		}
		require.ElementsMatch(t, want, got, "phrases %q in %q", phrases, text)
		require.True(t, slices.IsSortedFunc(got, func(a, b place) int { return a.start - b.start }))
		require.False(t, passedOver)
	}
}

func TestMatcherIsBounded(t *testing.T) {
	m := newMatcher([]string{"usage", "version"})
	n := 0
	assert.True(t, m.each(strings.Repeat("usage ", 5000)+"version", 100, func(int, int) { n++ }))
	assert.Equal(t, 101, n, "another phrase is found behind one that stands too often")
}

package mend

import (
	"cmp"
	"slices"
	"strings"
)

// gramLen is how many bytes the filter looks at; no phrase may be shorter.
const gramLen = 4

// filterBits is the logarithm of the filter's size in bits: 8 KiB stay in the
// processor's first cache.
const filterBits = 16

// matcher finds many phrases in one pass over a text, ignoring the case of
// ASCII letters. A filter over four bytes drops nearly every place with a look-up
// that waits for no other one. What is left goes down a tree of the phrases, so
// that a place costs no more than the bytes it shares with one of them.
type matcher struct {
	filter  [1 << (filterBits - 6)]uint64
	buckets [1 << filterBits]uint16 // by hash of the first four bytes: which tree, 0 for none
	trees   [][]*phraseNode         // that share a hash; mostly one
	phrases []string                // lower case
}

// phraseNode is a place in the tree of phrases.
type phraseNode struct {
	label string // that has to come first
	ends  []int  // phrases that end behind it
	bytes string // that may follow it
	next  []*phraseNode
}

// newMatcher makes a matcher for phrases, which have to be lower case.
func newMatcher(phrases []string) *matcher {
	m := &matcher{trees: make([][]*phraseNode, 1), phrases: phrases}
	ids := make([]int, len(phrases))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int { return cmp.Compare(phrases[a], phrases[b]) })
	for len(ids) > 0 {
		first := phrases[ids[0]][:gramLen]
		same := prefixed(phrases, ids, first)
		m.plant(gramHash(first), newPhraseNode(phrases, ids[:same], 0))
		ids = ids[same:]
	}
	return m
}

func (m *matcher) plant(hash uint32, n *phraseNode) {
	if m.buckets[hash] == 0 {
		m.filter[hash/64] |= 1 << (hash % 64)
		m.buckets[hash] = uint16(len(m.trees))
		m.trees = append(m.trees, nil)
	}
	b := m.buckets[hash]
	m.trees[b] = append(m.trees[b], n)
}

// prefixed returns how many of the sorted phrases begin with prefix, as the first
// one does.
func prefixed(phrases []string, ids []int, prefix string) int {
	n := slices.IndexFunc(ids, func(id int) bool { return !strings.HasPrefix(phrases[id], prefix) })
	if n < 0 {
		return len(ids)
	}
	return n
}

// newPhraseNode returns the tree of sorted phrases that share their first bytes.
func newPhraseNode(phrases []string, ids []int, shared int) *phraseNode {
	first, last := phrases[ids[0]], phrases[ids[len(ids)-1]]
	end := shared
	for end < len(first) && end < len(last) && first[end] == last[end] {
		end++
	}
	n := &phraseNode{label: first[shared:end]}
	for len(ids) > 0 && len(phrases[ids[0]]) == end {
		n.ends, ids = append(n.ends, ids[0]), ids[1:]
	}
	for len(ids) > 0 {
		prefix := phrases[ids[0]][:end+1]
		same := prefixed(phrases, ids, prefix)
		n.bytes += prefix[end:]
		n.next = append(n.next, newPhraseNode(phrases, ids[:same], end+1))
		ids = ids[same:]
	}
	return n
}

// gramHash returns a hash of the first four bytes of s that is the same for
// small and capital letters.
func gramHash(s string) uint32 {
	g := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
	return (g | 0x20202020) * 0x9e3779b1 >> (32 - filterBits)
}

// each calls found for every place where a phrase stands in text, from the front
// to the back. It goes down the same tree limit times at most, so that repeating a
// phrase without end costs no more than any other text, and reports whether it
// passed over a place for that.
func (m *matcher) each(text string, limit int, found func(phrase, start int)) (passedOver bool) {
	walks := make([]uint16, len(m.trees))
	for i := 0; i+gramLen <= len(text); i++ {
		h := gramHash(text[i:])
		if m.filter[h/64]>>(h%64)&1 == 0 {
			continue
		}
		b := m.buckets[h]
		if int(walks[b]) == limit {
			passedOver = true
			continue
		}
		walks[b]++
		for _, tree := range m.trees[b] {
			tree.walk(text[i:], i, found)
		}
	}
	return passedOver
}

// walk calls found for the phrases of the tree that rest, which is at start,
// begins with.
func (n *phraseNode) walk(rest string, start int, found func(phrase, start int)) {
	for hasPrefixFold(rest, n.label) {
		rest = rest[len(n.label):]
		for _, id := range n.ends {
			found(id, start)
		}
		if rest == "" {
			return
		}
		k := strings.IndexByte(n.bytes, lowerByte(rest[0]))
		if k < 0 {
			return
		}
		n, rest = n.next[k], rest[1:]
	}
}

// hasPrefixFold reports whether s begins with prefix, which is lower case,
// ignoring the case of s's ASCII letters.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lowerByte(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

// indexFold returns the offset of sub, which is lower case, in s, ignoring the
// case of s's ASCII letters, or -1. It is for lines: its cost is the product of
// the lengths at worst.
func indexFold(s, sub string) int {
	if sub == "" {
		return 0
	}
	lower, upper := sub[0], sub[0]
	if isLetter(lower) {
		upper = lower - 'a' + 'A'
	}
	for i := 0; i+len(sub) <= len(s); i++ {
		if (s[i] == lower || s[i] == upper) && hasPrefixFold(s[i:], sub) {
			return i
		}
	}
	return -1
}

// matchParts reports whether the parts of a phrase that was split at its
// asterisks stand in s one behind the other.
func matchParts(s string, parts []string) bool {
	for _, part := range parts {
		k := indexFold(s, part)
		if k < 0 {
			return false
		}
		s = s[k+len(part):]
	}
	return true
}

// containsFold reports whether s holds one of subs, which are lower case.
func containsFold(s string, subs []string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return indexFold(s, sub) >= 0 })
}

// splitPhrase splits a phrase of the signature tables at its asterisks.
func splitPhrase(phrase string) []string { return strings.Split(phrase, "*") }

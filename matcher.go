package mend

import (
	"slices"
	"strings"
)

// triggerLen bounds how much of a phrase the automaton knows. A longer phrase
// is compared whole where its trigger was found, which is rare; so the tables
// can grow without the automaton leaving the processor's cache.
const triggerLen = 9

// matcher finds many phrases in one pass over a text, ignoring the case of
// ASCII letters. It is the automaton of Aho and Corasick with every transition
// filled in: one look-up a byte, whatever the text.
type matcher struct {
	class    [256]uint8 // bytes that no trigger holds share class 0
	shift    uint       // log2 of the length of a row
	next     []uint16   // rows of successors
	firstHit uint16     // states from here on end a trigger
	hits     [][]int32  // phrases whose trigger ends at firstHit+i
	phrases  []string   // lower case
}

// newMatcher builds the automaton for phrases, which have to be lower case.
func newMatcher(phrases []string) *matcher {
	m := &matcher{phrases: phrases}
	m.classify()
	width := 1 << m.shift
	children, ends := m.trie(width)
	order := m.link(children, ends, width)
	m.renumber(children, ends, order, width)
	return m
}

func trigger(phrase string) string { return phrase[:min(len(phrase), triggerLen)] }

// classify gives a class to each byte that occurs in a trigger.
func (m *matcher) classify() {
	classes := 1
	for _, p := range m.phrases {
		for i := range len(trigger(p)) {
			c := p[i]
			if m.class[c] != 0 {
				continue
			}
			m.class[c] = uint8(classes)
			if isLetter(c) {
				m.class[c-'a'+'A'] = uint8(classes)
			}
			classes++
		}
	}
	for 1<<m.shift < classes {
		m.shift++
	}
}

// trie returns the tree of the triggers, as rows of children with -1 for none,
// and for each state the phrases that end there.
func (m *matcher) trie(width int) (children []int32, ends [][]int32) {
	add := func() int32 {
		for range width {
			children = append(children, -1)
		}
		ends = append(ends, nil)
		return int32(len(ends) - 1)
	}
	add()
	for id, p := range m.phrases {
		state := int32(0)
		for i := range len(trigger(p)) {
			slot := int(state)*width + int(m.class[p[i]])
			if children[slot] < 0 {
				child := add()
				children[slot] = child
			}
			state = children[slot]
		}
		ends[state] = append(ends[state], int32(id))
	}
	return children, ends
}

// link fills in the missing transitions breadth first, so that each state knows
// where its longest proper suffix goes, and returns the states in that order.
func (m *matcher) link(children []int32, ends [][]int32, width int) []int32 {
	fail := make([]int32, len(ends))
	queue := []int32{0}
	for k := 0; k < len(queue); k++ {
		state := queue[k]
		for c := range width {
			slot := int(state)*width + c
			fallback := int32(0)
			if state != 0 {
				fallback = children[int(fail[state])*width+c]
			}
			child := children[slot]
			if child < 0 {
				children[slot] = fallback
				continue
			}
			fail[child] = fallback
			ends[child] = append(ends[child], ends[fallback]...)
			queue = append(queue, child)
		}
	}
	return queue
}

// renumber puts the states that end a trigger last, so that the loop needs one
// comparison to know them.
func (m *matcher) renumber(children []int32, ends [][]int32, order []int32, width int) {
	slices.SortStableFunc(order, func(a, b int32) int { return min(1, len(ends[a])) - min(1, len(ends[b])) })
	number := make([]uint16, len(order))
	m.firstHit = uint16(len(order))
	for i, state := range order {
		number[state] = uint16(i)
		if len(ends[state]) > 0 {
			m.firstHit = min(m.firstHit, uint16(i))
			m.hits = append(m.hits, ends[state])
		}
	}
	m.next = make([]uint16, len(order)*width)
	for i, state := range order {
		for c := range width {
			m.next[i*width+c] = number[children[int(state)*width+c]]
		}
	}
}

// each calls found for every place where a phrase stands in text, in the order
// of where the phrases' triggers end. A phrase for which found returns false
// is not reported again.
func (m *matcher) each(text string, found func(phrase, start int) bool) {
	var done finished
	state := uint16(0)
	for i := range len(text) {
		state = m.next[int(state)<<m.shift|int(m.class[text[i]])]
		if state < m.firstHit {
			continue
		}
		hit := int(state - m.firstHit)
		if done.states != nil && done.states[hit] {
			continue
		}
		open := false
		for _, id := range m.hits[hit] {
			if done.phrases != nil && done.phrases[id] {
				continue
			}
			p := m.phrases[id]
			start := i + 1 - len(trigger(p))
			if len(p) > triggerLen && !hasPrefixFold(text[start:], p) || found(int(id), start) {
				open = true
				continue
			}
			done.phrase(m, id)
		}
		if !open {
			done.states[hit] = true
		}
	}
}

// finished remembers what need not be looked at any more, so that a text that
// repeats a phrase without end costs no more than any other.
type finished struct {
	phrases []bool
	states  []bool // all of whose phrases are finished
}

func (f *finished) phrase(m *matcher, id int32) {
	if f.phrases == nil {
		f.phrases, f.states = make([]bool, len(m.phrases)), make([]bool, len(m.hits))
	}
	f.phrases[id] = true
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

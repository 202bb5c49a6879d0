package mend

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// signatureIndex is the tables made ready for searching.
type signatureIndex struct {
	*matcher
	rows []phraseRow // by phrase of the matcher
}

type phraseRow struct {
	sig  *signature
	rest []string // parts behind the first asterisk
}

// signatures returns the index of all tables. It is built at first use.
var signatures = sync.OnceValue(func() *signatureIndex {
	idx := &signatureIndex{}
	var firsts []string
	for _, table := range [][]signature{systemSignatures, runtimeSignatures, politeSignatures, environmentSignatures, complaintSignatures, usageSignatures} {
		for i := range table {
			sig := &table[i]
			sig.kind = cmp.Or(sig.kind, EvidenceBroken)
			for _, phrase := range sig.phrases {
				parts := splitPhrase(phrase)
				if len(parts[0]) < gramLen {
					panic("a phrase of " + sig.name + " begins with too little: " + phrase)
				}
				firsts = append(firsts, parts[0])
				idx.rows = append(idx.rows, phraseRow{sig, parts[1:]})
			}
		}
	}
	idx.matcher = newMatcher(firsts)
	return idx
})

// isCrash reports whether a signature of that name is one of a crash.
func isCrash(name string) bool {
	return slices.ContainsFunc(runtimeSignatures, func(s signature) bool { return s.name == name && s.crash }) || strings.HasPrefix(name, "crash.")
}

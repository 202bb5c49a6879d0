package mend

import (
	"cmp"
	"slices"
)

// scanRule says which parser looks at a place.
type scanRule uint8

const (
	ruleToken scanRule = iota // row of tokenRows
	ruleHash                  // row of hashRows
	ruleKey
	ruleEncodedKey
	ruleJWT
	ruleURL
	ruleOracle
	ruleAuth
	ruleBare
	ruleCookie
	ruleParam
	ruleHook
	ruleCommand
	ruleMask
	ruleLabel
	ruleEscapedLabel
	ruleHome
	ruleOwnHome // row of homes
	ruleHostIP
	ruleMailKey
	ruleMark
	ruleEnvUser
	ruleOption
	ruleKnown // row of known
	ruleUser  // row of users
)

// trigger is four bytes, small and capital letters alike, with the rule for a
// place that begins with them.
type trigger struct {
	gram uint32
	rule scanRule
	row  uint16
}

const (
	gramFold      = 0x20202020
	gramBits      = 16                 // of the filter's size: 8 KB, which stay in the first cache
	gramGroupBits = 12                 // triggers are grouped by that many bits of their hash
	gramFactor    = uint32(0x9e3779b1) // spreads over the high bits
)

// sanitizerTables are what a scan looks things up in. They are never changed once
// they are made.
type sanitizerTables struct {
	filter   [1 << (gramBits - 6)]uint64 // a bit is set if some trigger has that hash
	triggers []trigger                   // by hash
	groups   [1<<gramGroupBits + 1]uint16
	known    []knownValue
	users    []string
	homes    []string
}

// knownValue is a value known to be secret, in one of its forms.
type knownValue struct {
	text  string
	whole bool // only as a whole word
}

// gramOf packs four bytes, folded.
func gramOf(a, b, c, d byte) uint32 {
	return (uint32(a) | uint32(b)<<8 | uint32(c)<<16 | uint32(d)<<24) | gramFold
}

// gramHash16 hashes a folded gram.
func gramHash16(gram uint32) uint32 { return gram * gramFactor >> (32 - gramBits) }

// triggerList collects triggers.
type triggerList []trigger

// add adds a trigger for places that begin with word. A word shorter than a gram
// is spread over the bytes that may follow it.
func (l *triggerList) add(rule scanRule, row int, word, followers string) {
	if len(word) >= 4 {
		*l = append(*l, trigger{gramOf(word[0], word[1], word[2], word[3]), rule, uint16(row)})
		return
	}
	var seen [256]bool
	for i := range len(followers) {
		if c := followers[i] | 0x20; !seen[c] {
			seen[c] = true
			l.add(rule, row, word+string([]byte{c}), followers)
		}
	}
}

// plant makes the filter and the groups.
func (t *sanitizerTables) plant(list triggerList) {
	slices.SortStableFunc(list, func(a, b trigger) int {
		return cmp.Or(cmp.Compare(gramHash16(a.gram), gramHash16(b.gram)), cmp.Compare(a.gram, b.gram),
			cmp.Compare(a.rule, b.rule), cmp.Compare(a.row, b.row))
	})
	t.triggers = slices.Compact(list)
	for i, tr := range t.triggers {
		h := gramHash16(tr.gram)
		t.filter[h/64] |= 1 << (h % 64)
		t.groups[h>>(gramBits-gramGroupBits)+1] = uint16(i + 1)
	}
	for i := 1; i < len(t.groups); i++ {
		t.groups[i] = max(t.groups[i], t.groups[i-1])
	}
}

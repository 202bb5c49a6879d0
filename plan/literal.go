package plan

import (
	"regexp/syntax"
	"strings"
)

// requiredLiterals returns texts in small letters of which one stands, in whatever
// case, in all that an expression matches; nil if that cannot be told. Looking for
// them first spares most outputs the expression.
func requiredLiterals(expr string) []string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	return literalsOf(re.Simplify())
}

func literalsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			one := literalsOf(sub)
			if one == nil {
				return nil
			}
			all = append(all, one...)
		}
		return all
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if one := literalsOf(sub); shortest(one) > shortest(best) {
				best = one
			}
		}
		return best
	}
	return nil
}

// shortest returns the length of the shortest text, 0 if there is none.
func shortest(texts []string) int {
	n := 0
	for i, s := range texts {
		if i == 0 || len(s) < n {
			n = len(s)
		}
	}
	return n
}

// mayHold reports whether a text in small letters holds one of the literals, or whether there are
// none to look for.
func mayHold(text string, literals []string) bool {
	for _, s := range literals {
		if strings.Contains(text, s) {
			return true
		}
	}
	return literals == nil
}

package mend

import "strings"

// comparisonWords are the words of a line behind which stand what was expected and
// what was seen. The first that a line has counts.
var (
	expectedWords = []string{"should be", "should have been", "expected", "wanted", "want", "required"}
	actualWords   = []string{"but got", "but was", "got", "actual", "saw", "received", "found", "was", "have", "but is", "is"}
	// What a run ended with may stand before what it should have.
	endedWords = []string{"exit code", "exit status", "exited with", "exited", "exit", "returned"}
)

// quotes are what programs put round a name.
const quotes = "\"'`‘’“”"

// startsQuoted reports whether a text begins with a quote.
func startsQuoted(text string) bool { return text != strings.TrimLeft(text, quotes) }

// wordsOf returns the words of a line without what stands round them.
func wordsOf(line string) []string {
	words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(" \t()<>[]{},;="+quotes, c) })
	for i, word := range words {
		words[i] = strings.TrimRight(word, ":.!?")
	}
	return words
}

// comparisonLabels are how lines begin that tell one of the two and nothing else.
var comparisonLabels = []struct {
	label    string
	expected bool
}{
	{"expected", true}, {"specified", true}, {"wanted", true}, {"want", true}, {"go.sum", true},
	{"actual", false}, {"got", false}, {"have", false}, {"received", false}, {"found", false}, {"computed", false}, {"downloaded", false},
}

// comparedNouns say what is compared, before its value.
var comparedNouns = []string{
	"exit code", "exit status", "version of", "version", "output to contain", "output", "to contain", "to be", "value", "checksum", "hash", "digest", "sha256", "sha512", "sha1", "md5", "code", "with", "pattern", "is", "it", "=", ":",
}

// comparison returns what a line says was expected, and what was seen.
func comparison(line string) (expected, actual string) {
	if expected, actual = labelledComparison(line); expected != "" || actual != "" {
		return expected, actual
	}
	if expected, actual = patternMiss(line); expected != "" {
		return expected, actual
	}
	if before, behind, ok := strings.Cut(line, " instead of "); ok && CategoryVerifyFailed.says(line) {
		if words := wordsOf(before); len(words) > 0 {
			return compared(behind), words[len(words)-1]
		}
	}
	for _, word := range expectedWords {
		e := indexWordFold(line, word)
		if e < 0 {
			continue
		}
		before, behind := line[:e], line[e+len(word):]
		for _, seen := range actualWords {
			if a := indexWordFold(behind, seen); a > 0 && !endsWithFold(strings.TrimRight(behind[:a], " "), "not") {
				if expected, actual = compared(behind[:a]), compared(behind[a+len(seen):]); expected != "" && actual != "" {
					return expected, actual
				}
			}
		}
		for _, seen := range append(actualWords, endedWords...) {
			if a := indexWordFold(before, seen); a >= 0 && endsClause(before) {
				if expected, actual = compared(behind), compared(before[a+len(seen):]); expected != "" && actual != "" {
					return expected, actual
				}
			}
		}
	}
	return "", ""
}

// endsClause reports whether what stands before an expectation is a clause of its own.
func endsClause(before string) bool {
	before = strings.TrimRight(before, " ")
	return before != "" && (strings.IndexByte(",;(", before[len(before)-1]) >= 0 || endsWithFold(before, " but"))
}

// labelledComparison reads a line that tells one of the two under a label.
func labelledComparison(line string) (expected, actual string) {
	trimmed := strings.TrimLeft(line, " \t-*•+")
	for _, l := range comparisonLabels {
		rest, ok := cutFold(trimmed, l.label)
		if !ok {
			continue
		}
		name, value, found := strings.Cut(rest, ":")
		if found && (strings.TrimSpace(name) == "" || isNoun(name)) && !holdsActual(value) {
			value = compared(value)
		} else if wide := strings.TrimSpace(rest); len(line) > len(trimmed) && wide != "" && (strings.HasPrefix(rest, "  ") || hasNoun(wide)) && !strings.Contains(compared(wide), " ") {
			value = compared(wide)
		} else {
			continue
		}
		if l.expected {
			return value, ""
		}
		return "", value
	}
	return "", ""
}

// holdsActual reports whether a value goes on with what was seen.
func holdsActual(value string) bool {
	for _, seen := range actualWords {
		if a := indexWordFold(value, seen); a > 0 && seen != "is" && seen != "was" && seen != "have" {
			return true
		}
	}
	return false
}

func isNoun(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	for _, noun := range comparedNouns {
		if s == noun {
			return true
		}
	}
	return false
}

func hasNoun(s string) bool {
	for _, noun := range comparedNouns {
		if len(noun) > 2 && hasPrefixFold(s, noun+" ") {
			return true
		}
	}
	return false
}

// patternMarks are what stands before a pattern that an output does not hold.
var patternMarks = []string{"not contain ", "to contain ", "not match regex ", "not match pattern ", "not match ", "expected text ", "expected string ", "expected output ", "pattern ", "lacks ", "lack ", "the expected version ", "not print ", "missing "}

// patternMiss returns the pattern that a line says an output does not hold, and the
// output if the line quotes it.
func patternMiss(line string) (pattern, output string) {
	for _, mark := range patternMarks {
		k := indexFold(line, mark)
		if k < 0 {
			continue
		}
		rest := line[k+len(mark):]
		if !startsQuoted(rest) {
			if strings.HasSuffix(mark, "regex ") || strings.HasSuffix(mark, "version ") {
				return strings.TrimSpace(rest), ""
			}
			continue
		}
		pattern = compared(rest)
		for _, seen := range []string{"output ", "in ", "got ", "got: "} {
			if a := indexFold(rest[len(pattern):], " "+seen); a >= 0 && startsQuoted(rest[len(pattern)+a+1+len(seen):]) {
				return pattern, compared(rest[len(pattern)+a+1+len(seen):])
			}
		}
		return pattern, ""
	}
	return "", ""
}

// cutFold returns what follows mark at the start of a line, whatever the case.
func cutFold(line, mark string) (string, bool) {
	line = strings.TrimSpace(line)
	if !hasPrefixFold(line, mark) {
		return "", false
	}
	return line[len(mark):], true
}

// compared returns the value that a text begins with: what stands in quotes, or what
// goes on to the end of the clause, without the noun before it.
func compared(s string) string {
	for again := true; again; {
		s = strings.TrimLeft(s, " \t,;:=[(")
		again = false
		for _, noun := range comparedNouns {
			if hasPrefixFold(s, noun) && len(s) > len(noun) && strings.IndexByte(" :=", s[len(noun)]) >= 0 {
				s, again = s[len(noun):], true
				break
			}
		}
	}
	if bare := strings.TrimLeft(s, quotes); bare != s {
		if k := strings.IndexAny(bare, quotes); k >= 0 {
			return bare[:k]
		}
	}
	for _, end := range []string{", ", "; ", " but", " (", ")", "]", " ✗", " ✘", " — ", " instead"} {
		s, _, _ = strings.Cut(s, end)
	}
	return strings.Trim(s, " \t,;:.\"'`")
}

package mend

import (
	"strings"
	"unicode/utf8"
)

// Bounds of a pattern that is copied from an output, in bytes. Shorter ones are
// not rare enough, and longer ones break with the next release.
const (
	minLiteral = 6
	maxLiteral = 60
)

// stableRun returns the longest part of a line round offset at that is made of
// stable words, cut between words to maxLiteral. A part too long is cut behind
// the words round at.
func stableRun(line string, at int, tool string) string {
	start, end := -1, -1
	for i := 0; i < len(line); {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		j := i
		for j < len(line) && line[j] != ' ' {
			j++
		}
		word := line[i:j]
		switch {
		case word == "":
		case !isStableWord(word, tool):
			if end > at && start >= 0 {
				return cutRun(line[start:end], at-start)
			}
			start, end = -1, -1
		default:
			if start < 0 {
				start = i
			}
			end = j
		}
		i = j
	}
	if start < 0 {
		return ""
	}
	return cutRun(line[start:end], max(at-start, 0))
}

// cutRun cuts a run of words to maxLiteral, keeping the words behind offset at.
func cutRun(run string, at int) string {
	if len(run) <= maxLiteral {
		return run
	}
	if at > maxLiteral/2 {
		at = strings.LastIndexByte(run[:min(at+1, len(run))], ' ') + 1
		run = run[at:]
	}
	if len(run) <= maxLiteral {
		return run
	}
	if k := strings.LastIndexByte(run[:maxLiteral+1], ' '); k > minLiteral {
		return strings.TrimRight(run[:k], " ")
	}
	return ""
}

// isStableWord reports whether a word will be there in the next run and the next
// release too: no number but in the tool's name, no path, no address.
func isStableWord(word, tool string) bool {
	if sameProgram(strings.Trim(word, ":,"), tool) && !strings.Contains(word, "/") {
		return strings.IndexByte(word, maskByte) < 0
	}
	return isStable(word)
}

func isStable(s string) bool {
	for i := range len(s) {
		c := s[i]
		if isDigit(c) || c == '/' || c == '@' || c == maskByte || c < ' ' && c != '\n' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s) && !calendarWords[strings.ToLower(strings.Trim(s, ",.:;()[]"))]
}

// calendarWords change with the day.
var calendarWords = setOf(
	"mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
	"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "january", "february", "march", "april",
	"june", "july", "august", "september", "october", "november", "december", "utc", "gmt",
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// isDistinct reports whether a literal says more than any program's output
// would: it is long enough, holds letters, and is neither a bare marker nor the
// tool's name alone.
func isDistinct(s, tool string) bool {
	words := strings.FieldsFunc(s, func(c rune) bool {
		return !('a' <= c|0x20 && c|0x20 <= 'z') && c < 0x80 && c != '_' && !('0' <= c && c <= '9')
	})
	if len(s) < minLiteral || len(words) == 0 || sameProgram(strings.Trim(s, " :."), tool) {
		return false
	}
	for _, w := range words {
		switch strings.ToLower(w) {
		case "usage", "options", "option", "error", "syntax", "synopsis", "command", "commands", "is", "or", "the", "file", "args", "arg", "arguments", "flags":
		default:
			return true
		}
	}
	return false
}

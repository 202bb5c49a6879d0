package mend

import (
	"slices"
	"strings"
)

// echoes reports whether a line names one of the arguments that the tool was
// given. In a complaint about an option the name counts without its hyphens too,
// and so does the single character that getopt stumbles over.
func echoes(line string, args []string, complaint bool) bool {
	for _, arg := range args {
		if leads(line, arg) {
			return true
		}
		if namesArg(line, arg, complaint) {
			return !isHint(line) && !isOptionLine(line) && !isCall(line)
		}
	}
	return false
}

// namesArg reports whether a line names an argument as a word of its own.
func namesArg(line, arg string, complaint bool) bool {
	if hasToken(line, arg) {
		return true
	}
	if !complaint || !strings.HasPrefix(arg, "-") {
		return false
	}
	bare := strings.TrimLeft(arg, "-")
	return len(bare) > 1 && (hasToken(line, bare) || hasToken(line, arg[1:])) || stumblesOver(line, arg)
}

// leads reports whether a line begins with what the tool was given and goes on
// as a sentence, unlike a line of an option list.
func leads(line, arg string) bool {
	rest, ok := strings.CutPrefix(line, arg)
	return ok && (strings.HasPrefix(rest, ": ") || len(rest) > 1 && rest[0] == ' ' && rest[1] != ' ' && rest[1] != '-')
}

// callWords stand in lines that speak of a program that was called, without a
// first letter that may be a capital.
var callWords = []string{"ommand '[", "ommand failed", "pawn ", "xec ", "xec:", "eturned non-zero", "xit status", "ailed to run", "+ "}

// isCall reports whether a line speaks of another program that was called: its
// arguments are no echo, since the tool may just have passed them on.
func isCall(line string) bool {
	return slices.ContainsFunc(callWords, func(w string) bool { return strings.Contains(line, w) })
}

// isHint reports whether a line tells how to get help rather than what was wrong.
func isHint(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, word := range []string{"try ", "run ", "see ", "type ", "use ", "for more", "for help", "for usage"} {
		if hasPrefixFold(line, word) {
			return true
		}
	}
	return false
}

// hasToken reports whether s holds token as a word of its own that is not part
// of a synopsis: not in brackets and not between alternatives.
func hasToken(s, token string) bool {
	for at := range occurrences(s, token) {
		end := at + len(token)
		before, after := byte(' '), byte(' ')
		if at > 0 {
			before = s[at-1]
		}
		if end < len(s) {
			after = s[end]
		}
		if !isWordByte(before) && !isWordByte(after) && strings.IndexByte("-[|{", before) < 0 && strings.IndexByte("-]|}=", after) < 0 &&
			(before != '/' || inPath(s, at)) {
			return true
		}
	}
	return false
}

// inPath reports whether the slash before offset i belongs to an absolute path,
// rather than standing between alternatives.
func inPath(s string, i int) bool {
	for i > 0 && isPathByte(s[i-1]) {
		i--
	}
	return s[i] == '/'
}

// stumblesOver reports whether a complaint ends with the one character of arg
// that an option parser for single letters could not take: "-- '-'", "`-v'",
// "option -- V", or nothing at all for the hyphen.
func stumblesOver(line, arg string) bool {
	k := strings.LastIndex(line, "--")
	if k < 0 {
		k = strings.LastIndexByte(line, ' ')
	}
	if k < 0 {
		return false
	}
	rest := strings.Trim(line[k:], " -'\"`‘’.!")
	return rest == "" || len(rest) == 1 && strings.Contains(arg, rest)
}

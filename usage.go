package mend

import "strings"

// usageLine is a place where an output says how a program is called.
type usageLine struct {
	stream int
	marker int    // offset of "usage" or the like; -1 if a synopsis stands without one
	name   int    // offset of the program's name; -1 if none was found
	word   string // the name as printed, perhaps with its path
	own    bool   // the name is the tool's
}

// readUsage reads the usage that a marker of length n at offset at announces.
// It reports false if the place is no such announcement.
func readUsage(text string, stream, at, n int, tool string) (usageLine, bool) {
	u := usageLine{stream: stream, marker: at, name: -1}
	start, _ := boundedLine(text, at)
	i, colon := skipMarkerEnd(text, at+n)
	if i < 0 || !opensLine(text[start:at]) && !(colon && text[i-1] == ':') {
		return u, false
	}
	for line := 0; line < usageLines; line++ {
		_, end := boundedLine(text, i)
		if first, word := firstWord(text[i:end]); word != "" {
			call := text[i+first : end]
			if printed, ok := ownName(call, tool); ok {
				u.name, u.word, u.own = i+first, printed, true
				return u, true
			}
			if line == 0 && colon {
				if k := indexName(call, tool); k >= 0 && looksLikeCall(call[k:]) {
					u.name, u.word, u.own = i+first+k, wordAt(call[k:]), true
					return u, true
				}
			}
			if u.name < 0 && (line == 0 && colon && strings.TrimSpace(call) == word || looksLikeCall(call)) {
				skip := launchedAt(call, word)
				u.name, u.word = i+first+skip, wordAt(call[skip:])
			}
			if u.name >= 0 && relatedProgram(u.word, tool) {
				u.own = true
				return u, true
			}
		}
		if end >= len(text) || !colon && u.name < 0 {
			break
		}
		i = end + 1
	}
	return u, colon || u.name >= 0
}

// usageLines is how many lines from a marker on may name the program.
const usageLines = 5

// boundedLine returns the bounds of the line that holds offset i, looking no
// farther than lineReach either way.
func boundedLine(text string, i int) (start, end int) {
	l := lineAround(text, 0, min(i, len(text)))
	return l.start, l.start + len(l.text)
}

// opensLine reports whether a marker may stand behind prefix: nothing, a
// bullet, or the program that speaks.
func opensLine(prefix string) bool {
	prefix = strings.Trim(prefix, " \t*#=-[]<_.:|")
	return prefix == "" || speaker(prefix+":") == prefix || strings.EqualFold(prefix, "error")
}

// skipMarkerEnd returns the offset behind a marker, and whether a colon or the
// end of the line closed it; -1 if the marker is part of a longer word.
func skipMarkerEnd(text string, i int) (next int, closed bool) {
	_, end := boundedLine(text, i)
	rest := text[i:end]
	for _, word := range []string{" summary", " information", " is", " message", "s"} {
		if hasPrefixFold(rest, word) {
			rest = rest[len(word):]
			break
		}
	}
	if hasPrefixFold(rest, " for ") && strings.HasSuffix(rest, ":") {
		return end, true
	}
	if hasPrefixFold(rest, " of ") { // the flag package of Go
		return end - len(rest) + len(" of "), true
	}
	trimmed := strings.TrimLeft(rest, " \t]>*_=-")
	next = end - len(trimmed)
	switch {
	case trimmed == "":
		return next, true
	case trimmed[0] == ':':
		return next + 1, true
	case strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "\t"):
		return next, false
	}
	return -1, false
}

// firstWord returns the first word of a line that may be a program's name, and
// its offset: prompts and bullets are passed over.
func firstWord(line string) (at int, word string) {
	for at < len(line) {
		for at < len(line) && strings.IndexByte(" \t`'\"", line[at]) >= 0 {
			at++
		}
		end := at
		for end < len(line) && line[end] != ' ' && line[end] != '\t' {
			end++
		}
		word = line[at:end]
		switch strings.ToLower(word) {
		case "$", "%", ">", "or:", "or", "#", "-", "*", "to", "either":
			at = end
			continue
		}
		return at, word
	}
	return at, ""
}

// ownName reports whether a synopsis begins with the tool's name, also in the
// form of a subcommand ("git foo" for git-foo), and returns the name as printed.
func ownName(line, tool string) (string, bool) {
	end := len(wordAt(line))
	word := strings.TrimRight(line[:end], ":,.")
	if sameProgram(word, tool) {
		return word, true
	}
	if isLauncher(word) {
		if printed, ok := launchedName(line, tool); ok {
			return printed, true
		}
	}
	rest := strings.TrimLeft(line[end:], " \t")
	k := strings.IndexAny(rest, " \t[<")
	if k < 0 {
		k = len(rest)
	}
	if k > 0 && end < len(line) && sameProgram(word+"-"+rest[:k], tool) && strings.Contains(tool, "-") {
		return line[:len(line)-len(rest)+k], true
	}
	return "", false
}

// launchedAt returns the offset in a call of what a launcher launches, as in
// "java org.example.Main [options]", or 0.
func launchedAt(call, word string) int {
	rest := strings.TrimLeft(call[min(len(word), len(call)):], " ")
	if what := wordAt(rest); !isLauncher(word) || !isNameWord(what) || what == strings.ToUpper(what) || strings.HasSuffix(what, "...") {
		return 0
	}
	return len(call) - len(rest)
}

// wordAt returns the word that s begins with.
func wordAt(s string) string {
	if k := strings.IndexAny(s, " \t"); k >= 0 {
		return s[:k]
	}
	return s
}

// launchedName reports whether a call of a launcher names the tool as what is
// launched, as in "java -jar foo.jar", and returns the call up to there.
func launchedName(line, tool string) (string, bool) {
	at := 0
	for n := 0; n < 4 && at < len(line); n++ {
		rest := line[at:]
		word := strings.TrimLeft(rest, " ")
		start := at + len(rest) - len(word)
		word = wordAt(word)
		if n > 0 && sameProgram(word, tool) && !strings.HasPrefix(word, "-") {
			return line[:start+len(word)], true
		}
		at = start + len(word)
	}
	return "", false
}

// looksLikeCall reports whether text reads as a program and what it is given:
// a name, then options, operands in brackets or in capitals.
func looksLikeCall(line string) bool {
	k := strings.IndexAny(line, " \t")
	if k <= 0 {
		return false
	}
	name, rest := line[:k], strings.TrimLeft(line[k:], " \t")
	if rest == "" || !isNameWord(name) {
		return false
	}
	switch rest[0] {
	case '[', '<', '{', '-', '(', '?':
		return true
	}
	word := wordAt(rest)
	return len(word) > 1 && word == strings.ToUpper(word) && isLetter(word[0])
}

// maxNames bounds how many places of the tool's name are looked at.
const maxNames = 48

// findSynopsis returns the first line that begins with the tool's name and goes
// on like a call, which is how a usage without a marker looks.
func findSynopsis(text string, stream int, tool string) (usageLine, bool) {
	name := programName(tool)
	if name == "" || name == "." || name == "/" {
		return usageLine{}, false
	}
	n := 0
	for at := range occurrences(text, name) {
		start, end := boundedLine(text, at)
		call := text[at:end]
		if cut, ok := strings.CutPrefix(call, name+": "); ok && cut != "" && strings.IndexByte("[<{?", cut[0]) >= 0 {
			call = name + " " + cut
		}
		if strings.TrimLeft(text[start:at], " \t`'\"$") == "" && looksLikeCall(call) {
			return usageLine{stream: stream, marker: -1, name: at, word: name, own: true}, true
		}
		if n++; n == maxNames {
			break
		}
	}
	return usageLine{}, false
}

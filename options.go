package mend

import (
	"slices"
	"strings"
)

// optionReach bounds how much of each end of a text is read for option lists.
const optionReach = 64 << 10

// countOptionLines returns how many lines describe an option: they begin with
// one, indentation aside.
func countOptionLines(text string) int {
	if len(text) > 2*optionReach {
		return countOptionLines(text[:optionReach]) + countOptionLines(text[len(text)-optionReach:])
	}
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		if isOptionLine(line) {
			n++
		}
	}
	return n
}

// isOptionLine reports whether a line describes an option.
func isOptionLine(line string) bool {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	if i+1 >= len(line) || line[i] != '-' {
		return false
	}
	c := line[i+1]
	if c == '-' {
		return i+2 < len(line) && isLetter(line[i+2])
	}
	return isLetter(c) || isDigit(c) || c == '?' || c == '#'
}

// versionWords are the options and subcommands that may ask for the version.
var versionWords = []string{"--version", "-V", "-version", "version", "-v", "--Version", "-VV", "--ver", "-ver", "--show-version", "--print-version", "--full-version", "--VERSION"}

func isPlainWord(word string) bool {
	for i := range len(word) {
		if !isWordByte(word[i]) && word[i] != '-' {
			return false
		}
	}
	return len(word) > 1
}

// optionSpec is a line of an option list, taken apart.
type optionSpec struct {
	options   []string
	takesWord bool // an option that wants an argument
	desc      string
}

// parseOptionLine takes apart a line such as "  -V, --version   print it".
func parseOptionLine(line string) optionSpec {
	var spec optionSpec
	rest := strings.TrimLeft(line, " \t")
	for strings.HasPrefix(rest, "-") && len(spec.options) < 6 {
		end := strings.IndexAny(rest, " \t,|/")
		if end < 0 {
			end = len(rest)
		}
		word := strings.TrimRight(rest[:end], ":;.")
		rest = rest[end:]
		if k := strings.IndexAny(word, "=[<("); k > 0 {
			spec.takesWord, word = true, word[:k]
		}
		spec.options = append(spec.options, word)
		gap := rest[:len(rest)-len(strings.TrimLeft(rest, " \t,|/"))]
		rest = strings.TrimPrefix(rest[len(gap):], "or ")
		if !strings.ContainsAny(gap, ",|/") && (len(gap) > 1 || gap == "\t") {
			break // the description begins
		}
	}
	if after, ok := metavar(rest); ok {
		spec.takesWord = true
		rest = after
	}
	spec.desc = strings.TrimSpace(strings.TrimLeft(rest, " \t-:=.("))
	return spec
}

// metavar splits off the name of an option's argument: in brackets, in capitals,
// or set apart from the description by a wide gap. It returns what follows.
func metavar(rest string) (after string, ok bool) {
	end := strings.IndexAny(rest, " \t")
	if end <= 0 {
		return rest, false
	}
	word, after := rest[:end], rest[end:]
	wide := strings.HasPrefix(after, "  ") || strings.HasPrefix(after, "\t")
	bracketed := strings.IndexByte("<[", word[0]) >= 0
	capitals := len(word) > 1 && word == strings.ToUpper(word) && isLetter(word[0])
	if bracketed || wide && (capitals || strings.TrimSpace(after) != "" && isNameWord(word)) {
		return after, true
	}
	return rest, false
}

// versionOptions returns the options of the line that show the version.
func (s optionSpec) versionOptions() []string {
	named := slices.ContainsFunc(s.options, func(o string) bool { return slices.Contains(versionWords[:4], o) && o != "-V" })
	if s.takesWord || !named && !showsVersion(s.desc) {
		return nil
	}
	return s.plainOptions()
}

func (s optionSpec) plainOptions() []string {
	if s.takesWord {
		return nil
	}
	return s.options
}

// showsVersion reports whether a description says that the version is shown, as
// opposed to used, wanted or compared.
func showsVersion(desc string) bool {
	lower := strings.ToLower(strings.TrimSpace(desc))
	k := strings.Index(lower, "version")
	if k < 0 {
		return false
	}
	if k == 0 {
		rest := strings.TrimLeft(lower[len("version"):], " .:")
		return rest == "" || slices.ContainsFunc([]string{"info", "number", "and ", "string", "of ", "for ", "(", "output"}, func(p string) bool { return strings.HasPrefix(rest, p) })
	}
	for _, w := range strings.FieldsFunc(lower[:k], func(c rune) bool { return !('a' <= c && c <= 'z') }) {
		switch w {
		case "show", "shows", "print", "prints", "display", "displays", "output", "outputs", "report", "reports", "tell", "tells", "get", "gets",
			"emit", "emits", "dump", "write", "writes", "list", "give", "gives", "this", "its", "program", "current", "return", "returns", "printing", "shown", "see", "view":
			return true
		}
	}
	return strings.Contains(lower[k:], "and exit") || strings.Contains(lower[k:], "then exit") || strings.Contains(lower[k:], "and quit")
}

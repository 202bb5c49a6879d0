package mend

import (
	"slices"
	"strings"
)

// offer is a way to ask for the version, or for help, that an output offers.
type offer struct {
	word  string // the argument: "-V", "version"
	guess bool   // named without saying what it does
}

// versionOffers returns the ways to show the version that the output offers,
// the surest first. What the tool was given already is not among them.
func (r *reading) versionOffers() []offer {
	var sure, guesses []offer
	add := func(list *[]offer, word string, guess bool) {
		if slices.Contains(r.args, word) || !isPlainWord(word) {
			return
		}
		for _, o := range append(sure, guesses...) {
			if o.word == word {
				return
			}
		}
		*list = append(*list, offer{word, guess})
	}
	for _, s := range r.versions {
		for _, word := range r.describedVersion(s) {
			add(&sure, word, false)
		}
	}
	if word := r.suggested(); word != "" {
		add(&sure, word, false)
	}
	for _, word := range r.synopsisFlags() {
		if !r.describesOtherwise(word) {
			add(&guesses, word, true)
		}
	}
	if word := r.strippedHyphen(); word != "" {
		add(&guesses, word, true)
	}
	slices.SortStableFunc(sure, func(a, b offer) int { return offerRank(a.word) - offerRank(b.word) })
	return append(sure, guesses...)
}

// offerRank puts long options before short ones before subcommands: the longer
// the name, the less it can mean anything else.
func offerRank(word string) int {
	switch {
	case strings.HasPrefix(word, "--"):
		return 0
	case strings.HasPrefix(word, "-"):
		return 1
	}
	return 2
}

// describedVersion returns the options or subcommands that the line of a
// sighting describes as showing the version.
func (r *reading) describedVersion(s sighting) []string {
	line, text := s.line, r.text[s.line.stream]
	if isOptionLine(line.text) {
		spec := parseOptionLine(line.text)
		if spec.desc == "" {
			spec.desc = strings.TrimSpace(nextLine(text, line))
		}
		return spec.versionOptions()
	}
	if prev := previousLine(text, line); isOptionLine(prev) {
		if spec := parseOptionLine(prev); spec.desc == "" && showsVersion(line.text) {
			return spec.plainOptions()
		}
	}
	if word, ok := r.versionSubcommand(text, line); ok {
		return []string{word}
	}
	return r.versionCall(line.text)
}

// previousLine returns the line before l.
func previousLine(text string, l outputLine) string {
	if l.start < 2 {
		return ""
	}
	return lineAround(text, l.stream, l.start-1).text
}

// lineBelow returns the line behind l.
func lineBelow(text string, l outputLine) string {
	i := l.start + len(l.text) + 1
	if i >= len(text) {
		return ""
	}
	return lineAround(text, l.stream, i).text
}

// nextLine returns the line behind l if it is indented further, as the
// continuation of a description is.
func nextLine(text string, l outputLine) string {
	next := lineBelow(text, l)
	if isOptionLine(next) || indent(next) <= indent(l.text) {
		return ""
	}
	return next
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// versionSubcommand reports whether the line lists a subcommand that shows the
// version, alone or with a description.
func (r *reading) versionSubcommand(text string, l outputLine) (string, bool) {
	trimmed := strings.TrimLeft(l.text, " \t*")
	rest, ok := strings.CutPrefix(trimmed, "version")
	if !ok {
		return "", false
	}
	if cut, ok := strings.CutPrefix(rest, ","); ok { // further names of the subcommand
		_, after, _ := strings.Cut(strings.TrimLeft(cut, " "), " ")
		rest = " " + after
	}
	desc := strings.TrimSpace(strings.TrimLeft(rest, " \t-:"))
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != ':' || underArguments(text, l.start) {
		return "", false
	}
	if desc == "" {
		desc = strings.TrimSpace(nextLine(text, l))
	}
	if desc == "" && indent(l.text) > 0 {
		return "version", inList(text, l)
	}
	return "version", showsVersion(desc) || strings.HasPrefix(strings.ToLower(desc), "version")
}

// inList reports whether the lines round l are indented alike and short, as the
// names of subcommands are.
func inList(text string, l outputLine) bool {
	alike := func(s string) bool {
		return s != "" && indent(s) == indent(l.text) && len(strings.Fields(s)) == 1 && isNameWord(strings.TrimSpace(s))
	}
	return alike(previousLine(text, l)) || alike(lineBelow(text, l))
}

// underArguments reports whether the closest heading above offset i lists
// operands rather than commands.
func underArguments(text string, i int) bool {
	from := max(0, i-optionReach/16)
	for above := text[from:i]; above != ""; {
		above = strings.TrimSuffix(above, "\n")
		k := strings.LastIndexByte(above, '\n')
		line := above[k+1:]
		above = above[:k+1]
		if line != "" && indent(line) == 0 && strings.HasSuffix(strings.TrimSpace(line), ":") {
			return indexFold(line, "argument") >= 0 || indexFold(line, "operand") >= 0 || indexFold(line, "parameter") >= 0
		}
	}
	return false
}

// versionCall returns the argument of a call of the tool that a line names
// beside the word version: "foo -v for the version", "foo version   # show it".
func (r *reading) versionCall(line string) []string {
	words := strings.FieldsFunc(line, isWordBreak)
	for i := 0; i+1 < len(words); i++ {
		word := strings.TrimRight(words[i+1], ".:")
		if !sameProgram(words[i], r.tool) || !slices.Contains(versionWords, word) {
			continue
		}
		_, after, _ := strings.Cut(line, word)
		listed := i == 0 && (strings.TrimSpace(after) == "" || showsVersion(strings.TrimLeft(after, " \t#-:")))
		told := i > 0 && i+2 == len(words) && slices.Contains([]string{"or:", "or", "usage:", "run", "try", "use", "see", "$"}, strings.ToLower(words[i-1]))
		if word == "version" && !listed && !told {
			continue // "foo version 1.2" states one
		}
		return []string{word}
	}
	return nil
}

// isWordBreak reports whether c stands between the words of a call that is quoted
// in a sentence.
func isWordBreak(c rune) bool {
	switch c {
	case ' ', '\t', '`', '\'', '"', '‘', '’', '“', '”', ',', ';', '(', ')', '|':
		return true
	}
	return false
}

// suggested returns the word version if the tool, having rejected what it was
// given, asks whether that was meant.
func (r *reading) suggested() string {
	for _, s := range r.versions {
		line := s.line.text
		if k := indexFold(line, "did you mean"); k >= 0 {
			line = line[k:]
		} else if indexFold(previousLine(r.text[s.line.stream], s.line), "did you mean") < 0 {
			continue
		}
		if hasToken(line, "version") && r.rejects() {
			return "version"
		}
	}
	return ""
}

package mend

import (
	"slices"
	"strings"
)

// proposeHelp asks for the help text with --help. A tool whose first answer names
// -h and nothing else is asked with that first.
func proposeHelp(f Failure) []Candidate {
	if len(f.Observations) == 0 || f.offersOnlyH() && !f.tried("-h") {
		return nil
	}
	return f.askHelp("--help")
}

// proposeH asks for the help text with -h, if --help gave none.
func proposeH(f Failure) []Candidate {
	if len(f.Observations) == 0 || !f.offersOnlyH() && !f.unhelpful("--help") {
		return nil
	}
	return f.askHelp("-h")
}

// proposeOfferedHelp asks for the help text in the other ways that the tool's own
// output offers, if neither --help nor -h gave it. A word is never tried unless
// it is offered: to some tools it is a file to create.
func proposeOfferedHelp(f Failure) []Candidate {
	if len(f.Observations) == 0 || !f.unhelpful("--help") || !f.unhelpful("-h") {
		return nil
	}
	for _, word := range []string{"-help", "help"} {
		if f.offersHelp(word) && !f.unhelpful(word) {
			return f.askHelp(word)
		}
	}
	return nil
}

// askHelp returns the checks that the tool's answer to a request for help allows,
// or the request if it was not made yet.
func (f *Failure) askHelp(word string) []Candidate {
	r, ok := f.asked(word)
	if !ok {
		return []Candidate{f.probe(f.with(word), StrengthVersion)}
	}
	control := f.control()
	verdict, _ := r.verdict(control, f.Installed)
	if verdict == Broken || r.obs.TimedOut || verdict != Working && !r.isHelp() && !f.answers(r) {
		return nil
	}
	return append(f.versionCandidates(f.with(word), r), f.outputCandidates(f.with(word), r, control)...)
}

// offersHelp reports whether an output offers the word as a way to get help:
// behind the tool's name, or as an option of its own.
func (f *Failure) offersHelp(word string) bool {
	for i := range f.Observations {
		r := f.reading(i)
		for _, text := range r.text {
			text = text[:min(len(text), optionReach)]
			for at := range occurrences(text, word) {
				line := lineAround(text, 0, at)
				if !r.wasGiven(word) && offersWord(line.text[:at-line.start], line.text[at+len(word)-line.start:], word, r.tool) {
					return true
				}
			}
		}
	}
	return false
}

// wasGiven reports whether the tool was given the word, hyphens aside.
func (r *reading) wasGiven(word string) bool {
	bare := strings.TrimLeft(word, "-")
	return slices.ContainsFunc(r.args, func(arg string) bool { return strings.TrimLeft(arg, "-") == bare })
}

// offersWord reports whether a line offers the word that stands between before
// and after.
func offersWord(before, after, word, tool string) bool {
	if after != "" && (isWordByte(after[0]) || after[0] == '-') {
		return false
	}
	fields := strings.Fields(strings.TrimRight(before, "`'\"‘“"))
	behindTool := len(fields) > 0 && sameProgram(strings.Trim(fields[len(fields)-1], "`'\"‘“$"), tool)
	if !strings.HasPrefix(word, "-") {
		listed := strings.TrimSpace(before) == "" && before != "" && (after == "" || strings.HasPrefix(after, " ") || strings.HasPrefix(after, "\t"))
		return behindTool && strings.HasSuffix(strings.TrimRight(before, "`'\"‘“"), " ") || listed
	}
	return behindTool || before == "" || strings.ContainsAny(before[len(before)-1:], " \t[|,`'\"(")
}

// offersOnlyH reports whether the tool's first answer names -h but not --help.
func (f *Failure) offersOnlyH() bool {
	r := f.reading(0)
	short := false
	for _, text := range r.text {
		text = text[:min(len(text), optionReach)]
		if strings.Contains(text, "-help") {
			return false
		}
		short = short || hasToken(text, "-h") || strings.Contains(text, "[-h]") || strings.Contains(text, "-h|") || strings.Contains(text, "|-h")
	}
	return short
}

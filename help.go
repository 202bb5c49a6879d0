package mend

import (
	"slices"
	"strings"
)

// help returns candidates for the help text that the given words ask for. The
// first word is always asked; the others only if an output offers them.
func (f *Failure) help(words ...string) []Candidate {
	if len(f.Observations) == 0 {
		return nil
	}
	var candidates []Candidate
	for i, word := range words {
		if i > 0 && !f.offersHelp(word) {
			continue
		}
		if i == 0 && word == "--help" && f.offersOnlyH() && !f.tried("-h") {
			continue
		}
		r, ok := f.asked(word)
		if !ok {
			return append(candidates, f.probe(f.with(word), StrengthVersion))
		}
		control := f.control()
		verdict, _ := r.verdict(control, f.Installed)
		if verdict == Broken || r.obs.TimedOut || verdict != Working && !r.isHelp() && !f.answers(r) {
			continue
		}
		candidates = append(candidates, f.versionCandidates(f.with(word), r)...)
		candidates = append(candidates, f.outputCandidates(f.with(word), r, control)...)
		if f.helped(r) {
			break
		}
	}
	return candidates
}

// answers reports whether a tool that failed otherwise speaks of itself when it
// is asked for help, in sentences of its own.
func (f *Failure) answers(r *reading) bool {
	if r.obs.ExitCode != 0 || f.reading(0).obs.ExitCode == 0 {
		return false
	}
	for range r.describingLiterals() {
		_, foreign := r.foreignUsage()
		return !foreign
	}
	return false
}

func (f *Failure) tried(word string) bool {
	_, ok := f.asked(word)
	return ok
}

// helped reports whether an answer is a help text rather than one more
// complaint.
func (f *Failure) helped(r *reading) bool {
	if r.obs.TimedOut || !r.isHelp() {
		return false
	}
	verdict, _ := r.verdict(nil, f.Installed)
	return verdict != Broken && !anyEcho(r.complaintSigns(false))
}

// askedForHelp reports whether every way to get help that is always tried was.
func (f *Failure) askedForHelp() bool {
	r, ok := f.asked("--help")
	if ok && f.helped(r) {
		return true
	}
	h, hok := f.asked("-h")
	return ok && hok || hok && f.helped(h)
}

// offersHelp reports whether an output offers the word as a way to get help:
// behind the tool's name, or as an option of its own.
func (f *Failure) offersHelp(word string) bool {
	for i := range f.Observations {
		r := f.reading(i)
		for _, text := range r.text {
			text = text[:min(len(text), optionReach)]
			for from := 0; ; {
				k := strings.Index(text[from:], word)
				if k < 0 {
					break
				}
				at := from + k
				from = at + len(word)
				line := lineAround(text, 0, at)
				if !r.wasGiven(word) && offersWord(line.text[:at-line.start], line.text[from-line.start:], word, r.tool) {
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

package mend

import (
	"slices"
	"strings"
)

// synopsisLines bounds how many lines of a synopsis are read.
const synopsisLines = 12

// synopsis returns the lines in which a usage says how the tool is called: up to
// the first blank line or the list of options.
func (r *reading) synopsis(u usageLine) string {
	text := r.text[u.stream]
	start := u.name
	if start < 0 {
		start = u.marker
	}
	end := start
	for n := 0; n < synopsisLines && end < len(text); n++ {
		line := lineAround(text, u.stream, end)
		stop := line.start + len(line.text)
		body := text[end:stop]
		if n > 0 && (strings.TrimSpace(body) == "" || isOptionLine(body) && parseOptionLine(body).desc != "") {
			break
		}
		end = min(stop+1, len(text))
	}
	return text[start:end]
}

// synopsisFlags returns the options by which the tool's synopsis may offer the
// version without saying so, the likeliest first.
func (r *reading) synopsisFlags() []string {
	var found synopsisOptions
	for _, u := range r.usages {
		if !u.own && u.name >= 0 && isLauncher(u.word) {
			continue
		}
		if text := r.synopsis(u); strings.Contains(text, "V") || strings.Contains(text, "-v") {
			found.read(text)
		}
	}
	return found.flags()
}

// synopsisOptions says which options that may show the version a synopsis names.
type synopsisOptions struct{ capital, long, small bool }

func (o *synopsisOptions) read(text string) {
	for item := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("[]{}()|\n", c) }) {
		words := strings.Fields(item)
		for i, w := range words {
			alone := i+1 == len(words) || strings.HasPrefix(words[i+1], "-")
			switch w = strings.TrimRight(w, ","); {
			case w == "-V":
				o.capital = o.capital || alone
			case w == "-version":
				o.long = o.long || alone
			case w == "-v":
				o.small = o.small || alone && len(words) == 1
			case len(words) == 1 && isCluster(w):
				o.capital = o.capital || strings.IndexByte(w, 'V') > 0
			}
		}
	}
}

// isCluster reports whether a word is a hyphen with several letters behind it,
// not all of one word: some of them are capitals.
func isCluster(w string) bool {
	return len(w) > 2 && w[0] == '-' && w[1] != '-' && isPlainWord(w) && w[1:] != strings.ToLower(w[1:])
}

// flags returns the options, the likeliest first.
func (o synopsisOptions) flags() []string {
	var flags []string
	if o.long {
		flags = append(flags, "-version")
	}
	if o.capital {
		flags = append(flags, "-V")
	}
	if o.small {
		flags = append(flags, "-v")
	}
	return flags
}

// describesOtherwise reports whether the output describes an option as doing
// something else than showing the version, or speaks of verbosity.
func (r *reading) describesOtherwise(word string) bool {
	for _, text := range r.text {
		text = text[:min(len(text), optionReach)]
		if word == "-v" && indexFold(text, "verbos") >= 0 {
			return true
		}
		for line := range strings.SplitSeq(text, "\n") {
			if !isOptionLine(line) || !strings.Contains(line, word) {
				continue
			}
			spec := parseOptionLine(line)
			if slices.Contains(spec.options, word) && (spec.takesWord || spec.desc != "" && !showsVersion(spec.desc)) {
				return true
			}
		}
	}
	return false
}

// strippedHyphen returns the option with one hyphen less if that is the form in
// which the tool rejected it. The flag package of Go is left out: to it, both
// forms are one.
func (r *reading) strippedHyphen() string {
	for _, s := range r.complaints {
		if s.sig.name != "complaint.option" || indexFold(s.line.text, "flag provided but not defined") >= 0 {
			continue
		}
		for _, arg := range r.args {
			if bare, ok := strings.CutPrefix(arg, "-"); ok && strings.HasPrefix(bare, "-") && hasToken(s.line.text, bare) && !hasToken(s.line.text, arg) {
				return bare
			}
		}
	}
	return ""
}

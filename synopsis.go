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
	var capital, long, small bool
	for _, u := range r.usages {
		if !u.own && u.name >= 0 && isLauncher(u.word) {
			continue
		}
		for item := range strings.FieldsFuncSeq(r.synopsis(u), func(c rune) bool { return strings.ContainsRune("[]{}()|\n", c) }) {
			words := strings.Fields(item)
			for i, w := range words {
				alone := i+1 == len(words) || strings.HasPrefix(words[i+1], "-")
				switch w = strings.TrimRight(w, ","); {
				case w == "-V":
					capital = capital || alone
				case w == "-version":
					long = long || alone
				case w == "-v":
					small = small || alone && len(words) == 1
				case len(w) > 2 && w[0] == '-' && w[1] != '-' && len(words) == 1 && isPlainWord(w) && w[1:] != strings.ToLower(w[1:]):
					capital = capital || strings.IndexByte(w, 'V') > 0
				}
			}
		}
	}
	var flags []string
	if long {
		flags = append(flags, "-version")
	}
	if capital {
		flags = append(flags, "-V")
	}
	if small {
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

package mend

import (
	"iter"
	"slices"
	"strings"
)

// maxLiterals bounds how many patterns are tried for one output.
const maxLiterals = 6

// usageLiterals yields patterns for the tool's own help text, the rarest stable
// text that names the tool first: "Usage: mytool", a synopsis, a line that
// speaks of the tool, and in a help text that names nothing the description of
// an option.
func (r *reading) usageLiterals() iter.Seq[string] {
	return distinct(r.tool, func(yield func(string) bool) {
		if _, foreign := r.foreignUsage(); foreign {
			return
		}
		for _, u := range r.usages {
			if u.own && (!yield(r.usageLiteral(u)) || !yield(r.synopsisLiteral(u))) {
				return
			}
		}
		if !yieldAll(yield, r.describingLiterals()) || !r.isHelp() {
			return
		}
		for _, u := range r.usages {
			if !yield(r.synopsisLiteral(u)) {
				return
			}
		}
		if yield(r.optionLiteral()) {
			yieldAll(yield, r.sentences())
		}
	})
}

func yieldAll(yield func(string) bool, seq iter.Seq[string]) bool {
	for s := range seq {
		if !yield(s) {
			return false
		}
	}
	return true
}

// distinct yields what of seq can be a pattern, without repetitions and
// maxLiterals of it at most.
func distinct(tool string, seq iter.Seq[string]) iter.Seq[string] {
	return func(yield func(string) bool) {
		var kept []string
		for s := range seq {
			if s == "" || slices.Contains(kept, s) || !isDistinct(s, tool) {
				continue
			}
			kept = append(kept, s)
			if !yield(s) || len(kept) == maxLiterals {
				return
			}
		}
	}
}

// usageLiteral returns the text from a usage's marker to the tool's name, also
// over a line end, if nothing else stands between.
func (r *reading) usageLiteral(u usageLine) string {
	if u.marker < 0 || u.name < u.marker || u.name+len(u.word)-u.marker > maxLiteral {
		return ""
	}
	s := r.masked(u.stream)[u.marker : u.name+len(u.word)]
	marker, _, _ := strings.Cut(s, u.word)
	if !isStable(marker) || strings.ContainsAny(marker, "\t[<") || strings.Contains(s, "/") || strings.IndexByte(s, maskByte) >= 0 {
		return ""
	}
	return s
}

// synopsisLiteral returns the first words of a synopsis: with the tool's name if
// that is printed without a path, else what stands behind it.
func (r *reading) synopsisLiteral(u usageLine) string {
	if u.name < 0 {
		return ""
	}
	text := r.masked(u.stream)
	_, end := boundedLine(text, u.name)
	run := stableRun(text[u.name:end], 0, r.tool)
	if len(strings.Fields(run)) < 2 && !strings.HasPrefix(run, "[") {
		return ""
	}
	return run
}

// describingLines is how many lines are searched for one that speaks of the tool.
const describingLines = 60

// describingLiterals yields the stable parts of lines that name the tool in a
// sentence.
func (r *reading) describingLiterals() iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range r.lines() {
			at := indexName(line.text, r.tool)
			if at < 0 || isHint(line.text) || echoes(line.text, r.args, false) || r.complains(line) {
				continue
			}
			if run := stableRun(line.text, at, r.tool); len(strings.Fields(run)) >= 4 && !yield(run) {
				return
			}
		}
	}
}

// lines yields the first lines of both streams, without the tool's own paths.
func (r *reading) lines() iter.Seq[outputLine] {
	return func(yield func(outputLine) bool) {
		for stream := range r.text {
			text := r.masked(stream)
			for n, from := 0, 0; n < describingLines && from < len(text); n++ {
				line := lineAround(text, stream, from)
				if !yield(line) {
					return
				}
				from = line.start + len(line.text) + 1
			}
		}
	}
}

// sentences yields stable lines of the output that are no complaint, longest
// first.
func (r *reading) sentences() iter.Seq[string] {
	var found []string
	for line := range r.lines() {
		if run := stableRun(line.text, 0, r.tool); len(strings.Fields(run)) >= 3 && !echoes(line.text, r.args, false) && !r.complains(line) {
			found = append(found, run)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return len(b) - len(a) })
	return distinct(r.tool, slices.Values(found))
}

// complains reports whether a line is a complaint or a sign of a broken install.
func (r *reading) complains(line outputLine) bool {
	at := func(s sighting) bool { return s.line.stream == line.stream && s.line.start == line.start }
	return slices.ContainsFunc(r.complaints, at) || slices.ContainsFunc(r.broken, at) || slices.ContainsFunc(r.environment, at)
}

// commonHelp is what the help texts of any tool say.
var commonHelp = []string{
	"help", "version", "verbose", "usage", "quiet", "debug", "options", "commands", "arguments", "show program", "and exit", "copyright", "license",
	"licence", "warranty", "report bugs", "standard input", "stdin", "home page",
}

// optionLiteral returns the longest stable description of an option that is not
// common to all help texts.
func (r *reading) optionLiteral() string {
	best := ""
	for stream := range r.text {
		text := r.masked(stream)
		for line := range strings.SplitSeq(text[:min(len(text), optionReach)], "\n") {
			if !isOptionLine(line) || len(line) > 2*lineReach || containsFold(line, commonHelp) {
				continue
			}
			spec := parseOptionLine(line)
			at := strings.LastIndex(line, spec.desc)
			if spec.desc == "" || at < 0 {
				continue
			}
			if run := stableRun(line[at:], 0, r.tool); len(run) > len(best) && len(strings.Fields(run)) >= 3 {
				best = run
			}
		}
	}
	return best
}

// complaintLiterals yields patterns for the tool's complaint about what it was
// given: the stable part of the line round what it names, with the tool's name
// or the argument in it.
func (r *reading) complaintLiterals() iter.Seq[string] {
	var named, echoed []string
	for _, w := range r.complaintSigns() {
		line := lineAround(r.masked(w.stream), w.stream, w.at)
		at := w.at - line.start
		if k := r.indexEcho(line.text); k >= 0 {
			at = k
		}
		run := stableRun(line.text, at, r.tool)
		switch {
		case indexName(run, r.tool) >= 0:
			named = append(named, run)
		case w.echo && len(strings.Fields(run)) >= 2 && (r.indexEcho(run) >= 0 || w.name == "complaint.option"):
			echoed = append(echoed, run)
		case w.own && (len(strings.Fields(run)) >= 4 || w.name == "complaint.option" && len(run) >= 2*minLiteral):
			echoed = append(echoed, run)
		}
	}
	return distinct(r.tool, slices.Values(append(named, echoed...)))
}

// indexEcho returns where a line names what the tool was given, or -1.
func (r *reading) indexEcho(line string) int {
	for _, arg := range r.args {
		if k := strings.LastIndex(line, arg); k >= 0 && arg != "" {
			return k
		}
	}
	return -1
}

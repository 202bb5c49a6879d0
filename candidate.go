package mend

import (
	"iter"
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// Rule proposes checks for a verification that failed. Propose is a pure
// function: it sees every observation made so far, and is asked again whenever
// one more was made.
type Rule struct {
	Name    string
	Propose func(Failure) []Candidate
}

// Candidate is a check that a rule proposes. If its command was not run yet, it
// is run, and the rules are asked again; a candidate whose command was run is
// judged and has to be proven. So a rule that must see an output first proposes
// the command alone.
type Candidate struct {
	Method   string        // for [RepairMetadata]; "" is the rule's name
	Verify   VerifySection // the whole section
	Strength Strength      // the best it could come to; the strongest is tried first
}

// versionCandidates returns the checks in version mode that a reading of the
// given command allows.
func (f *Failure) versionCandidates(words []string, r *reading) []Candidate {
	stated, ok := r.statedVersion(f.Installed)
	if !ok || r.obs.TimedOut || r.obs.Signal != "" {
		return nil
	}
	var candidates []Candidate
	for _, patterns := range r.versionPatterns(stated) {
		v := f.section(words, r)
		v.Mode, v.Reason, v.Pattern, v.Patterns = "", "", patterns[0], patterns[1:]
		if len(v.Patterns) == 0 {
			v.Patterns = nil
		}
		if stated.format != f.Recipe.versionFormat() {
			v.VersionFormat = stated.format
		}
		candidates = append(candidates, Candidate{Verify: v, Strength: StrengthVersion})
	}
	return append(candidates, f.backed(candidates)...)
}

// backed returns the simplest of the candidates with the tool's help text as an
// additional check. It is for a version that stands alone in the output of a run
// whose exit code says nothing: a fault may print the version too, but not both.
func (f *Failure) backed(candidates []Candidate) []Candidate {
	help, ok := f.cleanHelp()
	if !ok || len(candidates) == 0 || candidates[0].Verify.wantedExitCode() == 0 {
		return nil
	}
	c := candidates[0]
	c.Verify.Additional = append(slices.Clone(c.Verify.Additional), help)
	return []Candidate{c}
}

// cleanHelp returns a check for the tool's help text, if it was seen and the
// tool exited with 0.
func (f *Failure) cleanHelp() (AdditionalVerify, bool) {
	for _, word := range []string{"--help", "-h"} {
		r, ok := f.asked(word)
		if !ok || r.obs.ExitCode != 0 || !f.helped(r) {
			continue
		}
		for pattern := range r.usageLiterals() {
			return AdditionalVerify{Command: command.Join(f.with(word)), Pattern: pattern}, true
		}
	}
	return AdditionalVerify{}, false
}

// section returns the recipe's verify section for another command, with the
// exit code that was seen and without the patterns that it had.
func (f *Failure) section(words []string, r *reading) VerifySection {
	v := *f.Recipe.Verify
	if !slices.Equal(words, f.words()) {
		v.Command = command.Join(words)
	}
	v.Pattern, v.Patterns, v.ExitCode = "", nil, nil
	if code := r.obs.ExitCode; code != 0 {
		v.ExitCode = &code
	}
	return v
}

// versionFormat returns the format under which the recipe's version is sought.
func (r *Recipe) versionFormat() string {
	format := r.Metadata.VersionFormat
	if r.Verify != nil && r.Verify.VersionFormat != "" {
		format = r.Verify.VersionFormat
	}
	if format == "" || !slices.Contains(versionFormats, format) {
		return FormatRaw
	}
	return format
}

// versionPatterns returns sets of patterns for a version that an output states,
// the simplest first: with the words before it on its line, bare, then with
// what follows it or with other text of the output. The longer ones are for
// tools whose exit code says nothing.
func (r *reading) versionPatterns(stated statedVersion) [][]string {
	line := lineAround(r.masked(stated.stream), stated.stream, stated.at)
	before := line.text[:stated.at-line.start]
	after := line.text[stated.at-line.start+len(stated.text):]
	k := strings.LastIndexAny(before, " \t") + 1
	glued := before[k:]
	context := strings.TrimLeft(lastStableWords(before[:k], r.tool)+glued, " \t")
	if !isStable(glued) && !sameProgram(strings.TrimRight(glued, "-_/v"), r.tool) || len(context) > maxLiteral || strings.Contains(context, "{") {
		context = ""
	}
	pattern := context + "{version}"
	sets := [][]string{{pattern}, {"{version}"}}
	if suffix := stableRun(after, 0, r.tool); strings.HasPrefix(after, suffix) && len(strings.Fields(suffix)) > 1 {
		sets = append(sets, []string{pattern + suffix})
	}
	if strings.TrimSpace(after) == "" {
		if next := stableRun(lineBelow(r.masked(stated.stream), line), 0, r.tool); next != "" {
			sets = append(sets, []string{pattern + after + "\n" + next})
		}
	}
	for _, literals := range []iter.Seq[string]{r.sentences(), r.usageLiterals(), r.complaintLiterals()} {
		for more := range literals {
			sets = append(sets, []string{pattern, more})
		}
	}
	return sets
}

// lastStableWords returns the end of prefix from behind its last word that may
// change, or that would make the pattern too long.
func lastStableWords(prefix, tool string) string {
	start := len(prefix)
	for start > 0 {
		head := strings.TrimRight(prefix[:start], " ")
		k := strings.LastIndexByte(head, ' ') + 1
		if head == "" || !isStableWord(head[k:], tool) || len(prefix)-k > maxLiteral/2 && start < len(prefix) {
			break
		}
		start = k
	}
	return prefix[start:]
}

// askVersion returns the candidates of a command in version mode: the command
// alone if it was not run yet.
func (f *Failure) askVersion(words []string) []Candidate {
	r, ok := f.observed(expandAll(words, f.Installed))
	if !ok {
		return []Candidate{f.probe(words, StrengthVersion)}
	}
	if verdict, _ := r.verdict(nil, f.Installed); verdict == Broken {
		return nil
	}
	return f.versionCandidates(words, r)
}

// probe returns a candidate that is only to be run.
func (f *Failure) probe(words []string, best Strength) Candidate {
	v := *f.Recipe.Verify
	v.Command, v.Pattern, v.Patterns = command.Join(words), "", nil
	return Candidate{Verify: v, Strength: best}
}

// outputCandidates returns the checks in output mode that a reading allows: its
// help text first, then its complaint.
func (f *Failure) outputCandidates(words []string, r, control *reading) []Candidate {
	var candidates []Candidate
	add := func(patterns iter.Seq[string], best Strength) {
		for pattern := range patterns {
			v := f.section(words, r)
			v.Mode, v.Pattern, v.VersionFormat = ModeOutput, pattern, ""
			v.Reason = noVersionReason(r.tool)
			candidates = append(candidates, Candidate{Verify: v, Strength: best})
		}
	}
	add(r.usageLiterals(), StrengthUsage)
	add(r.complaintLiterals(), StrengthComplaint)
	if control != nil && len(candidates) == 0 {
		if w, ok := r.echoedLine(control); ok {
			line := lineAround(r.masked(w.stream), w.stream, w.at)
			add(distinct(r.tool, slices.Values([]string{stableRun(line.text, 0, r.tool)})), StrengthComplaint)
		}
	}
	return candidates
}

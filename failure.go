package mend

import (
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// Failure is a verification that did not pass: what rules see, and what a
// [Session] is told. Nothing in it may be changed.
type Failure struct {
	Recipe       *Recipe
	Installed    Installed
	Observations []Observation // the primary run first, then what was tried since; none if the install failed
	Judgement    Judgement
	Analysis     *VerifyFailureAnalysis // of the primary run; nil if there was none
	Parsed       *ParsedError           // of the primary run, or of the step that failed; nil if nothing was run
	Findings     []command.Finding      // what is wrong with the command line itself
	Install      *InstallError          // why the install failed; nil if it did not

	readings  *readings  // of Observations, shared by the rules
	sanitizer *Sanitizer // of what leaves the machine; nil means the default one
}

// lintFailure is the failure of a recipe whose commands cannot be run as they are.
func lintFailure(r *Recipe, findings []command.Finding, s *Sanitizer) *Failure {
	f := &Failure{Recipe: r, Findings: findings, sanitizer: s}
	for _, finding := range findings {
		if finding.Severity == worst(findings) {
			f.Parsed = &ParsedError{
				Category: CategoryLint, Message: f.excerpt(finding.Message),
				Details:     map[string]string{"command": f.excerpt(lineOf(r, finding.Source))},
				Suggestions: slices.Clone(suggestions[CategoryLint]),
			}
			break
		}
	}
	return f
}

// excerpt returns what may leave the machine of a text, at most 200 bytes. It is cut
// last: half a secret is known by nothing.
func (f *Failure) excerpt(text string) string {
	return clip(f.sanitizer.Sanitize(text), 200)
}

// reason says on one line what does not hold.
func (f *Failure) reason() string {
	switch {
	case len(f.Findings) > 0:
		i := slices.IndexFunc(f.Findings, func(g command.Finding) bool { return g.Severity == worst(f.Findings) })
		return f.Findings[i].Message
	case f.Install != nil:
		return f.Install.Error()
	}
	return f.Judgement.String()
}

// signature returns what two failures of the same cause have in common: what
// decided, without what changes from run to run or with the recipe's wording.
func (f *Failure) signature() string {
	parts := []string{f.reason()}
	if f.Parsed != nil {
		parts = []string{string(f.Parsed.Category), f.Parsed.Message}
	}
	for _, finding := range f.Findings {
		parts = append(parts, string(finding.Code), finding.Message)
	}
	return FoldText(strings.Join(parts, "\n"))
}

// readings keeps what was read, since every rule looks at every observation.
type readings struct{ all []*reading }

// reading returns what Observations[i] shows.
func (f *Failure) reading(i int) *reading {
	if f.readings == nil {
		f.readings = &readings{}
	}
	for len(f.readings.all) <= i {
		f.readings.all = append(f.readings.all, read(f.Observations[len(f.readings.all)]))
	}
	return f.readings.all[i]
}

// observed returns what the run of argv showed, if it was run.
func (f *Failure) observed(argv []string) (*reading, bool) {
	i := slices.IndexFunc(f.Observations, func(o Observation) bool { return slices.Equal(o.Argv, argv) })
	if i < 0 {
		return nil, false
	}
	return f.reading(i), true
}

// impossibleOption is an option that no program has. What a tool answers to it
// is the control that every other answer is held against.
const impossibleOption = "--zz-no-such-option"

// words returns the recipe's verify command as written, split, with its
// placeholders in place; nil if it cannot be split.
func (f *Failure) words() []string {
	if f.Recipe == nil || f.Recipe.Verify == nil {
		return nil
	}
	words, err := command.Split(f.Recipe.Verify.Command)
	if err != nil {
		return nil
	}
	return words
}

// with returns the words of the command that asks the same tool another
// question: the last argument is replaced, or added if there is none.
func (f *Failure) with(word string) []string {
	words := slices.Clone(f.words())
	if len(words) < 2 {
		return append(words, word)
	}
	words[len(words)-1] = word
	return words
}

// expandAll replaces the placeholders in each word.
func expandAll(words []string, in Installed) []string {
	argv := make([]string, len(words))
	for i, w := range words {
		argv[i] = expand(w, in)
	}
	return argv
}

// asked returns what the tool answers to the word, if it was asked.
func (f *Failure) asked(word string) (*reading, bool) {
	return f.observed(expandAll(f.with(word), f.Installed))
}

// control returns the tool's answer to an impossible option, if it was asked.
func (f *Failure) control() *reading {
	r, _ := f.asked(impossibleOption)
	return r
}

// helped reports whether an answer is a help text rather than one more
// complaint.
func (f *Failure) helped(r *reading) bool {
	if r.obs.TimedOut || !r.isHelp() {
		return false
	}
	verdict, _ := r.verdict(nil, f.Installed)
	return verdict != Broken && !anyEcho(r.complaintSigns())
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

// unhelpful reports whether the tool was asked with the word and gave no help.
func (f *Failure) unhelpful(word string) bool {
	r, ok := f.asked(word)
	return ok && !f.helped(r)
}

// askedForHelp reports whether the ways to get help that are always tried were,
// as far as they were needed.
func (f *Failure) askedForHelp() bool {
	for _, word := range []string{"--help", "-h"} {
		if r, ok := f.asked(word); ok && f.helped(r) {
			return true
		}
	}
	return f.tried("--help") && f.tried("-h")
}

// toolOf returns the name of the tool that a recipe's check runs.
func toolOf(r *Recipe) string {
	if r != nil && r.Verify != nil {
		if words, err := command.Split(r.Verify.Command); err == nil {
			return toolName(words)
		}
	}
	if r == nil {
		return ""
	}
	return r.Metadata.Name
}

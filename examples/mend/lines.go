package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mendkit/mend"
)

// proves says what a check of each strength proves, after "it shows that".
var proves = map[mend.Strength]string{
	mend.StrengthUnproven:  "nothing was run",
	mend.StrengthExitCode:  "the tool exits as expected, and nothing else",
	mend.StrengthComplaint: "the tool itself rejects an option",
	mend.StrengthUsage:     "the tool prints text of its own",
	mend.StrengthVersion:   "the tool prints the installed version",
}

var outcomeStyles = map[outcome]style{passed: green, mended: green, weak: yellow, failed: red, malformed: red, noEvidence: yellow}

// print prints one recipe's result: a line and what belongs to it below.
func (t *terminal) print(r *result) error {
	if t.json {
		return t.object(r)
	}
	_, err := fmt.Fprint(t.out, t.lines(r))
	return err
}

// lines returns what print prints for a person, each line with its end.
func (t *terminal) lines(r *result) string {
	var b strings.Builder
	what := r.File
	if what == "" {
		what = r.Tool
	}
	fmt.Fprintf(&b, "%s  %s: %s\n", t.paint(outcomeStyles[r.Outcome], fmt.Sprintf("%-11s", r.Outcome)), oneLine(what), r.summary(t.brief))
	below := func(format string, args ...any) {
		fmt.Fprintf(&b, "%13s%s\n", "", oneLine(fmt.Sprintf(format, args...)))
	}
	if e := r.telling(); t.brief && r.Outcome == failed && e != nil {
		below("%s", e)
	} else if r.Outcome == failed {
		for _, e := range r.Evidence {
			below("%s", e)
		}
	}
	for _, f := range r.Findings {
		if f.Hint != "" {
			below("hint: %s", f.Hint)
		}
	}
	for _, w := range r.Warnings {
		below("warning: %s", w)
	}
	return b.String()
}

// summary says on one line what became of a recipe, briefly without what words mean.
func (r *result) summary(briefly bool) string {
	means := ": " + proves[r.Strength]
	if briefly {
		means = ""
	}
	var s string
	switch r.Outcome {
	case passed:
		s = fmt.Sprintf("%s; proves %s%s", r.Check, r.Strength, means)
	case mended:
		s = fmt.Sprintf("%s (by %s); proves %s%s", r.Check, r.Method, r.Strength, means)
	default:
		s = r.Reason
		if r.Outcome == failed && r.Verdict != "" && r.Verdict != mend.Unknown.String() {
			s += "; the install looks " + r.Verdict
		}
	}
	return oneLine(s)
}

// String says what is run and asked for.
func (c *check) String() string {
	if c == nil {
		return "no check"
	}
	s := c.Command
	if c.ExitCode != 0 {
		s += " exits with " + strconv.Itoa(c.ExitCode)
	}
	for _, p := range append([]string{c.Pattern}, c.Patterns...) {
		if p != "" {
			s += fmt.Sprintf(" ~ %q", p)
		}
	}
	for _, a := range c.Additional {
		s += " and " + (&check{Command: a.Command, Pattern: a.Pattern}).String()
	}
	return s
}

// String quotes the line and says where it stands.
func (e evidence) String() string {
	if e.Line == 0 {
		return e.Signature
	}
	return fmt.Sprintf("%s, %s line %d, byte %d: %s", e.Signature, e.Stream, e.Line, e.Offset, strings.TrimSpace(e.Text))
}

// telling returns the evidence that says most, or nil: what a thing is called that is
// missing tells more than that there was a crash, which stands before it.
func (r *result) telling() *evidence {
	var best *evidence
	for i, e := range r.Evidence {
		if best == nil || strings.Contains(e.Signature, "missing") && !strings.Contains(best.Signature, "missing") {
			best = &r.Evidence[i]
		}
	}
	return best
}

package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mendkit/mend/plan"
)

// show tells a person what happens.
type show struct {
	out       io.Writer
	workspace *plan.DirWorkspace
	opts      *plan.Options
}

func (s *show) say(format string, args ...any) { fmt.Fprintf(s.out, format+"\n", args...) }

func (s *show) title(text string) { s.say("\n%s\n%s", text, strings.Repeat("─", len([]rune(text)))) }

// plan prints the commands and the warnings of a plan.
func (s *show) plan(p *plan.Plan) {
	for _, c := range p.Commands {
		s.say("  %-10s %-8s %s", c.ID, c.Source, c.Line)
	}
	for _, d := range p.Dropped {
		s.say("  %-10s %-8s %s", "dropped", d.Source, d.Line)
	}
	for _, warning := range p.Warnings {
		s.say("  warning: %s", warning)
	}
}

// marks stand before an entry's line.
var marks = map[plan.State]string{
	plan.StatePassed: "✓", plan.StateNarrowed: "~", plan.StateReplaced: "~", plan.StateEmpty: "○", plan.StateSkipped: "○", plan.StateIgnored: "!", plan.StateFailed: "✗",
}

// reasons says why an entry did not pass as it stands.
var reasons = map[plan.Code]string{
	plan.CodeMissingScript:     "there is no such script",
	plan.CodeMissingMakeTarget: "the makefile has no such target",
	plan.CodeNoTestFiles:       "there is nothing to test",
	plan.CodeUnsupportedFormat: "the line needs a shell, and none runs",
	plan.CodeSequenceIssue:     "the command before it removed what it looks for",
	plan.CodeCommandFailed:     "the change, or the check, is wrong",
	plan.CodeTestFailure:       "the change, or the check, is wrong",
	plan.CodeSetupIssue:        "something is not installed",
	plan.CodeEnvironmentIssue:  "the machine or the network is at fault",
	plan.CodeFlaky:             "it did not end in time",
	plan.CodePolicyViolation:   "the policy forbids it",
	plan.CodeNoChanges:         "nothing was changed",
}

// result prints what became of each entry, and what that comes to.
func (s *show) result(p *plan.Plan, r *plan.Result) {
	for _, o := range r.Outcomes {
		s.say("  %s %-8s %s", marks[o.State], o.State, o.Command.Line)
		if o.Code != "" {
			s.say("             %s (%s)", reasons[o.Code], o.Code)
		}
		if o.RanInstead != "" {
			s.say("             in its place: %s", o.RanInstead)
		}
	}
	if n := len(p.Commands) - len(r.Outcomes); n > 0 {
		s.say("  … %d more did not run", n)
	}
	s.say("\n  %s, after %s and %s", strings.ToUpper(string(r.Status)), counted(r.Passes, "pass", "passes"), counted(r.Fixes, "fix", "fixes"))
	if err := r.Err(); err != nil {
		s.say("  error: %v", err)
	}
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// fix tells what is asked of a model, and asks it.
func (s *show) fix(ask func(context.Context, plan.FixRequest) error) func(context.Context, plan.FixRequest) error {
	return func(ctx context.Context, req plan.FixRequest) error {
		s.say("  ? %s: the model is asked for the smallest change that mends it (%s, attempt %d of %d)", req.Command.Line, req.Kind, req.Attempt, req.Of)
		for line := range strings.Lines(req.Failure.Prompt().String()) {
			if strings.Contains(line, "want ") {
				s.say("             it is told: %s", strings.TrimSpace(line))
			}
		}
		err := ask(ctx, req)
		if err != nil {
			s.say("             it could not: %v", err)
		}
		return err
	}
}

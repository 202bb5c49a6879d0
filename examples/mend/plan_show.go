package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// shownPlan, shownOutcome, shownResult and shownAdjustment are what plan prints with
// --json, each in an object of its own. What commands printed is
// sanitised; command lines are as somebody wrote them.
type shownPlan struct {
	Plan     *plan.Plan `json:"plan"`
	Base     string     `json:"base"`
	Contract string     `json:"contract,omitempty"` // its path at the base; none if there is none
	Notes    []string   `json:"notes,omitempty"`
}

type shownOutcome struct {
	plan.Command
	State      plan.State    `json:"state"`
	Code       plan.Code     `json:"code,omitempty"`
	RanInstead string        `json:"ran_instead,omitempty"`
	ExitCode   *int          `json:"exit_code,omitempty"` // none if nothing of it ran
	Signal     string        `json:"signal,omitempty"`
	TimedOut   bool          `json:"timed_out,omitempty"`
	Duration   time.Duration `json:"duration_ns"` // of the part that decided
	Stdout     string        `json:"stdout,omitempty"`
	Stderr     string        `json:"stderr,omitempty"`
	Meta       *plan.Meta    `json:"meta,omitempty"` // as it may be kept
}

type shownResult struct {
	Status   plan.Status        `json:"status"`
	NoOp     bool               `json:"no_op,omitempty"`
	States   map[plan.State]int `json:"states"`
	NotRun   int                `json:"not_run"` // commands behind the one that failed
	Error    string             `json:"error,omitempty"`
	Meta     *plan.Meta         `json:"meta,omitempty"` // of the failure
	Next     *shownDecision     `json:"next,omitempty"` // what it calls for
	Duration time.Duration      `json:"duration_ns"`
}

type shownDecision struct {
	Action   plan.RetryAction `json:"action"`
	Category plan.Category    `json:"category"`
	Reason   plan.Code        `json:"reason"`
	Limit    int              `json:"limit"` // how many failures of the category are tried again
	Repeated bool             `json:"repeated,omitempty"`
}

// row prints a line whose first word stands in a column of its own.
func (t *terminal) row(b *strings.Builder, s style, word, format string, args ...any) {
	fmt.Fprintf(b, "%s  %s\n", t.paint(s, fmt.Sprintf("%-11s", word)), oneLine(fmt.Sprintf(format, args...)))
}

func (t *terminal) below(b *strings.Builder, format string, args ...any) {
	fmt.Fprintf(b, "%13s%s\n", "", fmt.Sprintf(format, args...))
}

func (t *terminal) write(b *strings.Builder) error { return t.printf("%s", b.String()) }

// showPlan prints a plan before it is run.
func (p *planned) showPlan(what *plan.Plan) error {
	if p.json {
		return p.object(shownPlan{what, p.base(), p.contract, p.notes})
	}
	var b strings.Builder
	n, files := len(what.Commands), len(what.Changed)
	p.row(&b, bold, "plan", "%d %s for %d changed %s, against %s", n, plural(n, "command"), files, plural(files, "file"), p.base())
	width := 0
	for _, c := range what.Commands {
		width = max(width, len(c.Origin))
	}
	for _, c := range what.Commands {
		p.below(&b, "%s  %-*s  %s", p.paint(faint, c.ID), width, c.Origin, oneLine(c.Line))
	}
	for _, note := range slices.Concat(p.notes, what.Warnings) {
		p.below(&b, "%s %s", p.paint(yellow, "note:"), oneLine(note))
	}
	if !p.flags.dryRun {
		b.WriteByte('\n')
	}
	return p.write(&b)
}

// showOutcome prints what became of a command.
func (p *planned) showOutcome(o *plan.Outcome) error {
	obs := o.Observation
	stdout, stderr := p.sanitizer.Sanitize(mend.PlainText(obs.Stdout)), p.sanitizer.Sanitize(mend.PlainText(obs.Stderr))
	ran := len(obs.Argv) > 0
	if p.json {
		s := shownOutcome{
			Command: o.Command, State: o.State, Code: o.Code, RanInstead: o.RanInstead, Signal: obs.Signal, TimedOut: obs.TimedOut,
			Duration: obs.Duration, Stdout: stdout, Stderr: stderr, Meta: o.Meta,
		}
		if ran {
			s.ExitCode = &obs.ExitCode
		}
		return p.object(map[string]shownOutcome{"outcome": s})
	}
	var b strings.Builder
	line := o.Command.Line
	if o.State == plan.StatePassed {
		p.row(&b, green, "passed", "%s (%s)", line, rounded(obs.Duration))
		return p.write(&b)
	}
	why := cmp.Or(planCodes[o.Code], string(o.Code))
	if ran {
		ending := fmt.Sprintf("%s, %s", shown{ExitCode: obs.ExitCode, Signal: obs.Signal, TimedOut: obs.TimedOut}.ending(), rounded(obs.Duration))
		why += " (" + ending + ")"
		if o.Code == plan.CodeCommandFailed {
			why = ending // which is all there is to say
		}
	}
	p.row(&b, stateStyles[outcome(o.State)], string(o.State), "%s: %s", line, why)
	for _, s := range []struct{ name, text string }{{"stdout", stdout}, {"stderr", stderr}} {
		p.excerpt(&b, s.name, s.text, o.State)
	}
	if o.RanInstead != "" {
		p.below(&b, "in its place passed: %s", oneLine(o.RanInstead))
	}
	if o.Meta != nil && len(o.Meta.PolicyViolations) > 0 {
		p.below(&b, "forbidden by: %s", oneLine(strings.Join(o.Meta.PolicyViolations, ", ")))
	}
	return p.write(&b)
}

// How many lines of each stream are shown of a command that failed for real: most tools
// say last what went wrong.
const (
	planHeadLines = 6
	planTailLines = 14
)

// excerpt shows what a command printed that did not pass: little of one that could not
// be run, for its code says why.
func (p *planned) excerpt(b *strings.Builder, name, text string, state plan.State) {
	if strings.TrimSpace(text) == "" {
		return
	}
	head, tail := planHeadLines, planTailLines
	if state != plan.StateFailed && state != plan.StateIgnored {
		head, tail = 1, 2
	}
	if p.flags.full {
		head = len(text)
	}
	for _, line := range p.quoted(name, text, head, tail) {
		p.below(b, "%s", line)
	}
}

// rounded returns a time as people say it.
func rounded(d time.Duration) time.Duration {
	if d >= time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Millisecond)
}

// showResult prints what a run came to.
func (p *planned) showResult(what *plan.Plan, r *plan.Result, next *plan.RetryDecision, took time.Duration) error {
	states := make(map[plan.State]int)
	for _, o := range r.Outcomes {
		states[o.State]++
	}
	s := shownResult{Status: r.Status, NoOp: r.NoOp, States: states, NotRun: len(what.Commands) - len(r.Outcomes), Meta: r.Meta, Duration: took}
	if err := r.Err(); err != nil {
		s.Error = oneLine(err.Error())
	}
	if next != nil {
		s.Next = &shownDecision{next.Action, next.Category, next.Reason, next.Limit, next.Repeated}
	}
	if p.json {
		return p.object(map[string]shownResult{"result": s})
	}
	var b strings.Builder
	means := statuses[r.Status]
	if len(r.Outcomes) == 0 && r.Meta != nil {
		means = planCodes[r.Meta.Code]
	}
	if r.NoOp {
		means += ", on a tree without changes"
	}
	p.row(&b, statusStyles[r.Status], "result", "%s: %s: %s (%s)", r.Status, means, s.counts(), rounded(took))
	for _, d := range what.Dropped {
		p.below(&b, "not verified: %s, since %s", oneLine(d.Line), planCodes[d.Reason])
	}
	if r.Meta != nil && r.Meta.Code == plan.CodeNoChanges {
		p.below(&b, "--allow-no-changes runs it all the same")
	}
	if next != nil && next.Action == plan.RetryAdjust && !p.flags.adjust {
		p.below(&b, "the plan itself is at fault; --adjust takes that out of it and runs the rest")
	}
	return p.write(&b)
}

// counts says how many commands ended how.
func (s *shownResult) counts() string {
	var parts []string
	for _, kind := range planKinds {
		if n := s.States[plan.State(kind)]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if s.NotRun > 0 {
		parts = append(parts, fmt.Sprintf("%d not run", s.NotRun))
	}
	if len(parts) == 0 {
		return "no command"
	}
	return strings.Join(parts, ", ")
}

// showAdjustment prints what is changed in a plan because of a command.
func (p *planned) showAdjustment(line string, a *plan.Adjustment) error {
	if p.json {
		return p.object(map[string]*plan.Adjustment{"adjustment": a})
	}
	var b strings.Builder
	p.row(&b, cyan, "adjusted", "%s: %s, since %s", line, recoveryRules[a.RecoveryRule], planCodes[a.Reason])
	return p.write(&b)
}

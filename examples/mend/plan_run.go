package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// plan builds the plan, runs it, and returns what the program is to end with.
func (t *terminal) plan(c *cobra.Command, f *planFlags, args []string) error {
	p, err := t.newPlanned(c, f, args)
	if err != nil {
		return err
	}
	defer p.workspace.Close() // what it ran is over, and the tree stays
	return p.run(c.Context())
}

func (p *planned) run(ctx context.Context) error {
	what, err := plan.Build(ctx, p.req, p.opts)
	if err != nil {
		return err
	}
	if err := p.showPlan(what); err != nil || p.flags.dryRun {
		return err
	}
	policy := plan.RetryPolicy{RepeatedSignatureThreshold: p.opts.RepeatedSignatureThreshold}
	var history []plan.Meta
	for {
		started := time.Now()
		result, err := p.runOnce(ctx, what)
		if err != nil {
			return err
		}
		var next *plan.Plan
		var decision *plan.RetryDecision
		if result.Meta != nil {
			history = append(history, *result.Meta)
			d := policy.Decide(history)
			decision = &d
		}
		if err := p.showResult(what, result, decision, time.Since(started)); err != nil {
			return err
		}
		if p.flags.adjust && decision != nil && decision.Action == plan.RetryAdjust {
			if next, err = p.adjust(ctx, what, result); err != nil {
				return err
			}
		}
		if next == nil {
			return exitWith(codeOf(result))
		}
		what = next
	}
}

// codeOf returns the exit code of a run: what was not run is not verified.
func codeOf(r *plan.Result) int {
	if r.Err() != nil {
		return exitFailed
	}
	return exitOK
}

// runOnce runs a plan, and prints each outcome when it is there.
func (p *planned) runOnce(ctx context.Context, what *plan.Plan) (*plan.Result, error) {
	p.display = newDisplay(p.terminal, len(what.Commands))
	p.display.kinds = planKinds
	defer p.display.close()
	opts := *p.opts
	var unseen error // of what prints
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opts.OnOutcome = func(o plan.Outcome) {
		p.display.count(&result{Outcome: outcome(o.State)}, false)
		if unseen = p.display.above(func() error { return p.showOutcome(&o) }); unseen != nil {
			cancel() // nobody would see the rest
		}
	}
	r, err := plan.Run(ctx, &watched{p.workspace, p.display}, what, &opts)
	if unseen != nil {
		return nil, unseen
	}
	return r, err
}

// adjust returns the plan that the failures of the plan's own call for; nil if there
// are none, or nothing is left. What was skipped for the same reason goes with the
// failure: it would only be tried once more.
func (p *planned) adjust(ctx context.Context, what *plan.Plan, r *plan.Result) (*plan.Plan, error) {
	var adjusted *plan.Plan
	for _, o := range r.Outcomes {
		next, a := plan.Adjust(what, o.Meta)
		if a == nil {
			continue
		}
		if err := p.showAdjustment(o.Command.Line, a); err != nil {
			return nil, err
		}
		what, adjusted = next, next
	}
	switch {
	case adjusted == nil:
		return nil, nil
	case len(adjusted.Commands) > 0:
		return adjusted, p.showPlan(adjusted)
	}
	req := p.req
	req.Dropped = adjusted.Dropped
	again, err := plan.Build(ctx, req, p.opts)
	if err != nil || len(again.Commands) == 0 {
		return nil, err
	}
	return again, p.showPlan(again)
}

// watched is a workspace whose display shows what is running.
type watched struct {
	plan.Workspace
	display *display
}

func (w *watched) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return w.In("").Run(ctx, cmd)
}

func (w *watched) In(dir string) mend.Environment {
	return &watchedEnvironment{w.Workspace.In(dir), dir, w.display}
}

// watchedEnvironment is a directory of a watched workspace.
type watchedEnvironment struct {
	mend.Environment
	dir     string
	display *display
}

func (e *watchedEnvironment) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	line := plan.Part{Dir: e.dir, Argv: slices.Clone(cmd.Argv)}.String()
	defer e.display.begin(line, line)()
	return e.Environment.Run(ctx, cmd)
}

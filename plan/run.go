package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/mendkit/mend"
)

// Run carries a plan out in an environment and says what was verified. The entries
// run in order, one at a time, each part with its time limit; the first that fails
// and cannot be let be ends the pass:
//
//	scope ─▶ pass ── passed ─────────────────────────────▶ scope ─▶ Result
//	          │        └─ after an inline fix: once more without any
//	          │ an entry failed
//	          ▼
//	        narrow ─▶ install and run again ─▶ skip ─▶ replace ─▶ Fix and run again
//	          │ none settles it
//	          ▼
//	        Fix ─▶ scope ─▶ a whole pass, at most RecoveryAttempts times
//
// A [Workspace] keeps what one command does for the next, and tells what changed.
// In any other environment, which is the same for every run, a part with a
// directory fails unrun, and nothing is installed, narrowed or replaced.
//
// A nil plan is an empty one. nil options are valid; a plan of a newer version is
// an [*OptionError]. Run returns an error only if nothing was learned: the
// environment's own, as it is, or that of ctx. Everything else is in the result,
// and [Result.Err] makes an error of it.
func Run(ctx context.Context, env mend.Environment, p *Plan, opts *Options) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p != nil && (p.Version < 0 || p.Version > planVersion) {
		return nil, &OptionError{Name: "version", Value: strconv.Itoa(p.Version), Reason: fmt.Sprintf("plans up to version %d can be run", planVersion)}
	}
	r := &runner{env: env, plan: p.clone(), opts: opts.orDefault(), seen: make(map[string]int)}
	r.res = &Result{dropped: r.plan.Dropped}
	r.ws, _ = env.(Workspace)
	for i, c := range r.plan.Commands {
		if c.ID == "" {
			r.plan.Commands[i].ID = CommandID(c.Source, c.Line)
		}
	}
	err := r.run(ctx)
	if err == nil && r.res.Status == "" {
		r.res.Status = statusOf(r.res.Outcomes, r.plan.Dropped)
	}
	if err != nil && !errors.Is(err, errViolated) {
		return nil, err
	}
	return r.res, nil
}

// run does the work and fills the result, but for a status that is not failed.
func (r *runner) run(ctx context.Context) error {
	if err := r.checkScope(ctx); err != nil {
		return err
	}
	if r.unchanged() && !r.opts.AllowNoChanges {
		appeared, err := r.awaitChange(ctx)
		if err != nil {
			return err
		}
		if !appeared {
			if err := r.confirmNoChange(ctx); err != nil {
				return err
			}
			return r.checkScope(ctx)
		}
	}
	f, err := r.passes(ctx)
	if err != nil {
		return err
	}
	if f != nil {
		r.failed(f, f.Meta)
	}
	return r.checkScope(ctx)
}

// passes runs the plan until a pass is passed or nobody can help, and returns the
// failure that is left.
func (r *runner) passes(ctx context.Context) (*failing, error) {
	f, err := r.pass(ctx, passMode{fix: true, other: true})
	if err == nil && f == nil && r.touched {
		f, err = r.pass(ctx, passMode{}) // a fix for one entry may have broken another
	}
	of := r.opts.recoveryAttempts()
	for n := 1; n <= of && err == nil && f != nil && r.mayFix(f.attempt); n++ {
		if f.Command.Source != SourceAuto && r.opts.DisableExplicitRecovery {
			break
		}
		var worked bool
		worked, err = r.fix(ctx, FixPass, n, of, &f.Outcome, f.attempt)
		if err == nil && worked {
			f, err = r.pass(ctx, passMode{other: true})
		}
	}
	return f, err
}

// pass runs the entries in order, and returns the failure that ended it.
func (r *runner) pass(ctx context.Context, mode passMode) (*failing, error) {
	r.res.Passes++
	r.res.Outcomes = nil
	r.touched = false
	state := SkipState{DocOnly: docOnly(r.changed()), NoOp: r.unchanged()}
	var prev *Part
	for i, c := range r.plan.Commands {
		state.Remaining = i+1 < len(r.plan.Commands)
		e := newEntry(c, prev, state, mode)
		if err := r.settle(ctx, e); err != nil {
			return nil, err
		}
		r.res.Outcomes = append(r.res.Outcomes, e.out)
		if r.opts.OnOutcome != nil {
			r.opts.OnOutcome(e.out)
		}
		if e.out.State == StateFailed {
			return &failing{e.out, e.last}, nil
		}
		if e.out.effective() {
			state.Passed = true
			state.ExplicitPassed = state.ExplicitPassed || c.Source == SourceExplicit && e.out.State == StatePassed
		}
		prev = nil
		if len(e.parts) == 1 && e.last.passed {
			prev = &e.parts[0]
		}
	}
	return nil, nil
}

// awaitChange asks for a change where there is none, and reports whether one
// appeared.
func (r *runner) awaitChange(ctx context.Context) (bool, error) {
	of := r.opts.noChangeAttempts()
	if r.ws == nil {
		return false, nil
	}
	none := &Outcome{Meta: noChanges()}
	for n := 1; n <= of; n++ {
		if _, err := r.fix(ctx, FixNoChange, n, of, none, attempt{}); err != nil {
			return false, err
		}
		if !r.unchanged() {
			return true, nil
		}
	}
	return false, nil
}

// confirmNoChange verifies a tree without changes as it is, if somebody asked for
// anything: it may have had what was wanted before.
func (r *runner) confirmNoChange(ctx context.Context) error {
	explicit := slices.ContainsFunc(r.plan.Commands, func(c Command) bool { return c.Source == SourceExplicit })
	if explicit && !r.opts.DisableNoChangeConfirm {
		f, err := r.pass(ctx, passMode{other: true})
		if err != nil {
			return err
		}
		if f != nil {
			r.failed(f, f.Meta)
			return nil
		}
		for _, o := range r.res.Outcomes {
			if o.Command.Source == SourceExplicit && o.State == StatePassed && o.effective() {
				r.res.NoOp = true
				return nil
			}
		}
	}
	r.failed(nil, noChanges())
	return nil
}

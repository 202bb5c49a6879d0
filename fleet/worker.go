package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/mendkit/mend"
)

// Worker does the work of one job. It is all that a queue has to know of mend:
// [NewWorker] makes one of an orchestrator and a builder, and [Fleet.Run] gives it jobs.
type Worker interface {
	// Work returns the job's result, which is final: a recipe, or why none holds. Calls
	// may run concurrently. When ctx ends, Work returns soon, with any error.
	//
	// An error means that nothing was learned, and that the job is to be tried again:
	// after a while, or when a *[mend.OutageError] says that a provider will be back,
	// which does not count against the job. One that wraps [ErrFinal] means that this is
	// of no use, and one that wraps [mend.ErrSandboxUnavailable] that it is of no use on
	// this machine. A panic is an error.
	Work(ctx context.Context, job Job) (*Result, error)
}

// ErrFinal is wrapped by the error of a [Worker] for a job that need not be tried again.
// It becomes a dead letter at once.
var ErrFinal = errors.New("trying again is of no use")

// WorkerOptions configures [NewWorker]. A zero field means its default.
type WorkerOptions struct {
	// Unproven permits recipes that were not run, of an orchestrator that skips the
	// sandbox. Otherwise a machine without a sandbox would take all jobs from those that
	// have one.
	Unproven bool

	Sanitizer *mend.Sanitizer // of warnings and failures; nil means the default one
}

// NewWorker returns a worker that builds recipes. nil options are valid.
func NewWorker(o *mend.Orchestrator, b mend.Builder, opts *WorkerOptions) Worker {
	w := &worker{orchestrator: o, builder: b}
	if opts != nil {
		w.opts = *opts
	}
	if w.opts.Sanitizer == nil {
		w.opts.Sanitizer = mend.NewSanitizer(nil)
	}
	return w
}

type worker struct {
	orchestrator *mend.Orchestrator
	builder      mend.Builder
	opts         WorkerOptions
}

// Work implements [Worker].
func (w *worker) Work(ctx context.Context, job Job) (*Result, error) {
	built, err := w.orchestrator.Create(ctx, w.builder, job.Request())
	var failed *mend.ValidationFailedError
	switch {
	case errors.As(err, &failed) && !cutShort(failed):
		return failureOf(job, failed, w.opts.Sanitizer), nil
	case err != nil && isBudget(err):
		return nil, fmt.Errorf("%w: %w", ErrFinal, err)
	case err != nil:
		return nil, err
	case built.SandboxSkipped && !w.opts.Unproven:
		return nil, fmt.Errorf("%w: the recipe was not run", mend.ErrSandboxUnavailable)
	}
	return resultOf(job, built, w.opts.Sanitizer), nil
}

// cutShort reports whether a repair ended because no provider answered: the recipe
// might have been repaired otherwise. Limits of the one request are no such reason,
// since they would be the same the next time.
func cutShort(failed *mend.ValidationFailedError) bool {
	return errors.As(failed, new(*mend.OutageError)) || errors.As(failed, new(*mend.ProviderError))
}

// isBudget reports whether an error says that a budget is used up, rather than that
// providers are down of which one has none left.
func isBudget(err error) bool {
	var outage *mend.OutageError
	if !errors.As(err, &outage) {
		return errors.As(err, new(*mend.BudgetError))
	}
	budgets := 0
	for _, reason := range outage.Reasons {
		var open *mend.CircuitOpenError
		if errors.As(reason, &open) {
			reason = open.Cause
		}
		if reason == nil {
			continue
		}
		if !errors.As(reason, new(*mend.BudgetError)) {
			return false
		}
		budgets++
	}
	return budgets > 0
}

package fleet

import (
	"context"
	"iter"

	"github.com/mendkit/mend"
)

// CreateAll submits the requests, works on them with so many workers of this process
// beside those of all others, and yields what Collect does: it is to a fleet what
// [mend.Orchestrator.CreateAll] is to one process, but that what was finished in an
// earlier run is yielded instead of done again. With no workers, others do the work.
//
// When ctx ends, or the loop is left, what is being worked on is ended and given back,
// and what is finished stays.
func (f *Fleet) CreateAll(ctx context.Context, w Worker, reqs iter.Seq[mend.BuildRequest], workers int) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		working, stop := context.WithCancelCause(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if workers > 0 {
				if err := f.Run(working, w, workers); err != nil {
					stop(err)
				}
			}
		}()
		submitted := make(chan struct{})
		go func() {
			defer close(submitted)
			if _, err := f.Submit(working, reqs); err != nil {
				stop(err)
			}
		}()
		defer func() {
			stop(nil)
			<-done
			<-submitted
		}()
		for r, err := range f.Collect(working) {
			if !yield(r, err) {
				return
			}
		}
	}
}

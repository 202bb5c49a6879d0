package fleet

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/mendkit/mend"
)

// errBrokeOff is why a batch ends whose list of requests ended its goroutine.
var errBrokeOff = errors.New("the list of requests broke off")

// CreateAll submits the requests, works on them with so many workers of this process
// beside those of all others, and yields what Collect does: it is to a fleet what
// [mend.Orchestrator.CreateAll] is to one process, but that what was finished in an
// earlier run is yielded instead of done again. With no workers, others do the work.
//
// When ctx ends, what is being worked on is ended and given back, what is finished is
// yielded, and the last thing yielded is ctx's cause, alone. Leaving the loop ends the
// work too, and what is finished stays for the next time. In neither case is reqs waited
// for: it may be waiting itself, and is not asked for another request. Its panic is one
// of the loop.
func (f *Fleet) CreateAll(ctx context.Context, w Worker, reqs iter.Seq[mend.BuildRequest], workers int) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		working, stop := context.WithCancelCause(ctx)
		go func() {
			err := errBrokeOff
			defer func() {
				if v := recover(); v != nil {
					err = &mend.PanicError{Value: v}
				}
				if err != nil {
					stop(err)
				}
			}()
			_, err = f.Submit(working, reqs)
		}()
		var run sync.WaitGroup
		if workers > 0 {
			run.Go(func() {
				if err := f.Run(working, w, workers); err != nil {
					stop(err)
				}
			})
		}
		wanted := true
		c := &collection{fleet: f, next: 1}
		err := c.run(working, func(r *Result, err error) bool {
			wanted = yield(r, err)
			return wanted
		})
		if working.Err() != nil {
			err = context.Cause(working) // why it ended, rather than that it did
		}
		stop(nil)
		run.Wait()
		if err == nil || !wanted {
			return
		}
		later, cancel := afterwards(ctx)
		defer cancel()
		wanted = c.drain(later, yield)
		if p, ok := err.(*mend.PanicError); ok {
			panic(p.Value)
		}
		if wanted {
			yield(nil, err)
		}
	}
}

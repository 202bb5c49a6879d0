package fleet

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mendkit/mend"
)

// fate is what becomes of a job after a delivery.
type fate uint8

const (
	fateFinished fate = iota // it has its result
	fateReleased             // it is given back, and that does not count
	fateFailed               // it is given back after a while, and that counts
	fateDead                 // it is not tried again
)

// verdict is what came of a delivery.
type verdict struct {
	fate  fate
	delay time.Duration // before the job is given to a worker again
	end   error         // why this process takes no further job, or nil
}

// The shortest and the longest time that a job waits for a provider that said when it
// will be back.
const (
	minOutage = time.Second
	maxOutage = 10 * time.Minute
)

// judge returns what becomes of a job that a worker returned this for.
func judge(ctx context.Context, result *Result, err error) verdict {
	var outage *mend.OutageError
	switch {
	case err == nil && result != nil:
		return verdict{fate: fateFinished}
	case ctx.Err() != nil:
		return verdict{fate: fateReleased}
	case errors.Is(err, mend.ErrSandboxUnavailable):
		return verdict{fate: fateReleased, end: err}
	case errors.Is(err, ErrFinal):
		return verdict{fate: fateDead}
	case errors.As(err, &outage) && !outage.RetryAt.IsZero():
		return verdict{fate: fateReleased, delay: min(max(time.Until(outage.RetryAt), minOutage), maxOutage)}
	}
	return verdict{fate: fateFailed}
}

// errTimeout is the cause of the end of a job that takes too long.
var errTimeout = errors.New("the job took too long")

// errNoResult is the error of a worker that returned neither a result nor an error.
var errNoResult = errors.New("the worker returned no result")

// errGoexit is the error of a worker that ended its goroutine.
var errGoexit = errors.New("the worker's goroutine was ended")

// panicked is a worker's panic.
type panicked struct {
	mend.PanicError
	stack []byte
}

// made is what a worker returned.
type made struct {
	result *Result
	err    error
}

// work has the worker do the job in a goroutine of its own, which survives whatever
// that does.
func work(ctx context.Context, w Worker, job Job) <-chan made {
	done := make(chan made, 1)
	go func() {
		out := made{err: errGoexit}
		defer func() {
			if v := recover(); v != nil {
				out = made{err: &panicked{mend.PanicError{Value: v}, debug.Stack()}}
			}
			done <- out
		}()
		result, err := w.Work(ctx, job)
		if result == nil && err == nil {
			err = errNoResult
		}
		out = made{result, err}
	}()
	return done
}

// tryOf describes a try that failed.
func (f *Fleet) tryOf(delivery int, began time.Time, err error) Try {
	t := Try{Delivery: delivery, Worker: f.opts.Worker, Time: time.Now(), Took: time.Since(began), Error: oneLine(f.opts.Sanitizer, fmt.Sprint(err))}
	var p *panicked
	if errors.As(err, &p) {
		t.Stack = f.opts.Sanitizer.Sanitize(string(p.stack))
	}
	return t
}

package mend

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
)

// RequestError is an error of [Orchestrator.CreateAll] with the request that it
// belongs to.
type RequestError struct {
	Request BuildRequest
	Err     error
}

// Error names the package.
func (e *RequestError) Error() string {
	return defaultSanitizer.line(fmt.Sprintf("%s: %v", e.Request.Package, e.Err))
}

// Unwrap returns what Create returned.
func (e *RequestError) Unwrap() error { return e.Err }

// PanicError is a panic of a builder or a sandbox during one request. It stops no
// other request.
type PanicError struct{ Value any }

// Error quotes what was panicked with.
func (e *PanicError) Error() string {
	return defaultSanitizer.line(fmt.Sprintf("panic: %v", e.Value))
}

// Unwrap returns the value, if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// CreateAll builds a recipe for each request with the given number of workers, at
// least one, and yields results as they come, in any order. A request that fails
// is yielded as a *[RequestError], and stops no other; a request is taken from
// reqs only when a worker is free for it, so that memory stays bounded however
// many there are.
//
// When ctx ends, requests under way end with its error, the others are not
// begun, and the last thing yielded is ctx's cause, alone. Breaking out of the
// loop cancels what is under way and waits for it. In neither case is reqs waited
// for: it may be waiting itself, and is not asked for another request. Its panic is
// one of the loop. If it ends its goroutine, the last thing yielded is an error that
// says so, alone: there may have been more requests.
func (o *Orchestrator) CreateAll(ctx context.Context, b Builder, reqs iter.Seq[BuildRequest], workers int) iter.Seq2[*BuildResult, error] {
	return func(yield func(*BuildResult, error) bool) {
		work, cancel := context.WithCancel(ctx)
		batch := &batch{o: o, builder: b, todo: make(chan BuildRequest), outcomes: make(chan outcome)}
		batch.start(work, reqs, max(workers, 1))
		defer func() {
			cancel()
			for range batch.outcomes { // nobody listens, but the workers have to end
			}
		}()
		for out := range batch.outcomes {
			if !yield(out.result, out.err) {
				return
			}
		}
		switch p := batch.panicked.Load(); {
		case p != nil:
			panic(*p)
		case ctx.Err() != nil:
			yield(nil, context.Cause(ctx))
		case batch.brokeOff.Load():
			yield(nil, fmt.Errorf("the requests: %w", errGoexit))
		}
	}
}

type outcome struct {
	result *BuildResult
	err    error
}

type batch struct {
	o        *Orchestrator
	builder  Builder
	todo     chan BuildRequest   // closed when there are no more
	outcomes chan outcome        // closed when all workers are done
	panicked atomic.Pointer[any] // what the requests panicked with
	brokeOff atomic.Bool         // they have not come to their end
}

// start hands the requests out to the workers.
func (b *batch) start(ctx context.Context, reqs iter.Seq[BuildRequest], workers int) {
	go b.feed(ctx, reqs)
	var wg sync.WaitGroup
	var work func()
	work = func() {
		for {
			req, ok := b.next(ctx)
			if !ok {
				return
			}
			out := outcome{err: &RequestError{req, errGoexit}}
			finished := false
			func() {
				defer func() {
					b.outcomes <- out
					if !finished {
						wg.Go(work) // this goroutine ends
					}
				}()
				out = b.create(ctx, req)
				finished = true
			}()
		}
	}
	for range workers {
		wg.Go(work)
	}
	go func() {
		wg.Wait()
		close(b.outcomes)
	}()
}

// feed takes the requests as they are wanted.
func (b *batch) feed(ctx context.Context, reqs iter.Seq[BuildRequest]) {
	defer close(b.todo)
	b.brokeOff.Store(true)
	defer func() {
		if v := recover(); v != nil {
			b.panicked.Store(&v)
		}
	}()
	for req := range reqs {
		select {
		case b.todo <- req:
		case <-ctx.Done():
			return
		}
	}
	b.brokeOff.Store(false)
}

// next returns the next request, unless there is none or the batch ends.
func (b *batch) next(ctx context.Context) (req BuildRequest, ok bool) {
	if ctx.Err() != nil {
		return req, false
	}
	select {
	case req, ok = <-b.todo:
		return req, ok
	case <-ctx.Done():
		return req, false
	}
}

// errGoexit is the error of a request whose builder or sandbox ended its goroutine, and
// of requests that ended theirs.
var errGoexit = errors.New("its goroutine was ended")

// create builds one recipe. A panic becomes the request's error.
func (b *batch) create(ctx context.Context, req BuildRequest) (out outcome) {
	defer func() {
		if v := recover(); v != nil {
			out = outcome{err: &PanicError{Value: v}}
		}
		if out.err != nil {
			out.err = &RequestError{Request: req, Err: out.err}
		}
	}()
	result, err := b.o.Create(ctx, b.builder, req)
	return outcome{result, err}
}

package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Collect yields the outcome of every job, those that were finished before first, and
// then as they come. It ends when Submit has returned and every job has its outcome.
// Each call begins anew.
//
// A job without a result is yielded as a *[DeadLetter]. When ctx ends, or the fleet
// cannot be read any more, the last thing yielded is that error, alone.
func (f *Fleet) Collect(ctx context.Context) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		c := &collection{fleet: f, next: 1}
		if err := c.run(ctx, yield); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			yield(nil, fmt.Errorf("fleet %s: collect: %w", f.name, err))
		}
	}
}

// collection reads the stream of outcomes in order.
type collection struct {
	fleet  *Fleet
	next   uint64             // sequence of the outcome to be read next
	cursor jetstream.Consumer // from next on; nil if one has to be made
	given  uint64             // outcomes that the cursor gave us
}

const (
	readAhead = 256                    // outcomes that are taken from the server at a time
	readTime  = 300 * time.Millisecond // to wait for the next one, before asking whether there will be one
	cursorTTL = 5 * time.Minute        // of the server's side of a reader that is gone
)

// run yields outcomes until there will be no more, or nobody wants them: then it
// returns nil.
func (c *collection) run(ctx context.Context, yield func(*Result, error) bool) error {
	failing := time.Time{} // since when
	for wait := minPause; ; {
		more, err := c.step(ctx, yield)
		switch {
		case !more:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			failing, wait = time.Time{}, minPause
			continue
		case failing.IsZero():
			failing = time.Now()
		}
		if !passes(err) && !errors.Is(err, jetstream.ErrConsumerNotFound) || time.Since(failing) > patience {
			return err
		}
		c.cursor = nil // it may be gone with its server
		pause(ctx, wait)
		wait = min(2*wait, maxPause)
	}
}

// step yields the outcomes that are there, or waits a short time for some if there are
// none. more is false if there will be none, or none is wanted.
func (c *collection) step(ctx context.Context, yield func(*Result, error) bool) (more bool, err error) {
	n, more, err := c.read(ctx, c.there, yield)
	if n > 0 || err != nil || !more {
		return more, err
	}
	complete, behind, err := c.progress(ctx)
	if complete || err != nil {
		return !complete, err
	}
	n, more, err = c.read(ctx, c.coming, yield)
	if n == 0 && behind {
		c.cursor = nil // it should have given us something
	}
	return more, err
}

// drain yields the outcomes that are there, as far as they can be had, and reports
// whether more are wanted.
func (c *collection) drain(ctx context.Context, yield func(*Result, error) bool) bool {
	c.cursor = nil // what was asked for when reading ended is given to nobody
	for {
		n, more, err := c.read(ctx, c.there, yield)
		if n == 0 || err != nil || !more {
			return more
		}
	}
}

// there asks for outcomes that are there, and coming for those that come within a short
// time too.
func (c *collection) there() (jetstream.MessageBatch, error) { return c.cursor.FetchNoWait(readAhead) }

func (c *collection) coming() (jetstream.MessageBatch, error) {
	return c.cursor.Fetch(readAhead, jetstream.FetchMaxWait(readTime))
}

// read yields the outcomes that are asked for, and returns how many there were. more is
// false if no further one is wanted.
func (c *collection) read(ctx context.Context, ask func() (jetstream.MessageBatch, error), yield func(*Result, error) bool) (n int, more bool, err error) {
	if c.cursor == nil {
		if c.cursor, err = c.open(ctx); err != nil {
			return 0, true, err
		}
	}
	outcomes, err := ask()
	if err != nil {
		return 0, true, err
	}
	for {
		var msg jetstream.Msg
		select {
		case msg = <-outcomes.Messages():
		case <-ctx.Done():
			return n, true, ctx.Err()
		}
		if msg == nil {
			return n, true, outcomes.Error()
		}
		meta, err := msg.Metadata()
		if err != nil {
			return n, true, err
		}
		if meta.Sequence.Consumer != c.given+1 {
			c.cursor = nil // some got lost with a connection
			return n, true, nil
		}
		n, c.next, c.given = n+1, meta.Sequence.Stream+1, c.given+1
		if len(msg.Data()) > 0 && !yield(decode(msg.Data())) { // without data it is one that was taken back
			return n, false, nil
		}
	}
}

// open makes a consumer that begins with the next outcome.
func (c *collection) open(ctx context.Context) (jetstream.Consumer, error) {
	c.given = 0
	return once(ctx, func(ctx context.Context) (jetstream.Consumer, error) {
		return c.fleet.history.CreateConsumer(ctx, jetstream.ConsumerConfig{
			DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: c.next,
			AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: cursorTTL,
		})
	})
}

// decode returns what Collect yields for an outcome.
func decode(data []byte) (*Result, error) {
	var o outcome
	switch err := json.Unmarshal(data, &o); {
	case err != nil:
		return nil, fmt.Errorf("unreadable outcome: %w", err)
	case o.Dead != nil:
		return nil, o.Dead
	case o.Result == nil:
		return nil, errors.New("unreadable outcome: neither a result nor a dead letter")
	}
	return o.Result, nil
}

// progress reports whether the batch is complete, which is when all requests were
// submitted, all jobs have left the queue, and all outcomes were read; and whether there
// are outcomes to be read. A job leaves the queue after its outcome was written, so the
// outcomes are counted last.
func (c *collection) progress(ctx context.Context) (complete, behind bool, err error) {
	b, err := c.fleet.batch(ctx)
	if err != nil {
		return false, false, err
	}
	jobs, err := streamState(ctx, c.fleet.jobs)
	if err != nil {
		return false, false, err
	}
	outcomes, err := streamState(ctx, c.fleet.history)
	if err != nil {
		return false, false, err
	}
	behind = outcomes.LastSeq >= c.next
	return !behind && b.Sealed && jobs.Msgs == 0 && jobs.LastSeq >= b.Last, behind, nil
}

func streamState(ctx context.Context, s jetstream.Stream) (jetstream.StreamState, error) {
	info, err := once(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.Info(ctx) })
	if err != nil {
		return jetstream.StreamState{}, err
	}
	return info.State, nil
}

// Status counts the jobs of a fleet.
type Status struct {
	Waiting  int // in the queue, and never given to a worker
	Working  int // given to a worker, and not finished; those that wait to be tried again included
	Finished int // that have their outcome
	Dead     int // of those, dead letters that nobody took
}

// Status returns where the jobs are. The numbers are taken one after the other, so that
// a job on its way may be in two of them.
func (f *Fleet) Status(ctx context.Context) (Status, error) {
	var s Status
	workers, err := again(ctx, f.workers.Info)
	if err != nil {
		return s, fmt.Errorf("fleet %s: status: %w", f.name, err)
	}
	s.Waiting, s.Working = int(workers.NumPending), workers.NumAckPending
	for _, of := range []struct {
		stream jetstream.Stream
		count  *int
	}{{f.dead, &s.Dead}, {f.history, &s.Finished}} {
		state, err := again(ctx, func(ctx context.Context) (jetstream.StreamState, error) { return streamState(ctx, of.stream) })
		if err != nil {
			return s, fmt.Errorf("fleet %s: status: %w", f.name, err)
		}
		*of.count = int(state.Msgs)
	}
	return s, nil
}

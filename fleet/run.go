package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Run takes jobs from the queue and has the worker do them, so many at a time, at least
// one:
//
//	Run
//	└── serve, as often as there are workers
//	    ├── next            a job, or none for a while
//	    └── delivery.handle
//	        ├── outcomes    has it one? Then that is all
//	        ├── work        with a heartbeat, so that nobody else is given the job
//	        └── settle      write down what came of it, then give the job back or take it off the queue
//
// When ctx ends, what is being worked on is ended too and given back, what is finished
// is written down, and Run returns nil. Another error says why this process cannot go
// on: it wraps [mend.ErrSandboxUnavailable] if it has no sandbox.
func (f *Fleet) Run(ctx context.Context, w Worker, workers int) error {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			if err := f.serve(running, w); err != nil {
				stop(err)
			}
		})
	}
	wg.Wait()
	later, cancel := afterwards(ctx)
	defer cancel()
	_, flushed := once(later, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.conn.FlushWithContext(ctx) })
	switch cause := context.Cause(running); {
	case ctx.Err() != nil:
		return nil // what could not be flushed comes again
	case cause != nil:
		return fmt.Errorf("fleet %s: run: %w", f.name, cause)
	}
	return flushed
}

// serve does one job after the other. The error says why it stopped before ctx ended.
func (f *Fleet) serve(ctx context.Context, w Worker) error {
	wait := minPause
	for ctx.Err() == nil {
		msg, err := f.next(ctx)
		if err == nil && msg != nil {
			d := &delivery{fleet: f, msg: msg, began: time.Now()}
			err = d.handle(ctx, w)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			wait = minPause
		case !passes(err):
			return err
		default: // the job, if there was one, comes again
			if err := f.check(ctx, wait); err != nil {
				return err
			}
			pause(ctx, wait)
			wait = min(2*wait, maxPause)
		}
	}
	return nil
}

// check returns an error if the fleet was removed, rather than being out of reach. It
// asks only after a few pauses, since most troubles are short.
func (f *Fleet) check(ctx context.Context, wait time.Duration) error {
	if wait < maxPause {
		return nil
	}
	_, err := once(ctx, f.workers.Info)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	return nil
}

// pullTime is how long a worker waits for a job before it asks again, and pullBeat how
// often the server tells meanwhile that it is still there.
const (
	pullTime = 10 * time.Second
	pullBeat = time.Second
)

// next waits a while for a job, and returns nil if none came. The server's time is over
// a second before ours is, so that nothing it sends comes to nobody, but for the moment in
// which ctx ends.
func (f *Fleet) next(ctx context.Context) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	msg, err := f.workers.Next(jetstream.FetchContext(ctx), jetstream.FetchHeartbeat(pullBeat))
	if err != nil && (ctx.Err() != nil || errors.Is(err, nats.ErrTimeout)) {
		return nil, nil
	}
	return msg, err
}

// delivery is a job that the queue gave to this process.
type delivery struct {
	fleet  *Fleet
	msg    jetstream.Msg
	began  time.Time
	number int // from 1
	job    Job
	past   *past
}

// handle does the job unless that was done before, and settles it. An error says that
// the servers could not be reached, or will not do; the job then comes again.
func (d *delivery) handle(ctx context.Context, w Worker) error {
	later, cancel := afterwards(ctx)
	defer cancel()
	meta, err := d.msg.Metadata()
	if err != nil {
		return err
	}
	d.number = int(meta.NumDelivered)
	key := keyOf(d.msg.Subject())
	known, err := d.fleet.outcome(later, key)
	if err != nil {
		return err
	}
	if d.past, err = d.fleet.recall(later, key, d.number); err != nil {
		return err
	}
	d.job, err = decodeJob(key, d.msg.Data())
	switch {
	case known != nil:
		return d.finish(later, known)
	case err != nil:
		return d.bury(later, err.Error())
	case d.past.used() >= d.fleet.opts.deliveries() && d.past.isCertain():
		return d.bury(later, fmt.Sprintf("%d tries, and nobody told the end of the last one", d.past.used()))
	}
	if err := d.fleet.begin(later, key, d.past); err != nil {
		return err
	}
	out := d.work(ctx, w)
	return d.settle(ctx, later, out)
}

// outcome returns the outcome of a job, or nil if it has none.
func (f *Fleet) outcome(ctx context.Context, key string) (*outcome, error) {
	entry, err := again(ctx, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return f.outcomes.Get(ctx, key) })
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o := &outcome{revision: entry.Revision()}
	_ = json.Unmarshal(entry.Value(), o) // Collect tells; here it counts that there is one
	return o, nil
}

// work has the worker do the job, and tells the server meanwhile that it does. It stops
// telling when the job's time is over, so that a worker that hangs does not keep it.
func (d *delivery) work(ctx context.Context, w Worker) made {
	ctx, cancel := context.WithTimeoutCause(ctx, d.fleet.opts.timeout(), errTimeout)
	defer cancel()
	done := work(ctx, w, d.job)
	beat := time.NewTicker(d.fleet.heartbeat())
	defer beat.Stop()
	for {
		select {
		case out := <-done:
			if out.err != nil && context.Cause(ctx) == errTimeout {
				out.err = fmt.Errorf("%w: %w", errTimeout, out.err)
			}
			return out
		case <-beat.C:
			if context.Cause(ctx) != errTimeout {
				_ = d.msg.InProgress() // the next one may come through
			}
		}
	}
}

// heartbeat is how often a worker says that it is at a job: often enough for two of
// them to get lost.
func (f *Fleet) heartbeat() time.Duration {
	return max(f.workers.CachedInfo().Config.AckWait/3, time.Millisecond)
}

// settle writes down what came of the job, and gives it back or takes it off the queue.
func (d *delivery) settle(ctx, later context.Context, out made) error {
	v := judge(ctx, out.result, out.err)
	switch v.fate {
	case fateFinished:
		return d.deliver(later, out.result)
	case fateReleased:
		d.past.Released++
	case fateFailed, fateDead:
		d.past.fail(d.fleet.tryOf(d.number, d.began, out.err))
		v.delay = d.fleet.opts.backoff(d.past.Failed)
		if v.fate == fateDead {
			return d.bury(later, ErrFinal.Error())
		}
		if tries := d.past.used(); tries >= d.fleet.opts.deliveries() {
			return d.bury(later, fmt.Sprintf("%d tries failed", tries))
		}
	}
	if err := d.fleet.note(later, d.job.Key, d.past); err != nil {
		return err
	}
	if err := d.msg.NakWithDelay(v.delay); err != nil {
		return err
	}
	return v.end
}

// deliver writes down the result.
func (d *delivery) deliver(ctx context.Context, r *Result) error {
	signed := *r // it is the worker's
	signed.Job, signed.Worker, signed.Delivery = d.job, d.fleet.opts.Worker, d.number
	signed.Finished, signed.Took = time.Now(), time.Since(d.began)
	err := signed.check()
	if err == nil {
		err = d.write(ctx, &outcome{Result: &signed})
		if !errors.Is(err, nats.ErrMaxPayload) {
			return err
		}
		err = fmt.Errorf("the result does not fit into a message of %d bytes", d.fleet.conn.MaxPayload())
	}
	d.past.fail(d.fleet.tryOf(d.number, d.began, err))
	return d.bury(ctx, ErrFinal.Error())
}

// bury writes down that the job has no result, and why. Where servers take short messages
// only, it is no more than the last try's error.
func (d *delivery) bury(ctx context.Context, reason string) error {
	letter := &DeadLetter{
		Job: d.job, Reason: oneLine(d.fleet.opts.Sanitizer, reason), Tries: d.past.Tries, Lost: d.past.lost(),
		Time: time.Now(), Worker: d.fleet.opts.Worker,
	}
	err := d.write(ctx, &outcome{Dead: letter})
	if errors.Is(err, nats.ErrMaxPayload) {
		letter.Tries = shorten(letter.Tries)
		err = d.write(ctx, &outcome{Dead: letter})
	}
	return err
}

// write makes an outcome the job's, unless it has one, and finishes the job.
func (d *delivery) write(ctx context.Context, o *outcome) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = again(ctx, func(ctx context.Context) (uint64, error) { return d.fleet.outcomes.Create(ctx, d.job.Key, data) })
	if isTaken(err) { // perhaps by this very call, whose answer got lost
		if o, err = d.fleet.outcome(ctx, d.job.Key); o == nil && err == nil {
			return nil // and is gone again: the job comes again too
		}
	}
	if err != nil {
		return err
	}
	return d.finish(ctx, o)
}

// finish takes a job that has its outcome off the queue. It can be done twice: whoever
// wrote the outcome may not have come to the rest.
func (d *delivery) finish(ctx context.Context, o *outcome) error {
	if o.Dead != nil {
		data, err := json.Marshal(o.Dead)
		if err != nil {
			return err
		}
		letter := nats.NewMsg(d.fleet.subject(subjectDead, d.job.Key))
		letter.Data = data
		if _, err := d.fleet.publish(ctx, letter); err != nil {
			return err
		}
	}
	if err := d.fleet.forget(ctx, d.job.Key, d.past); err != nil {
		return err
	}
	return d.msg.Ack()
}

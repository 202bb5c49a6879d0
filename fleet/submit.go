package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/mendkit/mend"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Submitted counts the requests that were submitted.
type Submitted struct {
	Queued int // new in the queue
	Known  int // there already, or done a short while ago: nothing was added
}

// window is how many requests are under way to the server at a time.
const window = 512

// Submit adds requests to the queue. They are taken from reqs as the server takes them,
// so that memory stays bounded however many there are. It may be called again with the
// same and with further ones; calls must not overlap. Until it returned nil, the batch
// is not complete, and Collect waits.
func (f *Fleet) Submit(ctx context.Context, reqs iter.Seq[mend.BuildRequest]) (Submitted, error) {
	s := &submission{fleet: f}
	err := s.submit(ctx, reqs)
	if err != nil {
		err = fmt.Errorf("fleet %s: submit: %w", f.name, err)
	}
	return s.done, err
}

// submission is the state of one call of Submit.
type submission struct {
	fleet   *Fleet
	done    Submitted
	pending []jetstream.PubAckFuture
}

func (s *submission) submit(ctx context.Context, reqs iter.Seq[mend.BuildRequest]) error {
	if err := s.fleet.seal(ctx, batch{}); err != nil {
		return err
	}
	for req := range reqs {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := s.add(ctx, NewJob(req, s.fleet.opts.Inputs)); err != nil {
			return err
		}
	}
	if err := s.settle(ctx); err != nil {
		return err
	}
	info, err := again(ctx, func(ctx context.Context) (*jetstream.StreamInfo, error) { return s.fleet.jobs.Info(ctx) })
	if err != nil {
		return err
	}
	return s.fleet.seal(ctx, batch{Sealed: true, Last: info.State.LastSeq})
}

func (s *submission) add(ctx context.Context, job Job) error {
	data, err := job.encode()
	if err != nil {
		return err
	}
	message := s.fleet.message(job, data, job.Key)
	future, err := s.fleet.js.PublishMsgAsync(message)
	if errors.Is(err, nats.ErrMaxPayload) {
		return fmt.Errorf("request %.40q: %w", job.Package, err)
	}
	if err != nil {
		return s.count(ctx, message, nil, err)
	}
	s.pending = append(s.pending, future)
	if len(s.pending) < window {
		return nil
	}
	return s.settle(ctx)
}

// message returns the message of a job. The server drops a second one of the same
// identity.
func (f *Fleet) message(job Job, data []byte, identity string) *nats.Msg {
	m := nats.NewMsg(f.subject(subjectJob, job.Key))
	m.Data = data
	m.Header.Set(nats.MsgIdHdr, identity)
	return m
}

// settle waits until the server has all that was sent.
func (s *submission) settle(ctx context.Context) error {
	for _, future := range s.pending {
		var ack *jetstream.PubAck
		var err error
		select {
		case ack = <-future.Ok():
		case err = <-future.Err():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := s.count(ctx, future.Msg(), ack, err); err != nil {
			return err
		}
	}
	s.pending = s.pending[:0]
	return nil
}

// count counts what came of a message, and sends it again if it may not have arrived.
func (s *submission) count(ctx context.Context, m *nats.Msg, ack *jetstream.PubAck, err error) error {
	if err != nil && !isWaiting(err) && passes(err) {
		ack, err = s.fleet.publish(ctx, m)
	}
	switch {
	case isWaiting(err), err == nil && ack.Duplicate:
		s.done.Known++
	case err != nil:
		return err
	default:
		s.done.Queued++
	}
	return nil
}

func (f *Fleet) publish(ctx context.Context, m *nats.Msg) (*jetstream.PubAck, error) {
	return again(ctx, func(ctx context.Context) (*jetstream.PubAck, error) {
		ack, err := f.js.PublishMsg(ctx, m)
		if isWaiting(err) {
			return &jetstream.PubAck{Duplicate: true}, nil
		}
		return ack, err
	})
}

// isWaiting reports whether the server refused a job because it is in the queue. There
// is no code for that.
func isWaiting(err error) bool {
	var api jetstream.JetStreamError
	return errors.As(err, &api) && api.APIError() != nil &&
		strings.Contains(api.APIError().Description, "maximum messages per subject exceeded")
}

// batch is what is known of the whole.
type batch struct {
	Sealed bool   `json:"sealed"` // all requests are in the queue
	Last   uint64 `json:"last"`   // sequence of the last job; a server that knows of less is behind
}

const batchKey = "batch"

func (f *Fleet) seal(ctx context.Context, b batch) error {
	data, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = again(ctx, func(ctx context.Context) (uint64, error) { return f.state.Put(ctx, batchKey, data) })
	return err
}

// batch returns what is known of the whole: nothing if nobody submitted yet.
func (f *Fleet) batch(ctx context.Context) (b batch, err error) {
	entry, err := once(ctx, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return f.state.Get(ctx, batchKey) })
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return b, nil
	}
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(entry.Value(), &b); err != nil {
		return b, fmt.Errorf("unreadable state of the batch: %w", err)
	}
	return b, nil
}

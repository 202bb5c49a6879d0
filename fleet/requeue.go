package fleet

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Requeue puts the jobs of all dead letters back into the queue, say after a machine was
// mended or a budget raised, and returns how many there were. Their tries are counted
// anew. Letters of what could not be read stay: there is nothing to try. If Requeue fails
// half-way, it can be called again.
func (f *Fleet) Requeue(ctx context.Context) (int, error) {
	n := 0
	for next := uint64(1); ; {
		letter, err := again(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return f.dead.GetMsg(ctx, next, jetstream.WithGetMsgSubject(f.subject(subjectDead, "*")))
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return n, nil
		}
		if err != nil {
			return n, fmt.Errorf("fleet %s: requeue: %w", f.name, err)
		}
		if job, ok := jobOfLetter(letter.Subject, letter.Data); ok {
			if err := f.requeue(ctx, letter.Sequence, job); err != nil {
				return n, fmt.Errorf("fleet %s: requeue: %w", f.name, err)
			}
			n++
		}
		next = letter.Sequence + 1
	}
}

// requeue takes the outcome back, then queues the job, then removes the letter of that
// sequence: whatever it does not come to is done the next time.
func (f *Fleet) requeue(ctx context.Context, letter uint64, job Job) error {
	o, err := f.outcome(ctx, job.Key)
	if err != nil {
		return err
	}
	if o != nil && o.Dead != nil {
		_, err := again(ctx, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, f.outcomes.Delete(ctx, job.Key, jetstream.LastRevision(o.revision))
		})
		if err != nil && !isTaken(err) {
			return err
		}
	}
	if o == nil || o.Dead != nil {
		data, err := job.encode()
		if err != nil {
			return err
		}
		identity := fmt.Sprintf("%s/%d", job.Key, letter) // another one than when it was submitted
		if _, err := f.publish(ctx, f.message(job, data, identity)); err != nil {
			return err
		}
	}
	_, err = again(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.dead.DeleteMsg(ctx, letter) })
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // by an earlier call whose answer got lost, or by another process
		if _, gone := f.dead.GetMsg(ctx, letter); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
	}
	return err
}

package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Requeue puts the jobs of all dead letters back into the queue, say after a machine was
// mended or a budget raised, and returns how many there were. Their tries are counted
// anew. If it fails half-way, it can be called again.
func (f *Fleet) Requeue(ctx context.Context) (int, error) {
	n := 0
	for next := uint64(1); ; n++ {
		letter, err := again(ctx, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
			return f.dead.GetMsg(ctx, next, jetstream.WithGetMsgSubject(f.subject(subjectDead, "*")))
		})
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return n, nil
		}
		if err == nil {
			err = f.requeue(ctx, letter)
		}
		if err != nil {
			return n, fmt.Errorf("fleet %s: requeue: %w", f.name, err)
		}
		next = letter.Sequence + 1
	}
}

// requeue takes the outcome back, then queues the job, then removes the letter: whatever
// it does not come to is done the next time.
func (f *Fleet) requeue(ctx context.Context, letter *jetstream.RawStreamMsg) error {
	var d DeadLetter
	if err := json.Unmarshal(letter.Data, &d); err != nil {
		return fmt.Errorf("unreadable dead letter %d: %w", letter.Sequence, err)
	}
	o, err := f.outcome(ctx, d.Key)
	if err != nil {
		return err
	}
	if o != nil && o.Dead != nil {
		_, err := again(ctx, func(ctx context.Context) (struct{}, error) {
			return struct{}{}, f.outcomes.Delete(ctx, d.Key, jetstream.LastRevision(o.revision))
		})
		if err != nil && !isTaken(err) {
			return err
		}
	}
	if o == nil || o.Dead != nil {
		data, err := d.Job.encode()
		if err != nil {
			return err
		}
		identity := fmt.Sprintf("%s/%d", d.Key, letter.Sequence) // another one than when it was submitted
		if _, err := f.publish(ctx, f.message(d.Job, data, identity)); err != nil {
			return err
		}
	}
	_, err = again(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.dead.DeleteMsg(ctx, letter.Sequence) })
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // by an earlier call whose answer got lost, or by another process
		if _, gone := f.dead.GetMsg(ctx, letter.Sequence); errors.Is(gone, jetstream.ErrMsgNotFound) {
			return nil
		}
	}
	return err
}

package fleet

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// past is what is known of a job that was delivered before.
type past struct {
	Failed   int   `json:"failed"`   // tries that count
	Released int   `json:"released"` // deliveries that do not: the worker was stopped, or had to wait
	Tries    []Try `json:"tries"`    // that failed, the last ones

	revision uint64 // of the bucket's entry; 0 if there is none
}

// maxTries is how many tries a dead letter has, so that it fits into a message.
const maxTries = 16

// pastKey returns the key under which the failed tries of a job are kept.
func pastKey(job string) string { return "tries." + job }

// recall returns what is known of a job. Most jobs are delivered once, and for them
// there is nothing to ask.
func (f *Fleet) recall(ctx context.Context, key string, delivery int) (*past, error) {
	if delivery <= 1 {
		return &past{}, nil
	}
	entry, err := again(ctx, func(ctx context.Context) (jetstream.KeyValueEntry, error) {
		return f.state.Get(ctx, pastKey(key))
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return &past{}, nil
	}
	if err != nil {
		return nil, err
	}
	p := &past{revision: entry.Revision()}
	if err := json.Unmarshal(entry.Value(), p); err != nil {
		return &past{revision: entry.Revision()}, nil // whoever wrote that, the job is what counts
	}
	return p, nil
}

// lost returns of how many deliveries, given how many are over, nobody told the end.
func (p *past) lost(over int) int { return max(over-p.Failed-p.Released, 0) }

// used returns how many tries the deliveries were that are over.
func (p *past) used(over int) int { return p.Failed + p.lost(over) }

// fail adds a try that counts.
func (p *past) fail(t Try) {
	p.Failed++
	p.Tries = append(p.Tries, t)
	p.Tries = p.Tries[max(0, len(p.Tries)-maxTries):]
}

// note writes down what is known of a job. If another worker did so meanwhile, this one
// has lost the job, and its say does not count.
func (f *Fleet) note(ctx context.Context, key string, p *past) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = again(ctx, func(ctx context.Context) (uint64, error) {
		if p.revision == 0 {
			return f.state.Create(ctx, pastKey(key), data)
		}
		return f.state.Update(ctx, pastKey(key), data, p.revision)
	})
	if isTaken(err) {
		return nil
	}
	return err
}

// forget removes what is known of the failed tries of a job that has its outcome.
func (f *Fleet) forget(ctx context.Context, key string, p *past) error {
	if p.revision == 0 {
		return nil
	}
	_, err := again(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.state.Purge(ctx, pastKey(key)) })
	return err
}

// isTaken reports whether a compare-and-set failed because somebody was faster, or
// because an earlier call of ours had come through after all.
func isTaken(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch)
}

package fleet

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// past is what is known of a job that was delivered before.
type past struct {
	Begun    int   `json:"begun"`    // tries after the first delivery, which alone is not told of when it begins
	Failed   int   `json:"failed"`   // tries that count
	Released int   `json:"released"` // tries that do not: the worker was stopped, or had to wait
	Tries    []Try `json:"tries"`    // that failed, the last ones

	first    bool   // this is the first delivery
	revision uint64 // of the bucket's entry; 0 if there is none
}

// maxTries is how many tries a dead letter has, so that it fits into a message.
const maxTries = 8

// pastKey returns the key under which the failed tries of a job are kept.
func pastKey(job string) string { return "tries." + job }

// recall returns what is known of a job. Most jobs are delivered once, and for them
// there is nothing to ask.
func (f *Fleet) recall(ctx context.Context, key string, delivery int) (*past, error) {
	if delivery <= 1 {
		return &past{first: true}, nil
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

// lost returns of how many tries, so far as they are over, nobody told the end. A
// delivery that came to nobody is none of them, unless it was the first.
func (p *past) lost() int {
	if p.first {
		return 0
	}
	return max(1+p.Begun-p.Failed-p.Released, 0)
}

// used returns how many tries are over.
func (p *past) used() int { return p.Failed + p.lost() }

// isCertain reports whether a job was worked on for all that is known. A first delivery of
// which nothing was told may have come to nobody, as to a worker that was being stopped.
func (p *past) isCertain() bool { return p.Begun > 0 || p.Failed > 0 }

// begin notes that a job is begun, unless it is delivered for the first time.
func (f *Fleet) begin(ctx context.Context, key string, p *past) error {
	if p.first {
		return nil
	}
	p.Begun++
	return f.note(ctx, key, p)
}

// fail adds a try that counts.
func (p *past) fail(t Try) {
	p.Failed++
	p.Tries = append(p.Tries, t)
	p.Tries = p.Tries[max(0, len(p.Tries)-maxTries):]
}

// shorten returns of failed tries what fits into any message: the last one's error.
func shorten(tries []Try) []Try {
	const runes = 500
	if len(tries) == 0 {
		return nil
	}
	last := tries[len(tries)-1]
	last.Stack, last.Error = "", clip(last.Error, runes)
	return []Try{last}
}

// note writes down what is known of a job. If another worker did so meanwhile, this one
// has lost the job, and its say does not count.
func (f *Fleet) note(ctx context.Context, key string, p *past) error {
	err := f.write(ctx, key, p)
	if errors.Is(err, nats.ErrMaxPayload) {
		p.Tries = shorten(p.Tries)
		err = f.write(ctx, key, p)
	}
	if isTaken(err) {
		return nil
	}
	return err
}

func (f *Fleet) write(ctx context.Context, key string, p *past) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	revision, err := again(ctx, func(ctx context.Context) (uint64, error) {
		if p.revision == 0 {
			return f.state.Create(ctx, pastKey(key), data)
		}
		return f.state.Update(ctx, pastKey(key), data, p.revision)
	})
	if err == nil {
		p.revision = revision
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

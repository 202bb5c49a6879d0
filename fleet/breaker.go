package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/mendkit/mend"
	"github.com/nats-io/nats.go/jetstream"
)

// Breaker returns a circuit breaker that is shared by all processes of the fleet: when
// one finds a provider down, all leave it alone, when one's probe is under way, the
// others wait for it, and when it succeeds, all go on. Put it into
// [mend.FailoverOptions.Breakers] under the provider's name. nil options are valid.
//
// The breakers tell each other within milliseconds, not at once: for a moment more than
// one may probe. Where the servers cannot be reached, each goes on by itself. ctx bounds
// the asking for what is known.
func (f *Fleet) Breaker(ctx context.Context, provider string, opts *mend.BreakerOptions) (*mend.CircuitBreaker, error) {
	var o mend.BreakerOptions
	if opts != nil {
		o = *opts
	}
	s := &sharedBreaker{
		fleet: f, key: "breaker." + token(provider), name: f.opts.Worker + " " + rand.Text()[:8], news: make(chan struct{}, 1),
	}
	told := o.OnStateChange
	o.OnStateChange = func(name string, from, to mend.State) {
		s.wake()
		if told != nil {
			told(name, from, to)
		}
	}
	s.breaker = mend.NewCircuitBreaker(provider, &o)
	ready, err := s.start(ctx)
	if err != nil {
		return nil, fmt.Errorf("fleet %s: breaker of %s: %w", f.name, provider, err)
	}
	select {
	case <-ready:
		return s.breaker, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// token returns a name as it may stand in a bucket's key: what may not is written as =
// and two hexadecimal digits.
func token(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if isKeyByte(rune(name[i])) {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "=%02X", name[i])
		}
	}
	return b.String()
}

// sharedBreaker ties a breaker to its entry in the bucket.
type sharedBreaker struct {
	fleet   *Fleet
	key     string
	name    string // of this breaker among those that share; a process may have several
	breaker *mend.CircuitBreaker
	news    chan struct{} // holds one element if the breaker has changed

	mu      sync.Mutex
	adopted time.Time // NextProbe that was taken over from the entry, and is no news to others
}

// breakerEntry is what the processes know of a provider. A probe under way is open for a
// short while.
type breakerEntry struct {
	Open  bool      `json:"open"`
	Probe bool      `json:"probe,omitempty"` // a call is under way that will tell
	Until time.Time `json:"until,omitzero"`
	Trips int       `json:"trips,omitempty"`
	Cause string    `json:"cause,omitempty"`
	By    string    `json:"by"` // the breaker that found out
}

const (
	// probeTime is how long others wait for a probe. A call may take longer, but the
	// process may also be gone, or the probe's caller, and neither is told.
	probeTime = 30 * time.Second

	maxCause = 500 // runes of what opened a breaker
)

// start begins to listen and to tell. ready is closed when what is known was taken over.
func (s *sharedBreaker) start(ctx context.Context) (ready <-chan struct{}, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	watch, err := again(ctx, func(context.Context) (jetstream.KeyWatcher, error) {
		return s.fleet.state.Watch(s.fleet.closing, s.key) // outlives ctx
	})
	if err != nil {
		return nil, err
	}
	known := make(chan struct{})
	s.fleet.running.Go(func() {
		for entry := range watch.Updates() {
			if entry == nil {
				close(known) // all that was there
				continue
			}
			s.hear(entry.Value())
		}
	})
	s.fleet.running.Go(func() {
		for {
			select {
			case <-s.news:
				_ = s.tell(s.fleet.closing) // the others find out by themselves
			case <-s.fleet.closing.Done():
				_ = watch.Stop()
				return
			}
		}
	})
	return known, nil
}

func (s *sharedBreaker) wake() {
	select {
	case s.news <- struct{}{}:
	default: // it is known that there is something to tell
	}
}

// hear takes over what another process found.
func (s *sharedBreaker) hear(data []byte) {
	var e breakerEntry
	if json.Unmarshal(data, &e) != nil || e.By == s.name {
		return
	}
	if !e.Open {
		s.breaker.Adopt(mend.BreakerSnapshot{State: mend.StateClosed})
		return
	}
	until := e.Until.Add(mathrand.N(max(time.Until(e.Until)/10, 1))) // so that not all probe at once
	s.mu.Lock()                                                      // until adopted is right, nothing is told
	defer s.mu.Unlock()
	if s.breaker.Adopt(mend.BreakerSnapshot{State: mend.StateOpen, Trips: e.Trips, NextProbe: until, Cause: errors.New(e.Cause)}) {
		s.adopted = until
	}
}

// tell writes down what this process found, unless it heard that or knows less.
func (s *sharedBreaker) tell(ctx context.Context) error {
	for {
		mine := s.entry()
		known, revision, err := s.read(ctx)
		if err != nil || !mine.isNews(known) || s.heard(mine) {
			return err
		}
		data, err := json.Marshal(mine)
		if err != nil {
			return err
		}
		_, err = again(ctx, func(ctx context.Context) (uint64, error) {
			if revision == 0 {
				return s.fleet.state.Create(ctx, s.key, data)
			}
			return s.fleet.state.Update(ctx, s.key, data, revision)
		})
		if !isTaken(err) {
			return err
		}
	}
}

// entry returns what the breaker says now.
func (s *sharedBreaker) entry() breakerEntry {
	snap := s.breaker.Snapshot()
	e := breakerEntry{By: s.name, Open: snap.State != mend.StateClosed, Until: snap.NextProbe, Trips: snap.Trips}
	if e.Probe = snap.State == mend.StateHalfOpen; e.Probe {
		if latest := time.Now().Add(probeTime); e.Until.After(latest) {
			e.Until = latest
		}
	}
	if snap.Cause != nil {
		e.Cause = clip(oneLine(s.fleet.opts.Sanitizer, snap.Cause.Error()), maxCause)
	}
	return e
}

func clip(text string, runes int) string {
	for i := range text {
		if runes--; runes < 0 {
			return text[:i]
		}
	}
	return text
}

// heard reports whether the entry is what was taken over from others.
func (s *sharedBreaker) heard(e breakerEntry) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.Open && e.Until.Equal(s.adopted)
}

// isNews reports whether others learn something from e who know the other entry: that
// the provider is to be left alone for longer, or no more. That a probe is under way is
// news once, although the time until which others wait for it moves on.
func (e breakerEntry) isNews(known breakerEntry) bool {
	switch {
	case !e.Open:
		return known.Open
	case !e.Until.After(time.Now()):
		return false
	case known.Probe && e.Probe && known.By == e.By && known.Until.After(time.Now()):
		return false
	}
	return !known.Open || e.Until.After(known.Until)
}

// read returns the entry and its revision, which is 0 if there is none.
func (s *sharedBreaker) read(ctx context.Context) (e breakerEntry, revision uint64, err error) {
	entry, err := again(ctx, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return s.fleet.state.Get(ctx, s.key) })
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return e, 0, nil
	}
	if err != nil {
		return e, 0, err
	}
	_ = json.Unmarshal(entry.Value(), &e) // what cannot be read is written anew
	return e, entry.Revision(), nil
}

package mend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// State is what a circuit breaker does with calls.
type State uint8

// The states of a circuit breaker.
const (
	StateClosed   State = iota // all calls are admitted
	StateOpen                  // none is
	StateHalfOpen              // one is, as a probe
)

// String returns "closed", "open" or "half-open".
func (s State) String() string {
	switch s {
	case StateClosed:
		return "closed"
	case StateOpen:
		return "open"
	case StateHalfOpen:
		return "half-open"
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// BreakerOptions configures a [CircuitBreaker]. A zero field means its default.
type BreakerOptions struct {
	Failures    int           // so many in a row open the breaker; 0 means 3, more than 65,535 that
	OpenTime    time.Duration // how long it is open the first time; 0 means 60 s
	MaxOpenTime time.Duration // bound of its doubling; 0 means 10 min, less than OpenTime that
	ProbeLease  time.Duration // how long a probe may take before another is admitted; 0 means 5 min

	// OnStateChange is called after each change of state, one at a time and in order,
	// outside of all locks: it may use the breaker. It runs in the goroutine of a call,
	// not always the one that made the change. Its panics are ignored.
	OnStateChange func(name string, from, to State)
}

func (o *BreakerOptions) failures() int {
	if o.Failures <= 0 {
		return 3
	}
	return min(o.Failures, maxFailures)
}

func (o *BreakerOptions) openTime() time.Duration {
	if o.OpenTime <= 0 {
		return time.Minute
	}
	return o.OpenTime
}

func (o *BreakerOptions) maxOpenTime() time.Duration {
	limit := o.MaxOpenTime
	if limit <= 0 {
		limit = 10 * time.Minute
	}
	return max(limit, o.openTime())
}

func (o *BreakerOptions) probeLease() time.Duration {
	if o.ProbeLease <= 0 {
		return 5 * time.Minute // longer than a Failover lets a call take
	}
	return o.ProbeLease
}

// CircuitBreaker keeps calls away from a provider that is down. It opens after a
// few failures in a row, at once when the provider asks to be left alone or says
// that it will not do, and admits one probe when its time is over: the probe's
// success closes it, the probe's failure opens it for twice as long. A call that was
// admitted before the last change of state says nothing about the present one, and
// is ignored.
//
// Most callers use a [Failover], which has one for each provider, or
// [CircuitBreaker.Do]. Allow, RecordSuccess and RecordFailure are for callers that
// cannot wrap the call; they cannot tell a late result from that of the probe. A
// breaker is safe for concurrent use, and may be shared.
type CircuitBreaker struct {
	name string
	opts BreakerOptions

	// word is all that a call reads or writes while the provider is healthy.
	// It is written with mu held.
	word atomic.Uint64

	mu        sync.Mutex
	trips     int           // in a row, without having been closed between
	nextProbe time.Time     // when open
	lease     time.Time     // when half-open: the end of the probe's; zero if there is no probe
	byAllow   bool          // the probe was admitted by Allow
	asked     bool          // the breaker is open because of a Retry-After that was stated
	cause     error         // what opened it, or nil
	changed   chan struct{} // closed when the next call may be admitted; nil if nobody waits
	callbacks callbacks
}

// NewCircuitBreaker returns a closed breaker for the provider of that name. nil
// options are valid.
func NewCircuitBreaker(name string, opts *BreakerOptions) *CircuitBreaker {
	b := &CircuitBreaker{name: name}
	if opts != nil {
		b.opts = *opts
	}
	return b
}

// Name returns the name that the breaker was made with.
func (b *CircuitBreaker) Name() string { return b.name }

// Do calls the function if the breaker admits it, and records what came of it by
// the kind of its error, as if it were a [Provider]'s: what is wrong with the
// request and a caller that went away count against nobody. It returns the
// function's error, ctx's if that has ended, or a *[CircuitOpenError]. A panic and
// [runtime.Goexit] pass through it, and count as failures.
func (b *CircuitBreaker) Do(ctx context.Context, call func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p, ok := b.acquire(false)
	if !ok {
		return b.openError()
	}
	v := unfinished
	defer func() { p.done(v, nil) }()
	err := call(ctx)
	v = judgeCall(ctx, err)
	return err
}

// Allow reports whether a call may be made now. Who is allowed one has to record
// its result, or the next probe waits for the lease of this one to end.
func (b *CircuitBreaker) Allow() bool {
	_, ok := b.acquire(true)
	return ok
}

// RecordSuccess records the success of a call that was allowed. It is ignored
// while the breaker is open.
func (b *CircuitBreaker) RecordSuccess() { b.record(answered) }

// RecordFailure records the failure of a call that was allowed. It is ignored
// while the breaker is open.
func (b *CircuitBreaker) RecordFailure() { b.record(failed) }

func (b *CircuitBreaker) record(v *verdict) {
	w := b.load()
	if v.outcome == outcomeSuccess && w == healthy(w.generation()) {
		return
	}
	b.mu.Lock()
	w = b.load()
	if w.state() == StateClosed || b.byAllow {
		b.settle(w.generation(), v, nil)
	}
	b.mu.Unlock()
	b.callbacks.run()
}

// State returns the present state, and changes nothing. An open breaker whose
// time is over is said to be half-open: the next call will be admitted.
func (b *CircuitBreaker) State() State {
	if w := b.load(); w.state() != StateOpen {
		return w.state()
	}
	return b.Snapshot().State
}

// BreakerSnapshot is what a circuit breaker knows at one moment.
type BreakerSnapshot struct {
	Name      string
	State     State
	Failures  int       // in a row, while closed
	Trips     int       // how often it opened since it was last closed
	NextProbe time.Time // from when on a probe is admitted, perhaps past; zero if closed
	Cause     error     // what opened it; nil if closed or not known
}

// Snapshot returns the present state in full, and changes nothing.
func (b *CircuitBreaker) Snapshot() BreakerSnapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.load()
	s := BreakerSnapshot{Name: b.name, State: w.state(), Failures: w.failures(), Trips: b.trips}
	switch s.State {
	case StateOpen:
		s.NextProbe, s.Cause = b.nextProbe, b.cause
		if !time.Now().Before(b.nextProbe) {
			s.State = StateHalfOpen
		}
	case StateHalfOpen:
		s.NextProbe, s.Cause = b.nextProbe, b.cause
		if !b.lease.IsZero() {
			s.NextProbe = b.lease
		}
	}
	return s
}

// CircuitOpenError reports that a call was not made because the circuit breaker
// is open.
type CircuitOpenError struct {
	Name    string
	RetryAt time.Time // from when on a probe is admitted; zero if that is now
	Cause   error     // what opened the breaker, or nil; of an earlier call, so it is not unwrapped
}

// Error names the breaker, and says until when and why it is open.
func (e *CircuitOpenError) Error() string {
	s := e.Name + ": circuit open"
	if !e.RetryAt.IsZero() {
		s += " until " + e.RetryAt.UTC().Format(time.RFC3339)
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (b *CircuitBreaker) openError() error {
	s := b.Snapshot()
	return &CircuitOpenError{Name: b.name, RetryAt: s.NextProbe, Cause: s.Cause}
}

// breakerWord holds the state in two bits, the failures in a row in sixteen, and
// in the others a generation that grows with each change of state and each probe.
type breakerWord uint64

const (
	failureShift    = 2
	generationShift = failureShift + 16
	maxFailures     = 1<<(generationShift-failureShift) - 1
)

// healthy is the word of a closed breaker without failures.
func healthy(generation uint64) breakerWord { return breakerWord(generation << generationShift) }

func (w breakerWord) state() State       { return State(w & (1<<failureShift - 1)) }
func (w breakerWord) failures() int      { return int(w >> failureShift & maxFailures) }
func (w breakerWord) generation() uint64 { return uint64(w >> generationShift) }

func (b *CircuitBreaker) load() breakerWord { return breakerWord(b.word.Load()) }

// permit is the admission of one call. done is to be called once.
type permit struct {
	breaker    *CircuitBreaker
	generation uint64
}

// acquire returns the permit for a call, if one may be made now.
func (b *CircuitBreaker) acquire(byAllow bool) (permit, bool) {
	if w := b.load(); w.state() == StateClosed {
		return permit{b, w.generation()}, true
	}
	b.mu.Lock()
	p, ok := b.probe(byAllow)
	b.mu.Unlock()
	b.callbacks.run()
	return p, ok
}

// probe admits a call of a breaker that is not closed. The caller holds mu.
func (b *CircuitBreaker) probe(byAllow bool) (permit, bool) {
	now, w := time.Now(), b.load()
	switch {
	case w.state() == StateClosed: // meanwhile
		return permit{b, w.generation()}, true
	case w.state() == StateOpen && now.Before(b.nextProbe):
		return permit{}, false
	case w.state() == StateHalfOpen && now.Before(b.lease):
		return permit{}, false
	}
	b.lease, b.byAllow = now.Add(b.opts.probeLease()), byAllow
	b.change(StateHalfOpen)
	return permit{b, b.load().generation()}, true
}

// done records what came of the call. If that opens the breaker, opened is called
// with the end of its open time, under the breaker's lock.
func (p permit) done(v *verdict, opened func(until time.Time)) {
	b := p.breaker
	w := b.load()
	if w.generation() != p.generation || v.outcome == outcomeSuccess && w == healthy(p.generation) {
		return
	}
	b.mu.Lock()
	b.settle(p.generation, v, opened)
	b.mu.Unlock()
	b.callbacks.run()
}

// settle counts the result of a call of that generation. The caller holds mu.
func (b *CircuitBreaker) settle(generation uint64, v *verdict, opened func(time.Time)) {
	w := b.load()
	switch {
	case w.generation() != generation, w.state() == StateOpen:
		return // the call began in another state
	case w.state() == StateHalfOpen && !time.Now().Before(b.lease):
		return // the probe was given up, or has its result
	}
	switch v.outcome {
	case outcomeSuccess:
		b.close(w)
	case outcomeNeutral:
		b.lease = time.Time{}
		b.wake()
	case outcomeFailure:
		if n := w.failures() + 1; w.state() == StateClosed && n < b.opts.failures() {
			b.word.Store(uint64(healthy(generation)) | uint64(n)<<failureShift)
			return
		}
		b.open(v, opened)
	default:
		b.open(v, opened)
	}
}

func (b *CircuitBreaker) close(w breakerWord) {
	b.trips, b.cause, b.asked, b.lease = 0, nil, false, time.Time{}
	if w.state() == StateClosed {
		b.word.Store(uint64(healthy(w.generation())))
		return
	}
	b.change(StateClosed)
}

func (b *CircuitBreaker) open(v *verdict, opened func(time.Time)) {
	b.nextProbe = time.Now().Add(b.openTime(v))
	b.trips++
	b.cause, b.asked, b.lease = v.err, v.outcome == outcomeThrottled && v.retryAfter > 0, time.Time{}
	b.change(StateOpen)
	if opened != nil {
		opened(b.nextProbe)
	}
}

// change begins the next generation, in that state and without failures.
func (b *CircuitBreaker) change(to State) {
	from := b.load()
	b.word.Store(uint64(healthy(from.generation()+1)) | uint64(to))
	b.wake()
	if f := b.opts.OnStateChange; f != nil && from.state() != to {
		b.callbacks.add(func() { f(b.name, from.state(), to) })
	}
}

// openTime returns how long the breaker stays open for what v says: the first time
// exactly what the option says, then twice as long as the last time in a row, up to
// the bound, less up to a tenth, so that not all processes keep coming back at once. A
// Retry-After takes the place of the option, and is never undercut.
func (b *CircuitBreaker) openTime(v *verdict) time.Duration {
	d, limit := b.opts.openTime(), b.opts.maxOpenTime()
	asked := min(v.retryAfter, maxRetryAfter)
	switch {
	case v.outcome == outcomeFatal:
		d = limit
	case v.outcome == outcomeThrottled && asked > 0:
		d = asked
	}
	for n := 0; n < b.trips && d < limit; n++ {
		d += min(d, limit-d) // no more than a duration can hold
	}
	d = min(d, limit)
	if b.trips > 0 {
		d -= upToATenth(d)
	}
	if asked > 0 {
		d = max(d, asked+upToATenth(asked))
	}
	return d
}

// maxRetryAfter bounds what a provider can ask for: a date that was misread must
// not lock it out for good.
const maxRetryAfter = 24 * time.Hour

func upToATenth(d time.Duration) time.Duration { return rand.N(max(d/10, 1)) }

// wake tells those who wait that the next call may be admitted.
func (b *CircuitBreaker) wake() {
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// promise returns when a breaker that is open because of a stated Retry-After is
// worth another try: at a time, or when the channel is closed. ok is false if it is
// open for another reason, or beyond the limit.
func (b *CircuitBreaker) promise(limit time.Time) (at time.Time, changed <-chan struct{}, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.load().state() {
	case StateClosed:
		return time.Time{}, nil, true
	case StateOpen:
		at, ok = b.nextProbe, b.asked && !b.nextProbe.After(limit)
	case StateHalfOpen:
		at, ok = b.lease, b.asked
	}
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return at, b.changed, ok
}

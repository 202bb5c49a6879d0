package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// FailoverOptions configures a [Failover]. A zero field means its default.
type FailoverOptions struct {
	// Breakers are the circuit breakers by the provider's name. One that is missing
	// is made with default options. Failovers that are given the same breakers share
	// what they learn.
	Breakers map[string]*CircuitBreaker

	// Windows are the sizes of the providers' context windows, in tokens, by name. A
	// request that did not fit into one window is not sent to a provider whose window
	// is known to be no larger.
	Windows map[string]int

	NextOnRefusal bool          // ask the next provider what one refused to answer
	Timeout       time.Duration // of one call of one provider; 0 means 3 min, negative none
	MaxWait       time.Duration // of one request, for providers that said when to come back; 0 means 2 min, negative none

	// Observer is told when a provider fails and the next one is asked, and when a
	// call opens a circuit breaker. It is called outside of all locks, one event at a
	// time and in order, perhaps from another request's goroutine. Its panics are
	// ignored.
	Observer func(context.Context, Event)
}

func (o *FailoverOptions) timeout() time.Duration {
	if o.Timeout == 0 {
		return 3 * time.Minute // shorter than the lease of a probe
	}
	return o.Timeout
}

func (o *FailoverOptions) maxWait() time.Duration {
	if o.MaxWait == 0 {
		return longRetryAfter
	}
	return max(o.MaxWait, 0)
}

// Failover asks several providers in the given order, each behind its own
// [CircuitBreaker], and returns the first answer. It is itself a [Provider], and
// records by itself what came of each call, so that nobody can forget to.
//
// What an error leads to depends on its kind. An overloaded, unreachable or slow
// provider, and one whose answer is none, is asked once more after a moment, then
// the next one is; so it is at once where a rate, a quota, a key or a model is
// at fault. A request that is too large goes on to larger windows only, one that was
// refused only if the options say so, and one that is invalid or whose caller went
// away ends there. When nobody is left, but a provider said within two minutes when
// to come back, the request waits for it once.
type Failover struct {
	members []member
	opts    FailoverOptions
	events  callbacks
}

type member struct {
	provider Provider
	name     string
	breaker  *CircuitBreaker
	window   int // in tokens; 0 if not known
}

// NewFailover returns a provider that asks the given ones in order. nil options
// are valid. It panics if a provider's name is empty, or another one's too.
func NewFailover(providers []Provider, opts *FailoverOptions) *Failover {
	f := &Failover{}
	if opts != nil {
		f.opts = *opts
	}
	seen := make(map[string]bool)
	for _, p := range providers {
		name := p.Name()
		if name == "" || seen[name] {
			panic(fmt.Sprintf("mend.NewFailover: empty or duplicate provider name %q", name))
		}
		seen[name] = true
		b := f.opts.Breakers[name]
		if b == nil {
			b = NewCircuitBreaker(name, nil)
		}
		f.members = append(f.members, member{p, name, b, f.opts.Windows[name]})
	}
	return f
}

// Name returns "failover"; responses name the provider that answered.
func (f *Failover) Name() string { return "failover" }

// Complete implements [Provider]. The error is an *[OutageError] if no provider
// answered; a *[ProviderError] if one said that the request is invalid or refused
// it, or if ctx ended, which is never held against a provider.
func (f *Failover) Complete(ctx context.Context, req *CompletionRequest) (*CompletionResponse, error) {
	c := &completion{
		f: f, ctx: ctx, req: req,
		reasons: make([]error, len(f.members)), worth: make([]prospect, len(f.members)),
	}
	for i := range f.members {
		if resp, err := c.try(i); resp != nil || err != nil {
			return resp, err
		}
	}
	if i, p, ok := c.wait(); ok {
		if resp, _, err := c.ask(i, p); resp != nil || err != nil {
			return resp, err
		}
	}
	switch {
	case ctx.Err() != nil:
		return nil, c.canceled()
	case c.refused != nil:
		return c.refused, nil
	}
	return nil, c.outage()
}

// prospect says what another call of a provider is worth.
type prospect uint8

const (
	prospectNone  prospect = iota // the answer would be the same
	prospectLater                 // it was down
	prospectSoon                  // it is to be left alone for a while; its breaker knows how long, and why
)

// completion is one request on its way through the providers.
type completion struct {
	f   *Failover
	ctx context.Context
	req *CompletionRequest

	reasons []error    // why each provider gave no answer; nil if it was not asked
	worth   []prospect // of each provider
	window  int        // the largest one that was too small, if it is known
	refused *CompletionResponse
	left    Event // the failover that is reported when the next provider is asked
}

// try asks one provider, and once more if that is worth it. Neither a response
// nor an error means that the next one is to be asked.
func (c *completion) try(i int) (*CompletionResponse, error) {
	m := &c.f.members[i]
	if m.window > 0 && m.window <= c.window {
		c.reasons[i] = &ProviderError{Kind: KindContextLength, Provider: m.name, Err: errors.New("not asked: its window is no larger")}
		return nil, nil
	}
	for asked := false; ; asked = true {
		if c.ctx.Err() != nil {
			return nil, c.canceled()
		}
		p, ok := m.breaker.acquire(false)
		if !ok {
			c.shut(i)
			return nil, nil
		}
		resp, v, err := c.ask(i, p)
		if resp != nil || err != nil {
			return resp, err
		}
		if asked || !v.again || !c.pause(v.retryAfter) {
			return nil, nil
		}
	}
}

// shut notes that a provider's breaker is open, unless it was asked before.
func (c *completion) shut(i int) {
	if c.reasons[i] != nil {
		return
	}
	c.reasons[i], c.worth[i] = c.f.members[i].breaker.openError(), prospectSoon
}

// The pause before a provider is asked once more. One that wants a longer one
// has to wait for its next turn.
const (
	minPause = 200 * time.Millisecond
	maxPause = time.Second
)

// pause waits a moment, and reports whether it is over before the caller's
// time is.
func (c *completion) pause(asked time.Duration) bool {
	d := max(asked, minPause)
	d += rand.N(maxPause - minPause)
	deadline, bounded := c.ctx.Deadline()
	if asked > maxPause || bounded && time.Until(deadline) <= d {
		return false
	}
	return c.sleep(d, nil)
}

// sleep waits until the time is over or the channel closed. It reports whether
// the caller is still there.
func (c *completion) sleep(d time.Duration, changed <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-changed:
	case <-c.ctx.Done():
	}
	return c.ctx.Err() == nil
}

// ask calls a provider that admitted the call. Neither a response nor an error
// means that another one may be asked.
func (c *completion) ask(i int, p permit) (*CompletionResponse, *verdict, error) {
	m := &c.f.members[i]
	if c.left.Provider != "" && c.left.Provider != m.name {
		c.left.Next = m.name
		c.report(c.left)
		c.f.events.run()
	}
	resp, v := c.call(m, p)
	if v.err == nil {
		return resp, v, nil
	}
	if v.kind == KindCanceled {
		return nil, v, c.canceled()
	}
	c.reasons[i], c.worth[i] = reasonOf(m.name, v), prospectOf(v)
	c.left = Event{Kind: EventProviderFailover, Provider: m.name, Reason: v.kind, Error: c.reasons[i].Error()}
	switch {
	case v.passOn == passOnNever, v.passOn == passOnFiltered && !c.f.opts.NextOnRefusal:
		return nil, v, c.reasons[i]
	case v.passOn == passOnFiltered && c.refused == nil:
		c.refused = resp
	case v.passOn == passOnLarger:
		c.window = max(c.window, m.window)
	}
	return nil, v, nil
}

// call calls a provider, and records what came of it, whatever that is.
func (c *completion) call(m *member, p permit) (resp *CompletionResponse, v *verdict) {
	v = unfinished
	defer func() {
		trip := Event{Kind: EventCircuitBreakerTrip, Provider: m.name, Reason: v.kind}
		if v.err != nil {
			trip.Error = reasonOf(m.name, v).Error() // here, where no lock is held
		}
		p.done(v, func(until time.Time) {
			trip.RetryAt = until
			c.report(trip)
		})
		c.f.events.run()
	}()
	ctx, cancel := c.ctx, context.CancelFunc(func() {})
	if d := c.f.opts.timeout(); d > 0 {
		ctx, cancel = context.WithTimeout(ctx, d)
	}
	defer cancel()
	resp, err := m.provider.Complete(ctx, m.own(c.req))
	if err != nil {
		resp = nil // what comes with an error is no answer
	} else {
		resp, err = c.accept(m, resp)
	}
	v = judgeCall(c.ctx, err)
	return resp, v
}

// accept returns the response with its provider's name, or why it is none.
func (c *completion) accept(m *member, resp *CompletionResponse) (*CompletionResponse, error) {
	if resp == nil {
		return nil, &ProviderError{Kind: KindBadResponse, Provider: m.name, Err: errors.New("no response")}
	}
	named := *resp // the provider may keep its own
	if named.Provider == "" {
		named.Provider = m.name
	}
	if c.f.opts.NextOnRefusal && named.StopReason == StopContentFilter {
		return &named, &ProviderError{Kind: KindContentFilter, Provider: m.name, RequestID: named.RequestID}
	}
	return &named, nil
}

// own returns the request without what only other providers understand.
func (m *member) own(req *CompletionRequest) *CompletionRequest {
	if _, nested := m.provider.(*Failover); nested {
		return req
	}
	foreign := func(msg Message) bool {
		_, mine := msg.Opaque[m.name]
		return len(msg.Opaque) > 1 || len(msg.Opaque) == 1 && !mine
	}
	if !slices.ContainsFunc(req.Messages, foreign) {
		return req
	}
	own := *req
	own.Messages = slices.Clone(req.Messages)
	for i := range own.Messages {
		msg := &own.Messages[i]
		if raw, mine := msg.Opaque[m.name]; mine {
			msg.Opaque = map[string]json.RawMessage{m.name: raw}
		} else {
			msg.Opaque = nil
		}
	}
	return &own
}

// reasonOf returns the verdict's error as one that names its provider.
func reasonOf(name string, v *verdict) error {
	if pe, ok := errors.AsType[*ProviderError](v.err); ok && pe.Provider != "" {
		return v.err
	}
	if pe, ok := v.err.(*ProviderError); ok {
		named := *pe
		named.Kind, named.Provider = v.kind, name
		return &named
	}
	return &ProviderError{Kind: v.kind, Provider: name, Err: v.err}
}

func prospectOf(v *verdict) prospect {
	switch {
	case v.outcome == outcomeThrottled && v.retryAfter > 0:
		return prospectSoon
	case v.outcome == outcomeSuccess:
		return prospectNone
	}
	return prospectLater
}

// wait waits for the first provider that said when to come back, if there is one
// that may be asked again within the caller's time.
func (c *completion) wait() (int, permit, bool) {
	limit := time.Now().Add(c.f.opts.maxWait())
	if deadline, ok := c.ctx.Deadline(); ok && deadline.Before(limit) {
		limit = deadline
	}
	for time.Now().Before(limit) {
		i, at, changed := c.soonest(limit)
		if i < 0 {
			break
		}
		if p, ok := c.f.members[i].breaker.acquire(false); ok {
			return i, p, true
		}
		if at.After(limit) {
			at = limit // a probe is under way, and may end sooner
		}
		if !c.sleep(time.Until(at), changed) {
			break
		}
	}
	return 0, permit{}, false
}

// soonest returns the provider that can be asked first, or -1.
func (c *completion) soonest(limit time.Time) (first int, at time.Time, changed <-chan struct{}) {
	first = -1
	for i, m := range c.f.members {
		if c.worth[i] != prospectSoon {
			continue
		}
		t, ch, ok := m.breaker.promise(limit)
		if ok && (first < 0 || t.Before(at)) {
			first, at, changed = i, t, ch
		}
	}
	return first, at, changed
}

// outage joins what the providers said.
func (c *completion) outage() error {
	e := &OutageError{Reasons: c.reasons}
	for i, m := range c.f.members {
		if c.worth[i] == prospectNone {
			continue
		}
		at := m.breaker.Snapshot().NextProbe
		if at.IsZero() {
			at = time.Now() // one failure more does not open it
		}
		if e.RetryAt.IsZero() || at.Before(e.RetryAt) {
			e.RetryAt = at
		}
	}
	return e
}

// canceled returns the error of a caller that does not wait any more.
func (c *completion) canceled() error {
	err := c.ctx.Err()
	if slices.ContainsFunc(c.reasons, func(r error) bool { return r != nil }) {
		err = fmt.Errorf("%w, after %s", err, inOneLine(c.reasons))
	}
	return &ProviderError{Kind: KindCanceled, Provider: c.f.Name(), Err: err}
}

// report has the observer told in its turn.
func (c *completion) report(e Event) {
	observer := c.f.opts.Observer
	if observer == nil {
		return
	}
	e.Time = time.Now()
	c.f.events.add(func() { observer(c.ctx, e) })
}

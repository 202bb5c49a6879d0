package mend

import (
	"context"
	"errors"
	"sync"
	"time"
)

// callOutcome is what a call says about the provider's health.
type callOutcome uint8

const (
	outcomeSuccess   callOutcome = iota // it answered, be it with a no
	outcomeFailure                      // one of the failures in a row that open a breaker
	outcomeThrottled                    // it asks to be left alone for a while
	outcomeFatal                        // it will not answer before somebody does something about it
	outcomeNeutral                      // nobody waited for the answer: no vote
)

// passOn says whether another provider is asked the same.
type passOn uint8

const (
	passOnNever passOn = iota
	passOnAlways
	passOnLarger   // to one with a larger window
	passOnFiltered // if the options say so
)

// kindRule is what one kind of error leads to.
type kindRule struct {
	outcome callOutcome
	again   bool // the same provider is asked once more, soon
	passOn  passOn
}

// kindRules has one line for each kind. A correct, timely no is healthy: what is
// wrong with the request never opens a breaker.
var kindRules = map[ProviderErrorKind]kindRule{
	KindRateLimited:    {outcome: outcomeThrottled, passOn: passOnAlways},
	KindQuota:          {outcome: outcomeFatal, passOn: passOnAlways},
	KindOverloaded:     {outcome: outcomeFailure, again: true, passOn: passOnAlways},
	KindUnavailable:    {outcome: outcomeFailure, again: true, passOn: passOnAlways},
	KindTimeout:        {outcome: outcomeFailure, again: true, passOn: passOnAlways},
	KindAuth:           {outcome: outcomeFatal, passOn: passOnAlways},
	KindModelNotFound:  {outcome: outcomeFatal, passOn: passOnAlways},
	KindContextLength:  {outcome: outcomeSuccess, passOn: passOnLarger},
	KindContentFilter:  {outcome: outcomeSuccess, passOn: passOnFiltered},
	KindInvalidRequest: {outcome: outcomeSuccess, passOn: passOnNever},
	KindBadResponse:    {outcome: outcomeSuccess, again: true, passOn: passOnAlways},
	KindCanceled:       {outcome: outcomeNeutral, passOn: passOnNever},
}

// longRetryAfter is the longest Retry-After that is worth waiting for. Who asks
// for more is as good as gone.
const longRetryAfter = 2 * time.Minute

// verdict is what came of one call.
type verdict struct {
	kindRule
	kind       ProviderErrorKind // "" if there was no error
	retryAfter time.Duration     // 0 if the provider does not say
	err        error
}

// The verdicts that need no look at an error.
var (
	answered = &verdict{}

	// failed is that of a caller that says no more.
	failed = &verdict{kindRule: kindRules[KindUnavailable], kind: KindUnavailable}

	// unfinished is that of a call which neither answered nor returned an error: it
	// panicked, or ended its goroutine.
	unfinished = &verdict{
		kindRule: kindRules[KindUnavailable], kind: KindUnavailable, err: errors.New("the call did not return"),
	}
)

// judgeCall returns the verdict on a call for a caller with that context.
func judgeCall(ctx context.Context, err error) *verdict {
	if err == nil {
		return answered
	}
	v := &verdict{kind: kindOf(ctx, err), err: err}
	if v.kind == KindCanceled && ctx.Err() == nil { // the caller still waits
		v.kind = KindUnavailable
		if errors.Is(err, context.DeadlineExceeded) {
			v.kind = KindTimeout
		}
	}
	if pe, ok := errors.AsType[*ProviderError](err); ok {
		v.retryAfter = max(pe.RetryAfter, 0)
	}
	rule, known := kindRules[v.kind]
	switch {
	case !known: // an adapter's own
		rule = kindRules[KindUnavailable]
	case v.kind == KindRateLimited && v.retryAfter > longRetryAfter:
		rule = kindRules[KindQuota]
	}
	v.kindRule = rule
	return v
}

// callbacks runs functions outside of the locks, one after the other, in the
// order in which they were added. The zero value is ready.
type callbacks struct {
	mu      sync.Mutex
	queue   []func() // guarded by mu
	running bool     // guarded by mu; somebody else runs the queue
}

// add may be called with locks held.
func (c *callbacks) add(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, f)
}

// run empties the queue, unless another goroutine, or a caller of this one, is
// at it: that one then takes what was added.
func (c *callbacks) run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return
	}
	c.running = true
	defer func() { c.running = false }()
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.unlocked(next)
	}
}

// unlocked calls f without the lock. What f panics with stays here: watching a
// breaker must not break it.
func (c *callbacks) unlocked(f func()) {
	c.mu.Unlock()
	defer c.mu.Lock()
	defer func() { _ = recover() }()
	f()
}

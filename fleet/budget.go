package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"github.com/mendkit/mend"
	"github.com/nats-io/nats.go/jetstream"
)

// Budget bounds what all processes of a fleet together spend on a provider. A zero field
// means no limit.
type Budget struct {
	Calls  int64   // of [mend.Provider.Complete]
	Tokens int64   // input and output
	Cost   float64 // in US dollars, by Pricer, which it takes

	Pricer mend.Pricer
	Model  string // that Pricer is asked about before a call; a response that names another one is counted by that
}

// Limit returns a provider that asks p within a budget, which all providers of that name
// in the fleet share. Processes that give other limits hold to their own.
//
// Before each call the most that it can take is set aside, where all others see it, and
// afterwards what it did not take is given back: what is spent never exceeds the budget,
// as long as a provider keeps to MaxTokens and counts no more input tokens than the
// request has bytes. Where tokens are bounded, a request without MaxTokens gets at most
// 8192. If a process is lost during a call, or the answer of a server, what was set
// aside stays so.
//
// A call that the budget does not permit is a *[mend.ProviderError] of [mend.KindQuota]
// round a *[mend.BudgetError]: a [mend.Failover] goes on to the next provider, and a job
// that nobody is left for becomes a dead letter at once. Servers that cannot be reached
// are an error too; nothing is spent unseen.
func (f *Fleet) Limit(p mend.Provider, b Budget) mend.Provider {
	return &limited{fleet: f, provider: p, budget: b, key: "budget." + token(p.Name())}
}

type limited struct {
	fleet    *Fleet
	provider mend.Provider
	budget   Budget
	key      string

	mu sync.Mutex // one compare-and-set of this process at a time
}

// spent is what was spent or set aside.
type spent struct {
	Calls    int64 `json:"calls"`
	Tokens   int64 `json:"tokens"`
	NanoUSD  int64 `json:"nano_usd"` // an integer, so that what is given back is what was set aside
	revision uint64
}

const nano = 1e9

func (s spent) plus(t spent) spent {
	s.Calls, s.Tokens, s.NanoUSD = s.Calls+t.Calls, s.Tokens+t.Tokens, s.NanoUSD+t.NanoUSD
	return s
}

func (s spent) minus(t spent) spent {
	return s.plus(spent{Calls: -t.Calls, Tokens: -t.Tokens, NanoUSD: -t.NanoUSD})
}

const (
	defaultAnswer = 8192 // tokens, of a request that does not say
	minAnswer     = 256  // tokens; what has room for less is not asked
	messageTokens = 64   // that an API adds for each message and tool, more or less
)

// Name returns the name of the provider behind.
func (l *limited) Name() string { return l.provider.Name() }

// Complete implements [mend.Provider].
func (l *limited) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	bounded := *req
	aside, err := l.setAside(ctx, &bounded)
	if err != nil {
		return nil, err
	}
	resp, err := l.provider.Complete(ctx, &bounded)
	taken := aside // nobody knows what a call that broke off did cost, or one that panicked
	switch {
	case err != nil && isFree(err):
		taken = spent{Calls: 1}
	case err == nil && resp != nil:
		taken = l.cost(cmp.Or(resp.Model, l.budget.Model), resp.Usage, aside)
	}
	if taken != aside {
		later, cancel := afterwards(ctx)
		defer cancel()
		_, _ = l.change(later, once, func(s spent) (spent, error) { return s.minus(aside).plus(taken), nil }) // or it stays set aside
	}
	return resp, err
}

// freeKinds are the errors for which no provider charges tokens.
var freeKinds = map[mend.ProviderErrorKind]bool{
	mend.KindRateLimited: true, mend.KindQuota: true, mend.KindOverloaded: true, mend.KindAuth: true,
	mend.KindModelNotFound: true, mend.KindContextLength: true, mend.KindInvalidRequest: true,
}

func isFree(err error) bool {
	var pe *mend.ProviderError
	return errors.As(err, &pe) && freeKinds[pe.Kind]
}

// setAside takes the most that a request can cost out of the budget. The bound of its
// answer is lowered to what is left.
func (l *limited) setAside(ctx context.Context, req *mend.CompletionRequest) (spent, error) {
	var aside spent
	answer := int64(req.MaxTokens)
	if answer <= 0 {
		answer = defaultAnswer
	}
	metered := l.budget.Tokens > 0 || l.budget.Cost > 0
	input := inputTokens(req)
	_, err := l.change(ctx, again, func(s spent) (spent, error) {
		for most := answer; ; most = max(most/2, min(minAnswer, answer)) {
			var err error
			if aside, err = l.most(input, most); err != nil {
				return s, err
			}
			over := l.over(s, aside)
			if over == nil {
				if metered {
					req.MaxTokens = int(most)
				}
				return s.plus(aside), nil
			}
			if over.Limit == "calls" || most <= minAnswer {
				return s, &mend.ProviderError{Kind: mend.KindQuota, Provider: l.Name(), Err: over}
			}
		}
	})
	return aside, err
}

// most returns what a call can cost at most.
func (l *limited) most(input, answer int64) (spent, error) {
	u := mend.Usage{InputTokens: input, OutputTokens: answer}
	s := spent{Calls: 1, Tokens: u.Total()}
	if l.budget.Cost <= 0 {
		return s, nil
	}
	usd, known := 0.0, false
	if l.budget.Pricer != nil {
		usd, known = l.budget.Pricer(l.budget.Model, u)
	}
	if !known {
		return s, fmt.Errorf("budget of %s: the price of model %q is not known", l.Name(), l.budget.Model)
	}
	s.NanoUSD = int64(math.Ceil(usd * nano))
	return s, nil
}

// cost returns what a call did cost. What has no price costs what was set aside.
func (l *limited) cost(model string, u mend.Usage, aside spent) spent {
	s := spent{Calls: 1, Tokens: u.Total(), NanoUSD: aside.NanoUSD}
	if l.budget.Pricer != nil {
		if usd, known := l.budget.Pricer(model, u); known {
			s.NanoUSD = int64(math.Ceil(usd * nano))
		}
	}
	return s
}

// over returns the limit that would be exceeded, or nil.
func (l *limited) over(s, aside spent) *mend.BudgetError {
	b, sum := l.budget, s.plus(aside)
	switch {
	case b.Calls > 0 && sum.Calls > b.Calls:
		return &mend.BudgetError{Limit: "calls", Used: fmt.Sprint(s.Calls), Max: fmt.Sprint(b.Calls)}
	case b.Tokens > 0 && sum.Tokens > b.Tokens:
		return &mend.BudgetError{Limit: "tokens", Used: fmt.Sprint(s.Tokens), Max: fmt.Sprint(b.Tokens)}
	case b.Cost > 0 && float64(sum.NanoUSD) > b.Cost*nano:
		return &mend.BudgetError{Limit: "cost", Used: fmt.Sprintf("$%g", float64(s.NanoUSD)/nano), Max: fmt.Sprintf("$%g", b.Cost)}
	}
	return nil
}

// inputTokens returns a bound of how many tokens a request has: a token is a byte at
// least.
func inputTokens(req *mend.CompletionRequest) int64 {
	n := len(req.SystemPrompt) + messageTokens
	for _, m := range req.Messages {
		n += len(m.Content) + messageTokens
		for _, c := range m.ToolCalls {
			n += len(c.ID) + len(c.Name) + len(c.Arguments) + messageTokens
		}
		for _, r := range m.ToolResults {
			n += len(r.CallID) + len(r.Name) + len(r.Content) + messageTokens
		}
		for _, raw := range m.Opaque {
			n += len(raw)
		}
	}
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Parameters) + messageTokens
	}
	return int64(n)
}

// trying is how often a write is made whose answer gets lost: [again] or [once].
type trying func(context.Context, func(context.Context) (uint64, error)) (uint64, error)

// change replaces what is spent by compare-and-set. An error of the function changes
// nothing. If a write came through whose answer got lost, making it again finds another
// revision, and changes that once more: what is set aside may be so twice, which leaves
// less to others, but what is given back must not be.
func (l *limited) change(ctx context.Context, try trying, f func(spent) (spent, error)) (spent, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		known, err := l.read(ctx)
		if err != nil {
			return known, err
		}
		changed, err := f(known)
		if err != nil {
			return known, err
		}
		data, err := json.Marshal(changed)
		if err != nil {
			return known, err
		}
		_, err = try(ctx, func(ctx context.Context) (uint64, error) {
			if known.revision == 0 {
				return l.fleet.state.Create(ctx, l.key, data)
			}
			return l.fleet.state.Update(ctx, l.key, data, known.revision)
		})
		if !isTaken(err) {
			return changed, err
		}
		if !pause(ctx, rand.N(minPause)) {
			return known, context.Cause(ctx)
		}
	}
}

func (l *limited) read(ctx context.Context) (s spent, err error) {
	entry, err := again(ctx, func(ctx context.Context) (jetstream.KeyValueEntry, error) { return l.fleet.state.Get(ctx, l.key) })
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return s, fmt.Errorf("unreadable budget: %w", err)
	}
	s.revision = entry.Revision()
	return s, nil
}

package mend

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mendkit/mend/command"
)

// Limits bounds what models may cost, for one [Orchestrator.Create]. There is no
// way round them: every call goes through the meter that holds them.
type Limits struct {
	Turns  int           // of one generation, and of each repair; 0 means 5
	Calls  int           // of [Provider.Complete], all together; 0 means 30
	Tokens int64         // input and output; no call starts once they are used up. 0 means no limit
	Cost   float64       // in US dollars, by Pricer; 0 means no limit
	Time   time.Duration // from the first call on; 0 means 10 minutes
	Pricer Pricer        // nil means that no cost is known
}

// Pricer returns what a model's usage costs in US dollars, and whether it knows.
type Pricer func(model string, u Usage) (usd float64, known bool)

func (l Limits) turns() int { return positive(l.Turns, 5) }
func (l Limits) calls() int { return positive(l.Calls, 30) }

func (l Limits) time() time.Duration {
	if l.Time <= 0 {
		return 10 * time.Minute
	}
	return l.Time
}

// positive returns n, or what stands for none.
func positive(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}

// BudgetError reports that a limit of [Limits] is used up. It is not an error of
// the provider or of the recipe.
type BudgetError struct {
	Limit string // "calls", "tokens", "cost" or "time"
	Used  string
	Max   string
}

func (e *BudgetError) Error() string {
	return fmt.Sprintf("the budget is used up: %s of %s %s", e.Used, e.Max, e.Limit)
}

// meter counts what is spent, and lets no call through that the limits forbid.
type meter struct {
	limits Limits

	mu       sync.Mutex
	began    time.Time // of the first call
	calls    int
	usage    Usage
	cost     float64
	unpriced string // model whose cost is not known, or ""
	provider string // that answered last
}

func newMeter(l Limits) *meter { return &meter{limits: l} }

type meterKey struct{}

// withMeter returns a context whose model calls are counted by m.
func withMeter(ctx context.Context, m *meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

type profileKey struct{}

// withProfile returns a context in which commands are linted with p.
func withProfile(ctx context.Context, p *command.Profile) context.Context {
	return context.WithValue(ctx, profileKey{}, p)
}

// profileOf returns the context's profile, or nil.
func profileOf(ctx context.Context) *command.Profile {
	p, _ := ctx.Value(profileKey{}).(*command.Profile)
	return p
}

// meterOf returns the context's meter, or the other one if it has none.
func meterOf(ctx context.Context, other *meter) *meter {
	if m, ok := ctx.Value(meterKey{}).(*meter); ok {
		return m
	}
	return other
}

// complete asks the provider, if the limits permit it.
func (m *meter) complete(ctx context.Context, p Provider, req *CompletionRequest) (*CompletionResponse, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	left, err := m.begin(req)
	if err != nil {
		return nil, err
	}
	over := &BudgetError{"time", m.limits.time().String(), m.limits.time().String()}
	ctx, cancel := context.WithTimeoutCause(ctx, left, over)
	defer cancel()
	resp, err := p.Complete(ctx, req)
	if err != nil {
		if errors.Is(context.Cause(ctx), over) {
			return nil, over
		}
		return nil, err
	}
	if resp == nil {
		return nil, &ProviderError{Kind: KindBadResponse, Provider: p.Name(), Err: errors.New("no response")}
	}
	m.end(p, resp)
	return resp, nil
}

// begin counts a call, and returns the time that is left for it.
func (m *meter) begin(req *CompletionRequest) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == 0 {
		m.began = time.Now()
	}
	l := m.limits
	spent := time.Since(m.began)
	switch {
	case m.calls >= l.calls():
		return 0, &BudgetError{"calls", fmt.Sprint(m.calls), fmt.Sprint(l.calls())}
	case l.Tokens > 0 && m.usage.Total() >= l.Tokens:
		return 0, &BudgetError{"tokens", fmt.Sprint(m.usage.Total()), fmt.Sprint(l.Tokens)}
	case l.Cost > 0 && m.unpriced != "":
		return 0, &BudgetError{"cost", "an unknown part (model " + m.unpriced + ")", fmt.Sprintf("$%g", l.Cost)}
	case l.Cost > 0 && m.cost >= l.Cost:
		return 0, &BudgetError{"cost", fmt.Sprintf("$%g", m.cost), fmt.Sprintf("$%g", l.Cost)}
	case spent >= l.time():
		return 0, &BudgetError{"time", spent.Round(time.Millisecond).String(), l.time().String()}
	}
	if left := l.Tokens - m.usage.Total(); l.Tokens > 0 && (req.MaxTokens == 0 || int64(req.MaxTokens) > left) {
		req.MaxTokens = int(left)
	}
	m.calls++
	return l.time() - spent, nil
}

func (m *meter) end(p Provider, resp *CompletionResponse) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage = m.usage.Plus(resp.Usage)
	m.provider = resp.Provider
	if m.provider == "" {
		m.provider = p.Name()
	}
	usd, known := 0.0, false
	if m.limits.Pricer != nil {
		usd, known = m.limits.Pricer(resp.Model, resp.Usage)
	}
	if known = known && usd >= 0; !known { // nor is what is no number
		usd = 0
		m.unpriced = resp.Model
		if m.unpriced == "" {
			m.unpriced = "?"
		}
	}
	m.cost += usd
}

// spent returns who answered last, and what was used.
func (m *meter) spent() (provider string, u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.provider, m.usage
}

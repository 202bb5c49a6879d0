package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// meteredProvider counts what it charges, as a provider's bill does.
type meteredProvider struct {
	answer func(req *mend.CompletionRequest) (*mend.CompletionResponse, error)

	mu     sync.Mutex
	calls  int64
	tokens int64
	most   []int // MaxTokens of each request
}

func (p *meteredProvider) Name() string { return "model" }

func (p *meteredProvider) Complete(_ context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	p.most = append(p.most, req.MaxTokens)
	resp, err := p.answer(req)
	if resp != nil {
		p.tokens += resp.Usage.Total()
	}
	return resp, err
}

func (p *meteredProvider) bill() (calls, tokens int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls, p.tokens
}

// answering returns a response that takes so many tokens.
func answering(input, output int64) func(*mend.CompletionRequest) (*mend.CompletionResponse, error) {
	return func(*mend.CompletionRequest) (*mend.CompletionResponse, error) {
		return &mend.CompletionResponse{Usage: mend.Usage{InputTokens: input, OutputTokens: output}, Model: "m"}, nil
	}
}

func asking(text string, most int) *mend.CompletionRequest {
	return &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: text}}, MaxTokens: most}
}

// requireQuota requires that a budget refused a call.
func requireQuota(t *testing.T, err error, text string) {
	t.Helper()
	var pe *mend.ProviderError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, mend.KindQuota, pe.Kind)
	var be *mend.BudgetError
	require.ErrorAs(t, err, &be)
	assert.EqualError(t, be, "the budget is used up: "+text)
}

// TestSharedBudgetIsNeverExceeded spends at random from several processes, as far as
// the server can tell, and holds the bill against the budget after each call.
func TestSharedBudgetIsNeverExceeded(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			budget := fleet.Budget{Calls: 20 + r.Int64N(60), Tokens: 2000 + r.Int64N(40000)}
			f, joined := served(t, "batch", fleet.Options{})
			p := &meteredProvider{}
			p.answer = func(req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
				switch rand.N(10) {
				case 0:
					return nil, &mend.ProviderError{Kind: mend.KindOverloaded}
				case 1:
					return nil, errors.New("cut off, and perhaps charged for")
				case 2:
					panic("in the adapter")
				}
				input := rand.N(int64(len(req.Messages[0].Content)) + 1)
				return answering(input, rand.N(int64(req.MaxTokens)+1))(req)
			}
			var wg sync.WaitGroup
			for _, process := range []*fleet.Fleet{f, open(t, "batch", joined), open(t, "batch", joined)} {
				limited := process.Limit(p, budget)
				for range 3 {
					seed := r.Uint64()
					wg.Go(func() { spend(t, limited, p, budget, rand.New(rand.NewPCG(seed, 1))) })
				}
			}
			wg.Wait()
			calls, tokens := p.bill()
			t.Logf("%d of %d calls, %d of %d tokens", calls, budget.Calls, tokens, budget.Tokens)
			assert.Positive(t, calls)
		})
	}
}

// spend asks until the budget refuses twice in a row.
func spend(t *testing.T, limited mend.Provider, p *meteredProvider, budget fleet.Budget, r *rand.Rand) {
	for refused := 0; refused < 2; {
		err := func() (err error) {
			defer func() {
				if v := recover(); v != nil {
					err = fmt.Errorf("panic: %v", v)
				}
			}()
			_, err = limited.Complete(t.Context(), asking(strings.Repeat("x", r.IntN(300)), r.IntN(600)))
			return err
		}()
		calls, tokens := p.bill()
		if !assert.LessOrEqual(t, calls, budget.Calls) || !assert.LessOrEqual(t, tokens, budget.Tokens) {
			return
		}
		refused++
		if !errors.As(err, new(*mend.BudgetError)) {
			refused = 0
		}
	}
}

func TestBudgetCountsCalls(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{})
	p := &meteredProvider{answer: answering(10, 10)}
	for i, limited := range []mend.Provider{
		f.Limit(p, fleet.Budget{Calls: 3}), open(t, "batch", joined).Limit(p, fleet.Budget{Calls: 3}), f.Limit(p, fleet.Budget{Calls: 3}),
	} {
		assert.Equal(t, "model", limited.Name())
		_, err := limited.Complete(t.Context(), asking("x", 0))
		require.NoError(t, err, i)
	}
	_, err := f.Limit(p, fleet.Budget{Calls: 3}).Complete(t.Context(), asking("x", 0))
	requireQuota(t, err, "3 of 3 calls")
	assert.Equal(t, []int{0, 0, 0}, p.most, "where tokens are not counted, none are bounded")
	_, err = f.Limit(p, fleet.Budget{Calls: 4}).Complete(t.Context(), asking("x", 0))
	require.NoError(t, err, "a budget can be raised")
}

func TestBudgetGivesBackWhatIsNotTaken(t *testing.T) {
	const input = 1000 - 2*64 // tokens that are set aside for a request, and for its one message
	f := open(t, "batch", nil)
	for name, tt := range map[string]struct {
		answer func(*mend.CompletionRequest) (*mend.CompletionResponse, error)
		taken  string
	}{
		"an answer": {answering(300, 20), "320"},
		"a refusal": {func(*mend.CompletionRequest) (*mend.CompletionResponse, error) {
			return nil, &mend.ProviderError{Kind: mend.KindOverloaded}
		}, "0"},
		"a call that is cut": {func(*mend.CompletionRequest) (*mend.CompletionResponse, error) { return nil, errors.New("cut off") }, "1500"},
	} {
		t.Run(name, func(t *testing.T) {
			p := &named{&meteredProvider{answer: tt.answer}, name}
			_, _ = f.Limit(p, fleet.Budget{Tokens: 1500}).Complete(t.Context(), asking(strings.Repeat("x", input), 500))
			_, err := f.Limit(p, fleet.Budget{Tokens: 1500}).Complete(t.Context(), asking(strings.Repeat("x", 1500), 500))
			requireQuota(t, err, tt.taken+" of 1500 tokens")
		})
	}
}

// named is a provider under another name.
type named struct {
	mend.Provider
	name string
}

func (n *named) Name() string { return n.name }

func TestBudgetShortensTheAnswer(t *testing.T) {
	f := open(t, "batch", nil)
	p := &meteredProvider{answer: answering(0, 0)}
	req := asking("", 0)
	_, err := f.Limit(p, fleet.Budget{Tokens: 5000}).Complete(t.Context(), req)
	require.NoError(t, err)
	_, err = f.Limit(p, fleet.Budget{Tokens: 500}).Complete(t.Context(), asking("", 100))
	require.NoError(t, err)
	assert.Equal(t, []int{4096, 100}, p.most)
	assert.Zero(t, req.MaxTokens, "the caller's request is not changed")
	_, err = f.Limit(p, fleet.Budget{Tokens: 300}).Complete(t.Context(), asking("", 0))
	requireQuota(t, err, "0 of 300 tokens")
}

func TestBudgetCountsCost(t *testing.T) {
	f := open(t, "batch", nil)
	pricer := func(model string, u mend.Usage) (float64, bool) {
		return float64(u.OutputTokens) / 1000, model == "m"
	}
	p := &meteredProvider{answer: answering(10, 500)}
	budget := fleet.Budget{Cost: 1.2, Pricer: pricer, Model: "m"}
	for range 2 {
		_, err := f.Limit(p, budget).Complete(t.Context(), asking("x", 700))
		require.NoError(t, err)
	}
	_, err := f.Limit(p, budget).Complete(t.Context(), asking("x", 256))
	requireQuota(t, err, "$1 of $1.2 cost")
	assert.Equal(t, []int{700, 700}, p.most)

	_, err = f.Limit(p, fleet.Budget{Cost: 1}).Complete(t.Context(), asking("x", 1))
	require.ErrorContains(t, err, `the price of model "" is not known`)
}

func TestBudgetSendsAFailoverToTheNextProvider(t *testing.T) {
	f := open(t, "batch", nil)
	p := &meteredProvider{answer: answering(1, 1)}
	next := &named{&meteredProvider{answer: answering(1, 1)}, "next"}
	failover := mend.NewFailover([]mend.Provider{f.Limit(p, fleet.Budget{Calls: 1}), next}, nil)
	var who []string
	for range 3 {
		resp, err := failover.Complete(t.Context(), asking("x", 1))
		require.NoError(t, err)
		who = append(who, resp.Provider)
	}
	assert.Equal(t, []string{"model", "next", "next"}, who)
}

func TestNothingIsSpentUnseen(t *testing.T) {
	f := open(t, "batch", nil)
	p := &meteredProvider{answer: answering(1, 1)}
	limited := f.Limit(p, fleet.Budget{Calls: 9})
	f.Close()
	_, err := limited.Complete(t.Context(), asking("x", 1))
	require.Error(t, err)
	assert.Empty(t, p.most)
}

func TestBreakerIsShared(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{})
	ctx := within(t)
	opts := &mend.BreakerOptions{Failures: 1, OpenTime: time.Millisecond}
	changes := make(chan mend.State, 10)
	watched := &mend.BreakerOptions{OnStateChange: func(_ string, _, to mend.State) { changes <- to }}
	a, err := f.Breaker(ctx, "mo.del/1", opts)
	require.NoError(t, err)
	b, err := open(t, "batch", joined).Breaker(ctx, "mo.del/1", watched)
	require.NoError(t, err)
	other, err := f.Breaker(ctx, "other", nil)
	require.NoError(t, err)

	down := &mend.ProviderError{Kind: mend.KindRateLimited, RetryAfter: time.Minute, Err: errors.New("slow down, " + secret)}
	require.Error(t, a.Do(ctx, func(context.Context) error { return down }))
	assert.Equal(t, mend.StateOpen, receive(t, changes))
	var open1 *mend.CircuitOpenError
	require.ErrorAs(t, b.Do(ctx, func(context.Context) error { return nil }), &open1)
	assert.False(t, open1.RetryAt.Before(a.Snapshot().NextProbe), "a Retry-After is never undercut")
	assert.ErrorContains(t, open1.Cause, "slow down")
	assert.NotContains(t, open1.Cause.Error(), secret)
	assert.Equal(t, mend.StateClosed, other.State())

	c, err := open(t, "batch", joined).Breaker(ctx, "mo.del/1", nil)
	require.NoError(t, err)
	assert.Equal(t, mend.StateOpen, c.State(), "who comes later knows too")

	assert.True(t, a.Adopt(mend.BreakerSnapshot{State: mend.StateClosed})) // as if a probe had succeeded
	assert.Equal(t, mend.StateClosed, receive(t, changes))
	assert.NoError(t, b.Do(ctx, func(context.Context) error { return nil }))
}

// TestProbeIsWaitedFor has a breaker whose time is over, and one probe among two.
func TestProbeIsWaitedFor(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{})
	ctx := within(t)
	changes := make(chan mend.State, 10)
	a, err := f.Breaker(ctx, "model", &mend.BreakerOptions{Failures: 1, OpenTime: time.Microsecond})
	require.NoError(t, err)
	b, err := open(t, "batch", joined).Breaker(ctx, "model", &mend.BreakerOptions{OnStateChange: func(_ string, _, to mend.State) { changes <- to }})
	require.NoError(t, err)
	require.Error(t, a.Do(ctx, func(context.Context) error { return errors.New("down") }))
	for a.State() != mend.StateHalfOpen { // a microsecond
	}
	require.NoError(t, a.Do(ctx, func(context.Context) error {
		assert.Equal(t, mend.StateOpen, receive(t, changes)) // it heard of the probe
		assert.Error(t, b.Do(ctx, func(context.Context) error { return nil }))
		return nil
	}))
	assert.Equal(t, mend.StateClosed, receive(t, changes))
	assert.Equal(t, mend.StateClosed, b.State())
}

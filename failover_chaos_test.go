package mend_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
)

// chaos is a provider that fails in every way, at random, and counts its probes.
type chaos struct {
	t       *testing.T
	name    string
	breaker *mend.CircuitBreaker
	probing atomic.Int32
	probes  atomic.Int32
	answers atomic.Int32
}

func newChaos(t *testing.T, name string) *chaos {
	return &chaos{t: t, name: name, breaker: mend.NewCircuitBreaker(name, &mend.BreakerOptions{MaxOpenTime: 2 * time.Minute})}
}

func (c *chaos) Name() string { return c.name }

func (c *chaos) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	// Between the admission and this line the bubble's clock stands still, so a
	// breaker that was closed then cannot be half-open now: this is the probe.
	if c.breaker.Snapshot().State == mend.StateHalfOpen {
		assert.EqualValues(c.t, 1, c.probing.Add(1), "one probe at a time")
		c.probes.Add(1)
		defer c.probing.Add(-1)
	}
	time.Sleep(rand.N(20 * time.Second)) // longer than some contexts: not all SDKs look
	if rand.IntN(3) > 0 {
		c.answers.Add(1)
		return &mend.CompletionResponse{Message: mend.Message{Content: "to " + req.Messages[0].Content}}, nil
	}
	return nil, c.fail(ctx)
}

func (c *chaos) fail(ctx context.Context) error {
	kinds := []mend.ProviderErrorKind{
		mend.KindRateLimited, mend.KindQuota, mend.KindOverloaded, mend.KindUnavailable, mend.KindTimeout, mend.KindAuth, mend.KindModelNotFound,
		mend.KindContextLength, mend.KindContentFilter, mend.KindInvalidRequest, mend.KindBadResponse, mend.KindCanceled, "strange", "",
	}
	switch n := rand.IntN(len(kinds) + 6); {
	case n < len(kinds):
		return &mend.ProviderError{Kind: kinds[n], RetryAfter: rand.N(3*time.Minute) * time.Duration(rand.IntN(2))}
	case n == len(kinds):
		return nil // and no response
	case n == len(kinds)+1:
		panic("chaos")
	case n == len(kinds)+2:
		runtime.Goexit()
	case n == len(kinds)+3:
		return errors.New("connection reset")
	}
	<-ctx.Done()
	return ctx.Err()
}

// results counts how requests ended.
type results struct{ answers, errors, panics, goexits atomic.Int32 }

// request sends one request, whose caller may lose patience, and counts its end.
func (r *results) request(t *testing.T, f *mend.Failover, id int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	switch rand.IntN(4) {
	case 0:
		ctx, cancel = context.WithTimeout(ctx, rand.N(2*time.Minute))
		defer cancel()
	case 1:
		stop := time.AfterFunc(rand.N(2*time.Minute), cancel)
		defer stop.Stop()
	}
	returned := false
	defer func() {
		switch v := recover(); {
		case v != nil:
			r.panics.Add(1)
		case !returned:
			r.goexits.Add(1)
		}
	}()
	content := fmt.Sprint(id)
	resp, err := f.Complete(ctx, &mend.CompletionRequest{Messages: []mend.Message{{Content: content}}})
	returned = true
	assert.NotEqual(t, err == nil, resp == nil, "a response or an error")
	if err != nil {
		r.errors.Add(1)
		return
	}
	r.answers.Add(1)
	assert.Equal(t, "to "+content, resp.Message.Content)
	assert.NotEmpty(t, resp.Provider)
}

// TestFailoverInChaos sends 1,000 requests, most of them at once, to providers
// that fail in every way. Each request ends, each answer reaches who asked for it,
// no breaker ever has two probes, and no goroutine is left: the bubble waits for
// all of them.
func TestFailoverInChaos(t *testing.T) {
	const requests = 1000
	synctest.Test(t, func(t *testing.T) {
		a, b, c := newChaos(t, "a"), newChaos(t, "b"), newChaos(t, "c")
		breakers := map[string]*mend.CircuitBreaker{"a": a.breaker, "b": b.breaker, "c": c.breaker}
		var events atomic.Int32
		observer := func(context.Context, mend.Event) { events.Add(1) }
		fleet := []*mend.Failover{
			mend.NewFailover([]mend.Provider{a, b, c}, &mend.FailoverOptions{Breakers: breakers, Observer: observer}),
			mend.NewFailover([]mend.Provider{c, a, b}, &mend.FailoverOptions{Breakers: breakers, Observer: observer, NextOnRefusal: true}),
		}
		var ends results
		var wg sync.WaitGroup
		for i := range requests {
			wg.Go(func() {
				if i%2 == 0 {
					time.Sleep(rand.N(2 * time.Hour)) // when the first storm is over
				}
				ends.request(t, fleet[i%3%2], i)
			})
		}
		wg.Wait()
		assert.EqualValues(t, requests, ends.answers.Load()+ends.errors.Load()+ends.panics.Load()+ends.goexits.Load())
		assert.Equal(t, a.answers.Load()+b.answers.Load()+c.answers.Load(), ends.answers.Load(), "no answer is lost")
		assert.NotZero(t, ends.answers.Load())
		assert.NotZero(t, a.probes.Load()+b.probes.Load()+c.probes.Load())
		assert.NotZero(t, events.Load())
		t.Logf("answers %d, errors %d, panics %d, goexits %d, probes %d, events %d", ends.answers.Load(), ends.errors.Load(),
			ends.panics.Load(), ends.goexits.Load(), a.probes.Load()+b.probes.Load()+c.probes.Load(), events.Load())
		for _, p := range []*chaos{a, b, c} {
			time.Sleep(10 * time.Minute)
			assert.NoError(t, p.breaker.Do(t.Context(), succeeding), "no breaker is stuck")
			assert.Equal(t, mend.StateClosed, p.breaker.State())
		}
	})
}

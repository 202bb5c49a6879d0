package mend_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFailoverOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := down("a", &mend.ProviderError{Kind: mend.KindOverloaded, Provider: "a", Status: 529})
		b := down("b", &mend.ProviderError{Kind: mend.KindQuota, Provider: "b", Status: 429})
		f, breaker := pair(a, b, mend.FailoverOptions{})
		_, err := f.Complete(t.Context(), ask)
		var out *mend.OutageError
		require.ErrorAs(t, err, &out)
		require.Len(t, out.Reasons, 2)
		assert.Equal(t, time.Now(), out.RetryAt, "the first one's breaker is closed yet")

		_, err = f.Complete(t.Context(), ask)
		require.ErrorAs(t, err, &out)
		assert.Equal(t, breaker.Snapshot().NextProbe, out.RetryAt, "the second one's is open for longer")
		var pe *mend.ProviderError
		require.ErrorAs(t, err, &pe)
		assert.Equal(t, mend.KindOverloaded, pe.Kind)
		var open *mend.CircuitOpenError
		require.ErrorAs(t, err, &open)
		assert.Equal(t, "b", open.Name)
		at := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
		assert.EqualError(t, err, "no provider answered: a: overloaded (HTTP 529); b: circuit open until "+at(open.RetryAt)+
			": b: quota (HTTP 429); retry at "+at(out.RetryAt))

		time.Sleep(time.Until(out.RetryAt))
		_, err = f.Complete(t.Context(), ask)
		require.ErrorAs(t, err, &out)
		assert.EqualValues(t, 4, a.asked.Load(), "it was asked when the error said")
	})
}

func TestFailoverWaitsForARetryAfter(t *testing.T) {
	deadline := func(d time.Duration) func(*testing.T) (context.Context, context.CancelFunc) {
		return func(t *testing.T) (context.Context, context.CancelFunc) { return context.WithTimeout(t.Context(), d) }
	}
	for name, test := range map[string]struct {
		b        *fakeProvider
		a        []error
		ctx      func(*testing.T) (context.Context, context.CancelFunc)
		maxWait  time.Duration
		provider string // "" if nobody answers
		waits    time.Duration
	}{
		"the next one is asked first":  {a: []error{throttledFor(5 * time.Second)}, b: answering("b"), provider: "b"},
		"nobody else answers":          {a: []error{throttledFor(5 * time.Second)}, b: down("b", kindError(mend.KindAuth)), provider: "a", waits: 5 * time.Second},
		"the one that is back first":   {a: []error{throttledFor(20 * time.Second)}, b: answering("b", throttledFor(5*time.Second)), provider: "b", waits: 5 * time.Second},
		"not beyond the deadline":      {a: []error{throttledFor(5 * time.Second)}, b: down("b", kindError(mend.KindAuth)), ctx: deadline(4 * time.Second)},
		"within the deadline":          {a: []error{throttledFor(5 * time.Second)}, b: down("b", kindError(mend.KindAuth)), ctx: deadline(6 * time.Second), provider: "a", waits: 5 * time.Second},
		"not beyond the bound":         {a: []error{throttledFor(5 * time.Second)}, b: down("b", kindError(mend.KindAuth)), maxWait: 4 * time.Second},
		"not at all":                   {a: []error{throttledFor(5 * time.Second)}, b: down("b", kindError(mend.KindAuth)), maxWait: -1},
		"once":                         {a: []error{throttledFor(5 * time.Second), throttledFor(time.Second)}, b: down("b", kindError(mend.KindAuth)), waits: 5 * time.Second},
		"not if it states no time":     {a: []error{throttledFor(0)}, b: down("b", kindError(mend.KindAuth))},
		"not if it states a long time": {a: []error{throttledFor(3 * time.Minute)}, b: down("b", kindError(mend.KindAuth)), maxWait: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, _ := pair(answering("a", test.a...), test.b, mend.FailoverOptions{MaxWait: test.maxWait})
				ctx, cancel := context.WithCancel(t.Context())
				if test.ctx != nil {
					ctx, cancel = test.ctx(t)
				}
				defer cancel()
				start := time.Now()
				resp, err := f.Complete(ctx, ask)
				waited := time.Since(start)
				assert.True(t, test.waits <= waited && waited <= test.waits*11/10, "waited %s", waited)
				if test.provider == "" {
					var out *mend.OutageError
					require.ErrorAs(t, err, &out)
					assert.True(t, out.RetryAt.After(time.Now()))
					return
				}
				require.NoError(t, err)
				assert.Equal(t, test.provider, resp.Provider)
			})
		})
	}
}

// TestFailoverBatchWaitsForOneProbe has all of a batch's requests run into the
// same limit. Each is answered, though only one may be the probe.
func TestFailoverBatchWaitsForOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		a := &fakeProvider{name: "a", answer: func(context.Context, *mend.CompletionRequest, int) (*mend.CompletionResponse, error) {
			if time.Since(start) < 10*time.Second {
				return nil, throttledFor(10 * time.Second)
			}
			time.Sleep(20 * time.Second)
			return hello, nil
		}}
		f := mend.NewFailover([]mend.Provider{a}, nil)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Second) // the last ones find the breaker open
				_, err := f.Complete(t.Context(), ask)
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		assert.EqualValues(t, 1+8, a.asked.Load())
		assert.Less(t, time.Since(start), 55*time.Second, "the others go together when the probe was answered")
	})
}

func TestFailoverCancelledWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := mend.NewFailover([]mend.Provider{down("a", throttledFor(time.Minute))}, nil)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start := time.Now()
		_, err := f.Complete(ctx, ask)
		assert.ErrorIs(t, err, context.Canceled)
		assert.EqualError(t, err, "failover: canceled: context canceled, after a: rate_limited (HTTP 429), retry after 1m0s")
		assert.Equal(t, time.Second, time.Since(start))
	})
}

// heldProvider is asked for a probe that ends when its channel closes or its
// caller goes away, after the given errors.
func heldProvider(name string, release chan struct{}, first ...error) *fakeProvider {
	return &fakeProvider{name: name, answer: func(ctx context.Context, _ *mend.CompletionRequest, before int) (*mend.CompletionResponse, error) {
		if before < len(first) {
			return nil, first[before]
		}
		select {
		case <-release:
			return hello, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

// TestFailoverWaitsBehindAProbe looks at what becomes of a request that finds
// another one's probe under way.
func TestFailoverWaitsBehindAProbe(t *testing.T) {
	limited := []error{throttledFor(10 * time.Second)}
	for name, test := range map[string]struct {
		first    []error       // what opened the breaker
		released time.Duration // when the probe is answered
		canceled time.Duration // or its caller goes away
		waits    time.Duration // the other request
		answered bool
	}{
		"the probe is answered":             {first: limited, released: 20 * time.Second, waits: 20 * time.Second, answered: true},
		"its caller goes away":              {first: limited, canceled: 20 * time.Second, released: 30 * time.Second, waits: 30 * time.Second, answered: true},
		"it takes too long":                 {first: limited, released: 150 * time.Second, waits: 2 * time.Minute},
		"the provider was not just limited": {first: []error{errDown, errDown, errDown}, released: 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				breaker := mend.NewCircuitBreaker("a", nil)
				release := make(chan struct{})
				a := heldProvider("a", release, test.first...)
				f := mend.NewFailover([]mend.Provider{a}, &mend.FailoverOptions{Breakers: map[string]*mend.CircuitBreaker{"a": breaker}})
				for _, err := range test.first {
					_ = breaker.Do(t.Context(), failing(err))
					a.asked.Add(1)
				}
				if test.waits == 0 {
					start := time.Now()
					_, err := f.Complete(t.Context(), ask)
					assert.Zero(t, time.Since(start))
					assert.ErrorAs(t, err, new(*mend.OutageError), "an open breaker is not waited for, either")
				}
				untilProbe(t, breaker)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.canceled > 0 {
					time.AfterFunc(test.canceled, cancel)
				}
				time.AfterFunc(test.released, func() { close(release) })
				var probe sync.WaitGroup
				probe.Go(func() { _, _ = f.Complete(ctx, ask) })
				synctest.Wait()

				start := time.Now()
				_, err := f.Complete(t.Context(), ask)
				assert.Equal(t, test.waits, time.Since(start))
				assert.Equal(t, test.answered, err == nil, "%v", err)
				probe.Wait()
			})
		})
	}
}

func TestFailoversShareBreakers(t *testing.T) {
	breakers := map[string]*mend.CircuitBreaker{"a": mend.NewCircuitBreaker("a", nil)}
	a := down("a", kindError(mend.KindAuth))
	for range 3 {
		f := mend.NewFailover([]mend.Provider{a, answering("b")}, &mend.FailoverOptions{Breakers: breakers})
		_, err := f.Complete(t.Context(), ask)
		assert.NoError(t, err)
	}
	assert.EqualValues(t, 1, a.asked.Load())
}

// eventLog collects events, in text.
func eventLog(events *[]string) func(context.Context, mend.Event) {
	return func(_ context.Context, e mend.Event) {
		s := fmt.Sprintf("%s %s>%s %s", e.Kind, e.Provider, e.Next, e.Reason)
		if !e.RetryAt.IsZero() {
			s += " until later"
		}
		*events = append(*events, s)
	}
}

func TestFailoverEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []string
		a, b := down("a", errDown), answering("b", kindError(mend.KindModelNotFound))
		c := answering("c")
		f := mend.NewFailover([]mend.Provider{a, b, c}, &mend.FailoverOptions{Observer: eventLog(&events)})
		for range 3 {
			_, err := f.Complete(t.Context(), ask)
			require.NoError(t, err)
		}
		assert.Equal(t, []string{
			"provider_failover a>b overloaded",
			"circuit_breaker_trip b> model_not_found until later",
			"provider_failover b>c model_not_found",
			"circuit_breaker_trip a> overloaded until later",
			"provider_failover a>c overloaded",
		}, events, "the third request meets open breakers only, which is no news")
	})
}

func TestFailoverObserverMayDoAnything(t *testing.T) {
	var f *mend.Failover
	told := 0
	f, breaker := pair(down("a", kindError(mend.KindAuth)), answering("b"), mend.FailoverOptions{})
	g := mend.NewFailover([]mend.Provider{down("a", kindError(mend.KindAuth)), answering("b")}, &mend.FailoverOptions{
		Breakers: map[string]*mend.CircuitBreaker{"a": breaker},
		Observer: func(ctx context.Context, e mend.Event) {
			told++
			assert.False(t, e.Time.IsZero())
			assert.Equal(t, mend.StateOpen, breaker.State())
			_, err := f.Complete(ctx, ask)
			assert.NoError(t, err)
			panic("watching must not break anything")
		},
	})
	_, err := g.Complete(t.Context(), ask)
	assert.NoError(t, err)
	assert.Equal(t, 2, told)
}

// TestSlogObserverIsLoudAboutKeysAndModels: nothing gets better before somebody
// does something.
func TestSlogObserverIsLoudAboutKeysAndModels(t *testing.T) {
	for kind, level := range map[mend.ProviderErrorKind]string{
		mend.KindAuth: "ERROR", mend.KindModelNotFound: "ERROR", mend.KindQuota: "WARN", mend.KindContextLength: "WARN",
	} {
		var log bytes.Buffer
		f, _ := pair(down("a", kindError(kind)), answering("b"), mend.FailoverOptions{
			Observer: mend.SlogObserver(slog.New(slog.NewTextHandler(&log, nil))),
		})
		_, err := f.Complete(t.Context(), ask)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		assert.True(t, slices.ContainsFunc(lines, func(l string) bool {
			return strings.Contains(l, "level="+level+" msg=provider_failover event.success=false event.provider=a event.next=b event.reason="+string(kind))
		}), log.String())
	}
}

// Errors that somebody made without a word to say are readable all the same.
func TestErrorsOfZeroValues(t *testing.T) {
	assert.EqualError(t, &mend.CircuitOpenError{Name: "model"}, "model: circuit open")
	assert.EqualError(t, &mend.OutageError{}, "no provider answered: there is none")
}

package mend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeProvider answers what its function says, which is told how often it was
// asked before.
type fakeProvider struct {
	name   string
	answer func(ctx context.Context, req *mend.CompletionRequest, before int) (*mend.CompletionResponse, error)
	asked  atomic.Int32
}

func (p *fakeProvider) Name() string { return p.name }

func (p *fakeProvider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	return p.answer(ctx, req, int(p.asked.Add(1))-1)
}

var hello = &mend.CompletionResponse{Message: mend.Message{Role: mend.RoleAssistant, Content: "hello"}, StopReason: mend.StopEndTurn}

// answering returns a provider that fails with the errors in order, and answers
// then.
func answering(name string, first ...error) *fakeProvider {
	return &fakeProvider{name: name, answer: func(_ context.Context, _ *mend.CompletionRequest, before int) (*mend.CompletionResponse, error) {
		if before < len(first) {
			return nil, first[before]
		}
		return hello, nil
	}}
}

// down returns a provider that always fails with the error.
func down(name string, err error) *fakeProvider {
	return &fakeProvider{name: name, answer: func(context.Context, *mend.CompletionRequest, int) (*mend.CompletionResponse, error) {
		return nil, err
	}}
}

func kindError(kind mend.ProviderErrorKind) *mend.ProviderError {
	return &mend.ProviderError{Kind: kind, Err: errors.New("says the API")}
}

func throttledFor(d time.Duration) *mend.ProviderError {
	return &mend.ProviderError{Kind: mend.KindRateLimited, Status: 429, RetryAfter: d}
}

// pair returns a failover of two, and the first one's breaker.
func pair(a, b mend.Provider, opts mend.FailoverOptions) (*mend.Failover, *mend.CircuitBreaker) {
	breaker := mend.NewCircuitBreaker(a.Name(), nil)
	opts.Breakers = map[string]*mend.CircuitBreaker{a.Name(): breaker}
	return mend.NewFailover([]mend.Provider{a, b}, &opts), breaker
}

var ask = &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: "hello?"}}}

func TestFailoverKinds(t *testing.T) {
	closed, open := mend.StateClosed, mend.StateOpen
	for _, test := range []struct {
		name     string
		err      error
		asked    int // the first provider, by one request
		stays    bool
		state    mend.State
		failures int
		open     time.Duration // at least, when it opened
	}{
		{name: "rate limited, short", err: throttledFor(5 * time.Second), asked: 1, state: open, open: 5 * time.Second},
		{name: "rate limited, no time stated", err: throttledFor(0), asked: 1, state: open, open: 54 * time.Second},
		{name: "rate limited, long", err: throttledFor(3 * time.Minute), asked: 1, state: open, open: 9 * time.Minute},
		{name: "quota", err: kindError(mend.KindQuota), asked: 1, state: open, open: 9 * time.Minute},
		{name: "overloaded", err: kindError(mend.KindOverloaded), asked: 2, state: closed, failures: 2},
		{name: "unavailable", err: kindError(mend.KindUnavailable), asked: 2, state: closed, failures: 2},
		{name: "timeout", err: kindError(mend.KindTimeout), asked: 2, state: closed, failures: 2},
		{name: "no kind", err: io.ErrUnexpectedEOF, asked: 2, state: closed, failures: 2},
		{name: "an adapter's own kind", err: kindError("strange"), asked: 2, state: closed, failures: 2},
		{name: "canceled, but not by the caller", err: kindError(mend.KindCanceled), asked: 2, state: closed, failures: 2},
		{name: "overloaded for long", err: &mend.ProviderError{Kind: mend.KindOverloaded, RetryAfter: 30 * time.Second}, asked: 1, state: closed, failures: 1},
		{name: "auth", err: kindError(mend.KindAuth), asked: 1, state: open, open: 9 * time.Minute},
		{name: "model not found", err: kindError(mend.KindModelNotFound), asked: 1, state: open, open: 9 * time.Minute},
		{name: "context length", err: kindError(mend.KindContextLength), asked: 1, state: closed},
		{name: "content filter", err: kindError(mend.KindContentFilter), asked: 1, stays: true, state: closed},
		{name: "invalid request", err: kindError(mend.KindInvalidRequest), asked: 1, stays: true, state: closed},
		{name: "bad response", err: kindError(mend.KindBadResponse), asked: 2, state: closed},
		{name: "no response at all", asked: 2, state: closed},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := down("a", test.err), answering("b")
				f, breaker := pair(a, b, mend.FailoverOptions{})
				start := time.Now()
				resp, err := f.Complete(t.Context(), ask)
				assert.EqualValues(t, test.asked, a.asked.Load())
				if test.stays {
					assert.EqualError(t, err, "a"+test.err.Error())
					assert.Zero(t, b.asked.Load())
				} else {
					require.NoError(t, err)
					assert.Equal(t, "b", resp.Provider)
				}
				if test.asked == 1 {
					assert.Zero(t, time.Since(start), "the next one is asked at once")
				} else {
					assert.GreaterOrEqual(t, time.Since(start), 200*time.Millisecond)
					assert.LessOrEqual(t, time.Since(start), time.Second)
				}
				s := breaker.Snapshot()
				assert.Equal(t, test.state, s.State)
				assert.Equal(t, test.failures, s.Failures)
				if test.state == open {
					assert.GreaterOrEqual(t, time.Until(s.NextProbe), test.open)
				}
			})
		})
	}
}

func TestFailoverAnswersItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := answering("a", errDown), answering("b")
		f, breaker := pair(a, b, mend.FailoverOptions{})
		resp, err := f.Complete(t.Context(), ask)
		require.NoError(t, err)
		assert.Equal(t, "a", resp.Provider, "it answered when it was asked again")
		assert.Equal(t, "hello", resp.Message.Content)
		assert.Empty(t, hello.Provider, "the provider's own response is not changed")
		assert.Zero(t, b.asked.Load())
		assert.Zero(t, breaker.Snapshot().Failures)
		assert.Equal(t, "failover", f.Name())
	})
}

func TestFailoverDoesNotPauseBeyondTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, _ := pair(down("a", errDown), answering("b"), mend.FailoverOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		resp, err := f.Complete(ctx, ask)
		require.NoError(t, err)
		assert.Equal(t, "b", resp.Provider)
	})
}

func TestFailoverTripsInsideTheFailingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := down("a", errDown), answering("b")
		f, breaker := pair(a, b, mend.FailoverOptions{})
		for range 5 {
			_, err := f.Complete(t.Context(), ask)
			require.NoError(t, err)
		}
		assert.EqualValues(t, 3, a.asked.Load(), "its breaker is open")
		untilProbe(t, breaker)
		_, err := f.Complete(t.Context(), ask)
		require.NoError(t, err)
		assert.EqualValues(t, 4, a.asked.Load(), "one probe, which is not repeated")
		assert.Equal(t, mend.StateOpen, breaker.State())
	})
}

func TestFailoverHasItsOwnTimeout(t *testing.T) {
	hang := func(ctx context.Context, _ *mend.CompletionRequest, _ int) (*mend.CompletionResponse, error) {
		<-ctx.Done()
		return nil, &mend.ProviderError{Kind: mend.KindCanceled, Provider: "a", Err: ctx.Err()}
	}
	synctest.Test(t, func(t *testing.T) {
		f, breaker := pair(&fakeProvider{name: "a", answer: hang}, answering("b"), mend.FailoverOptions{Timeout: time.Minute})
		resp, err := f.Complete(t.Context(), ask)
		require.NoError(t, err)
		assert.Equal(t, "b", resp.Provider)
		assert.Equal(t, 2, breaker.Snapshot().Failures)
	})
}

func TestFailoverCallerGoesAway(t *testing.T) {
	hang := func(ctx context.Context, _ *mend.CompletionRequest, _ int) (*mend.CompletionResponse, error) {
		<-ctx.Done()
		return nil, errors.New("whatever the SDK makes of it")
	}
	for name, test := range map[string]struct {
		a     mend.Provider
		after time.Duration
		says  string
		state mend.BreakerSnapshot
	}{
		"before":             {a: answering("a"), state: mend.BreakerSnapshot{Name: "a"}},
		"during a call":      {a: &fakeProvider{name: "a", answer: hang}, after: time.Second, state: mend.BreakerSnapshot{Name: "a"}},
		"during a pause":     {a: down("a", errDown), after: 100 * time.Millisecond, says: ", after model: overloaded", state: mend.BreakerSnapshot{Name: "a", Failures: 1}},
		"during a long call": {a: &fakeProvider{name: "a", answer: hang}, after: 4 * time.Minute, state: mend.BreakerSnapshot{Name: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := answering("b")
				f, breaker := pair(test.a, b, mend.FailoverOptions{Timeout: -1})
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(test.after, cancel)
				if test.after == 0 {
					cancel()
				}
				start := time.Now()
				resp, err := f.Complete(ctx, ask)
				assert.Nil(t, resp)
				assert.Equal(t, test.after, time.Since(start))
				assert.ErrorIs(t, err, context.Canceled)
				var pe *mend.ProviderError
				require.ErrorAs(t, err, &pe)
				assert.Equal(t, mend.KindCanceled, pe.Kind)
				assert.ErrorContains(t, err, test.says)
				assert.Zero(t, b.asked.Load())
				assert.Equal(t, test.state, breaker.Snapshot(), "nothing is counted")
			})
		})
	}
}

func TestFailoverDropsWhatIsForeign(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	messages := func() []mend.Message {
		return []mend.Message{
			{Role: mend.RoleUser, Content: "1"},
			{Role: mend.RoleAssistant, Content: "2", Opaque: map[string]json.RawMessage{"a": raw(`"a2"`), "b": raw(`"b2"`)}},
			{Role: mend.RoleAssistant, Content: "3", Opaque: map[string]json.RawMessage{"b": raw(`"b3"`)}},
			{Role: mend.RoleAssistant, Content: "4", Opaque: map[string]json.RawMessage{"a": raw(`"a4"`)}},
		}
	}
	var seen []map[string]json.RawMessage
	look := func(_ context.Context, req *mend.CompletionRequest, _ int) (*mend.CompletionResponse, error) {
		for i, m := range req.Messages {
			assert.Equal(t, fmt.Sprint(i+1), m.Content)
			seen = append(seen, m.Opaque)
		}
		assert.Equal(t, 77, req.MaxTokens)
		return nil, kindError(mend.KindAuth)
	}
	a, b := &fakeProvider{name: "a", answer: look}, &fakeProvider{name: "b", answer: look}
	inner := mend.NewFailover([]mend.Provider{b}, nil)
	req := &mend.CompletionRequest{Messages: messages(), MaxTokens: 77}
	_, err := mend.NewFailover([]mend.Provider{a, inner}, nil).Complete(t.Context(), req)
	require.Error(t, err)
	assert.Equal(t, []map[string]json.RawMessage{
		nil, {"a": raw(`"a2"`)}, nil, {"a": raw(`"a4"`)},
		nil, {"b": raw(`"b2"`)}, {"b": raw(`"b3"`)}, nil, // through the inner failover
	}, seen)
	assert.Equal(t, messages(), req.Messages, "the caller's request is not changed")

	own := &mend.CompletionRequest{Messages: []mend.Message{{Opaque: map[string]json.RawMessage{"c": raw(`1`)}}}}
	c := &fakeProvider{name: "c", answer: func(_ context.Context, req *mend.CompletionRequest, _ int) (*mend.CompletionResponse, error) {
		assert.Same(t, own, req, "nothing is copied for nothing")
		return hello, nil
	}}
	_, err = mend.NewFailover([]mend.Provider{c}, nil).Complete(t.Context(), own)
	assert.NoError(t, err)
}

func TestFailoverGoesOnToLargerWindowsOnly(t *testing.T) {
	full := kindError(mend.KindContextLength)
	small, same, large, unknown := down("small", full), answering("same"), down("large", full), answering("unknown")
	f := mend.NewFailover([]mend.Provider{small, same, large, unknown}, &mend.FailoverOptions{
		Windows: map[string]int{"small": 8_000, "same": 8_000, "large": 200_000},
	})
	resp, err := f.Complete(t.Context(), ask)
	require.NoError(t, err)
	assert.Equal(t, "unknown", resp.Provider)
	assert.EqualValues(t, 1, large.asked.Load())
	assert.Zero(t, same.asked.Load())

	t.Run("nobody has one", func(t *testing.T) {
		f := mend.NewFailover([]mend.Provider{large, small}, &mend.FailoverOptions{Windows: map[string]int{"small": 8_000, "large": 200_000}})
		_, err := f.Complete(t.Context(), ask)
		var out *mend.OutageError
		require.ErrorAs(t, err, &out)
		assert.Zero(t, out.RetryAt, "waiting does not help")
		assert.EqualError(t, err, "no provider answered: large: context_length: says the API; small: context_length: not asked: its window is no larger")
	})
}

func TestFailoverRefusals(t *testing.T) {
	refusal := &mend.CompletionResponse{StopReason: mend.StopContentFilter, Message: mend.Message{Content: "no"}}
	refuse := func(context.Context, *mend.CompletionRequest, int) (*mend.CompletionResponse, error) {
		return refusal, nil
	}
	for name, test := range map[string]struct {
		a, b     mend.Provider
		goOn     bool
		provider string
		content  string
	}{
		"a refusal is an answer":       {a: &fakeProvider{name: "a", answer: refuse}, b: answering("b"), provider: "a", content: "no"},
		"the next one may answer":      {a: &fakeProvider{name: "a", answer: refuse}, b: answering("b"), goOn: true, provider: "b", content: "hello"},
		"also behind an error":         {a: down("a", kindError(mend.KindContentFilter)), b: answering("b"), goOn: true, provider: "b", content: "hello"},
		"the refusal is not lost":      {a: &fakeProvider{name: "a", answer: refuse}, b: down("b", kindError(mend.KindAuth)), goOn: true, provider: "a", content: "no"},
		"nor is that of the last one":  {a: down("a", kindError(mend.KindAuth)), b: &fakeProvider{name: "b", answer: refuse}, goOn: true, provider: "b", content: "no"},
		"the first refusal is kept":    {a: &fakeProvider{name: "a", answer: refuse}, b: &fakeProvider{name: "b", answer: refuse}, goOn: true, provider: "a", content: "no"},
		"a refusal behind a breakdown": {a: down("a", kindError(mend.KindQuota)), b: &fakeProvider{name: "b", answer: refuse}, provider: "b", content: "no"},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := pair(test.a, test.b, mend.FailoverOptions{NextOnRefusal: test.goOn})
			resp, err := f.Complete(t.Context(), ask)
			require.NoError(t, err)
			assert.Equal(t, test.provider, resp.Provider)
			assert.Equal(t, test.content, resp.Message.Content)
		})
	}
}

func TestFailoverConstruction(t *testing.T) {
	a := answering("a")
	assert.PanicsWithValue(t, `mend.NewFailover: empty or duplicate provider name "a"`, func() { mend.NewFailover([]mend.Provider{a, answering("a")}, nil) })
	assert.PanicsWithValue(t, `mend.NewFailover: empty or duplicate provider name ""`, func() { mend.NewFailover([]mend.Provider{answering("")}, nil) })
	_, err := mend.NewFailover(nil, nil).Complete(t.Context(), ask)
	assert.EqualError(t, err, "no provider answered: there is none")
	var _ mend.Provider = mend.NewFailover([]mend.Provider{a}, nil)
}

func TestFailoverLetsPanicsThrough(t *testing.T) {
	a := &fakeProvider{name: "a", answer: func(context.Context, *mend.CompletionRequest, int) (*mend.CompletionResponse, error) { panic("bug") }}
	f, breaker := pair(a, answering("b"), mend.FailoverOptions{})
	for range 3 {
		assert.PanicsWithValue(t, "bug", func() { _, _ = f.Complete(t.Context(), ask) })
	}
	assert.Equal(t, mend.StateOpen, breaker.State())
	resp, err := f.Complete(t.Context(), ask)
	require.NoError(t, err)
	assert.Equal(t, "b", resp.Provider)
}

// What a provider returns beside an error is no answer, and no refusal either.
func TestFailoverBelievesTheError(t *testing.T) {
	for _, kind := range []mend.ProviderErrorKind{mend.KindContentFilter, mend.KindQuota, mend.KindBadResponse, mend.KindInvalidRequest} {
		both := &fakeProvider{name: "a", answer: func(context.Context, *mend.CompletionRequest, int) (*mend.CompletionResponse, error) {
			return hello, kindError(kind)
		}}
		f := mend.NewFailover([]mend.Provider{both}, &mend.FailoverOptions{NextOnRefusal: true, MaxWait: -1})
		resp, err := f.Complete(t.Context(), ask)
		assert.Nil(t, resp, kind)
		assert.ErrorContains(t, err, string(kind))
	}
}

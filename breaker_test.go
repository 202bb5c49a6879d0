package mend_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errDown = &mend.ProviderError{Kind: mend.KindOverloaded, Provider: "model", Status: 529}

// failing returns a call that fails with the error.
func failing(err error) func(context.Context) error {
	return func(context.Context) error { return err }
}

func succeeding(context.Context) error { return nil }

// heldCall is a call that ends when it is told to.
type heldCall struct {
	end      chan error
	returned chan error
}

// hold begins a call through the breaker, and returns when it is under way or was
// refused.
func hold(ctx context.Context, b *mend.CircuitBreaker) *heldCall {
	c := &heldCall{end: make(chan error), returned: make(chan error, 1)}
	go func() {
		c.returned <- b.Do(ctx, func(ctx context.Context) error {
			select {
			case err := <-c.end:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	synctest.Wait()
	return c
}

// with ends the call with the error.
func (c *heldCall) with(err error) {
	c.end <- err
	synctest.Wait()
}

// trip opens a breaker with default options.
func trip(t *testing.T, b *mend.CircuitBreaker) {
	t.Helper()
	for range 3 {
		require.ErrorIs(t, b.Do(t.Context(), failing(errDown)), errDown)
	}
	require.Equal(t, mend.StateOpen, b.State())
}

// untilProbe sleeps until the breaker admits a probe.
func untilProbe(t *testing.T, b *mend.CircuitBreaker) {
	t.Helper()
	time.Sleep(time.Until(b.Snapshot().NextProbe))
	require.Equal(t, mend.StateHalfOpen, b.State())
}

// TestBreakerBehaviour has one case for each thing that breakers get wrong.
func TestBreakerBehaviour(t *testing.T) {
	for name, check := range map[string]func(*testing.T, *mend.CircuitBreaker){
		"half-open: admitted of 50 concurrent":                               checkOneOfFifty,
		"stale success (admitted while closed) arrives while open":           checkStaleSuccessWhileOpen,
		"stale failure during a probe that then succeeds":                    checkStaleFailureDuringProbe,
		"stale success during a probe that then fails":                       checkStaleSuccessDuringProbe,
		"ten calls cancelled by the caller, defaults":                        checkTenCancelled,
		"caller cancels the probe":                                           checkCancelledProbe,
		"panic in the probe":                                                 checkPanicInProbe,
		"runtime.Goexit in the probe":                                        checkGoexitInProbe,
		"callback reads the state":                                           checkCallbackReadsState,
		"probe never returns: leased, late result ignored":                   checkLeasedProbe,
		"probe never returns: late failure ignored while the next one is on": checkLateFailure,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, mend.NewCircuitBreaker("model", nil)) })
		})
	}
}

func checkOneOfFifty(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	var admitted, refused atomic.Int32
	release := make(chan struct{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			err := b.Do(t.Context(), func(context.Context) error {
				admitted.Add(1)
				<-release
				return nil
			})
			if err != nil {
				assert.ErrorAs(t, err, new(*mend.CircuitOpenError))
				refused.Add(1)
			}
		})
	}
	synctest.Wait()
	close(release)
	wg.Wait()
	assert.EqualValues(t, 1, admitted.Load())
	assert.EqualValues(t, 49, refused.Load())
	assert.Equal(t, mend.StateClosed, b.State())
}

func checkStaleSuccessWhileOpen(t *testing.T, b *mend.CircuitBreaker) {
	stale := hold(t.Context(), b)
	trip(t, b)
	before := b.Snapshot()
	stale.with(nil)
	assert.Equal(t, before, b.Snapshot())
	assert.Equal(t, mend.StateOpen, b.State())
}

func checkStaleFailureDuringProbe(t *testing.T, b *mend.CircuitBreaker) {
	stale := hold(t.Context(), b)
	trip(t, b)
	untilProbe(t, b)
	probe := hold(t.Context(), b)
	stale.with(errDown)
	assert.Equal(t, mend.StateHalfOpen, b.State())
	probe.with(nil)
	assert.Equal(t, mend.StateClosed, b.State())
	assert.Zero(t, b.Snapshot().Failures)
}

func checkStaleSuccessDuringProbe(t *testing.T, b *mend.CircuitBreaker) {
	stale := hold(t.Context(), b)
	trip(t, b)
	untilProbe(t, b)
	probe := hold(t.Context(), b)
	stale.with(nil)
	assert.Equal(t, mend.StateHalfOpen, b.State())
	probe.with(errDown)
	assert.Equal(t, mend.StateOpen, b.State())
	assert.Equal(t, 2, b.Snapshot().Trips)
}

func checkTenCancelled(t *testing.T, b *mend.CircuitBreaker) {
	for range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		call := hold(ctx, b)
		cancel()
		assert.ErrorIs(t, <-call.returned, context.Canceled)
	}
	assert.Equal(t, mend.BreakerSnapshot{Name: "model"}, b.Snapshot())
}

func checkCancelledProbe(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	ctx, cancel := context.WithCancel(t.Context())
	probe := hold(ctx, b)
	assert.False(t, b.Allow())
	cancel()
	<-probe.returned
	assert.Equal(t, mend.StateHalfOpen, b.State())
	assert.Equal(t, 1, b.Snapshot().Trips, "it is no failure")
	assert.NoError(t, b.Do(t.Context(), succeeding), "the slot is free")
	assert.Equal(t, mend.StateClosed, b.State())
}

func checkPanicInProbe(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	assert.PanicsWithValue(t, "oops", func() {
		_ = b.Do(t.Context(), func(context.Context) error { panic("oops") })
	})
	assertRecovers(t, b)
}

func checkGoexitInProbe(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	go func() {
		_ = b.Do(t.Context(), func(context.Context) error {
			runtime.Goexit()
			return nil
		})
	}()
	synctest.Wait()
	assertRecovers(t, b)
}

// assertRecovers checks that a probe that did not return counts as a failure, and
// the next one closes the breaker.
func assertRecovers(t *testing.T, b *mend.CircuitBreaker) {
	t.Helper()
	assert.Equal(t, mend.StateOpen, b.State())
	assert.ErrorContains(t, b.Snapshot().Cause, "did not return")
	untilProbe(t, b)
	assert.NoError(t, b.Do(t.Context(), succeeding))
	assert.Equal(t, mend.StateClosed, b.State())
}

func checkCallbackReadsState(t *testing.T, _ *mend.CircuitBreaker) {
	var b *mend.CircuitBreaker
	var seen []string
	b = mend.NewCircuitBreaker("model", &mend.BreakerOptions{OnStateChange: func(name string, from, to mend.State) {
		seen = append(seen, fmt.Sprintf("%s: %s to %s, is %s", name, from, to, b.State()))
		assert.Equal(t, to, b.Snapshot().State)
		if to == mend.StateOpen {
			assert.False(t, b.Allow())
		}
		panic("watching must not break the breaker")
	}})
	trip(t, b)
	untilProbe(t, b)
	_ = b.Do(t.Context(), failing(errDown))
	untilProbe(t, b)
	lost := hold(t.Context(), b)
	time.Sleep(5 * time.Minute)
	_ = b.Do(t.Context(), succeeding) // the next probe is no change of state
	lost.with(nil)
	assert.Equal(t, []string{
		"model: closed to open, is open",
		"model: open to half-open, is half-open", "model: half-open to open, is open",
		"model: open to half-open, is half-open", "model: half-open to closed, is closed",
	}, seen)
}

func checkLeasedProbe(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	lost := hold(t.Context(), b)
	lease := b.Snapshot().NextProbe
	assert.Equal(t, 5*time.Minute, time.Until(lease))
	time.Sleep(time.Until(lease) - time.Nanosecond)
	assert.ErrorAs(t, b.Do(t.Context(), succeeding), new(*mend.CircuitOpenError))
	time.Sleep(time.Nanosecond)
	lost.with(nil)
	assert.Equal(t, mend.StateHalfOpen, b.State(), "the late result is ignored")
	assert.NoError(t, b.Do(t.Context(), succeeding))
	assert.Equal(t, mend.StateClosed, b.State())
}

func checkLateFailure(t *testing.T, b *mend.CircuitBreaker) {
	trip(t, b)
	untilProbe(t, b)
	lost := hold(t.Context(), b)
	time.Sleep(5 * time.Minute)
	probe := hold(t.Context(), b)
	lost.with(errDown)
	assert.Equal(t, mend.StateHalfOpen, b.State())
	assert.False(t, b.Allow(), "the late result frees no slot")
	probe.with(nil)
	assert.Equal(t, mend.StateClosed, b.State())
}

func TestBreakerSimpleFace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{Failures: 2, OpenTime: 10 * time.Second})
		assert.Equal(t, "model", b.Name())
		b.RecordFailure()
		b.RecordSuccess()
		b.RecordFailure()
		assert.Equal(t, mend.StateClosed, b.State(), "a success ends the row")
		assert.True(t, b.Allow())
		b.RecordFailure()
		assert.Equal(t, mend.StateOpen, b.State())
		assert.False(t, b.Allow())
		b.RecordSuccess()
		assert.Equal(t, mend.StateOpen, b.State(), "it is of an earlier call")

		time.Sleep(10 * time.Second)
		assert.Equal(t, mend.StateHalfOpen, b.State())
		assert.True(t, b.Allow())
		assert.False(t, b.Allow())
		b.RecordFailure()
		assert.Equal(t, mend.StateOpen, b.State())

		time.Sleep(20 * time.Second)
		assert.True(t, b.Allow())
		b.RecordSuccess()
		assert.Equal(t, mend.StateClosed, b.State())
		assert.True(t, b.Allow())
	})
}

func TestBreakerRecordsNothingForAProbeThatIsNotItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := mend.NewCircuitBreaker("model", nil)
		require.True(t, b.Allow())
		trip(t, b)
		untilProbe(t, b)
		probe := hold(t.Context(), b)
		b.RecordFailure()
		b.RecordSuccess()
		assert.Equal(t, mend.StateHalfOpen, b.State())
		probe.with(nil)
		assert.Equal(t, mend.StateClosed, b.State())
	})
}

// openFor opens a breaker with the error and returns for how long, in seconds.
func openFor(t *testing.T, b *mend.CircuitBreaker, err error) float64 {
	t.Helper()
	_ = b.Do(t.Context(), failing(err))
	require.Equal(t, mend.StateOpen, b.State())
	return time.Until(b.Snapshot().NextProbe).Seconds()
}

func TestBreakerOpenTime(t *testing.T) {
	throttled := func(d time.Duration) error {
		return fmt.Errorf("wrapped: %w", &mend.ProviderError{Kind: mend.KindRateLimited, RetryAfter: d})
	}
	for _, test := range []struct {
		name   string
		err    error
		trips  []float64 // the longest open time of each, in seconds; but for the first, up to a tenth less is right
		orMore bool      // up to a tenth more is right instead
	}{
		{name: "doubles up to the bound", err: errDown, trips: []float64{60, 120, 240, 480, 600, 600}},
		{name: "a rate limit that states no time", err: throttled(0), trips: []float64{60, 120, 240}},
		{name: "a stated time is not undercut", err: throttled(20 * time.Second), trips: []float64{20}, orMore: true},
		{name: "nor is it believed for ever", err: throttled(20 * time.Second), trips: []float64{22, 40, 80, 160, 320, 600}},
		{name: "a stated time beyond the bound", err: throttled(time.Hour), trips: []float64{3600, 3600}, orMore: true},
		{name: "a date that was misread", err: throttled(1e6 * time.Hour), trips: []float64{24 * 3600}, orMore: true},
		{name: "quota", err: &mend.ProviderError{Kind: mend.KindQuota}, trips: []float64{600, 600}},
		{name: "auth", err: &mend.ProviderError{Kind: mend.KindAuth}, trips: []float64{600}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{Failures: 1})
				for round := range 2 {
					for i, want := range test.trips {
						got := openFor(t, b, test.err)
						low, high := want*0.9, want
						switch {
						case test.orMore:
							low, high = want, want*1.1
						case i == 0 && test.err == errDown:
							low = want
						}
						assert.True(t, low <= got && got <= high, "round %d, trip %d: %g s, not %g to %g", round, i, got, low, high)
						untilProbe(t, b)
					}
					require.NoError(t, b.Do(t.Context(), succeeding))
					assert.Zero(t, b.Snapshot().Trips, "closing starts anew")
				}
			})
		})
	}
}

func TestBreakerGettersChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{OnStateChange: func(string, mend.State, mend.State) { changes++ }})
		assert.Equal(t, mend.BreakerSnapshot{Name: "model"}, b.Snapshot())
		_ = b.Do(t.Context(), failing(errDown))
		assert.Equal(t, mend.BreakerSnapshot{Name: "model", Failures: 1}, b.Snapshot())
		_ = b.Do(t.Context(), failing(errDown))
		_ = b.Do(t.Context(), failing(errDown))
		s := b.Snapshot()
		assert.Equal(t, mend.BreakerSnapshot{Name: "model", State: mend.StateOpen, Trips: 1, NextProbe: s.NextProbe, Cause: errDown}, s)
		err := b.Do(t.Context(), succeeding)
		var open *mend.CircuitOpenError
		require.ErrorAs(t, err, &open)
		assert.Equal(t, &mend.CircuitOpenError{Name: "model", RetryAt: s.NextProbe, Cause: errDown}, open)
		assert.NotErrorIs(t, err, errDown, "it is another call's")

		untilProbe(t, b)
		assert.Equal(t, mend.StateHalfOpen, b.Snapshot().State)
		assert.Equal(t, s.NextProbe, b.Snapshot().NextProbe)
		assert.Equal(t, 1, changes, "nobody was admitted yet")
	})
}

func TestBreakerDoJudgesByKind(t *testing.T) {
	for kind, want := range map[mend.ProviderErrorKind]mend.State{
		mend.KindRateLimited: mend.StateOpen, mend.KindQuota: mend.StateOpen, mend.KindAuth: mend.StateOpen, mend.KindModelNotFound: mend.StateOpen,
		mend.KindOverloaded: mend.StateClosed, mend.KindUnavailable: mend.StateClosed, mend.KindTimeout: mend.StateClosed,
		mend.KindContextLength: mend.StateClosed, mend.KindContentFilter: mend.StateClosed, mend.KindInvalidRequest: mend.StateClosed,
		mend.KindBadResponse: mend.StateClosed, mend.KindCanceled: mend.StateClosed, "an adapter's own": mend.StateClosed,
	} {
		b := mend.NewCircuitBreaker("model", nil)
		_ = b.Do(t.Context(), failing(&mend.ProviderError{Kind: kind}))
		assert.Equal(t, want, b.State(), kind)
	}
	b := mend.NewCircuitBreaker("model", nil)
	for range 3 {
		_ = b.Do(t.Context(), failing(errors.New("connection refused")))
	}
	assert.Equal(t, mend.StateOpen, b.State(), "an error of no kind is a failure")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, mend.NewCircuitBreaker("model", nil).Do(ctx, func(context.Context) error { panic("called") }), context.Canceled)
}

func TestBreakerStateString(t *testing.T) {
	var zero mend.State
	assert.Equal(t, "closed", zero.String())
	assert.Equal(t, "open", mend.StateOpen.String())
	assert.Equal(t, "half-open", mend.StateHalfOpen.String())
	assert.Equal(t, "State(7)", mend.State(7).String())
}

// TestBreakerCallbacksKeepTheOrder has many goroutines change the state at once:
// each change begins where the one before ended.
func TestBreakerCallbacksKeepTheOrder(t *testing.T) {
	var state mend.State // unguarded: callbacks do not overlap
	changes := 0
	b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{
		Failures: 1, OpenTime: 1, MaxOpenTime: 1,
		OnStateChange: func(_ string, from, to mend.State) {
			assert.Equal(t, state, from)
			runtime.Gosched() // let the others overtake, if they can
			state = to
			changes++
		},
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 500 {
				err := error(nil)
				if i%2 == 0 {
					err = errDown
				}
				_ = b.Do(t.Context(), failing(err))
			}
		})
	}
	wg.Wait()
	assert.NotZero(t, changes)
}

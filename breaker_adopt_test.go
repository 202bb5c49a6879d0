package mend_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// downElsewhere is what another process's breaker says of a provider that is to be left alone.
func downElsewhere(d time.Duration) mend.BreakerSnapshot {
	return mend.BreakerSnapshot{Name: "model", State: mend.StateOpen, Trips: 2, NextProbe: time.Now().Add(d), Cause: errors.New("elsewhere")}
}

func TestBreakerAdoptsWhatAnotherOneFound(t *testing.T) {
	for name, check := range map[string]func(*testing.T, *mend.CircuitBreaker){
		"open until then, and then a probe": func(t *testing.T, b *mend.CircuitBreaker) {
			assert.True(t, b.Adopt(downElsewhere(time.Minute)))
			err := b.Do(t.Context(), succeeding)
			var open *mend.CircuitOpenError
			require.ErrorAs(t, err, &open)
			assert.EqualError(t, open.Cause, "elsewhere")
			untilProbe(t, b)
			require.NoError(t, b.Do(t.Context(), succeeding))
			assert.Equal(t, mend.StateClosed, b.State())
		},
		"the next open time is doubled as often as there": func(t *testing.T, b *mend.CircuitBreaker) {
			b.Adopt(downElsewhere(time.Minute))
			untilProbe(t, b)
			require.Error(t, b.Do(t.Context(), failing(errDown)))
			assert.Greater(t, time.Until(b.Snapshot().NextProbe), 3*time.Minute)
			assert.Equal(t, 3, b.Snapshot().Trips)
		},
		"a later time counts, a sooner one does not": func(t *testing.T, b *mend.CircuitBreaker) {
			later := downElsewhere(time.Hour)
			assert.True(t, b.Adopt(downElsewhere(time.Minute)))
			assert.True(t, b.Adopt(later))
			assert.False(t, b.Adopt(downElsewhere(time.Minute)))
			assert.False(t, b.Adopt(later), "it is known")
			assert.Equal(t, later.NextProbe, b.Snapshot().NextProbe)
		},
		"what is past is no news": func(t *testing.T, b *mend.CircuitBreaker) {
			assert.False(t, b.Adopt(downElsewhere(0)))
			assert.Equal(t, mend.StateClosed, b.State())
		},
		"another one's probe is waited for": func(t *testing.T, b *mend.CircuitBreaker) {
			probing := downElsewhere(time.Minute)
			probing.State = mend.StateHalfOpen
			assert.True(t, b.Adopt(probing))
			assert.False(t, b.Allow())
		},
		"closed again": func(t *testing.T, b *mend.CircuitBreaker) {
			assert.False(t, b.Adopt(mend.BreakerSnapshot{}), "it was not open")
			trip(t, b)
			assert.True(t, b.Adopt(mend.BreakerSnapshot{State: mend.StateClosed}))
			require.NoError(t, b.Do(t.Context(), succeeding))
			assert.Zero(t, b.Snapshot().Trips)
		},
		"a probe under way here knows better": func(t *testing.T, b *mend.CircuitBreaker) {
			trip(t, b)
			untilProbe(t, b)
			probe := hold(t.Context(), b)
			assert.False(t, b.Adopt(downElsewhere(time.Hour)))
			probe.with(nil)
			assert.Equal(t, mend.StateClosed, b.State())
		},
		"a call from before says nothing": func(t *testing.T, b *mend.CircuitBreaker) {
			call := hold(t.Context(), b)
			b.Adopt(downElsewhere(time.Minute))
			call.with(nil)
			assert.Equal(t, mend.StateOpen, b.State())
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { check(t, mend.NewCircuitBreaker("model", nil)) })
		})
	}
}

func TestBreakerTellsOfWhatItAdopts(t *testing.T) {
	var told []mend.State
	b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{
		OnStateChange: func(_ string, _, to mend.State) { told = append(told, to) },
	})
	b.Adopt(downElsewhere(time.Minute))
	b.Adopt(downElsewhere(time.Hour))
	b.Adopt(mend.BreakerSnapshot{State: mend.StateClosed})
	assert.Equal(t, []mend.State{mend.StateOpen, mend.StateClosed}, told)
}

func TestFailoverDoesNotWaitForWhatAnotherOneFound(t *testing.T) {
	b := mend.NewCircuitBreaker("model", nil)
	b.Adopt(downElsewhere(time.Minute))
	p := mend.NewFailover([]mend.Provider{unasked{}}, &mend.FailoverOptions{Breakers: map[string]*mend.CircuitBreaker{"model": b}})
	_, err := p.Complete(t.Context(), &mend.CompletionRequest{})
	var outage *mend.OutageError
	require.ErrorAs(t, err, &outage)
	assert.Equal(t, b.Snapshot().NextProbe, outage.RetryAt)
}

// unasked is a provider that must not be asked.
type unasked struct{}

func (unasked) Name() string { return "model" }

func (unasked) Complete(context.Context, *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	panic("it was asked")
}

// Doubling ends at what a duration can hold: beyond, a breaker would never be open.
func TestBreakerOpenTimeDoesNotOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const year = 365 * 24 * time.Hour
		b := mend.NewCircuitBreaker("model", &mend.BreakerOptions{OpenTime: year, MaxOpenTime: math.MaxInt64})
		require.True(t, b.Adopt(mend.BreakerSnapshot{State: mend.StateOpen, NextProbe: time.Now().Add(time.Hour), Trips: 9}))
		time.Sleep(time.Hour)
		require.ErrorIs(t, b.Do(t.Context(), failing(errDown)), errDown)
		require.Greater(t, time.Until(b.Snapshot().NextProbe), 200*year)
	})
}

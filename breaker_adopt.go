package mend

import "time"

// Adopt takes over what a breaker of the same provider found out in another process:
// that the provider is down until the snapshot's NextProbe, be it that the breaker is
// open or that its probe is under way; or, if that breaker is closed, that the
// provider is back. It reports whether that was news.
//
// A snapshot whose NextProbe is past, or sooner than what is known here, changes
// nothing, and neither does one of an open breaker while a probe is under way here,
// which will know better. Calls under way are ignored from then on, as after any
// change of state, and OnStateChange is called.
func (b *CircuitBreaker) Adopt(s BreakerSnapshot) bool {
	b.mu.Lock()
	changed := b.adopt(s)
	b.mu.Unlock()
	b.callbacks.run()
	return changed
}

func (b *CircuitBreaker) adopt(s BreakerSnapshot) bool {
	now, w := time.Now(), b.load()
	if s.State == StateClosed {
		if w.state() == StateClosed {
			return false
		}
		b.close(w)
		return true
	}
	switch {
	case !s.NextProbe.After(now):
		return false
	case w.state() == StateHalfOpen && now.Before(b.lease):
		return false
	case w.state() == StateOpen && !s.NextProbe.After(b.nextProbe):
		return false
	}
	b.nextProbe, b.trips = s.NextProbe, max(b.trips, s.Trips)
	b.cause, b.asked, b.lease = s.Cause, false, time.Time{}
	b.change(StateOpen)
	return true
}

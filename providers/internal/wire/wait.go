package wire

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait bounds what a provider may ask for; beyond it the unit was mistaken.
const maxWait = 90 * 24 * time.Hour

// RetryAfter returns how long the headers ask to be left alone: milliseconds in
// Retry-After-Ms, else seconds or a date in Retry-After. 0 means that they do not say.
func RetryAfter(h http.Header) time.Duration {
	if d := number(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if d := number(value, time.Second); d > 0 {
		return d
	}
	if t, err := http.ParseTime(value); err == nil {
		return Until(h, t)
	}
	return 0
}

// Until returns how long it is to t by the server's own clock, if its headers tell
// the time, since the two may differ.
func Until(h http.Header, t time.Time) time.Duration {
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return bounded(t.Sub(now))
}

// Duration reads a duration as APIs write it: "34.5s", "6m0s", "17ms".
func Duration(s string) time.Duration {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return bounded(d)
}

func number(s string, unit time.Duration) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || !(f > 0): // NaN too
		return 0
	case f > float64(maxWait/unit):
		return maxWait
	}
	return time.Duration(f * float64(unit))
}

func bounded(d time.Duration) time.Duration { return min(max(d, 0), maxWait) }

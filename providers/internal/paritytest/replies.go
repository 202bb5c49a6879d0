package paritytest

import (
	"encoding/json"
	"net/http"
)

// RateLimits returns the replies with that body for which the headers that all APIs
// share say how long to wait.
func RateLimits(body string) map[string][]Reply {
	limit := func(header map[string]string) []Reply {
		return []Reply{{Status: http.StatusTooManyRequests, Header: header, Body: body}}
	}
	return map[string][]Reply{
		"rate limit, not saying how long": limit(nil),
		"rate limit, 7 seconds":           limit(map[string]string{"Retry-After": "7"}),
		"rate limit, 1.5 seconds":         limit(map[string]string{"Retry-After-Ms": "1500", "Retry-After": "2"}),
		"rate limit, 90 seconds by date":  limit(map[string]string{"Date": Date, "Retry-After": "Mon, 02 Mar 2026 10:01:30 GMT"}),
	}
}

// JSON returns v as JSON.
func JSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of a test's own data
	}
	return string(data)
}

// Decode decodes what a provider sent.
func Decode(data []byte, v any) {
	if err := json.Unmarshal(data, v); err != nil {
		panic(err) // fails the request, and so the test
	}
}

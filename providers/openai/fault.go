package openai

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// apiError is an error as this API and the servers that copy it write it.
type apiError struct {
	Code    word   `json:"code"`
	Type    word   `json:"type"`
	Message string `json:"message"` // decides where nothing else does, and is never passed on

	status int // of HTTP, if the code is one
}

// word is a string. Some servers write a number or null instead.
type word string

func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		text = strings.Trim(string(data), `"`)
	}
	if text != "null" {
		*w = word(text)
	}
	return nil
}

// errorOf returns the error in a body: in its field error, as a text there, or the
// body itself.
func errorOf(body []byte) (e apiError, ok bool) {
	var envelope struct {
		Error  json.RawMessage `json:"error"`
		Object string          `json:"object"`
	}
	_ = json.Unmarshal(body, &envelope) // a gateway's page has no error
	switch {
	case isThere(envelope.Error):
		if json.Unmarshal(envelope.Error, &e) != nil {
			_ = json.Unmarshal(envelope.Error, &e.Message)
		}
	case envelope.Object == "error":
		_ = json.Unmarshal(body, &e)
	default:
		return e, false
	}
	var status int
	if json.Unmarshal([]byte(e.Code), &status) == nil {
		e.Code, e.status = "", status
	}
	return e, true
}

// explain says what an error of the API means.
func explain(a *wire.Answer) wire.Fault {
	e, _ := errorOf(a.Body)
	return e.fault(a.Status, a.Header)
}

// explainEmpty says what an answer without a choice means: OpenRouter sends errors of
// the API behind it with a status that is none.
func explainEmpty(a *wire.Answer) wire.Fault {
	if e, ok := errorOf(a.Body); ok {
		return e.fault(cmp.Or(e.status, http.StatusBadGateway), a.Header)
	}
	return wire.Fault{Kind: mend.KindBadResponse, Text: "answer has no choice"}
}

// explainChoice says what it means that a choice ended in an error.
func explainChoice(raw string) wire.Fault {
	e, _ := errorOf([]byte(raw))
	return e.fault(cmp.Or(e.status, http.StatusBadGateway), nil)
}

func (e apiError) fault(status int, h http.Header) wire.Fault {
	f := wire.Fault{Kind: e.kind(status), Code: string(cmp.Or(e.Code, e.Type))}
	switch f.Kind {
	case mend.KindRateLimited:
		f.RetryAfter = cmp.Or(wire.RetryAfter(h), e.reset(h))
	case mend.KindQuota, mend.KindOverloaded, mend.KindUnavailable:
		f.RetryAfter = wire.RetryAfter(h)
	}
	return f
}

// kinds are what codes and types mean whatever the status is. Rate limit and quota
// have the same.
var kinds = map[word]mend.ProviderErrorKind{
	"insufficient_quota":         mend.KindQuota,
	"billing_hard_limit_reached": mend.KindQuota,
	"billing_not_active":         mend.KindQuota,

	"rate_limit_exceeded": mend.KindRateLimited,
	"rate_limit_error":    mend.KindRateLimited,

	"slow_down":            mend.KindOverloaded,
	"server_is_overloaded": mend.KindOverloaded,
	"engine_overloaded":    mend.KindOverloaded,

	"invalid_api_key":                      mend.KindAuth,
	"account_deactivated":                  mend.KindAuth,
	"unsupported_country_region_territory": mend.KindAuth,

	"model_not_found":    mend.KindModelNotFound,
	"DeploymentNotFound": mend.KindModelNotFound,

	"context_length_exceeded":   mend.KindContextLength,
	"string_above_max_length":   mend.KindContextLength,
	"exceed_context_size_error": mend.KindContextLength, // llama.cpp

	"content_filter":           mend.KindContentFilter,
	"content_policy_violation": mend.KindContentFilter,
	"invalid_prompt":           mend.KindContentFilter,
}

func (e apiError) kind(status int) mend.ProviderErrorKind {
	message := strings.ToLower(e.Message)
	if status == http.StatusTooManyRequests && strings.HasPrefix(message, "request too large") {
		return mend.KindContextLength // more tokens than the limit of a minute: waiting is no help
	}
	for _, w := range []word{e.Code, e.Type} {
		if kind, ok := kinds[w]; ok {
			return kind
		}
	}
	switch kind := wire.KindOfStatus(status); {
	case kind == mend.KindInvalidRequest && tellsOfContext(message):
		return mend.KindContextLength
	case kind == mend.KindAuth && strings.Contains(message, "flagged"): // OpenRouter's moderation
		return mend.KindContentFilter
	default:
		return kind
	}
}

// tellsOfContext reports whether a message is what servers without codes say about a
// request that is too long.
func tellsOfContext(message string) bool {
	for _, words := range []string{"maximum context length", "context window", "context size", "prompt is too long"} {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// reset returns when the limits that are used up are full again. The error's type may
// name one that is only too low for the request.
func (e apiError) reset(h http.Header) (wait time.Duration) {
	for _, limit := range []string{"requests", "tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+limit) == "0" || e.Type == word(limit) {
			wait = max(wait, wire.Duration(h.Get("X-Ratelimit-Reset-"+limit)))
		}
	}
	return wait
}

package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// explain says what an error of the API means. The API's message decides where the
// type is the same for several kinds, but is never passed on: it may hold an echo.
func explain(a *wire.Answer) wire.Fault {
	var body struct {
		Error struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.Body, &body) // a gateway's page has no type
	f := wire.Fault{Kind: kindOf(a.Status, body.Error.Type), Code: body.Error.Type}
	if f.Kind == mend.KindInvalidRequest {
		f.Kind, f.Text = refine(body.Error.Message)
	}
	switch f.Kind {
	case mend.KindRateLimited:
		f.RetryAfter = retryAfter(a.Header)
	case mend.KindQuota, mend.KindOverloaded, mend.KindUnavailable:
		f.RetryAfter = wire.RetryAfter(a.Header)
	}
	return f
}

func kindOf(status int, errorType string) mend.ProviderErrorKind {
	switch errorType {
	case "authentication_error", "permission_error":
		return mend.KindAuth
	case "not_found_error":
		return mend.KindModelNotFound
	case "rate_limit_error":
		return mend.KindRateLimited
	case "overloaded_error":
		return mend.KindOverloaded
	case "billing_error":
		return mend.KindQuota
	case "request_too_large":
		return mend.KindContextLength
	case "timeout_error":
		return mend.KindUnavailable
	}
	return wire.KindOfStatus(status)
}

// refusals are what the messages of invalid_request_error begin with or hold where
// the request as such is not wrong.
var refusals = []struct {
	words string
	kind  mend.ProviderErrorKind
	text  string
}{
	{"prompt is too long", mend.KindContextLength, "the prompt is too long"},
	{"exceed context limit", mend.KindContextLength, "prompt and answer do not fit in the window"},
	{"credit balance is too low", mend.KindQuota, "the credit balance is too low"},
	{"specified api usage limits", mend.KindQuota, "the usage limit set for the key is reached"},
	{"content filtering policy", mend.KindContentFilter, "blocked by the content filter"},
	{"organization has been disabled", mend.KindAuth, "the organization is disabled"},
}

func refine(message string) (mend.ProviderErrorKind, string) {
	message = strings.ToLower(message)
	for _, r := range refusals {
		if strings.Contains(message, r.words) {
			return r.kind, r.text
		}
	}
	return mend.KindInvalidRequest, ""
}

// retryAfter returns what the API asks for, or else when the last of the limits that
// are used up is full again.
func retryAfter(h http.Header) time.Duration {
	wait := wire.RetryAfter(h)
	if wait > 0 {
		return wait
	}
	for _, limit := range []string{"Requests", "Tokens", "Input-Tokens", "Output-Tokens"} {
		name := "Anthropic-Ratelimit-" + limit
		reset, err := time.Parse(time.RFC3339, h.Get(name+"-Reset"))
		if err == nil && h.Get(name+"-Remaining") == "0" {
			wait = max(wait, wire.Until(h, reset))
		}
	}
	return wait
}

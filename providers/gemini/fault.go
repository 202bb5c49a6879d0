package gemini

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// apiError is an error of the API, whose details say what its status leaves open.
type apiError struct {
	Status  string   `json:"status"`
	Message string   `json:"message"` // decides where nothing else does, and is never passed on
	Details []detail `json:"details"`
}

type detail struct {
	Type       string `json:"@type"`
	Reason     string `json:"reason"`     // of ErrorInfo
	RetryDelay string `json:"retryDelay"` // of RetryInfo
	RequestID  string `json:"requestId"`  // of RequestInfo
	Violations []struct {
		QuotaID    string `json:"quotaId"`
		QuotaValue string `json:"quotaValue"`
	} `json:"violations"` // of QuotaFailure
}

// errorOf returns the error that an answer holds, perhaps in a list of one.
func errorOf(a *wire.Answer) apiError {
	type envelope struct {
		Error apiError `json:"error"`
	}
	var one envelope
	if bytes.HasPrefix(bytes.TrimSpace(a.Body), []byte("[")) {
		var list []envelope
		if json.Unmarshal(a.Body, &list) == nil && len(list) > 0 {
			one = list[0]
		}
		return one.Error
	}
	_ = json.Unmarshal(a.Body, &one) // a gateway's page has no error
	return one.Error
}

// explain says what an error of the API means.
func explain(a *wire.Answer) wire.Fault {
	e := errorOf(a)
	f := wire.Fault{Code: cmp.Or(e.reason(), e.Status)}
	f.Kind, f.Text = e.kind(a.Status)
	switch f.Kind {
	case mend.KindRateLimited, mend.KindOverloaded, mend.KindUnavailable:
		f.RetryAfter = cmp.Or(e.retryDelay(), wire.RetryAfter(a.Header))
	}
	return f
}

func (e apiError) kind(status int) (kind mend.ProviderErrorKind, text string) {
	switch reason := e.reason(); {
	case strings.HasPrefix(reason, "API_KEY_"): // with HTTP 400 if it is no key at all
		return mend.KindAuth, ""
	case strings.HasPrefix(reason, "BILLING_"):
		return mend.KindQuota, ""
	}
	switch e.Status {
	case "INVALID_ARGUMENT":
		return e.invalid()
	case "FAILED_PRECONDITION":
		return mend.KindQuota, "not free of charge where the call comes from"
	case "UNAUTHENTICATED", "PERMISSION_DENIED":
		return mend.KindAuth, ""
	case "NOT_FOUND":
		return mend.KindModelNotFound, ""
	case "RESOURCE_EXHAUSTED":
		return e.exhausted()
	case "UNAVAILABLE":
		return mend.KindOverloaded, ""
	case "INTERNAL", "DEADLINE_EXCEEDED", "CANCELLED", "ABORTED":
		return mend.KindUnavailable, ""
	}
	if status == http.StatusTooManyRequests {
		return e.exhausted()
	}
	return wire.KindOfStatus(status), ""
}

func (e apiError) invalid() (kind mend.ProviderErrorKind, text string) {
	message := strings.ToLower(e.Message)
	switch {
	case strings.Contains(message, "token count") && strings.Contains(message, "exceeds"):
		return mend.KindContextLength, "the prompt is too long"
	case strings.HasPrefix(message, "api key not valid"), strings.HasPrefix(message, "api key expired"):
		return mend.KindAuth, "the API key is not valid"
	}
	return mend.KindInvalidRequest, ""
}

// exhausted tells a limit that is full again within a minute from one that is used up
// for the day or was never granted. Both come with the same status and message, and
// both perhaps with a delay, which means nothing for the second.
func (e apiError) exhausted() (kind mend.ProviderErrorKind, text string) {
	known := false
	for _, d := range e.Details {
		for _, v := range d.Violations {
			known = true
			if strings.Contains(v.QuotaID, "PerDay") {
				return mend.KindQuota, "the quota of the day is used up"
			}
			if v.QuotaValue == "0" {
				return mend.KindQuota, "there is no quota for this model"
			}
		}
	}
	message := strings.ToLower(e.Message)
	switch {
	case strings.Contains(message, "credits are depleted"), strings.Contains(message, "spending cap"):
		return mend.KindQuota, "what was paid for is used up"
	case !known && e.retryDelay() == 0 && strings.Contains(message, "exceeded your current quota"):
		return mend.KindQuota, "the quota is used up"
	}
	return mend.KindRateLimited, ""
}

func (e apiError) reason() string {
	for _, d := range e.Details {
		if strings.HasSuffix(d.Type, "ErrorInfo") {
			return d.Reason
		}
	}
	return ""
}

func (e apiError) retryDelay() time.Duration {
	for _, d := range e.Details {
		if strings.HasSuffix(d.Type, "RetryInfo") {
			return wire.Duration(d.RetryDelay)
		}
	}
	return 0
}

// requestID returns the id of an answer or of an error; an answer has it in its body.
func requestID(a *wire.Answer) string {
	var body struct {
		ResponseID string `json:"responseId"`
	}
	_ = json.Unmarshal(a.Body, &body)
	id := body.ResponseID
	for _, d := range errorOf(a).Details {
		id = cmp.Or(id, d.RequestID)
	}
	return cmp.Or(id, a.Header.Get("X-Request-Id"))
}

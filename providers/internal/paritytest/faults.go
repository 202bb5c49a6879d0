package paritytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// canary stands for the prompt: no error may hold it.
const canary = "canary-of-the-prompt"

// Date is the server's own time in replies that name a time to come back.
const Date = "Mon, 02 Mar 2026 10:00:00 GMT"

// faults are what may be wrong, and what that means for every API alike.
var faults = []struct {
	name       string
	kind       mend.ProviderErrorKind
	retryAfter time.Duration
}{
	{"rate limit, not saying how long", mend.KindRateLimited, 0},
	{"rate limit, 7 seconds", mend.KindRateLimited, 7 * time.Second},
	{"rate limit, 1.5 seconds", mend.KindRateLimited, 1500 * time.Millisecond},
	{"rate limit, 90 seconds by date", mend.KindRateLimited, 90 * time.Second},
	{"rate limit, 40 seconds in the API's own form", mend.KindRateLimited, 40 * time.Second},
	{"quota", mend.KindQuota, 0},
	{"overloaded", mend.KindOverloaded, 0},
	{"overloaded, 3 seconds", mend.KindOverloaded, 3 * time.Second},
	{"server error", mend.KindUnavailable, 0},
	{"wrong key", mend.KindAuth, 0},
	{"not allowed", mend.KindAuth, 0},
	{"no such model", mend.KindModelNotFound, 0},
	{"too long", mend.KindContextLength, 0},
	{"blocked prompt", mend.KindContentFilter, 0},
	{"bad request", mend.KindInvalidRequest, 0},
	{"empty answer", mend.KindBadResponse, 0},
}

// secretRequest is a request that holds the canary in every place.
func secretRequest() *mend.CompletionRequest {
	return &mend.CompletionRequest{
		SystemPrompt: canary,
		Messages: []mend.Message{
			user(canary), assistant(canary, call("c1", "read_file", `{"path":"`+canary+`"}`)),
			results(mend.ToolResult{CallID: "c1", Name: "read_file", Content: canary}),
		},
		Tools: tools,
	}
}

func runFaults(t *testing.T, w Wire) {
	replies := w.Faults(canary + " " + key)
	for _, f := range faults {
		require.NotEmpty(t, replies[f.name], "no reply for %q", f.name)
		for i, reply := range replies[f.name] {
			t.Run(fmt.Sprintf("%s, form %d", f.name, i+1), func(t *testing.T) {
				s := serveReply(t, reply)
				pe := fails(t, w, s, f.kind)
				assert.Equal(t, f.retryAfter, pe.RetryAfter)
				assert.Equal(t, reply.Status, pe.Status)
				assert.Equal(t, RequestID, pe.RequestID)
				assert.Equal(t, 1, s.count(), "an adapter does not retry")
			})
		}
		delete(replies, f.name)
	}
	assert.Empty(t, replies, "replies that no fault is named for")
}

// fails makes a call that has to fail in that way, and returns its error.
func fails(t *testing.T, w Wire, s *server, kind mend.ProviderErrorKind) *mend.ProviderError {
	resp, err := s.provider(t, w).Complete(t.Context(), secretRequest())
	assert.Nil(t, resp)
	return checkError(t, w, err, kind)
}

func checkError(t *testing.T, w Wire, err error, kind mend.ProviderErrorKind) *mend.ProviderError {
	require.Error(t, err)
	pe, ok := err.(*mend.ProviderError)
	require.True(t, ok, "%T", err)
	assert.Equal(t, kind, pe.Kind, "%v", err)
	assert.Equal(t, w.Name, pe.Provider)
	assert.NotContains(t, err.Error(), "\n")
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, verb := range []string{"%v", "%+v", "%#v", "%q"} {
			text := fmt.Sprintf(verb, e)
			assert.NotContains(t, text, canary)
			assert.NotContains(t, text, key)
		}
	}
	return pe
}

// httpFaults are what may be wrong below the API.
var httpFaults = []struct {
	name   string
	kind   mend.ProviderErrorKind
	handle http.HandlerFunc
}{
	{"page of a gateway", mend.KindUnavailable, Reply{
		Status: http.StatusBadGateway, Body: "<html>" + canary, Header: map[string]string{"Content-Type": "text/html"},
	}.write},
	{"page instead of an answer", mend.KindBadResponse, Reply{
		Status: http.StatusOK, Body: "<html>" + canary, Header: map[string]string{"Content-Type": "text/html"},
	}.write},
	{"page that claims to be JSON", mend.KindBadResponse, Reply{Status: http.StatusOK, Body: "<html>" + canary}.write},
	{"answer of another form", mend.KindBadResponse, Reply{Status: http.StatusOK, Body: "{}"}.write},
	{"answer that ends too soon", mend.KindBadResponse, Reply{Status: http.StatusOK, Body: `{"` + canary}.write},
	{"nothing", mend.KindBadResponse, Reply{Status: http.StatusOK}.write},
	{"redirect", mend.KindBadResponse, Reply{
		Status: http.StatusTemporaryRedirect, Header: map[string]string{"Location": "/elsewhere?" + canary},
	}.write},
	{"connection closed", mend.KindUnavailable, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	{"connection closed inside the answer", mend.KindUnavailable, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"`+canary)
	}},
	{"id that is an echo", mend.KindUnavailable, Reply{
		Status: http.StatusBadGateway, Header: map[string]string{"Request-Id": "of " + canary, "X-Request-Id": "of " + canary},
	}.write},
	{"id that is the key", mend.KindUnavailable, Reply{
		Status: http.StatusBadGateway, Header: map[string]string{"Request-Id": key, "X-Request-Id": key},
	}.write},
}

func runHTTPFaults(t *testing.T, w Wire) {
	for _, f := range httpFaults {
		t.Run(f.name, func(t *testing.T) {
			s := serve(t, f.handle)
			fails(t, w, s, f.kind)
			assert.Equal(t, 1, s.count())
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		s := serve(t, nil)
		s.Close()
		fails(t, w, s, mend.KindUnavailable)
	})
	t.Run("transport that tells everything", func(t *testing.T) {
		p, err := w.New(Config{Model: model, Key: key, BaseURL: "http://mend.test", HTTPClient: &http.Client{Transport: gossip{}}})
		require.NoError(t, err)
		_, err = p.Complete(t.Context(), secretRequest())
		checkError(t, w, err, mend.KindUnavailable)
	})
	t.Run("request that is no JSON", func(t *testing.T) {
		s := serveReply(t, Reply{Status: http.StatusOK, Body: "{}"})
		req := secretRequest()
		req.Tools = []mend.ToolDef{{Name: "list", Parameters: []byte(`{"` + canary)}}
		_, err := s.provider(t, w).Complete(t.Context(), req)
		checkError(t, w, err, mend.KindInvalidRequest)
		assert.Zero(t, s.count())
	})
}

// gossip is a transport whose errors hold the request.
type gossip struct{}

func (gossip) RoundTrip(r *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(r.Body)
	return nil, fmt.Errorf("cannot send %v with %s", r.Header, body)
}

// runEnded runs calls that end before the answer is there.
func runEnded(t *testing.T, w Wire) {
	never := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

	t.Run("cancelled before", func(t *testing.T) {
		s := serve(t, never)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.provider(t, w).Complete(ctx, secretRequest())
		checkError(t, w, err, mend.KindCanceled)
		require.ErrorIs(t, err, context.Canceled)
		assert.Zero(t, s.count())
	})
	t.Run("cancelled by the caller", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(rw http.ResponseWriter, r *http.Request) { cancel(); never(rw, r) })
		_, err := s.provider(t, w).Complete(ctx, secretRequest())
		checkError(t, w, err, mend.KindCanceled)
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("cancelled by the caller inside the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := serve(t, func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, "{")
			_ = http.NewResponseController(rw).Flush()
			cancel()
			never(rw, r)
		})
		_, err := s.provider(t, w).Complete(ctx, secretRequest())
		checkError(t, w, err, mend.KindCanceled)
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("the caller's deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := serve(t, never).provider(t, w).Complete(ctx, secretRequest())
		checkError(t, w, err, mend.KindCanceled)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
	t.Run("our own timeout", func(t *testing.T) {
		p, err := w.New(Config{Model: model, Key: key, BaseURL: serve(t, never).URL, Timeout: time.Millisecond})
		require.NoError(t, err)
		_, err = p.Complete(t.Context(), secretRequest())
		checkError(t, w, err, mend.KindTimeout)
	})
	t.Run("the client's timeout", func(t *testing.T) {
		p, err := w.New(Config{
			Model: model, Key: key, BaseURL: serve(t, never).URL, HTTPClient: &http.Client{Timeout: time.Millisecond},
		})
		require.NoError(t, err)
		_, err = p.Complete(t.Context(), secretRequest())
		checkError(t, w, err, mend.KindTimeout)
	})
}

func runOptions(t *testing.T, w Wire) {
	good := Config{Model: model, Key: key, BaseURL: "http://mend.test"}
	p, err := w.New(good)
	require.NoError(t, err)
	assert.Equal(t, w.Name, p.Name())
	for name, spoil := range map[string]func(*Config){
		"no model given":              func(c *Config) { c.Model = "" },
		"no API key given":            func(c *Config) { c.Key = "" },
		"API key holds a blank":       func(c *Config) { c.Key += "\n" },
		"base URL is not of the form": func(c *Config) { c.BaseURL = "mend.test/" + key },
		"MaxTokens is negative":       func(c *Config) { c.MaxTokens = -1 },
		"timeout is negative":         func(c *Config) { c.Timeout = -time.Second },
	} {
		bad := good
		spoil(&bad)
		_, err := w.New(bad)
		require.ErrorContains(t, err, name)
		assert.NotContains(t, err.Error(), strings.TrimSpace(key))
	}
}

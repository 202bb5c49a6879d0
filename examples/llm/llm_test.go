package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/providers/anthropic"
	"github.com/mendkit/mend/providers/openai"
)

type object = map[string]any

// endpoint is an API that answers in the given order, and with status 529 when it
// has no answer left.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	left   []string
}

func serve(t *testing.T, answers ...string) *endpoint {
	e := &endpoint{left: answers}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.bodies = append(e.bodies, string(body))
		w.Header().Set("Content-Type", "application/json")
		if len(e.left) == 0 {
			w.WriteHeader(529)
			fmt.Fprint(w, `{"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}`)
			return
		}
		fmt.Fprint(w, e.left[0])
		e.left = e.left[1:]
	}))
	t.Cleanup(e.Close)
	return e
}

func encode(t *testing.T, v any) string {
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// inClaudesWords is the turn as the Messages API sends it.
func inClaudesWords(t *testing.T, turn mendtest.Turn) string {
	call := turn.Calls[0]
	return encode(t, object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use",
		"content": []object{{"type": "tool_use", "id": "toolu_1", "name": call.Name, "input": call.Arguments}},
		"usage":   object{"input_tokens": 100, "output_tokens": 10},
	})
}

// inChatsWords is the turn as the Chat Completions API sends it.
func inChatsWords(t *testing.T, turn mendtest.Turn) string {
	call := turn.Calls[0]
	return encode(t, object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
		"choices": []object{{"index": 0, "finish_reason": "tool_calls", "message": object{
			"role": "assistant", "content": nil,
			"tool_calls": []object{{"id": "call_1", "type": "function", "function": object{"name": call.Name, "arguments": string(call.Arguments)}}},
		}}},
		"usage": object{"prompt_tokens": 200, "completion_tokens": 20, "total_tokens": 220},
	})
}

// models returns both providers, of which the first one is asked first.
func models(t *testing.T, claude, chat *endpoint) mend.Provider {
	return modelsBehind(t, claude, chat, nil)
}

// modelsBehind is models behind circuit breakers that the caller can look at.
func modelsBehind(t *testing.T, claude, chat *endpoint, opts *mend.FailoverOptions) mend.Provider {
	first, err := anthropic.New(anthropic.Options{Model: "m", APIKey: "k", BaseURL: claude.URL})
	require.NoError(t, err)
	second, err := openai.New(openai.Options{Model: "m", APIKey: "k", BaseURL: chat.URL + "/v1"})
	require.NoError(t, err)
	return mend.NewFailover([]mend.Provider{first, second}, opts)
}

func isolated(t *testing.T) {
	if _, err := mend.NewLocalSandbox(nil).Isolation(); err != nil {
		t.Skip("the package's program is run in isolation only: ", err)
	}
}

// TestScripted shows what a newcomer sees.
func TestScripted(t *testing.T) {
	isolated(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out, scripted()))
	for _, line := range []string{"calls list_files", `command = "wm -V"`, "It proves: version.", "Repairs by scripted: 1"} {
		assert.Contains(t, out.String(), line)
	}
}

// TestRepairOverHTTP goes the whole way: the model generates, the sandbox refuses,
// no rule holds, the model repairs, and a rule mends the rest.
func TestRepairOverHTTP(t *testing.T) {
	isolated(t)
	claude := serve(t, inClaudesWords(t, submit("wordmill --version")), inClaudesWords(t, mendtest.Call("list_files", object{})), inClaudesWords(t, submit("wm --version")))
	chat := serve(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out, models(t, claude, chat)))
	assert.Contains(t, out.String(), `command = "wm -V"`)
	assert.Contains(t, out.String(), "Repairs by anthropic: 1, tokens: 330.")
	assert.Empty(t, chat.bodies)
	require.Len(t, claude.bodies, 3)
	assert.Contains(t, claude.bodies[1], "binary_not_found", "the model is told the class of the failure")
	assert.Contains(t, claude.bodies[2], "bin/wm", "and what its tool found")
}

// TestFailoverOverHTTP has the first provider go down during the repair.
func TestFailoverOverHTTP(t *testing.T) {
	isolated(t)
	claude := serve(t, inClaudesWords(t, submit("wordmill --version")))
	chat := serve(t, inChatsWords(t, submit("wm --version")))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out, models(t, claude, chat)))
	assert.Contains(t, out.String(), "Repairs by openai: 1, tokens: 330.")
	require.Len(t, chat.bodies, 1)
	for _, kept := range []string{"wordmill --version", "binary_not_found", "Write the recipe"} {
		assert.Contains(t, chat.bodies[0], kept, "the conversation goes on")
	}
}

func TestAllDownOverHTTP(t *testing.T) {
	err := run(t.Context(), io.Discard, models(t, serve(t), serve(t)))
	var outage *mend.OutageError
	require.ErrorAs(t, err, &outage)
	assert.Len(t, outage.Reasons, 2)
	assert.False(t, outage.RetryAt.IsZero())
	assert.Contains(t, err.Error(), "anthropic")
	assert.Contains(t, err.Error(), "openai")
}

func TestBudgetOverHTTP(t *testing.T) {
	isolated(t)
	claude := serve(t, inClaudesWords(t, submit("wordmill --version")), inClaudesWords(t, submit("mill --version")), inClaudesWords(t, submit("wm --version")))
	builder := mend.NewModelBuilder("wordmill", models(t, claude, serve(t)), &mend.ModelOptions{Describe: describe})
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: unpack})
	o := mend.New(sandbox, &mend.Options{Limits: mend.Limits{Tokens: 150}})
	_, err := o.Create(t.Context(), builder, mend.BuildRequest{Package: "wordmill", Version: "2.4.1"})
	over, ok := errors.AsType[*mend.BudgetError](err)
	require.True(t, ok, "%v", err)
	assert.Equal(t, &mend.BudgetError{Limit: "tokens", Used: "220", Max: "150"}, over)
	failed, ok := errors.AsType[*mend.ValidationFailedError](err)
	require.True(t, ok, "%v", err)
	require.Len(t, failed.Attempts, 2, "everything that was tried")
	assert.Equal(t, "mill --version", failed.Attempts[1].Recipe.Verify.Command)
	assert.Len(t, claude.bodies, 2)
}

func TestCancelledOverHTTP(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // or the server does not see that the caller goes
		close(asked)
		<-r.Context().Done()
	}))
	defer slow.Close()
	go func() { <-asked; cancel() }()
	breaker := mend.NewCircuitBreaker("anthropic", nil)
	chat := serve(t)
	p := modelsBehind(t, &endpoint{Server: slow}, chat, &mend.FailoverOptions{Breakers: map[string]*mend.CircuitBreaker{"anthropic": breaker}})
	err := run(ctx, io.Discard, p)
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, chat.bodies, "nobody else is asked")
	assert.Zero(t, breaker.Snapshot().Failures, "and nothing is counted")
	assert.Equal(t, mend.StateClosed, breaker.State())
}

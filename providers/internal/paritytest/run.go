package paritytest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

func runConversations(t *testing.T, w Wire) {
	for _, c := range conversations() {
		t.Run(c.name, func(t *testing.T) {
			s := serveReply(t, Reply{Status: http.StatusOK, Body: w.Answer(c.answer)})
			before := snapshot(t, c.req)
			resp, err := s.provider(t, w).Complete(t.Context(), &c.req)
			require.NoError(t, err)
			assert.Equal(t, before, snapshot(t, c.req), "the request was changed")
			checkResponse(t, w, c.answer, c.req.Messages, resp)
			require.Equal(t, 1, s.count())
			r, body := s.last(t)
			assert.Equal(t, key, w.KeyOf(r))
			checkRequest(t, c, w.Seen(r, body))
		})
	}
}

// checkRequest compares what was seen with what was asked.
func checkRequest(t *testing.T, c conversation, seen SeenRequest) {
	want := c.turns
	if want == nil {
		want = seenTurns(c.req.Messages)
	}
	assert.Equal(t, want, seen.Turns)
	assert.Equal(t, model, seen.Model)
	assert.Equal(t, c.req.SystemPrompt, seen.System)
	assert.Equal(t, c.req.ToolChoice, seen.Choice)
	assert.Equal(t, c.req.Temperature, seen.Temperature)
	if c.req.MaxTokens != 0 {
		assert.Equal(t, c.req.MaxTokens, seen.MaxTokens)
	}
	require.Len(t, seen.Tools, len(c.req.Tools))
	for i, def := range c.req.Tools {
		assert.Equal(t, def.Name, seen.Tools[i].Name)
		assert.Equal(t, def.Description, seen.Tools[i].Description)
		schema := `{"type":"object","properties":{}}`
		if def.Parameters != nil {
			schema = string(def.Parameters)
		}
		assert.JSONEq(t, schema, seen.Tools[i].Schema)
	}
}

// checkResponse compares a response with what the model said.
func checkResponse(t *testing.T, w Wire, a Answer, history []mend.Message, resp *mend.CompletionResponse) {
	assert.Equal(t, mend.RoleAssistant, resp.Message.Role)
	assert.Equal(t, a.Text, resp.Message.Content)
	assert.Empty(t, resp.Message.ToolResults)
	ids := map[string]bool{"": true}
	for _, m := range history {
		for _, c := range m.ToolCalls {
			ids[c.ID] = true
		}
	}
	require.Len(t, resp.Message.ToolCalls, len(a.Calls))
	for i, c := range resp.Message.ToolCalls {
		assert.False(t, ids[c.ID], "id %q is empty or taken", c.ID)
		ids[c.ID] = true
		assert.Equal(t, a.Calls[i].Name, c.Name)
		assert.Equal(t, string(a.Calls[i].Arguments), string(c.Arguments))
	}
	usage := a.Usage
	if w.NoCacheWrite {
		usage.CacheWriteTokens = 0
	}
	assert.Equal(t, usage, resp.Usage)
	assert.Equal(t, a.Stop, resp.StopReason)
	assert.NotEmpty(t, resp.RawStopReason)
	assert.Equal(t, a.Model, resp.Model)
	assert.Equal(t, RequestID, resp.RequestID)
	assert.Equal(t, w.Name, resp.Provider)
}

// snapshot returns everything of a request.
func snapshot(t *testing.T, req mend.CompletionRequest) string {
	for i, m := range req.Messages { // JSON's encoder takes no other raw message
		req.Messages = slices.Clone(req.Messages)
		req.Messages[i].ToolCalls = slices.Clone(m.ToolCalls)
		for k, c := range m.ToolCalls {
			quoted, err := json.Marshal(string(c.Arguments))
			require.NoError(t, err)
			req.Messages[i].ToolCalls[k].Arguments = quoted
		}
	}
	data, err := json.Marshal(req)
	require.NoError(t, err)
	return string(data)
}

func runStops(t *testing.T, w Wire) {
	for _, c := range stops {
		t.Run(c.name, func(t *testing.T) {
			c.answer.Model = model
			s := serveReply(t, Reply{Status: http.StatusOK, Body: w.Answer(c.answer)})
			resp, err := s.provider(t, w).Complete(t.Context(), &mend.CompletionRequest{Messages: []mend.Message{user("hello")}})
			require.NoError(t, err)
			checkResponse(t, w, c.answer, nil, resp)
		})
	}
}

// runOpaque sends a turn back to who made it, to another provider, and changed.
func runOpaque(t *testing.T, w Wire) {
	answer := Answer{
		Text: "Reading.", Stop: mend.StopToolUse, Model: model, Opaque: true,
		Calls: []mend.ToolCall{call("", "read_file", `{"path":"a","size":12345678901234567890}`), call("", "list", `{}`)},
	}
	body := w.Answer(answer)
	require.Contains(t, body, OpaqueMark)
	s := serveReply(t, Reply{Status: http.StatusOK, Body: body})
	p := s.provider(t, w)
	req := mend.CompletionRequest{Messages: []mend.Message{user("mend it")}, Tools: tools}
	resp, err := p.Complete(t.Context(), &req)
	require.NoError(t, err)
	checkResponse(t, w, answer, req.Messages, resp)
	require.Len(t, resp.Message.Opaque, 1)
	require.Contains(t, string(resp.Message.Opaque[w.Name]), OpaqueMark)

	again := func(t *testing.T, p mend.Provider, turn mend.Message) []byte {
		back := results(
			mend.ToolResult{CallID: turn.ToolCalls[0].ID, Name: "read_file", Content: "A"},
			mend.ToolResult{CallID: turn.ToolCalls[1].ID, Name: "list", Content: "B"},
		)
		_, err := p.Complete(t.Context(), &mend.CompletionRequest{Messages: []mend.Message{user("mend it"), turn, back}, Tools: tools})
		require.NoError(t, err)
		r, body := s.last(t)
		assert.Equal(t, []SeenResult{{"read_file", "A", false}, {"list", "B", false}}, w.Seen(r, body).Turns[2].Results)
		return body
	}
	t.Run("sent back in its place", func(t *testing.T) {
		assert.JSONEq(t, string(w.AnswerTurn([]byte(body))), string(w.RequestTurn(again(t, p, resp.Message), 1)))
	})
	t.Run("not to a provider of another name", func(t *testing.T) {
		other, err := w.New(Config{Name: "other", Model: model, Key: key, BaseURL: s.URL})
		require.NoError(t, err)
		assert.Equal(t, "other", other.Name())
		assert.NotContains(t, string(again(t, other, resp.Message)), OpaqueMark)
	})
	t.Run("not with a turn that was changed", func(t *testing.T) {
		turn := resp.Message
		turn.Content = "changed"
		sent := string(again(t, p, turn))
		assert.NotContains(t, sent, OpaqueMark)
		assert.Contains(t, sent, "changed")
	})
	t.Run("not if it is no longer readable", func(t *testing.T) {
		turn := resp.Message
		turn.Opaque = map[string]json.RawMessage{w.Name: json.RawMessage(`"` + OpaqueMark)}
		assert.NotContains(t, string(again(t, p, turn)), OpaqueMark)
	})
}

func runConcurrent(t *testing.T, w Wire) {
	s := serveReply(t, Reply{Status: http.StatusOK, Body: w.Answer(Answer{Text: "hi", Stop: mend.StopEndTurn, Model: model})})
	p := s.provider(t, w)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			resp, err := p.Complete(context.Background(), &mend.CompletionRequest{Messages: []mend.Message{user("hello")}})
			if assert.NoError(t, err) {
				assert.Equal(t, "hi", resp.Message.Content)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, 8, s.count())
}

// runEnvironment makes sure that what the SDK would read of the environment has no
// part in a call.
func runEnvironment(t *testing.T, w Wire) {
	const poison = "http://127.0.0.1:9/poison"
	for _, name := range w.Environment {
		value := poison
		if strings.Contains(name, "HEADERS") {
			value = "X-Poison: poison"
		}
		t.Setenv(name, value)
	}
	s := serveReply(t, Reply{Status: http.StatusOK, Body: w.Answer(Answer{Text: "hi", Stop: mend.StopEndTurn, Model: model})})
	_, err := s.provider(t, w).Complete(t.Context(), &mend.CompletionRequest{Messages: []mend.Message{user("hello")}})
	require.NoError(t, err)
	r, body := s.last(t)
	assert.Equal(t, key, w.KeyOf(r))
	for _, values := range r.Header {
		assert.NotContains(t, strings.ToLower(strings.Join(values, " ")), "poison")
	}
	assert.NotContains(t, string(body), "poison")
}

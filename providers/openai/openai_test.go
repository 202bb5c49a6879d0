package openai_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/paritytest"
	"github.com/mendkit/mend/providers/openai"
)

// ask makes one call that is answered with body and returns what was sent and what
// came.
func ask(t *testing.T, opts openai.Options, body string, messages ...mend.Message) (wireRequest, *mend.CompletionResponse, error) {
	var sent wireRequest
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/v1/chat/completions", r.URL.Path)
		data, _ := io.ReadAll(r.Body)
		sent = decode[wireRequest](data)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	opts.Model, opts.APIKey, opts.BaseURL = "m", strings.Repeat("k", 9), s.URL+"/v1"
	p, err := openai.New(opts)
	require.NoError(t, err)
	resp, err := p.Complete(t.Context(), &mend.CompletionRequest{Messages: messages})
	return sent, resp, err
}

func fine() string { return answer(paritytest.Answer{Text: "fine", Stop: mend.StopEndTurn}) }

// calling returns an answer with one call, which the server writes so.
func calling(call string) string {
	return `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","tool_calls":[` + call + `]}}]}`
}

var hello = mend.Message{Role: mend.RoleUser, Content: "hello"}

func TestMaxTokensIsSentIfThereIsOne(t *testing.T) {
	for _, c := range []struct {
		opts        openai.Options
		max, legacy int
	}{{openai.Options{}, 0, 0}, {openai.Options{MaxTokens: 9}, 9, 0}, {openai.Options{MaxTokens: 9, LegacyMaxTokens: true}, 0, 9}} {
		sent, _, err := ask(t, c.opts, fine(), hello)
		require.NoError(t, err)
		assert.Equal(t, c.max, sent.MaxTokens)
		assert.Equal(t, c.legacy, sent.LegacyMax)
	}
}

func TestArgumentsAreKeptAsTheModelWroteThem(t *testing.T) {
	for wire, want := range map[string]string{
		`"{\"path\": \"a"`:  `{"path": "a`,
		`"not JSON"`:        `not JSON`,
		`"{ \"n\": 1.0 }"`:  `{ "n": 1.0 }`,
		`""`:                `{}`,
		`" "`:               `{}`,
		`null`:              `{}`,
		`{"path":"object"}`: `{"path":"object"}`,
	} {
		_, resp, err := ask(t, openai.Options{}, calling(`{"id":"c1","type":"function","function":{"name":"list","arguments":`+wire+`}}`), hello)
		require.NoError(t, err)
		require.Len(t, resp.Message.ToolCalls, 1)
		assert.Equal(t, want, string(resp.Message.ToolCalls[0].Arguments), wire)
		assert.Equal(t, mend.StopToolUse, resp.StopReason, "whatever the API says")
	}
}

func TestCallIDs(t *testing.T) {
	long := strings.Repeat("x", 41)
	sent, resp, err := ask(t, openai.Options{}, calling(`{"type":"function","function":{"name":"list","arguments":"{}"}}`),
		hello,
		mend.Message{Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: long, Name: "list"}, {ID: "list#1", Name: "list"}}},
		mend.Message{Role: mend.RoleUser, ToolResults: []mend.ToolResult{{CallID: long}, {CallID: "list#1"}}},
	)
	require.NoError(t, err)
	assert.Equal(t, "call_1", sent.Messages[1].ToolCalls[0].ID)
	assert.Equal(t, "call_2", sent.Messages[1].ToolCalls[1].ID)
	assert.Equal(t, "call_1", sent.Messages[2].ToolCallID)
	assert.Equal(t, "call_2", sent.Messages[3].ToolCallID)
	assert.Equal(t, "list#3", resp.Message.ToolCalls[0].ID, "made up where the server has none")
}

func TestRefusalIsWhatTheModelSaid(t *testing.T) {
	_, resp, err := ask(t, openai.Options{},
		`{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":null,"refusal":"I cannot"}}]}`, hello)
	require.NoError(t, err)
	assert.Equal(t, "I cannot", resp.Message.Content)
	assert.Equal(t, mend.StopContentFilter, resp.StopReason)
}

// DeepSeek wants reasoning back with calls only, and most servers want no field that
// they do not know.
func TestOnlyKnownFieldsAreKept(t *testing.T) {
	_, resp, err := ask(t, openai.Options{},
		`{"choices":[{"finish_reason":"stop","message":{"content":"a","reasoning_content":"b","reasoning":"c","annotations":[]}}]}`, hello)
	require.NoError(t, err)
	assert.Empty(t, resp.Message.Opaque)
}

// OpenRouter answers with an error where the status says that there is none.
func TestErrorsInsideAnAnswer(t *testing.T) {
	for body, want := range map[string]mend.ProviderErrorKind{
		`{"error":{"code":429,"message":"slow"}}`:                                   mend.KindRateLimited,
		`{"error":{"code":"context_length_exceeded"}}`:                              mend.KindContextLength,
		`{"error":"broken"}`:                                                        mend.KindUnavailable,
		`{"choices":[{"finish_reason":"error","message":{},"error":{"code":503}}]}`: mend.KindOverloaded,
		`{"choices":[{"finish_reason":"error","message":{}}]}`:                      mend.KindUnavailable,
		`{"choices":[{"finish_reason":"stop","message":{"content":[]}}]}`:           mend.KindBadResponse,
	} {
		_, _, err := ask(t, openai.Options{}, body, hello)
		var pe *mend.ProviderError
		require.ErrorAs(t, err, &pe, body)
		assert.Equal(t, want, pe.Kind, body)
	}
}

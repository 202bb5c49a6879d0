package anthropic_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/anthropic"
	"github.com/mendkit/mend/providers/internal/paritytest"
)

// ask makes one call with the options and returns what was sent and what came.
func ask(t *testing.T, opts anthropic.Options, req *mend.CompletionRequest, body string) (wireRequest, *mend.CompletionResponse, error) {
	var sent wireRequest
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		sent = decode[wireRequest](data)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	opts.Model, opts.APIKey, opts.BaseURL = "m", strings.Repeat("k", 9), s.URL
	p, err := anthropic.New(opts)
	require.NoError(t, err)
	resp, err := p.Complete(t.Context(), req)
	return sent, resp, err
}

func fine() string {
	return answer(paritytest.Answer{Text: "fine", Stop: mend.StopEndTurn})
}

func TestMaxTokensIsAlwaysSent(t *testing.T) {
	hello := []mend.Message{{Role: mend.RoleUser, Content: "hello"}}
	for _, c := range []struct{ options, request, want int }{{0, 0, 8192}, {500, 0, 500}, {500, 60, 60}, {0, 64000, 64000}} {
		sent, _, err := ask(t, anthropic.Options{MaxTokens: c.options}, &mend.CompletionRequest{Messages: hello, MaxTokens: c.request}, fine())
		require.NoError(t, err)
		assert.Equal(t, c.want, sent.MaxTokens)
	}
}

func TestCachePromptMarksWhatDoesNotChangeAndTheEnd(t *testing.T) {
	tools := []mend.ToolDef{{Name: "list"}}
	req := &mend.CompletionRequest{
		SystemPrompt: "Be brief.", Tools: tools,
		Messages: []mend.Message{
			{Role: mend.RoleUser, Content: "hello"},
			{Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "c1", Name: "list"}}},
			{Role: mend.RoleUser, ToolResults: []mend.ToolResult{{CallID: "c1", Name: "list", Content: "a"}}},
		},
	}
	marks := func(opts anthropic.Options) []bool {
		sent, _, err := ask(t, opts, req, fine())
		require.NoError(t, err)
		marked := []bool{sent.System[0].CacheControl["type"] == "ephemeral"}
		for _, m := range sent.Messages {
			for _, b := range decode[[]wireBlock](m.Content) {
				marked = append(marked, b.CacheControl["type"] == "ephemeral")
			}
		}
		return marked
	}
	assert.Equal(t, []bool{true, false, false, true}, marks(anthropic.Options{CachePrompt: true}))
	assert.Equal(t, []bool{false, false, false, false}, marks(anthropic.Options{}))
}

// The API takes no other characters in an id, and the names that stand in for ids of
// other APIs have one.
func TestForeignCallIDsAreReplaced(t *testing.T) {
	sent, _, err := ask(t, anthropic.Options{}, &mend.CompletionRequest{Messages: []mend.Message{
		{Role: mend.RoleUser, Content: "hello"},
		{Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "list#1", Name: "list"}, {ID: "call_1", Name: "list"}}},
		{Role: mend.RoleUser, ToolResults: []mend.ToolResult{{CallID: "list#1", Content: "a"}, {CallID: "call_1", Content: "b"}}},
	}}, fine())
	require.NoError(t, err)
	calls, results := decode[[]wireBlock](sent.Messages[1].Content), decode[[]wireBlock](sent.Messages[2].Content)
	assert.Equal(t, "call_2", calls[0].ID)
	assert.Equal(t, "call_1", calls[1].ID)
	assert.Equal(t, "call_2", results[0].ToolUseID)
	assert.Equal(t, "call_1", results[1].ToolUseID)
}

func TestStopReasonsOfThisAPIAlone(t *testing.T) {
	for raw, want := range map[string]mend.StopReason{
		"stop_sequence": mend.StopEndTurn, "pause_turn": mend.StopPause,
		"model_context_window_exceeded": mend.StopContextLength, "news": mend.StopOther, "tool_use": mend.StopOther,
	} {
		body := strings.Replace(fine(), `"end_turn"`, `"`+raw+`"`, 1)
		_, resp, err := ask(t, anthropic.Options{}, &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: "hello"}}}, body)
		require.NoError(t, err)
		assert.Equal(t, want, resp.StopReason, raw)
		assert.Equal(t, raw, resp.RawStopReason)
	}
}

// What the model wrote is kept as it is, whether or not it is an object.
func TestArgumentsThatAreNoObject(t *testing.T) {
	body := strings.Replace(answer(paritytest.Answer{
		Stop: mend.StopToolUse, Calls: []mend.ToolCall{{Name: "list", Arguments: []byte(`{}`)}},
	}), `"input":{}`, `"input":"a, b"`, 1)
	_, resp, err := ask(t, anthropic.Options{}, &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: "hello"}}}, body)
	require.NoError(t, err)
	assert.Equal(t, `"a, b"`, string(resp.Message.ToolCalls[0].Arguments))
}

// An id that stands twice is refused when the turn is sent back.
func TestCallIDsThatAreMissingOrTaken(t *testing.T) {
	body := `{"type":"message","role":"assistant","model":"m","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1},"content":[` +
		`{"type":"tool_use","id":"c1","name":"list","input":{}},{"type":"tool_use","id":"c2","name":"list","input":{}},` +
		`{"type":"tool_use","id":"c2","name":"list","input":{}},{"type":"tool_use","id":"","name":"list","input":{}}]}`
	_, resp, err := ask(t, anthropic.Options{}, &mend.CompletionRequest{Messages: []mend.Message{
		{Role: mend.RoleUser, Content: "hello"}, {Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "c1", Name: "list"}}},
		{Role: mend.RoleUser, ToolResults: []mend.ToolResult{{CallID: "c1", Name: "list"}}},
	}}, body)
	require.NoError(t, err)
	seen := map[string]bool{"": true, "c1": true}
	for _, c := range resp.Message.ToolCalls {
		assert.False(t, seen[c.ID], c.ID)
		seen[c.ID] = true
	}
	assert.True(t, seen["c2"])
}

package mendtest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// detailed is a request with something of everything.
func detailed() *mend.CompletionRequest {
	return &mend.CompletionRequest{
		SystemPrompt: "Be brief.",
		Messages: []mend.Message{
			{Role: mend.RoleUser, Content: strings.Repeat("Which word is it? ", 10) + "Say it."},
			{Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "a", Name: "look", Arguments: json.RawMessage(`{"at": "here"}`)}},
				Opaque: map[string]json.RawMessage{"p": json.RawMessage(`{"sig":1}`)}},
			{Role: mend.RoleUser, ToolResults: []mend.ToolResult{{CallID: "a", Name: "look", Content: "seen"}}},
		},
		Tools:     []mend.ToolDef{{Name: "look", Parameters: json.RawMessage(`{"type":"object"}`)}},
		MaxTokens: 10,
	}
}

func TestReplayProviderSaysWhereARequestDiffers(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(req *mend.CompletionRequest)
		text   string // "" if the request is the same
	}{
		"nothing": {func(*mend.CompletionRequest) {}, ""},
		"blanks of JSON": {func(r *mend.CompletionRequest) {
			r.Messages[1].ToolCalls[0].Arguments = json.RawMessage(`{"at":"here"}`)
		}, ""},
		"nil and empty":    {func(r *mend.CompletionRequest) { r.Messages[0].ToolCalls = []mend.ToolCall{} }, ""},
		"the first of two": {func(r *mend.CompletionRequest) { r.SystemPrompt, r.MaxTokens = "Be long.", 9 }, `SystemPrompt is "Be long.", and was "Be brief."`},
		"a long text":      {func(r *mend.CompletionRequest) { r.Messages[0].Content += " Now!" }, `Messages[0].Content is …" word is it? Say it. Now!", and was …" word is it? Say it."`},
		"a role":           {func(r *mend.CompletionRequest) { r.Messages[0].Role = mend.RoleAssistant }, `Messages[0].Role is "assistant", and was "user"`},
		"arguments": {func(r *mend.CompletionRequest) {
			r.Messages[1].ToolCalls[0].Arguments = json.RawMessage(`{"at":"there"}`)
		},
			`Messages[1].ToolCalls[0].Arguments is "{\"at\":\"there\"}", and was "{\"at\":\"here\"}"`},
		"a result":           {func(r *mend.CompletionRequest) { r.Messages[2].ToolResults[0].IsError = true }, `Messages[2].ToolResults[0].IsError is true, and was false`},
		"opaque":             {func(r *mend.CompletionRequest) { r.Messages[1].Opaque["p"] = json.RawMessage(`{"sig":2}`) }, `Messages[1].Opaque["p"] is "{\"sig\":2}", and was "{\"sig\":1}"`},
		"opaque of another":  {func(r *mend.CompletionRequest) { r.Messages[1].Opaque["o"] = json.RawMessage(`3`) }, `Messages[1].Opaque["o"] is "3", and was not there`},
		"no opaque":          {func(r *mend.CompletionRequest) { r.Messages[1].Opaque = nil }, `Messages[1].Opaque["p"] is not there, and was "{\"sig\":1}"`},
		"a further message":  {func(r *mend.CompletionRequest) { r.Messages = append(r.Messages, r.Messages[0]) }, `len(Messages) is 4, and was 3`},
		"a tool less":        {func(r *mend.CompletionRequest) { r.Tools = nil }, `len(Tools) is 0, and was 1`},
		"the tool's schema":  {func(r *mend.CompletionRequest) { r.Tools[0].Parameters = nil }, `Tools[0].Parameters is "", and was "{\"type\":\"object\"}"`},
		"the choice of tool": {func(r *mend.CompletionRequest) { r.ToolChoice = mend.ToolChoiceNamed("look") }, `ToolChoice is "tool:look", and was ""`},
		"the temperature":    {func(r *mend.CompletionRequest) { r.Temperature = new(0.5) }, `Temperature is 0.5, and was not there`},
		"the bound":          {func(r *mend.CompletionRequest) { r.MaxTokens = 11 }, `MaxTokens is 11, and was 10`},
		"a rune in two":      {func(r *mend.CompletionRequest) { r.SystemPrompt = "Be brief" + strings.Repeat("é", 70) }, `SystemPrompt is "Be brief` + strings.Repeat("é", 30) + `"…, and was "Be brief."`},
	} {
		t.Run(name, func(t *testing.T) {
			r := mendtest.NewRecordingProvider(answers("p"), nil)
			_, err := r.Complete(t.Context(), detailed())
			require.NoError(t, err)
			replay := mendtest.NewReplayProvider(r.Conversation(), nil)
			req := detailed()
			tt.change(req)
			resp, err := replay.Complete(t.Context(), req)
			if tt.text == "" {
				require.NoError(t, err)
				assert.Equal(t, "fine", resp.Message.Content)
				assert.Empty(t, replay.Unasked())
				return
			}
			pe := requireKind(t, err, mend.KindInvalidRequest)
			var d *mendtest.DifferentRequestError
			require.ErrorAs(t, err, &d)
			assert.EqualError(t, pe.Err, "request 0 is not the recorded one: "+tt.text)
			assert.Len(t, replay.Unasked(), 1, "it is still to be asked")
		})
	}
}

func TestReplayProviderGivesCopies(t *testing.T) {
	resp := &mend.CompletionResponse{Message: mend.Message{Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{Name: "look"}}}}
	e := mendtest.Exchange{Request: *detailed(), Response: resp}
	replay := mendtest.NewReplayProvider(&mendtest.Conversation{Provider: "p", Exchanges: []mendtest.Exchange{e, e}}, nil)
	first, err := replay.Complete(t.Context(), detailed())
	require.NoError(t, err)
	first.Message.ToolCalls[0].Name = "changed"
	second, err := replay.Complete(t.Context(), detailed())
	require.NoError(t, err)
	assert.Equal(t, "look", second.Message.ToolCalls[0].Name)
}

func TestReplayProviderEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	replay := mendtest.NewReplayProvider(&mendtest.Conversation{Provider: "p"}, nil)
	_, err := replay.Complete(ctx, detailed())
	requireKind(t, err, mend.KindCanceled)
	assert.ErrorIs(t, err, context.Canceled)
}

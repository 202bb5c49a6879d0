package mendtest_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// converse asks a provider twice, with a tool that repeats its arguments.
func converse(t *testing.T, p mend.Provider) ([]string, error) {
	t.Helper()
	look := mend.Tool{
		ToolDef: mend.ToolDef{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"type":"object"}`)},
		Call: func(_ context.Context, args json.RawMessage) (string, error) {
			return "line 1\nsaw " + string(args), nil
		},
	}
	submit := mend.Submit{ToolDef: mend.ToolDef{Name: "submit"}, Check: func(_ context.Context, args json.RawMessage) error {
		if !strings.Contains(string(args), "word") {
			return errors.New("where is the <word>?")
		}
		return nil
	}}
	s := mend.NewSanitizer(nil)
	c := mend.NewConversation(p, submit, &mend.ConversationOptions{System: s.Clean("Be brief.\nBe right."), Tools: []mend.Tool{look}, Temperature: new(0.5)})
	var answers []string
	for _, prompt := range []string{"Which word?", "Which other word?"} {
		args, err := c.Ask(t.Context(), s.Clean(prompt))
		if err != nil {
			return answers, err
		}
		answers = append(answers, string(args))
	}
	return answers, nil
}

// talkative is a model that does everything that a file has to keep.
func talkative() *mendtest.ScriptedProvider {
	odd := mendtest.Turn{Text: "I look.\n", Usage: mend.Usage{InputTokens: 50, OutputTokens: 5, CacheReadTokens: 40, CacheWriteTokens: 4, ReasoningTokens: 3}, Calls: []mend.ToolCall{
		{ID: "a", Name: "look", Arguments: json.RawMessage(`{"b":1e2,"a":"<&>"}`)},
		{ID: "b", Name: "look", Arguments: json.RawMessage("{\"at\":\n")},
		{ID: "c", Name: "look", Arguments: json.RawMessage("null")},
		{ID: "d", Name: "look"},
		{ID: "e", Name: "listen", Arguments: json.RawMessage(`[]`)},
	}}
	return mendtest.NewScriptedProvider("p", odd, mendtest.Turn{}, mendtest.Call("submit", "{}"), mendtest.Call("submit", `{"word":"one"}`), mendtest.Call("submit", `{"word":"two"}`))
}

// written is the file of a conversation.
func written(t *testing.T, c *mendtest.Conversation) string {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, mendtest.WriteConversation(&file, c))
	return file.String()
}

func TestRecordingPlaysAsItWas(t *testing.T) {
	recorder := mendtest.NewRecordingProvider(talkative(), nil)
	assert.Equal(t, "p", recorder.Name())
	want, err := converse(t, recorder)
	require.NoError(t, err)
	require.Equal(t, []string{`{"word":"one"}`, `{"word":"two"}`}, want)

	file := written(t, recorder.Conversation())
	assert.Contains(t, file, `where is the <word>?`, "people read it too")
	assert.Equal(t, 1, strings.Count(file, "Be brief."), "what did not change is written once")
	assert.Equal(t, 1, strings.Count(file, "Looks."))
	assert.Equal(t, 1, strings.Count(file, "Which word?"))
	read, err := mendtest.ReadConversation(strings.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, recorder.Conversation(), read)
	assert.Equal(t, file, written(t, read))

	replay := mendtest.NewReplayProvider(read, nil)
	assert.Equal(t, "p", replay.Name())
	assert.Len(t, replay.Unasked(), 5)
	got, err := converse(t, replay)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Empty(t, replay.Unasked())

	_, err = replay.Complete(t.Context(), submitting())
	requireKind(t, err, mend.KindInvalidRequest)
	assert.ErrorContains(t, err, "the recording is over")
}

func requireKind(t *testing.T, err error, kind mend.ProviderErrorKind) *mend.ProviderError {
	t.Helper()
	var pe *mend.ProviderError
	require.ErrorAs(t, err, &pe)
	require.Equal(t, kind, pe.Kind)
	return pe
}

// oneExchange records a call that ends with err.
func oneExchange(t *testing.T, ctx context.Context, err error) *mendtest.Conversation {
	t.Helper()
	r := mendtest.NewRecordingProvider(mendtest.NewScriptedProvider("p", mendtest.Turn{Err: err}), nil)
	_, got := r.Complete(ctx, submitting())
	require.Equal(t, err, got, "it is passed on as it came")
	c, err := mendtest.ReadConversation(strings.NewReader(written(t, r.Conversation())))
	require.NoError(t, err)
	return c
}

func TestRecordedErrorsKeepTheirKind(t *testing.T) {
	full := &mend.ProviderError{Kind: mend.KindRateLimited, Provider: "q", Status: 429, RetryAfter: time.Minute, RequestID: "r1", Err: errors.New("slow\ndown")}
	for name, tt := range map[string]struct {
		err  error
		want mend.ProviderError
		text string
	}{
		"all of it":       {full, mend.ProviderError{Kind: mend.KindRateLimited, Provider: "q", Status: 429, RetryAfter: time.Minute, RequestID: "r1"}, full.Error()},
		"wrapped":         {fmt.Errorf("behind a proxy: %w", full), mend.ProviderError{Kind: mend.KindRateLimited, Provider: "q", Status: 429, RetryAfter: time.Minute, RequestID: "r1"}, full.Error()},
		"a kind alone":    {&mend.ProviderError{Kind: mend.KindAuth, Provider: "p"}, mend.ProviderError{Kind: mend.KindAuth, Provider: "p"}, "p: auth"},
		"any other":       {errors.New("no route"), mend.ProviderError{Kind: mend.KindUnavailable, Provider: "p"}, "p: unavailable: no route"},
		"its own timeout": {context.DeadlineExceeded, mend.ProviderError{Kind: mend.KindTimeout, Provider: "p"}, "p: timeout: context deadline exceeded"},
		"cancelled":       {context.Canceled, mend.ProviderError{Kind: mend.KindCanceled, Provider: "p"}, "p: canceled: context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mendtest.NewReplayProvider(oneExchange(t, t.Context(), tt.err), nil).Complete(t.Context(), submitting())
			pe := requireKind(t, err, tt.want.Kind)
			assert.EqualError(t, err, tt.text)
			pe.Err = nil
			assert.Equal(t, tt.want, *pe)
		})
	}
	t.Run("in a context that ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := mendtest.NewReplayProvider(oneExchange(t, ctx, full), nil).Complete(t.Context(), submitting())
		requireKind(t, err, mend.KindCanceled)
	})
}

// silent is a provider that breaks its contract.
type silent struct{ answers }

func (silent) Complete(context.Context, *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	return nil, nil
}

func TestRecordingProviderKeepsThatThereWasNoResponse(t *testing.T) {
	r := mendtest.NewRecordingProvider(silent{"p"}, nil)
	resp, err := r.Complete(t.Context(), submitting())
	assert.NoError(t, err)
	assert.Nil(t, resp)
	assert.Equal(t, mend.KindBadResponse, r.Conversation().Exchanges[0].Error.Kind)
}

func TestRecordingProviderIsSafeForConcurrentUse(t *testing.T) {
	r := mendtest.NewRecordingProvider(answers("p"), nil)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := r.Complete(t.Context(), submitting())
			assert.NoError(t, err)
			r.Conversation()
		})
	}
	wg.Wait()
	replay := mendtest.NewReplayProvider(r.Conversation(), nil)
	for range 20 {
		wg.Go(func() {
			_, err := replay.Complete(t.Context(), submitting())
			assert.NoError(t, err)
			replay.Unasked()
		})
	}
	wg.Wait()
	assert.Empty(t, replay.Unasked())
}

// A secret must not get into the file, wherever it stands and however it is
// written there.
func TestRecordingsHoldNoSecret(t *testing.T) {
	secret := "hunter" + strings.Repeat("2x", 9) + `"quoted"`
	s := mend.NewSanitizer(&mend.SanitizerOptions{Secrets: []string{secret}, MaxLength: -1})
	if s.Sanitize(secret) == secret {
		t.Skip("the sanitizer is a stand-in that changes nothing")
	}
	quoted, err := json.Marshal(secret)
	require.NoError(t, err)
	holds := json.RawMessage(fmt.Sprintf(`{"key": %s, "list": ["see %s"]}`, quoted, strings.Trim(string(quoted), `"`)))
	escaped := json.RawMessage(`{"key":"` + strings.ReplaceAll(strings.Trim(string(quoted), `"`), "h", `\u0068`) + `"}`)
	message := mend.Message{
		Role: mend.RoleAssistant, Content: "it is " + secret, Opaque: map[string]json.RawMessage{"p": holds},
		ToolCalls: []mend.ToolCall{
			{ID: secret, Name: "look", Arguments: holds}, {Name: secret, Arguments: escaped}, {Name: "look", Arguments: json.RawMessage("{" + secret)},
		},
		ToolResults: []mend.ToolResult{{CallID: secret, Name: secret, Content: secret}},
	}
	req := &mend.CompletionRequest{
		SystemPrompt: secret, Messages: []mend.Message{message}, ToolChoice: mend.ToolChoiceNamed(secret),
		Tools: []mend.ToolDef{{Name: secret, Description: secret, Parameters: holds}},
	}
	resp := &mend.CompletionResponse{Message: message, RawStopReason: secret, Model: secret, RequestID: secret}
	failed := &mend.ProviderError{Kind: mend.KindAuth, Provider: "p", RequestID: secret, Err: errors.New("bad key " + secret)}
	given := &responses{resp: []*mend.CompletionResponse{resp, nil}, err: []error{nil, failed}}

	r := mendtest.NewRecordingProvider(given, s)
	got, err := r.Complete(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, "it is "+secret, got.Message.Content, "what is passed on stays as it was")
	_, err = r.Complete(t.Context(), req)
	require.Error(t, err)
	assert.Equal(t, secret, req.SystemPrompt)
	assert.Equal(t, string(holds), string(req.Messages[0].ToolCalls[0].Arguments))

	file := written(t, r.Conversation())
	for _, form := range []string{secret, strings.Trim(string(quoted), `"`), "hunter", base64.StdEncoding.EncodeToString([]byte(secret))} {
		assert.NotContains(t, file, form)
	}
	assert.Contains(t, file, "[REDACTED]")
	read, err := mendtest.ReadConversation(strings.NewReader(file))
	require.NoError(t, err)
	replay := mendtest.NewReplayProvider(read, s)
	_, err = replay.Complete(t.Context(), req)
	assert.NoError(t, err, "requests are compared as they are kept")
}

// responses is a provider that gives what it was told to, once each.
type responses struct {
	resp []*mend.CompletionResponse
	err  []error
}

func (*responses) Name() string { return "p" }

func (r *responses) Complete(context.Context, *mend.CompletionRequest) (resp *mend.CompletionResponse, err error) {
	resp, r.resp = r.resp[0], r.resp[1:]
	err, r.err = r.err[0], r.err[1:]
	return resp, err
}

package mend_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// submitWord is a submit tool that takes any word but "wrong".
func submitWord() mend.Submit {
	return mend.Submit{ToolDef: mend.ToolDef{Name: "submit"}, Check: func(_ context.Context, args json.RawMessage) error {
		var answer struct{ Word string }
		if err := json.Unmarshal(args, &answer); err != nil {
			return err
		}
		if answer.Word == "" || answer.Word == "wrong" {
			return errors.New("that is the wrong word")
		}
		return nil
	}}
}

func clean(text string) mend.Clean { return mend.NewSanitizer(nil).Clean(text) }

func word(w string) map[string]any { return map[string]any{"word": w} }

func converse(t *testing.T, p mend.Provider, opts *mend.ConversationOptions) (string, error) {
	t.Helper()
	args, err := mend.NewConversation(p, submitWord(), opts).Ask(t.Context(), clean("Which word?"))
	return string(args), err
}

// last returns the last message of the n-th request.
func last(p *mendtest.ScriptedProvider, n int) mend.Message {
	messages := p.Requests()[n].Messages
	return messages[len(messages)-1]
}

func TestConversationAnswersEveryToolCall(t *testing.T) {
	look := mend.Tool{ToolDef: mend.ToolDef{Name: "look"}, Call: func(_ context.Context, args json.RawMessage) (string, error) {
		switch string(args) {
		case `{"at":"panic"}`:
			panic("no such place")
		case `{"at":"error"}`:
			return "", errors.New("nothing there")
		}
		return "seen " + string(args), nil
	}}
	calls := mendtest.Turn{Text: "I look.", Calls: []mend.ToolCall{
		{ID: "a", Name: "look", Arguments: json.RawMessage(`{"at":"here"}`)},
		{ID: "b", Name: "look", Arguments: json.RawMessage(`{"at":"error"}`)},
		{ID: "c", Name: "look", Arguments: json.RawMessage(`{"at":"panic"}`)},
		{ID: "d", Name: "look", Arguments: json.RawMessage(`{"at":`)},
		{ID: "e", Name: "listen", Arguments: json.RawMessage(`{}`)},
		{ID: "f", Name: "look"},
		{ID: "g", Name: "look", Arguments: json.RawMessage(`[1]`)},
	}}
	p := mendtest.NewScriptedProvider("p", calls, mendtest.Call("submit", word("right")))
	got, err := converse(t, p, &mend.ConversationOptions{System: clean("Be brief."), Tools: []mend.Tool{look}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"word":"right"}`, got)

	first := p.Requests()[0]
	assert.Equal(t, "Be brief.", first.SystemPrompt)
	require.Len(t, first.Tools, 2)
	assert.Equal(t, []mend.Message{{Role: mend.RoleUser, Content: "Which word?"}}, first.Messages)
	assert.Equal(t, mend.ToolChoiceAuto, first.ToolChoice)
	assert.Equal(t, []mend.ToolResult{
		{CallID: "a", Name: "look", Content: `seen {"at":"here"}`},
		{CallID: "b", Name: "look", Content: "nothing there", IsError: true},
		{CallID: "c", Name: "look", Content: "the tool failed: no such place", IsError: true},
		{CallID: "d", Name: "look", Content: "the arguments are no JSON object", IsError: true},
		{CallID: "e", Name: "listen", Content: `there is no tool "listen"`, IsError: true},
		{CallID: "f", Name: "look", Content: "seen "},
		{CallID: "g", Name: "look", Content: "the arguments are no JSON object", IsError: true},
	}, last(p, 1).ToolResults)
	assert.Equal(t, "I look.", p.Requests()[1].Messages[1].Content, "the model's own turn is sent back")
}

func TestConversationSendsWrongAnswersBack(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", mendtest.Call("submit", word("wrong")), mendtest.Call("submit", word("[IP]")), mendtest.Call("submit", word("right")))
	got, err := converse(t, p, nil)
	require.NoError(t, err)
	assert.JSONEq(t, `{"word":"right"}`, got)
	assert.Equal(t, "that is the wrong word", last(p, 1).ToolResults[0].Content)
	assert.True(t, last(p, 1).ToolResults[0].IsError)
	assert.Contains(t, last(p, 2).ToolResults[0].Content, "cannot be part of an answer")
}

func TestConversationEndsAfterItsTurns(t *testing.T) {
	chatter := mendtest.Turn{Text: "Let me think."}
	p := mendtest.NewScriptedProvider("p", chatter, chatter, mendtest.Call("submit", word("wrong")), chatter, chatter, chatter)
	_, err := converse(t, p, nil)
	var none *mend.NoSubmissionError
	require.ErrorAs(t, err, &none)
	assert.Equal(t, 5, none.Turns)
	assert.Equal(t, "that is the wrong word", none.Refusal)
	require.Len(t, p.Requests(), 5)
	assert.Contains(t, last(p, 1).Content, `calling the tool "submit"`)
	assert.Equal(t, mend.ToolChoiceNamed("submit"), p.Requests()[4].ToolChoice, "the answer is demanded in the end")
	for _, req := range p.Requests() {
		for i, m := range req.Messages {
			assert.Equal(t, []mend.Role{mend.RoleUser, mend.RoleAssistant}[i%2], m.Role, "turns alternate")
		}
	}
}

func TestConversationContinues(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", mendtest.Call("submit", word("one")), mendtest.Call("submit", word("two")))
	c := mend.NewConversation(p, submitWord(), nil)
	_, err := c.Ask(t.Context(), clean("Which word?"))
	require.NoError(t, err)
	got, err := c.Ask(t.Context(), clean("It was not that one."))
	require.NoError(t, err)
	assert.JSONEq(t, `{"word":"two"}`, string(got))
	second := last(p, 1)
	assert.Equal(t, "It was not that one.", second.Content)
	assert.Equal(t, "accepted", second.ToolResults[0].Content, "the call has its result, in the same turn")
	assert.Len(t, p.Requests()[1].Messages, 3)
}

func TestConversationLowConfidenceBuysOneMoreTurn(t *testing.T) {
	unsure := func(w string) mendtest.Turn {
		return mendtest.Call("submit", map[string]any{"word": w, "confidence": 0.5})
	}
	p := mendtest.NewScriptedProvider("p", unsure("one"), unsure("two"), unsure("three"))
	got, err := converse(t, p, nil)
	require.NoError(t, err)
	assert.Contains(t, got, "two")
	assert.Contains(t, last(p, 1).ToolResults[0].Content, "0.50")
	assert.Equal(t, 1, p.Left())

	p = mendtest.NewScriptedProvider("p", unsure("one"), mendtest.Turn{Text: "Hm."})
	got, err = converse(t, p, &mend.ConversationOptions{Limits: mend.Limits{Turns: 2}})
	require.NoError(t, err)
	assert.Contains(t, got, "one", "it counts where no better one comes")
}

func TestConversationTrimsWhatIsTooLong(t *testing.T) {
	long := mend.Tool{ToolDef: mend.ToolDef{Name: "read"}, Call: func(context.Context, json.RawMessage) (string, error) {
		return strings.Repeat("a line of text\n", 120), nil
	}}
	tooLong := &mend.ProviderError{Kind: mend.KindContextLength, Provider: "p"}
	p := mendtest.NewScriptedProvider("p", mendtest.Call("read", "{}"), mendtest.Turn{Err: tooLong}, mendtest.Call("submit", word("right")))
	got, err := converse(t, p, &mend.ConversationOptions{Tools: []mend.Tool{long}})
	require.NoError(t, err)
	assert.JSONEq(t, `{"word":"right"}`, got)
	assert.Less(t, len(last(p, 2).ToolResults[0].Content), len(last(p, 1).ToolResults[0].Content))

	p = mendtest.NewScriptedProvider("p", mendtest.Turn{Err: tooLong})
	_, err = converse(t, p, nil)
	assert.Equal(t, tooLong, err, "there is nothing to trim")
}

func TestConversationAsksOnceMoreForAnEmptyAnswer(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", mendtest.Turn{}, mendtest.Call("submit", word("right")))
	_, err := converse(t, p, nil)
	require.NoError(t, err)
	p = mendtest.NewScriptedProvider("p", mendtest.Turn{}, mendtest.Turn{})
	_, err = converse(t, p, nil)
	var pe *mend.ProviderError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, mend.KindBadResponse, pe.Kind)
}

func TestConversationLimits(t *testing.T) {
	turn := func() mendtest.Turn {
		return mendtest.Turn{Text: "Hm.", Usage: mend.Usage{InputTokens: 90, OutputTokens: 10}}
	}
	price := func(_ string, u mend.Usage) (float64, bool) { return float64(u.Total()) / 1000, true }
	unknown := func(string, mend.Usage) (float64, bool) { return 0, false }
	for name, tt := range map[string]struct {
		limits mend.Limits
		calls  int
	}{
		"calls":  {mend.Limits{Calls: 2}, 2},
		"tokens": {mend.Limits{Tokens: 250}, 3},
		"cost":   {mend.Limits{Cost: 0.15, Pricer: price}, 2},
		"cost ":  {mend.Limits{Cost: 100, Pricer: unknown}, 1}, // what is not known is not 0
	} {
		t.Run(name, func(t *testing.T) {
			p := mendtest.NewScriptedProvider("p", turn(), turn(), turn(), turn(), turn())
			_, err := converse(t, p, &mend.ConversationOptions{Limits: tt.limits})
			var over *mend.BudgetError
			require.ErrorAs(t, err, &over)
			assert.Equal(t, strings.TrimSpace(name), over.Limit)
			assert.Len(t, p.Requests(), tt.calls)
		})
	}
	t.Run("time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			wait := mendtest.Turn{Do: func(ctx context.Context, _ *mend.CompletionRequest) error { <-ctx.Done(); return ctx.Err() }}
			p := mendtest.NewScriptedProvider("p", wait)
			start := time.Now()
			_, err := converse(t, p, &mend.ConversationOptions{Limits: mend.Limits{Time: time.Minute}})
			var over *mend.BudgetError
			require.ErrorAs(t, err, &over)
			assert.Equal(t, "time", over.Limit)
			assert.Equal(t, time.Minute, time.Since(start))
		})
	})
}

func TestConversationEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := mend.Tool{ToolDef: mend.ToolDef{Name: "stop"}, Call: func(context.Context, json.RawMessage) (string, error) { cancel(); return "", nil }}
	p := mendtest.NewScriptedProvider("p", mendtest.Call("stop", "{}"), mendtest.Call("submit", word("right")))
	_, err := mend.NewConversation(p, submitWord(), &mend.ConversationOptions{Tools: []mend.Tool{stop}}).Ask(ctx, clean("?"))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, p.Left())
}

func TestNewConversationPanics(t *testing.T) {
	p := mendtest.NewScriptedProvider("p")
	call := func(context.Context, json.RawMessage) (string, error) { return "", nil }
	for name, tools := range map[string][]mend.Tool{
		"a name twice":  {{ToolDef: mend.ToolDef{Name: "a"}, Call: call}, {ToolDef: mend.ToolDef{Name: "a"}, Call: call}},
		"submit's name": {{ToolDef: mend.ToolDef{Name: "submit"}, Call: call}},
		"no function":   {{ToolDef: mend.ToolDef{Name: "a"}}},
		"no name":       {{Call: call}},
	} {
		assert.Panics(t, func() { mend.NewConversation(p, submitWord(), &mend.ConversationOptions{Tools: tools}) }, name)
	}
	assert.Panics(t, func() { mend.NewConversation(p, mend.Submit{ToolDef: mend.ToolDef{Name: "submit"}}, nil) }, "no check")
	assert.Panics(t, func() {
		mend.NewConversation(p, mend.Submit{}, nil).Ask(t.Context(), mend.Clean{})
	}, "nothing to answer with")
}

func TestConversationThatIsRefused(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", mendtest.Turn{StopReason: mend.StopContentFilter}, mendtest.Call("submit", word("right")))
	_, err := converse(t, p, nil)
	var pe *mend.ProviderError
	require.ErrorAs(t, err, &pe)
	assert.Equal(t, mend.KindContentFilter, pe.Kind)
	assert.Equal(t, 1, p.Left(), "asking again would change nothing")
}

func TestConversationTurns(t *testing.T) {
	submit := mend.Submit{ToolDef: mend.ToolDef{Name: "submit"}, Check: func(context.Context, json.RawMessage) error { return nil }}
	for turns, want := range map[int]int{0: 5, 1: 1, 9: 9, -1: 5} {
		c := mend.NewConversation(mendtest.NewScriptedProvider("p"), submit, &mend.ConversationOptions{Limits: mend.Limits{Turns: turns}})
		assert.Equal(t, want, c.Turns())
	}
}

func TestConversationOfACallerWhoIsGoneAsksNobody(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := mendtest.NewScriptedProvider("p", mendtest.Call("submit", word("right")), mendtest.Call("submit_command", map[string]any{"cmd": "frob -V"}))
	c := mend.NewConversation(p, submitWord(), nil)
	_, err := c.Ask(ctx, clean("?"))
	require.ErrorIs(t, err, context.Canceled)
	_, err = c.Command(ctx, "show the version", nil)
	require.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, p.Requests())
	_, err = c.Ask(t.Context(), clean("again?"))
	require.NoError(t, err, "it goes on where it was")
	assert.True(t, strings.HasPrefix(last(p, 0).Content, "?\n\n"), last(p, 0).Content)
}

// What a provider returns beside an error is not part of the history.
func TestConversationBelievesTheError(t *testing.T) {
	both := &fakeProvider{name: "p", answer: func(_ context.Context, req *mend.CompletionRequest, before int) (*mend.CompletionResponse, error) {
		if before == 0 {
			return hello, errors.New("broken")
		}
		assert.Len(t, req.Messages, 1)
		return nil, errors.New("enough")
	}}
	c := mend.NewConversation(both, submitWord(), nil)
	_, err := c.Ask(t.Context(), clean("?"))
	require.EqualError(t, err, "broken")
	_, err = c.Ask(t.Context(), clean("?"))
	require.EqualError(t, err, "enough")
}

func TestConversationFindsMarksBehindEscapes(t *testing.T) {
	for _, args := range []string{`{"word":"\u005bREDACTED]"}`, `{"word":"a","also":["[\u0049P]"]}`, `{"word":"[EMAIL]","word":"a"}`} {
		p := mendtest.NewScriptedProvider("p", mendtest.Call("submit", args), mendtest.Call("submit", word("right")))
		got, err := converse(t, p, nil)
		require.NoError(t, err)
		assert.JSONEq(t, `{"word":"right"}`, got, args)
	}
}

// A pricer that returns no price does not make a budget endless.
func TestConversationCostThatIsNoNumber(t *testing.T) {
	for _, usd := range []float64{math.NaN(), -1} {
		p := mendtest.NewScriptedProvider("p", mendtest.Call("submit", word("wrong")), mendtest.Call("submit", word("right")))
		_, err := converse(t, p, &mend.ConversationOptions{Limits: mend.Limits{Cost: 1, Pricer: func(string, mend.Usage) (float64, bool) { return usd, true }}})
		require.ErrorAs(t, err, new(*mend.BudgetError))
		assert.Equal(t, 1, p.Left())
	}
}

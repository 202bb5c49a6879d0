package mend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// fuzzScript makes a conversation of any bytes. When they are used up, all that
// follows is 0.
type fuzzScript struct{ rest []byte }

// next returns the next byte, less than n.
func (s *fuzzScript) next(n int) int {
	if len(s.rest) == 0 {
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return int(b) % n
}

// fuzzArguments are what tools are called with.
var fuzzArguments = []string{
	`{"word":"right"}`, ``, `{}`, `null`, `[1]`, `{"word":`, `"word"`, `{"word":"wrong"}`, `{"word":"[IP]"}`, "\xff\x00", `{"word":5}`,
	`{"word":"sure","confidence":1}`, `{"word":"unsure","confidence":0.5}`, `{"word":"odd","confidence":-1e300}`, `{"word":"odd","confidence":"high"}`, `{"word":"odd","confidence":1e999}`,
}

// turn returns what the model does next. A pause says so in its text.
func (s *fuzzScript) turn() mendtest.Turn {
	turn := mendtest.Turn{Text: []string{"", "Hm.", "\xff\xfe[REDACTED]\x1b[31m"}[s.next(3)]}
	for range s.next(4) {
		turn.Calls = append(turn.Calls, mend.ToolCall{
			ID:        []string{"", "same", "\n"}[s.next(3)],
			Name:      []string{"submit", "look", "listen", ""}[s.next(4)],
			Arguments: json.RawMessage(fuzzArguments[s.next(len(fuzzArguments))]),
		})
	}
	turn.StopReason = []mend.StopReason{
		"", mend.StopEndTurn, mend.StopToolUse, mend.StopMaxTokens, mend.StopContentFilter, mend.StopContextLength, mend.StopPause, mend.StopOther, "odd",
	}[s.next(9)]
	if turn.StopReason == mend.StopPause {
		turn.Text += pausedText
	}
	turn.Usage = mend.Usage{InputTokens: int64(s.next(200)), OutputTokens: int64(s.next(50))}
	kinds := []mend.ProviderErrorKind{
		"", mend.KindContextLength, mend.KindContextLength, mend.KindRateLimited, mend.KindBadResponse, mend.KindInvalidRequest, mend.KindCanceled, "odd",
	}
	if k := s.next(24); k > 0 && k < len(kinds) {
		turn.Err = &mend.ProviderError{Kind: kinds[k], Provider: "fuzz"}
	}
	return turn
}

const pausedText = "I pause."

// fuzzModel is the model of a script. It checks each history that it gets, and
// counts.
type fuzzModel struct {
	t      *testing.T
	script *fuzzScript
	calls  int // since the last prompt
	turns  int // that said something, since the last prompt
	tokens int64
	limits mend.Limits
}

func (*fuzzModel) Name() string { return "fuzz" }

func (m *fuzzModel) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	requireHistory(m.t, req.Messages)
	assert.Len(m.t, req.Tools, 2)
	if m.limits.Tokens > 0 {
		assert.Less(m.t, m.tokens, m.limits.Tokens)
	}
	m.calls++
	turn := m.script.turn()
	resp, err := mendtest.NewScriptedProvider("fuzz", turn).Complete(ctx, req)
	if err == nil {
		m.tokens += resp.Usage.Total()
		if turn.Text != "" || len(turn.Calls) > 0 {
			m.turns++
		}
	}
	return resp, err
}

// requireHistory checks that turns alternate, from the user's first to the user's
// last, and that each tool call has exactly one result, in the turn behind it. Only
// a turn that paused is sent back as it is, and gone on with.
func requireHistory(t *testing.T, messages []mend.Message) {
	t.Helper()
	require.NotEmpty(t, messages)
	before := mend.Message{Role: mend.RoleAssistant}
	for i, m := range messages {
		goesOn := before.Role == mend.RoleAssistant && i > 0 && len(before.ToolCalls) == 0 && len(before.Content) >= len(pausedText) &&
			before.Content[len(before.Content)-len(pausedText):] == pausedText
		if m.Role == before.Role {
			require.True(t, goesOn, "message %d: two turns of the %s", i, m.Role)
		}
		require.Len(t, m.ToolResults, len(before.ToolCalls), "message %d: each call has its result", i)
		for k, r := range m.ToolResults {
			require.Equal(t, before.ToolCalls[k].ID, r.CallID)
			require.Equal(t, before.ToolCalls[k].Name, r.Name)
		}
		switch m.Role {
		case mend.RoleUser:
			require.Empty(t, m.ToolCalls)
			require.False(t, m.Content == "" && len(m.ToolResults) == 0, "message %d says nothing", i)
		case mend.RoleAssistant:
			require.False(t, m.Content == "" && len(m.ToolCalls) == 0, "message %d says nothing", i)
		}
		before = m
	}
	require.Empty(t, before.ToolCalls, "the last calls have no result")
}

// fuzzTool answers, fails and panics, by its arguments.
func fuzzTool(_ context.Context, args json.RawMessage) (string, error) {
	switch len(args) % 3 {
	case 1:
		return "", errors.New("nothing there")
	case 2:
		panic("no such place")
	}
	return "seen \xff\x1b[31m" + string(make([]byte, 10*len(args))), nil
}

// FuzzConversation has a model do anything. Whatever it is, no limit is exceeded,
// each history can be sent, and what comes out was checked.
func FuzzConversation(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 3, 9, 1, 0, 1, 0, 1, 0, 1, 1, 5, 2, 0, 1, 0, 9, 9, 0})
	f.Add([]byte{1, 2, 30, 0, 1, 0, 0, 12, 0, 9, 9, 0, 1, 1, 0, 0, 12, 0, 0, 0, 0})
	f.Add([]byte{3, 4, 0, 1, 0, 6, 9, 9, 0, 1, 0, 6, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Add([]byte("a conversation of many turns, each of which is made of what these letters happen to be"))
	f.Fuzz(func(t *testing.T, data []byte) {
		script := &fuzzScript{rest: data}
		prompts := 1 + script.next(3)
		limits := mend.Limits{Turns: 1 + script.next(6), Calls: 1 + script.next(8), Tokens: int64(script.next(3)) * 500}
		m := &fuzzModel{t: t, script: script, limits: limits}
		look := mend.Tool{ToolDef: mend.ToolDef{Name: "look"}, Call: fuzzTool}
		c := mend.NewConversation(m, submitWord(), &mend.ConversationOptions{System: clean("Be brief."), Tools: []mend.Tool{look}, Limits: limits})
		for n := range prompts {
			m.calls, m.turns, m.tokens = 0, 0, 0
			args, err := c.Ask(t.Context(), clean(fmt.Sprintf("Which word is number %d?", n)))
			assert.LessOrEqual(t, m.calls, limits.Calls)
			assert.LessOrEqual(t, m.turns, limits.Turns)
			if err == nil {
				var answer struct{ Word string }
				require.NoError(t, json.Unmarshal(args, &answer), "%q", args)
				assert.NotContains(t, []string{"", "wrong", "[IP]"}, answer.Word, "what was refused does not count")
				continue
			}
			var (
				none    *mend.NoSubmissionError
				over    *mend.BudgetError
				refused *mend.ProviderError
			)
			assert.True(t, errors.As(err, &none) || errors.As(err, &over) || errors.As(err, &refused), "%T: %v", err, err)
			assert.Empty(t, args)
			if none != nil {
				assert.Equal(t, limits.Turns, none.Turns)
				assert.Equal(t, limits.Turns, m.turns, "it had all of its turns")
			}
		}
	})
}

package mend_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/mendtest"
)

type object = map[string]any

func gives(line string) mendtest.Turn { return mendtest.Call("submit_command", object{"cmd": line}) }

func unsure(line string, confidence float64) mendtest.Turn {
	return mendtest.Call("submit_command", object{"cmd": line, "confidence": confidence})
}

// askCommand has the turns answer a request for a command.
func askCommand(t *testing.T, opts *mend.ConversationOptions, p *command.Profile, turns ...mendtest.Turn) (*mend.CommandResult, *mendtest.ScriptedProvider, error) {
	provider := mendtest.NewScriptedProvider("p", turns...)
	r, err := mend.NewConversation(provider, mend.Submit{}, opts).Command(t.Context(), "the version of rg", p)
	require.NotNil(t, r)
	return r, provider, err
}

func kinds(r *mend.CommandResult) (all []string) {
	for _, a := range r.Attempts {
		all = append(all, a.Kind+" "+a.Command)
	}
	return all
}

func TestCommand(t *testing.T) {
	only := &command.Profile{AllowedTools: []string{"rg"}}
	for name, test := range map[string]struct {
		turns   []mendtest.Turn
		profile *command.Profile
		opts    mend.ConversationOptions
		want    string // the command
		stop    string
		kinds   []string
		refined bool
	}{
		"right at once": {turns: []mendtest.Turn{gives("rg --version")}, want: "rg --version", stop: "ok", kinds: []string{"propose rg --version"}},
		"as a list": {turns: []mendtest.Turn{mendtest.Call("submit_command", object{"argv": []string{"rg", "a b"}})}, want: "rg 'a b'", stop: "ok",
			kinds: []string{"propose rg 'a b'"}},
		"as text":             {turns: []mendtest.Turn{{Text: `{"cmd": "rg -V"}`}}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"as text in a fence":  {turns: []mendtest.Turn{{Text: "```json\n{\"cmd\": \"rg -V\"}\n```"}}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"as text among prose": {turns: []mendtest.Turn{{Text: "Here it is: {\"cmd\": \"rg -V\"}."}}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"repaired": {turns: []mendtest.Turn{gives("rg | head"), gives("rg -V")}, want: "rg -V", stop: "ok",
			kinds: []string{"propose rg | head", "repair rg -V"}},
		"repaired twice": {turns: []mendtest.Turn{gives("rg | head"), gives("rg *"), gives("rg -V")}, want: "rg -V", stop: "ok",
			kinds: []string{"propose rg | head", "repair rg *", "repair rg -V"}},
		"exhausted": {turns: []mendtest.Turn{gives("rg | head"), gives("rg *"), gives("rg $X")}, stop: "exhausted",
			kinds: []string{"propose rg | head", "repair rg *", "repair rg $X"}},
		"no repairs": {turns: []mendtest.Turn{gives("rg | head")}, opts: mend.ConversationOptions{MaxCommandRepairs: -1}, stop: "exhausted",
			kinds: []string{"propose rg | head"}},
		"the same again": {turns: []mendtest.Turn{gives("rg 'a' | x"), gives("rg *"), gives("rg  'a' |  x")}, stop: "no_progress",
			kinds: []string{"propose rg 'a' | x", "repair rg *", "repair rg  'a' |  x"}},
		"the same errors": {turns: []mendtest.Turn{gives("rg | head"), gives("rg | tail")}, stop: "no_progress",
			kinds: []string{"propose rg | head", "repair rg | tail"}},
		"a question":                    {turns: []mendtest.Turn{mendtest.Call("submit_command", object{"question": "which rg?"})}, stop: "question", kinds: []string{"propose "}},
		"a question as text":            {turns: []mendtest.Turn{{Text: "question: which rg?"}}, stop: "question", kinds: []string{"propose "}},
		"no command, then one":          {turns: []mendtest.Turn{{Text: "I would run rg."}, gives("rg -V")}, want: "rg -V", stop: "ok", kinds: []string{"propose ", "repair rg -V"}},
		"never a command":               {turns: []mendtest.Turn{{Text: "I would run rg."}, {Text: "It is rg."}}, stop: "no_progress", kinds: []string{"propose ", "repair "}},
		"a program that is not allowed": {turns: []mendtest.Turn{gives("fd"), gives("rg -V")}, profile: only, want: "rg -V", stop: "ok", kinds: []string{"propose fd", "repair rg -V"}},
		"fixed without a model": {turns: []mendtest.Turn{gives("rg --version 2>&1")}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version 2>&1", "fix rg --version"}},
		"a danger":           {turns: []mendtest.Turn{gives("rm -rf /")}, stop: "fatal", kinds: []string{"propose rm -rf /"}},
		"a danger in repair": {turns: []mendtest.Turn{gives("rg | head"), gives("rm -rf /")}, stop: "fatal", kinds: []string{"propose rg | head", "repair rm -rf /"}},
		"refined": {turns: []mendtest.Turn{unsure("rg --version", 0.5), unsure("rg -V", 0.2)}, want: "rg -V", stop: "ok", refined: true,
			kinds: []string{"propose rg --version", "refine rg -V"}},
		"refined to the same": {turns: []mendtest.Turn{unsure("rg --version", 0.5), gives("rg '--version'")}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version", "refine rg '--version'"}},
		"refined to something worse": {turns: []mendtest.Turn{unsure("rg --version", 0.5), gives("rg | head")}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version", "refine rg | head"}},
		"refined to a danger": {turns: []mendtest.Turn{unsure("rg --version", 0.5), gives("rm -rf /")}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version", "refine rm -rf /"}},
		"refined to a question": {turns: []mendtest.Turn{unsure("rg --version", 0.5), {Text: "QUESTION: why?"}}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version", "refine "}},
		"refinement fails": {turns: []mendtest.Turn{unsure("rg --version", 0.5), {Err: errors.New("down")}}, want: "rg --version", stop: "ok",
			kinds: []string{"propose rg --version"}},
		"refined after a repair": {turns: []mendtest.Turn{gives("rg | head"), unsure("rg --version", 0.7), unsure("rg -V", 0.1)}, want: "rg -V", stop: "ok", refined: true,
			kinds: []string{"propose rg | head", "repair rg --version", "refine rg -V"}},
		"sure enough":       {turns: []mendtest.Turn{unsure("rg -V", 0.8)}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"never unsure":      {turns: []mendtest.Turn{unsure("rg -V", 0.1)}, opts: mend.ConversationOptions{RefineBelow: -1}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"no such certainty": {turns: []mendtest.Turn{mendtest.Call("submit_command", object{"cmd": "rg -V", "confidence": "low"})}, want: "rg -V", stop: "ok", kinds: []string{"propose rg -V"}},
		"out of turns": {turns: []mendtest.Turn{gives("rg | head")}, opts: mend.ConversationOptions{Limits: mend.Limits{Turns: 1}}, stop: "turns",
			kinds: []string{"propose rg | head"}},
		"no turn left for a second look": {turns: []mendtest.Turn{unsure("rg -V", 0.1)}, opts: mend.ConversationOptions{Limits: mend.Limits{Turns: 1}}, want: "rg -V", stop: "ok",
			kinds: []string{"propose rg -V"}},
		"out of calls": {turns: []mendtest.Turn{gives("rg | head")}, opts: mend.ConversationOptions{Limits: mend.Limits{Calls: 1}}, stop: "budget",
			kinds: []string{"propose rg | head"}},
		"the provider is down": {turns: []mendtest.Turn{{Err: errors.New("down")}}, stop: "provider_error"},
	} {
		t.Run(name, func(t *testing.T) {
			r, p, err := askCommand(t, &test.opts, test.profile, test.turns...)
			assert.Equal(t, test.stop, r.Stop, "%v", err)
			assert.Equal(t, test.want, r.Command)
			assert.Equal(t, test.kinds, kinds(r))
			assert.Equal(t, test.refined, r.Refined)
			assert.Zero(t, p.Left())
			switch test.stop {
			case "ok":
				require.NoError(t, err)
				argv, err := command.Split(test.want)
				require.NoError(t, err)
				assert.Equal(t, argv, r.Argv)
			case "fatal", "exhausted", "no_progress", "question", "turns":
				require.ErrorIs(t, err, mend.ErrNoCommand)
				assert.Nil(t, r.Argv)
			default:
				require.Error(t, err)
				assert.NotErrorIs(t, err, mend.ErrNoCommand)
			}
		})
	}
}

// TestCommandRepairsGoBackAsPrompts looks at what the model is told.
func TestCommandRepairsGoBackAsPrompts(t *testing.T) {
	_, p, err := askCommand(t, nil, nil, gives("rg | head"), mendtest.Turn{Text: `{"cmd": "rg *"}`}, unsure("rg -V", 0.3), gives("rg -V"))
	require.NoError(t, err)
	requests := p.Requests()
	require.Len(t, requests, 4)
	assert.Contains(t, requests[0].Messages[0].Content, "COMMAND REQUEST")
	first := last(p, 1)
	require.Len(t, first.ToolResults, 1)
	assert.True(t, first.ToolResults[0].IsError)
	assert.Contains(t, first.ToolResults[0].Content, "COMMAND REPAIR 1 of 2")
	assert.Contains(t, last(p, 2).Content, "COMMAND REPAIR 2 of 2", "what came as text is answered so")
	assert.Contains(t, last(p, 2).Content, "EARLIER ATTEMPTS")
	look := last(p, 3)
	require.Len(t, look.ToolResults, 1)
	assert.False(t, look.ToolResults[0].IsError)
	assert.Contains(t, look.ToolResults[0].Content, "COMMAND REFINEMENT")
}

// TestCommandAnswersOneAtATime sends two commands, and calls another tool, in one turn.
func TestCommandAnswersOneAtATime(t *testing.T) {
	looked := false
	look := mend.Tool{ToolDef: mend.ToolDef{Name: "look"}, Call: func(context.Context, json.RawMessage) (string, error) { looked = true; return "seen", nil }}
	both := gives("rg | head")
	both.Calls = append(both.Calls, gives("rg *").Calls[0], mendtest.Call("look", object{}).Calls[0])
	r, p, err := askCommand(t, &mend.ConversationOptions{Tools: []mend.Tool{look}}, nil, both, gives("rg -V"))
	require.NoError(t, err)
	assert.Equal(t, []string{"propose rg | head", "repair rg -V"}, kinds(r))
	assert.True(t, looked)
	results := last(p, 1).ToolResults
	require.Len(t, results, 3)
	assert.Contains(t, results[1].Content, "one answer at a time")
	assert.Equal(t, "seen", results[2].Content)
}

func TestCommandEnvelope(t *testing.T) {
	for reply, at := range map[string]int{
		"":                                 0,
		"rg --version":                     0,
		`["rg"]`:                           0,
		`{"cmd": "rg"`:                     0,
		`{"cmd": "rg"} {"cmd": "fd"}`:      14,
		`{"cmd": "rg", "cmd": "fd"}`:       12,
		`{"cmd": "rg", "argv": ["rg"]}`:    22,
		`{}`:                               0,
		`{"confidence": 1}`:                0,
		`{"cmd": 7}`:                       8,
		`{"argv": "rg"}`:                   9,
		`{"argv": ["rg", 7]}`:              9,
		`{"question": ""}`:                 13,
		`{"question": " ", "cmd": "rg"}`:   13,
		`{"cmd": "rg", "question": "why"}`: 26,
		`so: {"cmd": 7}`:                   12,
		"QUESTION:":                        0,
	} {
		if reply == "" {
			continue // an empty answer is the provider's fault
		}
		r, _, err := askCommand(t, &mend.ConversationOptions{MaxCommandRepairs: -1}, nil, mendtest.Turn{Text: reply})
		require.ErrorIs(t, err, mend.ErrNoCommand, reply)
		require.Len(t, r.Findings, 1, reply)
		f := r.Findings[0]
		assert.Equal(t, command.InvalidFormat, f.Code, reply)
		assert.Equal(t, "json", f.Detail, reply)
		assert.Equal(t, at, f.Start, reply)
	}
	for reply, detail := range map[string]string{"Sure. {\"cmd\": \"rg\"}": "prose", "```\n{\"cmd\": \"rg\"}\n```": "fence", `{"cmd": "rg", "why": "it is", "argv": null}`: ""} {
		r, _, err := askCommand(t, nil, nil, mendtest.Turn{Text: reply})
		require.NoError(t, err, reply)
		if detail == "" {
			assert.Empty(t, r.Findings, reply)
			continue
		}
		require.Len(t, r.Findings, 1, reply)
		assert.Equal(t, detail, r.Findings[0].Detail, reply)
		assert.Equal(t, command.SeverityWarn, r.Findings[0].Severity, reply)
	}
}

// TestCommandOutOfTime ends when less time is left than the last call took.
func TestCommandOutOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := gives("rg | head")
		slow.Do = func(context.Context, *mend.CompletionRequest) error { time.Sleep(6 * time.Second); return nil }
		p := mendtest.NewScriptedProvider("p", slow, gives("rg -V"))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r, err := mend.NewConversation(p, mend.Submit{}, nil).Command(ctx, "x", nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, "deadline", r.Stop)
		assert.Equal(t, 1, p.Left())
	})
}

func TestCommandCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := mendtest.Turn{Do: func(ctx context.Context, _ *mend.CompletionRequest) error { cancel(); return ctx.Err() }}
	r, err := mend.NewConversation(mendtest.NewScriptedProvider("p", stop), mend.Submit{}, nil).Command(ctx, "x", nil)
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, "canceled", r.Stop)
}

func TestCommandKeepsItsQuestionClean(t *testing.T) {
	r, _, _ := askCommand(t, nil, nil, mendtest.Turn{Text: "QUESTION: is " + "gh" + "p_" + strings.Repeat("a1B2", 9) + " yours?"})
	assert.Equal(t, "is [REDACTED] yours?", r.Question)
}

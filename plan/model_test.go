package plan_test

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
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/plan"
)

// conversation returns one with a scripted model, whose submit tool takes
// anything.
func conversation(limits mend.Limits, turns ...mendtest.Turn) (*mend.Conversation, *mendtest.ScriptedProvider) {
	p := mendtest.NewScriptedProvider("model", turns...)
	submit := mend.Submit{
		ToolDef: mend.ToolDef{Name: "submit", Description: "Submits."},
		Check:   func(context.Context, json.RawMessage) error { return nil },
	}
	return mend.NewConversation(p, submit, &mend.ConversationOptions{Limits: limits}), p
}

func submit(args any) mendtest.Turn { return mendtest.Call("submit", args) }

func proposed(lines ...string) mendtest.Turn {
	return submit(map[string]any{"commands": append([]string{}, lines...), "why": "because"})
}

// asked returns the last text of the user's in a request.
func asked(p *mendtest.ScriptedProvider, i int) string {
	m := p.Requests()[i].Messages
	return m[len(m)-1].Content
}

func TestProposeWith(t *testing.T) {
	c, p := conversation(mend.Limits{}, proposed(" go vet ./... ", "", "cd web && npm test"))
	req := plan.ProposeRequest{
		Role: "tester", Explicit: []string{"make e"}, Have: []string{"make c"}, Changed: []string{"web/x.ts"}, Max: 3, Retries: 2, Timeout: time.Minute,
		Files: tree("package.json", `{"scripts": {"lint": "x"}}`, "Makefile", "docs:\n\ttrue\n", "go.mod", "", ".hidden", ""),
	}
	got, err := plan.ProposeWith(c)(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, []string{"go vet ./...", "cd web && npm test"}, got)
	require.Len(t, p.Requests(), 1)
	prompt := asked(p, 0)
	for _, part := range []string{"at most 3", "tester", "make e", "make c", "web/x.ts", "lint", "docs", "go.mod"} {
		assert.Contains(t, prompt, part)
	}
	assert.NotContains(t, prompt, ".hidden")

	c, _ = conversation(mend.Limits{}, proposed())
	got, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{})
	require.NoError(t, err)
	assert.Empty(t, got, "nothing is an answer")
}

func TestProposeWithSendsBackWhatCannotBeRun(t *testing.T) {
	c, p := conversation(mend.Limits{}, proposed("make a", "make b | tee x"), proposed("make a", "cd .. && make b"), proposed("make a"))
	got, err := plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 2, ReconcileTimeout: time.Minute})
	require.NoError(t, err)
	assert.Equal(t, []string{"make a"}, got)
	require.Len(t, p.Requests(), 3)
	assert.Contains(t, asked(p, 1), "make b | tee x")
	assert.Contains(t, asked(p, 1), "operator")
	assert.NotContains(t, asked(p, 1), `"make a"`)
	assert.Contains(t, asked(p, 2), "cd .. && make b")
}

func TestProposeWithReconciles(t *testing.T) {
	bad := func(n string) mendtest.Turn { return proposed("good "+n, "bad "+n+" | x") }
	c, p := conversation(mend.Limits{Turns: 10}, bad("1"), bad("2"), bad("3"), bad("4"), bad("5"), proposed("good"))
	got, err := plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 4, ReconcileTimeout: time.Minute})
	require.NoError(t, err)
	assert.Equal(t, []string{"good"}, got)
	last := asked(p, 5)
	for _, n := range []string{"3", "4", "5"} {
		assert.Contains(t, last, "bad "+n+" | x")
	}
	assert.NotContains(t, last, "bad 2 | x", "up to three of them")

	c, p = conversation(mend.Limits{}, bad("1"), bad("2"), bad("3"), bad("4"))
	got, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 2, ReconcileTimeout: time.Minute})
	require.NoError(t, err)
	assert.Equal(t, []string{"good 4"}, got, "what is right in the last answer")
	assert.Len(t, p.Requests(), 2+2)

	c, p = conversation(mend.Limits{}, bad("1"), bad("2"), bad("3"))
	_, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 1})
	require.NoError(t, err)
	assert.Len(t, p.Requests(), 2, "without time for it, that question is not put")

	c, p = conversation(mend.Limits{Turns: 2}, bad("1"), bad("2"), bad("3"))
	got, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 5, ReconcileTimeout: time.Minute})
	require.NoError(t, err)
	assert.Equal(t, []string{"good 2"}, got)
	assert.Len(t, p.Requests(), 2, "never more than the conversation's own turns")
	assert.Contains(t, asked(p, 1), "None of your answers")

	for _, args := range []any{map[string]any{}, map[string]any{"commands": "make a"}, map[string]any{"a": []string{}, "b": []string{}}, map[string]any{"commands": []int{1}}} {
		c, _ = conversation(mend.Limits{}, submit(args), submit(args))
		_, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: -1, ReconcileTimeout: time.Minute})
		require.Error(t, err, "%v", args)
	}
}

func TestProposeWithEndsAtOnce(t *testing.T) {
	down := &mend.ProviderError{Kind: mend.KindUnavailable, Provider: "model", Err: errors.New("down")}
	c, p := conversation(mend.Limits{}, mendtest.Turn{Err: down}, proposed("make a"))
	_, err := plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 5, ReconcileTimeout: time.Minute})
	assert.ErrorIs(t, err, down)
	assert.Len(t, p.Requests(), 1, "an error of the provider")

	idle := mendtest.Turn{Text: "Let me think."}
	c, p = conversation(mend.Limits{Turns: 2}, idle, idle, idle, idle)
	_, err = plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 5, ReconcileTimeout: time.Minute})
	var none *mend.NoSubmissionError
	assert.ErrorAs(t, err, &none)
	assert.Len(t, p.Requests(), 2, "the turns are used up")

	synctest.Test(t, func(t *testing.T) {
		wait := mendtest.Turn{Do: func(ctx context.Context, _ *mend.CompletionRequest) error { <-ctx.Done(); return ctx.Err() }}
		c, p := conversation(mend.Limits{}, wait, proposed("make a"))
		start := time.Now()
		_, err := plan.ProposeWith(c)(t.Context(), plan.ProposeRequest{Retries: 5, Timeout: 7 * time.Second})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 7*time.Second, time.Since(start))
		assert.Len(t, p.Requests(), 1)
	})
}

func TestFixWith(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("a1B2", 9)
	show := exit(1, "x_test.go:7: want 1, got 2\npassword: hunter22hunter\n"+secret+"\n")
	c, p := conversation(mend.Limits{}, submit(map[string]any{}), submit(map[string]any{}), submit(map[string]any{}), submit(map[string]any{}))
	fix := plan.FixWith(c)
	w := newTree(script{"make a": {show}}, "x.go")
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: fix, RecoveryAttempts: -1, InlineFixAttempts: 2})
	require.Len(t, p.Requests(), 2)
	first, second := asked(p, 0), asked(p, 1)
	for _, part := range []string{"Attempt 1 of 2", "make a", "want 1, got 2", "exit code 1", "smallest change"} {
		assert.Contains(t, first, part)
	}
	for _, part := range []string{secret, "hunter22hunter", "recipe", "same as before", "What failed before"} {
		assert.NotContains(t, first, part)
	}
	assert.Contains(t, second, "Attempt 2 of 2")
	assert.Contains(t, second, "same as before")

	require.NoError(t, fix(t.Context(), plan.FixRequest{Kind: plan.FixInline, Attempt: 1, Of: 1, Setup: true, Previous: []error{errors.New("no\nroom"), errors.New(secret)}}))
	third := asked(p, 2)
	assert.Contains(t, third, "environment")
	assert.Contains(t, third, "- no room")
	assert.NotContains(t, third, secret)
	assert.NotContains(t, third, "smallest change")

	require.NoError(t, fix(t.Context(), plan.FixRequest{Kind: plan.FixNoChange, Attempt: 1, Of: 5}))
	assert.Contains(t, asked(p, 3), "Nothing was changed")
	assert.Error(t, fix(t.Context(), plan.FixRequest{}), "the script is over")
}

// TestFixPromptIsTheFailures holds that a model is told what the failure's own
// prompt says, and no more of an output.
func TestFixPromptIsTheFailures(t *testing.T) {
	var got []plan.FixRequest
	w := newTree(script{"make a": {exit(1, strings.Repeat("a long line of output\n", 5000))}}, "x.go")
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&got), RecoveryAttempts: -1, InlineFixAttempts: 1})
	require.Len(t, got, 1)
	c, p := conversation(mend.Limits{}, submit(map[string]any{}))
	require.NoError(t, plan.FixWith(c)(t.Context(), got[0]))
	assert.Contains(t, asked(p, 0), got[0].Failure.Prompt().String())
	assert.Less(t, len(asked(p, 0)), 6000)
}

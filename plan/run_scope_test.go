package plan_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestRunScopeBeforeTheFirstPass(t *testing.T) {
	policy := newPolicy(t, []string{"src/**", "go.mod"}, []string{"src/secret"}, nil)
	for path, want := range map[string]plan.ViolationKind{"src/secret": plan.ViolationDenied, "../x": plan.ViolationDenied, "lib/x.go": plan.ViolationOutside} {
		w := newTree(nil, "src/a.go", path)
		r := mustRun(t, w, planOf("make a"), &plan.Options{Policy: policy})
		assert.Empty(t, w.ran, "nothing is run")
		assert.Equal(t, plan.StatusFailed, r.Status)
		require.Len(t, r.Violations, 1)
		assert.Equal(t, want, r.Violations[0].Kind)
		assert.Equal(t, plan.CodePolicyViolation, r.Meta.Code)
		assert.Equal(t, []string{path}, r.Meta.PolicyViolations)
		assert.ErrorContains(t, r.Err(), path)
		assert.Zero(t, r.Passes)

		r = mustRun(t, &fakeEnv{}, changed(planOf("make a"), path), &plan.Options{Policy: policy})
		assert.Len(t, r.Violations, 1, "without a workspace, what the plan says changed")
	}
	r := mustRun(t, newTree(nil, "src/a.go"), planOf("make a"), &plan.Options{Policy: policy})
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Empty(t, r.Violations)
}

func TestRunScopeResolves(t *testing.T) {
	policy := newPolicy(t, []string{"src/**", "go.mod"}, nil, nil)
	w := newTree(nil, "src/a.go", "go.mod", "go.sum")
	w.changes = append(w.changes, plan.Change{Path: "debug.log", Untracked: true}, plan.Change{Path: "cache", Untracked: true, Ignored: true})
	r := mustRun(t, w, planOf("make a"), &plan.Options{Policy: policy})
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Equal(t, []string{"go.sum"}, r.Allowed, "once, however often the scope is checked")
	assert.Equal(t, []string{"debug.log"}, r.Discarded)
	assert.Equal(t, []string{"debug.log"}, w.discarded)

	r = mustRun(t, &fakeEnv{}, changed(planOf("make a"), "src/a.go", "go.mod", "go.sum"), &plan.Options{Policy: policy})
	assert.Equal(t, plan.StatusPassed, r.Status)

	w = newTree(nil, "src/a.go")
	w.changes = append(w.changes, plan.Change{Path: "debug.log", Untracked: true})
	w.keeps = true
	r = mustRun(t, w, planOf("make a"), &plan.Options{Policy: policy})
	assert.Equal(t, plan.CodePolicyViolation, r.Meta.Code, "what does not go away has to stay")
	assert.Equal(t, []string{"debug.log"}, w.discarded)
}

// answering is a policy whose answers are given.
type answering struct {
	*plan.PathPolicy
	actions []plan.PathAction
	err     error
	asked   int
}

func (a *answering) Resolve(context.Context, []plan.Change, []plan.Violation) ([]plan.PathAction, error) {
	a.asked++
	return a.actions, a.err
}

func TestRunScopeHoldsPoliciesToTheRules(t *testing.T) {
	for name, tt := range map[string]struct {
		policy answering
		env    func(*fakeTree)
		bare   bool
		passes bool
	}{
		"allow":                       {policy: answering{actions: []plan.PathAction{plan.PathAllow}}, passes: true},
		"discard":                     {policy: answering{actions: []plan.PathAction{plan.PathDiscard}}, passes: true},
		"discard without a workspace": {policy: answering{actions: []plan.PathAction{plan.PathDiscard}}, bare: true},
		"allow without a workspace":   {policy: answering{actions: []plan.PathAction{plan.PathAllow}}, bare: true, passes: true},
		"deny":                        {policy: answering{actions: []plan.PathAction{plan.PathDeny}}},
		"no answer":                   {policy: answering{}},
		"an answer that is none":      {policy: answering{actions: []plan.PathAction{"perhaps"}}},
		"an error":                    {policy: answering{actions: []plan.PathAction{plan.PathAllow}, err: errors.New("nobody knows")}},
		"a denied path is allowed":    {policy: answering{actions: []plan.PathAction{plan.PathAllow}}, env: func(w *fakeTree) { w.changes[0].Path = "secret" }},
		"a denied path is discarded":  {policy: answering{actions: []plan.PathAction{plan.PathDiscard}}, env: func(w *fakeTree) { w.changes[0].Path = "secret" }},
	} {
		tt.policy.PathPolicy = newPolicy(t, []string{"src/**"}, []string{"secret"}, nil)
		w := newTree(nil, "outside.go")
		if tt.env != nil {
			tt.env(w)
		}
		opts := &plan.Options{Policy: &tt.policy, AllowNoChanges: true}
		r := mustRun(t, w, planOf("make a"), opts)
		if tt.bare {
			r = mustRun(t, &fakeEnv{}, changed(planOf("make a"), "outside.go"), opts)
		}
		assert.Equal(t, tt.passes, r.Status == plan.StatusPassed, name)
		assert.Equal(t, tt.passes, len(r.Violations) == 0, name)
		if !tt.passes && !tt.bare {
			assert.Empty(t, w.discarded, name)
			assert.Empty(t, w.ran, name)
		}
	}
}

func TestRunScopeAfterFixes(t *testing.T) {
	policy := newPolicy(t, []string{"src/**"}, []string{"src/ci.yml"}, nil)
	for name, tt := range map[string]struct {
		made   plan.Change
		opts   plan.Options
		status plan.Status
	}{
		"inline, inside":           {plan.Change{Path: "src/b.go"}, plan.Options{}, plan.StatusPassed},
		"inline, denied":           {plan.Change{Path: "src/ci.yml"}, plan.Options{}, plan.StatusFailed},
		"inline, a tracked file":   {plan.Change{Path: "lib/x.go"}, plan.Options{}, plan.StatusFailed},
		"inline, a file of its":    {plan.Change{Path: "scratch.txt", Untracked: true}, plan.Options{}, plan.StatusPassed},
		"pass, denied":             {plan.Change{Path: "src/ci.yml"}, plan.Options{DisableInlineFix: true}, plan.StatusFailed},
		"pass, a file of its":      {plan.Change{Path: "scratch.txt", Untracked: true}, plan.Options{DisableInlineFix: true}, plan.StatusPassed},
		"failed fix, denied":       {plan.Change{Path: "src/ci.yml"}, plan.Options{RecoveryAttempts: -1}, plan.StatusFailed},
		"failed fix, a tracked fi": {plan.Change{Path: "lib/x.go"}, plan.Options{RecoveryAttempts: -1}, plan.StatusFailed},
	} {
		var asked []plan.FixRequest
		w := newTree(script{"make a": {broken, printed("ok")}}, "src/a.go")
		tt.opts.Policy = policy
		tt.opts.Fix = fixing(&asked, func() error {
			w.changes = append(w.changes, tt.made)
			if name[:4] == "fail" {
				return errors.New("half done")
			}
			return nil
		})
		r := mustRun(t, w, planOf("make a"), &tt.opts)
		assert.Equal(t, tt.status, r.Status, name)
		if tt.status == plan.StatusFailed {
			assert.Len(t, asked, 1, "%s: nothing goes on", name)
			assert.Equal(t, []string{"make a"}, w.ran, name)
			require.Len(t, r.Violations, 1, name)
			assert.True(t, r.Violations[0].Appeared, name)
		} else if tt.made.Untracked {
			assert.Equal(t, []string{"scratch.txt"}, r.Discarded, name)
		}
	}
}

func TestRunScopeAtTheEnd(t *testing.T) {
	policy := newPolicy(t, []string{"src/**"}, nil, nil)
	for name, tt := range map[string]struct {
		show script
		code plan.Code
	}{
		"a pass becomes a violation":   {nil, plan.CodePolicyViolation},
		"a failure stays what it was":  {script{"make a": {broken}}, plan.CodeCommandFailed},
		"so does one without a change": {script{"make a": {timedOut}}, plan.CodeFlaky},
	} {
		w := newTree(tt.show, "src/a.go")
		opts := &plan.Options{Policy: policy, OnOutcome: func(plan.Outcome) { // what the command did
			w.changes = append(w.changes, plan.Change{Path: "lib/tracked.go"}, plan.Change{Path: "new.txt", Untracked: true})
		}}
		r := mustRun(t, w, planOf("make a"), opts)
		assert.Equal(t, plan.StatusFailed, r.Status, name)
		assert.Equal(t, tt.code, r.Meta.Code, name)
		require.Len(t, r.Violations, 1, name)
		assert.Equal(t, "lib/tracked.go", r.Violations[0].Path, name)
	}
}

// TestRunScopeAfterAConfirmation is about a tree without changes, which the
// commands that confirm it change.
func TestRunScopeAfterAConfirmation(t *testing.T) {
	w := newTree(nil)
	w.during = func(string) { w.changes = append(w.changes, plan.Change{Path: "lib/tracked.go"}) }
	r := mustRun(t, w, planOf("make a"), &plan.Options{Policy: newPolicy(t, []string{"src/**"}, nil, nil)})
	assert.Equal(t, plan.CodePolicyViolation, r.Meta.Code)
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.False(t, r.NoOp)
}

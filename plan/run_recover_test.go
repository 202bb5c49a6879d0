package plan_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestRunInstalls(t *testing.T) {
	missing := exit(1, "Error: Cannot find module 'left-pad'\nRequire stack:\n")
	for name, tt := range map[string]struct {
		script script
		ran    []string
		state  plan.State
		code   plan.Code
	}{
		"the install helps": {
			script{"npm test": {missing, printed("ok")}}, []string{"npm test", "npm ci", "npm test"}, plan.StatePassed, "",
		},
		"the second one helps": {
			script{"npm test": {missing, printed("ok")}, "npm ci": {broken}}, []string{"npm test", "npm ci", "npm install", "npm test"}, plan.StatePassed, "",
		},
		"an install alone proves nothing": {
			script{"npm test": {missing, missing}}, []string{"npm test", "npm ci", "npm test"}, plan.StateFailed, plan.CodeSetupIssue,
		},
		"no install works": {
			script{"npm test": {missing}, "npm ci": {broken}, "npm install": {broken}}, []string{"npm test", "npm ci", "npm install"}, plan.StateFailed, plan.CodeSetupIssue,
		},
		"the new failure goes on": {
			script{"npm test": {missing, broken}}, []string{"npm test", "npm ci", "npm test"}, plan.StateFailed, plan.CodeCommandFailed,
		},
		"nothing ran behind it": {
			script{"npm test": {missing, printed("No tests found, exiting with code 0\n")}}, []string{"npm test", "npm ci", "npm test"}, plan.StateEmpty, plan.CodeNoTestFiles,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTree(tt.script, "x.ts").with("package.json", `{"scripts": {"test": "jest"}}`, "package-lock.json", "")
			r := mustRun(t, w, planOf("npm test"), nil)
			assert.Equal(t, tt.ran, w.ran)
			assert.Equal(t, []plan.State{tt.state}, states(r))
			assert.Equal(t, tt.code, r.Outcomes[0].Code)
			assert.Zero(t, r.Fixes)
		})
	}
	base := func(s script) *fakeTree {
		return newTree(s, "x.ts").with("package.json", `{"scripts": {"lint": "x"}}`, "package-lock.json", "")
	}
	w := base(script{"npx eslint x": {exit(1, "Error: Cannot find module 'eslint'\n")}})
	r := mustRun(t, w, planOf("npx eslint x"), nil)
	assert.Equal(t, []string{"npx eslint x", "npm ci", "npx eslint x", "npm run lint"}, w.ran, "then a check of the same kind")
	assert.Equal(t, []plan.State{plan.StateReplaced}, states(r))

	w = base(script{"npx eslint x": {exit(1, "Error: Cannot find module 'eslint'\n"), broken}})
	r = mustRun(t, w, planOf("npx eslint x"), nil)
	assert.Equal(t, []string{"npx eslint x", "npm ci", "npx eslint x"}, w.ran, "but not for a failure that is none of the setup")
	assert.Equal(t, plan.CodeCommandFailed, r.Meta.Code)

	w = base(script{"npx eslint x": {exit(1, "Error: Cannot find module 'eslint'\n")}})
	r = mustRun(t, w, planOf("npx eslint x"), &plan.Options{InlineCandidates: 1})
	assert.Equal(t, []string{"npx eslint x", "npm ci", "npx eslint x"}, w.ran, "installs count among the candidates")
	assert.Equal(t, plan.StatusFailed, r.Status)

	w = base(script{"npx eslint x": {exit(1, "Error: Cannot find module 'eslint'\n"), printed("ok")}})
	mustRun(t, w, planOf("npx eslint x"), &plan.Options{InlineCandidates: 1, Policy: newPolicy(t, nil, nil, []string{"npm ci"})})
	assert.Equal(t, []string{"npx eslint x", "npm install", "npx eslint x"}, w.ran, "what is denied is passed over and does not count")

	for _, o := range []plan.Options{{DisableInlineRecovery: true}, {InlineCandidates: -1}} {
		w = base(script{"npx eslint x": {exit(1, "Error: Cannot find module 'eslint'\n")}})
		mustRun(t, w, planOf("npx eslint x"), &o)
		assert.Len(t, w.ran, 1)
	}
}

func TestRunReplaces(t *testing.T) {
	files := []string{"package.json", `{"scripts": {"test": "x", "check": "x"}}`, "packages/a/package.json", `{"scripts": {"check": "x", "lint": "x"}}`}
	run := func(s script, opts *plan.Options, lines ...string) (*fakeTree, *plan.Result) {
		w := newTree(s, "packages/a/x.ts").with(files...)
		return w, mustRun(t, w, planOf(lines...), opts)
	}
	w, r := run(script{"npm run verify": {missingScript}}, nil, "npm run verify")
	assert.Equal(t, []string{"npm run verify", "npm run check"}, w.ran)
	assert.Equal(t, []plan.State{plan.StateReplaced}, states(r))
	assert.Equal(t, plan.StatusPassedWithGaps, r.Status)
	assert.Equal(t, "npm run check", r.Outcomes[0].RanInstead)

	w, r = run(script{"npm run verify": {missingScript}, "npm run check": {broken}, "npm run test": {printed("# tests 0\n")}}, nil, "npm run verify")
	assert.Equal(t, []string{"npm run verify", "npm run check", "npm run test", "cd packages/a && npm run check"}, w.ran, "then in the package that changed")
	assert.Equal(t, "cd packages/a && npm run check", r.Outcomes[0].RanInstead, "the first pass in which anything ran wins")

	w, r = run(script{"npm run verify": {missingScript}, "npm run check": {broken}, "npm run test": {broken}, "cd packages/a && npm run check": {broken}}, nil, "npm run verify")
	assert.Len(t, w.ran, 4, "three candidates by default")
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.Equal(t, plan.CodeMissingScript, r.Meta.Code, "the failure is the entry's own")

	w, r = run(nil, nil, "npm run verify | tee log")
	assert.Equal(t, []string{"npm run check"}, w.ran, "of a refused line the words count")
	assert.Equal(t, []plan.State{plan.StateReplaced}, states(r))

	w, r = run(script{"npm run verify": {missingScript}}, nil, "npm run verify", "make x")
	assert.NotContains(t, w.ran, "npm run check", "not while others remain")
	assert.Equal(t, []plan.State{plan.StateSkipped, plan.StatePassed}, states(r))

	w, _ = run(script{"npm run verify": {missingScript}}, &plan.Options{DisableSkipMissingExplicit: true}, "npm run verify", "make x")
	assert.Equal(t, []string{"npm run verify"}, w.ran, "not even if it cannot be skipped")

	w, _ = run(script{"npm run verify": {broken}}, nil, "npm run verify")
	assert.Len(t, w.ran, 1, "a check that exists is not replaced")
	w, _ = run(script{"npm run verify": {missingScript}}, &plan.Options{DisableInlineRecovery: true}, "npm run verify")
	assert.Len(t, w.ran, 1)
	w, r = run(script{"npm run verify": {missingScript}}, &plan.Options{Policy: newPolicy(t, nil, nil, []string{"npm run check"})}, "npm run verify")
	assert.Equal(t, []string{"npm run verify", "npm run test"}, w.ran, "what is denied is passed over")
	assert.Equal(t, []plan.State{plan.StateReplaced}, states(r))
}

func TestRunFixesInline(t *testing.T) {
	var asked []plan.FixRequest
	w := newTree(script{"make a": {broken, broken, printed("ok")}}, "x.go")
	r := mustRun(t, w, planOf("make a", "make b"), &plan.Options{Fix: fixing(&asked)})
	assert.Equal(t, []string{"make a", "make a", "make a", "make b"}, w.ran, "a tree that no fix changed needs no confirmation")
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Equal(t, 2, r.Fixes)
	assert.Equal(t, 2, r.Outcomes[0].Fixes)
	assert.Zero(t, r.Outcomes[1].Fixes)
	require.Len(t, asked, 2)
	first, second := asked[0], asked[1]
	assert.Equal(t, plan.FixInline, first.Kind)
	assert.Equal(t, [4]int{1, 3, 2, 3}, [4]int{first.Attempt, first.Of, second.Attempt, second.Of})
	assert.Equal(t, "make a", first.Command.Line)
	assert.Len(t, first.Plan.Commands, 2)
	assert.Equal(t, plan.CodeCommandFailed, first.Meta.Code)
	require.NotNil(t, first.Failure)
	assert.False(t, first.Setup)
	assert.Equal(t, [2]bool{false, true}, [2]bool{first.Unchanged, second.Unchanged})

	asked = nil
	w = newTree(script{"make a": {broken, exit(1, "y_test.go:9: other\n"), printed("ok")}}, "x.go")
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked)})
	require.Len(t, asked, 2)
	assert.False(t, asked[1].Unchanged, "the failure moved")

	asked = nil
	cannot := errors.New("cannot")
	w = newTree(script{"make a": {broken, broken, printed("ok")}}, "x.go")
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, func() error { return cannot }, func() error { return nil })})
	assert.Equal(t, []string{"make a", "make a", "make a"}, w.ran, "an error of a fix is not followed by a run")
	require.Len(t, asked, 3)
	assert.Equal(t, [][]error{nil, {cannot}, nil}, [][]error{asked[0].Previous, asked[1].Previous, asked[2].Previous}, "it is told to the next one, and no further")
	assert.Equal(t, 3, r.Fixes)
}

func TestRunConfirms(t *testing.T) {
	edit := func(w *fakeTree) func() error {
		return func() error { w.files["x.go"] = tree("x", "edited")["x"]; return nil }
	}
	var asked []plan.FixRequest
	w := newTree(script{"make b": {broken, printed("ok")}}, "x.go").with("x.go", "")
	r := mustRun(t, w, planOf("make a", "make b"), &plan.Options{Fix: fixing(&asked, edit(w))})
	assert.Equal(t, []string{"make a", "make b", "make b", "make a", "make b"}, w.ran, "all run once more")
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Equal(t, 2, r.Passes)
	assert.Zero(t, r.Outcomes[1].Fixes, "the last pass is the result")

	w = newTree(script{"make a": {printed("ok"), broken}, "make b": {broken, printed("ok")}}, "x.go").with("x.go", "")
	asked = nil
	r = mustRun(t, w, planOf("make a", "make b"), &plan.Options{Fix: fixing(&asked, edit(w)), RecoveryAttempts: -1})
	assert.Equal(t, plan.StatusFailed, r.Status, "an earlier entry was broken by the fix")
	assert.Equal(t, "make a", r.Meta.Command)
	assert.Len(t, asked, 1, "there are no fixes in that pass")

	w = newTree(script{"make b": {broken, printed("ok")}, "go vet ./...": {printed("ok"), lacksModule}}, "x.go").with("x.go", "", "go.mod", "")
	r = mustRun(t, w, planOf("go vet ./...", "make b"), &plan.Options{Fix: fixing(&asked, edit(w)), RecoveryAttempts: -1})
	assert.NotContains(t, w.ran, "go mod download", "nor installs")
	assert.Equal(t, plan.StatusFailed, r.Status)

	env := &fakeEnv{script: script{"make b": {broken, printed("ok")}}}
	r = mustRun(t, env, planOf("make b"), &plan.Options{Fix: fixing(&asked)})
	assert.Equal(t, 2, r.Passes, "where nobody can tell whether anything changed, it has")

	w = newTree(script{"make b": {broken, printed("ok")}}, "x.go").with("x.go", "")
	r = mustRun(t, w, planOf("make b"), &plan.Options{Fix: fixing(&asked, func() error { w.changes = append(w.changes, plan.Change{Path: "y.go"}); return nil })})
	assert.Equal(t, 2, r.Passes, "a change more is a change")
}

func TestRunRecovers(t *testing.T) {
	var asked []plan.FixRequest
	w := newTree(script{"make b": {broken, exit(1, "other_test.go:1: boo\n"), printed("ok")}}, "x.go")
	r := mustRun(t, w, planOf("make a", "make b"), &plan.Options{Fix: fixing(&asked), DisableInlineFix: true})
	assert.Equal(t, []string{"make a", "make b", "make a", "make b", "make a", "make b"}, w.ran, "a whole pass behind each")
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Equal(t, [2]int{3, 2}, [2]int{r.Passes, r.Fixes})
	require.Len(t, asked, 2)
	assert.Equal(t, plan.FixPass, asked[0].Kind)
	assert.Equal(t, [2]int{1, 5}, [2]int{asked[0].Attempt, asked[0].Of})
	assert.Equal(t, "make b", asked[0].Command.Line)
	assert.Zero(t, r.Outcomes[1].Fixes)

	asked = nil
	w = newTree(script{"make a": {broken}}, "x.go")
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked), DisableInlineFix: true, DisableExplicitRecovery: true})
	assert.Empty(t, asked, "not for an explicit entry, if that is switched off")
	assert.Equal(t, plan.StatusFailed, r.Status)
	w = newTree(script{"make a": {broken}}, "x.go")
	mustRun(t, w, planOf("+make a"), &plan.Options{Fix: fixing(&asked), DisableInlineFix: true, DisableExplicitRecovery: true})
	assert.NotEmpty(t, asked, "for an auto one it still is")

	asked = nil
	w = newTree(script{"make a": {broken}}, "x.go")
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, func() error { return errors.New("no") })})
	assert.Equal(t, []string{"make a"}, w.ran, "a fix that could not is not followed by a pass")
	assert.Equal(t, 3+5, r.Fixes)
	assert.Len(t, asked[7].Previous, 7)

	asked = nil
	w = newTree(script{"make a": {broken, timedOut}}, "x.go")
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked)})
	assert.Len(t, asked, 1, "what it turned into is not for an edit to mend")
	assert.Equal(t, plan.CodeFlaky, r.Meta.Code)
}

func TestRunWithoutChanges(t *testing.T) {
	passes, fails := script{}, script{"make a": {broken}}
	for name, tt := range map[string]struct {
		script script
		plan   *plan.Plan
		opts   plan.Options
		status plan.Status
		code   plan.Code
		noop   bool
	}{
		"what was asked for passes": {passes, planOf("make a"), plan.Options{}, plan.StatusPassed, "", true},
		"it fails":                  {fails, planOf("make a"), plan.Options{}, plan.StatusFailed, plan.CodeCommandFailed, false},
		"nothing was asked for":     {passes, planOf("+make a"), plan.Options{}, plan.StatusFailed, plan.CodeNoChanges, false},
		"an empty plan":             {passes, planOf(), plan.Options{}, plan.StatusFailed, plan.CodeNoChanges, false},
		"only true":                 {passes, planOf("true"), plan.Options{}, plan.StatusFailed, plan.CodeNoChanges, false},
		"only a skip":               {script{"npm run verify": {missingScript}}, planOf("npm run verify"), plan.Options{}, plan.StatusFailed, plan.CodeNoChanges, false},
		"only an auto pass":         {script{"npm run verify": {missingScript}}, planOf("npm run verify", "+make a"), plan.Options{}, plan.StatusFailed, plan.CodeNoChanges, false},
		"a gap beside the pass":     {script{"npm run verify": {missingScript}}, planOf("npm run verify", "make a"), plan.Options{}, plan.StatusPassedWithGaps, "", true},
		"no confirmation":           {passes, planOf("make a"), plan.Options{DisableNoChangeConfirm: true}, plan.StatusFailed, plan.CodeNoChanges, false},
		"allowed":                   {passes, planOf("+make a"), plan.Options{AllowNoChanges: true}, plan.StatusPassed, "", false},
		"allowed, and fails":        {fails, planOf("+make a"), plan.Options{AllowNoChanges: true}, plan.StatusFailed, plan.CodeCommandFailed, false},
	} {
		t.Run(name, func(t *testing.T) {
			copied := script{}
			for line, all := range tt.script {
				copied[line] = all
			}
			for _, w := range []*fakeTree{newTree(copied), newTree(copied, "dist/x.js", "a.log"), newTree(copied).with()} {
				if len(w.changes) == 0 {
					w.changes = append(w.changes, plan.Change{Path: "vendor/x", Ignored: true})
				}
				r := mustRun(t, w, tt.plan, &tt.opts)
				assert.Equal(t, tt.status, r.Status)
				assert.Equal(t, tt.noop, r.NoOp)
				if tt.code == "" {
					assert.Nil(t, r.Meta)
				} else {
					assert.Equal(t, tt.code, r.Meta.Code)
				}
			}
			r := mustRun(t, &fakeEnv{script: copied}, changed(tt.plan), &tt.opts)
			assert.Equal(t, tt.status, r.Status, "in a bare environment the plan says so")
			tt.plan.Changed = nil
		})
	}
	r := mustRun(t, &fakeEnv{}, planOf("+make a"), nil)
	assert.Equal(t, plan.StatusPassed, r.Status, "unknown is not none")
}

func TestRunAsksForAChange(t *testing.T) {
	var asked []plan.FixRequest
	w := newTree(nil)
	change := func() error { w.changes = append(w.changes, plan.Change{Path: "x.go"}); return nil }
	r := mustRun(t, w, planOf("+make a"), &plan.Options{Fix: fixing(&asked, func() error { return errors.New("no idea") }, func() error { return nil }, change)})
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.False(t, r.NoOp)
	require.Len(t, asked, 3)
	assert.Equal(t, plan.FixNoChange, asked[0].Kind)
	assert.Equal(t, [2]int{3, 5}, [2]int{asked[2].Attempt, asked[2].Of})
	assert.Equal(t, plan.CodeNoChanges, asked[0].Meta.Code)
	assert.Len(t, asked[1].Previous, 1)
	assert.Empty(t, asked[2].Previous)
	assert.Nil(t, asked[0].Failure)

	asked = nil
	w = newTree(nil)
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked)})
	assert.Len(t, asked, 5)
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.True(t, r.NoOp)

	asked = nil
	w = newTree(script{"make a": {broken}})
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked), NoChangeAttempts: 2})
	assert.Len(t, asked, 2, "the confirmation runs without fixes")
	assert.Equal(t, plan.CodeCommandFailed, r.Meta.Code)

	asked = nil
	mustRun(t, &fakeEnv{}, changed(planOf("make a")), &plan.Options{Fix: fixing(&asked)})
	assert.Empty(t, asked, "without a workspace no change could be seen")
}

func TestRunDocOnly(t *testing.T) {
	for names, docs := range map[string]bool{
		"README.md": true, "a.mdx b/c.rst d.adoc": true, "docs/conf.py": true, "docs/x.md guide.MD": true, "README.md dist/x.js": true,
		"README.md x.go": false, "mydocs/x.py": false, "x.txt": false, "sub/docs/x.py": false,
	} {
		w := newTree(script{"npm run verify": {missingScript}}, fields(names)...)
		r := mustRun(t, w, planOf("npm run verify"), nil)
		want := plan.StateFailed
		if docs {
			want = plan.StateSkipped
		}
		assert.Equal(t, []plan.State{want}, states(r), names)
		env := &fakeEnv{script: script{"npm run verify": {missingScript}}}
		assert.Equal(t, []plan.State{want}, states(mustRun(t, env, changed(planOf("npm run verify"), fields(names)...), nil)), names)
	}
	env := &fakeEnv{script: script{"npm run verify": {missingScript}}}
	assert.Equal(t, []plan.State{plan.StateFailed}, states(mustRun(t, env, planOf("npm run verify"), nil)), "unknown changes are no documentation")
}

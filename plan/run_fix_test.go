package plan_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// edits returns a fix that changes the tree each time.
func edits(w *fakeTree) func() error {
	n := 0
	return func() error {
		n++
		w.files["src/x.go"] = &fstest.MapFile{Data: []byte(fmt.Sprint("package x // ", n))}
		if len(w.changes) == 0 || w.changes[len(w.changes)-1].Path != "src/x.go" {
			w.changes = append(w.changes, plan.Change{Path: "src/x.go"})
		}
		return nil
	}
}

// kinds returns what was asked for, in order.
func kinds(asked []plan.FixRequest) []plan.FixKind {
	all := []plan.FixKind{}
	for _, a := range asked {
		all = append(all, a.Kind)
	}
	return all
}

// times returns a kind of fix n times.
func times(k plan.FixKind, n int) []plan.FixKind {
	all := []plan.FixKind{}
	for range n {
		all = append(all, k)
	}
	return all
}

// moving returns n failures of which no two are alike.
func moving(n int) []mend.Observation {
	var all []mend.Observation
	for i := range n {
		all = append(all, exit(1, fmt.Sprintf("pkg%c_test.go:7: want 1, got 2\n", 'a'+i)))
	}
	return all
}

// TestRunFixes is about which failures a fix is asked for, how often, and what runs
// behind it.
func TestRunFixes(t *testing.T) {
	type all = []mend.Observation
	ok := printed("ok\n")
	for name, tt := range map[string]struct {
		plan   *plan.Plan
		script script
		opts   plan.Options
		kinds  []plan.FixKind
		passes int
		states []plan.State
		status plan.Status
		code   plan.Code
		ran    []string
	}{
		"inline, then confirmed":          {planOf("make a", "make b"), script{"make b": all{broken, ok}}, plan.Options{}, times("inline", 1), 2, []plan.State{"passed", "passed"}, plan.StatusPassed, "", []string{"make a", "make b", "make b", "make a", "make b"}},
		"the confirmation counts":         {planOf("make a", "make b"), script{"make a": all{ok, broken}, "make b": all{broken, ok}}, plan.Options{DisableExplicitRecovery: true}, times("inline", 1), 2, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"a failure that does not move":    {planOf("make a"), script{"make a": all{broken}}, plan.Options{}, times("inline", 3), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"the same, of passes":             {planOf("make a"), script{"make a": all{broken}}, plan.Options{DisableInlineFix: true}, times("pass", 3), 4, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"the same, less patience":         {planOf("make a"), script{"make a": all{broken}}, plan.Options{RepeatedSignatureThreshold: 2}, times("inline", 1), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"the same, more patience":         {planOf("make a"), script{"make a": all{broken}}, plan.Options{RepeatedSignatureThreshold: 6}, append(times("inline", 3), times("pass", 2)...), 3, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"the same, for ever":              {planOf("make a"), script{"make a": all{broken}}, plan.Options{RepeatedSignatureThreshold: -1}, append(times("inline", 3), times("pass", 5)...), 6, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"one that moves":                  {planOf("make a"), script{"make a": moving(20)}, plan.Options{}, append(times("inline", 3), times("pass", 5)...), 6, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"one that moves, fewer":           {planOf("make a"), script{"make a": moving(20)}, plan.Options{InlineFixAttempts: 1, RecoveryAttempts: 2}, append(times("inline", 1), times("pass", 2)...), 3, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"none inline":                     {planOf("make a"), script{"make a": moving(20)}, plan.Options{InlineFixAttempts: -1}, times("pass", 5), 6, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"none of passes":                  {planOf("make a"), script{"make a": moving(20)}, plan.Options{RecoveryAttempts: -1}, times("inline", 3), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"explicit, no recovery":           {planOf("make a"), script{"make a": moving(20)}, plan.Options{DisableExplicitRecovery: true}, times("inline", 3), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"auto, no explicit recovery":      {planOf("+make a"), script{"make a": moving(20)}, plan.Options{DisableExplicitRecovery: true, DisableInlineFix: true}, times("pass", 5), 6, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"a whole pass after it":           {planOf("make a", "make b"), script{"make b": all{broken, ok}}, plan.Options{DisableInlineFix: true}, times("pass", 1), 2, []plan.State{"passed", "passed"}, plan.StatusPassed, "", []string{"make a", "make b", "make a", "make b"}},
		"no inline fixes in it":           {planOf("make a", "make b"), script{"make a": all{moving(1)[0], moving(2)[1], ok}, "make b": append(moving(9)[3:6], ok)}, plan.Options{InlineFixAttempts: 1}, []plan.FixKind{"inline", "pass", "pass", "pass", "pass"}, 5, []plan.State{"passed", "passed"}, plan.StatusPassed, "", nil},
		"two entries, inline":             {planOf("make a", "make b"), script{"make a": all{moving(1)[0], ok}, "make b": all{moving(2)[1], ok}}, plan.Options{}, times("inline", 2), 2, []plan.State{"passed", "passed"}, plan.StatusPassed, "", nil},
		"each entry has its own":          {planOf("make a", "make b"), script{"make a": append(moving(3), ok), "make b": append(moving(6)[3:], ok)}, plan.Options{}, times("inline", 6), 2, []plan.State{"passed", "passed"}, plan.StatusPassed, "", nil},
		"no script is no model's":         {planOf("npm run verify"), script{"npm run verify": all{missingScript}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeMissingScript, nil},
		"nor no tests":                    {planOf("npx vitest run"), script{"npx vitest run": all{noTests}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeNoTestFiles, nil},
		"nor a time-out":                  {planOf("make a"), script{"make a": all{timedOut}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeFlaky, nil},
		"another signal is":               {planOf("make a"), script{"make a": all{mend.Observation{ExitCode: -1, Signal: "SIGSEGV"}}}, plan.Options{}, times("inline", 3), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeCommandFailed, nil},
		"nor the network":                 {planOf("npm test"), script{"npm test": all{exit(1, "npm error code ENOTFOUND\n")}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeEnvironmentIssue, nil},
		"nor a kill":                      {planOf("make a"), script{"make a": all{killed}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeEnvironmentIssue, nil},
		"nor a full disk":                 {planOf("make a"), script{"make a": all{exit(1, "No space left on device\n")}}, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeEnvironmentIssue, nil},
		"nor a refused line":              {planOf("make a > x"), nil, plan.Options{}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeUnsupportedFormat, nil},
		"nor a denied one":                {planOf("git push"), nil, plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodePolicyViolation, nil},
		"nor a wrong order":               {planOf("make clean", "test -f dist/x"), script{"test -f dist/x": all{exit(1, "")}}, plan.Options{}, times("", 0), 1, []plan.State{"passed", "failed"}, plan.StatusFailed, plan.CodeSequenceIssue, nil},
		"setup is":                        {planOf("npm test"), script{"npm test": all{lacksProgram, ok}}, plan.Options{}, times("inline", 1), 2, []plan.State{"passed"}, plan.StatusPassed, "", nil},
		"setup is not, switched off":      {planOf("npm test"), script{"npm test": all{lacksProgram, ok}}, plan.Options{DisableSetupRecovery: true}, times("", 0), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeSetupIssue, nil},
		"a failure is, setup off":         {planOf("npm test"), script{"npm test": all{broken, ok}}, plan.Options{DisableSetupRecovery: true}, times("inline", 1), 2, []plan.State{"passed"}, plan.StatusPassed, "", nil},
		"ignored is not mended":           {planOf("make a", "+make b"), script{"make b": all{broken}}, plan.Options{}, times("", 0), 1, []plan.State{"passed", "ignored"}, plan.StatusPassedWithGaps, "", nil},
		"skipped is not mended":           {planOf("npm run verify", "make a"), script{"npm run verify": all{missingScript}}, plan.Options{}, times("", 0), 1, []plan.State{"skipped", "passed"}, plan.StatusPassedWithGaps, "", nil},
		"it turns into a missing script":  {planOf("npm run verify"), script{"npm run verify": all{broken, missingScript}}, plan.Options{}, times("inline", 1), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeMissingScript, nil},
		"it turns into a time-out":        {planOf("make a"), script{"make a": all{broken, timedOut}}, plan.Options{}, times("inline", 1), 1, []plan.State{"failed"}, plan.StatusFailed, plan.CodeFlaky, nil},
		"a pass fix that turns elsewhere": {planOf("make a"), script{"make a": all{broken, timedOut}}, plan.Options{DisableInlineFix: true}, times("pass", 1), 2, []plan.State{"failed"}, plan.StatusFailed, plan.CodeFlaky, nil},
		"tests deleted by a fix":          {planOf("npm test"), script{"npm test": all{broken, emptyVitest}}, plan.Options{}, nil, 0, nil, plan.StatusUnverified, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTree(tt.script, "src/x.go")
			var asked []plan.FixRequest
			opts := tt.opts
			opts.Fix = fixing(&asked, edits(w))
			r := mustRun(t, w, tt.plan, &opts)
			assert.Equal(t, tt.status, r.Status)
			if tt.kinds == nil {
				return
			}
			assert.Equal(t, tt.kinds, kinds(asked))
			assert.Equal(t, len(asked), r.Fixes)
			assert.Equal(t, tt.passes, r.Passes)
			assert.Equal(t, tt.states, states(r))
			if tt.status == plan.StatusFailed {
				assert.Equal(t, tt.code, r.Meta.Code)
			}
			if tt.ran != nil {
				assert.Equal(t, tt.ran, w.ran)
			}
		})
	}
}

func TestRunFixRequests(t *testing.T) {
	w := newTree(script{"make a": append(moving(3), moving(3)[2], moving(3)[2], printed("ok\n"))}, "src/x.go")
	var asked []plan.FixRequest
	p := planOf("make a")
	r := mustRun(t, w, p, &plan.Options{Fix: fixing(&asked, edits(w)), InlineFixAttempts: 4, RecoveryAttempts: 3})
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Len(t, asked, 5)
	for i, want := range []struct {
		kind        plan.FixKind
		attempt, of int
		unchanged   bool
	}{{"inline", 1, 4, false}, {"inline", 2, 4, false}, {"inline", 3, 4, false}, {"inline", 4, 4, true}, {"pass", 1, 3, true}} {
		a := asked[i]
		assert.Equal(t, want.kind, a.Kind, i)
		assert.Equal(t, want.attempt, a.Attempt, i)
		assert.Equal(t, want.of, a.Of, i)
		assert.Equal(t, want.unchanged, a.Unchanged, i)
		assert.False(t, a.Setup)
		assert.Empty(t, a.Previous)
		assert.Equal(t, p.Commands[0], a.Command)
		assert.Equal(t, plan.CodeCommandFailed, a.Meta.Code)
		assert.NotNil(t, a.Failure)
	}
}

func TestRunFixErrors(t *testing.T) {
	no, nope := errors.New("no"), errors.New("nope")
	w := newTree(script{"make a": append(moving(5), printed("ok\n"))}, "src/x.go")
	var asked []plan.FixRequest
	edit := edits(w)
	fails := func(err error) func() error { return func() error { return err } }
	r := mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, fails(no), fails(nope), edit, fails(no), edit, edit), InlineFixAttempts: 5, RecoveryAttempts: -1})
	assert.Equal(t, []error(nil), append([]error(nil), asked[0].Previous...))
	assert.Equal(t, []error{no}, asked[1].Previous)
	assert.Equal(t, []error{no, nope}, asked[2].Previous)
	assert.Empty(t, asked[3].Previous)
	assert.Equal(t, []error{no}, asked[4].Previous)
	assert.Len(t, asked, 5)
	assert.Equal(t, []string{"make a", "make a", "make a"}, w.ran, "an error is not followed by a run")
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.Equal(t, 5, r.Fixes)

	w = newTree(script{"make a": {broken}}, "src/x.go")
	asked = nil
	r = mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, fails(no))})
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.LessOrEqual(t, len(asked), 8)
	assert.Equal(t, []string{"make a"}, w.ran)

	w = newTree(script{"npm test": {lacksProgram, printed("ok\n")}}, "src/x.go")
	asked = nil
	mustRun(t, w, planOf("npm test"), &plan.Options{Fix: fixing(&asked, edits(w))})
	assert.Len(t, asked, 1)
	assert.True(t, asked[0].Setup)
}

// TestRunCarriesHintsOver holds that what one fix could not do is told to the next.
func TestRunCarriesHintsOver(t *testing.T) {
	no := errors.New("no")
	w := newTree(script{"make a": {moving(1)[0], printed("ok\n")}}, "src/x.go")
	var asked []plan.FixRequest
	r := mustRun(t, w, planOf("make a"), &plan.Options{DisableInlineFix: true, Fix: fixing(&asked, func() error { return no }, edits(w))})
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.Equal(t, []string{"make a", "make a"}, w.ran)
	assert.Equal(t, 2, r.Passes)
	require.Len(t, asked, 2)
	assert.Equal(t, 2, asked[1].Attempt)
	assert.Equal(t, 5, asked[1].Of)
	assert.Equal(t, []error{no}, asked[1].Previous)

	// An inline hint that came to nothing is carried over to the pass.
	w = newTree(script{"make a": {moving(1)[0], printed("ok\n")}}, "src/x.go")
	asked = nil
	r = mustRun(t, w, planOf("make a"), &plan.Options{InlineFixAttempts: 1, Fix: fixing(&asked, func() error { return no }, edits(w))})
	assert.Equal(t, plan.StatusPassed, r.Status)
	require.Len(t, asked, 2)
	assert.Equal(t, plan.FixPass, asked[1].Kind)
	assert.Equal(t, []error{no}, asked[1].Previous)

	// Nobody who never succeeds is asked for ever.
	w = newTree(script{"make a": {broken}}, "src/x.go")
	asked = nil
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, func() error { return no })})
	assert.Equal(t, append(times("inline", 3), times("pass", 5)...), kinds(asked))
}

func TestRunLeavesThePlan(t *testing.T) {
	p := planOf("make a")
	p.Commands[0].ID = ""
	w := newTree(script{"make a": {broken, printed("ok\n")}}, "src/x.go")
	r := mustRun(t, w, p, &plan.Options{Fix: func(_ context.Context, req plan.FixRequest) error {
		req.Plan.Commands[0].Line = "true"
		return nil
	}})
	assert.Empty(t, p.Commands[0].ID)
	assert.Equal(t, "make a", p.Commands[0].Line)
	assert.Equal(t, []string{"make a", "make a"}, w.ran[:2])
	assert.Equal(t, plan.CommandID(plan.SourceExplicit, "make a"), r.Outcomes[0].Command.ID)
}

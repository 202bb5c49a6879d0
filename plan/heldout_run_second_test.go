package plan_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

func TestHeldOutSecondPass(t *testing.T) {
	type all = []mend.Observation
	setup := heldNoVitest
	pkg := []string{"a/package.json", "{}"}
	for name, tt := range map[string]struct {
		plan   *plan.Plan
		script script
		files  []string
		opts   *plan.Options
		names  []string
		states []plan.State
		status plan.Status
		ran    []string
	}{
		"narrowed counts as P":              {planOf("pnpm -r test", "+npm run verify"), script{"pnpm -r test": all{heldTestFails}, "npm run verify": all{heldNoScript}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed", "skipped"}, plan.StatusPassedWithGaps, nil},
		"narrowed does not count as E":      {planOf("pnpm -r test", "+make b"), script{"pnpm -r test": all{heldTestFails}, "make b": all{heldTestFails}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed", "failed"}, plan.StatusFailed, nil},
		"an auto entry is narrowed, too":    {planOf("+pnpm -r test"), script{"pnpm -r test": all{heldTestFails}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed"}, plan.StatusPassedWithGaps, nil},
		"narrowed before it is ignored":     {planOf("make a", "pnpm -r test"), script{"pnpm -r test": all{heldTestFails}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"passed", "narrowed"}, plan.StatusPassedWithGaps, nil},
		"ignored where narrowing fails":     {planOf("make a", "pnpm -r test"), script{"pnpm -r test": all{heldTestFails}, "cd a && pnpm test": all{heldTestFails}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"narrowed before anything else":     {planOf("pnpm -r test"), script{"pnpm -r test": all{setup}}, append([]string{"package.json", "{}", "pnpm-lock.yaml", ""}, pkg...), nil, []string{"a/x.ts"}, []plan.State{"narrowed"}, plan.StatusPassedWithGaps, []string{"pnpm -r test", "cd a && pnpm test"}},
		"installed where narrowing fails":   {planOf("pnpm -r test"), script{"pnpm -r test": all{setup, printed("ok\n")}, "cd a && pnpm test": all{setup}}, append([]string{"package.json", "{}", "pnpm-lock.yaml", ""}, pkg...), nil, []string{"a/x.ts"}, []plan.State{"passed"}, plan.StatusPassed, []string{"pnpm -r test", "cd a && pnpm test", "pnpm install --frozen-lockfile", "pnpm -r test"}},
		"replaced counts as P":              {planOf("make a", "npm run verify"), script{"make a": all{heldNoFiles}, "npm run verify": all{heldNoScript}}, []string{"package.json", scriptsOf("check")}, nil, nil, []plan.State{"empty", "replaced"}, plan.StatusPassedWithGaps, nil},
		"skipped twice, then a pass":        {planOf("npm run verify", "make verify", "make a"), script{"npm run verify": all{heldNoScript}, "make verify": all{heldNoTarget}}, nil, nil, nil, []plan.State{"skipped", "skipped", "passed"}, plan.StatusPassedWithGaps, nil},
		"skipped twice, then nothing":       {planOf("npm run verify", "make verify", "true"), script{"npm run verify": all{heldNoScript}, "make verify": all{heldNoTarget}}, nil, nil, nil, []plan.State{"skipped", "skipped", "passed"}, plan.StatusUnverified, nil},
		"skipped, then an empty one":        {planOf("npm run verify", "npm test"), script{"npm run verify": all{heldNoScript}, "npm test": all{heldNoFiles}}, nil, nil, nil, []plan.State{"skipped", "empty"}, plan.StatusUnverified, nil},
		"ignored alone is not effective":    {planOf("make a", "+make b"), script{"make a": all{printed("ok\n")}, "make b": all{heldTestFails}}, nil, nil, nil, []plan.State{"passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"E came before true":                {planOf("make a", "true", "+make b"), script{"make b": all{heldTestFails}}, nil, nil, nil, []plan.State{"passed", "passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"an auto wide failure":              {planOf("+make a", "+pnpm -r test"), script{"pnpm -r test": all{heldTestFails}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"a wide failure of two parts":       {planOf("make a", "pnpm -r test && pnpm -r lint"), script{"pnpm -r lint": all{heldTestFails}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"a wide one that lacks its script":  {planOf("make a", "pnpm -r run verify"), script{"pnpm -r run verify": all{exit(1, " ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None of the packages has a \"verify\" script\n")}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"install for the part that lacks":   {planOf("make a && cd web && npm test"), script{"cd web && npm test": all{setup, printed("ok\n")}}, []string{"web/package.json", "{}", "web/package-lock.json", ""}, nil, nil, []plan.State{"passed"}, plan.StatusPassed, []string{"make a", "cd web && npm test", "cd web && npm ci", "make a", "cd web && npm test"}},
		"a denied narrowed form":            {planOf("pnpm -r test"), script{"pnpm -r test": all{heldTestFails}}, pkg, &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"^pnpm test"}}}, []string{"a/x.ts"}, []plan.State{"failed"}, plan.StatusFailed, []string{"pnpm -r test"}},
		"an install that times out":         {planOf("npm test"), script{"npm test": all{setup}, "npm install": all{timedOut}}, []string{"package.json", "{}"}, nil, nil, []plan.State{"failed"}, plan.StatusFailed, []string{"npm test", "npm install"}},
		"a replacement that is killed":      {planOf("npm run verify"), script{"npm run verify": all{heldNoScript}, "npm run check": all{heldKilled}}, []string{"package.json", scriptsOf("check")}, nil, nil, []plan.State{"failed"}, plan.StatusFailed, nil},
		"no tests, replaced by what checks": {planOf("npm test"), script{"npm test": all{noTests}}, []string{"package.json", scriptsOf("test", "typecheck")}, nil, nil, []plan.State{"replaced"}, plan.StatusPassedWithGaps, []string{"npm test", "npm run typecheck"}},
		"a deleted directory":               {planOf("cd gone && make a"), script{"cd gone && make a": all{exit(1, "cd: gone: No such file or directory\n")}}, nil, nil, nil, []plan.State{"failed"}, plan.StatusFailed, nil},
		"a deleted directory, more to come": {planOf("cd gone && make a", "make b"), script{"cd gone && make a": all{exit(1, "cd: gone: No such file or directory\n")}}, nil, nil, nil, []plan.State{"skipped", "passed"}, plan.StatusPassedWithGaps, nil},
		"equal entries":                     {planOf("make a", "make a"), nil, nil, nil, nil, []plan.State{"passed", "passed"}, plan.StatusPassed, []string{"make a", "make a"}},
	} {
		t.Run(name, func(t *testing.T) {
			names := tt.names
			if names == nil {
				names = []string{"src/x.go"}
			}
			w := newTree(tt.script, names...).with(tt.files...)
			r := mustRun(t, w, tt.plan, tt.opts)
			assert.Equal(t, tt.states, states(r))
			assert.Equal(t, tt.status, r.Status)
			if tt.ran != nil {
				assert.Equal(t, tt.ran, w.ran)
			}
			for _, o := range r.Outcomes {
				assert.Equal(t, o.State == plan.StateNarrowed || o.State == plan.StateReplaced, o.RanInstead != "")
				assert.Equal(t, o.State != plan.StatePassed, o.Meta != nil)
			}
		})
	}
}

func TestHeldOutMeta(t *testing.T) {
	long := strings.Repeat("x", 800) + "the end\n"
	w := newTree(script{"make a": {{ExitCode: 3, Stdout: "\x1b[31mred\x1b[0m  and\n\n more\n", Stderr: long}}}, "x.go")
	r := mustRun(t, w, planOf("make a"), nil)
	m := r.Meta
	require.NotNil(t, m)
	assert.Equal(t, "red and more", m.Stdout)
	assert.Len(t, []rune(m.Stderr), 400)
	assert.True(t, strings.HasSuffix(m.Stderr, "xthe end"), m.Stderr)
	assert.Equal(t, 3, *m.ExitCode)
	assert.Equal(t, "make a", m.Command)
	assert.Equal(t, plan.SourceExplicit, m.CommandSource)
	assert.Equal(t, plan.CommandID(plan.SourceExplicit, "make a"), m.CommandID)
	assert.Equal(t, plan.MetaVerification, m.Source)
	assert.NotEmpty(t, m.Signature)
	assert.NotNil(t, r.Failure)

	secret := "gh" + "p_" + strings.Repeat("a1B2", 9)
	r = mustRun(t, newTree(script{"make a": {exit(1, "token "+secret+"\n")}}, "x.go"), planOf("make a"), nil)
	assert.NotContains(t, r.Meta.Stderr, secret)

	r = mustRun(t, newTree(script{"make a": {timedOut}}, "x.go"), planOf("make a"), nil)
	assert.True(t, r.Meta.TimedOut)
	r = mustRun(t, newTree(script{"make a": {heldKilled}}, "x.go"), planOf("make a"), nil)
	assert.Equal(t, "SIGKILL", r.Meta.Signal)

	r = mustRun(t, newTree(nil, "x.go"), planOf("make a | tee x"), nil)
	assert.Nil(t, r.Meta.ExitCode)
	assert.Equal(t, plan.CodeUnsupportedFormat, r.Meta.Code)

	denied := &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}
	r = mustRun(t, newTree(nil, "x.go"), planOf("git push origin"), denied)
	assert.Equal(t, []string{"git push"}, r.Meta.PolicyViolations)
	assert.Nil(t, r.Meta.ExitCode)
}

func TestHeldOutPassFixErrors(t *testing.T) {
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
	w = newTree(script{"make a": {heldTestFails}}, "src/x.go")
	asked = nil
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked, func() error { return no })})
	assert.Equal(t, append(times("inline", 3), times("pass", 5)...), kinds(asked))
}

func TestHeldOutFixSeesNoRawOutput(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("a1B2", 9)
	w := newTree(script{"make a": {exit(1, "x_test.go:1: token "+secret+"\n"), printed("ok\n")}}, "src/x.go")
	var prompt, excerpt string
	mustRun(t, w, planOf("make a"), &plan.Options{Fix: func(_ context.Context, req plan.FixRequest) error {
		prompt, excerpt = req.Failure.Prompt().String(), req.Meta.Stderr
		return nil
	}})
	assert.NotEmpty(t, prompt)
	assert.NotContains(t, prompt, secret)
	assert.NotContains(t, excerpt, secret)
}

func TestHeldOutPlanIsNotChanged(t *testing.T) {
	p := planOf("make a")
	p.Commands[0].ID = ""
	w := newTree(script{"make a": {heldTestFails, printed("ok\n")}}, "src/x.go")
	r := mustRun(t, w, p, &plan.Options{Fix: func(_ context.Context, req plan.FixRequest) error {
		req.Plan.Commands[0].Line = "true"
		return nil
	}})
	assert.Empty(t, p.Commands[0].ID)
	assert.Equal(t, "make a", p.Commands[0].Line)
	assert.Equal(t, []string{"make a", "make a"}, w.ran[:2])
	assert.Equal(t, plan.CommandID(plan.SourceExplicit, "make a"), r.Outcomes[0].Command.ID)
}

// TestHeldOutNoUnfixedTreeIsConfirmed holds that a fix which changes nothing costs no second pass.
func TestHeldOutUntouchedTree(t *testing.T) {
	w := newTree(script{"make a": {heldTestFails, printed("ok\n")}}, "src/x.go")
	var asked []plan.FixRequest
	r := mustRun(t, w, planOf("make a"), &plan.Options{Fix: fixing(&asked)})
	assert.Equal(t, 1, r.Passes)
	assert.Equal(t, plan.StatusPassed, r.Status)
}

func TestHeldOutFatalLint(t *testing.T) {
	for _, line := range []string{"rm -rf /", "rm -rf ~root", "sh -c 'rm -rf /'", "make a && rm -rf /"} {
		if _, err := plan.Split(line); err != nil {
			continue
		}
		w := newTree(nil, "x.go")
		r := mustRun(t, w, planOf(line), nil)
		assert.Equal(t, plan.StatusFailed, r.Status, line)
		assert.Equal(t, plan.CodePolicyViolation, r.Meta.Code, line)
		assert.Empty(t, w.ran, line)
	}
}

package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// What tools print, for the codes that follow from it.
var (
	missingScript = exit(1, "npm error Missing script: \"verify\"\n")
	missingTarget = exit(2, "make: *** No rule to make target 'verify'.  Stop.\n")
	noTests       = exit(1, "No test files found, exiting with code 1\n")
	lacksModule   = exit(1, "x.go:3:8: no required module provides package example.org/y; to add it:\n\tgo get example.org/y\n")
	emptyGo       = printed("?   \texample.org/x\t[no test files]\n")
	broken        = exit(1, "x_test.go:7: want 1, got 2\n")
)

func TestRunWithDropped(t *testing.T) {
	p := planOf("make a")
	p.Dropped = []plan.Dropped{{Command: plan.Command{Line: "npm run verify", Source: plan.SourceExplicit}, Reason: plan.CodeMissingScript}}
	r := mustRun(t, newTree(nil, "x"), p, nil)
	assert.Equal(t, plan.StatusPassedWithGaps, r.Status, "what was asked for has not been verified")
	assert.ErrorContains(t, r.Err(), "npm run verify dropped (verification_command_missing_script)")
	p.Commands = nil
	assert.Equal(t, plan.StatusUnverified, mustRun(t, newTree(nil, "x"), p, nil).Status)
}

func TestRunChains(t *testing.T) {
	w := newTree(script{"make b": {broken}}, "x.go").with("sub/x", "")
	r := mustRun(t, w, planOf("A=1 make a && make b && make c"), nil)
	assert.Equal(t, []string{"A=1 make a", "make b"}, w.ran, "the first part that fails ends the entry")
	assert.Equal(t, []string{"make", "b"}, r.Outcomes[0].Observation.Argv, "and decides it")
	assert.Equal(t, []string{"A=1"}, w.envs[0].Env)

	w = newTree(nil, "x.go")
	mustRun(t, w, planOf("cd sub && make a && make b", "make c"), nil)
	assert.Equal(t, []string{"cd sub && make a", "cd sub && make b", "make c"}, w.ran, "a directory holds for its entry")
}

func TestRunTimeLimit(t *testing.T) {
	for limit, want := range map[time.Duration]time.Duration{0: 5 * time.Minute, time.Second: time.Second, -1: 5 * time.Minute} {
		w := newTree(nil, "x.go")
		mustRun(t, w, planOf("make a"), &plan.Options{CommandTimeout: limit})
		assert.Equal(t, want, w.envs[0].Timeout)
	}
}

// TestRunSequence is about a file that is looked for right after it was cleaned
// away: the order is at fault, if it was just that.
func TestRunSequence(t *testing.T) {
	gone := script{"test -f build/app": {exit(1, "")}, "make wipe-clean": {missingTarget}, "pnpm -r clean": {broken}}
	for name, tt := range map[string]struct {
		lines []string
		code  plan.Code
	}{
		"cleaned":              {[]string{"make clean", "test -f build/app"}, plan.CodeSequenceIssue},
		"cleaned before that":  {[]string{"make clean", "make a", "test -f build/app"}, plan.CodeCommandFailed},
		"not cleaned":          {[]string{"make a", "test -f build/app"}, plan.CodeCommandFailed},
		"the cleaning failed":  {[]string{"+pnpm -r clean", "test -f build/app"}, plan.CodeCommandFailed},
		"a chain that cleans":  {[]string{"make a && make clean", "test -f build/app"}, plan.CodeCommandFailed},
		"a chain that looks":   {[]string{"make clean", "test -f build/app && make a"}, plan.CodeCommandFailed},
		"the first of its own": {[]string{"test -f build/app", "make clean"}, plan.CodeCommandFailed},
	} {
		w := newTree(gone, "packages/a/x.ts").with("packages/a/package.json", "{}")
		r := mustRun(t, w, planOf(tt.lines...), nil)
		require.Equal(t, plan.StatusFailed, r.Status, name)
		assert.Equal(t, tt.code, r.Meta.Code, name)
	}
}

func TestRunInABareEnvironment(t *testing.T) {
	env := &fakeEnv{script: script{}}
	r := mustRun(t, env, planOf("make a", "cd sub && make b", "make c"), nil)
	assert.Equal(t, []string{"make a", "make c"}, env.ran, "a part with a directory is not run")
	assert.Equal(t, []plan.State{plan.StatePassed, plan.StateSkipped, plan.StatePassed}, states(r))
	assert.Equal(t, plan.CodeMissingScript, r.Outcomes[1].Code)
	assert.Nil(t, r.Outcomes[1].Meta.ExitCode, "what never ran has no exit code")

	env = &fakeEnv{script: script{"go vet ./...": {lacksModule}}}
	r = mustRun(t, env, planOf("go vet ./..."), nil)
	assert.Equal(t, []string{"go vet ./..."}, env.ran, "installing is of no use where nothing persists")
	assert.Equal(t, plan.CodeSetupIssue, r.Meta.Code)
}

func TestRunRefusesToRun(t *testing.T) {
	policy := newPolicy(t, nil, nil, []string{"git push"})
	for line, code := range map[string]plan.Code{
		"make a > log":                    plan.CodeUnsupportedFormat,
		"cd .. && make a":                 plan.CodeUnsupportedFormat,
		"git push origin":                 plan.CodePolicyViolation,
		"make a && env git push":          plan.CodePolicyViolation,
		"sh -c 'make a; git push'":        plan.CodePolicyViolation,
		"make a && rm -rf / && make last": plan.CodePolicyViolation,
	} {
		w := newTree(nil, "x.go")
		var asked []plan.FixRequest
		r := mustRun(t, w, planOf(line), &plan.Options{Policy: policy, Fix: fixing(&asked)})
		assert.Empty(t, w.ran, "nothing of it runs: %s", line)
		assert.Empty(t, asked, "and no edit mends that: %s", line)
		assert.Equal(t, plan.StatusFailed, r.Status, line)
		require.NotNil(t, r.Meta, line)
		assert.Equal(t, code, r.Meta.Code, line)
		assert.Nil(t, r.Meta.ExitCode, line)
		if code == plan.CodePolicyViolation {
			assert.NotEmpty(t, r.Meta.PolicyViolations, line)
		}
	}
	w := newTree(nil, "x.go")
	r := mustRun(t, w, planOf("git push", "make a"), &plan.Options{Policy: policy})
	assert.Equal(t, []plan.State{plan.StateFailed}, states(r), "what is denied is never skipped")
}

func TestRunKeepsTheFailure(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("a1B2", 9)
	text := strings.Repeat("x\n", 500) + "\x1b[31mx_test.go:7: want 1,\n   got 2\x1b[0m token " + secret + "\n"
	w := newTree(script{"make a": {{ExitCode: 3, Stdout: "out\n", Stderr: text}}}, "x.go")
	r := mustRun(t, w, planOf("make a"), &plan.Options{Sanitizer: mend.NewSanitizer(&mend.SanitizerOptions{Secrets: []string{"want 1,"}})})
	m := r.Meta
	require.NotNil(t, m)
	assert.Equal(t, "make a", m.Command)
	assert.Equal(t, plan.SourceExplicit, m.CommandSource)
	assert.Equal(t, plan.CommandID(plan.SourceExplicit, "make a"), m.CommandID)
	assert.Equal(t, 3, *m.ExitCode)
	assert.Equal(t, "out", m.Stdout)
	assert.True(t, strings.HasSuffix(m.Stderr, "[REDACTED] got 2 token [REDACTED]"), m.Stderr)
	assert.Len(t, []rune(m.Stderr), 400)
	assert.NotEmpty(t, m.Signature)
	assert.NotContains(t, m.Signature, strings.ToLower(secret))
	data, err := json.Marshal(m)
	require.NoError(t, err)
	again, err := plan.ParseMeta(data)
	require.NoError(t, err)
	assert.Equal(t, m, again)

	require.NotNil(t, r.Failure)
	prompt := r.Failure.Prompt().String()
	assert.Contains(t, prompt, "make a")
	assert.Contains(t, prompt, "exit code 3")
	assert.NotContains(t, prompt, secret)
	assert.NotContains(t, prompt, "want 1,")
	assert.NotContains(t, prompt, "recipe")
	assert.Equal(t, text, r.Outcomes[0].Observation.Stderr, "the observation is as it was")

	w = newTree(script{"make a": {{ExitCode: -1, Signal: "SIGSEGV"}}}, "x.go")
	m = mustRun(t, w, planOf("make a"), nil).Meta
	assert.Equal(t, "SIGSEGV", m.Signal)
	w = newTree(script{"make a": {timedOut}}, "x.go")
	m = mustRun(t, w, planOf("make a"), nil).Meta
	assert.True(t, m.TimedOut)
	assert.Equal(t, plan.CodeFlaky, m.Code)
}

func TestRunOutcomesAreTold(t *testing.T) {
	var told []string
	opts := &plan.Options{
		OnOutcome: func(o plan.Outcome) { told = append(told, o.Command.Line+" "+string(o.State)) },
		Fix:       func(context.Context, plan.FixRequest) error { return nil }, DisableInlineFix: true,
	}
	w := newTree(script{"make b": {broken, printed("ok")}}, "x.go")
	r := mustRun(t, w, planOf("make a", "make b"), opts)
	assert.Equal(t, []string{"make a passed", "make b failed", "make a passed", "make b passed"}, told, "of every pass")
	assert.Len(t, r.Outcomes, 2, "the result has the last one")
}

func TestRunErrors(t *testing.T) {
	down := errors.New("the daemon went away")
	for name, w := range map[string]*fakeTree{
		"run":     {fakeEnv: fakeEnv{err: down}},
		"changes": {fail: down},
	} {
		r, err := plan.Run(t.Context(), w, planOf("make a"), &plan.Options{AllowNoChanges: true})
		assert.Nil(t, r, name)
		assert.Equal(t, down, err, "%s: the error is returned as it is", name)
	}
	for _, at := range []string{"go mod download", "cd a && pnpm test", "npm run test"} { // an install, a narrowed form, a replacement
		w := newTree(script{"go vet ./...": {lacksModule}, "pnpm -r test": {broken}, "npm run verify": {missingScript}}, "a/x.ts").
			with("go.mod", "", "a/package.json", "{}", "package.json", allScripts)
		w.err, w.failAt = down, at
		line := map[string]string{"go mod download": "go vet ./...", "cd a && pnpm test": "pnpm -r test", "npm run test": "npm run verify"}[at]
		_, err := plan.Run(t.Context(), w, planOf(line), nil)
		if at != "npm run test" { // the nearest kind comes first
			assert.Equal(t, down, err, at)
		}
	}
	var fault *plan.OptionError
	_, err := plan.Run(t.Context(), newTree(nil), &plan.Plan{Version: 2}, nil)
	require.ErrorAs(t, err, &fault)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := newTree(nil, "x.go")
	_, err = plan.Run(ctx, w, planOf("make a"), nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, w.ran)
	assert.Zero(t, w.read)
}

// TestRunEndsWithItsContext cancels at each place from which the caller is called.
func TestRunEndsWithItsContext(t *testing.T) {
	for name, where := range map[string]func(cancel func(), o *plan.Options, w *fakeTree){
		"outcome": func(cancel func(), o *plan.Options, w *fakeTree) { o.OnOutcome = func(plan.Outcome) { cancel() } },
		"command": func(cancel func(), o *plan.Options, w *fakeTree) { w.during = func(string) { cancel() } },
		"fix": func(cancel func(), o *plan.Options, w *fakeTree) {
			w.script["make a"] = []mend.Observation{broken}
			o.Fix = func(context.Context, plan.FixRequest) error { cancel(); return errors.New("cut off") }
		},
		"ask": func(cancel func(), o *plan.Options, w *fakeTree) {
			p := newPolicy(t, []string{"y"}, nil, nil)
			p.Ask = func(context.Context, []plan.Violation) ([]plan.PathAction, error) { cancel(); return nil, nil }
			o.Policy = p
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		o, w := &plan.Options{}, newTree(script{}, "x.go")
		where(cancel, o, w)
		r, err := plan.Run(ctx, w, planOf("make a", "make b"), o)
		assert.Nil(t, r, name)
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.NotContains(t, w.ran, "make b", name)
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	w := newTree(nil, "x.go")
	w.during = func(string) { cancel() }
	r, err := plan.Run(ctx, w, planOf("make a"), nil)
	assert.Nil(t, r, "what the last command showed was cut short")
	assert.ErrorIs(t, err, context.Canceled)
}

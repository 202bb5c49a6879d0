package plan_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

var (
	heldTestFails = exit(1, "a_test.go:7: want 1, got 2\n")
	heldNoScript  = exit(1, "npm error Missing script: \"verify\"\n")
	heldNoTarget  = exit(2, "make: *** No rule to make target 'verify'.  Stop.\n")
	heldNoVitest  = exit(127, "sh: 1: vitest: not found\n")
	heldKilled    = mend.Observation{ExitCode: -1, Signal: "SIGKILL"}
	heldNoFiles   = printed("No test files found, exiting with code 0\n")
)

// TestHeldOutPass has one pass each: what is run, what becomes of each entry, and the whole.
func TestHeldOutPass(t *testing.T) {
	type all = []mend.Observation
	for name, tt := range map[string]struct {
		plan   *plan.Plan
		script script
		files  []string
		opts   *plan.Options
		ran    []string // nil: not looked at
		states []plan.State
		status plan.Status
		code   plan.Code // of the result's Meta
	}{
		"a chain in order":                    {plan: planOf("make a && make b", "make c"), ran: []string{"make a", "make b", "make c"}, states: []plan.State{"passed", "passed"}, status: plan.StatusPassed},
		"the first part that fails ends it":   {plan: planOf("make a && make b && make c"), script: script{"make b": all{heldTestFails}}, ran: []string{"make a", "make b"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"cd holds for its entry":              {plan: planOf("cd web && make a && make b", "make c"), ran: []string{"cd web && make a", "cd web && make b", "make c"}, states: []plan.State{"passed", "passed"}, status: plan.StatusPassed},
		"an auto failure alone":               {plan: planOf("+make a"), script: script{"make a": all{heldTestFails}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"an auto failure before others":       {plan: planOf("make x", "+make a", "+make b"), script: script{"make a": all{heldTestFails}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"an auto failure behind explicit":     {plan: planOf("make x", "+make a"), script: script{"make a": all{heldTestFails}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"the same, blocking":                  {plan: planOf("make x", "+make a"), script: script{"make a": all{heldTestFails}}, opts: &plan.Options{DisableNonBlockingAuto: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"the same, auto skips off":            {plan: planOf("make x", "+make a"), script: script{"make a": all{heldTestFails}}, opts: &plan.Options{DisableSkipInvalidAuto: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit skips do not matter there":  {plan: planOf("make x", "+make a"), script: script{"make a": all{heldTestFails}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"behind an explicit empty":            {plan: planOf("npm test", "+make a"), script: script{"npm test": all{heldNoFiles}, "make a": all{heldTestFails}}, states: []plan.State{"empty", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"behind an explicit skip":             {plan: planOf("npm run verify", "+make a"), script: script{"npm run verify": all{heldNoScript}, "make a": all{heldTestFails}}, states: []plan.State{"skipped", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, last":      {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{heldTestFails}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"explicit, workspace-wide, auto P":    {plan: planOf("+make a", "pnpm -r test"), script: script{"pnpm -r test": all{heldTestFails}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"explicit, workspace-wide, first":     {plan: planOf("pnpm -r test", "make a"), script: script{"pnpm -r test": all{heldTestFails}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, off":       {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{heldTestFails}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, time-out":  {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{timedOut}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeFlaky},
		"a kill is nobody's to wave through":  {plan: planOf("make a", "+make b"), script: script{"make b": all{heldKilled}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeEnvironmentIssue},
		"explicit, no script, last":           {plan: planOf("make a", "npm run verify"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"explicit, no script, more to come":   {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"explicit, no script, switch off":     {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{heldNoScript}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"explicit, no script, docs only":      {plan: changed(planOf("make a", "npm run verify"), "README.md", "docs/x.png"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"docs and a log":                      {plan: changed(planOf("make a", "npm run verify"), "a.mdx", "b.rst", "c.adoc", "npm-debug.log"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"docs and more":                       {plan: changed(planOf("make a", "npm run verify"), "README.md", "x.go"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"docs below another directory":        {plan: changed(planOf("make a", "npm run verify"), "web/docs/x.png"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"a text file is no documentation":     {plan: changed(planOf("make a", "npm run verify"), "README.txt"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"docs, alone":                         {plan: changed(planOf("npm run verify"), "README.md"), script: script{"npm run verify": all{heldNoScript}}, states: []plan.State{"skipped"}, status: plan.StatusUnverified},
		"auto, no target, behind a pass":      {plan: planOf("+make a", "+make verify"), script: script{"make verify": all{heldNoTarget}}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"auto, no target, alone":              {plan: planOf("+make verify"), script: script{"make verify": all{heldNoTarget}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingMakeTarget},
		"auto, no target, switch off":         {plan: planOf("+make verify", "+make a"), script: script{"make verify": all{heldNoTarget}}, opts: &plan.Options{DisableSkipInvalidAuto: true}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingMakeTarget},
		"auto setup, more to come":            {plan: planOf("+npm test", "make a"), script: script{"npm test": all{heldNoVitest}}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"auto setup, last":                    {plan: planOf("make a", "+npm test"), script: script{"npm test": all{heldNoVitest}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"explicit setup, more to come":        {plan: planOf("npm test", "make a"), script: script{"npm test": all{heldNoVitest}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"explicit setup, docs":                {plan: changed(planOf("npm test", "make a"), "README.md"), script: script{"npm test": all{heldNoVitest}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"refused, unrun":                      {plan: planOf("make a > x", "make b"), ran: []string{"make b"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"refused, half of it":                 {plan: planOf("make a && make b; make c", "make d"), ran: []string{"make d"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"refused, switch off":                 {plan: planOf("make a > x", "make b"), opts: &plan.Options{DisableSkipMissingExplicit: true}, ran: nil, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeUnsupportedFormat},
		"refused, behind a pass":              {plan: planOf("make b", "make a > x"), states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"refused, behind true":                {plan: planOf("true", "make a > x"), states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeUnsupportedFormat},
		"only words":                          {plan: planOf("true", "echo a", "printf a", "sleep 0", "pwd", "true && echo b"), states: []plan.State{"passed", "passed", "passed", "passed", "passed", "passed"}, status: plan.StatusUnverified},
		"words and one check":                 {plan: planOf("echo a && test -f x"), states: []plan.State{"passed"}, status: plan.StatusPassed},
		"false is no word":                    {plan: planOf("false"), script: script{"false": all{exit(1, "")}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"empty, and a pass":                   {plan: planOf("npm test", "make a"), script: script{"npm test": all{heldNoFiles}}, states: []plan.State{"empty", "passed"}, status: plan.StatusPassedWithGaps},
		"empty, alone":                        {plan: planOf("npm test"), script: script{"npm test": all{heldNoFiles}}, states: []plan.State{"empty"}, status: plan.StatusUnverified},
		"empty in a later part":               {plan: planOf("make a && npm test"), script: script{"npm test": all{heldNoFiles}}, states: []plan.State{"empty"}, status: plan.StatusUnverified},
		"empty is no pass for P":              {plan: planOf("npm test", "+npm run verify"), script: script{"npm test": all{heldNoFiles}, "npm run verify": all{heldNoScript}}, states: []plan.State{"empty", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"sequence, behind the cleaning":       {plan: planOf("make clean", "test -f dist/x"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSequenceIssue},
		"sequence, not directly":              {plan: planOf("make clean", "make a", "test -f dist/x"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"sequence, never skipped":             {plan: planOf("make clean", "test -f dist/x", "make a"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSequenceIssue},
		"sequence, cleaning of two parts":     {plan: planOf("make a && make clean", "test -f dist/x"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"replaced, the last one":              {plan: planOf("make a", "npm run verify"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, ran: []string{"make a", "npm run verify", "npm run check"}, states: []plan.State{"passed", "replaced"}, status: plan.StatusPassedWithGaps},
		"replaced, by the second":             {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}, "npm run check": all{heldTestFails}}, files: []string{"package.json", scriptsOf("check", "test")}, ran: []string{"npm run verify", "npm run check", "npm run test"}, states: []plan.State{"replaced"}, status: plan.StatusPassedWithGaps},
		"not by an empty one":                 {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}, "npm run check": all{heldNoFiles}}, files: []string{"package.json", scriptsOf("check")}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"not if something follows":            {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, ran: []string{"npm run verify", "make a"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"not even where it cannot be skipped": {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, opts: &plan.Options{DisableSkipMissingExplicit: true}, ran: []string{"npm run verify"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"skipping comes first":                {plan: planOf("make a", "+npm run verify"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, ran: []string{"make a", "npm run verify"}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"replaced, refused":                   {plan: planOf("npm run verify | tee log"), files: []string{"package.json", scriptsOf("check")}, ran: []string{"npm run check"}, states: []plan.State{"replaced"}, status: plan.StatusPassedWithGaps},
		"replaced, switched off":              {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, opts: &plan.Options{DisableInlineRecovery: true}, ran: []string{"npm run verify"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"replaced, none wanted":               {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check")}, opts: &plan.Options{InlineCandidates: -1}, ran: []string{"npm run verify"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"replaced, one wanted":                {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}, "npm run check": all{heldTestFails}}, files: []string{"package.json", scriptsOf("check", "test")}, opts: &plan.Options{InlineCandidates: 1}, ran: []string{"npm run verify", "npm run check"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"a real failure is not replaced":      {plan: planOf("npm run lint"), script: script{"npm run lint": all{heldTestFails}}, files: []string{"package.json", scriptsOf("check")}, ran: []string{"npm run lint"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"make is replaced by make":            {plan: planOf("make verify"), script: script{"make verify": all{heldNoTarget}}, files: []string{"Makefile", "check:\n\tx\n"}, ran: []string{"make verify", "make check"}, states: []plan.State{"replaced"}, status: plan.StatusPassedWithGaps},
		"install and again":                   {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest, printed("ok\n")}}, files: []string{"package.json", "{}", "package-lock.json", ""}, ran: []string{"npm test", "npm ci", "npm test"}, states: []plan.State{"passed"}, status: plan.StatusPassed},
		"install of the second try":           {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest, printed("ok\n")}, "npm ci": all{exit(1, "npm error\n")}}, files: []string{"package.json", "{}", "package-lock.json", ""}, ran: []string{"npm test", "npm ci", "npm install", "npm test"}, states: []plan.State{"passed"}, status: plan.StatusPassed},
		"an install alone proves nothing":     {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest, heldTestFails}}, files: []string{"package.json", "{}", "package-lock.json", ""}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"the new code goes on":                {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{heldNoVitest, heldNoScript}}, files: []string{"package.json", "{}"}, ran: []string{"npm run verify", "npm install", "npm run verify", "make a"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"the install of an auto entry":        {plan: planOf("+npm test", "make a"), script: script{"npm test": all{heldNoVitest, printed("ok\n")}}, files: []string{"package.json", "{}"}, ran: []string{"npm test", "npm install", "npm test", "make a"}, states: []plan.State{"passed", "passed"}, status: plan.StatusPassed},
		"installs that fail":                  {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest}, "npm install": all{exit(1, "x\n")}}, files: []string{"package.json", "{}"}, ran: []string{"npm test", "npm install"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"no install, switched off":            {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest}}, files: []string{"package.json", "{}"}, opts: &plan.Options{DisableInlineRecovery: true}, ran: []string{"npm test"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"all parts run again":                 {plan: planOf("make a && npm test"), script: script{"npm test": all{heldNoVitest, printed("ok\n")}}, files: []string{"package.json", "{}"}, ran: []string{"make a", "npm test", "npm install", "make a", "npm test"}, states: []plan.State{"passed"}, status: plan.StatusPassed},
		"empty after an install":              {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest, heldNoFiles}}, files: []string{"package.json", "{}"}, ran: nil, states: []plan.State{"empty"}, status: plan.StatusUnverified},
		"denied":                              {plan: planOf("git push origin", "make a"), opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}, ran: nil, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"denied in a later part":              {plan: planOf("make a && git push"), opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}, ran: []string{}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"an auto one denied":                  {plan: planOf("make a", "+git push"), opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}, ran: []string{"make a"}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"a denied install is passed over":     {plan: planOf("npm test"), script: script{"npm test": all{heldNoVitest, printed("ok\n")}}, files: []string{"package.json", "{}", "package-lock.json", ""}, opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"npm ci"}}}, ran: []string{"npm test", "npm install", "npm test"}, states: []plan.State{"passed"}, status: plan.StatusPassed},
		"a denied replacement":                {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}}, files: []string{"package.json", scriptsOf("check", "test")}, opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"npm run check"}}}, ran: []string{"npm run verify", "npm run test"}, states: []plan.State{"replaced"}, status: plan.StatusPassedWithGaps},
		"dropped leaves a gap":                {plan: &plan.Plan{Commands: planOf("make a").Commands, Dropped: []plan.Dropped{{Command: plan.Command{Line: "npm run verify", Source: plan.SourceExplicit}, Reason: plan.CodeMissingScript}}}, states: []plan.State{"passed"}, status: plan.StatusPassedWithGaps},
		"dropped and nothing":                 {plan: &plan.Plan{Dropped: []plan.Dropped{{Command: plan.Command{Line: "npm run verify", Source: plan.SourceExplicit}, Reason: plan.CodeMissingScript}}}, states: []plan.State{}, status: plan.StatusUnverified},
	} {
		t.Run(name, func(t *testing.T) {
			names := tt.plan.Changed
			if names == nil {
				names = []string{"src/x.go"}
			}
			w := newTree(tt.script, names...).with(tt.files...)
			r := mustRun(t, w, tt.plan, tt.opts)
			assert.Equal(t, tt.states, states(r))
			assert.Equal(t, tt.status, r.Status)
			assert.Equal(t, tt.status == plan.StatusPassed, r.Err() == nil)
			if tt.ran != nil {
				assert.Equal(t, tt.ran, append([]string{}, w.ran...))
			}
			if tt.status != plan.StatusFailed {
				assert.Nil(t, r.Meta)
			} else if assert.NotNil(t, r.Meta) {
				assert.Equal(t, tt.code, r.Meta.Code)
				assert.Equal(t, tt.code, r.Outcomes[len(r.Outcomes)-1].Code)
			}
			assert.False(t, r.NoOp)
			assert.Zero(t, r.Fixes)
		})
	}
}

func TestHeldOutBareEnvironment(t *testing.T) {
	env := &fakeEnv{script: script{}}
	r := mustRun(t, env, planOf("cd web && make a"), nil)
	assert.Equal(t, plan.CodeMissingScript, r.Meta.Code)
	assert.Nil(t, r.Meta.ExitCode)
	assert.Empty(t, env.ran)

	env = &fakeEnv{script: script{}}
	r = mustRun(t, env, planOf("cd web && make a", "make b"), nil)
	assert.Equal(t, []plan.State{"skipped", "passed"}, states(r))
	assert.Equal(t, []string{"make b"}, env.ran)

	env = &fakeEnv{script: script{"pnpm -r test": {heldTestFails}}}
	r = mustRun(t, env, changed(planOf("pnpm -r test"), "a/x.ts"), nil)
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.Equal(t, []string{"pnpm -r test"}, env.ran)
}

func TestHeldOutTimeouts(t *testing.T) {
	for _, tt := range []struct{ given, want time.Duration }{{0, 5 * time.Minute}, {7 * time.Second, 7 * time.Second}, {time.Hour, time.Hour}} {
		w := newTree(nil, "x.go")
		mustRun(t, w, planOf("A=1 B='x y' make a && make b"), &plan.Options{CommandTimeout: tt.given})
		require.Len(t, w.envs, 2)
		assert.Equal(t, tt.want, w.envs[0].Timeout)
		assert.Equal(t, tt.want, w.envs[1].Timeout)
		assert.Equal(t, []string{"A=1", "B=x y"}, w.envs[0].Env)
		assert.Equal(t, []string{"make", "a"}, w.envs[0].Argv)
		assert.Empty(t, w.envs[1].Env)
	}
}

func TestHeldOutNoEvidence(t *testing.T) {
	gone := errors.New("the daemon went away")
	w := newTree(nil, "x.go")
	w.err, w.failAt = gone, "make b"
	r, err := plan.Run(t.Context(), w, planOf("make a", "make b", "make c"), nil)
	assert.Same(t, gone, err)
	assert.Nil(t, r)
	assert.Equal(t, []string{"make a", "make b"}, w.ran)

	w = newTree(nil, "x.go")
	w.fail = gone
	r, err = plan.Run(t.Context(), w, planOf("make a"), &plan.Options{Policy: &plan.PathPolicy{}})
	assert.ErrorIs(t, err, gone)
	assert.Nil(t, r)

	ctx, cancel := context.WithCancel(t.Context())
	w = newTree(nil, "x.go")
	w.during = func(string) { cancel() }
	r, err = plan.Run(ctx, w, planOf("make a", "make b"), nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, r)
	assert.Equal(t, []string{"make a"}, w.ran)

	ctx, cancel = context.WithCancel(t.Context())
	w = newTree(script{"make a": {heldTestFails}}, "x.go")
	r, err = plan.Run(ctx, w, planOf("make a"), &plan.Options{Fix: func(context.Context, plan.FixRequest) error { cancel(); return nil }})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, r)
	assert.Equal(t, []string{"make a"}, w.ran)

	var option *plan.OptionError
	_, err = plan.Run(t.Context(), newTree(nil, "x.go"), &plan.Plan{Version: 2}, nil)
	assert.ErrorAs(t, err, &option)
}

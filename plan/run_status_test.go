package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// More of what tools print, for the codes that follow from it.
var (
	lacksProgram = exit(127, "sh: 1: vitest: not found\n")
	emptyVitest  = printed("No test files found, exiting with code 0\n")
	killed       = mend.Observation{ExitCode: -1, Signal: "SIGKILL"}
)

// withScripts returns a manifest with scripts of these names.
func withScripts(names ...string) string {
	return `{"scripts": {"` + strings.Join(names, `": "x", "`) + `": "x"}}`
}

// passCase is a run of one pass.
type passCase struct {
	plan   *plan.Plan
	script script
	files  []string
	opts   *plan.Options
	ran    []string // nil: not looked at
	states []plan.State
	status plan.Status
	code   plan.Code // of the result's Meta
}

// check runs the plan in a tree with the files, in which what the plan says changed.
func (tt passCase) check(t *testing.T) {
	names := tt.plan.Changed
	if names == nil {
		names = []string{"src/x.go"}
	}
	w := newTree(tt.script, names...).with(tt.files...)
	r := mustRun(t, w, tt.plan, tt.opts)
	assert.Equal(t, tt.states, states(r))
	assert.Equal(t, tt.status, r.Status)
	assert.Equal(t, 1, r.Passes)
	for _, o := range r.Outcomes {
		assert.Equal(t, o.State == plan.StatePassed, o.Meta == nil, "what did not pass is kept")
		assert.Equal(t, o.State == plan.StatePassed, o.Code == "")
	}
	if tt.status == plan.StatusPassed {
		assert.NoError(t, r.Err())
	} else {
		var failed *plan.ResultError
		require.ErrorAs(t, r.Err(), &failed)
		assert.Same(t, r, failed.Result)
		assert.Contains(t, failed.Error(), string(tt.status))
		assert.NotContains(t, failed.Error(), "\n")
	}
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
}

// TestRunStatus is about what becomes of each entry and of the whole, where nothing
// can be run in an entry's place.
func TestRunStatus(t *testing.T) {
	type all = []mend.Observation
	for name, tt := range map[string]passCase{
		"an auto failure alone":              {plan: planOf("+make a"), script: script{"make a": all{broken}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"an auto failure before others":      {plan: planOf("make x", "+make a", "+make b"), script: script{"make a": all{broken}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"an auto failure behind explicit":    {plan: planOf("make x", "+make a"), script: script{"make a": all{broken}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"the same, blocking":                 {plan: planOf("make x", "+make a"), script: script{"make a": all{broken}}, opts: &plan.Options{DisableNonBlockingAuto: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"the same, auto skips off":           {plan: planOf("make x", "+make a"), script: script{"make a": all{broken}}, opts: &plan.Options{DisableSkipInvalidAuto: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit skips do not matter there": {plan: planOf("make x", "+make a"), script: script{"make a": all{broken}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"behind an explicit empty":           {plan: planOf("npm test", "+make a"), script: script{"npm test": all{emptyVitest}, "make a": all{broken}}, states: []plan.State{"empty", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"behind an explicit skip":            {plan: planOf("npm run verify", "+make a"), script: script{"npm run verify": all{missingScript}, "make a": all{broken}}, states: []plan.State{"skipped", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, last":     {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{broken}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"explicit, workspace-wide, auto P":   {plan: planOf("+make a", "pnpm -r test"), script: script{"pnpm -r test": all{broken}}, states: []plan.State{"passed", "ignored"}, status: plan.StatusPassedWithGaps},
		"explicit, workspace-wide, first":    {plan: planOf("pnpm -r test", "make a"), script: script{"pnpm -r test": all{broken}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, off":      {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{broken}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit, workspace-wide, time-out": {plan: planOf("make a", "pnpm -r test"), script: script{"pnpm -r test": all{timedOut}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeFlaky},
		"a kill is nobody's to wave through": {plan: planOf("make a", "+make b"), script: script{"make b": all{killed}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeEnvironmentIssue},
		"explicit, no script, last":          {plan: planOf("make a", "npm run verify"), script: script{"npm run verify": all{missingScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"explicit, no script, more to come":  {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{missingScript}}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"explicit, no script, switch off":    {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{missingScript}}, opts: &plan.Options{DisableSkipMissingExplicit: true}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"explicit, no script, docs only":     {plan: changed(planOf("make a", "npm run verify"), "README.md", "docs/x.png"), script: script{"npm run verify": all{missingScript}}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"docs and more":                      {plan: changed(planOf("make a", "npm run verify"), "README.md", "x.go"), script: script{"npm run verify": all{missingScript}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"docs, alone":                        {plan: changed(planOf("npm run verify"), "README.md"), script: script{"npm run verify": all{missingScript}}, states: []plan.State{"skipped"}, status: plan.StatusUnverified},
		"auto, no target, behind a pass":     {plan: planOf("+make a", "+make verify"), script: script{"make verify": all{missingTarget}}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"auto, no target, alone":             {plan: planOf("+make verify"), script: script{"make verify": all{missingTarget}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingMakeTarget},
		"auto, no target, switch off":        {plan: planOf("+make verify", "+make a"), script: script{"make verify": all{missingTarget}}, opts: &plan.Options{DisableSkipInvalidAuto: true}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingMakeTarget},
		"auto setup, more to come":           {plan: planOf("+npm test", "make a"), script: script{"npm test": all{lacksProgram}}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"auto setup, last":                   {plan: planOf("make a", "+npm test"), script: script{"npm test": all{lacksProgram}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"explicit setup, more to come":       {plan: planOf("npm test", "make a"), script: script{"npm test": all{lacksProgram}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"explicit setup, docs":               {plan: changed(planOf("npm test", "make a"), "README.md"), script: script{"npm test": all{lacksProgram}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeSetupIssue},
		"refused, unrun":                     {plan: planOf("make a > x", "make b"), ran: []string{"make b"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"refused, half of it":                {plan: planOf("make a && make b; make c", "make d"), ran: []string{"make d"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"refused, switch off":                {plan: planOf("make a > x", "make b"), opts: &plan.Options{DisableSkipMissingExplicit: true}, ran: nil, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeUnsupportedFormat},
		"refused, behind a pass":             {plan: planOf("make b", "make a > x"), states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"refused, behind true":               {plan: planOf("true", "make a > x"), states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeUnsupportedFormat},
		"only words":                         {plan: planOf("true", "echo a", "printf a", "sleep 0", "pwd", "true && echo b"), states: []plan.State{"passed", "passed", "passed", "passed", "passed", "passed"}, status: plan.StatusUnverified},
		"words and one check":                {plan: planOf("echo a && test -f x"), states: []plan.State{"passed"}, status: plan.StatusPassed},
		"false is no word":                   {plan: planOf("false"), script: script{"false": all{exit(1, "")}}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"empty, and a pass":                  {plan: planOf("npm test", "make a"), script: script{"npm test": all{emptyVitest}}, states: []plan.State{"empty", "passed"}, status: plan.StatusPassedWithGaps},
		"empty, alone":                       {plan: planOf("npm test"), script: script{"npm test": all{emptyVitest}}, states: []plan.State{"empty"}, status: plan.StatusUnverified},
		"empty in a later part":              {plan: planOf("make a && npm test"), script: script{"npm test": all{emptyVitest}}, states: []plan.State{"empty"}, status: plan.StatusUnverified},
		"empty is no pass for P":             {plan: planOf("npm test", "+npm run verify"), script: script{"npm test": all{emptyVitest}, "npm run verify": all{missingScript}}, states: []plan.State{"empty", "failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"sequence, behind the cleaning":      {plan: planOf("make clean", "test -f dist/x"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSequenceIssue},
		"sequence, never skipped":            {plan: planOf("make clean", "test -f dist/x", "make a"), script: script{"test -f dist/x": all{exit(1, "")}}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodeSequenceIssue},
	} {
		t.Run(name, tt.check)
	}
}

// TestRunStatusWithHelp is the same where something can.
func TestRunStatusWithHelp(t *testing.T) {
	type all = []mend.Observation
	for name, tt := range map[string]passCase{
		"replaced, the last one":       {plan: planOf("make a", "npm run verify"), script: script{"npm run verify": all{missingScript}}, files: []string{"package.json", withScripts("check")}, ran: []string{"make a", "npm run verify", "npm run check"}, states: []plan.State{"passed", "replaced"}, status: plan.StatusPassedWithGaps},
		"not by an empty one":          {plan: planOf("npm run verify"), script: script{"npm run verify": all{missingScript}, "npm run check": all{emptyVitest}}, files: []string{"package.json", withScripts("check")}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"skipping comes first":         {plan: planOf("make a", "+npm run verify"), script: script{"npm run verify": all{missingScript}}, files: []string{"package.json", withScripts("check")}, ran: []string{"make a", "npm run verify"}, states: []plan.State{"passed", "skipped"}, status: plan.StatusPassedWithGaps},
		"replaced, none wanted":        {plan: planOf("npm run verify"), script: script{"npm run verify": all{missingScript}}, files: []string{"package.json", withScripts("check")}, opts: &plan.Options{InlineCandidates: -1}, ran: []string{"npm run verify"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"replaced, one wanted":         {plan: planOf("npm run verify"), script: script{"npm run verify": all{missingScript}, "npm run check": all{broken}}, files: []string{"package.json", withScripts("check", "test")}, opts: &plan.Options{InlineCandidates: 1}, ran: []string{"npm run verify", "npm run check"}, states: []plan.State{"failed"}, status: plan.StatusFailed, code: plan.CodeMissingScript},
		"make is replaced by make":     {plan: planOf("make verify"), script: script{"make verify": all{missingTarget}}, files: []string{"Makefile", "check:\n\tx\n"}, ran: []string{"make verify", "make check"}, states: []plan.State{"replaced"}, status: plan.StatusPassedWithGaps},
		"the new code goes on":         {plan: planOf("npm run verify", "make a"), script: script{"npm run verify": all{lacksProgram, missingScript}}, files: []string{"package.json", "{}"}, ran: []string{"npm run verify", "npm install", "npm run verify", "make a"}, states: []plan.State{"skipped", "passed"}, status: plan.StatusPassedWithGaps},
		"the install of an auto entry": {plan: planOf("+npm test", "make a"), script: script{"npm test": all{lacksProgram, printed("ok\n")}}, files: []string{"package.json", "{}"}, ran: []string{"npm test", "npm install", "npm test", "make a"}, states: []plan.State{"passed", "passed"}, status: plan.StatusPassed},
		"all parts run again":          {plan: planOf("make a && npm test"), script: script{"npm test": all{lacksProgram, printed("ok\n")}}, files: []string{"package.json", "{}"}, ran: []string{"make a", "npm test", "npm install", "make a", "npm test"}, states: []plan.State{"passed"}, status: plan.StatusPassed},
		"an auto one denied":           {plan: planOf("make a", "+git push"), opts: &plan.Options{Policy: &plan.PathPolicy{DeniedCommands: []string{"git push"}}}, ran: []string{"make a"}, states: []plan.State{"passed", "failed"}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
	} {
		t.Run(name, tt.check)
	}
}

// TestRunSettles is about the order of the steps that may settle an entry, and what
// each of them counts for.
func TestRunSettles(t *testing.T) {
	type all = []mend.Observation
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
		"narrowed counts as P":              {planOf("pnpm -r test", "+npm run verify"), script{"pnpm -r test": all{broken}, "npm run verify": all{missingScript}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed", "skipped"}, plan.StatusPassedWithGaps, nil},
		"narrowed does not count as E":      {planOf("pnpm -r test", "+make b"), script{"pnpm -r test": all{broken}, "make b": all{broken}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed", "failed"}, plan.StatusFailed, nil},
		"an auto entry is narrowed, too":    {planOf("+pnpm -r test"), script{"pnpm -r test": all{broken}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"narrowed"}, plan.StatusPassedWithGaps, nil},
		"narrowed before it is ignored":     {planOf("make a", "pnpm -r test"), script{"pnpm -r test": all{broken}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"passed", "narrowed"}, plan.StatusPassedWithGaps, nil},
		"ignored where narrowing fails":     {planOf("make a", "pnpm -r test"), script{"pnpm -r test": all{broken}, "cd a && pnpm test": all{broken}}, pkg, nil, []string{"a/x.ts"}, []plan.State{"passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"narrowed before anything else":     {planOf("pnpm -r test"), script{"pnpm -r test": all{lacksProgram}}, append([]string{"package.json", "{}", "pnpm-lock.yaml", ""}, pkg...), nil, []string{"a/x.ts"}, []plan.State{"narrowed"}, plan.StatusPassedWithGaps, []string{"pnpm -r test", "cd a && pnpm test"}},
		"installed where narrowing fails":   {planOf("pnpm -r test"), script{"pnpm -r test": all{lacksProgram, printed("ok\n")}, "cd a && pnpm test": all{lacksProgram}}, append([]string{"package.json", "{}", "pnpm-lock.yaml", ""}, pkg...), nil, []string{"a/x.ts"}, []plan.State{"passed"}, plan.StatusPassed, []string{"pnpm -r test", "cd a && pnpm test", "pnpm install --frozen-lockfile", "pnpm -r test"}},
		"replaced counts as P":              {planOf("make a", "npm run verify"), script{"make a": all{emptyVitest}, "npm run verify": all{missingScript}}, []string{"package.json", withScripts("check")}, nil, nil, []plan.State{"empty", "replaced"}, plan.StatusPassedWithGaps, nil},
		"skipped twice, then a pass":        {planOf("npm run verify", "make verify", "make a"), script{"npm run verify": all{missingScript}, "make verify": all{missingTarget}}, nil, nil, nil, []plan.State{"skipped", "skipped", "passed"}, plan.StatusPassedWithGaps, nil},
		"skipped twice, then nothing":       {planOf("npm run verify", "make verify", "true"), script{"npm run verify": all{missingScript}, "make verify": all{missingTarget}}, nil, nil, nil, []plan.State{"skipped", "skipped", "passed"}, plan.StatusUnverified, nil},
		"skipped, then an empty one":        {planOf("npm run verify", "npm test"), script{"npm run verify": all{missingScript}, "npm test": all{emptyVitest}}, nil, nil, nil, []plan.State{"skipped", "empty"}, plan.StatusUnverified, nil},
		"ignored alone is not effective":    {planOf("make a", "+make b"), script{"make a": all{printed("ok\n")}, "make b": all{broken}}, nil, nil, nil, []plan.State{"passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"E came before true":                {planOf("make a", "true", "+make b"), script{"make b": all{broken}}, nil, nil, nil, []plan.State{"passed", "passed", "ignored"}, plan.StatusPassedWithGaps, nil},
		"an auto wide failure":              {planOf("+make a", "+pnpm -r test"), script{"pnpm -r test": all{broken}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"a wide failure of two parts":       {planOf("make a", "pnpm -r test && pnpm -r lint"), script{"pnpm -r lint": all{broken}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"a wide one that lacks its script":  {planOf("make a", "pnpm -r run verify"), script{"pnpm -r run verify": all{exit(1, " ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None of the packages has a \"verify\" script\n")}}, nil, nil, nil, []plan.State{"passed", "failed"}, plan.StatusFailed, nil},
		"install for the part that lacks":   {planOf("make a && cd web && npm test"), script{"cd web && npm test": all{lacksProgram, printed("ok\n")}}, []string{"web/package.json", "{}", "web/package-lock.json", ""}, nil, nil, []plan.State{"passed"}, plan.StatusPassed, []string{"make a", "cd web && npm test", "cd web && npm ci", "make a", "cd web && npm test"}},
		"an install that times out":         {planOf("npm test"), script{"npm test": all{lacksProgram}, "npm install": all{timedOut}}, []string{"package.json", "{}"}, nil, nil, []plan.State{"failed"}, plan.StatusFailed, []string{"npm test", "npm install"}},
		"a replacement that is killed":      {planOf("npm run verify"), script{"npm run verify": all{missingScript}, "npm run check": all{killed}}, []string{"package.json", withScripts("check")}, nil, nil, []plan.State{"failed"}, plan.StatusFailed, nil},
		"no tests, replaced by what checks": {planOf("npm test"), script{"npm test": all{noTests}}, []string{"package.json", withScripts("test", "typecheck")}, nil, nil, []plan.State{"replaced"}, plan.StatusPassedWithGaps, []string{"npm test", "npm run typecheck"}},
		"a deleted directory":               {planOf("cd gone && make a"), script{"cd gone && make a": all{exit(1, "cd: gone: No such file or directory\n")}}, nil, nil, nil, []plan.State{"failed"}, plan.StatusFailed, nil},
		"a deleted directory, more to come": {planOf("cd gone && make a", "make b"), script{"cd gone && make a": all{exit(1, "cd: gone: No such file or directory\n")}}, nil, nil, nil, []plan.State{"skipped", "passed"}, plan.StatusPassedWithGaps, nil},
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

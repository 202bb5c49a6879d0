package plan_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

func TestHeldOutNoChange(t *testing.T) {
	type all = []mend.Observation
	for name, tt := range map[string]struct {
		plan    *plan.Plan
		script  script
		changes []plan.Change
		opts    plan.Options
		fix     int // the attempt that makes a change; 0: no hook, -1: none does
		status  plan.Status
		noop    bool
		code    plan.Code
		kinds   []plan.FixKind
		ran     []string
	}{
		"confirmed":                         {plan: planOf("make a"), status: plan.StatusPassed, noop: true, ran: []string{"make a"}},
		"nobody makes one, confirmed":       {plan: planOf("make a"), fix: -1, status: plan.StatusPassed, noop: true, kinds: times("no_change", 5), ran: []string{"make a"}},
		"fewer attempts":                    {plan: planOf("make a"), fix: -1, opts: plan.Options{NoChangeAttempts: 2}, status: plan.StatusPassed, noop: true, kinds: times("no_change", 2), ran: []string{"make a"}},
		"no attempts":                       {plan: planOf("make a"), fix: -1, opts: plan.Options{NoChangeAttempts: -1}, status: plan.StatusPassed, noop: true, ran: []string{"make a"}},
		"one is made at once":               {plan: planOf("make a"), fix: 1, status: plan.StatusPassed, kinds: times("no_change", 1), ran: []string{"make a"}},
		"one is made at last":               {plan: planOf("make a"), fix: 5, status: plan.StatusPassed, kinds: times("no_change", 5), ran: []string{"make a"}},
		"one is made too late":              {plan: planOf("make a"), fix: 3, opts: plan.Options{NoChangeAttempts: 2}, status: plan.StatusPassed, noop: true, kinds: times("no_change", 2)},
		"one is made, auto only":            {plan: planOf("+make a"), fix: 1, status: plan.StatusPassed, kinds: times("no_change", 1), ran: []string{"make a"}},
		"one is made, strict":               {plan: planOf("make a"), fix: 2, opts: plan.Options{DisableNoChangeConfirm: true}, status: plan.StatusPassed, kinds: times("no_change", 2), ran: []string{"make a"}},
		"strict":                            {plan: planOf("make a"), opts: plan.Options{DisableNoChangeConfirm: true}, status: plan.StatusFailed, code: plan.CodeNoChanges, ran: []string{}},
		"strict, and nobody makes one":      {plan: planOf("make a"), fix: -1, opts: plan.Options{DisableNoChangeConfirm: true}, status: plan.StatusFailed, code: plan.CodeNoChanges, kinds: times("no_change", 5), ran: []string{}},
		"auto only":                         {plan: planOf("+make a"), status: plan.StatusFailed, code: plan.CodeNoChanges, ran: []string{}},
		"an empty plan":                     {plan: planOf(), status: plan.StatusFailed, code: plan.CodeNoChanges, ran: []string{}},
		"explicit fails":                    {plan: planOf("make a"), script: script{"make a": all{heldTestFails}}, status: plan.StatusFailed, code: plan.CodeCommandFailed},
		"explicit fails, and is not mended": {plan: planOf("make a"), script: script{"make a": all{heldTestFails}}, fix: -1, status: plan.StatusFailed, code: plan.CodeCommandFailed, kinds: times("no_change", 5), ran: []string{"make a"}},
		"explicit times out":                {plan: planOf("make a"), script: script{"make a": all{timedOut}}, status: plan.StatusFailed, code: plan.CodeFlaky},
		"explicit is a word":                {plan: planOf("true"), status: plan.StatusFailed, code: plan.CodeNoChanges},
		"explicit runs nothing":             {plan: planOf("npm test"), script: script{"npm test": all{heldNoFiles}}, status: plan.StatusFailed, code: plan.CodeNoChanges},
		"explicit is skipped":               {plan: planOf("npm run verify"), script: script{"npm run verify": all{heldNoScript}}, status: plan.StatusFailed, code: plan.CodeNoChanges},
		"only an auto one passes":           {plan: planOf("true", "+make a"), status: plan.StatusFailed, code: plan.CodeNoChanges},
		"explicit and auto pass":            {plan: planOf("make a", "+make b"), status: plan.StatusPassed, noop: true, ran: []string{"make a", "make b"}},
		"permitted":                         {plan: planOf("make a"), opts: plan.Options{AllowNoChanges: true}, fix: -1, status: plan.StatusPassed, ran: []string{"make a"}},
		"permitted, auto only":              {plan: planOf("+make a"), opts: plan.Options{AllowNoChanges: true}, status: plan.StatusPassed, ran: []string{"make a"}},
		"ignored files are none":            {plan: planOf("make a"), changes: []plan.Change{{Path: "x.env", Ignored: true}}, status: plan.StatusPassed, noop: true},
		"generated-looking files are none":  {plan: planOf("make a"), changes: []plan.Change{{Path: "npm-debug.log", Untracked: true}, {Path: "dist/x", Untracked: true}}, status: plan.StatusPassed, noop: true},
		"a source file is one":              {plan: planOf("make a"), changes: []plan.Change{{Path: "x.go", Untracked: true}}, status: plan.StatusPassed},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTree(tt.script)
			w.changes = tt.changes
			var asked []plan.FixRequest
			opts := tt.opts
			if tt.fix != 0 {
				edit := edits(w)
				opts.Fix = fixing(&asked, func() error {
					if len(asked) == tt.fix {
						return edit()
					}
					return nil
				})
			}
			p := tt.plan
			if tt.changes == nil {
				p = changed(p)
			}
			r := mustRun(t, w, p, &opts)
			assert.Equal(t, tt.status, r.Status)
			assert.Equal(t, tt.noop, r.NoOp)
			assert.Equal(t, append([]plan.FixKind{}, tt.kinds...), kinds(asked))
			for i, a := range asked {
				assert.Equal(t, i+1, a.Attempt)
				assert.Zero(t, a.Command)
			}
			if tt.status == plan.StatusFailed {
				assert.Equal(t, tt.code, r.Meta.Code)
				assert.Error(t, r.Err())
			}
			if tt.ran != nil {
				assert.Equal(t, tt.ran, append([]string{}, w.ran...))
			}
		})
	}
	t.Run("without a workspace", func(t *testing.T) {
		env := &fakeEnv{script: script{}}
		var asked []plan.FixRequest
		r := mustRun(t, env, changed(planOf("make a")), &plan.Options{Fix: fixing(&asked)})
		assert.Equal(t, plan.StatusPassed, r.Status)
		assert.True(t, r.NoOp)
		assert.Empty(t, asked)
		r = mustRun(t, &fakeEnv{script: script{}}, planOf("make a"), nil)
		assert.Equal(t, plan.StatusPassed, r.Status)
		assert.False(t, r.NoOp, "what changed is not known")
	})
}

func TestHeldOutScope(t *testing.T) {
	u := func(path string) plan.Change { return plan.Change{Path: path, Untracked: true} }
	tr := func(path string) plan.Change { return plan.Change{Path: path} }
	for name, tt := range map[string]struct {
		changes   []plan.Change
		script    script
		fix       plan.Change // what the fix leaves
		during    plan.Change // what a command leaves
		keeps     bool
		ask       []plan.PathAction
		status    plan.Status
		code      plan.Code
		discarded []string
		allowed   []string
		ran       int
	}{
		"inside":                           {changes: []plan.Change{tr("src/x.go")}, status: plan.StatusPassed, ran: 1},
		"tracked, outside":                 {changes: []plan.Change{tr("src/x.go"), tr("main.go")}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"untracked, outside, there before": {changes: []plan.Change{tr("src/x.go"), u("notes.txt")}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"generated, there before":          {changes: []plan.Change{tr("src/x.go"), u("npm-debug.log")}, status: plan.StatusPassed, discarded: []string{"npm-debug.log"}, ran: 1},
		"denied":                           {changes: []plan.Change{tr("src/x.go"), tr("secret/k")}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"denied, generated":                {changes: []plan.Change{tr("src/x.go"), u("secret/k.log")}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"denied, whatever is said":         {changes: []plan.Change{tr("src/x.go"), tr("secret/k")}, ask: []plan.PathAction{plan.PathAllow}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"ignored":                          {changes: []plan.Change{tr("src/x.go"), {Path: "secret/k", Ignored: true, Untracked: true}}, status: plan.StatusPassed, ran: 1},
		"a lock file":                      {changes: []plan.Change{tr("src/package.json"), tr("package-lock.json")}, status: plan.StatusPassed, allowed: []string{"package-lock.json"}, ran: 1},
		"asked, allowed":                   {changes: []plan.Change{tr("src/x.go"), tr("main.go")}, ask: []plan.PathAction{plan.PathAllow}, status: plan.StatusPassed, allowed: []string{"main.go"}, ran: 1},
		"asked, discarded":                 {changes: []plan.Change{tr("src/x.go"), tr("main.go")}, ask: []plan.PathAction{plan.PathDiscard}, status: plan.StatusPassed, discarded: []string{"main.go"}, ran: 1},
		"asked, denied":                    {changes: []plan.Change{tr("src/x.go"), tr("main.go")}, ask: []plan.PathAction{plan.PathDeny}, status: plan.StatusFailed, code: plan.CodePolicyViolation},
		"discarding does nothing":          {changes: []plan.Change{tr("src/x.go"), u("npm-debug.log")}, keeps: true, status: plan.StatusFailed, code: plan.CodePolicyViolation, discarded: []string{"npm-debug.log"}},
		"a command leaves a file":          {changes: []plan.Change{tr("src/x.go")}, during: u("report.txt"), status: plan.StatusPassed, discarded: []string{"report.txt"}, ran: 1},
		"a command edits a file":           {changes: []plan.Change{tr("src/x.go")}, during: tr("main.go"), status: plan.StatusFailed, code: plan.CodePolicyViolation, ran: 1},
		"a command edits a denied file":    {changes: []plan.Change{tr("src/x.go")}, during: u("secret/k"), status: plan.StatusFailed, code: plan.CodePolicyViolation, ran: 1},
		"a fix leaves a file":              {changes: []plan.Change{tr("src/x.go")}, script: script{"make a": {heldTestFails, printed("ok\n")}}, fix: u("helper.go"), status: plan.StatusPassed, discarded: []string{"helper.go"}, ran: 3},
		"a fix edits a file":               {changes: []plan.Change{tr("src/x.go")}, script: script{"make a": {heldTestFails, printed("ok\n")}}, fix: tr("Makefile"), status: plan.StatusFailed, code: plan.CodePolicyViolation, ran: 1},
		"a fix edits a denied file":        {changes: []plan.Change{tr("src/x.go")}, script: script{"make a": {heldTestFails, printed("ok\n")}}, fix: u("secret/k"), status: plan.StatusFailed, code: plan.CodePolicyViolation, ran: 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTree(tt.script)
			w.changes, w.keeps = tt.changes, tt.keeps
			policy, err := plan.NewPathPolicy([]string{"src/**"}, []string{"secret/**"}, nil)
			require.NoError(t, err)
			if tt.ask != nil {
				policy.Ask = func(context.Context, []plan.Violation) ([]plan.PathAction, error) { return tt.ask, nil }
			}
			left := false
			w.during = func(string) {
				if tt.during.Path != "" && !left {
					left = true
					w.changes = append(w.changes, tt.during)
				}
			}
			fixed := false
			r := mustRun(t, w, planOf("make a"), &plan.Options{Policy: policy, Fix: func(context.Context, plan.FixRequest) error {
				if !fixed && tt.fix.Path != "" {
					fixed = true
					w.changes = append(w.changes, tt.fix)
				}
				w.files["src/x.go"] = tree("a", "b")["a"]
				return nil
			}})
			assert.Equal(t, tt.status, r.Status)
			assert.Equal(t, tt.discarded, r.Discarded)
			assert.Equal(t, tt.allowed, r.Allowed)
			if tt.ran != 0 || tt.status == plan.StatusFailed {
				if tt.fix.Path == "" || tt.status == plan.StatusFailed {
					assert.Len(t, w.ran, tt.ran)
				}
			}
			if tt.code != "" {
				assert.Equal(t, tt.code, r.Meta.Code)
				assert.NotEmpty(t, r.Violations)
				assert.NotEmpty(t, r.Meta.PolicyViolations)
			} else {
				assert.Empty(t, r.Violations)
			}
		})
	}
}

// strictPolicy says the same of everything.
type strictPolicy struct{ action plan.PathAction }

func (strictPolicy) DeniedCommand(plan.Part) string { return "" }
func (strictPolicy) Violations(c []plan.Change) []plan.Violation {
	var all []plan.Violation
	for _, one := range c {
		kind := plan.ViolationOutside
		if one.Path == "secret" {
			kind = plan.ViolationDenied
		}
		all = append(all, plan.Violation{Change: one, Kind: kind})
	}
	return all
}
func (p strictPolicy) Resolve(_ context.Context, _ []plan.Change, v []plan.Violation) ([]plan.PathAction, error) {
	var all []plan.PathAction
	if p.action == "none" {
		return nil, nil
	}
	for range v {
		all = append(all, p.action)
	}
	return all, nil
}

func TestHeldOutPolicyInterface(t *testing.T) {
	for _, tt := range []struct {
		path   string
		action plan.PathAction
		bare   bool
		status plan.Status
	}{
		{"x", plan.PathAllow, false, plan.StatusPassed},
		{"x", plan.PathAllow, true, plan.StatusPassed},
		{"x", plan.PathDeny, false, plan.StatusFailed},
		{"x", plan.PathDeny, true, plan.StatusFailed},
		{"x", plan.PathDiscard, true, plan.StatusFailed},
		{"x", "none", false, plan.StatusFailed},
		{"x", "perhaps", false, plan.StatusFailed},
		{"x", "", false, plan.StatusFailed},
		{"secret", plan.PathAllow, false, plan.StatusFailed},
		{"secret", plan.PathDiscard, false, plan.StatusFailed},
		{"secret", plan.PathAllow, true, plan.StatusFailed},
	} {
		var env mend.Environment = newTree(nil, tt.path)
		if tt.bare {
			env = &fakeEnv{script: script{}}
		}
		r := mustRun(t, env, changed(planOf("make a"), tt.path), &plan.Options{Policy: strictPolicy{tt.action}})
		assert.Equal(t, tt.status, r.Status, "%+v", tt)
		if tt.status == plan.StatusFailed {
			assert.Equal(t, plan.CodePolicyViolation, r.Meta.Code, "%+v", tt)
		} else {
			assert.Equal(t, []string{"x"}, r.Allowed)
		}
	}
}

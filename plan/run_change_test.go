package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// TestRunLooksForAChange is about how often a change is asked for, and what becomes
// of the plan with and without one.
func TestRunLooksForAChange(t *testing.T) {
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
		"fewer attempts":               {plan: planOf("make a"), fix: -1, opts: plan.Options{NoChangeAttempts: 2}, status: plan.StatusPassed, noop: true, kinds: times("no_change", 2), ran: []string{"make a"}},
		"no attempts":                  {plan: planOf("make a"), fix: -1, opts: plan.Options{NoChangeAttempts: -1}, status: plan.StatusPassed, noop: true, ran: []string{"make a"}},
		"one is made at once":          {plan: planOf("make a"), fix: 1, status: plan.StatusPassed, kinds: times("no_change", 1), ran: []string{"make a"}},
		"one is made at last":          {plan: planOf("make a"), fix: 5, status: plan.StatusPassed, kinds: times("no_change", 5), ran: []string{"make a"}},
		"one is made too late":         {plan: planOf("make a"), fix: 3, opts: plan.Options{NoChangeAttempts: 2}, status: plan.StatusPassed, noop: true, kinds: times("no_change", 2)},
		"one is made, auto only":       {plan: planOf("+make a"), fix: 1, status: plan.StatusPassed, kinds: times("no_change", 1), ran: []string{"make a"}},
		"one is made, strict":          {plan: planOf("make a"), fix: 2, opts: plan.Options{DisableNoChangeConfirm: true}, status: plan.StatusPassed, kinds: times("no_change", 2), ran: []string{"make a"}},
		"strict, and nobody makes one": {plan: planOf("make a"), fix: -1, opts: plan.Options{DisableNoChangeConfirm: true}, status: plan.StatusFailed, code: plan.CodeNoChanges, kinds: times("no_change", 5), ran: []string{}},
		"explicit times out":           {plan: planOf("make a"), script: script{"make a": all{timedOut}}, status: plan.StatusFailed, code: plan.CodeFlaky},
		"explicit runs nothing":        {plan: planOf("npm test"), script: script{"npm test": all{emptyVitest}}, status: plan.StatusFailed, code: plan.CodeNoChanges},
		"explicit and auto pass":       {plan: planOf("make a", "+make b"), status: plan.StatusPassed, noop: true, ran: []string{"make a", "make b"}},
		"permitted":                    {plan: planOf("make a"), opts: plan.Options{AllowNoChanges: true}, fix: -1, status: plan.StatusPassed, ran: []string{"make a"}},
		"a source file is one":         {plan: planOf("make a"), changes: []plan.Change{{Path: "x.go", Untracked: true}}, status: plan.StatusPassed},
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
}

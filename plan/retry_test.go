package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestRetryLimit(t *testing.T) {
	for category, want := range map[plan.Category]int{
		plan.CategorySetup: 3, plan.CategoryEnv: 5, plan.CategoryTest: 3, plan.CategoryFlaky: 6, plan.CategoryPolicy: 3,
		plan.CategoryNoop: 0, plan.CategoryPermission: 0, plan.CategoryModel: 3, plan.CategoryModelLoop: 1, "none": 0,
	} {
		assert.Equal(t, want, plan.RetryPolicy{}.Limit(category), category)
		assert.Equal(t, min(want, 2), plan.RetryPolicy{MaxRetries: 2}.Limit(category), category)
		assert.Equal(t, 0, plan.RetryPolicy{MaxRetries: -1}.Limit(category), category)
	}
	own := plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 9, plan.CategoryEnv: 0, plan.CategoryFlaky: -2}}
	assert.Equal(t, 9, own.Limit(plan.CategoryTest))
	assert.Equal(t, 0, own.Limit(plan.CategoryEnv))
	assert.Equal(t, 0, own.Limit(plan.CategoryFlaky))
	assert.Equal(t, 3, own.Limit(plan.CategorySetup))
	own.MaxRetries = 4
	assert.Equal(t, 4, own.Limit(plan.CategoryTest), "at most MaxRetries")
}

// historyOf returns failures with the codes, and signatures that all differ unless
// a code has one behind a colon.
func historyOf(codes ...string) []plan.Meta {
	var history []plan.Meta
	for i, c := range codes {
		code, signature, ok := strings.Cut(c, ":")
		if !ok {
			signature = strings.Repeat("x", i+1)
		}
		history = append(history, plan.Meta{Code: plan.Code(code), Signature: signature})
	}
	return history
}

func TestDecide(t *testing.T) {
	test, flaky, script, setup, noop := string(plan.CodeTestFailure), string(plan.CodeFlaky), string(plan.CodeMissingScript), string(plan.CodeSetupIssue), string(plan.CodeNoChanges)
	env, quota, loop := string(plan.CodeEnvironmentIssue), string(plan.CodeQuota), string(plan.CodeModelLoop)
	for _, c := range []struct {
		name    string
		policy  plan.RetryPolicy
		history []plan.Meta
		action  plan.RetryAction
		retries int
	}{
		{"none", plan.RetryPolicy{MaxRetries: -1}, nil, plan.RetryAgain, 0},
		{"first", plan.RetryPolicy{}, historyOf(test), plan.RetryAgain, 0},
		{"under the limit", plan.RetryPolicy{}, historyOf(test, test, test), plan.RetryAgain, 2},
		{"a limit of 3 is 3", plan.RetryPolicy{}, historyOf(test, test, test, test), plan.RetryStop, 3},
		{"others do not count", plan.RetryPolicy{}, historyOf(flaky, test, flaky, test, flaky), plan.RetryAgain, 2},
		{"codes of one category do", plan.RetryPolicy{}, historyOf(script, setup, script, setup), plan.RetryStop, 3},
		{"never", plan.RetryPolicy{}, historyOf(noop), plan.RetryStop, 0},
		{"adjust", plan.RetryPolicy{}, historyOf(script), plan.RetryAdjust, 0},
		{"adjust beyond the limit", plan.RetryPolicy{}, historyOf(script, script, script, script, script), plan.RetryAdjust, 4},
		{"diverged is no adjustment", plan.RetryPolicy{}, historyOf(string(plan.CodeBranchDiverged)), plan.RetryStop, 0},
		{"all retries are bounded", plan.RetryPolicy{MaxRetries: 2}, historyOf(flaky, script, test), plan.RetryStop, 0},
		{"under the bound", plan.RetryPolicy{MaxRetries: 2}, historyOf(flaky, test), plan.RetryAgain, 0},
		{"adjustments too", plan.RetryPolicy{MaxRetries: 2}, historyOf(flaky, test, script), plan.RetryStop, 0},
		{"no retries", plan.RetryPolicy{MaxRetries: -1}, historyOf(script), plan.RetryStop, 0},
		{"repeated", plan.RetryPolicy{}, historyOf(flaky+":a", flaky+":a", flaky+":a", flaky+":a"), plan.RetryStop, 3},
		{"repeated at last", plan.RetryPolicy{RepeatedSignatureThreshold: 2}, historyOf(flaky, flaky+":a", flaky+":a"), plan.RetryStop, 2},
		{"repeated, but not at last", plan.RetryPolicy{RepeatedSignatureThreshold: 2}, historyOf(flaky+":a", flaky+":a", flaky+":b"), plan.RetryAgain, 2},
		{"an adjustable one repeated", plan.RetryPolicy{RepeatedSignatureThreshold: 2}, historyOf(script+":a", script+":a"), plan.RetryStop, 1},
		{"empty signatures", plan.RetryPolicy{}, historyOf(flaky+":", flaky+":", flaky+":", flaky+":"), plan.RetryAgain, 3},
		{"repeated, whatever the category", plan.RetryPolicy{}, historyOf(env+":a", env+":a", flaky+":a", flaky+":a"), plan.RetryStop, 1},
		{"a row that was broken", plan.RetryPolicy{}, historyOf(flaky+":a", flaky+":a", flaky+":b", flaky+":a", flaky+":a", flaky+":a"), plan.RetryAgain, 5},
		{"under the threshold", plan.RetryPolicy{RepeatedSignatureThreshold: 5}, historyOf(flaky+":a", flaky+":a", flaky+":a", flaky+":a"), plan.RetryAgain, 3},
		{"an adjustable one, three times", plan.RetryPolicy{}, historyOf(script+":a", script+":a", script+":a"), plan.RetryAdjust, 2},
		{"the machine and quotas are one", plan.RetryPolicy{}, historyOf(env, quota, env, env, quota, env), plan.RetryStop, 5},
		{"six for what is flaky", plan.RetryPolicy{}, historyOf(flaky, flaky, flaky, flaky, flaky, flaky), plan.RetryAgain, 5},
		{"and no more", plan.RetryPolicy{}, historyOf(flaky, flaky, flaky, flaky, flaky, flaky, flaky), plan.RetryStop, 6},
		{"one for a loop", plan.RetryPolicy{}, historyOf(loop), plan.RetryAgain, 0},
		{"not two", plan.RetryPolicy{}, historyOf(loop, loop), plan.RetryStop, 1},
		{"codes that nobody knows are a model's", plan.RetryPolicy{}, historyOf("x", string(plan.CodeModel), "y", string(plan.CodeModel)), plan.RetryStop, 3},
		{"a limit of its own", plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 5}}, historyOf(test, test, test, test, test), plan.RetryAgain, 4},
		{"and a lower one", plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 1}}, historyOf(test, test), plan.RetryStop, 1},
		{"never mind", plan.RetryPolicy{RepeatedSignatureThreshold: -1}, historyOf(flaky+":a", flaky+":a", flaky+":a", flaky+":a"), plan.RetryAgain, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := c.policy.Decide(c.history)
			assert.Equal(t, c.action, d.Action)
			assert.Equal(t, c.retries, d.Retries)
			if len(c.history) > 0 {
				assert.Equal(t, plan.Classify(&c.history[len(c.history)-1], ""), d.Class)
				assert.Equal(t, c.policy.Limit(d.Category), d.Limit)
			}
			assert.Equal(t, strings.Contains(c.name, "repeated") && c.action == plan.RetryStop, d.Repeated)
		})
	}
}

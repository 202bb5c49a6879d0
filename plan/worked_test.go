package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

const workedContract = `{ "commands": ["go vet ./..."], "byRole": {"tester": ["cd e2e && npm test"]},
  "rules": [{"whenChangedAny": ["services/billing/**"], "commands": ["cd services/billing && go test ./..."]}] }`

// TestWorkedExample takes a change the whole way: a wish that does not exist, a
// demand that is met, one that lacks a module, and what becomes of the wish the
// next time.
func TestWorkedExample(t *testing.T) {
	const billing = "cd services/billing && go test ./..."
	contract, err := plan.ParseContract([]byte(workedContract))
	require.NoError(t, err)
	w := newTree(script{
		"npm run verify": {exit(1, "npm error Missing script: \"verify\"\nnpm error\n")},
		billing:          {exit(1, "invoice.go:6:2: no required module provides package example.org/money; to add it:\n\tgo get example.org/money\n"), printed("ok  \texample.org/billing\t0.01s\n")},
	}, "services/billing/invoice.go").with("package.json", `{"scripts": {"build": "tsc"}}`, "services/billing/go.mod", "module x\n", "go.mod", "module y\n")
	opts := &plan.Options{Run: plan.StageOptions{Mode: plan.ModeFallback}}
	var fixes []plan.FixRequest
	opts.Fix = fixing(&fixes)

	p, err := plan.Build(t.Context(), plan.Request{
		Explicit: []string{"npm run verify"}, Contract: contract, Changed: []string{"services/billing/invoice.go"}, Files: w.files,
	}, opts)
	require.NoError(t, err)
	var built []string
	for _, c := range p.Commands {
		built = append(built, c.ID+" "+string(c.Source)+" "+c.Line)
	}
	assert.Equal(t, []string{"3307f700 explicit npm run verify", "b6a38401 auto go vet ./...", "8e74e7cf auto " + billing}, built)

	r := mustRun(t, w, p, opts)
	assert.Equal(t, []string{"npm run verify", "go vet ./...", billing, "cd services/billing && go mod download", billing}, w.ran)
	assert.Equal(t, []plan.State{plan.StateSkipped, plan.StatePassed, plan.StatePassed}, states(r))
	assert.Equal(t, plan.StatusPassedWithGaps, r.Status)
	assert.Empty(t, fixes)
	meta, err := json.Marshal(r.Outcomes[0].Meta)
	require.NoError(t, err)
	for _, part := range []string{
		`"failureCode":"verification_command_missing_script"`, `"failedCommandSource":"explicit"`, `"commandId":"3307f700"`, `"exitCode":1`,
	} {
		assert.Contains(t, string(meta), part)
	}

	next, adjustment := plan.Adjust(p, r.Outcomes[0].Meta)
	require.NotNil(t, adjustment)
	assert.Equal(t, plan.CodeMissingScript, adjustment.Reason)
	assert.Equal(t, "drop_failed_command", adjustment.RecoveryRule)
	assert.Equal(t, []string{"go vet ./...", billing}, adjustment.NextCommands)
	require.Len(t, next.Dropped, 1)
	assert.Equal(t, "npm run verify", next.Dropped[0].Line)
	assert.Len(t, p.Commands, 3, "the plan itself is not changed")

	r = mustRun(t, w, next, opts)
	assert.Equal(t, []plan.State{plan.StatePassed, plan.StatePassed}, states(r))
	assert.Equal(t, plan.StatusPassedWithGaps, r.Status, "what was asked for has not been verified")

	w.script["npm run verify"] = []mend.Observation{printed("ok\n")} // the script is added
	r = mustRun(t, w, p, opts)
	assert.Equal(t, plan.StatusPassed, r.Status)
	assert.True(t, strings.HasPrefix(r.Outcomes[0].Command.ID, "3307f700"))
}

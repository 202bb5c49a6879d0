package plan_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/plan"
)

func TestHeldoutProposeWith(t *testing.T) {
	answer := func(lines ...string) mendtest.Turn {
		return mendtest.Call("submit", map[string][]string{"commands": lines})
	}
	bad, good := answer("a | b"), answer("go vet ./...", "go test ./...")
	for name, c := range map[string]struct {
		turns   []mendtest.Turn
		retries int
		limit   int // turns of the conversation; 0: 5
		want    []string
		failed  bool
		calls   int
	}{
		"right at once":          {[]mendtest.Turn{good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 1},
		"right after one":        {[]mendtest.Turn{bad, good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
		"right after two":        {[]mendtest.Turn{bad, bad, good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 3},
		"reconciled":             {[]mendtest.Turn{bad, bad, bad, good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 4},
		"never right":            {[]mendtest.Turn{bad, bad, bad, bad, good}, 2, 0, nil, true, 4},
		"no retries, reconciled": {[]mendtest.Turn{bad, good}, 0, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
		"no retries, never":      {[]mendtest.Turn{bad, bad, good}, 0, 0, nil, true, 2},
		"a lint error goes back": {[]mendtest.Turn{answer("rm -rf /"), good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
		"a builtin goes back":    {[]mendtest.Turn{answer("x && exit"), good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
		"turns bound it":         {[]mendtest.Turn{bad, bad, bad, good}, 2, 2, nil, true, 2},
		"the provider fails":     {[]mendtest.Turn{{Err: errors.New("boom")}, good}, 2, 0, nil, true, 1},
		"fails after one":        {[]mendtest.Turn{bad, {Err: errors.New("boom")}, good}, 2, 0, nil, true, 2},
	} {
		t.Run(name, func(t *testing.T) {
			conv, p := conversation(mend.Limits{Turns: c.limit}, c.turns...)
			got, err := plan.ProposeWith(conv)(t.Context(), plan.ProposeRequest{Explicit: []string{"e"}, Max: 4, Retries: c.retries, Timeout: time.Minute, ReconcileTimeout: time.Minute})
			assert.Len(t, p.Requests(), c.calls)
			if c.failed {
				assert.Empty(t, got)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestHeldoutPlanJSON(t *testing.T) {
	p := &plan.Plan{Commands: []plan.Command{{ID: "1", Line: "x", Source: plan.SourceAuto, Origin: "model"}}, Changed: []string{}, ContractHash: "h",
		Dropped: []plan.Dropped{{Command: plan.Command{ID: "2", Line: "y", Source: plan.SourceExplicit, Origin: "author"}, Reason: plan.CodeNoTestFiles}}}
	got, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, `{"version":1,"commands":[{"id":"1","line":"x","source":"auto","origin":"model"}],"changed":[],"contractHash":"h","warnings":[],
		"dropped":[{"id":"2","line":"y","source":"explicit","origin":"author","reason":"verification_command_no_test_files"}]}`, string(got))
	var back plan.Plan
	require.NoError(t, json.Unmarshal(got, &back))
	assert.NotNil(t, back.Changed)
	assert.Equal(t, p.Lines(), back.Lines())
	assert.Equal(t, p.Dropped, back.Dropped)
	got, err = json.Marshal(&plan.Plan{})
	require.NoError(t, err)
	assert.JSONEq(t, `{"version":1,"commands":[],"changed":null,"contractHash":"","warnings":[],"dropped":[]}`, string(got))
	var e *plan.OptionError
	require.ErrorAs(t, json.Unmarshal([]byte(`{"version":2}`), &back), &e)
	assert.Empty(t, (*plan.Plan)(nil).Lines())
}

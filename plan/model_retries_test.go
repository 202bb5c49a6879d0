package plan_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/plan"
)

// TestProposeWithAsksAgain holds how often a model is asked for an answer that can
// be run, and what ends that.
func TestProposeWithAsksAgain(t *testing.T) {
	bad, good := proposed("a | b"), proposed("go vet ./...", "go test ./...")
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
		"a lint error goes back": {[]mendtest.Turn{proposed("rm -rf /"), good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
		"a builtin goes back":    {[]mendtest.Turn{proposed("x && exit"), good}, 2, 0, []string{"go vet ./...", "go test ./..."}, false, 2},
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

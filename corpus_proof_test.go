package mend_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// knownPassing are the broken installs on which checks of other tools pass, and
// why. One on which none passes has to go from here.
var knownPassing = map[string]string{
	"polite-please-install-0/camlp5r": "name and version stand in a sentence, and the exit code is 0",
}

// invariantRow is a broken install that prints one thing whatever it is asked.
type invariantRow struct {
	*corpusRow
	run corpusRun
}

// TestCorpusChecksFailOnBrokenInstalls holds every mended check against every
// broken install: of the same tool, and of others as if they were the tool.
func TestCorpusChecksFailOnBrokenInstalls(t *testing.T) {
	outcomes, err := corpusOutcomes()
	require.NoError(t, err)
	ofTool := make(map[string][]*corpusRow)
	var invariant []invariantRow
	for _, o := range outcomes {
		if o.Label != "broken" || knownAccepted[o.ID] != "" {
			continue
		}
		ofTool[o.Tool] = append(ofTool[o.Tool], o.corpusRow)
		if run, ok := o.invariant(); ok {
			invariant = append(invariant, invariantRow{o.corpusRow, run})
		}
	}
	var mu sync.Mutex
	same, others, passing := 0, 0, make(map[string]int)
	eachInParallel(len(outcomes), func(i int) {
		o := outcomes[i]
		if o.Label != "works" || !o.mended() {
			return
		}
		var passes []string
		for _, b := range ofTool[o.Tool] {
			if b.passes(*o.result.Recipe.Verify) {
				t.Errorf("%s: its check passes on %s: %+v", o.ID, b.ID, *o.result.Recipe.Verify)
			}
		}
		for _, b := range invariant {
			if b.Tool != o.Tool && o.passesOn(b) {
				passes = append(passes, b.ID)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		same, others = same+len(ofTool[o.Tool]), others+len(invariant)
		for _, id := range passes {
			if passing[id]++; knownPassing[id] == "" {
				t.Errorf("%s: its check would pass on %s: %+v", o.ID, id, *o.result.Recipe.Verify)
			}
		}
	})
	t.Logf("held against %d broken installs of the same tool, and %d of others", same, others)
	require.NotZero(t, same)
	require.NotZero(t, others)
	for id, reason := range knownPassing {
		assert.NotZero(t, passing[id], "%s: no check passes any more; it has to go from the list", id)
		t.Logf("%3d checks pass on %s: %s", passing[id], id, reason)
	}
}

// passes reports whether a check of the tool passes on its broken install.
func (r *corpusRow) passes(v mend.VerifySection) bool {
	lines := []string{v.Command}
	for _, a := range v.Additional {
		lines = append(lines, a.Command)
	}
	var obs []mend.Observation
	for _, line := range lines {
		argv, err := command.Split(line)
		if err != nil || argv[0] != r.Tool || len(argv) != 2 {
			return false
		}
		run, ok := r.Runs[argv[1]]
		if !ok {
			return false
		}
		obs = append(obs, run.observation(argv))
	}
	return mend.Judge(v, obs, mend.Installed{Version: r.Version}).Passed
}

// passesOn reports whether the check that was made for the tool passes on what a
// broken install of another one prints, with the tool's name and version in it.
// A fault's exit code is chance, so it is taken for the one that the check wants,
// unless that is 0.
func (o *corpusOutcome) passesOn(b invariantRow) bool {
	v, run := *o.result.Recipe.Verify, b.run
	lenient := v.ExitCode != nil && *v.ExitCode != 0
	if !lenient && (run.Exit != 0 || run.Timeout) {
		return false
	}
	run.Stdout, run.Stderr = o.replaced(run.Stdout, b.corpusRow), o.replaced(run.Stderr, b.corpusRow)
	obs := run.observation([]string{o.Tool})
	all := []mend.Observation{obs}
	for range v.Additional {
		all = append(all, obs)
	}
	if lenient {
		all[0].ExitCode, all[0].Signal, all[0].TimedOut = *v.ExitCode, "", false
	}
	return mend.Judge(v, all, mend.Installed{Version: o.Version}).Passed
}

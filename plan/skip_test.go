package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

// codes are all codes that there are.
var codes = []plan.Code{
	plan.CodeMissingScript, plan.CodeNoTestFiles, plan.CodeMissingMakeTarget, plan.CodeUnsupportedFormat, plan.CodeSequenceIssue, plan.CodeCommandFailed,
	plan.CodeSetupIssue, plan.CodeEnvironmentIssue, plan.CodeQuota, plan.CodeTestFailure, plan.CodeFlaky, plan.CodeModelLoop, plan.CodeModel,
	plan.CodePolicyViolation, plan.CodeNoChanges, plan.CodeExternalDirectory, plan.CodeBranchDiverged, plan.CodeExecutionFailed, plan.CodePermissionDenied,
}

// eachState calls f with every state there is, and its letters.
func eachState(f func(letters string, st plan.SkipState)) {
	for bits := range 32 {
		st := plan.SkipState{Remaining: bits&1 != 0, Passed: bits&2 != 0, ExplicitPassed: bits&4 != 0, DocOnly: bits&8 != 0, NoOp: bits&16 != 0}
		letters := ""
		for i, letter := range "RPEDN" {
			if bits&(1<<i) != 0 {
				letters += string(letter)
			}
		}
		f(letters, st)
	}
}

// TestShouldSkip holds the whole table: every code, both sources, every state.
func TestShouldSkip(t *testing.T) {
	skips := map[plan.Code]map[plan.Source]string{ // any of the letters is enough
		plan.CodeMissingScript:     {plan.SourceExplicit: "RDN", plan.SourceAuto: "RPDN"},
		plan.CodeNoTestFiles:       {plan.SourceExplicit: "RDN", plan.SourceAuto: "RPDN"},
		plan.CodeMissingMakeTarget: {plan.SourceExplicit: "RDN", plan.SourceAuto: "RPDN"},
		plan.CodeUnsupportedFormat: {plan.SourceExplicit: "RPDN", plan.SourceAuto: "RPDN"},
		plan.CodeSetupIssue:        {plan.SourceAuto: "R"},
	}
	real := []plan.Code{plan.CodeCommandFailed, plan.CodeTestFailure}
	for _, code := range codes {
		for _, source := range []plan.Source{plan.SourceExplicit, plan.SourceAuto} {
			for _, line := range []string{"npm test", "pnpm -r test"} {
				eachState(func(letters string, st plan.SkipState) {
					want := plan.StateFailed
					if any := skips[code][source]; any != "" && strings.ContainsAny(letters, any) {
						want = plan.StateSkipped
					}
					for _, c := range real {
						lets := source == plan.SourceAuto && st.ExplicitPassed || source == plan.SourceExplicit && st.Passed && line == "pnpm -r test"
						if code == c && !st.Remaining && lets {
							want = plan.StateIgnored
						}
					}
					c := plan.Command{Line: line, Source: source}
					assert.Equal(t, want, plan.ShouldSkip(c, code, st, nil), "%s %s %s %s", code, source, line, letters)
				})
			}
		}
	}
}

func TestShouldSkipSwitches(t *testing.T) {
	explicit, auto := plan.Command{Line: "pnpm -r test", Source: plan.SourceExplicit}, plan.Command{Line: "npm test", Source: plan.SourceAuto}
	all := plan.SkipState{Remaining: true, Passed: true, DocOnly: true, NoOp: true}
	end := plan.SkipState{Passed: true, ExplicitPassed: true}
	for name, tt := range map[string]struct {
		opts plan.Options
		want [4]plan.State // explicit missing, explicit failed, auto missing, auto failed
	}{
		"none":     {plan.Options{}, [4]plan.State{plan.StateSkipped, plan.StateIgnored, plan.StateSkipped, plan.StateIgnored}},
		"explicit": {plan.Options{DisableSkipMissingExplicit: true}, [4]plan.State{plan.StateFailed, plan.StateFailed, plan.StateSkipped, plan.StateIgnored}},
		"auto":     {plan.Options{DisableSkipInvalidAuto: true}, [4]plan.State{plan.StateSkipped, plan.StateIgnored, plan.StateFailed, plan.StateFailed}},
		"blocking": {plan.Options{DisableNonBlockingAuto: true}, [4]plan.State{plan.StateSkipped, plan.StateIgnored, plan.StateSkipped, plan.StateFailed}},
	} {
		got := [4]plan.State{
			plan.ShouldSkip(explicit, plan.CodeMissingScript, all, &tt.opts), plan.ShouldSkip(explicit, plan.CodeCommandFailed, end, &tt.opts),
			plan.ShouldSkip(auto, plan.CodeMissingScript, all, &tt.opts), plan.ShouldSkip(auto, plan.CodeCommandFailed, end, &tt.opts),
		}
		assert.Equal(t, tt.want, got, name)
	}
	for _, line := range []string{"pnpm -r test && true", "cd a && pnpm -r test", "pnpm -r --filter x test", "pnpm -r test | tee x"} {
		c := plan.Command{Line: line, Source: plan.SourceExplicit}
		assert.Equal(t, plan.StateFailed, plan.ShouldSkip(c, plan.CodeCommandFailed, end, nil), line)
	}
	unknown := plan.Command{Line: "npm test", Source: "other"}
	assert.Equal(t, plan.StateFailed, plan.ShouldSkip(unknown, plan.CodeSetupIssue, all, nil), "a source that is none is held to what is explicit")
}

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

// TestShouldSkip holds the table as a formula, for every line, code, state, source
// and switch.
func TestShouldSkip(t *testing.T) {
	lines := map[string]bool{ // whether it is one workspace-wide part
		"pnpm -r test": true, "npm run lint --workspaces": true, "yarn workspaces run x": true, "cargo test --workspace": true,
		"npm test": false, "pnpm -r test && make a": false, "cd web && pnpm -r test": false, "pnpm -r --filter a test": false, "pnpm -r test | tee x": false,
	}
	for line, wide := range lines {
		for _, code := range append([]plan.Code{"", "other"}, codes...) {
			eachState(func(letters string, st plan.SkipState) {
				for bits := range 1 << 3 {
					o := &plan.Options{DisableSkipMissingExplicit: bits&1 != 0, DisableSkipInvalidAuto: bits&2 != 0, DisableNonBlockingAuto: bits&4 != 0}
					for _, source := range []plan.Source{plan.SourceExplicit, plan.SourceAuto} {
						c := plan.Command{Line: line, Source: source}
						want, got := skipOf(source, code, wide, letters, o), plan.ShouldSkip(c, code, st, o)
						if got != want { // an assertion for each takes its time
							assert.Equal(t, want, got, "%s %s %s %s %03b", source, line, code, letters, bits)
						}
					}
				}
			})
		}
	}
	missing := plan.Command{Line: "npm test", Source: plan.SourceExplicit}
	assert.Equal(t, plan.StateSkipped, plan.ShouldSkip(missing, plan.CodeMissingScript, plan.SkipState{Remaining: true}, nil))
	unknown := plan.Command{Line: "npm test", Source: "other"}
	all := plan.SkipState{Remaining: true, Passed: true, DocOnly: true, NoOp: true}
	assert.Equal(t, plan.StateFailed, plan.ShouldSkip(unknown, plan.CodeSetupIssue, all, nil), "a source that is none is held to what is explicit")
}

// skipOf is the table.
func skipOf(source plan.Source, code plan.Code, wide bool, letters string, o *plan.Options) plan.State {
	has := func(any string) bool { return strings.ContainsAny(letters, any) }
	auto := source == plan.SourceAuto
	if auto && o.DisableSkipInvalidAuto || !auto && o.DisableSkipMissingExplicit {
		return plan.StateFailed
	}
	skip, ignore := false, false
	switch code {
	case plan.CodeMissingScript, plan.CodeNoTestFiles, plan.CodeMissingMakeTarget:
		skip = has("RDN") || auto && has("P")
	case plan.CodeUnsupportedFormat:
		skip = has("RPDN")
	case plan.CodeSetupIssue:
		skip = auto && has("R")
	case plan.CodeCommandFailed, plan.CodeTestFailure:
		ignore = !has("R") && (auto && has("E") && !o.DisableNonBlockingAuto || !auto && has("P") && wide)
	}
	switch {
	case skip:
		return plan.StateSkipped
	case ignore:
		return plan.StateIgnored
	}
	return plan.StateFailed
}

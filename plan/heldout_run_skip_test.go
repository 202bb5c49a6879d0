package plan_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

// TestHeldOutShouldSkip holds every state, code, source and switch against the table written as a formula.
func TestHeldOutShouldSkip(t *testing.T) {
	codes := []plan.Code{
		plan.CodeMissingScript, plan.CodeNoTestFiles, plan.CodeMissingMakeTarget, plan.CodeUnsupportedFormat, plan.CodeSequenceIssue, plan.CodeCommandFailed,
		plan.CodeTestFailure, plan.CodeSetupIssue, plan.CodeEnvironmentIssue, plan.CodeQuota, plan.CodeFlaky, plan.CodeModelLoop, plan.CodeModel, plan.CodePolicyViolation,
		plan.CodeNoChanges, plan.CodeExternalDirectory, plan.CodeBranchDiverged, plan.CodeExecutionFailed, plan.CodePermissionDenied, "", "other",
	}
	lines := map[string]bool{ // whether it is one workspace-wide part
		"pnpm -r test": true, "npm run lint --workspaces": true, "yarn workspaces run x": true, "cargo test --workspace": true,
		"make test": false, "pnpm -r test && make a": false, "cd web && pnpm -r test": false, "pnpm -r --filter a test": false, "a | b": false,
	}
	for line, wide := range lines {
		for _, code := range codes {
			for bits := range 1 << 5 {
				r, p, e, d, n := bits&1 != 0, bits&2 != 0, bits&4 != 0, bits&8 != 0, bits&16 != 0
				for sw := range 1 << 3 {
					o := &plan.Options{DisableSkipMissingExplicit: sw&1 != 0, DisableSkipInvalidAuto: sw&2 != 0, DisableNonBlockingAuto: sw&4 != 0}
					for _, src := range []plan.Source{plan.SourceExplicit, plan.SourceAuto} {
						auto := src == plan.SourceAuto
						want := plan.StateFailed
						allowed := !auto && !o.DisableSkipMissingExplicit || auto && !o.DisableSkipInvalidAuto
						switch code {
						case plan.CodeMissingScript, plan.CodeNoTestFiles, plan.CodeMissingMakeTarget:
							if allowed && (r || d || n || auto && p) {
								want = plan.StateSkipped
							}
						case plan.CodeUnsupportedFormat:
							if allowed && (r || p || d || n) {
								want = plan.StateSkipped
							}
						case plan.CodeSetupIssue:
							if allowed && auto && r {
								want = plan.StateSkipped
							}
						case plan.CodeCommandFailed, plan.CodeTestFailure:
							if allowed && !auto && p && !r && wide || allowed && auto && e && !r && !o.DisableNonBlockingAuto {
								want = plan.StateIgnored
							}
						}
						c := plan.Command{ID: "x", Line: line, Source: src}
						st := plan.SkipState{Remaining: r, Passed: p, ExplicitPassed: e, DocOnly: d, NoOp: n}
						if got := plan.ShouldSkip(c, code, st, o); got != want {
							assert.Equal(t, want, got, fmt.Sprintf("%s %s %s %+v %03b", src, line, code, st, sw))
						}
					}
				}
			}
		}
	}
	c := plan.Command{Line: "make a", Source: plan.SourceExplicit}
	assert.Equal(t, plan.StateSkipped, plan.ShouldSkip(c, plan.CodeMissingMakeTarget, plan.SkipState{Remaining: true}, nil))
}

package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestRunNarrows(t *testing.T) {
	twoPackages := []string{"package.json", allScripts, "packages/a/package.json", "{}", "packages/a/deep/package.json", "{}", "packages/b/package.json", "{}", "crates/x/Cargo.toml", "", "Cargo.toml", ""}
	for name, tt := range map[string]struct {
		line    string
		changed []string
		allowed []string
		ran     string // in its place
	}{
		"pnpm":                       {"pnpm -r test", []string{"packages/a/src/x.ts"}, nil, "cd packages/a && pnpm test"},
		"cargo, with its own":        {"RUST_LOG='a b' cargo test --workspace -- --nocapture", []string{"crates/x/src/lib.rs"}, nil, "cd crates/x && RUST_LOG='a b' cargo test -- --nocapture"},
		"two files of one package":   {"npm test -ws", []string{"packages/a/x.ts", "packages/a/lib/y.ts"}, nil, "cd packages/a && npm test"},
		"lock files do not count":    {"npm test -ws", []string{"packages/a/x.ts", "package-lock.json"}, nil, "cd packages/a && npm test"},
		"nor what is generated":      {"npm test -ws", []string{"packages/a/x.ts", "packages/b/dist/y.js"}, nil, "cd packages/a && npm test"},
		"yarn":                       {"yarn workspaces run lint", []string{"packages/a/x.ts"}, nil, "cd packages/a && yarn run lint"},
		"the nearest manifest":       {"npm test -ws", []string{"packages/a/deep/down/x.ts"}, nil, "cd packages/a/deep && npm test"},
		"no node package":            {"npm test -ws", []string{"crates/x/src/lib.rs"}, nil, ""},
		"a change before what may":   {"npm test -ws", []string{"packages/b/x.ts"}, []string{"packages/a/**", "packages/b/**"}, "cd packages/b && npm test"},
		"two packages":               {"npm test -ws", []string{"packages/a/x.ts", "packages/b/x.ts"}, nil, ""},
		"a package and the root":     {"npm test -ws", []string{"packages/a/x.ts", "README.md"}, nil, ""},
		"the root":                   {"npm test -ws", []string{"x.ts"}, nil, ""},
		"no manifest of the tool":    {"cargo test --all", []string{"packages/a/x.ts"}, nil, ""},
		"not workspace-wide":         {"pnpm test", []string{"packages/a/x.ts"}, nil, ""},
		"filtered":                   {"pnpm -r --filter a test", []string{"packages/a/x.ts"}, nil, ""},
		"a chain":                    {"pnpm -r test && make x", []string{"packages/a/x.ts"}, nil, ""},
		"no change: what may change": {"pnpm -r test", nil, []string{"packages/a/**", "packages/a/package.json"}, "cd packages/a && pnpm test"},
		"no change: deeper":          {"pnpm -r test", nil, []string{"packages/a/src/**"}, "cd packages/a && pnpm test"},
		"no change: in two packages": {"pnpm -r test", nil, []string{"packages/a/**", "packages/b/*"}, ""},
		"no change: anywhere":        {"pnpm -r test", nil, []string{"**/*.ts"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			first, _, _ := strings.Cut(tt.line, " && ")
			w := newTree(script{first: {broken}}, tt.changed...).with(twoPackages...)
			r := mustRun(t, w, planOf(tt.line), &plan.Options{AllowNoChanges: true, Policy: newPolicy(t, tt.allowed, nil, nil)})
			if tt.ran == "" {
				assert.Len(t, w.ran, 1)
				assert.Equal(t, []plan.State{plan.StateFailed}, states(r))
				return
			}
			assert.Equal(t, []string{tt.line, tt.ran}, w.ran)
			assert.Equal(t, []plan.State{plan.StateNarrowed}, states(r))
			assert.Equal(t, plan.StatusPassedWithGaps, r.Status)
			o := r.Outcomes[0]
			assert.Equal(t, tt.ran, o.RanInstead)
			assert.Equal(t, plan.CodeCommandFailed, o.Code)
			assert.Equal(t, 1, o.Observation.ExitCode, "the observation is the entry's own")
		})
	}
	files := []string{"packages/a/package.json", "{}"}
	w := newTree(script{"pnpm -r test": {broken}, "cd packages/a && pnpm test": {broken}}, "packages/a/x.ts").with(files...)
	assert.Equal(t, plan.StatusFailed, mustRun(t, w, planOf("pnpm -r test"), nil).Status, "the narrow form fails, too")
	w = newTree(script{"pnpm -r test": {broken}}, "packages/a/x.ts").with(files...)
	r := mustRun(t, w, planOf("pnpm -r test"), &plan.Options{DisableInlineRecovery: true})
	assert.Equal(t, plan.StatusFailed, r.Status)
	assert.Len(t, w.ran, 1)
	w = newTree(script{"pnpm -r test": {broken}}, "packages/a/x.ts").with(files...)
	r = mustRun(t, w, planOf("pnpm -r test"), &plan.Options{Policy: newPolicy(t, nil, nil, []string{`^pnpm test$`})})
	assert.Equal(t, plan.StatusFailed, r.Status, "a form that is denied does not run")
	w = newTree(script{"pnpm -r test": {broken}, "cd packages/a && pnpm test": {printed("# tests 0\n")}}, "packages/a/x.ts").with(files...)
	assert.Equal(t, plan.StatusFailed, mustRun(t, w, planOf("pnpm -r test"), nil).Status, "a narrow form in which nothing ran proves nothing")
}

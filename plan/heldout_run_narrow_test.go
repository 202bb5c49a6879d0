package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

func TestHeldOutNarrow(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"pnpm -r test", "pnpm test"},
		{"pnpm --recursive test", "pnpm test"},
		{"pnpm -r run lint", "pnpm run lint"},
		{"pnpm --recursive run lint --fix", "pnpm run lint --fix"},
		{"CI=1 A='b c' pnpm -r test", "CI=1 A='b c' pnpm test"},
		{"pnpm -r run test -- -r --recursive", "pnpm run test -- -r --recursive"},
		{"npm test -ws", "npm test"},
		{"npm test --ws", "npm test"},
		{"npm test --workspaces", "npm test"},
		{"npm --workspaces run lint", "npm run lint"},
		{"npm run lint --workspaces --if-present", "npm run lint --if-present"},
		{"npm run lint -ws -- --max-warnings 0", "npm run lint -- --max-warnings 0"},
		{"npm run lint --workspaces -- --workspaces", "npm run lint -- --workspaces"},
		{"npm run 'a b' -ws", "npm run 'a b'"},
		{"yarn workspaces run test", "yarn run test"},
		{"yarn workspaces run test --ci", "yarn run test --ci"},
		{"cargo test --workspace", "cargo test"},
		{"cargo test --all", "cargo test"},
		{"cargo clippy --workspace --all-targets -- -D warnings", "cargo clippy --all-targets -- -D warnings"},
		{"cargo clippy --all-features --all", "cargo clippy --all-features"},
		{"RUSTFLAGS=-Dwarnings cargo check --workspace --locked", "RUSTFLAGS=-Dwarnings cargo check --locked"},
		{"cargo test --workspace -- --all", "cargo test -- --all"},

		{"cd web && pnpm -r test", ""},
		{"pnpm test", ""},
		{"pnpm -r --filter a test", ""},
		{"pnpm -r --filter=./a test", ""},
		{"pnpm -r -F a test", ""},
		{"pnpm --filter a -r test", ""},
		{"npm test", ""},
		{"npm test -- -ws", ""},
		{"npm run lint -- --workspaces", ""},
		{"npm test -w a", ""},
		{"npm test --workspace a", ""},
		{"npm test --workspaces --workspace=a", ""},
		{"npm test -ws -w a", ""},
		{"yarn test", ""},
		{"yarn workspace a run test", ""},
		{"yarn workspaces list", ""},
		{"cargo test", ""},
		{"cargo test -- --workspace", ""},
		{"cargo test --workspace --exclude a", ""},
		{"cargo test --workspace --exclude=a", ""},
		{"cargo test --workspace -p a", ""},
		{"cargo test --workspace --package a", ""},
		{"cargo test --all-targets", ""},
		{"cargo test --all-features", ""},
		{"go test ./...", ""},
		{"make -r test", ""},
		{"mvn -r test", ""},
		{"bun test --workspaces", ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			got, ok := plan.Narrow(partOf(t, tt.line))
			assert.Equal(t, tt.want != "", ok)
			if ok {
				assert.Equal(t, tt.want, got.String())
				_, again := plan.Narrow(got)
				assert.False(t, again)
			}
		})
	}
}

func TestHeldOutNarrowInRun(t *testing.T) {
	const manifest = "{}"
	fail := exit(1, "x.ts:7: want 1, got 2\n")
	for name, tt := range map[string]struct {
		line    string
		files   []string
		changed []string
		opts    *plan.Options
		script  script
		ran     string // "" if nothing in its place
	}{
		"the package of the change":     {line: "pnpm -r test", files: []string{"packages/a/package.json", manifest}, changed: []string{"packages/a/src/x.ts"}, ran: "cd packages/a && pnpm test"},
		"the nearest one":               {line: "pnpm -r test", files: []string{"packages/package.json", manifest, "packages/a/package.json", manifest}, changed: []string{"packages/a/src/x.ts", "packages/a/y.ts"}, ran: "cd packages/a && pnpm test"},
		"a lock file aside":             {line: "pnpm -r test", files: []string{"packages/a/package.json", manifest}, changed: []string{"packages/a/x.ts", "pnpm-lock.yaml"}, ran: "cd packages/a && pnpm test"},
		"another lock file aside":       {line: "npm test -ws", files: []string{"packages/a/package.json", manifest}, changed: []string{"package-lock.json", "packages/a/x.ts"}, ran: "cd packages/a && npm test"},
		"a crate":                       {line: "cargo test --workspace", files: []string{"Cargo.toml", "[workspace]", "crates/a/Cargo.toml", "[package]"}, changed: []string{"crates/a/src/lib.rs", "Cargo.lock"}, ran: "cd crates/a && cargo test"},
		"yarn":                          {line: "yarn workspaces run lint", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, ran: "cd a && yarn run lint"},
		"the environment stays":         {line: "CI=1 pnpm -r test", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, ran: "cd a && CI=1 pnpm test"},
		"two packages":                  {line: "pnpm -r test", files: []string{"a/package.json", manifest, "b/package.json", manifest}, changed: []string{"a/x.ts", "b/x.ts"}},
		"a package and the root":        {line: "pnpm -r test", files: []string{"package.json", manifest, "a/package.json", manifest}, changed: []string{"a/x.ts", "README.txt"}},
		"the root":                      {line: "pnpm -r test", files: []string{"package.json", manifest}, changed: []string{"src/x.ts"}},
		"no package at all":             {line: "pnpm -r test", changed: []string{"src/x.ts"}},
		"a crate is no node package":    {line: "pnpm -r test", files: []string{"a/Cargo.toml", "[package]"}, changed: []string{"a/x.rs"}},
		"a node package is no crate":    {line: "cargo test --workspace", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}},
		"switched off":                  {line: "pnpm -r test", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, opts: &plan.Options{DisableInlineRecovery: true}},
		"it fails there too":            {line: "pnpm -r test", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, script: script{"cd a && pnpm test": {fail}}},
		"nothing runs there":            {line: "pnpm -r test", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, script: script{"cd a && pnpm test": {printed("No test files found, exiting with code 0\n")}}},
		"not workspace-wide":            {line: "pnpm test", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}},
		"two parts":                     {line: "pnpm -r test && pnpm -r lint", files: []string{"a/package.json", manifest}, changed: []string{"a/x.ts"}, script: script{"pnpm -r test": {fail}}},
		"no change, one allowed":        {line: "pnpm -r test", files: []string{"a/package.json", manifest}, opts: &plan.Options{AllowNoChanges: true, Policy: &plan.PathPolicy{Allowed: []string{"a/**"}}}, ran: "cd a && pnpm test"},
		"no change, a deeper allowed":   {line: "pnpm -r test", files: []string{"a/package.json", manifest}, opts: &plan.Options{AllowNoChanges: true, Policy: &plan.PathPolicy{Allowed: []string{"a/src/**"}}}, ran: "cd a && pnpm test"},
		"no change, two allowed":        {line: "pnpm -r test", files: []string{"a/package.json", manifest, "b/package.json", manifest}, opts: &plan.Options{AllowNoChanges: true, Policy: &plan.PathPolicy{Allowed: []string{"a/**", "b/**"}}}},
		"no change, all allowed":        {line: "pnpm -r test", files: []string{"a/package.json", manifest}, opts: &plan.Options{AllowNoChanges: true}},
		"changes count before what may": {line: "pnpm -r test", files: []string{"a/package.json", manifest, "b/package.json", manifest}, changed: []string{"b/x.ts"}, opts: &plan.Options{Policy: &plan.PathPolicy{Allowed: []string{"a/**", "b/**"}}}, ran: "cd b && pnpm test"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tt.script
			if s == nil {
				s = script{}
			}
			if _, ok := s[tt.line]; !ok {
				s[tt.line] = []mend.Observation{fail}
			}
			w := newTree(s, tt.changed...).with(tt.files...)
			r := mustRun(t, w, changed(planOf(tt.line), tt.changed...), tt.opts)
			if tt.ran == "" {
				assert.Equal(t, plan.StatusFailed, r.Status)
				assert.Equal(t, []plan.State{plan.StateFailed}, states(r))
				assert.Equal(t, plan.CodeCommandFailed, r.Meta.Code)
				assert.Empty(t, r.Outcomes[0].RanInstead)
				return
			}
			assert.Equal(t, plan.StatusPassedWithGaps, r.Status)
			assert.Equal(t, []plan.State{plan.StateNarrowed}, states(r))
			assert.Equal(t, tt.ran, r.Outcomes[0].RanInstead)
			assert.Equal(t, plan.CodeCommandFailed, r.Outcomes[0].Code)
			assert.NotNil(t, r.Outcomes[0].Meta)
			assert.Nil(t, r.Meta)
			assert.Error(t, r.Err())
		})
	}
}

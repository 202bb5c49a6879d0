package plan_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func newPolicy(t *testing.T, allowed, denied, commands []string) *plan.PathPolicy {
	t.Helper()
	p, err := plan.NewPathPolicy(allowed, denied, commands)
	require.NoError(t, err)
	return p
}

func TestPathPolicyViolations(t *testing.T) {
	p := newPolicy(t, []string{"src/**", "*.md"}, []string{"src/secret/**", "**/.env"}, nil)
	for path, want := range map[string]plan.ViolationKind{
		"src/a.go": "", "src/x/y.go": "", "README.md": "", "./src/a.go": "", `src\a.go`: "",
		"src/secret/key": plan.ViolationDenied, "src/x/.env": plan.ViolationDenied, "deep/.env": plan.ViolationDenied,
		"../src/a.go": plan.ViolationDenied, "src/../../x": plan.ViolationDenied, "..": plan.ViolationDenied,
		"lib/a.go": plan.ViolationOutside, "docs/x.md": plan.ViolationOutside, "src": plan.ViolationOutside,
	} {
		got := p.Violations([]plan.Change{{Path: path}})
		if want == "" {
			assert.Empty(t, got, path)
			continue
		}
		require.Len(t, got, 1, path)
		assert.Equal(t, want, got[0].Kind, path)
		assert.Equal(t, path, got[0].Path)
		assert.Empty(t, p.Violations([]plan.Change{{Path: path, Ignored: true}}), path)
	}
	everywhere := newPolicy(t, nil, []string{"x"}, nil)
	assert.Empty(t, everywhere.Violations([]plan.Change{{Path: "any/where"}}), "no globs allow all")
	assert.Len(t, everywhere.Violations([]plan.Change{{Path: "x"}, {Path: "y"}, {Path: "../z"}}), 2)
}

func TestPathPolicyResolve(t *testing.T) {
	p := newPolicy(t, []string{"app/**", "go.mod", "web/package.json", "web/src/**", "svc/*.csproj", "core/Cargo.toml"}, []string{"app/private/**"}, nil)
	changed := func(names ...string) (all []plan.Change) {
		for _, n := range names {
			all = append(all, plan.Change{Path: n})
		}
		return all
	}
	for name, tt := range map[string]struct {
		change plan.Change
		others []plan.Change
		want   plan.PathAction
	}{
		"denied":                                {plan.Change{Path: "app/private/x", Untracked: true, Appeared: true}, nil, plan.PathDeny},
		"leaves the tree":                       {plan.Change{Path: "../x", Untracked: true, Appeared: true}, nil, plan.PathDeny},
		"lock beside its manifest":              {plan.Change{Path: "web/package-lock.json"}, changed("web/package.json"), plan.PathAllow},
		"pnpm's lock beside it":                 {plan.Change{Path: "web/pnpm-lock.yaml"}, changed("web/package.json"), plan.PathAllow},
		"yarn's lock beside it":                 {plan.Change{Path: "web/yarn.lock"}, changed("web/package.json"), plan.PathAllow},
		"bun's lock beside it":                  {plan.Change{Path: "web/bun.lock"}, changed("web/package.json"), plan.PathAllow},
		"new lock":                              {plan.Change{Path: "go.sum", Untracked: true, Appeared: true}, changed("go.mod"), plan.PathAllow},
		"lock at the root above its manifest":   {plan.Change{Path: "package-lock.json"}, changed("web/package.json"), plan.PathAllow},
		"workspace lock at the root":            {plan.Change{Path: "Cargo.lock"}, changed("core/Cargo.toml"), plan.PathAllow},
		"project by ending":                     {plan.Change{Path: "svc/packages.lock.json"}, changed("svc/x.csproj"), plan.PathAllow},
		"lock in another directory":             {plan.Change{Path: "lib/package-lock.json"}, changed("web/package.json"), plan.PathDeny},
		"lock above, not at the root":           {plan.Change{Path: "web/package-lock.json"}, changed("web/src/package.json"), plan.PathDeny},
		"lock of another ecosystem":             {plan.Change{Path: "web/Cargo.lock"}, changed("web/package.json"), plan.PathDeny},
		"lock without a changed manifest":       {plan.Change{Path: "go.sum"}, changed("app/x.go"), plan.PathDeny},
		"lock of a manifest that is outside":    {plan.Change{Path: "lib/go.sum"}, changed("lib/go.mod"), plan.PathDeny},
		"lock of an ignored manifest":           {plan.Change{Path: "go.sum"}, []plan.Change{{Path: "go.mod", Ignored: true}}, plan.PathDeny},
		"appeared during the run":               {plan.Change{Path: "scratch.txt", Untracked: true, Appeared: true}, nil, plan.PathDiscard},
		"was there before":                      {plan.Change{Path: "scratch.txt", Untracked: true}, nil, plan.PathDeny},
		"generated":                             {plan.Change{Path: "lib/dist/x.js", Untracked: true}, nil, plan.PathDiscard},
		"generated, but tracked":                {plan.Change{Path: "lib/dist/x.js"}, nil, plan.PathDeny},
		"tracked edit, first seen in the run":   {plan.Change{Path: "lib/x.go", Appeared: true}, nil, plan.PathDeny},
		"lock that appeared, with no manifest":  {plan.Change{Path: "yarn.lock", Untracked: true, Appeared: true}, nil, plan.PathDiscard},
		"source in a directory named like dist": {plan.Change{Path: "build/main.go", Untracked: true}, nil, plan.PathDeny},
	} {
		t.Run(name, func(t *testing.T) {
			changes := append([]plan.Change{tt.change}, tt.others...)
			v := p.Violations([]plan.Change{tt.change})
			require.Len(t, v, 1)
			got, err := p.Resolve(t.Context(), changes, v)
			require.NoError(t, err)
			assert.Equal(t, []plan.PathAction{tt.want}, got)
		})
	}
}

// TestLockFilesOfManifests has a lock file for each manifest that has one.
func TestLockFilesOfManifests(t *testing.T) {
	for manifest, locks := range map[string]string{
		"package.json": "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb", "go.mod": "go.sum", "Cargo.toml": "Cargo.lock",
		"pyproject.toml": "poetry.lock uv.lock", "Pipfile": "Pipfile.lock", "Gemfile": "Gemfile.lock", "composer.json": "composer.lock", "mix.exs": "mix.lock",
		"flake.nix": "flake.lock", "build.gradle": "gradle.lockfile", "app.csproj": "packages.lock.json",
	} {
		p := newPolicy(t, []string{"**/" + manifest}, nil, nil)
		for _, lock := range fields(locks) {
			for _, where := range []struct {
				manifest, lock string
				want           plan.PathAction
			}{{"", "", plan.PathAllow}, {"a/", "a/", plan.PathAllow}, {"a/b/", "", plan.PathAllow}, {"a/b/", "a/", plan.PathDeny}, {"", "a/", plan.PathDeny}} {
				changes := []plan.Change{{Path: where.manifest + manifest}, {Path: where.lock + lock}}
				got, err := p.Resolve(t.Context(), changes, p.Violations(changes))
				require.NoError(t, err)
				assert.Equal(t, []plan.PathAction{where.want}, got, "%v", changes)
			}
		}
	}
}

func TestPathPolicyAsksForTheRest(t *testing.T) {
	changes := []plan.Change{
		{Path: "no/secret"}, {Path: "a.log", Untracked: true}, {Path: "work.go", Untracked: true}, {Path: "edit.go"}, {Path: "third.go"},
	}
	var asked []string
	p := newPolicy(t, []string{"src/**"}, []string{"no/**"}, nil)
	answers := []plan.PathAction{plan.PathAllow, plan.PathDiscard, "perhaps"}
	var failure error
	p.Ask = func(_ context.Context, v []plan.Violation) ([]plan.PathAction, error) {
		asked = nil
		for _, one := range v {
			asked = append(asked, one.Path)
		}
		return answers, failure
	}
	resolve := func() ([]plan.PathAction, error) { return p.Resolve(t.Context(), changes, p.Violations(changes)) }

	got, err := resolve()
	require.NoError(t, err)
	assert.Equal(t, []string{"work.go", "edit.go", "third.go"}, asked, "what the rules decide is not asked")
	assert.Equal(t, []plan.PathAction{plan.PathDeny, plan.PathDiscard, plan.PathAllow, plan.PathDiscard, plan.PathDeny}, got)

	answers = answers[:1]
	got, err = resolve()
	require.NoError(t, err)
	assert.Equal(t, []plan.PathAction{plan.PathDeny, plan.PathDiscard, plan.PathAllow, plan.PathDeny, plan.PathDeny}, got, "a missing answer denies")

	failure = errors.New("nobody is there")
	got, err = resolve()
	assert.ErrorIs(t, err, failure)
	assert.Equal(t, []plan.PathAction{plan.PathDeny, plan.PathDiscard, plan.PathDeny, plan.PathDeny, plan.PathDeny}, got)

	changes, failure = changes[:2], nil
	asked = nil
	_, err = resolve()
	require.NoError(t, err)
	assert.Nil(t, asked, "nothing is left to ask")
}

func TestGeneratedLooking(t *testing.T) {
	p := newPolicy(t, []string{"only/this"}, nil, nil)
	discards := func(path string) bool {
		changes := []plan.Change{{Path: path, Untracked: true}}
		got, err := p.Resolve(t.Context(), changes, p.Violations(changes))
		require.NoError(t, err)
		return got[0] == plan.PathDiscard
	}
	for _, path := range []string{
		"a.log", "x/tsconfig.tsbuildinfo", "a.o", "a.obj", "a.a", "a.so", "liba.so.1.2", "a.dylib", "a.elf", "a.bin", "a.map", "a.pyc", "A.class",
		"a.gcda", "a.gcno", "a.profraw", "a.lcov", "a.tmp", ".coverage", "sub/.coverage", "coverage.out", "sub/unit-coverage.out",
		"dist/a.js", "pkg/build/index.html", "out/x.css", "coverage/lcov.info", "target/debug/x", "obj/x.dll", "node_modules/x/index.js",
		"a/__pycache__/x.txt", ".tox/x", ".nox/x", ".gradle/x", ".next/x.js", ".nuxt/x", ".turbo/x", ".cache/x", ".pytest_cache/x",
		".mypy_cache/x.json", ".ruff_cache/x", "reports/x.xml", "test-results/x.xml", "playwright-report/index.html", "htmlcov/index.html", "_build/x",
		"node_modules/x/lib.ts", "target/package/x/main.rs", "web/node_modules/y/z.c",
	} {
		assert.True(t, discards(path), path)
	}
	for _, path := range []string{
		"a.go", "logs/a.txt", "build", "dist", "coverage", "catalog", "a.login", "builder/x.js", "distribution/x.js", "coverage.outline",
		"build/main.go", "dist/lib.rs", "out/x.py", "reports/gen.java", "coverage/x.ts", "obj/x.c", "_build/x.h", "bin/tool", "src/x.cpp", "a.so.txt", "x/a.map.txt",
	} {
		assert.False(t, discards(path), path)
	}
}

func TestNewPathPolicyRefuses(t *testing.T) {
	for name, err := range map[string]error{
		"glob that allows": newPolicyError([]string{"ok/**", "a**b"}, nil, nil),
		"glob that denies": newPolicyError(nil, []string{"x/"}, nil),
		"blank glob":       newPolicyError(nil, []string{""}, nil),
		"blank command":    newPolicyError(nil, nil, []string{"rm", "  "}),
		"regexp":           newPolicyError(nil, nil, []string{"rm (", "x"}),
	} {
		var fault *plan.OptionError
		require.ErrorAs(t, err, &fault, name)
		assert.NotEmpty(t, fault.Reason)
	}
	require.NoError(t, newPolicyError([]string{"a/**"}, []string{"{b,c}/*"}, []string{"rm -rf /", "^git push"}))
}

func newPolicyError(allowed, denied, commands []string) error {
	_, err := plan.NewPathPolicy(allowed, denied, commands)
	return err
}

// TestPathPolicyMadeByHandIsClosed holds that an entry which is not valid never
// opens anything.
func TestPathPolicyMadeByHandIsClosed(t *testing.T) {
	change := []plan.Change{{Path: "a"}}
	assert.NotEmpty(t, (&plan.PathPolicy{Denied: []string{"a**b"}}).Violations(change))
	assert.NotEmpty(t, (&plan.PathPolicy{Allowed: []string{"a**b"}}).Violations(change))
	assert.NotEmpty(t, (&plan.PathPolicy{DeniedCommands: []string{"("}}).DeniedCommand(plan.Part{Argv: []string{"true"}}))
}

package plan_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestHeldOutViolations(t *testing.T) {
	p, err := plan.NewPathPolicy([]string{"src/**", "docs/*.md"}, []string{"src/secret/**", "**/*.pem"}, nil)
	require.NoError(t, err)
	open, err := plan.NewPathPolicy(nil, []string{".github/**"}, nil)
	require.NoError(t, err)
	for _, tt := range []struct {
		policy  *plan.PathPolicy
		path    string
		ignored bool
		want    plan.ViolationKind
	}{
		{p, "src/a.go", false, ""},
		{p, "./src/a.go", false, ""},
		{p, "src/x/y/z.go", false, ""},
		{p, "src", false, plan.ViolationOutside},
		{p, "Src/a.go", false, plan.ViolationOutside},
		{p, "docs/a.md", false, ""},
		{p, "docs/a/b.md", false, plan.ViolationOutside},
		{p, "main.go", false, plan.ViolationOutside},
		{p, "src/secret/k", false, plan.ViolationDenied},
		{p, "src/a/k.pem", false, plan.ViolationDenied},
		{p, "k.pem", false, plan.ViolationDenied},
		{p, "../x", false, plan.ViolationDenied},
		{p, "src/../../x", false, plan.ViolationDenied},
		{p, "src/../main.go", false, plan.ViolationOutside},
		{p, "src/secret/k", true, ""},
		{p, "main.o", true, ""},
		{open, "main.go", false, ""},
		{open, ".github/workflows/ci.yml", false, plan.ViolationDenied},
		{open, ".github", false, ""},
		{open, "../x", false, plan.ViolationDenied},
	} {
		t.Run(tt.path, func(t *testing.T) {
			c := plan.Change{Path: tt.path, Ignored: tt.ignored}
			got := tt.policy.Violations([]plan.Change{c})
			if tt.want == "" {
				assert.Empty(t, got)
				return
			}
			assert.Equal(t, []plan.Violation{{Change: c, Kind: tt.want}}, got)
		})
	}
}

func TestHeldOutResolve(t *testing.T) {
	const allow, discard, deny = plan.PathAllow, plan.PathDiscard, plan.PathDeny
	for name, tt := range map[string]struct {
		allowed []string
		changes []plan.Change
		want    []plan.PathAction // of the violations, in order
	}{
		"lock beside its manifest":           {[]string{"package.json"}, []plan.Change{{Path: "package.json"}, {Path: "package-lock.json"}}, []plan.PathAction{allow}},
		"lock beside, below the root":        {[]string{"web/package.json"}, []plan.Change{{Path: "web/package.json"}, {Path: "web/yarn.lock"}}, []plan.PathAction{allow}},
		"lock at the root above one":         {[]string{"web/**"}, []plan.Change{{Path: "web/package.json"}, {Path: "pnpm-lock.yaml"}}, []plan.PathAction{allow}},
		"lock in another directory":          {[]string{"web/**"}, []plan.Change{{Path: "web/package.json"}, {Path: "api/package-lock.json"}}, []plan.PathAction{deny}},
		"lock between":                       {[]string{"a/b/**"}, []plan.Change{{Path: "a/b/package.json"}, {Path: "a/package-lock.json"}}, []plan.PathAction{deny}},
		"lock below its manifest":            {[]string{"package.json"}, []plan.Change{{Path: "package.json"}, {Path: "web/package-lock.json"}}, []plan.PathAction{deny}},
		"manifest not changed":               {[]string{"package.json"}, []plan.Change{{Path: "package-lock.json"}}, []plan.PathAction{deny}},
		"manifest not allowed":               {[]string{"src/**"}, []plan.Change{{Path: "package.json"}, {Path: "package-lock.json"}}, []plan.PathAction{deny, deny}},
		"another's manifest":                 {[]string{"package.json"}, []plan.Change{{Path: "package.json"}, {Path: "Cargo.lock"}}, []plan.PathAction{deny}},
		"go":                                 {[]string{"go.mod"}, []plan.Change{{Path: "go.mod"}, {Path: "go.sum"}}, []plan.PathAction{allow}},
		"cargo":                              {[]string{"**/Cargo.toml"}, []plan.Change{{Path: "crates/a/Cargo.toml"}, {Path: "Cargo.lock"}}, []plan.PathAction{allow}},
		"poetry":                             {[]string{"pyproject.toml"}, []plan.Change{{Path: "pyproject.toml"}, {Path: "poetry.lock"}}, []plan.PathAction{allow}},
		"uv":                                 {[]string{"pyproject.toml"}, []plan.Change{{Path: "pyproject.toml"}, {Path: "uv.lock"}}, []plan.PathAction{allow}},
		"pipenv":                             {[]string{"Pipfile"}, []plan.Change{{Path: "Pipfile"}, {Path: "Pipfile.lock"}}, []plan.PathAction{allow}},
		"bundler":                            {[]string{"Gemfile"}, []plan.Change{{Path: "Gemfile"}, {Path: "Gemfile.lock"}}, []plan.PathAction{allow}},
		"composer":                           {[]string{"composer.json"}, []plan.Change{{Path: "composer.json"}, {Path: "composer.lock"}}, []plan.PathAction{allow}},
		"mix":                                {[]string{"mix.exs"}, []plan.Change{{Path: "mix.exs"}, {Path: "mix.lock"}}, []plan.PathAction{allow}},
		"flake":                              {[]string{"flake.nix"}, []plan.Change{{Path: "flake.nix"}, {Path: "flake.lock"}}, []plan.PathAction{allow}},
		"gradle":                             {[]string{"build.gradle"}, []plan.Change{{Path: "build.gradle"}, {Path: "gradle.lockfile"}}, []plan.PathAction{allow}},
		"nuget":                              {[]string{"*.csproj"}, []plan.Change{{Path: "app.csproj"}, {Path: "packages.lock.json"}}, []plan.PathAction{allow}},
		"bun":                                {[]string{"package.json"}, []plan.Change{{Path: "package.json"}, {Path: "bun.lock"}}, []plan.PathAction{allow}},
		"untracked and appeared":             {[]string{"src/**"}, []plan.Change{{Path: "notes.txt", Untracked: true, Appeared: true}}, []plan.PathAction{discard}},
		"appeared, a source file":            {[]string{"src/**"}, []plan.Change{{Path: "lib/x.go", Untracked: true, Appeared: true}}, []plan.PathAction{discard}},
		"untracked, there before":            {[]string{"src/**"}, []plan.Change{{Path: "notes.txt", Untracked: true}}, []plan.PathAction{deny}},
		"tracked and appeared":               {[]string{"src/**"}, []plan.Change{{Path: "notes.txt", Appeared: true}}, []plan.PathAction{deny}},
		"tracked":                            {[]string{"src/**"}, []plan.Change{{Path: "notes.txt"}}, []plan.PathAction{deny}},
		"tracked, generated-looking":         {[]string{"src/**"}, []plan.Change{{Path: "dist/app.js"}, {Path: "x.log"}}, []plan.PathAction{deny, deny}},
		"generated-looking, there before":    {[]string{"src/**"}, []plan.Change{{Path: "x.log", Untracked: true}}, []plan.PathAction{discard}},
		"manifest appeared with its lock":    {[]string{"src/**"}, []plan.Change{{Path: "src/package.json", Untracked: true, Appeared: true}, {Path: "package-lock.json", Untracked: true, Appeared: true}}, []plan.PathAction{allow}},
		"denied wins, generated and all":     {[]string{"src/**"}, []plan.Change{{Path: "secret/x.log", Untracked: true, Appeared: true}}, []plan.PathAction{deny}},
		"denied wins over a lock's manifest": {[]string{"package.json"}, []plan.Change{{Path: "package.json"}, {Path: "secret/package.json"}}, []plan.PathAction{deny}},
		"in order": {[]string{"src/**", "package.json"}, []plan.Change{{Path: "a.txt"}, {Path: "src/x"}, {Path: "x.log", Untracked: true}, {Path: "package.json"}, {Path: "yarn.lock"}, {Path: "secret/x"}},
			[]plan.PathAction{deny, discard, allow, deny}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plan.NewPathPolicy(tt.allowed, []string{"secret/**"}, nil)
			require.NoError(t, err)
			got, err := p.Resolve(t.Context(), tt.changes, p.Violations(tt.changes))
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestHeldOutGenerated(t *testing.T) {
	p, err := plan.NewPathPolicy([]string{"only/this"}, nil, nil)
	require.NoError(t, err)
	for want, paths := range map[plan.PathAction][]string{
		plan.PathDiscard: {
			"npm-debug.log", "a/tsconfig.tsbuildinfo", "x.o", "x.obj", "lib.a", "lib.so", "lib.dylib", "fw.elf", "fw.bin", "app.js.map", "x.pyc", "X.class", "x.gcda", "x.gcno", "x.profraw",
			"cov.lcov", "x.tmp", ".coverage", "coverage.out", "sub/coverage.out", "dist/app.js.txt", "build/x", "out/x", "coverage/index.html", "target/x", "obj/x", "node_modules/a/package.json",
			"a/b/__pycache__/x", ".tox/x", ".nox/x", ".gradle/x", ".next/x", ".nuxt/x", ".turbo/x", ".cache/x", ".pytest_cache/x", ".mypy_cache/x", ".ruff_cache/x", "reports/junit.xml",
			"test-results/x", "playwright-report/index.html", "htmlcov/index.html", "_build/x", "web/dist/index.html", "node_modules/a/index.ts", "target/debug/build/x.rs", "node_modules/a/x.py", "target/gen/X.java",
		},
		plan.PathDeny: {
			"notes.txt", "catalog", "log", "a.logs", "x.so.txt", "dist/x.go", "build/x.rs", "out/x.py", "coverage/X.java", "dist/app.ts", "build/x.c", "distribution/x", "rebuild/x", "dist", "build",
			"target", "my-target/x", "src/report/x", "Makefile", "x.go", "data.json", "obj/x.c", ".cache/x.py",
		},
	} {
		for _, path := range paths {
			t.Run(string(want)+" "+path, func(t *testing.T) {
				c := []plan.Change{{Path: path, Untracked: true}}
				got, err := p.Resolve(t.Context(), c, p.Violations(c))
				require.NoError(t, err)
				assert.Equal(t, []plan.PathAction{want}, got)
			})
		}
	}
}

func TestHeldOutAsk(t *testing.T) {
	changes := []plan.Change{{Path: "secret/x"}, {Path: "a.txt"}, {Path: "x.log", Untracked: true}, {Path: "b.txt"}, {Path: "c.txt"}}
	for name, tt := range map[string]struct {
		answer []plan.PathAction
		want   []plan.PathAction
	}{
		"each":     {[]plan.PathAction{plan.PathAllow, plan.PathDiscard, plan.PathDeny}, []plan.PathAction{plan.PathDeny, plan.PathAllow, plan.PathDiscard, plan.PathDiscard, plan.PathDeny}},
		"too few":  {[]plan.PathAction{plan.PathAllow}, []plan.PathAction{plan.PathDeny, plan.PathAllow, plan.PathDiscard, plan.PathDeny, plan.PathDeny}},
		"none":     {nil, []plan.PathAction{plan.PathDeny, plan.PathDeny, plan.PathDiscard, plan.PathDeny, plan.PathDeny}},
		"unknown":  {[]plan.PathAction{"maybe", "", "ALLOW"}, []plan.PathAction{plan.PathDeny, plan.PathDeny, plan.PathDiscard, plan.PathDeny, plan.PathDeny}},
		"too many": {[]plan.PathAction{plan.PathAllow, plan.PathAllow, plan.PathAllow, plan.PathAllow}, []plan.PathAction{plan.PathDeny, plan.PathAllow, plan.PathDiscard, plan.PathAllow, plan.PathAllow}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plan.NewPathPolicy([]string{"src/**"}, []string{"secret/**"}, nil)
			require.NoError(t, err)
			p.Ask = func(_ context.Context, v []plan.Violation) ([]plan.PathAction, error) {
				var asked []string
				for _, one := range v {
					asked = append(asked, one.Path)
				}
				assert.Equal(t, []string{"a.txt", "b.txt", "c.txt"}, asked)
				return tt.answer, nil
			}
			got, err := p.Resolve(t.Context(), changes, p.Violations(changes))
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
	p, err := plan.NewPathPolicy([]string{"src/**"}, nil, nil)
	require.NoError(t, err)
	p.Ask = func(context.Context, []plan.Violation) ([]plan.PathAction, error) {
		t.Error("free decisions come first, and nothing is left")
		return nil, errors.New("no")
	}
	c := []plan.Change{{Path: "x.log", Untracked: true}}
	got, err := p.Resolve(t.Context(), c, p.Violations(c))
	require.NoError(t, err)
	assert.Equal(t, []plan.PathAction{plan.PathDiscard}, got)
}

func TestHeldOutDeniedCommand(t *testing.T) {
	for _, tt := range []struct {
		entry, line string
		denied      bool
	}{
		{"rm -rf /", "rm -rf /", true}, {"rm -rf /", "rm -r -f /", true}, {"rm -rf /", "rm -fr /", true}, {"rm -rf /", "rm --recursive --force /", true},
		{"rm -rf /", "rm -rfv /", true}, {"rm -rf /", "rm / -rf", true}, {"rm -rf /", "/bin/rm -rf /", true}, {"rm -rf /", "rm -rf //", true}, {"rm -rf /", "rm -rf /srv/..", true},
		{"rm -rf /", "rm -rf /srv/x", false}, {"rm -rf /", "rm -r /", false}, {"rm -rf /", "rm -f /", false}, {"rm -rf /", "rmdir /", false}, {"rm -rf /", "echo rm -rf /", false},
		{"rm -rf /", "env A=1 rm -rf /", true}, {"rm -rf /", "nice -n 5 rm -rf /", true}, {"rm -rf /", "timeout 5 rm -rf /", true}, {"rm -rf /", "xargs rm -rf /", true},
		{"rm -rf /", "sh -c 'rm -rf /'", true}, {"rm -rf /", "bash -c 'cd x && rm -rf /'", true}, {"rm -rf /", "sh -c 'rm -rf / | tee x'", true}, {"rm -rf /", "sh -c 'ls; rm -rf /'", true},
		{"rm -rf /", "sh -c 'rm -rf /srv'", false}, {"rm -rf", "rm -rf x", true}, {"rm -r", "rm --recursive x", true},
		{"git push", "git push origin main", true}, {"git push", "git push", true}, {"git push", "git pushx", false}, {"git push", "git status", false}, {"git push", "git log push", true},
		{"git push --force", "git push --force origin", true}, {"git push --force", "git push origin --force", true}, {"git push --force", "git push origin", false},
		{"git push origin", "git push origin main", true}, {"git push origin", "git push upstream", false}, {"git push origin", "git push upstream origin", false},
		{"npm publish", "npm publish", true}, {"npm publish", "npm run build", false}, {"npm publish", "npx npm publish", true},
		{"curl", "curl https://x", true}, {"curl", "/usr/bin/curl x", true}, {"curl", "curly x", false}, {"curl", "echo curl", false}, {"curl", "env -i curl x", true}, {"curl", "npx curl", true},
		{`^git push`, "git push origin", true}, {`^git push`, "GIT PUSH origin", true}, {`^git push`, "echo git push", false}, {`git\s+push.*main`, "git push origin main", true}, {`git\s+push.*main`, "git push origin dev", false},
		{"terraform (apply|destroy)", "terraform apply -auto-approve", true}, {"terraform (apply|destroy)", "terraform plan", false},
		{"docker", "docker build .", true}, {"docker", "docker-compose up", false},
	} {
		t.Run(tt.entry+" of "+tt.line, func(t *testing.T) {
			p, err := plan.NewPathPolicy(nil, nil, []string{"nothing at all", tt.entry})
			require.NoError(t, err)
			want := ""
			if tt.denied {
				want = tt.entry
			}
			assert.Equal(t, want, p.DeniedCommand(partOf(t, tt.line)))
		})
	}
}

func TestHeldOutBadPolicy(t *testing.T) {
	for name, args := range map[string][3][]string{
		"allowed glob":   {{"src/"}, nil, nil},
		"denied glob":    {nil, {"a**b"}, nil},
		"empty glob":     {{""}, nil, nil},
		"extglob":        {{"+(a|b)"}, nil, nil},
		"open group":     {{"{a,b"}, nil, nil},
		"regexp":         {nil, nil, {"git ("}},
		"regexp class":   {nil, nil, {"[a"}},
		"blank entry":    {nil, nil, {""}},
		"blanks":         {nil, nil, {"  "}},
		"after good one": {nil, nil, {"curl", "*"}},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := plan.NewPathPolicy(args[0], args[1], args[2])
			assert.Error(t, err)
			assert.Nil(t, p)
		})
	}
}

package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestHeldOutInstalls(t *testing.T) {
	for name, tt := range map[string]struct {
		line  string
		files []string
		limit int
		want  []string
	}{
		"npm, lock":                       {"npm run lint:ci", []string{"package.json", "{}", "package-lock.json", ""}, 0, []string{"npm ci", "npm install"}},
		"npm, shrinkwrap":                 {"npm run lint:ci", []string{"package.json", "{}", "npm-shrinkwrap.json", ""}, 0, []string{"npm ci", "npm install"}},
		"npm, no lock":                    {"npm run lint:ci", []string{"package.json", "{}"}, 0, []string{"npm install"}},
		"pnpm, lock":                      {"pnpm run lint:ci", []string{"package.json", "{}", "pnpm-lock.yaml", ""}, 0, []string{"pnpm install --frozen-lockfile", "pnpm install"}},
		"pnpm, no lock":                   {"pnpm run lint:ci", []string{"package.json", "{}"}, 0, []string{"pnpm install"}},
		"yarn 1, lock":                    {"yarn run lint:ci", []string{"package.json", "{}", "yarn.lock", ""}, 0, []string{"yarn install --frozen-lockfile", "yarn install"}},
		"yarn berry, lock":                {"yarn run lint:ci", []string{"package.json", "{}", "yarn.lock", "", ".yarnrc.yml", ""}, 0, []string{"yarn install --immutable", "yarn install"}},
		"yarn, no lock":                   {"yarn run lint:ci", []string{"package.json", "{}"}, 0, []string{"yarn install"}},
		"bun, text lock":                  {"bun run lint:ci", []string{"package.json", "{}", "bun.lock", ""}, 0, []string{"bun install --frozen-lockfile", "bun install"}},
		"bun, binary lock":                {"bun run lint:ci", []string{"package.json", "{}", "bun.lockb", ""}, 0, []string{"bun install --frozen-lockfile", "bun install"}},
		"own manager before the lock":     {"npm run lint:ci", []string{"package.json", "{}", "pnpm-lock.yaml", ""}, 0, []string{"npm install"}},
		"own manager's lock of two":       {"yarn run lint:ci", []string{"package.json", "{}", "pnpm-lock.yaml", "", "yarn.lock", ""}, 0, []string{"yarn install --frozen-lockfile", "yarn install"}},
		"node, by the lock":               {"node x.js", []string{"package.json", "{}", "pnpm-lock.yaml", ""}, 0, []string{"pnpm install --frozen-lockfile", "pnpm install"}},
		"vitest, by the lock":             {"vitest run", []string{"package.json", "{}", "yarn.lock", ""}, 0, []string{"yarn install --frozen-lockfile", "yarn install"}},
		"node, without a lock npm":        {"node x.js", []string{"package.json", "{}"}, 0, []string{"npm install"}},
		"node, no manifest":               {"node x.js", []string{"x.js", ""}, 0, nil},
		"node, another's manifest":        {"node x.js", []string{"go.mod", "module x"}, 0, nil},
		"go":                              {"go vet ./...", []string{"go.mod", "module x"}, 0, []string{"go mod download"}},
		"go, beside node":                 {"go vet ./...", []string{"package.json", "{}", "package-lock.json", "", "go.mod", "module x"}, 0, []string{"go mod download"}},
		"go, no module":                   {"go vet ./...", []string{"package.json", "{}", "package-lock.json", ""}, 0, nil},
		"go, in its directory":            {"cd svc && go vet ./...", []string{"go.mod", "module x", "svc/go.mod", "module y"}, 0, []string{"cd svc && go mod download"}},
		"go, else the root":               {"cd svc && go vet ./...", []string{"go.mod", "module x"}, 0, []string{"go mod download"}},
		"cargo, lock":                     {"cargo clippy", []string{"Cargo.toml", "", "Cargo.lock", ""}, 0, []string{"cargo fetch --locked", "cargo fetch"}},
		"cargo, no lock":                  {"cargo clippy", []string{"Cargo.toml", ""}, 0, []string{"cargo fetch"}},
		"uv":                              {"pytest", []string{"pyproject.toml", "", "uv.lock", ""}, 0, []string{"uv sync --frozen", "uv sync"}},
		"poetry":                          {"pytest", []string{"pyproject.toml", "", "poetry.lock", ""}, 0, []string{"poetry install --no-interaction"}},
		"pipenv":                          {"python3 -m pytest", []string{"Pipfile", "", "Pipfile.lock", ""}, 0, []string{"pipenv sync --dev"}},
		"requirements":                    {"python3 -m mypy .", []string{"requirements.txt", ""}, 0, []string{"python3 -m pip install -r requirements.txt"}},
		"python, nothing":                 {"pytest", []string{"pyproject.toml", ""}, 0, nil},
		"ruby":                            {"rspec", []string{"Gemfile", ""}, 0, []string{"bundle install"}},
		"ruby behind bundle":              {"bundle exec rspec", []string{"Gemfile", ""}, 0, []string{"bundle install"}},
		"php":                             {"phpunit", []string{"composer.json", "{}"}, 0, []string{"composer install --no-interaction"}},
		"dotnet, project":                 {"dotnet test", []string{"app.csproj", ""}, 0, []string{"dotnet restore"}},
		"dotnet, solution":                {"dotnet test", []string{"app.sln", ""}, 0, []string{"dotnet restore"}},
		"dotnet, f sharp":                 {"dotnet test", []string{"app.fsproj", ""}, 0, []string{"dotnet restore"}},
		"maven fetches by itself":         {"mvn verify", []string{"pom.xml", "", "package.json", "{}"}, 0, nil},
		"gradle fetches by itself":        {"gradle test", []string{"build.gradle", "", "package.json", "{}"}, 0, nil},
		"make, the first found":           {"make e2e", []string{"go.mod", "module x", "package.json", "{}", "package-lock.json", ""}, 0, []string{"npm ci", "npm install"}},
		"make, go":                        {"make e2e", []string{"go.mod", "module x"}, 0, []string{"go mod download"}},
		"an unknown program, python":      {"./ci.sh", []string{"requirements.txt", ""}, 0, []string{"python3 -m pip install -r requirements.txt"}},
		"just, ruby":                      {"just e2e", []string{"Gemfile", ""}, 0, []string{"bundle install"}},
		"nothing there":                   {"make e2e", nil, 0, nil},
		"a limit":                         {"npm run lint:ci", []string{"package.json", "{}", "package-lock.json", ""}, 1, []string{"npm ci"}},
		"no limit to speak of":            {"npm run lint:ci", []string{"package.json", "{}", "package-lock.json", ""}, -1, nil},
		"an install that failed":          {"npm ci", []string{"package.json", "{}", "package-lock.json", ""}, 0, []string{"npm install"}},
		"another install that failed":     {"go mod download", []string{"go.mod", "module x"}, 0, nil},
		"node, where the lock is":         {"cd packages/a && npm run lint:ci", []string{"package.json", "{}", "package-lock.json", "", "packages/a/package.json", "{}"}, 0, []string{"npm ci", "npm install"}},
		"node, a lock in its directory":   {"cd packages/a && npm run lint:ci", []string{"package.json", "{}", "package-lock.json", "", "packages/a/package.json", "{}", "packages/a/package-lock.json", ""}, 0, []string{"cd packages/a && npm ci", "cd packages/a && npm install"}},
		"node, where the lock is, pnpm":   {"cd packages/a && pnpm run lint:ci", []string{"package.json", "{}", "pnpm-lock.yaml", "", "packages/a/package.json", "{}"}, 0, []string{"pnpm install --frozen-lockfile", "pnpm install"}},
		"node, its directory, no lock":    {"cd web && npm run lint:ci", []string{"web/package.json", "{}"}, 0, []string{"cd web && npm install"}},
		"python, its directory":           {"cd py && pytest", []string{"py/uv.lock", ""}, 0, []string{"cd py && uv sync --frozen", "cd py && uv sync"}},
		"cargo behind env and a launcher": {"env CI=1 cargo clippy", []string{"Cargo.toml", "", "Cargo.lock", ""}, 0, []string{"cargo fetch --locked", "cargo fetch"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range plan.Candidates(partOf(t, tt.line), plan.CodeSetupIssue, tree(tt.files...), nil, tt.limit) {
				assert.True(t, c.Install)
				got = append(got, c.Part.String())
			}
			assert.Equal(t, tt.want, got)
			for _, code := range []plan.Code{plan.CodeMissingScript, plan.CodeCommandFailed, plan.CodeEnvironmentIssue, plan.CodeFlaky} {
				for _, c := range plan.Candidates(partOf(t, tt.line), code, tree(tt.files...), nil, tt.limit) {
					assert.False(t, c.Install, code)
				}
			}
		})
	}
}

func scriptsOf(names ...string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ","
		}
		s += `"` + n + `":"x"`
	}
	return `{"scripts":{` + s + `}}`
}

func TestHeldOutReplacements(t *testing.T) {
	all := scriptsOf("test", "lint", "build", "check", "typecheck", "start")
	mk := "check:\n\tx\ntest:\n\tx\nbuild:\n\tx\nlint:\n\tx\ntypecheck:\n\tx\n"
	for name, tt := range map[string]struct {
		line  string
		code  plan.Code
		files []string
		dirs  []string
		limit int
		want  []string
	}{
		"check":                      {"npm run verify", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, []string{"npm run check", "npm run typecheck", "npm run test", "npm run build", "npm run lint"}},
		"test":                       {"npm run test:unit", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, []string{"npm run test", "npm run check", "npm run typecheck", "npm run build", "npm run lint"}},
		"typecheck":                  {"npm run typecheck:all", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, []string{"npm run typecheck", "npm run check", "npm run build", "npm run test", "npm run lint"}},
		"lint":                       {"npm run lint:all", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, []string{"npm run lint", "npm run check", "npm run typecheck", "npm run test", "npm run build"}},
		"build":                      {"npm run build:all", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, []string{"npm run build", "npm run typecheck", "npm run check", "npm run test", "npm run lint"}},
		"three by default":           {"npm run verify", plan.CodeMissingScript, []string{"package.json", all}, nil, 0, []string{"npm run check", "npm run typecheck", "npm run test"}},
		"one":                        {"npm run verify", plan.CodeMissingScript, []string{"package.json", all}, nil, 1, []string{"npm run check"}},
		"none":                       {"npm run verify", plan.CodeMissingScript, []string{"package.json", all}, nil, -1, nil},
		"existing ones":              {"npm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("build", "start")}, nil, 8, []string{"npm run build"}},
		"none exists":                {"npm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("start")}, nil, 8, nil},
		"not the failed one":         {"npm run lint", plan.CodeNoTestFiles, []string{"package.json", scriptsOf("lint", "check")}, nil, 8, []string{"npm run check"}},
		"the lock says pnpm":         {"node verify.js", plan.CodeMissingScript, []string{"package.json", scriptsOf("check"), "pnpm-lock.yaml", ""}, nil, 8, []string{"pnpm run check"}},
		"own manager wins":           {"npm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("check"), "pnpm-lock.yaml", ""}, nil, 8, []string{"npm run check"}},
		"pnpm":                       {"pnpm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("check")}, nil, 8, []string{"pnpm run check"}},
		"make":                       {"make verify", plan.CodeMissingMakeTarget, []string{"Makefile", mk}, nil, 8, []string{"make check", "make typecheck", "make test", "make build", "make lint"}},
		"make has make's own":        {"make verify", plan.CodeMissingMakeTarget, []string{"package.json", all}, nil, 8, nil},
		"npm has npm's own":          {"npm run verify", plan.CodeMissingScript, []string{"Makefile", mk}, nil, 8, nil},
		"composer":                   {"composer run-script verify", plan.CodeMissingScript, []string{"composer.json", scriptsOf("check", "lint")}, nil, 8, []string{"composer run-script check", "composer run-script lint"}},
		"go has none":                {"go test ./nope", plan.CodeNoTestFiles, []string{"package.json", all, "Makefile", mk}, nil, 8, nil},
		"cargo has none":             {"cargo test --test x", plan.CodeNoTestFiles, []string{"package.json", all}, nil, 8, nil},
		"pytest has none":            {"pytest", plan.CodeNoTestFiles, []string{"package.json", all, "Makefile", mk}, nil, 8, nil},
		"mvn has none":               {"mvn verify", plan.CodeMissingScript, []string{"package.json", all}, nil, 8, nil},
		"just has none":              {"just verify", plan.CodeMissingMakeTarget, []string{"package.json", all, "Makefile", mk}, nil, 8, nil},
		"an unknown program":         {"./verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("check")}, nil, 8, []string{"npm run check"}},
		"a real failure has none":    {"npm run verify", plan.CodeCommandFailed, []string{"package.json", all}, nil, 8, nil},
		"nor has a time-out":         {"npm run verify", plan.CodeFlaky, []string{"package.json", all}, nil, 8, nil},
		"nor the machine":            {"npm run verify", plan.CodeEnvironmentIssue, []string{"package.json", all}, nil, 8, nil},
		"nor a wrong order":          {"npm run verify", plan.CodeSequenceIssue, []string{"package.json", all}, nil, 8, nil},
		"its directory, dirs, root":  {"cd a && npm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("check"), "a/package.json", scriptsOf("check"), "b/package.json", scriptsOf("check")}, []string{"b"}, 8, []string{"cd a && npm run check", "cd b && npm run check", "npm run check"}},
		"directories before kinds":   {"cd a && npm run verify", plan.CodeMissingScript, []string{"package.json", scriptsOf("check"), "a/package.json", scriptsOf("lint")}, nil, 8, []string{"cd a && npm run lint", "npm run check"}},
		"setup, only its own kind":   {"npm run lint:ci", plan.CodeSetupIssue, []string{"package.json", all}, nil, 8, []string{"npm install", "npm run lint"}},
		"setup, installs come first": {"npm run lint:ci", plan.CodeSetupIssue, []string{"package.json", all, "package-lock.json", ""}, nil, 8, []string{"npm ci", "npm install", "npm run lint"}},
		"setup, no such kind":        {"npm run lint:ci", plan.CodeSetupIssue, []string{"package.json", scriptsOf("test")}, nil, 8, []string{"npm install"}},
		"a target that make lacks":   {"make verify", plan.CodeMissingMakeTarget, []string{"Makefile", "all:\n\tx\n.PHONY: lint\nlint:\n\tx\n"}, nil, 8, []string{"make lint"}},
		"make in a directory":        {"cd a && make verify", plan.CodeMissingMakeTarget, []string{"a/Makefile", "test:\n\tx\n"}, nil, 8, []string{"cd a && make test"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, c := range plan.Candidates(partOf(t, tt.line), tt.code, tree(tt.files...), tt.dirs, tt.limit) {
				got = append(got, c.Part.String())
			}
			assert.Equal(t, tt.want, got)
		})
	}
	refused := plan.Part{Argv: []string{"npm", "run", "verify", "|", "tee", "log"}}
	got := plan.Candidates(refused, plan.CodeUnsupportedFormat, tree("package.json", scriptsOf("check")), nil, 8)
	if assert.Len(t, got, 1) {
		assert.Equal(t, "npm run check", got[0].Part.String())
	}
	many := plan.Candidates(partOf(t, "npm run verify"), plan.CodeMissingScript,
		tree("package.json", all, "a/package.json", all, "b/package.json", all), []string{"a", "b"}, 20)
	assert.Len(t, many, 8)
}

package plan_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestNarrow(t *testing.T) {
	for line, want := range map[string]string{
		"pnpm -r test":                                  "pnpm test",
		"pnpm --recursive run build":                    "pnpm run build",
		"pnpm run -r lint":                              "pnpm run lint",
		"pnpm -r --parallel test":                       "pnpm --parallel test",
		"pnpm test -r":                                  "pnpm test",
		"pnpm --recursive=true test":                    "pnpm test",
		"CI=1 pnpm -r test -- --reporter dot":           "CI=1 pnpm test -- --reporter dot",
		"pnpm -r test -- -r":                            "pnpm test -- -r",
		"pnpm -r exec eslint 'a b'":                     "pnpm exec eslint 'a b'",
		"pnpm -r exec mocha -r ts-node/register":        "pnpm exec mocha -r ts-node/register",
		"pnpm --reporter append-only -r test":           "pnpm --reporter append-only test",
		"npm test -ws":                                  "npm test",
		"npm --ws test":                                 "npm test",
		"npm run lint --workspaces":                     "npm run lint",
		"npm --workspaces --if-present run build":       "npm --if-present run build",
		"npm run test --workspaces -- --ws":             "npm run test -- --ws",
		"yarn workspaces run test":                      "yarn run test",
		"yarn -s workspaces run build x":                "yarn -s run build x",
		"cargo test --workspace":                        "cargo test",
		"cargo test --all":                              "cargo test",
		"cargo fmt --all -- --check":                    "cargo fmt -- --check",
		"cargo +nightly clippy --workspace -- -D x":     "cargo +nightly clippy -- -D x",
		"RUSTFLAGS='-D warnings' cargo check --all":     "RUSTFLAGS='-D warnings' cargo check",
		"cargo test --workspace --all-features --lib x": "cargo test --all-features --lib x",
		"/usr/bin/pnpm -r test":                         "/usr/bin/pnpm test",
		"env CI=1 timeout 60 pnpm -r test":              "env CI=1 timeout 60 pnpm test",
		// not workspace-wide, or about packages that were chosen
		"pnpm test": "", "pnpm -r": "", "pnpm -r --filter a test": "", "pnpm --filter=a -r test": "", "pnpm -r -F a test": "", "pnpm -r -Fa test": "",
		"pnpm -r --filter-prod a test": "", "pnpm -C a -r test": "", "pnpm -r --dir=a test": "", "pnpm -w -r test": "", "pnpm test -- -r": "",
		"pnpm exec mocha -r ts-node/register": "", "pnpm mocha -r x": "", "pnpm --recursive=false test": "",
		"npm test": "", "npm test -w a": "", "npm test -ws --workspace=a": "", "npm test -ws -w a": "", "npm test -- --workspaces": "", "npm --workspaces=false test": "",
		"npm --prefix a -ws test": "", "npm -r test": "",
		"yarn test": "", "yarn workspaces info": "", "yarn workspaces foreach run test": "", "yarn workspace a run test": "", "yarn workspaces run": "",
		"yarn workspaces run test --exclude a": "", "yarn --cwd a workspaces run test": "",
		"cargo test": "", "cargo test --workspace --exclude a": "", "cargo test --workspace -p a": "", "cargo test --workspace -pa": "", "cargo test --all --package=a": "",
		"cargo test --workspace --manifest-path a/Cargo.toml": "", "cargo test -- --workspace": "", "cargo test --all-targets": "",
		"bun test -r": "", "lerna run test": "", "go test --workspace": "", "cd a && pnpm -r test": "", "npx pnpm -r test": "",
	} {
		parts, err := plan.Split(line)
		if !assert.NoError(t, err, line) {
			continue
		}
		before := parts[0].String()
		got, ok := plan.Narrow(parts[0])
		assert.Equal(t, want != "", ok, line)
		if ok {
			assert.Equal(t, want, got.String(), line)
		}
		assert.Equal(t, before, parts[0].String(), "the part is not changed")
	}
}

// lines returns candidates as lines, installs with a plus before them.
func lines(all []plan.Candidate) []string {
	got := []string{}
	for _, c := range all {
		line := c.Part.String()
		if c.Install {
			line = "+" + line
		}
		got = append(got, line)
	}
	return got
}

const allScripts = `{"scripts": {"test": "x", "check": "x", "typecheck": "x", "build": "x", "lint": "x"}}`

func TestCandidatesInstall(t *testing.T) {
	node := tree("package.json", "{}")
	with := func(base fstest.MapFS, files ...string) fstest.MapFS {
		fsys := tree(files...)
		for name, f := range base {
			fsys[name] = f
		}
		return fsys
	}
	for name, tt := range map[string]struct {
		line string
		fsys fstest.MapFS
		want []string
	}{
		"pnpm":                          {"pnpm test", with(node, "pnpm-lock.yaml", ""), []string{"+pnpm install --frozen-lockfile", "+pnpm install"}},
		"yarn, classic":                 {"yarn test", with(node, "yarn.lock", ""), []string{"+yarn install --frozen-lockfile", "+yarn install"}},
		"yarn, modern":                  {"yarn test", with(node, "yarn.lock", "", ".yarnrc.yml", ""), []string{"+yarn install --immutable", "+yarn install"}},
		"npm":                           {"npm test", with(node, "package-lock.json", ""), []string{"+npm ci", "+npm install"}},
		"npm, shrinkwrap":               {"npm test", with(node, "npm-shrinkwrap.json", ""), []string{"+npm ci", "+npm install"}},
		"bun":                           {"bun test", with(node, "bun.lock", ""), []string{"+bun install --frozen-lockfile", "+bun install"}},
		"bun, binary lock":              {"bun test", with(node, "bun.lockb", ""), []string{"+bun install --frozen-lockfile", "+bun install"}},
		"no lock":                       {"npm test", node, []string{"+npm install"}},
		"no lock, pnpm":                 {"pnpm test", node, []string{"+pnpm install"}},
		"npx is anybody's":              {"npx eslint x", with(node, "yarn.lock", ""), []string{"+yarn install --frozen-lockfile", "+yarn install"}},
		"a bare tool takes the lock's":  {"eslint x", with(node, "yarn.lock", ""), []string{"+yarn install --frozen-lockfile", "+yarn install"}},
		"the command's manager wins":    {"npm test", with(node, "pnpm-lock.yaml", ""), []string{"+npm install"}},
		"two locks, the command's":      {"npm test", with(node, "pnpm-lock.yaml", "", "package-lock.json", ""), []string{"+npm ci", "+npm install"}},
		"two locks, none's":             {"jest", with(node, "bun.lock", "", "pnpm-lock.yaml", ""), []string{"+pnpm install --frozen-lockfile", "+pnpm install"}},
		"where the lock is":             {"cd web/app && npm test", tree("package-lock.json", "", "package.json", "{}", "web/app/package.json", "{}"), []string{"+npm ci", "+npm install"}},
		"in the entry's directory":      {"cd web && npm test", tree("package-lock.json", "", "web/package-lock.json", "", "web/package.json", "{}"), []string{"+cd web && npm ci", "+cd web && npm install"}},
		"no manifest there, the root's": {"cd web && npm test", with(node, "web/x", ""), []string{"+npm install"}},
		"itself is none":                {"npm ci", with(node, "package-lock.json", ""), []string{"+npm install"}},
		"go":                            {"go test ./...", tree("go.mod", ""), []string{"+go mod download"}},
		"go, in a directory":            {"cd svc && go test ./...", tree("go.mod", "", "svc/go.mod", ""), []string{"+cd svc && go mod download"}},
		"go, from the root":             {"cd svc && go test ./...", tree("go.mod", "", "svc/x.go", ""), []string{"+go mod download"}},
		"rust":                          {"cargo test", tree("Cargo.toml", "", "Cargo.lock", ""), []string{"+cargo fetch --locked", "+cargo fetch"}},
		"rust, no lock":                 {"cargo test", tree("Cargo.toml", ""), []string{"+cargo fetch"}},
		"uv":                            {"pytest", tree("uv.lock", "", "requirements.txt", ""), []string{"+uv sync --frozen", "+uv sync"}},
		"poetry":                        {"poetry run pytest", tree("poetry.lock", ""), []string{"+poetry install --no-interaction"}},
		"pipenv":                        {"python3 -m pytest", tree("Pipfile.lock", ""), []string{"+pipenv sync --dev"}},
		"requirements":                  {"python3.12 x.py", tree("requirements.txt", ""), []string{"+python3 -m pip install -r requirements.txt"}},
		"ruby":                          {"bundle exec rspec", tree("Gemfile", ""), []string{"+bundle install"}},
		"php":                           {"phpunit", tree("composer.json", "{}"), []string{"+composer install --no-interaction"}},
		"dotnet, solution":              {"dotnet test", tree("x.sln", ""), []string{"+dotnet restore"}},
		"dotnet, project":               {"cd src && dotnet test", tree("src/x.csproj", ""), []string{"+cd src && dotnet restore"}},
		"dotnet, F#":                    {"dotnet test", tree("x.fsproj", ""), []string{"+dotnet restore"}},
		"runner, the first found":       {"just test", tree("go.mod", "", "package.json", "{}"), []string{"+npm install"}},
		"runner, in its directory":      {"cd svc && make test", tree("svc/go.mod", "", "package.json", "{}"), []string{"+cd svc && go mod download"}},
		"unknown tool":                  {"./check.sh", tree("Gemfile", ""), []string{"+bundle install"}},
		"shell":                         {"bash check.sh", tree("Cargo.toml", ""), []string{"+cargo fetch"}},
		"behind a launcher":             {"env X=1 timeout 5 go test ./...", tree("go.mod", "", "package.json", "{}"), []string{"+go mod download"}},
		"another ecosystem's evidence":  {"go test ./...", node, []string{}},
		"maven fetches by itself":       {"mvn test", tree("pom.xml", "", "go.mod", ""), []string{}},
		"gradle fetches by itself":      {"./gradlew test", tree("go.mod", ""), []string{}},
		"nothing":                       {"npm test", tree("x", ""), []string{}},
	} {
		parts, err := plan.Split(tt.line)
		if assert.NoError(t, err, name) {
			assert.Equal(t, tt.want, lines(plan.Candidates(parts[0], plan.CodeSetupIssue, tt.fsys, nil, 8)), name)
		}
	}
}

func TestCandidatesReplace(t *testing.T) {
	node := tree("package.json", allScripts)
	for name, tt := range map[string]struct {
		line string
		code plan.Code
		fsys fstest.MapFS
		dirs []string
		want []string
	}{
		"test":                     {"npm run test:e2e", plan.CodeMissingScript, node, nil, []string{"npm run test", "npm run check", "npm run typecheck", "npm run build", "npm run lint"}},
		"typecheck":                {"npm run type-check", plan.CodeMissingScript, node, nil, []string{"npm run typecheck", "npm run check", "npm run build", "npm run test", "npm run lint"}},
		"lint":                     {"pnpm run lint:all", plan.CodeMissingScript, node, nil, []string{"pnpm run lint", "pnpm run check", "pnpm run typecheck", "pnpm run test", "pnpm run build"}},
		"build":                    {"yarn run build:prod", plan.CodeMissingScript, node, nil, []string{"yarn run build", "yarn run typecheck", "yarn run check", "yarn run test", "yarn run lint"}},
		"check":                    {"bun run verify", plan.CodeMissingScript, node, nil, []string{"bun run check", "bun run typecheck", "bun run test", "bun run build", "bun run lint"}},
		"test before lint":         {"npm run lint-tests", plan.CodeMissingScript, node, nil, []string{"npm run test", "npm run check", "npm run typecheck", "npm run build", "npm run lint"}},
		"latest is no test":        {"npx frob@latest", plan.CodeNoTestFiles, node, nil, []string{"npm run check", "npm run typecheck", "npm run test", "npm run build", "npm run lint"}},
		"not itself":               {"npm test", plan.CodeNoTestFiles, node, nil, []string{"npm run check", "npm run typecheck", "npm run build", "npm run lint"}},
		"not itself, with options": {"npm run -s lint", plan.CodeNoTestFiles, node, nil, []string{"npm run check", "npm run typecheck", "npm run test", "npm run build"}},
		"the lock's manager":       {"vitest run", plan.CodeNoTestFiles, tree("package.json", `{"scripts": {"check": ""}}`, "pnpm-lock.yaml", ""), nil, []string{"pnpm run check"}},
		"unknown program":          {"./verify.sh", plan.CodeMissingScript, tree("package.json", `{"scripts": {"check": ""}}`), nil, []string{"npm run check"}},
		"own directory first": {"cd a && npm run nope", plan.CodeMissingScript,
			tree("package.json", `{"scripts": {"lint": ""}}`, "a/package.json", `{"scripts": {"build": ""}}`, "b/package.json", `{"scripts": {"test": ""}}`),
			[]string{"b", "a"}, []string{"cd a && npm run build", "cd b && npm run test", "npm run lint"}},
		"make":                        {"make test-all", plan.CodeMissingMakeTarget, tree("Makefile", "check:\nlint test: x\n", "package.json", allScripts), nil, []string{"make test", "make check", "make lint"}},
		"gmake":                       {"gmake vet", plan.CodeMissingMakeTarget, tree("Makefile", "build:\n"), nil, []string{"gmake build"}},
		"make, phony without a rule":  {"make vet", plan.CodeMissingMakeTarget, tree("Makefile", ".PHONY: test\n"), nil, []string{}},
		"make, not itself":            {"make -j4 test", plan.CodeNoTestFiles, tree("Makefile", "test:\ncheck:\n"), nil, []string{"make check"}},
		"composer":                    {"composer run-script tests", plan.CodeMissingScript, tree("composer.json", `{"scripts": {"test": "x", "lint": "x"}}`, "package.json", allScripts), nil, []string{"composer run-script test", "composer run-script lint"}},
		"composer, not itself":        {"composer run test", plan.CodeNoTestFiles, tree("composer.json", `{"scripts": {"test": "x", "lint": "x"}}`), nil, []string{"composer run-script lint"}},
		"refused line":                {"npm test | tee log", plan.CodeUnsupportedFormat, node, nil, []string{"npm run test", "npm run check", "npm run typecheck", "npm run build", "npm run lint"}},
		"refused line, assignment":    {"X=$Y npm run lint", plan.CodeUnsupportedFormat, tree("package.json", `{"scripts": {"lint": ""}}`), nil, []string{"npm run lint"}},
		"no other tool":               {"cargo test", plan.CodeNoTestFiles, node, nil, []string{}},
		"nor go":                      {"go test ./...", plan.CodeNoTestFiles, node, nil, []string{}},
		"nor just":                    {"just test", plan.CodeMissingMakeTarget, node, nil, []string{}},
		"nor pytest":                  {"pytest", plan.CodeNoTestFiles, node, nil, []string{}},
		"nor a shell":                 {"sh x.sh", plan.CodeMissingScript, node, nil, []string{}},
		"setup: only the first kind":  {"npx eslint x", plan.CodeSetupIssue, node, nil, []string{"+npm install", "npm run lint"}},
		"setup: not itself":           {"npm run lint", plan.CodeSetupIssue, node, nil, []string{"+npm install"}},
		"setup: make":                 {"make test-all", plan.CodeSetupIssue, tree("Makefile", "test:\nlint:\n", "go.mod", ""), nil, []string{"+go mod download", "make test"}},
		"a failure has no candidates": {"npm run lint", plan.CodeCommandFailed, node, nil, []string{}},
		"nor has a time-out":          {"npm run lint", plan.CodeFlaky, node, nil, []string{}},
		"nor has what was denied":     {"npm run lint", plan.CodePolicyViolation, node, nil, []string{}},
	} {
		part := plan.Part{Argv: fields(tt.line)}
		if parts, err := plan.Split(tt.line); err == nil {
			part = parts[0]
		}
		assert.Equal(t, tt.want, lines(plan.Candidates(part, tt.code, tt.fsys, tt.dirs, 8)), name)
	}
}

func TestCandidatesLimit(t *testing.T) {
	fsys := tree("package.json", allScripts, "package-lock.json", "", "a/package.json", allScripts)
	count := func(limit int) int {
		return len(plan.Candidates(partOf(t, "npm run verify"), plan.CodeMissingScript, fsys, []string{"a"}, limit))
	}
	assert.Equal(t, []int{3, 1, 8, 8, 0}, []int{count(0), count(1), count(8), count(100), count(-1)})
	setup := plan.Candidates(partOf(t, "npx eslint"), plan.CodeSetupIssue, fsys, nil, 2)
	assert.Equal(t, []string{"+npm ci", "+npm install"}, lines(setup), "installs count")
	assert.Empty(t, plan.Candidates(plan.Part{}, plan.CodeSetupIssue, fsys, nil, 8))
	assert.Empty(t, plan.Candidates(partOf(t, "npm test"), plan.CodeSetupIssue, nil, nil, 8))
}

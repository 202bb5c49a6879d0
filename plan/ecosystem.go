package plan

import (
	"io/fs"
	"path"
	"strings"
)

// ecosystem is a family of tools that share one way to fetch what they need.
type ecosystem string

const (
	noEcosystem ecosystem = "" // of a runner, or of a program that is not known: whatever the tree has
	ecoNode     ecosystem = "node"
	ecoGo       ecosystem = "go"
	ecoRust     ecosystem = "rust"
	ecoPython   ecosystem = "python"
	ecoRuby     ecosystem = "ruby"
	ecoPHP      ecosystem = "php"
	ecoDotnet   ecosystem = "dotnet"
	ecoJVM      ecosystem = "jvm" // maven and gradle fetch by themselves
)

// ecosystems lists those that have an install, in the order in which a tree is
// searched for one.
var ecosystems = []ecosystem{ecoNode, ecoGo, ecoRust, ecoPython, ecoRuby, ecoPHP, ecoDotnet}

// ecosystemOf says which family a program belongs to.
var ecosystemOf = func() map[string]ecosystem {
	of := make(map[string]ecosystem)
	for eco, names := range map[ecosystem]string{
		ecoNode: `node nodejs npm npx pnpm pnpx yarn yarnpkg bun bunx corepack tsc tsx ts-node vue-tsc svelte-check jest vitest mocha ava
			tap jasmine karma cypress playwright c8 nyc eslint oxlint prettier stylelint biome xo standard vite webpack rollup
			esbuild tsup next nuxt astro nx turbo lerna gulp grunt`,
		ecoGo:     `go gofmt golangci-lint staticcheck gotestsum govulncheck ginkgo mage`,
		ecoRust:   `cargo rustc rustfmt rustdoc cross`,
		ecoPython: `python pypy pip pytest py.test tox nox poetry uv uvx pipenv pipx pdm hatch rye mypy pyright ruff flake8 pylint black isort coverage`,
		ecoRuby:   `ruby bundle bundler rspec rake rubocop gem rails`,
		ecoPHP:    `php composer phpunit pest phpstan psalm phpcs`,
		ecoDotnet: `dotnet msbuild`,
		ecoJVM:    `mvn mvnw gradle gradlew java javac`,
	} {
		for name := range strings.FieldsSeq(names) {
			of[name] = eco
		}
	}
	return of
}()

// runners are programs that run what belongs to any ecosystem.
var runners = setOf(strings.Fields(`make gmake bmake ninja cmake ctest just task ant bats`)...)

// tool is what is known of the program that a part starts.
type tool struct {
	name    string // of the first program that is known, from the one that is started outwards
	eco     ecosystem
	manager string // the package manager of node that was named; "" if none was
	unknown bool   // no program of the command is known
}

// toolOf looks at a command.
func toolOf(argv []string) tool {
	for len(argv) > 0 && strings.IndexByte(argv[0], '=') > 0 { // of a line that was refused
		argv = argv[1:]
	}
	t := tool{unknown: true}
	for _, name := range toolNames(argv) {
		base := strings.TrimRight(name, "0123456789.")
		eco, known := ecosystemOf[name]
		if !known {
			eco, known = ecosystemOf[base]
		}
		if t.unknown && (known || runners[name] || shellNames[name]) {
			t.name, t.eco, t.unknown = name, eco, false
		}
		if manager := nodeManagers[name]; manager != "" && t.manager == "" {
			t.manager = manager
		}
	}
	return t
}

// nodeManagers lists the programs of node's package managers. npx is not among
// them: it comes with node, and is used beside any of them.
var nodeManagers = map[string]string{
	"npm": "npm", "pnpm": "pnpm", "pnpx": "pnpm", "yarn": "yarn", "yarnpkg": "yarn", "bun": "bun", "bunx": "bun",
}

// nodeLocks lists the lock files of node's package managers, in the order in which
// they are believed.
var nodeLocks = []struct{ file, manager string }{
	{"pnpm-lock.yaml", "pnpm"},
	{"yarn.lock", "yarn"},
	{"package-lock.json", "npm"},
	{"npm-shrinkwrap.json", "npm"},
	{"bun.lock", "bun"},
	{"bun.lockb", "bun"},
}

// nodeManager returns the package manager of a directory, and the directory at or
// above it that has its lock file. own is the one that was named, which wins; ""
// for none. Without a lock file it is npm, and locked is false.
func nodeManager(fsys fs.FS, dir, own string) (manager, lockDir string, locked bool) {
	for _, d := range upwards(dir) {
		for _, l := range nodeLocks {
			if (own == "" || own == l.manager) && exists(fsys, d, l.file) {
				return l.manager, d, true
			}
		}
	}
	if own == "" {
		own = "npm"
	}
	return own, "", false
}

// upwards returns a directory of the tree and all above it, the root last.
func upwards(dir string) []string {
	var dirs []string
	for dir != "" && dir != "." {
		dirs = append(dirs, dir)
		dir = path.Dir(dir)
	}
	return append(dirs, "")
}

// evidence is a file that says which commands fetch what a directory needs, the
// one that changes least first.
type evidence struct {
	file     string // a glob, for [path.Match]
	commands []string
}

// installs lists the evidence of the ecosystems but node's, what says most first.
var installs = map[ecosystem][]evidence{
	ecoGo: {{"go.mod", []string{"go mod download"}}},
	ecoRust: {
		{"Cargo.lock", []string{"cargo fetch --locked", "cargo fetch"}},
		{"Cargo.toml", []string{"cargo fetch"}},
	},
	ecoPython: {
		{"uv.lock", []string{"uv sync --frozen", "uv sync"}},
		{"poetry.lock", []string{"poetry install --no-interaction"}},
		{"Pipfile.lock", []string{"pipenv sync --dev"}},
		{"requirements.txt", []string{"python3 -m pip install -r requirements.txt"}},
	},
	ecoRuby: {{"Gemfile", []string{"bundle install"}}},
	ecoPHP:  {{"composer.json", []string{"composer install --no-interaction"}}},
	ecoDotnet: {
		{"*.sln", []string{"dotnet restore"}},
		{"*.csproj", []string{"dotnet restore"}},
		{"*.fsproj", []string{"dotnet restore"}},
	},
}

// nodeInstalls lists by manager what fetches exactly what the lock file says, and
// what fetches without one.
var nodeInstalls = map[string][2]string{
	"pnpm": {"pnpm install --frozen-lockfile", "pnpm install"},
	"yarn": {"yarn install --immutable", "yarn install"},
	"npm":  {"npm ci", "npm install"},
	"bun":  {"bun install --frozen-lockfile", "bun install"},
}

// yarnClassic is how a yarn is asked that has no .yarnrc.yml, which is older.
const yarnClassic = "yarn install --frozen-lockfile"

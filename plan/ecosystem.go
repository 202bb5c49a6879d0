package plan

import (
	"io/fs"
	"path"
)

// installable lists the ecosystems that have an install, in the order in which a
// tree is searched for one. Maven and gradle fetch by themselves.
var installable = []ecosystem{ecoNode, ecoGo, ecoRust, ecoPython, ecoRuby, ecoPHP, ecoDotnet}

// plainRunners are runners that belong to no ecosystem, and are known.
var plainRunners = setOf("make", "ninja", "cmake", "ctest", "just", "task", "mage", "ant", "bats")

// means is what an entry that failed is run by.
type means struct {
	tool
	program string // the tool's name as it was written
	manager string // the package manager of node that was named; "" if none was
}

// meansOf looks at a command, or at the words of a line that is none.
func meansOf(argv []string) means {
	for len(argv) > 1 && isSetting(argv[0]) {
		argv = argv[1:]
	}
	m := means{tool: resolveTool(argv)}
	for i, name := range toolNames(argv) {
		if i == 0 {
			m.program = name
		}
		if m.manager == "" {
			m.manager = nodeManagers[name]
		}
	}
	return m
}

// isUnknown reports whether nothing is known of the tool.
func (m means) isUnknown() bool {
	return m.ecosystem() == "" && !plainRunners[m.name()] && !shellNames[m.name()]
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
		{"*.slnx", []string{"dotnet restore"}},
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

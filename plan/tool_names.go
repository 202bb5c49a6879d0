package plan

import "strings"

// ecosystem is a family of tools that print each other's messages.
type ecosystem string

// Ecosystems; "" is that of a tool that belongs to none or is not known.
const (
	ecoNode   ecosystem = "node"
	ecoGo     ecosystem = "go"
	ecoRust   ecosystem = "rust"
	ecoPython ecosystem = "python"
	ecoJava   ecosystem = "java"
	ecoRuby   ecosystem = "ruby"
	ecoPHP    ecosystem = "php"
	ecoDotnet ecosystem = "dotnet"
)

// leaves are tools that do a thing themselves: what they print of another
// ecosystem is text that somebody's test quotes.
var leaves = byName(map[ecosystem]string{
	ecoNode: `node tsx ts-node vitest jest mocha ava tap tape jasmine karma playwright cypress qunit uvu wtr web-test-runner
		tsc vue-tsc eslint prettier stylelint biome c8 nyc`,
	ecoGo:     "go gofmt gotestsum staticcheck",
	ecoRust:   "cargo rustc rustfmt cross",
	ecoPython: "python pypy pytest unittest nose2 mypy pyright ruff flake8 black isort pylint coverage pip",
	ecoJava:   "mvn gradle java javac",
	ecoRuby:   "ruby rspec minitest rubocop",
	ecoPHP:    "php phpunit pest paratest phpstan psalm",
	ecoDotnet: "dotnet msbuild vstest",
})

// runners start other programs, and so may show what any of them prints. A
// program that is in no list is a runner without an ecosystem.
var runners = byName(map[ecosystem]string{
	ecoNode:   "npm pnpm yarn bun",
	ecoPython: "tox nox poetry uv pipenv pdm hatch rye pipx",
	ecoRuby:   "bundle rake",
	ecoPHP:    "composer",
})

// otherNames are names that a tool goes by beside its own.
var otherNames = map[string]string{
	"gmake": "make", "bmake": "make", "remake": "make", "mingw32-make": "make", "nmake": "make",
	"ninja-build": "ninja", "samu": "ninja", "go-task": "task", "nodejs": "node", "yarnpkg": "yarn",
	"npx": "npm", "pnpx": "pnpm", "bunx": "bun", "uvx": "uv", "bundler": "bundle",
	"py.test": "pytest", "py": "python", "pypy": "python", "trial": "unittest",
	"mvnw": "mvn", "mvnd": "mvn", "gradlew": "gradle", "xunit": "dotnet",
}

func byName(lists map[ecosystem]string) map[string]ecosystem {
	names := map[string]ecosystem{}
	for eco, list := range lists {
		for name := range setOf(strings.Fields(list)...) {
			names[name] = eco
		}
	}
	return names
}

// launcher says where the command begins that a program starts.
type launcher struct {
	verbs    string // words that have to come first, one of them; "" if none has to
	values   string // options whose value is the next word
	operands int    // words of its own that come before the command
	sets     bool   // NAME=value words may come before it
	isTool   bool   // it speaks for itself: its own messages count beside those of what it starts
}

// launchers are programs that start what the rest of their line says.
var launchers = map[string]launcher{
	"env":      {values: "-u --unset -C --chdir -a --argv0", sets: true},
	"nice":     {values: "-n --adjustment"},
	"nohup":    {},
	"time":     {values: "-f --format -o --output"},
	"stdbuf":   {values: "-i --input -o --output -e --error"},
	"setsid":   {},
	"ionice":   {values: "-c --class -n --classdata"},
	"timeout":  {values: "-k --kill-after -s --signal", operands: 1},
	"xvfb-run": {values: "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait"},
	"sudo":     {values: "-u --user -g --group -C -D --chdir -h -p -r -t -T -U", sets: true},
	"doas":     {values: "-u -C"},
	"corepack": {},

	"npx":    {values: "-p --package -w --workspace --cache", isTool: true},
	"pnpx":   {values: "-p --package", isTool: true},
	"bunx":   {values: "-p --package", isTool: true},
	"uvx":    {values: uvValues + " --from", isTool: true},
	"npm":    {verbs: "exec x", values: "-p --package -w --workspace --prefix -C --cache", isTool: true},
	"pnpm":   {verbs: "exec dlx", values: "-p --package -C --dir -F --filter", isTool: true},
	"yarn":   {verbs: "exec dlx", values: "-p --package --cwd", isTool: true},
	"bun":    {verbs: "x", values: "-p --package --cwd", isTool: true},
	"bundle": {verbs: "exec", values: "--gemfile", isTool: true},
	"poetry": {verbs: "run", values: "-C --directory -P --project", isTool: true},
	"uv":     {verbs: "run", values: uvValues, isTool: true},
	"pipenv": {verbs: "run", values: "--python", isTool: true},
	"pdm":    {verbs: "run", values: "-p --project", isTool: true},
	"hatch":  {verbs: "run", values: "-e --env -p --project", isTool: true},
	"rye":    {verbs: "run", values: "-p --pyproject", isTool: true},
	"pipx":   {verbs: "run", values: "--spec --python", isTool: true},
}

const uvValues = "-p --python --with --with-editable --with-requirements --extra --no-extra --group --no-group --only-group " +
	"--package --directory --project --env-file --index --default-index -i --index-url --config-file --cache-dir"

// interpreters start the script that is their first operand.
var interpreters = map[string]struct {
	values string // options whose value is the next word
	code   string // options that take their program from the next word: then there is no script
}{
	"python": {values: "-W -X", code: "-c"},
	"node":   {values: "-r --require --import --loader", code: "-e -p --eval --print"},
	"php":    {values: "-d -c", code: "-r"},
	"ruby":   {values: "-I -r -C", code: "-e"},
}

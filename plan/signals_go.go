package plan

import (
	"regexp"
	"slices"
)

// What the go command prints. Its own messages on source name line and column;
// what a test logs names the line alone.
var goSignals = []signal{
	{CodeMissingScript, goTools, goLead + `(?:no required module provides package \S+: |cannot determine module path .*)?go\.mod file not found in\b`, nil},
	{CodeMissingScript, goTools, goLead + `cannot find main module\b`, nil},
	{CodeMissingScript, goTools, goLead + `directory (?:prefix )?\S+ (?:does not contain|outside) (?:the )?(?:main module|modules listed in go\.work|available modules)`, nil},
	{CodeMissingScript, goTools, `go \S+: unknown (?:sub)?command|go: unknown (?:sub)?command`, nil},
	{CodeMissingScript, goTools, noGoPackage, notGoTest},
	{CodeNoTestFiles, "go", noGoPackage, isGoTest},

	{nothingRan, "go", `\?\s+\S+\s+\[no test files\]`, nil},
	{nothingRan, "go", `[\w./-]+ {2,}coverage: 0\.0% of statements$`, nil},
	{nothingRan, "go", `ok\s+\S+\s.*\[no tests to run\]$|testing: warning: no tests to run`, nil},
	{nothingRan, "go", `go: warning: <N> matched no packages$`, noneMatched},

	{CodeEnvironmentIssue, "go", `(?:go: |\S+\.go:\d+:\d+: ).*(?:\bdial tcp\b|: no such host|: i/o timeout|TLS handshake timeout)`, nil},
	{CodeEnvironmentIssue, "go", `dial tcp: lookup\b`, nil},

	{CodeSetupIssue, "go", goLead + `(?:no required module provides package|cannot find module providing package)\b`, nil},
	{CodeSetupIssue, "go", goLead + `(?:verifying )?(?:\S+@\S+: )?missing go\.sum entry\b`, nil},
	{CodeSetupIssue, "go", `go: (?:inconsistent vendoring in|updates to go\.(?:mod|sum|work) needed)\b`, nil},
	{CodeSetupIssue, "go", `(?:go|note): .*\brequires [Gg]o (?:>= ?)?\d`, nil},
	{CodeSetupIssue, "go", `go(?: tool)?: no such tool\b`, nil},
	{CodeSetupIssue, "go", `go: download go\S+ for \S+: toolchain not available`, nil},
}

const goTools = "go gotestsum"

const goLead = `(?:go: |pattern \S+: |\S+\.go:\d+:\d+: )*`

// noGoPackage is what go says where there is nothing to build.
const noGoPackage = goLead + `(?:can't load package: )?(?:package \S+: )?` +
	`(?:stat \S+: directory not found|lstat \S+: no such file|no (?:non-test )?Go files in\b|no packages (?:to (?:test|vet|build)|loaded from)\b|cannot find package "\.)`

// isGoTest holds if go was asked for tests: then a missing directory is a missing
// test. What a runner asked it for shows in how go test ends.
func isGoTest(h *hearing, _ string) bool {
	switch {
	case h.tool.is("go"):
		words := targets(h.tool.args, "-C")
		return slices.Equal(words[:min(len(words), 1)], []string{"test"})
	case h.tool.is("gotestsum"):
		return true
	}
	return slices.ContainsFunc(h.lines, func(l outputLine) bool { return setupFailed.MatchString(l.text) })
}

// setupFailed is how go test names a package that it could not make a test of.
var setupFailed = regexp.MustCompile(`^FAIL\s+\S+ \[setup failed\]$`)

// noneMatched holds if none of the patterns that go was given matched a package.
func noneMatched(h *hearing, _ string) bool {
	words := targets(h.tool.args, "-C -o -p -tags -ldflags -gcflags -mod -run -skip -vettool")
	if !h.tool.is("go") || len(words) < 2 || words[0] == "mod" || words[0] == "get" {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(pattern string) bool {
		return !slices.ContainsFunc(h.lines, func(l outputLine) bool { return l.text == `go: warning: "`+pattern+`" matched no packages` })
	})
}

func notGoTest(h *hearing, name string) bool { return !isGoTest(h, name) }

// What cargo and rustc print.
var rustSignals = []signal{
	{CodeMissingScript, cargoTools, "error: could not find `Cargo\\.toml` in\\b", nil},
	{CodeMissingScript, cargoTools, `error: no (?:bin|example|bench) target (?:named|matches pattern) <N>`, givenWord},
	{CodeMissingScript, cargoTools, `error: package ID specification <N> did not match`, givenWord},
	{CodeMissingScript, cargoTools, `error: package(?:\(s\)| pattern\(s\))? <N> not found in workspace`, givenWord},
	{CodeMissingScript, cargoTools, `error: (?:a bin target must be available|no library targets found in package)\b`, nil},
	{CodeMissingScript, cargoTools, `error: manifest path <N> does not exist`, givenPath},

	{CodeNoTestFiles, "rust", `error: (?:no test target (?:named|matches pattern)|no tests to run)\b`, nil},
	{nothingRan, "rust", `running 0 tests$|Starting 0 tests across`, nil},

	{CodeEnvironmentIssue, "rust", `(?:warning: |error: )?spurious network error\b`, nil},
	{CodeEnvironmentIssue, "rust", `(?:spurious network error[^:]*: )?\[\d+\] .*(?:Could not|Couldn't) (?:resolve|connect)`, nil},
	{CodeEnvironmentIssue, "rust", `Could not resolve host\b`, nil},

	{CodeSetupIssue, "rust", `error: no such (?:sub)?command: `, nil},
	{CodeSetupIssue, "rust", `error: linker <q>.+<q> not found`, nil},
	{CodeSetupIssue, "rust", `error: toolchain <q>.+<q> is not installed`, nil},
	{CodeSetupIssue, "rust", `error: rustc \S+ is not supported by\b`, nil},
	{CodeSetupIssue, "rust", "(?:error: package `[^`]+` cannot be built because it|\\S+@\\S+) requires rustc\\b", nil},
	{CodeSetupIssue, "rust", `error: no matching package (?:named )?(?:<q>|found)`, nil},
	{CodeSetupIssue, "rust", `error: failed to get <q>`, nil},
	{CodeSetupIssue, "rust", `error\[E0463\]: can't find crate for <q>(?:std|core|alloc|proc_macro|test)<q>`, nil},
	{CodeSetupIssue, "rust", `error: (?:the )?<q>[\w.-]+<q>(?: binary, normally provided by| is not installed for the toolchain)`, nil},
}

const cargoTools = "cargo cross"

package plan

import (
	"path"
	"strings"
)

// generatedEndings end the names of files that tools write and people do not.
var generatedEndings = strings.Fields(`
	.log .tsbuildinfo .o .obj .a .so .dylib .elf .bin .map .pyc .class .gcda .gcno .profraw .lcov .tmp .coverage coverage.out`)

// outputDirs are directories that tools write into.
var outputDirs = setOf(strings.Fields(`
	dist build out coverage target obj node_modules __pycache__ .tox .nox .gradle .next .nuxt .turbo .cache .pytest_cache
	.mypy_cache .ruff_cache reports test-results playwright-report htmlcov _build`)...)

// sourceEndings end the names of files that people write, even into a directory
// with the name of one that tools write into: build/main.go is work.
var sourceEndings = setOf(strings.Fields(`
	.go .rs .py .pyi .java .ts .tsx .mts .cts .jsx .c .h .cc .cpp .cxx .hh .hpp .hxx .cs .fs .vb .kt .kts .scala .groovy
	.swift .rb .php .m .mm .sh .bash .pl .pm .ex .exs .erl .hs .ml .mli .clj .cljs .lua .zig .nim .jl .r .R .dart .vue
	.svelte .proto .sql .tf .nix`)...)

// vendorDirs hold what was fetched or built, its sources included.
var vendorDirs = setOf("node_modules", "target")

// looksGenerated reports whether a path looks like something that a build, a test
// or an install left behind.
func looksGenerated(name string) bool {
	name = treePath(name)
	dir, base := path.Split(name)
	for _, ending := range generatedEndings {
		if strings.HasSuffix(base, ending) {
			return true
		}
	}
	if stem, version, ok := strings.Cut(base, ".so."); ok && stem != "" && strings.Trim(version, "0123456789.") == "" {
		return true // libx.so.1.2
	}
	source := sourceEndings[path.Ext(base)]
	for segment := range strings.SplitSeq(dir, "/") {
		if outputDirs[segment] && (!source || vendorDirs[segment]) {
			return true
		}
	}
	return false
}

// lockFiles lists by manifest the files that a package manager writes beside it.
var lockFiles = map[string][]string{
	"package.json":     {"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"},
	"go.mod":           {"go.sum", "go.work.sum"},
	"Cargo.toml":       {"Cargo.lock"},
	"pyproject.toml":   {"uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"},
	"Pipfile":          {"Pipfile.lock"},
	"Gemfile":          {"Gemfile.lock"},
	"composer.json":    {"composer.lock"},
	"mix.exs":          {"mix.lock"},
	"flake.nix":        {"flake.lock"},
	"build.gradle":     {"gradle.lockfile", "buildscript-gradle.lockfile"},
	"build.gradle.kts": {"gradle.lockfile", "buildscript-gradle.lockfile"},
	"*.csproj":         {"packages.lock.json"},
}

// isLockOf reports whether a file is a lock file of a manifest, both by name.
func isLockOf(lock, manifest string) bool {
	if strings.HasSuffix(manifest, ".csproj") {
		manifest = "*.csproj"
	}
	for _, name := range lockFiles[manifest] {
		if name == lock {
			return true
		}
	}
	return false
}

// isLock reports whether a file is a lock file, by name.
func isLock(name string) bool {
	for manifest := range lockFiles {
		if isLockOf(name, manifest) {
			return true
		}
	}
	return false
}

// treePath returns a path as globs see it; "" for the tree itself.
func treePath(name string) string {
	if name, _ = cleanPath(name); name != "." {
		return name
	}
	return ""
}

// leavesTree reports whether a path names nothing inside the tree.
func leavesTree(name string) bool {
	_, inside := cleanPath(name)
	return !inside
}

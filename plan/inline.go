package plan

import (
	"slices"
	"strings"
)

// workspaceWide says how a tool is told to work on all packages of a workspace.
type workspaceWide struct {
	flags    []string // which tell it to
	choosing []string // which choose packages, or another directory; then it is not all of them
	letters  string   // of choosing, options of one letter that may have their value glued to them
	manifest string   // what a package of it has
}

// workspaceTools lists the tools of which [Narrow] knows a single-package form.
var workspaceTools = map[string]workspaceWide{
	"pnpm": {
		flags:    []string{"-r", "--recursive"},
		choosing: []string{"--filter", "--filter-prod", "-F", "--dir", "-C", "--workspace-root", "-w"},
		letters:  "FC", manifest: "package.json",
	},
	"npm": {
		flags:    []string{"-ws", "--ws", "--workspaces"},
		choosing: []string{"--workspace", "-w", "--prefix", "-C"},
		letters:  "C", manifest: "package.json",
	},
	"yarn": {
		choosing: []string{"--include", "--exclude", "--from", "--since", "--cwd"},
		manifest: "package.json",
	},
	"cargo": {
		flags:    []string{"--workspace", "--all"},
		choosing: []string{"--package", "-p", "--exclude", "--manifest-path", "-C"},
		letters:  "pC", manifest: "Cargo.toml",
	},
}

// Narrow returns the form of a command that works on one package where the
// command works on all packages of a workspace: pnpm -r, npm --workspaces, yarn
// workspaces run, cargo --workspace. The part that is returned has no directory;
// the caller knows in which package it is to run. Environment and all other words
// stay.
//
// It reports false for a part with a directory, one that chooses packages by a
// filter, a name or an exclusion, and any other command.
func Narrow(p Part) (Part, bool) {
	if p.Dir != "" {
		return Part{}, false
	}
	at := workspaceTool(p.Argv)
	argv, ok := narrowed(p.Argv[at:])
	if !ok {
		return Part{}, false
	}
	return Part{Env: slices.Clone(p.Env), Argv: slices.Concat(p.Argv[:at], argv)}, true
}

// workspaceTool returns the index of the tool's name, behind what starts it as it
// is, as env and timeout.
func workspaceTool(argv []string) int {
	at := 0
	for at < len(argv) {
		l, ok := launchers[programName(argv[at])]
		if !ok || l.isTool {
			break
		}
		next := l.command(argv[at+1:])
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return at
}

// narrowed returns the words of a tool without those that make it work on all
// packages.
func narrowed(words []string) ([]string, bool) {
	if len(words) < 3 {
		return nil, false
	}
	tool := programName(words[0])
	w, ok := workspaceTools[tool]
	if !ok {
		return nil, false
	}
	end := ownWords(tool, words)
	if slices.ContainsFunc(words[1:end], w.chooses) {
		return nil, false
	}
	argv := slices.Clone(words[:1])
	for _, word := range words[1:end] {
		if !w.isFlag(word) {
			argv = append(argv, word)
		}
	}
	if i := slices.IndexFunc(argv[1:], isOperand) + 1; tool == "yarn" && i > 0 && i+2 < len(argv) && argv[i] == "workspaces" && argv[i+1] == "run" {
		argv = slices.Delete(argv, i, i+1)
	}
	argv = append(argv, words[end:]...)
	return argv, len(argv) < len(words) && slices.ContainsFunc(argv[1:], isOperand)
}

// chooses reports whether a word is an option that chooses packages.
func (w workspaceWide) chooses(word string) bool {
	name, value, hasValue := strings.Cut(word, "=")
	if slices.Contains(w.choosing, name) || hasValue && (value == "false" || value == "0") && w.isFlag(name) {
		return true
	}
	return len(word) > 2 && word[0] == '-' && word[1] != '-' && strings.IndexByte(w.letters, word[1]) >= 0
}

// isFlag reports whether a word says that the tool is to work on all packages.
func (w workspaceWide) isFlag(word string) bool {
	name, value, hasValue := strings.Cut(word, "=")
	return slices.Contains(w.flags, name) && (!hasValue || value == "true")
}

// ownWords returns how many words of a command are the tool's own. What stands
// behind a double dash is not, nor is what pnpm hands to a program that it runs.
func ownWords(tool string, argv []string) int {
	end := len(argv)
	if i := slices.Index(argv, "--"); i >= 0 {
		end = i
	}
	if tool != "pnpm" {
		return end
	}
	for i := 1; i < end; i++ {
		switch {
		case !isOperand(argv[i]):
			if pnpmValues[argv[i]] {
				i++
			}
			continue
		case argv[i] == "exec" || argv[i] == "dlx" || argv[i] == "create":
			if next := slices.IndexFunc(argv[i+1:end], isOperand); next >= 0 {
				return i + 1 + next + 1
			}
		case !pnpmCommands[argv[i]]:
			return i + 1
		}
		return end
	}
	return end
}

// pnpmValues are options of pnpm that take the next word.
var pnpmValues = setOf("--reporter", "--loglevel", "--workspace-concurrency", "--network-concurrency", "--child-concurrency", "--store-dir")

// pnpmCommands are pnpm's commands whose options may stand anywhere. Any other
// word is a script or a program, and what follows is handed to it.
var pnpmCommands = setOf(strings.Fields(`
	run run-script test t tst start install i install-test it ci add remove rm uninstall update up upgrade audit licenses list ls
	ll la outdated why publish pack rebuild rb prune dedupe fetch deploy link unlink`)...)

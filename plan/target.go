package plan

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// MissingTarget reports whether a command names a make target or a script that is
// not there, and which. It reads the makefile or the manifest and runs nothing.
// Wherever that cannot tell for sure, the answer is no: a makefile that includes
// another, an option that leads elsewhere, no file at all, no fsys.
func MissingTarget(fsys fs.FS, p Part) (name string, missing bool) {
	if fsys == nil || len(p.Argv) < 2 {
		return "", false
	}
	switch programName(p.Argv[0]) {
	case "make", "gmake":
		return missingMakeTarget(fsys, p)
	case "npm", "pnpm", "yarn", "bun":
		return missingNodeScript(fsys, p)
	case "composer":
		return missingComposerScript(fsys, p)
	}
	return "", false
}

// missingMakeTarget looks each target up in the makefile.
func missingMakeTarget(fsys fs.FS, p Part) (string, bool) {
	targets, ok := makeTargets(p.Argv[1:])
	if !ok || slices.ContainsFunc(p.Env, isMakeVariable) {
		return "", false
	}
	var mf *makefile
	for _, target := range targets {
		if mf == nil {
			if mf = readMakefile(fsys, p.Dir); mf == nil {
				return "", false
			}
		}
		if !mf.knows(target) && !mayBeBuilt(fsys, p.Dir, target) {
			return target, true
		}
	}
	return "", false
}

// isMakeVariable reports whether a variable makes make read other files, or take
// other options.
func isMakeVariable(entry string) bool {
	return strings.HasPrefix(entry, "MAKEFILES=") || strings.HasPrefix(entry, "MAKEFLAGS=") || strings.HasPrefix(entry, "GNUMAKEFLAGS=")
}

// makeTargets returns the targets that make's arguments name, and false if an
// option among them leads to other rules, or to none.
func makeTargets(args []string) (targets []string, ok bool) {
	operands := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case operands || isOperand(a):
			if !strings.Contains(a, "=") {
				targets = append(targets, a)
			}
		case a == "--":
			operands = true
		default:
			takes, fine := makeOption(a)
			if !fine {
				return nil, false
			}
			if takes == 'f' || takes == 'n' && i+1 < len(args) && isNumber(args[i+1]) {
				i++
			}
		}
	}
	return targets, true
}

// makeOption reads one option of make. takes is 'f' if the next word is its
// argument, 'n' if the next word is if it is a number, 0 if none is. It is not
// fine if it changes which rules there are.
func makeOption(option string) (takes byte, fine bool) {
	if long, ok := strings.CutPrefix(option, "--"); ok {
		name, _, glued := strings.Cut(long, "=")
		switch name {
		case "file", "makefile", "directory", "include-dir", "eval", "version", "help":
			return 0, false
		case "old-file", "assume-old", "what-if", "new-file", "assume-new":
			takes = 'f'
		case "jobs", "load-average", "max-load":
			takes = 'n'
		}
		if glued {
			takes = 0
		}
		return takes, true
	}
	for i := 1; i < len(option); i++ {
		last := i == len(option)-1
		switch option[i] {
		case 'f', 'C', 'I', 'E', 'v', 'h':
			return 0, false
		case 'o', 'W':
			if last {
				return 'f', true
			}
			return 0, true
		case 'j', 'l':
			if last {
				return 'n', true
			}
			if strings.Trim(option[i+1:], "0123456789.") == "" {
				return 0, true
			}
		case 'O':
			return 0, true
		}
	}
	return 0, true
}

// scripts returns the scripts of a manifest, and false if there is no manifest, or
// none that can be read.
func scripts(fsys fs.FS, dir, manifest string) (map[string]json.RawMessage, bool) {
	data, err := fs.ReadFile(fsys, path.Join(dir, manifest))
	if err != nil {
		return nil, false
	}
	var m struct {
		Scripts map[string]json.RawMessage `json:"scripts"`
	}
	if json.Unmarshal(data, &m) != nil {
		return nil, false
	}
	return m.Scripts, true
}

// nodeRunWords and nodeTestWords are what node's package managers call the running
// of a script, and of the script test.
var (
	nodeRunWords  = setOf("run", "run-script", "rum", "urn")
	nodeTestWords = setOf("test", "t", "tst")
)

// nodeScript returns the script that a command of node's package managers runs,
// and what is wanted of it: only plain forms, whose options cannot lead elsewhere.
func nodeScript(argv []string) (name string, ok bool) {
	words, rest := []string{}, argv[1:]
	if i := slices.Index(rest, "--"); i >= 0 {
		rest = rest[:i]
	}
	for _, w := range rest {
		switch {
		case isOperand(w):
			words = append(words, w)
		case w != "-s" && w != "--silent":
			return "", false
		}
	}
	manager := programName(argv[0])
	switch {
	case len(words) > 1 && nodeRunWords[words[0]] && (words[0] == "run" || manager == "npm" || words[0] == "run-script"):
		return words[1], true
	case len(words) > 0 && nodeTestWords[words[0]] && manager != "bun" && (words[0] != "tst" || manager == "npm"):
		return "test", true
	}
	return "", false
}

// missingNodeScript looks a script up in package.json. A manager that finds a
// program, a file or a script of its own under the name runs that.
func missingNodeScript(fsys fs.FS, p Part) (string, bool) {
	name, ok := nodeScript(p.Argv)
	if !ok || name == "" || strings.ContainsAny(name, "/*?{}") {
		return "", false
	}
	known, ok := scripts(fsys, p.Dir, "package.json")
	if _, there := known[name]; there || !ok {
		return "", false
	}
	switch manager := programName(p.Argv[0]); {
	case manager == "npm" && (name == "env" || name == "restart"), name == "start" && exists(fsys, p.Dir, "server.js"):
		return "", false
	case manager == "yarn" && (name == "env" || known["t"] != nil && name == "test" || strings.Contains(name, ":") && exists(fsys, "", ".yarnrc.yml")):
		return "", false
	case manager == "bun" && exists(fsys, p.Dir, name):
		return "", false
	case manager != "npm" && (exists(fsys, p.Dir, "node_modules/.bin/"+name) || exists(fsys, "", "node_modules/.bin/"+name)):
		return "", false
	}
	return name, true
}

// missingComposerScript looks a script up in composer.json.
func missingComposerScript(fsys fs.FS, p Part) (string, bool) {
	name, ok := composerScript(p.Argv)
	if !ok {
		return "", false
	}
	known, ok := scripts(fsys, p.Dir, "composer.json")
	if _, there := known[name]; there || !ok {
		return "", false
	}
	return name, true
}

// composerScript returns the script that a command of composer runs.
func composerScript(argv []string) (name string, ok bool) {
	var words []string
	for _, w := range argv[1:] {
		if w == "--" {
			break
		}
		if isOperand(w) {
			words = append(words, w)
		} else if w != "-s" && w != "--silent" {
			return "", false
		}
	}
	if len(words) > 1 && (words[0] == "run-script" || words[0] == "run") {
		return words[1], true
	}
	return "", false
}

package plan

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Candidate is a command that may be run because an entry failed.
type Candidate struct {
	Part    Part
	Install bool // it fetches what the entry lacks, and proves nothing; else it is a check in the entry's place
}

// Candidates returns what may be run after a part failed with a code, best first:
// installs of what it lacks for CodeSetupIssue, and checks that exist for those
// that do not. dirs are the directories of the packages at hand, which are
// searched after the part's own, and before the root. Of a line that no part could
// be made of, Argv is its words. limit is how many are returned at most: 0 means
// 3, more than 8 means 8, less than 0 none. No candidate is the failed command.
func Candidates(p Part, code Code, fsys fs.FS, dirs []string, limit int) []Candidate {
	limit = min(count(limit, defaultCandidates), maxCandidates)
	if fsys == nil || len(p.Argv) == 0 {
		return nil
	}
	m := meansOf(p.Argv)
	var all []Candidate
	kinds := replacementKinds[kindOf(p.Argv)]
	switch code {
	case CodeSetupIssue:
		all = installsFor(fsys, p, m)
		kinds = kinds[:1] // what another kind proves is another thing
	case CodeMissingScript, CodeNoTestFiles, CodeMissingMakeTarget, CodeUnsupportedFormat:
	default:
		return nil
	}
	all = append(all, replacements(fsys, p, m, kinds, dirs)...)
	var chosen []Candidate
	for _, c := range all {
		if len(chosen) == limit {
			break
		}
		if !sameCheck(c.Part, p, code) && !slices.ContainsFunc(chosen, func(o Candidate) bool { return samePart(o.Part, c.Part) }) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

func samePart(a, b Part) bool { return a.Dir == b.Dir && slices.Equal(a.Argv, b.Argv) }

// sameCheck reports whether a candidate would run what failed, perhaps in other
// words. What was refused never ran, so only its very words are the same.
func sameCheck(c, failed Part, code Code) bool {
	if samePart(c, failed) {
		return true
	}
	if c.Dir != failed.Dir || code == CodeUnsupportedFormat || programName(c.Argv[0]) != programName(failed.Argv[0]) {
		return false
	}
	switch programName(c.Argv[0]) {
	case "make", "gmake", "bmake":
		targets, ok := makeTargets(failed.Argv[1:])
		return ok && len(targets) == 1 && targets[0] == c.Argv[len(c.Argv)-1]
	case "composer":
		name, ok := composerScript(failed.Argv)
		return ok && name == c.Argv[len(c.Argv)-1]
	}
	name, ok := nodeScript(failed.Argv)
	return ok && name == c.Argv[len(c.Argv)-1]
}

// replacementKinds lists, by the kind of the check that does not exist, the names
// under which another one may, the nearest first.
var replacementKinds = map[string][]string{
	"test":      {"test", "check", "typecheck", "build", "lint"},
	"typecheck": {"typecheck", "check", "build", "test", "lint"},
	"lint":      {"lint", "check", "typecheck", "test", "build"},
	"build":     {"build", "typecheck", "check", "test", "lint"},
	"check":     {"check", "typecheck", "test", "build", "lint"},
}

// kindWords lists what the words of a command hold that show its kind, in the
// order in which kinds are looked for.
var kindWords = []struct {
	kind  string
	words []string
}{
	{"test", []string{"test", "jest", "mocha", "phpunit"}},
	{"typecheck", []string{"typecheck", "checktypes", "typescheck", "tsc", "mypy", "pyright"}},
	{"lint", []string{"lint", "biome", "ruff", "flake8", "rubocop", "clippy"}},
	{"build", []string{"build", "compile"}},
}

// kindOf returns the kind of check that the words of a command show.
func kindOf(argv []string) string {
	joiner := strings.NewReplacer("-", "", "_", "", ":", "", "latest", "")
	for _, k := range kindWords {
		for i, word := range argv {
			if i == 0 {
				word = programName(word)
			}
			word = joiner.Replace(strings.ToLower(word))
			if slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(word, w) }) {
				return k.kind
			}
		}
	}
	return "check"
}

// installsFor returns the installs of the tool's ecosystem, in the part's
// directory or else at the root. A runner's are those of the first one found.
func installsFor(fsys fs.FS, p Part, m means) []Candidate {
	search := installable
	if eco := m.ecosystem(); eco != "" {
		search = []ecosystem{eco}
	}
	dirs := []string{p.Dir}
	if p.Dir != "" {
		dirs = append(dirs, "")
	}
	for _, dir := range dirs {
		for _, eco := range search {
			if found := installsIn(fsys, dir, eco, m); found != nil {
				return found
			}
		}
	}
	return nil
}

// installsIn returns the installs that the files of one directory speak for.
func installsIn(fsys fs.FS, dir string, eco ecosystem, m means) []Candidate {
	if eco == ecoNode {
		return nodeInstallsIn(fsys, dir, m.manager)
	}
	entries, err := fs.ReadDir(fsys, dirName(dir))
	if err != nil {
		return nil
	}
	for _, e := range installs[eco] {
		for _, entry := range entries {
			if ok, _ := path.Match(e.file, entry.Name()); ok {
				return installCandidates(dir, e.commands)
			}
		}
	}
	return nil
}

// dirName returns a directory of the tree as [fs.FS] names it.
func dirName(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// nodeInstallsIn returns the installs of node's package manager: where its lock
// file is, or, without one, where the manifest is.
func nodeInstallsIn(fsys fs.FS, dir, own string) []Candidate {
	manager, lockDir, locked := nodeManager(fsys, dir, own)
	commands := nodeInstalls[manager]
	switch {
	case !locked && exists(fsys, dir, "package.json"):
		return installCandidates(dir, commands[1:])
	case !locked:
		return nil
	case manager == "yarn" && !exists(fsys, lockDir, ".yarnrc.yml"):
		commands[0] = yarnClassic
	}
	return installCandidates(lockDir, commands[:])
}

func installCandidates(dir string, commands []string) []Candidate {
	all := make([]Candidate, len(commands))
	for i, c := range commands {
		all[i] = Candidate{Part: Part{Dir: dir, Argv: strings.Fields(c)}, Install: true}
	}
	return all
}

// replacements returns the checks of the wanted kinds that exist for the tool.
func replacements(fsys fs.FS, p Part, m means, kinds, dirs []string) []Candidate {
	var all []Candidate
	for _, dir := range slices.Concat([]string{p.Dir}, dirs, []string{""}) {
		for _, kind := range kinds {
			if argv := checkIn(fsys, dir, kind, m); argv != nil {
				all = append(all, Candidate{Part: Part{Dir: dir, Argv: argv}})
			}
		}
	}
	return all
}

// checkIn returns the command that runs a check of a directory under the tool's
// own runner; nil if there is no such check, or the tool has no runner.
func checkIn(fsys fs.FS, dir, name string, m means) []string {
	switch {
	case m.name() == "make":
		if mf := readMakefile(fsys, dir); mf != nil && mf.rules[name] {
			return []string{m.program, name}
		}
	case m.name() == "composer":
		if known, ok := scripts(fsys, dir, "composer.json"); ok && known[name] != nil {
			return []string{"composer", "run-script", name}
		}
	case m.ecosystem() == ecoNode || m.isUnknown():
		if known, ok := scripts(fsys, dir, "package.json"); ok && known[name] != nil {
			manager, _, _ := nodeManager(fsys, dir, m.manager)
			return []string{manager, "run", name}
		}
	}
	return nil
}

package plan

import (
	"path"
	"slices"
	"strings"
)

// generatedDirs are directories that builds write to, in small letters.
var generatedDirs = setOf("artifact", "artifacts", "build", "debug", "dist", "out", "release", "target", "bin", "obj", "coverage", "_build")

// artifactOf returns the path, from the root of the tree, of the file that a part
// looks for: test -f, -s or -e, or the same in brackets, of a relative path below a
// directory that builds write to. Nothing else looks for a file without reading
// it; grep, for one, also fails on what is there.
func artifactOf(p Part) (file string, ok bool) {
	if len(p.Argv) == 0 {
		return "", false
	}
	words := p.Argv[1:]
	switch path.Base(p.Argv[0]) {
	case "test":
	case "[":
		if len(words) == 0 || words[len(words)-1] != "]" {
			return "", false
		}
		words = words[:len(words)-1]
	default:
		return "", false
	}
	if len(words) != 2 || !slices.Contains([]string{"-f", "-s", "-e"}, words[0]) {
		return "", false
	}
	file = strings.ReplaceAll(words[1], `\`, "/")
	if file == "" || file[0] == '/' || hasDrive(file) || strings.ContainsAny(file, "*?[{") || slices.Contains(strings.Split(file, "/"), "..") {
		return "", false
	}
	file = path.Join(p.Dir, file)
	for dir := range strings.SplitSeq(strings.ToLower(path.Dir(file)), "/") {
		if generatedDirs[dir] {
			return file, true
		}
	}
	return "", false
}

// cleansFor reports whether a part looks for a file that the part before it took
// away: it ran clean in the same directory or above, or removed the very place.
func cleansFor(before, check Part) bool {
	file, ok := artifactOf(check)
	if !ok || !inside(file, before.Dir) {
		return false
	}
	t := resolveTool(before.Argv)
	switch name := t.name(); name {
	case "make", "just", "task", "mage", "rake", "ninja", "mvn", "gradle", "ant":
		all := targets(t.args, cleanerValues[name])
		return len(all) > 0 && isCleanTarget(all[len(all)-1])
	case "npm", "pnpm", "yarn", "bun":
		return cleansByScript(targets(t.args, "--prefix -C --dir -F --filter -w --workspace --cwd --loglevel"))
	case "cargo", "go", "dotnet", "swift", "git":
		words := targets(t.args, "-C -c --manifest-path --git-dir --work-tree")
		return slices.Contains(words[:min(len(words), 1)], "clean") || name == "swift" && slices.Equal(words, []string{"package", "clean"})
	case "rm", "rimraf":
		return removes(t, before.Dir, file)
	}
	return false
}

// cleanerValues are the options of build tools that take the next word.
var cleanerValues = map[string]string{
	"make": "-C -f -I -o -W --directory --file --makefile", "just": "-f -d --justfile --working-directory --set", "task": "-t -d --taskfile --dir",
	"rake": "-f -C --rakefile", "ninja": "-C -f -w -d", "mvn": "-f -pl -P -s -T -rf --file --projects", "gradle": "-p -b -c -I -x -g", "ant": "-f -file -buildfile -lib",
}

// isCleanTarget reports whether a target removes what others build.
func isCleanTarget(target string) bool {
	target = strings.ToLower(target)
	return strings.Contains(target, "clean") || target == "clobber" || target == "mrproper"
}

// cleansByScript reports whether the words of a package manager name a script that
// cleans.
func cleansByScript(words []string) bool {
	if len(words) > 0 && (words[0] == "run" || words[0] == "run-script") {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	script := words[0]
	return script == "clean" || script == "distclean" || script == "clobber" || strings.HasPrefix(script, "clean:")
}

// removes reports whether rm takes a file or a directory above it away, with all
// that is below.
func removes(t tool, dir, file string) bool {
	deep := t.name() == "rimraf"
	for _, w := range t.args {
		deep = deep || w == "--recursive" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "rR")
	}
	return deep && slices.ContainsFunc(targets(t.args, ""), func(w string) bool {
		return !strings.HasPrefix(w, "/") && inside(file, path.Join(dir, w))
	})
}

// inside reports whether a file is a directory or lies below it; "" and "." are
// the root of the tree.
func inside(file, dir string) bool {
	dir = path.Clean(dir)
	return dir == "." || file == dir || strings.HasPrefix(file, dir+"/")
}

package plan

import (
	"path"
	"slices"
	"strings"
)

// givenWord holds for a name that the tool was given as a word or as the value of
// an option.
func givenWord(h *hearing, name string) bool {
	return slices.ContainsFunc(h.tool.words, func(w string) bool { return wordGives(w, name) })
}

// wordGives reports whether a word is the name, an option with the name as its
// value, or a list that holds it.
func wordGives(word, name string) bool {
	if word == name {
		return true
	}
	if rest, ok := strings.CutSuffix(word, name); ok && name != "" && rest != "" {
		switch end := rest[len(rest)-1]; rest[0] {
		case '-':
			return len(rest) == 2 || end == '=' || end == ':'
		case '/': // as options are written for tools of Microsoft
			return end == ':'
		}
	}
	for part := range strings.SplitSeq(word, ",") {
		if part == name && part != word {
			return true
		}
	}
	return false
}

// givenTarget is givenWord, for tools whose target without any is "default".
func givenTarget(h *hearing, name string) bool {
	return givenWord(h, name) || name == "default" && len(targets(h.tool.args, "-f -d -t --taskfile --dir --rakefile --justfile -C")) == 0
}

// givenScript is givenWord, for tools that know short words for the test script.
func givenScript(h *hearing, name string) bool {
	if name == "test" && slices.ContainsFunc([]string{"t", "tst", "it", "cit", "install-test", "install-ci-test"}, func(w string) bool {
		return slices.Contains(h.tool.words, w)
	}) {
		return true
	}
	return givenWord(h, name)
}

// givenTask is givenWord, for names of which a word may be a path with colons.
func givenTask(h *hearing, name string) bool {
	name = strings.Trim(name, ":")
	return givenWord(h, name) || slices.ContainsFunc(h.tool.words, func(w string) bool {
		return strings.Trim(w, ":") == name || slices.Contains(strings.Split(w, ":"), name)
	})
}

// givenPath holds for a file that the tool was given, however it writes the path.
func givenPath(h *hearing, name string) bool {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return slices.ContainsFunc(h.tool.words, func(w string) bool {
		if _, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(w, "-") {
			w = value
		}
		w, _, _ = strings.Cut(strings.ReplaceAll(w, `\`, "/"), "::")
		w = path.Clean(w)
		return w != "." && (name == w || strings.HasSuffix(name, "/"+strings.TrimPrefix(w, "/")))
	})
}

// isPackage holds for what is no file of the project itself: neither a path nor
// one of the names by which projects call their own directories.
func isPackage(_ *hearing, name string) bool {
	for _, local := range []string{".", "/", `\`, "~", "#", "@/", "file:"} {
		if strings.HasPrefix(name, local) {
			return false
		}
	}
	return name != "" && !hasDrive(name)
}

// isProgram holds for a program that has to be installed: a bare name, one outside
// the tree, or one that an install puts into it. Another path is a file that the
// project itself lacks.
func isProgram(_ *hearing, name string) bool {
	if !strings.Contains(name, "/") || strings.HasPrefix(name, "/") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case "node_modules", "venv", ".venv", "vendor", "env", ".tox", ".nox":
			return true
		}
	}
	return false
}

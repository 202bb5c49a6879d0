package plan

import (
	"path"
	"slices"
	"strings"
)

// tool is the program that a part really runs, and those that start it.
type tool struct {
	names []string // by which the tool and the launchers that speak for themselves go; the tool's own last
	words []string // all words behind the first of names
	args  []string // the words behind the tool itself
}

// resolveTool looks through the launchers that argv begins with.
func resolveTool(argv []string) tool {
	var t tool
	for len(argv) > 0 {
		base := programName(argv[0])
		rest := argv[1:]
		start, next := -1, launcher{}
		if l, ok := launchers[base]; ok {
			start, next = l.command(rest), l
		} else {
			start, next = scriptOf(toolName(base), rest)
		}
		if start < 0 || next.isTool {
			t.names = append(t.names, toolName(base))
			if t.words == nil {
				t.words = slices.Clip(append([]string{}, rest...))
			}
		}
		if start < 0 {
			t.args = rest
			break
		}
		argv = rest[start:]
	}
	return t
}

// name returns the name of the tool itself, or "".
func (t tool) name() string {
	if len(t.names) == 0 {
		return ""
	}
	return t.names[len(t.names)-1]
}

// is reports whether the tool, or a launcher that speaks for itself, goes by one
// of the names.
func (t tool) is(names ...string) bool {
	return slices.ContainsFunc(t.names, func(n string) bool { return slices.Contains(names, n) })
}

// isLeaf reports whether the tool prints messages of its own ecosystem only.
func (t tool) isLeaf() bool {
	_, leaf := leaves[t.name()]
	return leaf
}

// ecosystem returns that of the tool itself, or of the launcher nearest to it that
// has one.
func (t tool) ecosystem() ecosystem {
	for _, name := range slices.Backward(t.names) {
		if eco := ecosystemOf(name); eco != "" {
			return eco
		}
	}
	return ""
}

// shows reports whether messages of an ecosystem are the tool's to print.
func (t tool) shows(eco ecosystem) bool {
	if !t.isLeaf() {
		return true
	}
	return slices.ContainsFunc(t.names, func(n string) bool { return ecosystemOf(n) == eco })
}

func ecosystemOf(name string) ecosystem {
	if eco, ok := leaves[name]; ok {
		return eco
	}
	return runners[name]
}

// command returns the index of the first word of the command that the launcher
// starts, or -1 if it starts none.
func (l launcher) command(words []string) int {
	values := setOf(strings.Fields(l.values)...)
	verbs, operands := strings.Fields(l.verbs), l.operands
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--" && len(verbs) == 0 && operands == 0:
			if i+1 < len(words) {
				return i + 1
			}
		case values[w]:
			i++
		case len(w) > 1 && w[0] == '-':
		case l.sets && isSetting(w):
		case len(verbs) > 0:
			if !slices.Contains(verbs, w) {
				return -1
			}
			verbs = nil
		case operands > 0:
			operands--
		default:
			return i
		}
	}
	return -1
}

// scriptOf finds the tool that an interpreter is given: a module, as in python -m,
// or a script that is known by its name, as node_modules/.bin/jest. The index is -1
// if there is none.
func scriptOf(interpreter string, words []string) (start int, l launcher) {
	l.isTool = true
	options, ok := interpreters[interpreter]
	for i := 0; ok && i < len(words); i++ {
		w := words[i]
		switch {
		case slices.Contains(strings.Fields(options.values), w):
			i++
		case slices.Contains(strings.Fields(options.code), w):
			return -1, l
		case interpreter == "python" && isModuleOption(w):
			if i+1 < len(words) {
				return i + 1, l
			}
		case w == "" || w[0] != '-':
			name := toolName(programName(strings.TrimSuffix(w, ".js")))
			if name != interpreter && ecosystemOf(name) == leaves[interpreter] {
				return i, l
			}
			return -1, l
		}
	}
	return -1, l
}

// isModuleOption reports whether an option of python is -m, or a cluster that ends
// in it.
func isModuleOption(w string) bool {
	return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.HasSuffix(w, "m") && !strings.ContainsAny(w, "cWX")
}

// programName returns the base name of a program's path, without what some
// systems put behind it.
func programName(word string) string {
	base := path.Base(strings.ReplaceAll(word, `\`, "/"))
	for _, suffix := range []string{".exe", ".cmd", ".bat", ".ps1", ".phar"} {
		base = strings.TrimSuffix(base, suffix)
	}
	return base
}

// toolName returns the name that a program is known by: python for python3.11,
// make for gmake.
func toolName(base string) string {
	if name, ok := otherNames[base]; ok {
		return name
	}
	short := strings.TrimRight(base, "0123456789.-")
	if name, ok := otherNames[short]; ok {
		return name
	}
	if ecosystemOf(short) != "" || short == "ctest" || short == "cmake" {
		return short
	}
	return base
}

// targets returns the operands of a command: its words without options, their
// values, settings and numbers that belong to a lone -j or -l.
func targets(words []string, values string) []string {
	takes := setOf(strings.Fields(values)...)
	var found []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
		case takes[w]:
			i++
		case w == "-j" || w == "-l" || w == "-k" || w == "--jobs":
			if i+1 < len(words) && isNumber(words[i+1]) {
				i++
			}
		case len(w) > 0 && w[0] == '-' || isSetting(w):
		default:
			found = append(found, w)
		}
	}
	return found
}

// isSetting reports whether a word is NAME=value.
func isSetting(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "-/.: ")
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789.") == "" }

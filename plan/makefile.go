package plan

import (
	"io/fs"
	"path"
	"strings"
)

// makefile is what a makefile says about which targets there are.
type makefile struct {
	names    map[string]bool
	rules    map[string]bool // those of names that have a rule, and are no mere prerequisites of .PHONY
	patterns []string        // with a %
	anything bool            // it cannot be told: other files, expansions, a rule for everything
}

// makefileNames are the files that make looks for, in order.
var makefileNames = []string{"GNUmakefile", "makefile", "Makefile"}

// readMakefile reads the makefile of a directory; nil if there is none.
func readMakefile(fsys fs.FS, dir string) *makefile {
	for _, name := range makefileNames {
		if !exists(fsys, dir, name) {
			continue
		}
		data, err := fs.ReadFile(fsys, path.Join(dir, name))
		if err != nil {
			return nil
		}
		m := &makefile{names: make(map[string]bool), rules: make(map[string]bool)}
		m.read(string(data))
		return m
	}
	return nil
}

// read goes through the lines that are no recipes. Both branches of a conditional
// count, since it cannot be told which one make takes.
func (m *makefile) read(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line != "" {
			m.line(line)
		}
	}
}

// makeDirectives are first words of lines that name no target and change none.
var makeDirectives = setOf("ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "export", "unexport", "override", "undefine", "private")

// makeDoubts are first words of lines that can bring in rules from elsewhere.
var makeDoubts = setOf("include", "-include", "sinclude", "define", "endef", "load", "-load", "vpath")

func (m *makefile) line(line string) {
	first, _, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	colon, assigns := divider(line)
	switch {
	case makeDoubts[first]:
		m.anything = true
	case assigns:
		name := strings.TrimSpace(strings.TrimRight(line[:colon], ":+?!"))
		m.anything = m.anything || name == "VPATH" || name == ".RECIPEPREFIX" || strings.Contains(line[colon:], "$(eval")
	case makeDirectives[first]:
	case colon < 0:
		m.anything = m.anything || strings.Contains(line, "$") // it expands to anything, rules among it
	default:
		m.rule(line[:colon], strings.TrimLeft(line[colon:], ":"))
	}
}

// divider returns the offset of the first colon or equals sign outside of an
// expansion, and whether it assigns a variable; -1 if there is neither.
func divider(line string) (at int, assigns bool) {
	depth := 0
	for i := range len(line) {
		switch c := line[i]; {
		case c == '$' && i+1 < len(line) && (line[i+1] == '(' || line[i+1] == '{'):
			depth++
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case depth > 0:
		case c == '=':
			return i, true
		case c == ':':
			return i, strings.HasPrefix(strings.TrimLeft(line[i:], ":"), "=")
		}
	}
	return -1, false
}

// rule notes the targets of a rule.
func (m *makefile) rule(left, right string) {
	if strings.Contains(left, "$") {
		m.anything = true
		return
	}
	for _, target := range strings.Fields(strings.TrimSuffix(strings.TrimSpace(left), "&")) {
		switch {
		case target == ".DEFAULT":
			m.anything = true
		case target == ".PHONY":
			m.anything = m.anything || strings.Contains(right, "$")
			for _, name := range strings.Fields(right) {
				m.names[name] = true
			}
		case target == ".SUFFIXES":
			m.anything = m.anything || strings.TrimSpace(right) != "" // of those, single ones may be rules for everything
		case strings.Contains(target, "%"):
			m.patterns = append(m.patterns, target)
		default:
			m.names[target], m.rules[target] = true, true
			if from, to, ok := suffixes(target); ok {
				m.patterns = append(m.patterns, "%"+to)
				m.anything = m.anything || to == "" && builtinSuffixes[from]
			}
		}
	}
}

// suffixes takes a target apart that is an old rule for files by their endings,
// as .c.o for files in .o from those in .c.
func suffixes(target string) (from, to string, ok bool) {
	if len(target) < 2 || target[0] != '.' || strings.ContainsAny(target, "/") {
		return "", "", false
	}
	if i := strings.IndexByte(target[1:], '.'); i >= 0 {
		return target[:i+1], target[i+1:], true
	}
	return target, "", builtinSuffixes[target]
}

// knows reports whether there is or may be a rule for a target.
func (m *makefile) knows(target string) bool {
	if m.anything || m.names[target] || m.names[strings.TrimPrefix(target, "./")] || m.names["./"+target] {
		return true
	}
	for _, pattern := range m.patterns {
		before, after, _ := strings.Cut(pattern, "%")
		if len(target) > len(before)+len(after) && strings.HasPrefix(target, before) && strings.HasSuffix(target, after) {
			return true
		}
	}
	return false
}

// builtinSuffixes are the endings that make has rules of its own for.
var builtinSuffixes = setOf(strings.Fields(`
	.out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym .def .h .info .dvi .tex .texinfo .texi .txinfo
	.w .ch .web .sh .elc .el .i`)...)

// builtinSources are the endings of files that make builds a program from, unasked.
var builtinSources = []string{".o", ".c", ".cc", ".C", ".cpp", ".p", ".f", ".F", ".m", ".r", ".s", ".S", ".y", ".l", ".mod", ".sh", ",v"}

// mayBeBuilt reports whether make may have a target without a rule for it: it is
// there, or has an ending that make knows, or there is a source for it.
func mayBeBuilt(fsys fs.FS, dir, target string) bool {
	name := path.Join(dir, target)
	if !fs.ValidPath(name) || path.IsAbs(target) || strings.ContainsAny(target, "()$%") || builtinSuffixes[path.Ext(target)] || exists(fsys, dir, target) {
		return true
	}
	for _, source := range builtinSources {
		if exists(fsys, dir, target+source) {
			return true
		}
	}
	for _, source := range []string{"RCS/" + target + ",v", "RCS/" + target, "SCCS/s." + target, "s." + target} {
		if exists(fsys, dir, source) {
			return true
		}
	}
	return false
}

// exists reports whether there is a file or a directory.
func exists(fsys fs.FS, dir, name string) bool {
	_, err := fs.Stat(fsys, path.Join(dir, name))
	return err == nil
}

package plan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mendkit/mend"
)

// signal is one thing that tools say of themselves and not of what they check: a row
// of the tables.
type signal struct {
	kind Code      // the code that it stands for; nothingRan for what only counts if the exit code is 0
	by   string    // who says it: names of tools or ecosystems, see below
	text string    // a regular expression for the start of the line, with <N> for a name and <q> for a quote
	when condition // what else has to hold; nil: nothing
}

// nothingRan marks signals of a run that exited with 0 although it checked nothing.
const nothingRan Code = "nothing ran"

// Besides the names of tools, for a missing target or script, and of ecosystems,
// for all else, a signal may be of one of these.
const (
	byAnyone = "anyone" // whoever prints it, as byFree
	byFree   = "free:"  // before ecosystems: its text may stand behind what passes it on
	byShell  = "shell"  // what started a program and did not find it
	byOwn    = "own:"   // before the names of tools: of them alone, though it is neither target nor script
)

// condition reports whether a signal holds for what is heard; name is what stands for
// <N>, or the first group of the text.
type condition func(h *hearing, name string) bool

// compiled is a signal ready to be heard.
type compiled struct {
	signal
	re       *regexp.Regexp
	free     bool     // it need not stand at the line's start
	literals []string // one of them stands in every line that matches; nil if that is not known
}

// named is what stands for a name in a signal's text: in quotes of any kind, or a
// word.
const named = "(?:[\"'`‘“]([^\"'`’”]+)[\"'`’”]|([^\\s\"'`‘’“”]+))"

// compile makes signals ready. In their texts <N> is a name, and <q> a quote.
func compile(tables ...[]signal) []compiled {
	var all []compiled
	for _, table := range tables {
		for _, s := range table {
			text := strings.NewReplacer("<N>", named, "<q>", "[\"'`‘’“”]").Replace(s.text)
			by, free := strings.CutPrefix(s.by, byFree)
			if s.by = by; by == byAnyone {
				free = true
			}
			if !free {
				text = "^(?:" + text + ")"
			}
			all = append(all, compiled{s, regexp.MustCompile(text), free, requiredLiterals(text)})
		}
	}
	return all
}

// hearing is one output, and whose it is.
type hearing struct {
	tool  tool
	argv0 string
	lines []outputLine
	text  string // of all lines, in small letters
	exit  int
}

func newHearing(p Part, obs mend.Observation) *hearing {
	h := &hearing{tool: resolveTool(p.Argv), exit: obs.ExitCode}
	h.lines = readLines(obs, h.tool)
	var text strings.Builder
	for _, l := range h.lines {
		text.WriteString(l.text + "\n")
	}
	h.text = strings.ToLower(text.String())
	if len(p.Argv) > 0 {
		h.argv0 = p.Argv[0]
	}
	return h
}

// believes reports whether the tool is one whose signal this is.
func (h *hearing) believes(by string, kind Code) bool {
	names, own := strings.CutPrefix(by, byOwn)
	switch {
	case by == byAnyone:
		return true
	case by == byShell:
		return !h.tool.isLeaf() || h.exit == 126 || h.exit == 127
	case own || kind == CodeMissingMakeTarget || kind == CodeMissingScript:
		return h.tool.is(strings.Fields(names)...)
	}
	return slices.ContainsFunc(strings.Fields(by), func(eco string) bool { return h.tool.shows(ecosystem(eco)) })
}

// heard reports whether some line is the signal.
func (h *hearing) heard(s compiled) bool {
	if !mayHold(h.text, s.literals) {
		return false
	}
	for _, l := range h.lines {
		for _, text := range l.readings(s.kind) {
			at := s.re.FindStringSubmatchIndex(text)
			if at == nil || s.free && !mayPrecede(text[:at[0]]) {
				continue
			}
			if s.when == nil || s.when(h, groupText(text, at)) {
				return true
			}
		}
	}
	return false
}

// groupText returns the first group that took part in a match, without the
// punctuation behind a name.
func groupText(text string, at []int) string {
	for i := 2; i+1 < len(at); i += 2 {
		if at[i] >= 0 {
			return strings.TrimRight(text[at[i]:at[i+1]], ".,;:")
		}
	}
	return ""
}

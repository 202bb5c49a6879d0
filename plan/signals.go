package plan

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mendkit/mend"
)

// ResolveCode returns what a run of a part says, or "" if it passed. prev is the
// part of the entry directly before, if both entries are one part each, else nil.
//
// How the run ended counts first. Then the output is read, both streams line by
// line, for what tools say when there is nothing to run or something is not
// installed. A line counts only from its start, behind nothing but the tool's own
// prefix, and only from a tool whose message it is; a test that quotes one is a
// test that fails. That a target or a script is missing is believed of the tool
// itself alone, and only for a name that it was given.
//
// ResolveCode is pure and safe for concurrent use.
func ResolveCode(p Part, obs mend.Observation, prev *Part) Code {
	switch {
	case obs.TimedOut:
		return CodeFlaky
	case obs.Signal == "SIGKILL":
		return CodeEnvironmentIssue
	case obs.Signal != "":
		return CodeCommandFailed
	}
	h := newHearing(p, obs)
	switch {
	case obs.ExitCode == 0 && h.nothingRan():
		return CodeNoTestFiles
	case obs.ExitCode == 0:
		return ""
	case obs.ExitCode == 137: // 128 and the number of SIGKILL, which a shell or a container reports so
		return CodeEnvironmentIssue
	case h.couldNotStart():
		return CodeSetupIssue
	case obs.ExitCode == 5 && h.tool.is("pytest", "unittest"):
		return CodeNoTestFiles
	case p.Dir != "" && h.lacksDirectory():
		return CodeMissingScript
	}
	if h.tool.is("cargo", "cross") && h.testsFailed() {
		return CodeCommandFailed // what is not installed keeps cargo from running any test
	}
	for _, kind := range []Code{CodeMissingMakeTarget, CodeNoTestFiles, CodeMissingScript, CodeEnvironmentIssue, CodeSetupIssue} {
		if h.hears(kind) && !(kind == CodeNoTestFiles && h.testsFailed()) {
			return kind
		}
	}
	if len(h.lines) == 0 && prev != nil && cleansFor(*prev, p) {
		return CodeSequenceIssue
	}
	return CodeCommandFailed
}

// signal is one thing that tools say of themselves and not of what they check.
type signal struct {
	kind Code // nothingRan for what only counts if the exit code is 0
	by   string
	text string
	when condition
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

// condition reports whether a signal that names something holds for a tool.
type condition func(h *hearing, name string) bool

// compiled is a signal ready to be heard.
type compiled struct {
	signal
	re       *regexp.Regexp
	free     bool
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
	h := &hearing{tool: resolveTool(p.Argv), lines: readLines(obs), exit: obs.ExitCode}
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

// hears reports whether some line is a signal of a kind.
func (h *hearing) hears(kind Code) bool {
	for _, s := range signals() {
		if s.kind == kind && h.believes(s.by, kind) && h.heard(s) {
			return true
		}
	}
	return false
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
		return h.tool.is(fields(names)...)
	}
	return slices.ContainsFunc(fields(by), func(eco string) bool { return h.tool.shows(ecosystem(eco)) })
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

// nothingRan reports whether a tool that exited with 0 says that there was nothing
// to check, and none says that it checked something.
func (h *hearing) nothingRan() bool {
	if !h.hears(nothingRan) {
		return false
	}
	ran := somethingRan()
	return !slices.ContainsFunc(h.lines, func(l outputLine) bool { return ran.MatchString(l.text) && !noTestsToRun.MatchString(l.text) })
}

// testsFailed reports whether some test ran and failed: then it is not for want of
// tests that the run did.
func (h *hearing) testsFailed() bool {
	failed := somethingFailed()
	return slices.ContainsFunc(h.lines, func(l outputLine) bool { return failed.MatchString(l.text) })
}

// couldNotStart reports whether the program did not run at all, as shells and the
// sandboxes say it with their exit codes.
func (h *hearing) couldNotStart() bool {
	if h.exit != 126 && h.exit != 127 {
		return false
	}
	for _, l := range h.lines {
		if h.exit == 126 && strings.Contains(strings.ToLower(l.text), "permission denied") {
			return true
		}
		if what, ok := strings.CutPrefix(l.text, h.argv0+": "); ok && what == "not found" {
			return true
		}
	}
	return len(h.lines) == 0
}

// lacksDirectory reports whether the directory that the part runs in is not there.
func (h *hearing) lacksDirectory() bool {
	return slices.ContainsFunc(h.lines, func(l outputLine) bool { return noDirectory.MatchString(l.text) })
}

var (
	noDirectory  = regexp.MustCompile(`^(?:\S+: (?:line )?(?:\d+: )?)?cd: .*(?i:no such)|^(?:\S+: (?:line )?(?:\d+: )?)?cd: can't cd to `)
	noTestsToRun = regexp.MustCompile(`\[no tests to run\]$`)
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
	if strings.HasPrefix(word, "-") && strings.HasSuffix(word, name) && name != "" {
		rest := strings.TrimSuffix(word, name)
		return len(rest) == 2 || strings.HasSuffix(rest, "=") || strings.HasSuffix(rest, ":")
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

package plan

import (
	"regexp"
	"slices"
	"strings"
	"sync"

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
// itself alone, and only for a name that it was given, if nothing that it ran
// failed.
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
		if h.hears(kind) && !h.gotBeyond(kind) {
			return kind
		}
	}
	if len(h.lines) == 0 && prev != nil && cleansFor(*prev, p) {
		return CodeSequenceIssue
	}
	return CodeCommandFailed
}

// signals returns the table of all signals. They are made ready when the first
// failure is looked at.
var signals = sync.OnceValue(func() []compiled {
	return compile(buildSignals, nodeSignals, goSignals, rustSignals, pythonSignals, javaSignals, rubySignals, phpSignals, dotnetSignals, anySignals)
})

// somethingRan is what test tools print of tests that they ran.
var somethingRan = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^ok\s+\S+\s+(?:\d|\(cached\))|^--- (?:pass|fail|skip):|^running [1-9]\d* tests?\b|^starting [1-9]\d* tests?\b` +
		`|\b[1-9]\d* (?:tests? )?(?:passed|passing|failed|failing)\b|^[#ℹ] (?:tests|pass) [1-9]|^(?:not )?ok [1-9]\d*\b` +
		`|\bran [1-9]\d* tests?\b|\btests run: *[1-9]|\b[1-9]\d* (?:examples?|runs|tests), |^ok \([1-9]\d* tests?\b` +
		`|\bpassed: +[1-9]|\btotal tests: +[1-9]|\btests passed, \d+ tests? failed out of [1-9]`)
})

// somethingFailed is what test tools print of tests that failed.
var somethingFailed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^--- fail:|^not ok \d|\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|^[#ℹ] fail [1-9]|\b(?:failures|failed): *[1-9]|\b[1-9]\d* failures?\b`)
})

// hears reports whether some line is a signal of a kind.
func (h *hearing) hears(kind Code) bool {
	for _, s := range signals() {
		if s.kind == kind && h.believes(s.by, kind) && h.heard(s) {
			return true
		}
	}
	return false
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

// gotBeyond reports whether the tool ran something that failed. Then it is not for
// want of a target, a test or a script that the run did: a part of it lacks that.
func (h *hearing) gotBeyond(kind Code) bool {
	switch kind {
	case CodeMissingMakeTarget:
		return h.testsFailed() || slices.ContainsFunc(h.lines, func(l outputLine) bool { return recipeFailed.MatchString(l.text) })
	case CodeNoTestFiles, CodeMissingScript:
		return h.testsFailed()
	}
	return false
}

// testsFailed reports whether some test ran and failed.
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

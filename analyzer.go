package mend

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Verdict says what an output proves about the install that printed it.
type Verdict int

// What an output may prove.
const (
	Unknown          Verdict = iota // nothing either way
	Working                         // the tool itself ran and spoke
	Broken                          // the tool, or something it needs, is not there or does not run
	EnvironmentBound                // it wants a display, a terminal, root or a network; neither working nor broken
)

var verdictNames = [...]string{"unknown", "working", "broken", "environment_bound"}

// String returns the verdict's name.
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictNames) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdictNames[v]
}

// MarshalText returns the name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// VerifyFailureAnalysis is what the output of a failed verification shows.
type VerifyFailureAnalysis struct {
	Repairable   bool // a check can be made of this very output: SuggestedMode and SuggestedPattern are set
	ToolName     string
	ExitCode     int
	HasUsageText bool // it says how the tool, or another program, is called
	HasToolName  bool // it names the tool
	OutputLength int  // bytes of both streams

	SuggestedMode    string // ModeOutput, or "" for no suggestion
	SuggestedPattern string // a literal copied from the output
	SuggestedReason  string // why the mode is not version; why nothing is suggested, if so

	Verdict         Verdict
	Evidence        []Evidence // the lines that decided, the most telling first, at most 8
	VersionCommands []string   // command lines that the output itself offers for showing the version, best first
}

// AnalyzeVerifyFailure decides from one failed run of "toolName --version" what
// it shows. It is a pure function, linear in the output.
//
// The orchestrator knows more than these four values: the arguments, the same
// tool's answer to an impossible option, and the installed version.
func AnalyzeVerifyFailure(stdout, stderr string, exitCode int, toolName string) *VerifyFailureAnalysis {
	return analyze(read(Observation{
		Argv: []string{toolName, "--version"}, ExitCode: exitCode, Stdout: stdout, Stderr: stderr,
	}), nil, Installed{})
}

// analyze decides what a reading shows, given the tool's reading with an
// impossible option, or nil.
func analyze(r, control *reading, in Installed) *VerifyFailureAnalysis {
	a := &VerifyFailureAnalysis{
		ToolName: r.tool, ExitCode: r.obs.ExitCode, OutputLength: len(r.obs.Stdout) + len(r.obs.Stderr),
		HasUsageText: len(r.usages) > 0, HasToolName: r.namesTool(),
	}
	a.Verdict, a.Evidence = r.verdict(control, in)
	for _, o := range r.versionOffers() {
		a.VersionCommands = append(a.VersionCommands, r.tool+" "+o.word)
	}
	a.suggest(r)
	return a
}

// suggest fills in the check that this output alone gives.
func (a *VerifyFailureAnalysis) suggest(r *reading) {
	if a.Verdict != Working {
		a.SuggestedReason = "the output does not show that the tool works"
		return
	}
	for _, literals := range []iter.Seq[string]{r.usageLiterals(), r.complaintLiterals()} {
		for pattern := range literals {
			a.Repairable, a.SuggestedMode, a.SuggestedPattern = true, ModeOutput, pattern
			a.SuggestedReason = noVersionReason(r.tool)
			return
		}
	}
	a.SuggestedReason = "no text of the output is both the tool's own and stable"
}

// noVersionReason says, for people, why a check does not show the version.
func noVersionReason(tool string) string {
	return tool + " shows no version of its own"
}

// maxEvidence bounds the evidence that an analysis quotes.
const maxEvidence = 8

// verdict weighs a reading. Broken evidence is looked for first, and it vetoes.
func (r *reading) verdict(control *reading, in Installed) (Verdict, []Evidence) {
	working := r.working(control, in)
	if broken := r.believed(working, in); len(broken) > 0 {
		return Broken, broken
	}
	if len(working) > 0 {
		var evidence []Evidence
		for _, w := range working {
			evidence = append(evidence, w.evidence())
		}
		return Working, clipEvidence(evidence)
	}
	if len(r.environment) > 0 {
		var evidence []Evidence
		for _, s := range r.environment {
			evidence = append(evidence, s.evidence())
		}
		return EnvironmentBound, clipEvidence(evidence)
	}
	return Unknown, nil
}

func clipEvidence(evidence []Evidence) []Evidence {
	kept := evidence[:0]
	for _, e := range evidence {
		if len(kept) < maxEvidence && !slices.Contains(kept, e) {
			kept = append(kept, e)
		}
	}
	return kept
}

func (s sighting) evidence() Evidence { return s.line.evidence(s.sig.name, s.sig.kind) }

// fatalExits are the exit codes that a shell gives for a signal which only a
// crash raises: SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV.
var fatalExits = map[int]string{132: "SIGILL", 134: "SIGABRT", 135: "SIGBUS", 136: "SIGFPE", 139: "SIGSEGV"}

// believed returns the evidence that the install is broken, as far as nothing
// in the output speaks against it.
func (r *reading) believed(working []workingSign, in Installed) []Evidence {
	var evidence []Evidence
	if sig := cmp.Or(r.obs.Signal, fatalExits[r.obs.ExitCode]); sig != "" && !r.obs.TimedOut {
		evidence = append(evidence, Evidence{Signature: "crash." + strings.ToLower(sig), Kind: EvidenceBroken})
	}
	if u, foreign := r.foreignUsage(); foreign && isLauncher(u.word) && !anyEcho(working) {
		evidence = append(evidence, lineAround(r.text[u.stream], u.stream, u.name).evidence("launcher.usage", EvidenceBroken))
	}
	if line, ok := r.launcherVersion(in); ok && r.obs.ExitCode == 0 {
		evidence = append(evidence, line.evidence("launcher.version", EvidenceBroken))
	}
	for _, s := range r.broken {
		if r.believes(s, working) {
			evidence = append(evidence, s.evidence())
		}
	}
	return clipEvidence(evidence)
}

// politeLines is how long the output of a wrapper is, at most, that says in words
// that something is not installed. A longer one is a list or a help text.
const politeLines = 10

// complainsOfArgument reports whether a stream holds a complaint that names what
// the tool was given: a crash with such a message is the tool's way to complain.
func (r *reading) complainsOfArgument(stream int) bool {
	return slices.ContainsFunc(r.complaints, func(s sighting) bool { return s.echoes && s.line.stream == stream })
}

// believes reports whether a sign of a broken install is to be believed.
func (r *reading) believes(s sighting, working []workingSign) bool {
	if s.sig.launcher {
		return true
	}
	if s.echoes {
		return false // what is missing is what the tool was told to use
	}
	switch s.sig.weight {
	case weightWords:
		return !r.isHelp() && !anyEcho(working) && strings.Count(r.text[0], "\n")+strings.Count(r.text[1], "\n") <= politeLines
	case weightSign:
		return !r.wentOn(s, working)
	}
	return true
}

// wentOn reports whether the output shows that the tool survived what a sign
// tells: its last line is about the argument, or the tool itself speaks behind
// the sign.
func (r *reading) wentOn(s sighting, working []workingSign) bool {
	if echoes(r.lastLine(s.line.stream).text, r.args, false) || s.sig.crash && r.complainsOfArgument(s.line.stream) {
		return true
	}
	return slices.ContainsFunc(working, func(w workingSign) bool { return w.stream == s.line.stream && w.at > s.at && w.tells })
}

package mend

import (
	"slices"
	"strings"
)

// Methods by which a check is mended, as [RepairMetadata] names them.
const (
	MethodLintFix           = "lint_fix"           // a command that only silenced or joined streams is written without that
	MethodVersionPattern    = "version_pattern"    // the version was printed, but the check missed it
	MethodDocumentedVersion = "documented_version" // the output offers another way to show the version
	MethodCargoSubcommand   = "cargo_subcommand"   // a plug-in is called through its host
	MethodOutputDetection   = "output_detection"   // the same command, with text that it prints
	MethodFallbackHelp      = "fallback_help"      // tool --help
	MethodFallbackH         = "fallback_h"         // tool -h
)

// RepairMetadata says how a check was mended.
type RepairMetadata struct {
	Type     string   `json:"type"`     // RepairVerify
	Original string   `json:"original"` // the command as generated
	Repaired string   `json:"repaired"` // the command that passes
	Method   string   `json:"method"`
	ExitCode int      `json:"exit_code"` // that the mended check expects
	Strength Strength `json:"strength"`
}

// RepairVerify is the type of a mend that changed the verify section only.
const RepairVerify = "verify"

// DefaultRules returns the rules that mend uses, in the order in which equally
// strong proposals of theirs are tried. The slice is the caller's.
func DefaultRules() []Rule {
	return []Rule{
		{MethodVersionPattern, proposeVersionPattern},
		{MethodDocumentedVersion, proposeDocumentedVersion},
		{MethodCargoSubcommand, proposeSubcommand},
		{MethodOutputDetection, proposeOutput},
		{MethodFallbackHelp, proposeHelp},
		{MethodFallbackH, proposeH},
		{MethodFallbackHelp, proposeOfferedHelp},
		{MethodDocumentedVersion, proposeGuessedVersion},
	}
}

// proposeVersionPattern mends a check whose command printed the installed
// version, but with another exit code, or in a form that the pattern misses.
func proposeVersionPattern(f Failure) []Candidate {
	if len(f.Observations) == 0 {
		return nil
	}
	r := f.reading(0)
	if r.rejects() || r.isHelp() {
		for _, o := range r.versionOffers() {
			if !o.guess && len(f.askVersion(f.with(o.word))) > 0 {
				return nil // what the tool describes is the better way
			}
		}
	}
	return f.versionCandidates(f.words(), r)
}

// proposeDocumentedVersion asks for the version in the ways that the tool's own
// output describes.
func proposeDocumentedVersion(f Failure) []Candidate { return f.offered(false) }

// proposeGuessedVersion asks for the version by options that the tool's synopsis
// names without describing them, and if no output says anything about options,
// by those that mostly mean it.
func proposeGuessedVersion(f Failure) []Candidate {
	if !f.askedForHelp() {
		return nil
	}
	candidates := f.offered(true)
	if !f.knowsOptions() {
		for _, word := range []string{"-V", "-v"} {
			candidates = append(candidates, f.askVersion(f.with(word))...)
		}
	}
	return candidates
}

// knowsOptions reports whether any output describes or lists options.
func (f *Failure) knowsOptions() bool {
	for i := range f.Observations {
		r := f.reading(i)
		if r.options > 1 {
			return true
		}
		for _, u := range r.usages {
			if strings.Contains(r.synopsis(u), "[-") {
				return true
			}
		}
	}
	return false
}

// offered returns candidates for the version commands that any output offers.
func (f *Failure) offered(guess bool) []Candidate {
	var candidates []Candidate
	for i := range f.Observations {
		r := f.reading(i)
		if verdict, _ := r.verdict(nil, f.Installed); verdict == Broken || r == f.control() {
			continue
		}
		for _, o := range r.versionOffers() {
			if o.guess == guess {
				candidates = append(candidates, f.askVersion(f.with(o.word))...)
			}
		}
	}
	return candidates
}

// proposeSubcommand asks a plug-in for its version through its host.
func proposeSubcommand(f Failure) []Candidate {
	words := f.words()
	if len(words) == 0 || len(f.Observations) == 0 {
		return nil
	}
	host, sub, ok := strings.Cut(toolName(words[:1]), "-")
	if !ok || sub == "" || !slices.Contains(hosts, host) {
		return nil
	}
	return f.askVersion(append([]string{host, sub}, words[1:]...))
}

// proposeOutput makes a check of what the recipe's own command printed. If it
// only rejected its argument, the tool's answer to an impossible option tells
// whether it did so on its own account.
func proposeOutput(f Failure) []Candidate {
	if len(f.Observations) == 0 {
		return nil
	}
	r, control := f.reading(0), f.control()
	verdict, _ := r.verdict(control, f.Installed)
	if verdict == Broken || r.obs.TimedOut || r.isEmpty() {
		return nil
	}
	var candidates []Candidate
	if verdict == Working {
		candidates = f.outputCandidates(f.words(), r, control)
	}
	if control == nil {
		candidates = append(candidates, f.probe(f.with(impossibleOption), StrengthComplaint))
	}
	return candidates
}

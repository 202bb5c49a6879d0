package mend

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// Attempt is one recipe that was validated, and what came of it.
type Attempt struct {
	Recipe  *Recipe
	Probes  []Probe         // in the order in which they were tried
	Repair  *RepairMetadata // how its check was mended; nil if it was not
	Failure *Failure        // nil if its check passes, as it was or mended
}

// Probe is a check that a rule proposed, and what came of it.
type Probe struct {
	Method      string
	Verify      VerifySection
	Observation Observation // of its command
	Ran         bool        // the command was run for this probe, rather than known already
	Refusal     string      // why it was not accepted; "" if it was, or if only its output was wanted
}

// Bounds of what is run for one recipe. A probe costs milliseconds, so they only
// keep a tool that answers every question with an offer from being asked for ever.
const (
	maxProbes     = 10
	maxCandidates = 120
)

// silentLimit is the time that a tool gets the second time, if it ran out of time
// without a word the first time: it may just be slow to start.
const silentLimit = 20 * time.Second

// validation runs the check of one installed recipe, and mends it.
type validation struct {
	env       Environment
	in        Installed
	recipe    *Recipe // as generated, its command made plain
	rules     []Rule
	floor     Strength
	sanitizer *Sanitizer
	profile   *command.Profile
	first     Observation // of the recipe's own check, if it passes
	judged    Judgement   // of that
	failure   *Failure
	probes    []Probe
	runs      int
	done      map[string]bool     // candidates that were refused
	capped    map[string]Strength // candidates that proved weaker than proposed
	further   []Observation       // runs of the additional checks
	warnings  []string
}

// check runs the recipe's own check and judges it. A nil failure says that it
// passed, with the strength returned.
func (v *validation) check(ctx context.Context) (Strength, error) {
	verify := *v.recipe.Verify
	obs, err := v.run(ctx, verify.Command)
	if err != nil {
		return 0, err
	}
	if obs.TimedOut && strings.TrimSpace(obs.Stdout+obs.Stderr) == "" {
		if obs, err = v.runFor(ctx, verify.Command, silentLimit); err != nil {
			return 0, err
		}
	}
	all := []Observation{obs}
	if judgement := Judge(v.effective(withoutAdditional(verify)), all, v.in); judgement.Passed {
		if all, err = v.withAdditional(ctx, verify, all); err != nil {
			return 0, err
		}
	}
	judgement := Judge(v.effective(verify), all, v.in)
	v.warnings = append(v.warnings, judgement.Notes...)
	if judgement.Passed {
		strength := v.strengthOf(verify, obs)
		if strength > StrengthExitCode || !v.looksBroken(obs) {
			v.warnOfOtherVersion(read(obs))
			v.first, v.judged = obs, judgement
			return strength, nil
		}
	}
	v.failure = v.newFailure(obs, judgement)
	return 0, nil
}

// newFailure describes the run of the recipe's own check as one that failed.
func (v *validation) newFailure(obs Observation, j Judgement) *Failure {
	f := &Failure{Recipe: v.recipe, Installed: v.in, Observations: []Observation{obs}, Judgement: j, sanitizer: v.sanitizer}
	f.Analysis = analyze(f.reading(0), nil, v.in)
	f.Parsed = parseError(obs, v.sanitizer)
	return f
}

// looksBroken reports whether a run that satisfies the check says nevertheless
// that the tool is not there. It is asked where nothing but an exit code speaks
// for the tool: wrappers exit with 0 after a polite word. A crash is not enough,
// since a tool that survives one may exit with 0 rightly.
func (v *validation) looksBroken(obs Observation) bool {
	verdict, evidence := read(obs).verdict(nil, v.in)
	return verdict == Broken && slices.ContainsFunc(evidence, func(e Evidence) bool { return !isCrash(e.Signature) })
}

func withoutAdditional(verify VerifySection) VerifySection {
	verify.Additional = nil
	return verify
}

// effective returns the section with the recipe's own version format filled in.
func (v *validation) effective(verify VerifySection) VerifySection {
	if verify.VersionFormat == "" {
		verify.VersionFormat = v.recipe.Metadata.VersionFormat
	}
	return verify
}

// strengthOf says what a passing check proves, whoever wrote it.
func (v *validation) strengthOf(verify VerifySection, obs Observation) Strength {
	switch {
	case verify.claimsVersion():
		return StrengthVersion
	case verify.Pattern == "" && !slices.ContainsFunc(verify.Patterns, func(p string) bool { return p != "" }):
		return StrengthExitCode
	case refuted(v.effective(verify), v.in, toolName(obs.Argv)) != "":
		return StrengthExitCode
	case anyEcho(read(obs).complaintSigns()):
		return StrengthComplaint
	}
	return StrengthUsage
}

// run starts a command line of the recipe.
func (v *validation) run(ctx context.Context, line string) (Observation, error) {
	return v.runFor(ctx, line, 0)
}

func (v *validation) runFor(ctx context.Context, line string, limit time.Duration) (Observation, error) {
	words, err := command.Split(line)
	if err != nil {
		return Observation{}, err
	}
	argv := expandAll(words, v.in)
	obs, err := v.env.Run(ctx, Command{Argv: argv, Timeout: limit})
	obs.Argv = argv
	return obs, err
}

// withAdditional returns the observations with those of the section's additional
// checks. Each is run once, however many candidates ask for it.
func (v *validation) withAdditional(ctx context.Context, verify VerifySection, obs []Observation) ([]Observation, error) {
	for _, a := range verify.Additional {
		o, known := v.known(a.Command)
		if !known {
			var err error
			if o, err = v.run(ctx, a.Command); err != nil {
				return nil, err
			}
			v.further = append(v.further, o)
		}
		obs = append(obs, o)
	}
	return obs, nil
}

// known returns what a command line showed, if it was run.
func (v *validation) known(line string) (Observation, bool) {
	words, err := command.Split(line)
	if err != nil {
		return Observation{}, false
	}
	argv := expandAll(words, v.in)
	seen := v.further
	if v.failure != nil {
		seen = slices.Concat(v.failure.Observations, v.further)
	}
	i := slices.IndexFunc(seen, func(o Observation) bool { return slices.Equal(o.Argv, argv) })
	if i < 0 {
		return Observation{}, false
	}
	return seen[i], true
}

// warnOfOtherVersion warns once if the tool states another version than the
// installed one, and returns the warning and the line.
func (v *validation) warnOfOtherVersion(r *reading) (string, outputLine) {
	stated, line, ok := r.otherVersion(v.in)
	if !ok {
		return "", line
	}
	message := fmt.Sprintf("%s states version %q, but %q is installed", r.tool, stated, v.in.Version)
	if !slices.Contains(v.warnings, message) {
		v.warnings = append(v.warnings, message)
	}
	return message, line
}

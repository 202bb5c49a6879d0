package mend

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// FindingVersionMismatch is the code of the finding that the tool states another
// version than the installed one. It is never mended, since the wrong artifact
// may have been installed.
const FindingVersionMismatch command.FindingCode = "version_mismatch"

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
	env      Environment
	in       Installed
	recipe   *Recipe // as generated, its command made plain
	rules    []Rule
	floor    Strength
	failure  *Failure
	probes   []Probe
	runs     int
	done     map[string]bool     // candidates that were refused
	capped   map[string]Strength // candidates that proved weaker than proposed
	further  []Observation       // runs of the additional checks
	warnings []string
}

// mended is a check that passes and is proven.
type mended struct {
	verify   VerifySection
	method   string
	strength Strength
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
			return strength, nil
		}
	}
	v.failure = &Failure{Recipe: v.recipe, Installed: v.in, Observations: []Observation{obs}, Judgement: judgement}
	v.failure.Analysis = analyze(v.failure.reading(0), nil, v.in)
	return 0, nil
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

// mend asks the rules until one of their candidates passes and is proven, or
// none is left. It returns nil if the check cannot be mended.
func (v *validation) mend(ctx context.Context) (*mended, error) {
	v.done, v.capped = make(map[string]bool), make(map[string]Strength)
	if v.failure.Analysis.Verdict == Broken || v.mismatch(0) {
		return nil, nil
	}
	for range maxCandidates {
		c, ok := v.next()
		if !ok {
			break
		}
		obs, observed := v.known(c.Verify.Command)
		if !observed {
			if err := v.probe(ctx, c); err != nil {
				return nil, err
			}
			if c.Strength == StrengthVersion && v.isOffered(c) && v.mismatch(len(v.failure.Observations)-1) {
				return nil, nil
			}
			continue
		}
		m, err := v.try(ctx, c, obs)
		if m != nil || err != nil {
			return m, err
		}
	}
	v.failure.Analysis = analyze(v.failure.reading(0), v.failure.control(), v.in)
	return nil, nil
}

// isOffered reports whether an output describes the candidate's question as the
// way to ask for the version.
func (v *validation) isOffered(c Candidate) bool {
	words, err := command.Split(c.Verify.Command)
	if err != nil {
		return false
	}
	for i := range len(v.failure.Observations) - 1 {
		if slices.Contains(v.failure.reading(i).versionOffers(), offer{word: words[len(words)-1]}) {
			return true
		}
	}
	return false
}

// key identifies a candidate.
func key(c Candidate) string {
	v := c.Verify
	return fmt.Sprintf("%q %q %q %d %q %q", v.Command, v.Pattern, v.Patterns, v.wantedExitCode(), v.VersionFormat, v.Additional)
}

// next returns the strongest candidate that was not dealt with yet; of equal
// ones, that of the first rule.
func (v *validation) next() (Candidate, bool) {
	var open []Candidate
	for _, rule := range v.rules {
		for _, c := range rule.Propose(*v.failure) {
			c.Method = cmp.Or(c.Method, rule.Name)
			k := key(c)
			if v.done[k] {
				continue
			}
			if s, ok := v.capped[k]; ok {
				c.Strength = min(c.Strength, s)
			}
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return Candidate{}, false
	}
	return slices.MaxFunc(open, func(a, b Candidate) int { return int(a.Strength) - int(b.Strength) }), true
}

// probe runs the candidate's command. A candidate that cannot be run is refused.
func (v *validation) probe(ctx context.Context, c Candidate) error {
	p := Probe{Method: c.Method, Verify: c.Verify}
	_, err := command.Split(c.Verify.Command)
	switch {
	case err != nil:
		p.Refusal = err.Error()
	case v.runs >= maxProbes:
		p.Refusal = fmt.Sprintf("not run: %d probes were", maxProbes)
	}
	if p.Refusal != "" {
		v.refuse(c, p)
		return nil
	}
	obs, err := v.run(ctx, c.Verify.Command)
	if err != nil {
		return err
	}
	v.runs++
	v.failure.Observations = append(v.failure.Observations, obs)
	p.Observation, p.Ran = obs, true
	v.probes = append(v.probes, p)
	return nil
}

func (v *validation) refuse(c Candidate, p Probe) {
	v.done[key(c)] = true
	v.probes = append(v.probes, p)
}

// try judges a candidate whose command was run, and proves it.
func (v *validation) try(ctx context.Context, c Candidate, obs Observation) (*mended, error) {
	p := Probe{Method: c.Method, Verify: c.Verify, Observation: obs}
	refuse := func(why string) (*mended, error) {
		p.Refusal = why
		v.refuse(c, p)
		return nil, nil
	}
	verify := v.effective(c.Verify)
	if j := Judge(withoutAdditional(verify), []Observation{obs}, v.in); !j.Passed {
		return refuse(j.String())
	}
	control, err := v.control(ctx, c, obs)
	if err != nil {
		return nil, err
	}
	if c.Strength == StrengthVersion && verify.wantedExitCode() != 0 && !v.answers(obs, control) {
		return refuse("the same is printed whatever is asked, and nothing in it is the tool's own")
	}
	pr := prove(verify, c.Strength, control, v.in, toolName(obs.Argv))
	switch {
	case pr.refusal != "":
		return refuse(pr.refusal)
	case pr.strength < v.floor:
		return refuse(fmt.Sprintf("its strength is %s, below %s", pr.strength, v.floor))
	case pr.strength < c.Strength:
		v.capped[key(c)] = pr.strength
		return nil, nil
	}
	all, err := v.withAdditional(ctx, verify, []Observation{obs})
	if err != nil {
		return nil, err
	}
	if j := Judge(verify, all, v.in); !j.Passed {
		return refuse(j.String())
	}
	v.probes = append(v.probes, p)
	return &mended{verify: c.Verify, method: c.Method, strength: pr.strength}, nil
}

// answers reports whether a run that failed was the tool's doing: it differs
// from what the tool says to an impossible option, if only by naming it, or it
// holds the tool's usage or complaint.
func (v *validation) answers(obs, control Observation) bool {
	r, c := read(obs), read(control)
	if _, own := r.ownUsage(); own || len(r.complaintSigns()) > 0 {
		return true
	}
	return foldNumbers(r.text[0]+r.text[1]) != foldNumbers(c.text[0]+c.text[1])
}

// control returns what the candidate has to fail on: the tool's answer to an
// impossible option. A recipe's own command that was rejected as one serves as
// well, and saves a run.
func (v *validation) control(ctx context.Context, c Candidate, obs Observation) (Observation, error) {
	if r := v.failure.control(); r != nil {
		return r.obs, nil
	}
	first := v.failure.reading(0)
	if first.rejects() && !slices.Equal(first.obs.Argv, obs.Argv) {
		return first.obs, nil
	}
	if c.Strength == StrengthVersion && !slices.Equal(first.obs.Argv, obs.Argv) {
		return first.obs, nil // shows that the output follows the argument
	}
	p := v.failure.probe(v.failure.with(impossibleOption), c.Strength)
	p.Method = c.Method
	if err := v.probe(ctx, p); err != nil {
		return Observation{}, err
	}
	if r := v.failure.control(); r != nil {
		return r.obs, nil
	}
	return first.obs, nil
}

// mismatch reports whether an observation states another version than the
// installed one although the recipe asks for it. If the recipe does not, it is
// only worth a warning.
func (v *validation) mismatch(i int) bool {
	r := v.failure.reading(i)
	if r.obs.TimedOut || r.obs.Signal != "" {
		return false
	}
	message, line := v.warnOfOtherVersion(r)
	if message == "" || !v.recipe.Verify.claimsVersion() {
		return false
	}
	v.failure.Findings = append(v.failure.Findings, command.Finding{
		Code: FindingVersionMismatch, Severity: command.SeverityError, Message: message, Source: "verify.pattern",
	})
	a := v.failure.Analysis
	a.Repairable, a.SuggestedMode, a.SuggestedPattern, a.SuggestedReason = false, "", "", message
	a.Evidence = append(a.Evidence, Evidence{
		Signature: string(FindingVersionMismatch), Kind: EvidenceBroken, Line: clip(line.text, 300), Stream: streamNames[line.stream],
	})
	return true
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

// plainRecipe returns the recipe with command lines that can be started without
// a shell, or what stands in the way. Lines that only redirect or silence are
// made plain.
func plainRecipe(r *Recipe) (plain *Recipe, findings []command.Finding) {
	verify := *r.Verify
	verify.Additional = slices.Clone(verify.Additional)
	changed := false
	fix := func(line *string, source string) {
		_, err := command.Split(*line)
		if err == nil {
			return
		}
		if made, ok := command.Plain(*line); ok {
			*line, changed = made, true
			return
		}
		if refusal, ok := err.(*command.SplitError); ok {
			f := refusal.Finding(*line)
			f.Source = source
			findings = append(findings, f)
		}
	}
	fix(&verify.Command, "verify.command")
	for i := range verify.Additional {
		fix(&verify.Additional[i].Command, fmt.Sprintf("verify.additional[%d].command", i))
	}
	if !changed || len(findings) > 0 {
		return r, findings
	}
	return r.WithVerify(verify), nil
}

// toolOf returns the name of the tool that a recipe's check runs.
func toolOf(r *Recipe) string {
	if r != nil && r.Verify != nil {
		if words, err := command.Split(r.Verify.Command); err == nil {
			return path.Base(words[0])
		}
	}
	if r == nil {
		return ""
	}
	return r.Metadata.Name
}

package mend

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mendkit/mend/command"
)

// mended is a check that passes and is proven.
type mended struct {
	verify   VerifySection
	method   string
	strength Strength
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

// key identifies a candidate.
func key(c Candidate) string {
	v := c.Verify
	return fmt.Sprintf("%q %q %q %d %q %q", v.Command, v.Pattern, v.Patterns, v.wantedExitCode(), v.VersionFormat, v.Additional)
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

// probe runs the candidate's command. One that cannot be run, or that would be refused
// in a recipe, is refused here.
func (v *validation) probe(ctx context.Context, c Candidate) error {
	p := Probe{Method: c.Method, Verify: c.Verify}
	findings := command.Lint(c.Verify.Command, v.profile)
	switch {
	case hasErrors(findings):
		p.Refusal = findings[0].Message
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
	if isToldWhatToPrint(verify, obs.Argv, v.in) {
		return refuse(toldWhatToPrint)
	}
	control, err := v.control(ctx, c, obs)
	if err != nil {
		return nil, err
	}
	if c.Strength == StrengthVersion && verify.wantedExitCode() != 0 && !v.answers(obs, control) {
		return refuse(sameForAll)
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

// sameForAll says why a version behind an exit code other than 0 proves nothing.
const sameForAll = "the same is printed whatever is asked, and nothing in it is the tool's own"

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
	a.Evidence = append(a.Evidence, line.evidence(string(FindingVersionMismatch), EvidenceBroken))
	return true
}

// FindingVersionMismatch is the code of the finding that the tool states another
// version than the installed one. It is never mended, since the wrong artifact
// may have been installed.
const FindingVersionMismatch command.FindingCode = "version_mismatch"

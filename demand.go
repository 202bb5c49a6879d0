package mend

import (
	"context"
	"fmt"

	"github.com/mendkit/mend/command"
)

// demand proves a check that passes as a candidate is proven: whoever wrote it
// was asked to make it pass. If it proves nothing, it fails with a finding that
// says why.
func (v *validation) demand(ctx context.Context, strength Strength) (Strength, error) {
	v.failure = v.newFailure(v.first, v.judged)
	proven, why, err := v.provenCheck(ctx, strength)
	if err != nil {
		return 0, err
	}
	if why == "" && proven < v.floor {
		why = fmt.Sprintf("the check passes, and proves no more than %s; at least %s is asked for", proven, v.floor)
	}
	if why == "" {
		v.failure = nil
		return proven, nil
	}
	v.failure.Findings = append(v.failure.Findings, command.Finding{
		Code: FindingWeakCheck, Severity: command.SeverityError, Message: v.failure.excerpt(why), Source: "verify.command",
		Hint: "run the tool with an option that shows its version, or its help text, and take the pattern from what it prints",
	})
	return 0, nil
}

// provenCheck returns what the recipe's own check proves, or why it proves
// nothing. A version with exit code 0 needs no control.
func (v *validation) provenCheck(ctx context.Context, strength Strength) (proven Strength, why string, err error) {
	verify := *v.recipe.Verify
	if why := weakCommand(v.recipe); why != "" {
		return 0, why, nil
	}
	if isToldWhatToPrint(verify, v.first.Argv, v.in) {
		return 0, toldWhatToPrint, nil
	}
	if kind := refuted(v.effective(verify), v.in, toolName(v.first.Argv)); kind != "" && (verify.Pattern != "" || len(verify.Patterns) > 0) {
		return 0, wouldPass(kind), nil
	}
	if strength <= StrengthExitCode {
		return strength, "", nil
	}
	control := v.first
	if strength < StrengthVersion || verify.wantedExitCode() != 0 {
		if control, err = v.control(ctx, Candidate{Verify: verify, Strength: strength}, v.first); err != nil {
			return 0, "", err
		}
	}
	if strength == StrengthVersion && verify.wantedExitCode() != 0 && !v.answers(v.first, control) {
		return 0, sameForAll, nil
	}
	pr := prove(v.effective(verify), strength, control, v.in, toolName(v.first.Argv))
	return pr.strength, pr.refusal, nil
}

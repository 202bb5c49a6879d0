package mend

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/mendkit/mend/command"
)

// FindingUnconfirmed reports a check that passes in the sandbox, but not in the one
// of [Options.Confirm]: what it shows depends on the machine, and one of the two
// misleads.
const FindingUnconfirmed command.FindingCode = "unconfirmed"

// confirm installs the recipe, whose check has just passed, in another sandbox, and
// runs the check there once. It returns what failed, or nil if the check passes there,
// too. An error is the other sandbox's own.
func (v *validation) confirm(ctx context.Context, sandbox Sandbox, recipe *Recipe) (*Failure, error) {
	env, err := sandbox.Install(ctx, recipe)
	var failed *InstallError
	if errors.As(err, &failed) {
		return unconfirmed(installFailure(recipe, failed, v.sanitizer)), nil
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := env.Close(); err != nil {
			v.warnings = append(v.warnings, "closing the environment that confirms: "+err.Error())
		}
	}()
	other := &validation{env: env, in: env.Installed(), recipe: recipe, sanitizer: v.sanitizer}
	other.in.Version = cmp.Or(other.in.Version, v.in.Version) // an image may hold the tool, and not say which
	if _, err := other.check(ctx); err != nil || other.failure == nil {
		return nil, err
	}
	return unconfirmed(other.failure), nil
}

// unconfirmed adds to what failed where a check is confirmed that it passes elsewhere.
func unconfirmed(f *Failure) *Failure {
	why := fmt.Sprintf("the check %q passes in the sandbox, but not where it is confirmed: %s", f.Recipe.Verify.Command, f.reason())
	f.Findings = append(f.Findings, command.Finding{
		Code: FindingUnconfirmed, Severity: command.SeverityError, Message: f.excerpt(why), Source: "verify.command",
		Hint: "find a check that does not depend on the machine, or have the recipe install what the tool needs",
	})
	return f
}

// installFailure describes an install that failed.
func installFailure(r *Recipe, failed *InstallError, s *Sanitizer) *Failure {
	output := Observation{Stdout: failed.Stdout, Stderr: failed.Stderr + "\n" + failed.Err.Error()}
	return &Failure{Recipe: r, Install: failed, sanitizer: s, Parsed: parseError(output, s)}
}

package mend

import (
	"fmt"
	"slices"

	"github.com/mendkit/mend/command"
)

// LintRecipe reads the commands of a recipe's check before anything is run: the
// primary one, then each additional one. A finding's Source says which. It is a pure
// function; nil says that there is nothing to say.
func LintRecipe(r *Recipe, p *command.Profile) []command.Finding {
	if r == nil || r.Verify == nil {
		return nil
	}
	findings := lintFrom("verify.command", r.Verify.Command, p)
	for i, a := range r.Verify.Additional {
		findings = append(findings, lintFrom(additionalSource(i), a.Command, p)...)
	}
	return findings
}

// lineOf returns the command that a finding of [LintRecipe] is about.
func lineOf(r *Recipe, source string) string {
	for i, a := range r.Verify.Additional {
		if source == additionalSource(i) {
			return a.Command
		}
	}
	return r.Verify.Command
}

func additionalSource(i int) string { return fmt.Sprintf("verify.additional[%d].command", i) }

func lintFrom(source, line string, p *command.Profile) []command.Finding {
	findings := command.Lint(line, p)
	for i := range findings {
		findings[i].Source = source
	}
	return findings
}

// worst returns the severity of the worst finding, or 0.
func worst(findings []command.Finding) (s command.Severity) {
	for _, f := range findings {
		s = max(s, f.Severity)
	}
	return s
}

// hasErrors reports whether a finding forbids to run the command.
func hasErrors(findings []command.Finding) bool { return worst(findings) >= command.SeverityError }

// maxFixes is how many mechanical fixes in a row a line gets.
const maxFixes = 2

// fixLine returns the line with what can be mended mechanically, and reports whether
// no error is left then.
func fixLine(line string, p *command.Profile) (string, bool) {
	for range maxFixes {
		findings := command.Lint(line, p)
		i := slices.IndexFunc(findings, func(f command.Finding) bool { return f.Severity == command.SeverityError && f.Fix != "" })
		if i < 0 || worst(findings) == command.SeverityFatal {
			return "", false
		}
		line = findings[i].Fix
		if !hasErrors(command.Lint(line, p)) {
			return line, true
		}
	}
	return "", false
}

// fixRecipe returns the recipe with its commands as they can be started: what only
// redirects or silences streams is left out, since both streams and the exit code are
// seen anyway, and other errors are mended where that is mechanical. It reports
// whether no error is left; if one is, the recipe is as it was.
func fixRecipe(r *Recipe, p *command.Profile) (*Recipe, bool) {
	verify := *r.Verify
	verify.Additional = slices.Clone(verify.Additional)
	lines := []*string{&verify.Command}
	for i := range verify.Additional {
		lines = append(lines, &verify.Additional[i].Command)
	}
	changed := false
	for _, line := range lines {
		if !hasErrors(command.Lint(*line, p)) {
			continue
		}
		fixed, ok := command.Plain(*line)
		if !ok || hasErrors(command.Lint(fixed, p)) {
			if fixed, ok = fixLine(*line, p); !ok {
				return r, false
			}
		}
		*line, changed = fixed, true
	}
	if !changed {
		return r, true
	}
	return r.WithVerify(verify), true
}

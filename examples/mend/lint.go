package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// linted is what lint prints with --json, for each recipe or command line.
type linted struct {
	File     string    `json:"file,omitempty"`
	Command  string    `json:"command,omitempty"` // that was given by --command
	Outcome  outcome   `json:"outcome"`           // passed, failed, malformed or no_evidence
	Reason   string    `json:"reason,omitempty"`
	Findings []finding `json:"findings"`
}

func newLint(t *terminal, o *options) *cobra.Command {
	var lines []string
	c := &cobra.Command{
		Use:   "lint {FILE... | --command LINE}",
		Short: "Say what is wrong with the commands of recipes, without running them",
		Long: `Lint reads the commands of each recipe's check, or a command line, and runs nothing. It
fails if a command could not be run as it is written. Spans are bytes of the line, from 0.`,
		Example: "  mend lint *.toml\n  mend lint --command 'frob --version | head -1'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && len(lines) == 0 {
				return errors.New("no recipe is given, and no --command")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			code := exitOK
			profile := command.HostProfile()
			show := func(l linted) error {
				code = max(code, l.Outcome.code())
				return t.linted(&l)
			}
			for _, line := range lines {
				l := linted{Command: line}
				l.judge(command.Lint(line, profile))
				if err := show(l); err != nil {
					return err
				}
			}
			for _, file := range args {
				if err := show(lintFile(file, profile)); err != nil {
					return err
				}
			}
			return exitWith(code)
		},
	}
	c.Flags().StringArrayVar(&lines, "command", nil, "a command `LINE` to read; can be repeated")
	return c
}

func lintFile(file string, profile *command.Profile) linted {
	l := linted{File: file}
	s, err := load(file, nil)
	if err != nil {
		var r result
		r.refuse(err, nil)
		l.Outcome, l.Reason, l.Findings = r.Outcome, r.Reason, []finding{}
		return l
	}
	l.judge(mend.LintRecipe(s.recipe, profile))
	return l
}

// judge records what was found.
func (l *linted) judge(findings []command.Finding) {
	l.Outcome, l.Findings = passed, append([]finding{}, findingsOf(findings)...)
	for _, f := range findings {
		if f.Severity >= command.SeverityError {
			l.Outcome = failed
		}
	}
}

var severityStyles = map[string]style{"fatal": red, "error": red, "warn": yellow}

// linted prints what was found.
func (t *terminal) linted(l *linted) error {
	if t.json {
		return t.object(l)
	}
	what := oneLine(l.File)
	if l.File == "" {
		what = fmt.Sprintf("%q", l.Command)
	}
	if l.Reason != "" {
		return t.printf("%s: %s: %s\n", what, t.paint(red, string(l.Outcome)), l.Reason)
	}
	if len(l.Findings) == 0 {
		return t.printf("%s: nothing to say\n", what)
	}
	for _, f := range l.Findings {
		where := what
		if f.Source != "" {
			where += ": " + f.Source
		}
		code := string(f.Code)
		if f.Detail != "" {
			code += " (" + f.Detail + ")"
		}
		err := t.printf("%s: bytes %d-%d: %s: %s: %s\n", where, f.Start, f.End, t.paint(severityStyles[f.Severity], f.Severity), code, oneLine(f.Message))
		for _, more := range [][2]string{{"hint", f.Hint}, {"fix", f.Fix}} {
			if more[1] != "" && err == nil {
				err = t.printf("  %s: %s\n", more[0], oneLine(more[1]))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"github.com/spf13/cobra"
)

func newCheck(t *terminal, o *options) *cobra.Command {
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Run the checks of recipes and say what they prove",
		Long: `Check reads the commands of each recipe, runs its check with the tool that is on PATH,
judges it, and says what a check that passes proves. Nothing is mended or written.`,
		Example: "  mend check frob.toml\n  mend check --floor version --version-of frob=1.2 frob.toml",
		Args:    files,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := newEngine(c.Context(), o, false)
			if err != nil {
				return err
			}
			return t.each(c, o, args, func(s *source) *work { return e.do(c.Context(), s) })
		},
	}
	o.addRunning(c)
	return c
}

// each does something with each recipe and prints what came of it. It returns what the
// program is to end with.
func (t *terminal) each(c *cobra.Command, o *options, paths []string, do func(*source) *work) error {
	code := exitOK
	for _, path := range paths {
		r := result{File: path}
		s, err := load(path, o.versions)
		if err != nil {
			r.refuse(err, nil)
		} else {
			r = do(s).result
		}
		if err := c.Context().Err(); err != nil {
			return err
		}
		if err := t.print(&r); err != nil {
			return err
		}
		code = max(code, r.Outcome.code())
	}
	return exitWith(code)
}

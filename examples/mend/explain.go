package main

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// explanation is what explain prints with --json.
type explanation struct {
	result
	Transcript *transcript `json:"transcript"`
}

func newExplain(t *terminal, o *options) *cobra.Command {
	var pattern string
	var full bool
	c := &cobra.Command{
		Use:   "explain {FILE | -- COMMAND [ARGUMENT...]}",
		Short: "Show what a check printed, which lines decided, and what was proposed",
		Long: `Explain takes one recipe through the loop as fix does and writes nothing. It shows what
each run printed, which lines decided and where they stand, what each rule proposed, and
why that was refused.

Behind -- stands a command instead of a recipe. Its check asks for the version if
--version-of says which it is, else for exit code 0.`,
		Example: "  mend explain frob.toml\n  mend explain --version-of frob=1.2 -- frob --version",
		Args: func(c *cobra.Command, args []string) error {
			switch dash := c.ArgsLenAtDash(); {
			case dash == 0 && len(args) > 0 && o.install:
				return fmt.Errorf("a command has no steps that --install could perform")
			case dash < 0 && len(args) == 1, dash == 0 && len(args) > 0:
				return nil
			case dash > 0:
				return fmt.Errorf("a recipe and a command were given; one of them is enough")
			}
			return fmt.Errorf("one recipe, or a command behind --, has to be given")
		},
		RunE: func(c *cobra.Command, args []string) error {
			s, err := subject(c, o, args, pattern)
			if err != nil {
				r := result{File: args[0]}
				r.refuse(err, nil)
				return t.finish(&r)
			}
			e, err := newEngine(c.Context(), o, true)
			if err != nil {
				return err
			}
			w := e.do(c.Context(), s)
			if err := c.Context().Err(); err != nil {
				return err
			}
			return t.explain(w, full)
		},
	}
	o.addRunning(c)
	c.Flags().StringVar(&pattern, "pattern", "", "what a command behind -- has to print (default: {version}, if it is known)")
	c.Flags().BoolVar(&full, "full", false, "show all of what was printed")
	return c
}

// finish prints a result and ends the program as it says.
func (t *terminal) finish(r *result) error {
	if err := t.print(r); err != nil {
		return err
	}
	return exitWith(r.Outcome.code())
}

// subject returns the recipe that is to be explained.
func subject(c *cobra.Command, o *options, args []string, pattern string) (*source, error) {
	if c.ArgsLenAtDash() < 0 {
		return load(args[0], o.versions)
	}
	name := path.Base(args[0])
	verify := &mend.VerifySection{Command: command.Join(args), Pattern: pattern}
	s := &source{
		tool: name, version: o.versions[name],
		recipe: &mend.Recipe{Metadata: mend.Metadata{Name: name}, Verify: verify},
	}
	if s.version != "" && pattern == "" {
		verify.Pattern = "{version}"
	}
	return s, nil
}

package main

import (
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
)

func newFix(t *terminal, o *options) *cobra.Command {
	var asDiff bool
	c := &cobra.Command{
		Use:   "fix FILE...",
		Short: "Mend the checks of recipes that fail although the tool works",
		Long: `Fix runs the check of each recipe, and where that fails although the tool works, writes one
into the file that passes and is proven. Nothing but the verify section is changed. A
file is replaced as a whole or not at all, and keeps its mode; a check that passes is
left alone.`,
		Example: "  mend fix frob.toml\n  mend fix --diff *.toml | patch -p1",
		Args:    files,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := newEngine(c.Context(), o, true)
			if err != nil {
				return err
			}
			if asDiff && !t.json {
				t.out, t.diff = t.err, t.out
			}
			return t.each(c, o, args, func(s *source) *work {
				w := e.do(c.Context(), s)
				if w.result.Outcome == mended {
					w.write(t, asDiff)
				}
				return w
			})
		},
	}
	o.addRunning(c)
	c.Flags().BoolVar(&asDiff, "diff", false, "print what would be changed as a unified diff, and write nothing")
	return c
}

// write replaces the recipe's file with the mended recipe, or prints the difference.
func (w *work) write(t *terminal, asDiff bool) {
	text := w.recipe.Bytes()
	var err error
	switch {
	case asDiff && t.json:
		w.result.Diff = string(w.diff())
	case asDiff:
		_, err = t.diff.Write(w.diff())
	default:
		if err = replaceFile(w.source.path, w.source.data, text); err == nil {
			w.result.Written = true
		}
	}
	if err != nil {
		w.result.Outcome, w.result.Reason = noEvidence, oneLine(fmt.Sprintf("mended, and not written: %v", err))
	}
}

func (w *work) diff() []byte {
	return diff.Diff("a/"+w.source.path, w.source.data, "b/"+w.source.path, w.recipe.Bytes())
}

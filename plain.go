package mend

import (
	"fmt"
	"slices"

	"github.com/mendkit/mend/command"
)

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
			return toolName(words)
		}
	}
	if r == nil {
		return ""
	}
	return r.Metadata.Name
}

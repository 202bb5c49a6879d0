package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mendkit/mend"
)

// outcome is what became of a program, in the words of the table.
func (e entry) outcome() (method, check, strength string) {
	var failed *mend.ValidationFailedError
	switch {
	case errors.As(e.err, &failed):
		return "refused", clip(failed.Error(), 60), "-"
	case e.result.RepairMetadata != nil:
		method = e.result.RepairMetadata.Method
	default:
		method = "left alone"
	}
	return method, describe(e.result.Recipe.Verify), e.result.Strength.String()
}

// varied returns the entries to show: of those that needed mending as many kinds
// as there are, the strongest first, and all that did not.
func varied(entries []entry) []entry {
	kinds := make(map[string][]entry)
	var order []string
	var passing []entry
	for _, e := range entries {
		method, _, strength := e.outcome()
		if e.err == nil && e.result.RepairMetadata == nil {
			passing = append(passing, e)
			continue
		}
		kind := method + " " + strength
		if kinds[kind] == nil {
			order = append(order, kind)
		}
		kinds[kind] = append(kinds[kind], e)
	}
	var chosen []entry
	for turn := 0; len(chosen) < min(wantedFaulty, len(entries)-len(passing)); turn++ {
		for _, kind := range order {
			if turn < len(kinds[kind]) && len(chosen) < wantedFaulty {
				chosen = append(chosen, kinds[kind][turn])
			}
		}
	}
	slices.SortStableFunc(chosen, func(a, b entry) int { return int(b.strength()) - int(a.strength()) })
	return append(chosen, passing...)
}

func (e entry) strength() mend.Strength {
	if e.err != nil {
		return mend.StrengthUnproven
	}
	return e.result.Strength
}

// printTable prints a line for each program.
func printTable(entries []entry) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TOOL\t--version\tMETHOD\tCHECK\tSTRENGTH\tMS")
	for _, e := range entries {
		method, check, strength := e.outcome()
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%.0f\n", e.tool, e.answer, method, check, strength, float64(e.took.Microseconds())/1000)
	}
	w.Flush()
}

// describe returns a check on one line.
func describe(v *mend.VerifySection) string {
	s := v.Command
	if v.ExitCode != nil {
		s += fmt.Sprintf(" (exit %d)", *v.ExitCode)
	}
	for _, p := range append([]string{v.Pattern}, v.Patterns...) {
		if p != "" {
			s += fmt.Sprintf(" ~ %q", p)
		}
	}
	return clip(s, 76)
}

func clip(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return s
}

// printDiff shows what a mend changes in a recipe, of the first that was mended.
func printDiff(entries []entry) {
	for _, e := range entries {
		if e.result == nil || e.result.RepairMetadata == nil {
			continue
		}
		fmt.Printf("\nThe recipe of %s:\n\n", e.tool)
		before := strings.Split(strings.TrimSuffix(string(e.result.Generated.Bytes()), "\n"), "\n")
		after := strings.Split(strings.TrimSuffix(string(e.result.Recipe.Bytes()), "\n"), "\n")
		for _, line := range diff(before, after) {
			fmt.Println("   ", line)
		}
		return
	}
}

// diff marks the lines between what both sides begin and end with.
func diff(before, after []string) []string {
	var out []string
	n := 0
	for n < len(before) && n < len(after) && before[n] == after[n] {
		out = append(out, "  "+before[n])
		n++
	}
	before, after = before[n:], after[n:]
	m := 0
	for m < len(before) && m < len(after) && before[len(before)-1-m] == after[len(after)-1-m] {
		m++
	}
	for _, line := range before[:len(before)-m] {
		out = append(out, "- "+line)
	}
	for _, line := range after[:len(after)-m] {
		out = append(out, "+ "+line)
	}
	for _, line := range before[len(before)-m:] {
		out = append(out, "  "+line)
	}
	return out
}

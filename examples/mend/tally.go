package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
)

// tally counts what became of the recipes of a batch, and is what --json prints last.
type tally struct {
	Recipes    int                        `json:"recipes"` // that were dealt with
	Resumed    int                        `json:"resumed"` // of these, by an earlier run
	Outcomes   map[outcome]int            `json:"outcomes"`
	Strengths  map[mend.Strength]int      `json:"strengths"`  // of checks that pass
	Methods    map[string]int             `json:"methods"`    // of those that were mended
	Categories map[mend.ErrorCategory]int `json:"categories"` // of those that were not
	Runs       int                        `json:"runs"`       // of tools
	Duration   time.Duration              `json:"duration_ns"`
	Report     string                     `json:"report,omitempty"`
}

func newTally() *tally {
	return &tally{
		Outcomes: make(map[outcome]int), Strengths: make(map[mend.Strength]int),
		Methods: make(map[string]int), Categories: make(map[mend.ErrorCategory]int),
	}
}

// add counts one recipe.
func (t *tally) add(r *result) {
	t.Recipes++
	t.Outcomes[r.Outcome]++
	t.Runs += r.Runs
	switch r.Outcome {
	case passed, mended:
		t.Strengths[r.Strength]++
		if r.Method != "" {
			t.Methods[r.Method]++
		}
	default:
		t.Categories[r.category()]++
	}
}

// category says why a recipe did not pass, in one word.
func (r *result) category() mend.ErrorCategory {
	if r.Outcome == failed {
		return cmp.Or(r.Category, mend.CategoryUnknown)
	}
	return mend.ErrorCategory(r.Outcome)
}

// code returns the exit code of the batch.
func (t *tally) code() int {
	code := exitOK
	for o, n := range t.Outcomes {
		if n > 0 {
			code = max(code, o.code())
		}
	}
	return code
}

// outcomes are all outcomes, best first.
var outcomes = []outcome{passed, mended, weak, failed, malformed, noEvidence}

// String is the summary for people, of several lines.
func (t *tally) String() string {
	var parts []string
	for _, o := range outcomes {
		if n := t.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, o))
		}
	}
	s := fmt.Sprintf("%d %s in %s: %s\n", t.Recipes, plural(t.Recipes, "recipe"), roughly(t.Duration), strings.Join(parts, ", "))
	if t.Resumed > 0 {
		s += fmt.Sprintf("  %d of them were finished before\n", t.Resumed)
	}
	s += counts("proves", t.Strengths) + counts("mended by", t.Methods) + counts("refused", t.Categories)
	if t.Report != "" {
		s += "  report: " + oneLine(t.Report) + "\n"
	}
	return s
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// counts lists how often there was what, the most frequent first.
func counts[K cmp.Ordered](title string, of map[K]int) string {
	if len(of) == 0 {
		return ""
	}
	var parts []string
	for _, k := range ranked(of) {
		parts = append(parts, fmt.Sprintf("%v %d", k, of[k]))
	}
	return fmt.Sprintf("  %s: %s\n", title, strings.Join(parts, ", "))
}

// ranked returns the keys of counts, the most frequent first.
func ranked[K cmp.Ordered](of map[K]int) []K {
	return slices.SortedFunc(maps.Keys(of), func(a, b K) int {
		return cmp.Or(of[b]-of[a], cmp.Compare(a, b))
	})
}

// roughly rounds a time to what a reader wants to know of it.
func roughly(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"iter"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/mendkit/mend"
)

// The page, which is one file in the end. Its style and its script are the only ones
// that a browser lets it have: their hashes stand in its policy, so that what a tool
// printed does nothing even if it were not escaped.
var (
	//go:embed report/page.html
	pageText string
	//go:embed report/page.css
	pageStyle string
	//go:embed report/page.js
	pageScript string

	page = template.Must(template.New("page").Parse(pageText))
)

// policy forbids the page everything but its own style and script.
func policy() string {
	return fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
		sourceHash(pageStyle), sourceHash(pageScript))
}

func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// report is what the page is made of.
type report struct {
	Policy, Version, Noun string
	Style                 template.CSS
	Script                template.JS
	Total, PassRate       string
	About                 []string
	Outcomes              chart
	Charts                []chart
	Strengths             []string // for the filter
	Columns               []column
	Rows                  iter.Seq[*row]

	failed error // why the rows are not all there
}

// column is one of the table's.
type column struct{ Key, Title string }

// listed is a recipe of the report that is yet to be read.
type listed struct {
	at      entry
	outcome outcome
	file    string
	took    time.Duration
}

// writeReport writes the page on the batch. The recipes come from the state one after the other, so
// that memory stays bounded; what needs attention comes first.
func (b *batch) writeReport(path string) error {
	slices.SortFunc(b.order, func(a, c listed) int {
		return cmp.Or(slices.Index(outcomes, c.outcome)-slices.Index(outcomes, a.outcome), cmp.Compare(a.file, c.file))
	})
	r := newReport(b.tally, b.times(), b.about())
	r.Rows = func(yield func(*row) bool) {
		for _, item := range b.order {
			l, err := b.state.at(item.at)
			if err != nil {
				r.failed = err
				return
			}
			if !yield(newRow(l.Result, l.Transcript)) {
				return
			}
		}
	}
	return r.write(path)
}

// write writes the page, if all of it can be.
func (r *report) write(path string) error {
	return swapIn(path, func(f *os.File) error {
		w := bufio.NewWriter(f)
		if err := cmp.Or(page.Execute(w, r), r.failed); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
		return f.Chmod(0o644)
	})
}

func (b *batch) times() []time.Duration {
	var times []time.Duration
	for _, item := range b.order {
		times = append(times, item.took)
	}
	return times
}

// about says what the batch was.
func (b *batch) about() []string {
	about := []string{
		b.started.Format("2006-01-02 15:04"),
		"took " + roughly(b.tally.Duration),
		grouped(b.tally.Runs) + " " + plural(b.tally.Runs, "run") + " of tools",
		"sandbox " + b.engine.isolation,
		strconv.Itoa(b.flags.workers) + " " + plural(b.flags.workers, "worker"),
	}
	if f := b.engine.floor; f != mend.StrengthUnproven {
		about = append(about, "floor "+f.String())
	}
	if n := b.tally.Resumed; n > 0 {
		about = append(about, grouped(n)+" finished before")
	}
	return about
}

// newReport returns the page but for its rows.
func newReport(t *tally, times []time.Duration, about []string) *report {
	pass := t.Outcomes[passed] + t.Outcomes[mended]
	r := &report{
		Policy: policy(), Version: version(), Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Total: grouped(t.Recipes), Noun: plural(t.Recipes, "recipe"), PassRate: share(pass, t.Recipes), About: about,
		Outcomes: outcomeChart(t),
		Charts: []chart{
			rankedChart("methods", "Mended by", "method", t.Methods),
			strengthChart(t),
			rankedChart("categories", "Why refused", "category", t.Categories),
			timeChart(times),
		},
		Columns: []column{{"name", "Recipe"}, {"outcome", "Outcome"}, {"strength", "Proves"}, {"method", "How, or why not"}, {"runs", "Runs"}, {"time", "Time"}},
	}
	for _, s := range slices.Backward(strengths) {
		if t.Strengths[s] > 0 {
			r.Strengths = append(r.Strengths, s.String())
		}
	}
	return r
}

package mend_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// corpusSets are the files of testdata/corpus.
var corpusSets = []string{"tools", "broken", "more-tools", "more-broken"}

// corpusRow is what one tool showed; testdata/README.md tells the format.
type corpusRow struct {
	ID, Tool, Package, Version, Lang, Label, Fault string

	Evidence *string
	Best     *struct {
		Arg, Kind *string
		Exit      *int
	}
	Runs map[string]corpusRun

	set string
}

type corpusRun struct {
	Exit           int
	Stdout, Stderr string
	Timeout        bool
}

// observation returns what the run showed as a sandbox reports it: the captures
// went through a shell, which gives codes for signals and time-outs.
func (r corpusRun) observation(argv []string) mend.Observation {
	o := mend.Observation{Argv: argv, ExitCode: r.Exit, Stdout: r.Stdout, Stderr: r.Stderr, TimedOut: r.Timeout}
	signals := map[int]string{132: "SIGILL", 134: "SIGABRT", 135: "SIGBUS", 136: "SIGFPE", 137: "SIGKILL", 139: "SIGSEGV"}
	if o.Signal = signals[r.Exit]; o.Signal != "" || o.TimedOut {
		o.ExitCode = -1
	}
	return o
}

// shows reports whether a working tool shows one of the kinds at best.
func (r *corpusRow) shows(kinds ...string) bool {
	return r.Evidence != nil && slices.Contains(kinds, *r.Evidence) ||
		r.Best != nil && r.Best.Kind != nil && slices.Contains(kinds, *r.Best.Kind)
}

// versionInReach reports whether there is a version that the tool prints when it
// is asked in the usual ways, or that its answers to those tell how to get.
func (r *corpusRow) versionInReach() bool {
	if r.Best == nil || r.Best.Kind == nil || *r.Best.Kind != "version" {
		return false
	}
	usual := []string{"--version", "--help", "-h"}
	return slices.Contains(usual, *r.Best.Arg) || slices.ContainsFunc(usual, func(arg string) bool {
		run := r.Runs[arg]
		return slices.Contains(strings.FieldsFunc(run.Stdout+run.Stderr, func(c rune) bool { return strings.ContainsRune(" \t\n,;:|/[](){}'\"`", c) }), *r.Best.Arg)
	})
}

// capture returns the row as a recording.
func (r *corpusRow) capture() *mendtest.Capture {
	c := &mendtest.Capture{Tool: r.Tool, Version: r.Version}
	for arg, run := range r.Runs {
		c.Runs = append(c.Runs, mendtest.RunOf(run.observation([]string{r.Tool, arg})))
	}
	return c
}

// corpus returns the rows of all sets. They are read once, and not to be changed.
var corpus = sync.OnceValues(func() ([]*corpusRow, error) {
	var rows []*corpusRow
	for _, set := range corpusSets {
		file, err := os.Open("testdata/corpus/" + set + ".jsonl.gz")
		if err != nil {
			return nil, err
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			return nil, err
		}
		dec := json.NewDecoder(unzipped)
		dec.DisallowUnknownFields()
		for {
			row := &corpusRow{set: set}
			if err := dec.Decode(row); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
})

// corpusOutcome is what became of a row.
type corpusOutcome struct {
	*corpusRow
	result         *mend.BuildResult // nil if it was refused
	err            error
	installs, runs int
}

// mended reports whether a check was made for the row that it did not have.
func (o *corpusOutcome) mended() bool { return o.result != nil && o.result.RepairMetadata != nil }

// create takes a row through the loop, with the recipe of a builder that knows
// nothing.
func (r *corpusRow) create() *corpusOutcome {
	sb := mendtest.NewReplay(r.capture())
	sb.Missing = func(argv []string) (mend.Observation, error) {
		return mend.Observation{Argv: argv, ExitCode: 127, Stderr: "sh: 1: " + argv[0] + ": not found\n"}, nil
	}
	recipe := &mend.Recipe{Metadata: mend.Metadata{Name: r.Tool}, Verify: &mend.VerifySection{Command: r.Tool + " --version"}}
	o := &corpusOutcome{corpusRow: r}
	o.result, o.err = mend.New(sb, nil).Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: r.Package, Version: r.Version})
	o.installs, o.runs = sb.Installs(), sb.Runs()
	return o
}

// corpusOutcomes takes all rows through the loop, once.
var corpusOutcomes = sync.OnceValues(func() ([]*corpusOutcome, error) {
	rows, err := corpus()
	outcomes := make([]*corpusOutcome, len(rows))
	eachInParallel(len(rows), func(i int) { outcomes[i] = rows[i].create() })
	return outcomes, err
})

// eachInParallel calls f for each number below n, in several goroutines.
func eachInParallel(n int, f func(i int)) {
	const workers = 8
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// corpusFigures are what is counted over rows.
type corpusFigures struct {
	broken, refused, accepted int // broken installs, on purpose or by nature
	brokenPasses              int // of them, those that exit with 0 and a word that nothing speaks against

	passing, leftAlone int // working tools whose --version exits with 0

	// Working tools whose --version does not.
	failing, mended        int
	telling, tellingMended int // those that show a version or a usage anywhere
	versions, versionsKept int // those with a version to be had, if they were mended
	missed, weak           int // not mended; mended with no more than a complaint, although they show more
	probes                 int // runs for the mended ones, beyond the first
	byMethod               map[string]int
}

// count adds an outcome.
func (f *corpusFigures) count(o *corpusOutcome) {
	passed := o.result != nil && !o.mended()
	first := o.Runs["--version"]
	switch {
	case o.Label == "broken":
		f.broken++
		f.refused += one(o.result == nil)
		f.accepted += one(o.mended())
		f.brokenPasses += one(passed)
	case o.Label != "works":
	case first.Exit == 0 && !first.Timeout:
		f.passing++
		f.leftAlone += one(passed)
	default:
		f.countFailing(o)
	}
}

// countFailing adds a working tool whose --version does not pass.
func (f *corpusFigures) countFailing(o *corpusOutcome) {
	telling := o.shows("version", "usage")
	f.failing++
	f.telling += one(telling)
	f.versions += one(o.versionInReach())
	if !o.mended() {
		f.missed++
		return
	}
	f.mended++
	f.tellingMended += one(telling)
	f.weak += one(telling && o.result.Strength <= mend.StrengthComplaint)
	f.probes += o.runs - 1
	f.versionsKept += one(o.versionInReach() && o.result.Strength == mend.StrengthVersion)
	if f.byMethod == nil {
		f.byMethod = make(map[string]int)
	}
	f.byMethod[o.result.RepairMetadata.Method+" to "+o.result.Strength.String()]++
}

// String returns the figures as a table.
func (f *corpusFigures) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "broken %d: refused %d, accepted %d, pass as they are %d\n", f.broken, f.refused, f.accepted, f.brokenPasses)
	fmt.Fprintf(&b, "working and passing %d: left alone %d\n", f.passing, f.leftAlone)
	fmt.Fprintf(&b, "working and failing %d: mended %d (%.1f%%), missed %d; of %d that show a version or a usage %.1f%%; weak %d\n",
		f.failing, f.mended, share(f.mended, f.failing), f.missed, f.telling, share(f.tellingMended, f.telling), f.weak)
	fmt.Fprintf(&b, "version kept %d of %d (%.1f%%); probes per mended recipe %.2f\n",
		f.versionsKept, f.versions, share(f.versionsKept, f.versions), f.meanProbes())
	for _, method := range slices.Sorted(maps.Keys(f.byMethod)) {
		fmt.Fprintf(&b, "  %-32s %d\n", method, f.byMethod[method])
	}
	return b.String()
}

func (f *corpusFigures) meanProbes() float64 { return float64(f.probes) / float64(max(f.mended, 1)) }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// share returns the part in percent, 100 of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return 100
	}
	return 100 * float64(part) / float64(whole)
}

// replaced returns what a broken install of another tool would print if it were
// the tool's: with its name and its version.
func (r *corpusRow) replaced(text string, of *corpusRow) string {
	if len(of.Tool) >= 3 { // a shorter name is part of too much else
		text = strings.ReplaceAll(text, of.Tool, r.Tool)
	}
	if of.Version != "" && r.Version != "" {
		text = strings.ReplaceAll(text, of.Version, r.Version)
	}
	return text
}

// invariant returns the one thing that a broken install prints whatever it is
// asked, if it does.
func (r *corpusRow) invariant() (corpusRun, bool) {
	first := r.Runs["--version"]
	for _, run := range r.Runs {
		if run != first {
			return corpusRun{}, false
		}
	}
	return first, true
}

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/spf13/cobra"
)

// batchFlags are the flags of the command batch alone.
type batchFlags struct {
	workers int
	state   string
	fresh   bool
	write   bool
	report  string
	verbose bool
}

func newBatch(t *terminal, o *options) *cobra.Command {
	f := &batchFlags{}
	c := &cobra.Command{
		Use:   "batch {DIR | GLOB | FILE}...",
		Short: "Take many recipes through the loop, and report on them",
		Long: `Batch does with many recipes what fix does with one, several at a time. It writes only
with --write. A directory stands for the files below it whose names end in .toml.

A batch that was interrupted or killed goes on where it was when the same command is
given again: what is finished is kept in a state file, in the user's cache unless --state
names one, until the batch is complete. A recipe that changed meanwhile is done again, and
so is one of which nothing could be learned.`,
		Example: "  mend batch recipes/\n  mend batch --workers 8 --report out.html 'recipes/*/*.toml'",
		Args:    files,
		RunE: func(c *cobra.Command, args []string) error {
			b, err := newBatchRun(c.Context(), t, o, f, args)
			if err != nil {
				return err
			}
			return b.run(c.Context())
		},
	}
	o.addRunning(c)
	flags := c.Flags()
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "how many recipes are under way at once")
	flags.StringVar(&f.state, "state", "", "`FILE` that remembers what is finished, and is kept; none for no memory (default: one in the user's cache)")
	flags.BoolVar(&f.fresh, "fresh", false, "forget what an earlier run has finished")
	flags.BoolVar(&f.write, "write", false, "write mended recipes into their files, as fix does")
	flags.StringVar(&f.report, "report", "", "write a page of HTML on the batch to `FILE`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list recipes that pass on a terminal, too")
	return c
}

// batch is one run of the command.
type batch struct {
	*terminal
	engine   *engine
	versions versions
	flags    *batchFlags
	paths    []string
	state    *state
	keep     bool // the state, when the batch is complete
	tally    *tally
	order    []listed // of the recipes, for the report
	display  *display
	started  time.Time
}

func newBatchRun(ctx context.Context, t *terminal, o *options, f *batchFlags, args []string) (*batch, error) {
	if f.workers < 1 {
		return nil, usagef("--workers %d: at least one is needed", f.workers)
	}
	if f.report != "" {
		if info, err := os.Stat(filepath.Dir(f.report)); err != nil || !info.IsDir() {
			return nil, usagef("--report %s: there is no such directory", oneLine(f.report))
		}
	}
	paths, err := collect(args)
	if err != nil {
		return nil, err
	}
	e, err := newEngine(ctx, o, true)
	if err != nil {
		return nil, err
	}
	b := &batch{terminal: t, engine: e, versions: o.versions, flags: f, paths: paths, tally: newTally(), started: time.Now()}
	return b, b.open(args, terms{
		Format: 1, Program: version(), Sandbox: e.isolation, Timeout: o.timeout, Floor: o.floor.String(), Write: f.write, Install: o.install,
	})
}

// open finds the batch's memory. One that nobody asked for is not worth failing for.
func (b *batch) open(args []string, t terms) (err error) {
	path := b.flags.state
	switch path {
	case "none":
		path = ""
	case "":
		if path, err = statePath(args, t); err != nil {
			b.complain("this batch cannot be resumed: %v", err)
		}
	default:
		b.keep = true
	}
	b.state, err = openState(path, t, b.flags.fresh)
	return err
}

// finished is a recipe that a worker is done with.
type finished struct {
	line line
	old  bool // an earlier run is
	at   entry
}

// run deals with all recipes.
func (b *batch) run(ctx context.Context) error {
	if n := b.state.earlier; n > 0 {
		fmt.Fprintf(b.err, "mend: going on with a batch of %s, which finished %d %s\n", b.state.written.Format(time.DateTime), n, plural(n, "recipe"))
	}
	b.brief = true
	b.display = newDisplay(b.terminal, len(b.paths))
	err := b.all(ctx)
	b.display.close()
	if err == nil && ctx.Err() == nil {
		err = b.conclude()
	} else {
		_ = b.state.close(false) // it was written line by line
	}
	if err == nil && ctx.Err() != nil {
		fmt.Fprintf(b.err, "mend: interrupted: %d of %d recipes are finished; the same command goes on from there\n", b.tally.Recipes, len(b.paths))
		err = exitWith(exitInterrupted)
	}
	return err
}

// all hands the recipes out to the workers, and takes what they found.
func (b *batch) all(ctx context.Context) error {
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	known := maps.Clone(b.state.done) // which changes meanwhile
	todo, done := make(chan string), make(chan *finished)
	go func() {
		defer close(todo)
		for _, path := range b.paths {
			select {
			case todo <- path:
			case <-work.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range b.flags.workers {
		workers.Go(func() {
			for path := range todo {
				if f := b.one(work, path, known); f != nil {
					done <- f
				}
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	var failed error
	for f := range done {
		if failed != nil {
			continue // the workers have to end
		}
		if failed = b.take(f); failed != nil {
			cancel()
		}
	}
	return failed
}

// one deals with one recipe. It returns nil if the batch ended meanwhile.
func (b *batch) one(ctx context.Context, path string, known map[string]entry) *finished {
	f := &finished{line: line{Result: &result{File: path}}}
	s, err := load(path, b.versions)
	f.line.Key = key(path, s.version, s.data)
	if at, ok := known[f.line.Key]; ok {
		f.old, f.at = true, at
		return f
	}
	if err != nil {
		f.line.Result.refuse(err, nil)
		return f
	}
	defer b.display.begin(path, s.tool)()
	w := b.engine.do(ctx, s)
	if ctx.Err() != nil && w.result.Outcome == noEvidence {
		return nil // it may be for want of time; what was finished just before counts
	}
	f.line.Transcript = w.transcript()
	if w.result.Outcome == mended && b.flags.write {
		w.write(b.terminal, false)
		f.line.Key = key(path, s.version, w.recipe.Bytes())
	}
	f.line.Result = &w.result
	return f
}

// take records what a worker found, and shows it if it is new.
func (b *batch) take(f *finished) (err error) {
	if f.old {
		l, err := b.state.at(f.at)
		if err != nil {
			return err
		}
		f.line = *l
		b.tally.Resumed++
	} else if f.at, err = b.state.add(&f.line); err != nil {
		return fmt.Errorf("state %s: %w", b.state.file.Name(), err)
	}
	b.order = append(b.order, listed{f.at, f.line.Result.Outcome, f.line.Result.File, f.line.Result.Duration})
	b.tally.add(f.line.Result)
	b.display.count(f.line.Result, f.old)
	if f.old || b.display.live() && isTerminal(b.out) && f.line.Result.Outcome == passed && !b.flags.verbose {
		return nil
	}
	return b.display.above(func() error { return b.print(f.line.Result) })
}

// conclude writes the report and says what became of it all.
func (b *batch) conclude() error {
	b.tally.Duration = time.Since(b.started)
	if b.flags.report != "" {
		if err := b.writeReport(b.flags.report); err != nil {
			_ = b.state.close(false)
			return fmt.Errorf("report: %w", err)
		}
		b.tally.Report = b.flags.report
	}
	if err := b.state.close(!b.keep); err != nil {
		b.complain("state: %v", err)
	}
	var err error
	if b.json {
		err = b.object(map[string]*tally{"summary": b.tally})
	} else {
		err = b.printf("%s", b.tally)
	}
	if err != nil {
		return err
	}
	return exitWith(b.tally.code())
}

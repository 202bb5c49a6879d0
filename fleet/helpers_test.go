package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// enough is how long a test waits for what has to happen. It is no measure of anything.
const enough = 2 * time.Minute

// within returns the test's context with a time limit.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeoutCause(t.Context(), enough, errors.New("the test has waited long enough"))
	t.Cleanup(cancel)
	return ctx
}

// receive returns what comes out of a channel.
func receive[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-within(t).Done():
		require.Fail(t, "nothing came")
		panic("unreachable")
	}
}

// open opens a fleet, and closes it with the test.
func open(t *testing.T, name string, opts *fleet.Options) *fleet.Fleet {
	t.Helper()
	f, err := fleet.Open(within(t), name, opts)
	require.NoError(t, err)
	t.Cleanup(f.Close)
	return f
}

// served opens a fleet whose server takes others in, and returns what they open it with.
func served(t *testing.T, name string, opts fleet.Options) (*fleet.Fleet, *fleet.Options) {
	t.Helper()
	opts.Listen = "127.0.0.1:0"
	f := open(t, name, &opts)
	opts.Listen, opts.Dir, opts.URL = "", "", f.URL()
	return f, &opts
}

// requests returns n requests, from number first on.
func requests(first, n int) iter.Seq[mend.BuildRequest] {
	return func(yield func(mend.BuildRequest) bool) {
		for i := first; i < first+n; i++ {
			if !yield(mend.BuildRequest{Package: fmt.Sprintf("frob-%d", i), Version: "1.2.3"}) {
				return
			}
		}
	}
}

// frob is a tool that rejects --version and documents -V.
func frob() *mendtest.Capture {
	const help = "Usage: frob [options] FILE\n\nOptions:\n  -V   show the version\n  -h   show this help\n"
	run := func(option string, exit int, stdout, stderr string) mendtest.Run {
		return mendtest.Run{Argv: []string{"frob", option}, ExitCode: exit, Stdout: stdout, Stderr: stderr}
	}
	return &mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		run("--version", 2, "", "frob: unknown option --version\n"+help),
		run("--zz-no-such-option", 2, "", "frob: unknown option --zz-no-such-option\n"+help),
		run("--help", 2, "", "frob: unknown option --help\n"+help),
		run("-h", 0, help, ""),
		run("-V", 0, "frob 1.2.3\n", ""),
	}}
}

// naive builds the recipe that a careless builder writes for frob, another one for each
// package. Packages that begin with "broken" are recipes of a tool that is not there.
func naive(ctx context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
	tool := "frob"
	if strings.HasPrefix(req.Package, "broken") {
		tool = "absent"
	}
	return mend.ParseRecipe(fmt.Appendf(nil, "# %s, as generated\r\n[metadata]\nname = %q\n\n[verify]\ncommand = \"%s --version\"\npattern = \"{version}\"\n",
		req.Package, req.Package, tool))
}

func replay() *mendtest.Replay {
	absent := &mendtest.Capture{Tool: "absent", Version: "1.2.3"}
	for _, option := range []string{"--version", "--zz-no-such-option", "--help", "-h", "-V", "-v"} {
		absent.Runs = append(absent.Runs, mendtest.Run{
			Argv: []string{"absent", option}, ExitCode: 127,
			Stderr: "absent: error while loading shared libraries: libabsent.so.1: cannot open shared object file: No such file or directory\n",
		})
	}
	return mendtest.NewReplay(frob(), absent)
}

func orchestrator() *mend.Orchestrator { return mend.New(replay(), nil) }

func builder() mend.Builder { return mend.BuildFunc("naive", naive) }

// ledger is a worker that mends frob, and counts how often it was asked to.
type ledger struct {
	fleet.Worker
	before func(ctx context.Context, job fleet.Job) error // nil means nothing

	mu   sync.Mutex
	work map[string]int // by package
}

func newLedger() *ledger {
	return &ledger{Worker: fleet.NewWorker(orchestrator(), builder(), nil), work: make(map[string]int)}
}

func (l *ledger) Work(ctx context.Context, job fleet.Job) (*fleet.Result, error) {
	l.mu.Lock()
	l.work[job.Package]++
	l.mu.Unlock()
	if l.before != nil {
		if err := l.before(ctx, job); err != nil {
			return nil, err
		}
	}
	return l.Worker.Work(ctx, job)
}

// asked returns how often the worker was asked for a package.
func (l *ledger) asked(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.work[name]
}

// run runs workers until the function that it returns is called, which tells how that
// ended. The test's end ends them too.
func run(t *testing.T, f *fleet.Fleet, w fleet.Worker, workers int) (stop func() error) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx, w, workers) }()
	var once sync.Once
	var err error
	stop = func() error {
		once.Do(func() {
			cancel()
			err = <-ended
		})
		return err
	}
	t.Cleanup(func() { _ = stop() })
	return stop
}

// collected is what a Collect yielded.
type collected struct {
	results map[string]*fleet.Result // by package
	letters map[string]*fleet.DeadLetter
}

// collect reads all outcomes, and fails if one comes twice.
func collect(t *testing.T, outcomes iter.Seq2[*fleet.Result, error]) collected {
	t.Helper()
	c := collected{make(map[string]*fleet.Result), make(map[string]*fleet.DeadLetter)}
	for r, err := range outcomes {
		var letter *fleet.DeadLetter
		switch {
		case err == nil:
			assert.NotContains(t, c.results, r.Package, "one outcome for each")
			c.results[r.Package] = r
		case errors.As(err, &letter):
			assert.NotContains(t, c.letters, letter.Package, "one outcome for each")
			c.letters[letter.Package] = letter
		default:
			require.NoError(t, err)
		}
	}
	return c
}

// sameAsOnce holds the results against those of one process that does each once.
func sameAsOnce(t *testing.T, got map[string]*fleet.Result, reqs iter.Seq[mend.BuildRequest]) {
	t.Helper()
	n := 0
	for want, err := range orchestrator().CreateAll(t.Context(), builder(), reqs, 1) {
		require.NoError(t, err)
		n++
		r := got[want.Request.Package]
		if !assert.NotNil(t, r, want.Request.Package) {
			continue
		}
		assert.Equal(t, string(want.Recipe.Bytes()), r.Recipe)
		assert.Equal(t, want.RepairMetadata, r.Repair)
		assert.Equal(t, want.Strength, r.Strength)
	}
	assert.Len(t, got, n)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
)

// planVariable is the environment variable by which a process gets its plan.
const planVariable = "MEND_THROUGHPUT_PLAN"

// timeout of one run: most programs answer in a few milliseconds, and those that do not
// are not what is measured.
const timeout = 2 * time.Second

// plan is one batch.
type plan struct {
	Names    []string
	Versions map[string]string
	Workers  int
}

// measured is what came of a batch.
type measured struct {
	Wall                    time.Duration
	Mended, Passed, Refused int
	Runs, TimedOut          int64
	Peak                    string // resident memory of the process at most, without the tools'

	cpu time.Duration // of the process and of all that it started
}

func newSandbox() *mend.LocalSandbox {
	return mend.NewLocalSandbox(&mend.LocalOptions{Path: hosttools.PathDirs(), AllowPlain: true, Timeout: timeout})
}

// child runs the batch, and prints what came of it.
func child(ctx context.Context, text string) error {
	var p plan
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	local := newSandbox()
	if _, err := local.Isolation(); err != nil { // which tries out what works, and is not measured
		return err
	}
	sandbox := &counting{Sandbox: local}
	builder := mend.BuildFunc("naive", func(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
		return mend.ParseRecipe(fmt.Appendf(nil, "[metadata]\nname = %q\n\n[verify]\ncommand = \"%s --version\"\n", req.Package, req.Package))
	})
	requests := func(yield func(mend.BuildRequest) bool) {
		for _, name := range p.Names {
			if !yield(mend.BuildRequest{Package: name, Version: p.Versions[name]}) {
				return
			}
		}
	}
	var m measured
	start := time.Now()
	for res, err := range mend.New(sandbox, nil).CreateAll(ctx, builder, requests, p.Workers) {
		switch {
		case errors.As(err, new(*mend.ValidationFailedError)):
			m.Refused++
		case err != nil:
			return err
		case res.RepairMetadata != nil:
			m.Mended++
		default:
			m.Passed++
		}
	}
	m.Wall, m.Runs, m.TimedOut, m.Peak = time.Since(start), sandbox.runs.Load(), sandbox.timedOut.Load(), peak()
	return json.NewEncoder(os.Stdout).Encode(m)
}

// peak returns the most memory that this process had at a time.
func peak() string {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "not known"
	}
	for line := range strings.Lines(string(data)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			return fmt.Sprintf("%d MB", kb>>10)
		}
	}
	return "not known"
}

// counting is a sandbox that counts runs.
type counting struct {
	mend.Sandbox
	runs, timedOut atomic.Int64
}

// Install implements [mend.Sandbox].
func (c *counting) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	env, err := c.Sandbox.Install(ctx, r)
	return &countingEnvironment{env, c}, err
}

type countingEnvironment struct {
	mend.Environment
	sandbox *counting
}

// Run implements [mend.Environment].
func (e *countingEnvironment) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	obs, err := e.Environment.Run(ctx, cmd)
	e.sandbox.runs.Add(1)
	if obs.TimedOut {
		e.sandbox.timedOut.Add(1)
	}
	return obs, err
}

package mendtest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// Replay is a sandbox that plays recordings. It starts no process and waits for
// nothing. A program that was not recorded is a *[NotRecordedError], so that a
// test never passes on an answer that nobody saw; see [Replay.Missing].
// It is safe for concurrent use once it is set up.
type Replay struct {
	// Missing answers for command lines that were not recorded. nil means a
	// *NotRecordedError.
	Missing func(argv []string) (mend.Observation, error)

	captures map[string]*Capture
	installs atomic.Int64
	runs     atomic.Int64
}

// NewReplay returns a sandbox in which the given tools can be installed. A
// recipe is the recipe of the tool that its verify command runs, or that its
// metadata names.
func NewReplay(captures ...*Capture) *Replay {
	r := &Replay{captures: make(map[string]*Capture)}
	for _, c := range captures {
		r.captures[c.Tool] = c
	}
	return r
}

// Installs returns how often Install was called.
func (r *Replay) Installs() int { return int(r.installs.Load()) }

// Runs returns how often a program was run, in all environments.
func (r *Replay) Runs() int { return int(r.runs.Load()) }

// Install implements [mend.Sandbox].
func (r *Replay) Install(ctx context.Context, recipe *mend.Recipe) (mend.Environment, error) {
	r.installs.Add(1)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	c := r.capture(recipe)
	if c == nil {
		return nil, &NotRecordedError{Argv: []string{recipe.Metadata.Name}}
	}
	if c.Install != "" {
		return nil, &mend.InstallError{Step: -1, Err: errors.New(c.Install)}
	}
	return &replayed{sandbox: r, capture: c}, nil
}

func (r *Replay) capture(recipe *mend.Recipe) *Capture {
	if recipe.Verify != nil {
		if argv, err := command.Split(recipe.Verify.Command); err == nil {
			if c, ok := r.captures[argv[0]]; ok {
				return c
			}
		}
	}
	return r.captures[recipe.Metadata.Name]
}

type replayed struct {
	sandbox *Replay
	capture *Capture
}

func (e *replayed) Installed() mend.Installed {
	return mend.Installed{Version: e.capture.Version, Dir: e.capture.Dir}
}

func (e *replayed) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	e.sandbox.runs.Add(1)
	if ctx.Err() != nil {
		return mend.Observation{}, context.Cause(ctx)
	}
	if run, ok := e.capture.find(cmd.Argv); ok {
		return run.Observation(), nil
	}
	if e.sandbox.Missing != nil {
		return e.sandbox.Missing(cmd.Argv)
	}
	return mend.Observation{}, &NotRecordedError{Argv: cmd.Argv}
}

func (e *replayed) Close() error { return nil }

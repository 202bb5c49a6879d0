package main

import (
	"context"
	"sync"

	"github.com/mendkit/mend"
)

// tape is a sandbox that keeps what tools show in another one, for one recipe: the
// library's result says what was decided, and a transcript also what about.
type tape struct {
	mend.Sandbox

	mu        sync.Mutex
	installed mend.Installed     // guarded by mu
	runs      []mend.Observation // guarded by mu; in the order in which they ended
}

func (t *tape) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	env, err := t.Sandbox.Install(ctx, r)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.installed = env.Installed()
	return &taped{env, t}, nil
}

// taped is an environment whose runs are kept.
type taped struct {
	mend.Environment
	tape *tape
}

func (e *taped) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	o, err := e.Environment.Run(ctx, cmd)
	if err != nil {
		return o, err
	}
	o.Argv = cmd.Argv
	e.tape.mu.Lock()
	defer e.tape.mu.Unlock()
	e.tape.runs = append(e.tape.runs, o)
	return o, nil
}

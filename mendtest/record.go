package mendtest

import (
	"context"
	"slices"
	"sync"

	"github.com/mendkit/mend"
)

// Recorder is a sandbox that passes everything on to another one and keeps what
// it showed, for [Replay] to play. It is safe for concurrent use.
type Recorder struct {
	sandbox mend.Sandbox

	mu       sync.Mutex
	captures []*Capture // guarded by mu, and so are their Runs
}

// NewRecorder returns a recorder in front of sandbox.
func NewRecorder(sandbox mend.Sandbox) *Recorder { return &Recorder{sandbox: sandbox} }

// Captures returns a copy of what was recorded so far, one capture for each
// install, in order. Of equal command lines the first is kept.
func (r *Recorder) Captures() []*Capture {
	r.mu.Lock()
	defer r.mu.Unlock()
	captures := make([]*Capture, len(r.captures))
	for i, c := range r.captures {
		clone := *c
		clone.Runs = slices.Clone(c.Runs)
		captures[i] = &clone
	}
	return captures
}

// Install implements [mend.Sandbox].
func (r *Recorder) Install(ctx context.Context, recipe *mend.Recipe) (mend.Environment, error) {
	env, err := r.sandbox.Install(ctx, recipe)
	if err != nil {
		return nil, err
	}
	in := env.Installed()
	c := &Capture{Tool: recipe.Metadata.Name, Version: in.Version, Dir: in.Dir}
	r.mu.Lock()
	r.captures = append(r.captures, c)
	r.mu.Unlock()
	return &recording{Environment: env, recorder: r, capture: c}, nil
}

type recording struct {
	mend.Environment
	recorder *Recorder
	capture  *Capture
}

func (e *recording) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	o, err := e.Environment.Run(ctx, cmd)
	if err != nil {
		return o, err
	}
	run := RunOf(o)
	run.Argv = slices.Clone(cmd.Argv)
	e.recorder.mu.Lock()
	defer e.recorder.mu.Unlock()
	if _, ok := e.capture.find(cmd.Argv); !ok {
		e.capture.Runs = append(e.capture.Runs, run)
	}
	return o, nil
}

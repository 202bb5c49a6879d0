package mend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mendkit/mend/internal/tempdir"
)

// ContainerSandbox is a [Sandbox] of containers, by the command line of Podman or
// Docker. Most callers want a [LocalSandbox], which starts a program in a tenth
// of the time; a container has a system of its own instead, and so shows what a tool
// needs that only this machine has.
//
// An install gets a container without network and capabilities, whose file system is
// the image's and read-only, as is the installed directory. Each run is an exec in
// it, by a supervisor that tells exit codes from signals, kills what outlives the
// program, and removes what it wrote. What cannot be undone like that, a program that
// ran out of time above all, costs the container, and the next run gets another one.
// So do runs at the same time.
//
// It does not perform a recipe's steps: its Installer does, outside of the container,
// or tools are in the image already. The image has to have /bin/sh, env, mkdir,
// sleep, and an awk other than BusyBox's, perl, python3 or time. Nothing is pulled.
//
// Containers and installs of other processes like this that did not live to close them
// are removed when the first install begins. Each container ends by itself after a day.
type ContainerSandbox struct {
	opts ContainerOptions
	turn chan struct{} // holds the one value that lets its holder read and set ready

	ready *containerEngine // once an engine works
}

// containerEngine is an engine that works, and the image.
type containerEngine struct {
	*engine
	image *image
}

// NewContainerSandbox returns a sandbox of containers. nil options are valid.
func NewContainerSandbox(opts *ContainerOptions) *ContainerSandbox {
	s := &ContainerSandbox{opts: opts.withDefaults(), turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

// Engine returns what the engine calls itself, as "podman version 4.3.1". The error
// is [ErrSandboxUnavailable], and why, if none works, and another one if one does but
// does not have the image.
func (s *ContainerSandbox) Engine(ctx context.Context) (string, error) {
	e, err := s.engine(ctx)
	if err != nil {
		return "", err
	}
	return e.version, nil
}

// engine returns the engine to use. Once one works, it stays; until then every call
// tries anew, for a daemon may be started and an image may be pulled.
func (s *ContainerSandbox) engine(ctx context.Context) (*containerEngine, error) {
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, contextError(ctx)
	}
	defer func() { s.turn <- struct{}{} }()
	if s.ready != nil {
		return s.ready, nil
	}
	e, err := s.chooseEngine(ctx)
	if err != nil {
		return nil, err
	}
	img, err := e.inspect(ctx, s.opts.Image)
	if err != nil {
		return nil, fmt.Errorf("the image %q: %w", s.opts.Image, err)
	}
	tempdir.RemoveOrphans(s.opts.Dir, placePrefix) // which containers do not use any more
	s.ready = &containerEngine{e, img}
	return s.ready, nil
}

// chooseEngine returns the first engine that works.
func (s *ContainerSandbox) chooseEngine(ctx context.Context) (*engine, error) {
	choices := [][]string{{"podman"}, {"docker"}}
	if len(s.opts.Engine) > 0 {
		choices = [][]string{s.opts.Engine}
	}
	var reasons []string
	for _, argv := range choices {
		e, err := newEngine(ctx, argv)
		if err == nil {
			err = e.removeOrphans(ctx)
		}
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		if err == nil {
			return e, nil
		}
		reasons = append(reasons, err.Error())
	}
	return nil, fmt.Errorf("%w: %s", ErrSandboxUnavailable, strings.Join(reasons, "; "))
}

// Install has the Installer install the recipe, or nobody if there is none, and
// starts a container that shows what it installed.
func (s *ContainerSandbox) Install(ctx context.Context, r *Recipe) (Environment, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	e, err := s.engine(ctx)
	if err != nil {
		return nil, err
	}
	p, err := newPlace(s.opts.Dir, 0o700) // the engine shows what is in it
	if err != nil {
		return nil, err
	}
	env := &containerEnvironment{sandbox: s, engine: e, place: p}
	done := false
	defer func() {
		if !done { // the Installer may also have panicked
			_ = p.remove() // what failed before says more
		}
	}()
	if err := env.install(ctx, r); err != nil {
		return nil, err
	}
	done = true
	return env, nil
}

// containerEnvironment is the [Environment] of a ContainerSandbox.
type containerEnvironment struct {
	sandbox   *ContainerSandbox
	engine    *containerEngine
	place     *place
	plan      *boxPlan
	installed Installed

	mu     sync.Mutex
	idle   []*box // as fresh as after the install
	closed bool
}

// install fills the place, and starts the first container.
func (e *containerEnvironment) install(ctx context.Context, r *Recipe) (err error) {
	if e.installed, err = e.place.install(ctx, e.sandbox.opts.Installer, r); err != nil {
		return err
	}
	if e.sandbox.opts.Installer != nil {
		if err := shareTree(filepath.Join(e.place.root, "install"), giveToAll); err != nil {
			return err
		}
	}
	if e.plan, err = newBoxPlan(*e.engine.engine, e.engine.image, &e.sandbox.opts, e.place, e.installed.Dir); err != nil {
		return err
	}
	b, err := e.plan.start(ctx)
	if err != nil {
		return err
	}
	e.idle = append(e.idle, b)
	return nil
}

// Installed says what the Installer said.
func (e *containerEnvironment) Installed() Installed { return e.installed }

// Run runs a program in a container that no other run is using.
func (e *containerEnvironment) Run(ctx context.Context, cmd Command) (Observation, error) {
	if len(cmd.Argv) == 0 {
		return Observation{}, errors.New("a command without a program")
	}
	env, err := e.environ(cmd.Env)
	if err == nil {
		var obs Observation
		argv := slices.Clone(cmd.Argv)
		obs, err = startPatiently(ctx, func() (Observation, error) { return e.run(ctx, argv, env, cmd.Timeout) })
		if err == nil {
			return obs, nil
		}
	}
	return Observation{}, fmt.Errorf("run %s: %w", cmd.Argv[0], err)
}

// environ returns the environment of a run, exactly: the image's, ours, and extra.
func (e *containerEnvironment) environ(extra []string) ([]string, error) {
	f := fresh{dir: room, home: room + "/home", tmp: room + "/tmp", work: room + "/work"}
	env, err := withVariables(slices.Clone(e.plan.env), standardEnv(e.plan.path, f, e.plan.user))
	if err != nil {
		return nil, err
	}
	return withVariables(env, extra)
}

func (e *containerEnvironment) run(ctx context.Context, argv, env []string, limit time.Duration) (Observation, error) {
	if limit <= 0 {
		limit = e.sandbox.opts.Timeout
	}
	for {
		b, err := e.take(ctx)
		if err != nil {
			return Observation{}, err
		}
		used := b.used
		b.used = true
		obs, fresh, err := b.run(ctx, argv, env, limit, e.sandbox.opts.OutputLimit)
		if fresh && !e.give(b) {
			err = errors.Join(err, b.remove(ctx))
		}
		// A container that was there before may have gone since then, as by want of
		// memory. If nothing was started, nothing was learned, and a new one may do.
		if errors.Is(err, errNotStarted) && used && ctx.Err() == nil {
			continue
		}
		return obs, err
	}
}

// take returns a container that nobody else uses until it is given back.
func (e *containerEnvironment) take(ctx context.Context) (*box, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, os.ErrClosed
	}
	if n := len(e.idle); n > 0 {
		b := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.mu.Unlock()
		return b, nil
	}
	e.mu.Unlock()
	return e.plan.start(ctx)
}

// give takes a container back that is fresh, and reports whether it was taken. After
// Close it is not, and nobody else would remove it.
func (e *containerEnvironment) give(b *box) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false
	}
	e.idle = append(e.idle, b)
	return true
}

// Close removes the containers and the install. If that fails, the next call tries
// again.
func (e *containerEnvironment) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	for len(e.idle) > 0 {
		if err := e.idle[0].remove(context.Background()); err != nil {
			return err
		}
		e.idle = e.idle[1:]
	}
	return e.place.remove()
}

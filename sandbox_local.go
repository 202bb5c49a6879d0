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
	"syscall"
	"time"

	"github.com/mendkit/mend/internal/tempdir"
)

// LocalSandbox is a [Sandbox] on this machine, with what the machine has: every
// run is a process of its own, best in a bubblewrap sandbox, else in namespaces
// confined by Landlock, both on Linux. It starts a program in milliseconds. Where
// neither works, Install returns [ErrSandboxUnavailable], unless
// [LocalOptions.AllowPlain] is set.
//
// It does not perform a recipe's steps: its Installer does, outside of the
// isolation. The first Install tries out what works, and later ones rely on it. It also
// removes the installs of processes that ended, as by a signal, before they could.
//
// Namespaces take Linux 6.2 and an unprivileged user's right to create them, which
// some distributions withhold. Both take sh, env, id, mkdir and an awk other than
// BusyBox's, and bubblewrap takes setpriv of util-linux if the caller is root.
type LocalSandbox struct {
	opts LocalOptions
	tier func() (tier, error) // tried once

	// starting is held shared while a process is being started, for until then it
	// has copies of our open files. See settle.
	starting sync.RWMutex
}

// LocalOptions configures a [LocalSandbox]. The zero value of each field is its
// default.
type LocalOptions struct {
	// Installer performs the recipes' steps. nil means that tools are on PATH already.
	// Installed is then zero.
	Installer Installer

	// Path lists absolute paths of directories that programs can read, and in which
	// they are looked for before the system's.
	Path []string

	// Visible lists absolute paths of further directories that programs can read.
	// The system's directories, such as /usr, /etc and /opt, always can be read.
	Visible []string

	// Dir is the directory in which installs are kept until they are closed; "" is
	// the default one for temporary files.
	Dir string

	// Timeout is how long a program may run whose [Command] does not say; 0 means
	// 5 seconds.
	Timeout time.Duration

	// OutputLimit is how many bytes of each stream are kept, half of them the first
	// ones and half the last; 0 means 262,144.
	OutputLimit int

	// AllowPlain permits plain processes, [IsolationPlain], where no isolation works.
	AllowPlain bool

	// Isolation pins the level. Where it does not work, no other is used.
	// [IsolationNone] means the best there is; naming [IsolationPlain] permits it.
	Isolation Isolation

	// Work is an absolute path of a directory in which programs start, in place of a
	// fresh one, and whose files are theirs to change: what one run leaves there the
	// next one finds. It permits [IsolationPlain] and takes it, since the other levels
	// let nothing persist. "" means that every run has a fresh directory.
	Work string
}

const (
	defaultTimeout     = 5 * time.Second
	defaultOutputLimit = 256 << 10
)

// NewLocalSandbox returns a sandbox on this machine. nil options are valid.
func NewLocalSandbox(opts *LocalOptions) *LocalSandbox {
	s := &LocalSandbox{}
	if opts != nil {
		s.opts = *opts
	}
	s.opts.Path, s.opts.Visible = slices.Clone(s.opts.Path), slices.Clone(s.opts.Visible)
	if s.opts.Timeout <= 0 {
		s.opts.Timeout = defaultTimeout
	}
	if s.opts.OutputLimit <= 0 {
		s.opts.OutputLimit = defaultOutputLimit
	}
	s.tier = sync.OnceValues(s.chooseTier)
	return s
}

// Isolation returns how well programs are isolated. The first call, if there was
// no Install before, takes as long as a few runs. The error, if nothing works, is
// [ErrSandboxUnavailable] and why.
func (s *LocalSandbox) Isolation() (Isolation, error) {
	t, err := s.tier()
	if err != nil {
		return IsolationNone, err
	}
	return t.level(), nil
}

// Install has the Installer install the recipe, or nobody if there is none.
func (s *LocalSandbox) Install(ctx context.Context, r *Recipe) (Environment, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx)
	}
	if s.opts.Work != "" && !filepath.IsAbs(s.opts.Work) {
		return nil, fmt.Errorf("%q cannot be worked in: it has to be absolute", s.opts.Work)
	}
	t, err := s.tier()
	if err != nil {
		return nil, err
	}
	e, err := s.newEnvironment(t)
	if err != nil {
		return nil, err
	}
	done := false
	defer func() {
		if !done { // the Installer may also have panicked
			_ = e.place.remove() // what failed before says more
		}
	}()
	if err := e.install(ctx, r); err != nil {
		return nil, err
	}
	done = true
	return e, nil
}

// newEnvironment returns an environment without anything in it yet.
func (s *LocalSandbox) newEnvironment(t tier) (*localEnvironment, error) {
	p, err := newPlace(s.opts.Dir, 0o755) // other users can pass through it
	if err != nil {
		return nil, err
	}
	p.closeUpTo = highestInherited()
	return &localEnvironment{sandbox: s, tier: t, place: p}, nil
}

// settle returns when no process being started has copies any more of files that
// were open before. The kernel would refuse to run a program while one of those is
// that program's file, open for writing.
func (s *LocalSandbox) settle() {
	s.starting.Lock() // waits for processes that we start
	defer s.starting.Unlock()
	syscall.ForkLock.RLock() // and for those that others in this program start
	defer syscall.ForkLock.RUnlock()
}

// localEnvironment is the [Environment] of a LocalSandbox.
type localEnvironment struct {
	sandbox   *LocalSandbox
	tier      tier
	place     *place
	installed Installed

	mu     sync.Mutex
	closed bool
}

// install fills the place.
func (e *localEnvironment) install(ctx context.Context, r *Recipe) (err error) {
	if e.installed, err = e.place.install(ctx, e.sandbox.opts.Installer, r); err != nil {
		return err
	}
	return e.furnish(e.sandbox.opts.Path, e.sandbox.opts.Visible)
}

// furnish gets the place ready for programs, with what the sandbox shows them.
func (e *localEnvironment) furnish(path, visible []string) error {
	e.sandbox.settle()
	if err := e.place.open(e.installed.Dir, path, visible); err != nil {
		return err
	}
	return e.tier.furnish(e.place)
}

// Installed says what the Installer said.
func (e *localEnvironment) Installed() Installed { return e.installed }

// Run starts a program in a fresh sandbox.
func (e *localEnvironment) Run(ctx context.Context, cmd Command) (Observation, error) {
	if len(cmd.Argv) == 0 {
		return Observation{}, errors.New("a command without a program")
	}
	if e.isClosed() {
		return Observation{}, fmt.Errorf("run %s: %w", cmd.Argv[0], os.ErrClosed)
	}
	limit := cmd.Timeout
	if limit <= 0 {
		limit = e.sandbox.opts.Timeout
	}
	argv := slices.Clone(cmd.Argv)
	obs, err := startPatiently(ctx, func() (Observation, error) { return e.start(ctx, argv, cmd.Env, limit) })
	if err != nil {
		return Observation{}, fmt.Errorf("run %s: %w", argv[0], err)
	}
	obs.Argv = argv
	return obs, nil
}

func (e *localEnvironment) start(ctx context.Context, argv, env []string, limit time.Duration) (Observation, error) {
	if slices.ContainsFunc(argv, func(arg string) bool { return strings.ContainsRune(arg, 0) }) {
		return Observation{}, errors.New("an argument holds a NUL byte")
	}
	l, no, err := e.tier.launch(e.place, argv, env)
	switch {
	case err != nil:
		return Observation{}, err
	case no != nil:
		return no.observe(argv), nil
	}
	l.closeUpTo = e.place.closeUpTo
	return l.run(ctx, e.sandbox.starting.RLocker(), limit, e.sandbox.opts.OutputLimit)
}

func (e *localEnvironment) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

// Close removes the install. If that fails, the next call tries again.
func (e *localEnvironment) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	if err := e.place.remove(); err != nil {
		return err
	}
	e.closed = true
	return nil
}

// chooseTier returns the best tier that works, or why none does.
func (s *LocalSandbox) chooseTier() (tier, error) {
	tempdir.RemoveOrphans(s.opts.Dir, placePrefix)
	choices := tiers()
	if s.opts.Work != "" {
		choices = nil
	}
	if s.opts.AllowPlain || s.opts.Isolation == IsolationPlain || s.opts.Work != "" {
		choices = append(choices, tierChoice{IsolationPlain, newPlain(s.opts.Work)})
	}
	var reasons []string
	for _, c := range choices {
		if s.opts.Isolation != IsolationNone && s.opts.Isolation != c.level {
			continue
		}
		t, err := c.make()
		if err == nil {
			err = s.try(t)
		}
		if err == nil {
			return t, nil
		}
		reasons = append(reasons, fmt.Sprintf("%v: %v", c.level, err))
	}
	if len(reasons) == 0 {
		reasons = []string{"nothing of the kind on this operating system"}
		if s.opts.Work != "" {
			reasons = []string{fmt.Sprintf("no level but %v lets files persist", IsolationPlain)}
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrSandboxUnavailable, strings.Join(reasons, "; "))
}

// try reports why a tier does not work: it starts nothing, or cannot tell an exit
// code from a signal, or leaves programs the user root.
func (s *LocalSandbox) try(t tier) error {
	if t.level() == IsolationPlain {
		return nil // nothing to go wrong, and no promise to keep
	}
	e, err := s.newEnvironment(t)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.furnish(nil, nil); err != nil {
		return err
	}
	for _, probe := range []struct {
		script string
		want   Observation
	}{
		{"test $(id -u) -ne 0 && exit 139", Observation{ExitCode: 139}},
		{"kill -s SEGV $$", Observation{ExitCode: -1, Signal: "SIGSEGV"}},
	} {
		got, err := e.start(context.Background(), []string{"sh", "-c", probe.script}, nil, setupLimit)
		if err != nil {
			return err
		}
		if got.ExitCode != probe.want.ExitCode || got.Signal != probe.want.Signal {
			return fmt.Errorf("sh -c %q exited with code %d, signal %q: %.200q", probe.script, got.ExitCode, got.Signal, got.Stderr)
		}
	}
	return nil
}

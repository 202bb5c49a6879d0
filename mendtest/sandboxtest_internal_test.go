//go:build linux

package mendtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faulty is a sandbox with one fault. A nil function changes nothing.
type faulty struct {
	mend.Sandbox
	install func(context.Context, *mend.Recipe) (context.Context, *mend.Recipe)
	run     func(context.Context, mend.Environment, mend.Command) (mend.Observation, error)
	where   func(mend.Installed) mend.Installed
	close   func(mend.Environment) error
}

func (f faulty) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	if f.install != nil {
		ctx, r = f.install(ctx, r)
	}
	env, err := f.Sandbox.Install(ctx, r)
	if err != nil {
		return nil, err
	}
	return faultyEnvironment{env, f}, nil
}

type faultyEnvironment struct {
	mend.Environment
	fault faulty
}

func (e faultyEnvironment) Installed() mend.Installed {
	if e.fault.where != nil {
		return e.fault.where(e.Environment.Installed())
	}
	return e.Environment.Installed()
}

func (e faultyEnvironment) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	if e.fault.run != nil {
		return e.fault.run(ctx, e.Environment, cmd)
	}
	return e.Environment.Run(ctx, cmd)
}

func (e faultyEnvironment) Close() error {
	if e.fault.close != nil {
		return e.fault.close(e.Environment)
	}
	return e.Environment.Close()
}

// asks returns a fault that changes a command.
func asks(change func(*mend.Command)) faulty {
	return faulty{run: func(ctx context.Context, env mend.Environment, cmd mend.Command) (mend.Observation, error) {
		argv := cmd.Argv
		cmd.Argv, cmd.Env = slices.Clone(argv), slices.Clone(cmd.Env)
		change(&cmd)
		obs, err := env.Run(ctx, cmd)
		obs.Argv = argv
		return obs, err
	}}
}

// says returns a fault that changes an observation.
func says(change func(*mend.Observation)) faulty {
	return faulty{run: func(ctx context.Context, env mend.Environment, cmd mend.Command) (mend.Observation, error) {
		obs, err := env.Run(ctx, cmd)
		change(&obs)
		return obs, err
	}}
}

// fault is a way to break the contract, and the clause that has to notice.
type fault struct {
	name   string
	clause string
	plain  bool // the sandbox is plain processes, with which a program reaches the host
	fault  faulty
}

var inherits = asks(func(c *mend.Command) { c.Env = append(os.Environ(), c.Env...) })

// faults are many ways to break the contract. The machine's own are elsewhere.
var faults = []fault{
	{"changes the recipe", "install", false, faulty{install: func(ctx context.Context, r *mend.Recipe) (context.Context, *mend.Recipe) {
		r.Metadata.Name = "changed"
		return ctx, r
	}}},
	{"has a relative directory", "install", false, faulty{where: func(mend.Installed) mend.Installed { return mend.Installed{Dir: "install"} }}},
	{"starts a shell", "direct start", false, asks(func(c *mend.Command) { c.Argv = []string{"sh", "-c", strings.Join(c.Argv, " ")} })},
	{"does not say what ran", "direct start", false, says(func(o *mend.Observation) { o.Argv = nil })},
	{"lets a missing program pass", "not started", false, says(func(o *mend.Observation) { o.ExitCode = 0 })},
	{"is silent on a missing program", "not started", false, says(func(o *mend.Observation) { o.Stderr = "" })},
	{"calls a missing program an error", "not started", false, faulty{run: func(ctx context.Context, env mend.Environment, cmd mend.Command) (mend.Observation, error) {
		obs, err := env.Run(ctx, cmd)
		if obs.ExitCode == 127 {
			return mend.Observation{}, errors.New("executable file not found")
		}
		return obs, err
	}}},
	{"merges the streams", "streams", false, says(func(o *mend.Observation) { o.Stdout, o.Stderr = o.Stdout+o.Stderr, "" })},
	{"cleans bytes", "streams", false, says(func(o *mend.Observation) { o.Stdout = strings.ToValidUTF8(o.Stdout, "?") })},
	{"takes 139 for a signal", "exit code", false, says(func(o *mend.Observation) {
		if o.ExitCode == 139 {
			o.ExitCode, o.Signal = -1, "SIGSEGV"
		}
	})},
	{"takes a signal for 128+n", "signal", false, says(func(o *mend.Observation) {
		if o.Signal == "SIGPIPE" {
			o.ExitCode, o.Signal = 128+13, ""
		}
	})},
	{"has something on stdin", "stdin", false, asks(func(c *mend.Command) { c.Argv = append([]string{"sh", "-c", `echo y | "$@"`, "sh"}, c.Argv...) })},
	{"inherits the environment", "environment", false, inherits},
	{"drops what is added", "environment", false, asks(func(c *mend.Command) { c.Env = nil })},
	{"speaks another language", "environment", false, asks(func(c *mend.Command) { c.Env = append(c.Env, "LANG=de_DE.UTF-8") })},
	{"has no TMPDIR", "environment", false, asks(func(c *mend.Command) { c.Argv = append([]string{"env", "-u", "TMPDIR"}, c.Argv...) })},
	{"is all the host", "installed tree", true, faulty{}},
	{"is all the host", "network", true, faulty{}},
	{"is all the host", "host files", true, faulty{}},
	{"does not say that it cut", "output limit", false, says(func(o *mend.Observation) { o.Truncated = false })},
	{"keeps no tail", "output limit", false, says(func(o *mend.Observation) { o.Stdout = o.Stdout[:min(len(o.Stdout), 4096)] })},
	{"does not count what it cut", "output limit", false, says(func(o *mend.Observation) { o.Stdout = omission.ReplaceAllString(o.Stdout, "many") })},
	{"forgets what came before", "time limit", false, says(func(o *mend.Observation) { o.Stdout = "" })},
	{"calls the limit a signal", "time limit", false, says(func(o *mend.Observation) { o.TimedOut = false })},
	{"takes the context for a time limit", "context", false, faulty{run: func(ctx context.Context, env mend.Environment, cmd mend.Command) (mend.Observation, error) {
		obs, err := env.Run(ctx, cmd)
		if err != nil {
			return mend.Observation{ExitCode: -1, TimedOut: true}, nil
		}
		return obs, nil
	}}},
	{"installs without a look at the context", "context", false, faulty{install: func(ctx context.Context, r *mend.Recipe) (context.Context, *mend.Recipe) {
		return context.WithoutCancel(ctx), r
	}}},
	{"has one directory for all", "parallel installs", false, faulty{where: func(mend.Installed) mend.Installed { return mend.Installed{Dir: "/usr"} }}},
	{"can be closed once only", "close", false, faulty{close: closesOnce()}},
}

// closesOnce returns a Close that fails for an environment that is closed.
func closesOnce() func(mend.Environment) error {
	return func(env mend.Environment) error {
		if _, err := env.Run(context.Background(), mend.Command{Argv: []string{"true"}}); err != nil {
			return err
		}
		return env.Close()
	}
}

// clauseNamed returns the clause of that name.
func clauseNamed(t *testing.T, name string) clause {
	t.Helper()
	i := slices.IndexFunc(sandboxClauses, func(c clause) bool { return c.name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return sandboxClauses[i]
}

// local returns a sandbox that keeps the contract, or one of plain processes.
func local(t *testing.T, plain bool, opts mend.LocalOptions) mend.Sandbox {
	t.Helper()
	opts.Installer = func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
		return mend.Installed{}, os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\n"), 0o755)
	}
	if plain {
		opts.Isolation = mend.IsolationPlain
	}
	s := mend.NewLocalSandbox(&opts)
	if _, err := s.Isolation(); err != nil {
		t.Skipf("there is no sandbox to break: %v", err)
	}
	return s
}

// caught sees that the clause is among those that are broken, and says so first.
func caught(t *testing.T, err error, clause string) {
	t.Helper()
	require.Error(t, err, "the fault goes unnoticed")
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, clause+": ") {
			return
		}
	}
	t.Errorf("%q is not named by: %v", clause, err)
}

func TestSandboxFaultsAreCaught(t *testing.T) {
	for _, f := range faults {
		t.Run(f.clause+"/"+f.name, func(t *testing.T) {
			t.Parallel()
			broken := f.fault
			broken.Sandbox = local(t, f.plain, mend.LocalOptions{})
			caught(t, testSandbox(t.Context(), broken, []clause{clauseNamed(t, f.clause)}), f.clause)
		})
	}
}

func TestSandboxEveryClauseHasAFault(t *testing.T) {
	have := map[string]bool{"terminal": true, "pristine": true, "concurrent runs": true, "left behind": true} // below
	for _, f := range faults {
		have[f.clause] = true
	}
	for _, c := range sandboxClauses {
		assert.True(t, have[c.name], c.name)
	}
}

func TestSandboxKeepsUnboundedOutput(t *testing.T) {
	s := local(t, false, mend.LocalOptions{OutputLimit: 1 << 30})
	caught(t, testSandbox(t.Context(), s, []clause{clauseNamed(t, "output limit")}), "output limit")
}

func TestSandboxWithTerminalIsCaught(t *testing.T) {
	s := local(t, true, mend.LocalOptions{})
	if _, err := exec.LookPath("script"); err != nil {
		t.Skipf("it takes script to make a terminal: %v", err)
	}
	broken := asks(func(c *mend.Command) {
		c.Env = append(c.Env, "SCRIPT="+c.Argv[2])
		c.Argv = []string{"script", "-qec", `sh -c "$SCRIPT"`, "/dev/null"}
	})
	broken.Sandbox = s
	caught(t, testSandbox(t.Context(), broken, []clause{clauseNamed(t, "terminal")}), "terminal")
}

// TestSandboxWithOneHome lets all runs have the same HOME, TMPDIR or working
// directory.
func TestSandboxWithOneHome(t *testing.T) {
	for _, variable := range []string{"HOME", "TMPDIR"} {
		for _, name := range []string{"pristine", "concurrent runs", "parallel installs"} {
			t.Run(name+" "+variable, func(t *testing.T) {
				t.Parallel()
				shared := t.TempDir()
				broken := asks(func(c *mend.Command) { c.Env = append(c.Env, variable+"="+shared) })
				broken.Sandbox = local(t, true, mend.LocalOptions{})
				caught(t, testSandbox(t.Context(), broken, []clause{clauseNamed(t, name)}), name)
			})
		}
	}
}

func TestSandboxLeavesItsDirectory(t *testing.T) {
	var left []mend.Environment
	broken := faulty{
		Sandbox: local(t, true, mend.LocalOptions{Dir: t.TempDir()}),
		close:   func(env mend.Environment) error { left = append(left, env); return nil },
	}
	err := testSandbox(t.Context(), broken, []clause{clauseNamed(t, "close")})
	for _, env := range left {
		assert.NoError(t, env.Close())
	}
	caught(t, err, "close")
}

// careless is a sandbox that kills the program it started, and nothing else.
type careless struct {
	mend.Environment
	id string
}

func (c careless) Install(context.Context, *mend.Recipe) (mend.Environment, error) { return c, nil }
func (careless) Installed() mend.Installed                                         { return mend.Installed{} }
func (careless) Close() error                                                      { return nil }

func (c careless) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	limit, cancel := context.WithTimeout(ctx, cmd.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "mend-careless-")
	if err != nil {
		return mend.Observation{}, err
	}
	defer os.RemoveAll(dir)
	var out, errs bytes.Buffer
	p := exec.CommandContext(limit, cmd.Argv[0], cmd.Argv[1:]...)
	p.Dir, p.Env, p.WaitDelay = dir, []string{"PATH=" + os.Getenv("PATH"), "CARELESS=" + c.id}, time.Millisecond
	p.Stdout, p.Stderr = &out, &errs
	_ = p.Run() // its state says more
	if ctx.Err() != nil {
		return mend.Observation{}, ctx.Err()
	}
	timedOut := limit.Err() != nil
	return mend.Observation{Argv: cmd.Argv, ExitCode: p.ProcessState.ExitCode(), TimedOut: timedOut, Stdout: out.String(), Stderr: errs.String()}, nil
}

// killAll kills the processes that a careless sandbox left.
func (c careless) killAll() {
	files, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is well-formed
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(env, []byte("CARELESS="+c.id)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
	}
}

func TestSandboxThatKillsOneProcessOnly(t *testing.T) {
	for _, name := range []string{"time limit", "left behind", "context"} {
		t.Run(name, func(t *testing.T) {
			broken := careless{id: rand.Text()}
			defer broken.killAll()
			err := testSandbox(t.Context(), broken, []clause{clauseNamed(t, name)})
			caught(t, err, name)
			assert.Contains(t, err.Error(), "still alive on the host")
			assert.Contains(t, err.Error(), "still alive in the sandbox")
		})
	}
}

// absent is a sandbox that cannot be had.
type absent struct{ err error }

func (a absent) Install(context.Context, *mend.Recipe) (mend.Environment, error) { return nil, a.err }

func TestSandboxThatCannotBeHad(t *testing.T) {
	err := TestSandbox(t.Context(), absent{mend.ErrSandboxUnavailable})
	assert.Equal(t, mend.ErrSandboxUnavailable, err, "which a test can skip for")
	err = TestSandbox(t.Context(), absent{errors.New("the daemon went away")})
	assert.EqualError(t, err, "install: the daemon went away")
}

package mend

import (
	"context"
	"time"
)

// Sandbox installs recipes where they can do no harm. [LocalSandbox] is the
// implementation for a Linux machine, mendtest.Replay the one for unit tests,
// and mendtest.TestSandbox checks any other against this contract.
type Sandbox interface {
	// Install performs the recipe's steps and returns the environment they leave.
	// Calls may run concurrently, and their environments never meet. The recipe is
	// not changed and not kept. When ctx ends, Install stops and returns its error.
	//
	// A recipe whose steps fail is an *InstallError. Any other error says that
	// nothing was learned about the recipe: no container runtime, the daemon went
	// away, the context ended. ErrSandboxUnavailable says that this will not change.
	Install(ctx context.Context, r *Recipe) (Environment, error)
}

// Environment is the state right after one install. Every run starts from it:
// the installed tree is read-only, HOME, TMPDIR and the working directory are
// fresh and empty, there is no network and no terminal, and stdin is empty.
type Environment interface {
	// Installed says what the placeholders in a verify section stand for.
	Installed() Installed

	// Run starts one program directly, without a shell, and returns what it showed.
	// A program that cannot be started, exits with any code, dies of a signal or
	// runs out of time is an Observation; an error says that nothing was learned.
	// Calls may run concurrently. When ctx ends, the whole process tree is killed
	// and Run returns ctx's error.
	Run(ctx context.Context, cmd Command) (Observation, error)

	// Close removes whatever Install left. No Run may be under way. Closing twice is
	// not an error.
	Close() error
}

// Installed is what a recipe's placeholders stand for.
type Installed struct {
	Version string // {version}; "" if it is not known, and then no check can hold it
	Dir     string // {install_dir}, absolute; "" if the tool is on PATH
}

// Command is one program start.
type Command struct {
	Argv    []string
	Env     []string      // NAME=value, added to the sandbox's own
	Timeout time.Duration // 0 means the sandbox's default
}

// Observation is what one run of a program showed. Its zero value is a run that
// printed nothing and exited with code 0.
type Observation struct {
	Argv      []string
	ExitCode  int    // -1 if a signal or the time limit ended the run
	Signal    string // name of the signal that ended it, as "SIGSEGV", or ""
	TimedOut  bool
	Stdout    string // may hold any bytes
	Stderr    string
	Truncated bool // the middle of a stream was left out; a line in it says how many bytes
	Duration  time.Duration
}

// Installer performs a recipe's steps for a sandbox on this machine, outside of any
// isolation. It puts the tool into dir, an absolute path of an empty directory that
// is removed again by [Environment.Close], and says what it installed. Its Dir
// defaults to dir, and may be any other absolute path, which is then read but never
// changed or removed. Programs are looked for in the Dir's bin, then in it, before
// anywhere else.
//
// If the recipe's own steps fail, it returns an *[InstallError]; any other error
// says that nothing was learned. Calls run concurrently if those of
// [Sandbox.Install] do.
type Installer func(ctx context.Context, r *Recipe, dir string) (Installed, error)

// SandboxFunc is a one-shot sandbox: it installs the recipe, runs its verify
// command, and returns what that showed. It is for systems that cannot keep an
// environment; each probe then costs an install. Its errors mean what those of
// [Sandbox] do.
type SandboxFunc func(ctx context.Context, r *Recipe) (Observation, error)

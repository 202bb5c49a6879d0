// Mend checks the verify sections of install recipes, and mends those that fail
// although the tool works. It is an example of a program around the library, and a
// program to use:
//
//	mend check frob.toml        does its check pass, and what does that prove
//	mend fix frob.toml          write a check that passes and is proven
//	mend explain frob.toml      what was printed, which lines decided, what was proposed
//	mend lint frob.toml         what is wrong with its commands
//	mend batch recipes/         all of that for many recipes, with a report
//	mend plan -- npm test       what verifies the change in a source tree
//
// A recipe is a file of TOML. Its tool is taken from PATH, or installed by its steps if
// that is asked for. Tools run in the library's local sandbox, or in a container; the
// commands of a plan run in the tree.
//
// The commands are made with github.com/spf13/cobra and not with kong, which needs less
// code: cobra writes the completion scripts of bash, zsh, fish and PowerShell by
// itself, with completed flag values, and people know how its programs behave. What it
// would print by itself, usage texts beneath each error above all, is turned off.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/mendkit/mend/plan"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// Exit codes. Where several recipes end differently, the greatest counts.
const (
	exitOK          = 0   // every recipe's check passes, as it is or mended; all of a plan ran and passed
	exitFailed      = 1   // a recipe is refused: its check fails, or it is malformed; a plan did not pass as a whole, or its contract is malformed
	exitUsage       = 2   // the command line, or a variable of the environment, is wrong; nothing was done
	exitNoEvidence  = 3   // nothing was learned: no sandbox, no work tree, a file that cannot be read or written
	exitInterrupted = 130 // a signal ended the program
)

// run is the whole program. It returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal is deadly
	root := newRoot(&terminal{out: stdout, err: stderr})
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	var told *exitError
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil && !errors.As(err, &told) {
		fmt.Fprintf(stderr, "mend: %s\n", oneLine(err.Error()))
	}
	return code
}

// exitError ends the program with a code that everything was said about.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exitWith returns the error for a code, nil for exitOK.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code}
}

// usageError is a wrong command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// exitCode returns the code that an error of a command ends the program with.
func exitCode(ctx context.Context, err error) int {
	var told *exitError
	var usage *usageError
	var fault *plan.ContractError
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &told):
		return told.code
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &fault):
		return exitFailed
	}
	return exitNoEvidence
}

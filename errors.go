package mend

import (
	"errors"
	"fmt"
)

// ErrSandboxUnavailable reports that a [Sandbox] cannot isolate anything on
// this machine: no container engine, no user namespaces. It says nothing about
// the recipe. [Orchestrator.Create] turns it into a result whose SandboxSkipped
// is set and whose strength is unproven.
var ErrSandboxUnavailable = errors.New("no sandbox is available on this machine")

// ErrRepairNotSupported is returned by [Session.Repair] of a session that can
// generate a recipe but not change it. It ends the repair loop and is not
// itself reported: the caller sees the [ValidationFailedError].
var ErrRepairNotSupported = errors.New("this session cannot repair a recipe")

// ErrNoCommand is returned by [Conversation.Command] if the model gave no command that
// may be run. Why, its result says.
var ErrNoCommand = errors.New("no command without error was given")

// ParseError reports where a recipe is malformed.
type ParseError struct {
	Line   int    // from 1
	Column int    // in bytes, from 1
	Key    string // dotted key concerned, or "" if the text around it is no TOML
	Reason string // one line, lower case
	Err    error  // the TOML reader's own error, or nil
}

// Error gives the position and the reason on one line.
func (e *ParseError) Error() string {
	reason := defaultSanitizer.line(e.Reason)
	if e.Key == "" {
		return fmt.Sprintf("recipe line %d, column %d: %s", e.Line, e.Column, reason)
	}
	return fmt.Sprintf("recipe line %d, column %d: key %s: %s", e.Line, e.Column, e.Key, reason)
}

// Unwrap returns the TOML reader's error, so that its longer forms can be had.
func (e *ParseError) Unwrap() error { return e.Err }

// InstallError reports that the recipe's own steps failed. It is evidence about
// the recipe and goes to [Session.Repair]; a sandbox that could not try at all
// returns any other error instead.
type InstallError struct {
	Step   int    // index of the step that failed, from 0; -1 if it is not known
	Action string // that step's action, or ""
	Stdout string // what the step printed, as far as it was kept
	Stderr string
	Err    error
}

// Error names the step and its cause.
func (e *InstallError) Error() string {
	why := defaultSanitizer.line(fmt.Sprint(e.Err))
	switch {
	case e.Step < 0:
		return "install failed: " + why
	case e.Action == "":
		return fmt.Sprintf("install failed at step %d: %s", e.Step, why)
	default:
		return fmt.Sprintf("install failed at step %d (%s): %s", e.Step, e.Action, why)
	}
}

// Unwrap returns the cause.
func (e *InstallError) Unwrap() error { return e.Err }

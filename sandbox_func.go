package mend

import (
	"context"
	"errors"
	"slices"

	"github.com/mendkit/mend/command"
)

// Install implements [Sandbox]. It does nothing yet: each run of the environment
// calls f, the recipe's own command with the recipe as it is, any other with a
// recipe whose verify command is that one.
func (f SandboxFunc) Install(_ context.Context, r *Recipe) (Environment, error) {
	return &funcEnvironment{f, r}, nil
}

type funcEnvironment struct {
	run    SandboxFunc
	recipe *Recipe
}

// Installed is not known to a one-shot sandbox; the request's version stands in.
func (e *funcEnvironment) Installed() Installed { return Installed{} }

// Run leaves the time limit to f, since installing counts against it.
func (e *funcEnvironment) Run(ctx context.Context, cmd Command) (Observation, error) {
	if len(cmd.Env) > 0 {
		return Observation{}, errors.New("a one-shot sandbox cannot set the environment of a run")
	}
	recipe := e.recipe
	if !e.isOwn(cmd.Argv) {
		recipe = recipe.WithVerify(VerifySection{Command: command.Join(cmd.Argv), Mode: ModeOutput})
	}
	o, err := e.run(ctx, recipe)
	o.Argv = slices.Clone(cmd.Argv)
	return o, err
}

// isOwn reports whether argv is the recipe's own verify command.
func (e *funcEnvironment) isOwn(argv []string) bool {
	if e.recipe.Verify == nil {
		return false
	}
	own, err := command.Split(e.recipe.Verify.Command)
	return err == nil && slices.Equal(own, argv)
}

func (e *funcEnvironment) Close() error { return nil }

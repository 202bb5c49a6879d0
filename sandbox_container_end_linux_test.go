package mend_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// happens waits for what a fake engine's client does, which tells by a file.
func (f fakeEngine) happens(t *testing.T, name string) {
	t.Helper()
	require.True(t, within(func() bool { _, err := os.Stat(filepath.Join(f.dir, name)); return err == nil }), name)
}

// TestContainerEngineThatHangs ends with the context, whatever it was asked for.
func TestContainerEngineThatHangs(t *testing.T) {
	const hang = ": >hanging; exec sleep 600"
	for name, test := range map[string]struct {
		answers map[string]string
		do      func(context.Context, *mend.ContainerSandbox) error
	}{
		"is it there": {map[string]string{"ps": hang}, func(ctx context.Context, s *mend.ContainerSandbox) error {
			_, err := s.Engine(ctx)
			return err
		}},
		"has it the image": {map[string]string{"image": hang}, func(ctx context.Context, s *mend.ContainerSandbox) error {
			_, err := s.Install(ctx, &mend.Recipe{})
			return err
		}},
		"run": {map[string]string{"exec": hang}, func(ctx context.Context, s *mend.ContainerSandbox) error {
			env, err := s.Install(ctx, &mend.Recipe{})
			if err != nil {
				return err
			}
			_, err = env.Run(ctx, mend.Command{Argv: []string{"tool"}})
			return errors.Join(err, env.Close())
		}},
		"run, and it began": {map[string]string{"exec": fakeStart + hang}, func(ctx context.Context, s *mend.ContainerSandbox) error {
			env, err := s.Install(ctx, &mend.Recipe{})
			if err != nil {
				return err
			}
			_, err = env.Run(ctx, mend.Command{Argv: []string{"tool"}, Timeout: time.Hour})
			return errors.Join(err, env.Close())
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, f := fakePodman(t, test.answers, mend.ContainerOptions{})
			cause := errors.New("closing time")
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error)
			go func() { ended <- test.do(ctx, s) }()
			f.happens(t, "hanging")
			cancel(cause)
			err := <-ended
			assert.ErrorIs(t, err, context.Canceled)
			assert.ErrorIs(t, err, cause)
			assert.NotErrorIs(t, err, mend.ErrSandboxUnavailable)
		})
	}
}

// TestContainerClientThatIsKilled says nothing about the program that it was to run.
func TestContainerClientThatIsKilled(t *testing.T) {
	for name, exec := range map[string]string{"before": `kill -KILL $$`, "while it runs": fakeStart + `echo half; kill -KILL $$`} {
		t.Run(name, func(t *testing.T) {
			s, f := fakePodman(t, map[string]string{"exec": exec}, mend.ContainerOptions{})
			env, err := s.Install(t.Context(), &mend.Recipe{})
			require.NoError(t, err)
			obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"tool"}})
			assert.ErrorContains(t, err, "signal: killed")
			assert.Zero(t, obs)
			assert.Len(t, f.calls(t, "rm"), 1, "the program may still run in it")
			assert.NoError(t, env.Close())
		})
	}
}

// TestContainerCloseDuringARun leaves no container behind, although none should be under
// way.
func TestContainerCloseDuringARun(t *testing.T) {
	s, f := fakePodman(t, map[string]string{"exec": fakeStart + `: >running; until [ -e closed ]; do :; done; say "exit 0"`}, mend.ContainerOptions{})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	ended := make(chan error)
	go func() {
		_, err := env.Run(context.Background(), mend.Command{Argv: []string{"tool"}, Timeout: time.Minute})
		ended <- err
	}()
	f.happens(t, "running")
	require.NoError(t, env.Close())
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "closed"), nil, 0o644))
	assert.NoError(t, <-ended)
	assert.Len(t, f.calls(t, "rm"), 1)
	_, err = env.Run(t.Context(), mend.Command{Argv: []string{"tool"}})
	assert.ErrorIs(t, err, os.ErrClosed)
	assert.NoError(t, env.Close())
	assert.Len(t, f.calls(t, "rm"), 1)
}

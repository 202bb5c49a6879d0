package mend_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSandboxFunc(t *testing.T) {
	var commands []string
	f := mend.SandboxFunc(func(_ context.Context, r *mend.Recipe) (mend.Observation, error) {
		commands = append(commands, r.Verify.Command)
		if r.Verify.Command == "frob -V" {
			return mend.Observation{Stdout: "frob 1.2.3\n"}, nil
		}
		return mend.Observation{ExitCode: 2, Stderr: "frob: unknown option --version\n  -V   show the version\n"}, nil
	})
	res, err := mend.New(f, nil).Create(t.Context(), mend.StaticBuilder(naive("frob")), mend.BuildRequest{Version: "1.2.3"})
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
	assert.Equal(t, []string{"frob --version", "frob -V"}, commands)

	t.Run("an install that fails is evidence", func(t *testing.T) {
		f := mend.SandboxFunc(func(context.Context, *mend.Recipe) (mend.Observation, error) {
			return mend.Observation{}, &mend.InstallError{Step: 1, Action: "download", Err: errors.New("404")}
		})
		_, err := create(t, f, mend.StaticBuilder(naive("frob")), nil)
		assert.EqualError(t, err, "frob: verification failed: install failed at step 1 (download): 404")
	})
}

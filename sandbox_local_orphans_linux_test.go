package mend_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// leavesInstall is the variable that names the directory in which a process is to leave
// an install.
const leavesInstall = "MEND_TEST_LEAVES_INSTALL"

// TestLocalToBeKilled is that process.
func TestLocalToBeKilled(t *testing.T) {
	dir := os.Getenv(leavesInstall)
	if dir == "" {
		t.Skip("another test runs this one")
	}
	s := mend.NewLocalSandbox(&mend.LocalOptions{Dir: dir, AllowPlain: true, Installer: installer(map[string]file{"lib/tool": tool("exit 1")})})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	require.NoError(t, os.Chmod(filepath.Join(env.Installed().Dir, "lib"), 0o500)) // which is not removed as easily
	fmt.Println(env.Installed().Dir)
	select {} // until it is killed
}

// TestLocalInstallsAreNotLeft kills a process that has an install: the next sandbox
// removes it, and not that of a process which lives.
func TestLocalInstallsAreNotLeft(t *testing.T) {
	dir := t.TempDir()
	start := func() (*exec.Cmd, string) {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestLocalToBeKilled$")
		cmd.Env = append(os.Environ(), leavesInstall+"="+dir)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		var installed string
		_, err = fmt.Fscanln(out, &installed)
		require.NoError(t, err)
		return cmd, installed
	}
	kill := func(cmd *exec.Cmd) {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
	}
	for name, sandbox := range map[string]func() (mend.Environment, error){
		"by processes": func() (mend.Environment, error) {
			return mend.NewLocalSandbox(&mend.LocalOptions{Dir: dir, AllowPlain: true}).Install(t.Context(), &mend.Recipe{})
		},
		"by containers": func() (mend.Environment, error) {
			s, _ := fakePodman(t, nil, mend.ContainerOptions{Dir: dir})
			return s.Install(t.Context(), &mend.Recipe{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			killed, orphan := start()
			other, kept := start()
			defer kill(other)
			kill(killed)
			require.FileExists(t, filepath.Join(orphan, "lib", "tool"))
			env, err := sandbox()
			require.NoError(t, err)
			assert.NoDirExists(t, filepath.Dir(orphan))
			assert.FileExists(t, filepath.Join(kept, "lib", "tool"))
			require.NoError(t, env.Close())
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
	require.True(t, within(func() bool { _, err := os.Stat(filepath.Join(f.dir, "running")); return err == nil }))
	require.NoError(t, env.Close())
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "closed"), nil, 0o644))
	assert.NoError(t, <-ended)
	assert.Len(t, f.calls(t, "rm"), 1)
	_, err = env.Run(t.Context(), mend.Command{Argv: []string{"tool"}})
	assert.ErrorIs(t, err, os.ErrClosed)
	assert.NoError(t, env.Close())
	assert.Len(t, f.calls(t, "rm"), 1)
}

package mend_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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

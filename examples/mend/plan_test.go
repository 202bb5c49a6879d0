//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// waitingTree makes a work tree with a command that passes, and one that ends when a
// line is written to the pipe that is returned.
func waitingTree(t *testing.T) (dir, gate string) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("a plan is run in a git work tree: ", err)
	}
	dir, gate = t.TempDir(), filepath.Join(t.TempDir(), "gate")
	require.NoError(t, syscall.Mkfifo(gate, 0o600))
	write(t, filepath.Join(dir, "ok"), "#!/bin/sh\n", 0o755)
	write(t, filepath.Join(dir, "wait"), "#!/bin/sh\nread -r line <'"+gate+"'\necho \"$line\"\nexit 1\n", 0o755)
	out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput()
	require.NoError(t, err, string(out))
	return dir, gate
}

func planIn(t *testing.T, dir string, args ...string) *exec.Cmd {
	cmd := program(t, "mend", append([]string{"plan", "--dir", dir, "--command", "./ok", "--command", "./wait"}, args...)...)
	cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=")
	return cmd
}

// TestPlanOnTerminal looks at the screen while a command runs, and at the end.
func TestPlanOnTerminal(t *testing.T) {
	dir, gate := waitingTree(t)
	cmd := planIn(t, dir)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 100})
	require.NoError(t, err)
	defer tty.Close()
	s := &screen{t: t, width: 100}
	s.follow(tty, func() bool { return strings.Contains(s.String(), "running: ./wait") })
	t.Logf("in the middle:\n%s", s)
	lines := strings.Split(s.String(), "\n")
	assert.Regexp(t, `^passed +\./ok \([0-9.]+m?s\)$`, lines[len(lines)-3])
	assert.Regexp(t, `^━+─+ 1/2$`, lines[len(lines)-2])
	assert.Regexp(t, `^running: \./wait [0-9.]+m?s$`, lines[len(lines)-1])

	require.NoError(t, os.WriteFile(gate, []byte("broken\n"), 0o600))
	s.follow(tty, func() bool { return false })
	t.Logf("in the end:\n%s", s)
	require.Error(t, cmd.Wait())
	assert.Equal(t, exitFailed, cmd.ProcessState.ExitCode())
	end := s.String()
	assert.NotContains(t, end, "running")
	assert.NotContains(t, end, "━")
	assert.Contains(t, end, "stdout │ broken")
	assert.Regexp(t, `result +failed: the change is not verified: 1 passed, 1 failed`, end)
}

// TestPlanInterrupted holds that an interrupt ends the command that runs, and says
// nothing of it.
func TestPlanInterrupted(t *testing.T) {
	dir, gate := waitingTree(t)
	cmd := planIn(t, dir, "--json")
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	cmd.Stdout = out
	require.NoError(t, cmd.Start())
	pipe, err := os.OpenFile(gate, os.O_WRONLY, 0) // which the command opens, too
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	assert.Equal(t, "mend: interrupted\n", complaint.String())
	text := read(t, out.Name())
	assert.Contains(t, text, `"line":"./ok","source":"explicit","origin":"author","state":"passed"`)
	assert.NotContains(t, text, `"state":"failed"`)
	_, err = pipe.WriteString("nobody reads it\n")
	assert.ErrorIs(t, err, syscall.EPIPE, "the command is gone")
	require.NoError(t, pipe.Close())
}

// TestPlanWithoutGit holds that a machine without git says nothing about a change.
func TestPlanWithoutGit(t *testing.T) {
	cmd := program(t, "mend", "plan", "--dir", t.TempDir())
	cmd.Env = append(os.Environ(), "PATH="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, exitNoEvidence, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `^mend: workspace .*: exec: "git": executable file not found in \$PATH\n$`, string(out))
}

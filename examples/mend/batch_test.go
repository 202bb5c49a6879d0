//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// manyTools makes recipes whose tools note in a file that they were run. From the
// given number on, they wait until gate is no pipe any more.
type manyTools struct{ dir, recipes, bin, log, gate string }

func makeTools(t *testing.T, all, waitFrom int) manyTools {
	dir := t.TempDir()
	m := manyTools{dir, filepath.Join(dir, "recipes"), filepath.Join(dir, "bin"), filepath.Join(dir, "log"), filepath.Join(dir, "gate")}
	require.NoError(t, syscall.Mkfifo(m.gate, 0o600))
	for i := range all {
		name := fmt.Sprintf("tool%03d", i)
		wait := ""
		if i >= waitFrom {
			wait = fmt.Sprintf("read -r line < '%s'\n", m.gate)
		}
		write(t, filepath.Join(m.bin, name), fmt.Sprintf("#!/bin/sh\necho %s >> '%s'\n%s[ $1 = --version ] && echo %[1]s 1.0\n", name, m.log, wait), 0o755)
		write(t, filepath.Join(m.recipes, name+".toml"), fmt.Sprintf("[metadata]\nversion = \"1.0\"\n[verify]\ncommand = \"%s --version\"\npattern = \"{version}\"\n", name), 0o644)
	}
	return m
}

func (m *manyTools) batch(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "mend", append([]string{"batch", "--sandbox=plain", "--timeout=10m", "--workers=4"}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+m.bin+":"+os.Getenv("PATH"), "XDG_CACHE_HOME="+filepath.Join(m.dir, "cache"), "TMPDIR="+t.TempDir())
	cmd.Dir = m.dir
	return cmd
}

// release opens the gate for the tools that wait at it, and those still to come.
func (m *manyTools) release(t *testing.T) {
	pipe, err := os.OpenFile(m.gate, os.O_RDWR, 0)
	require.NoError(t, err)
	write(t, m.gate+".open", "open\n", 0o600)
	require.NoError(t, os.Rename(m.gate+".open", m.gate))
	_, err = pipe.WriteString(strings.Repeat("open\n", 100))
	require.NoError(t, err)
	t.Cleanup(func() { _ = pipe.Close() }) // the tools may still be reading
}

// runs returns how often each tool was run.
func (m *manyTools) runs(t *testing.T) map[string]int {
	runs := make(map[string]int)
	for _, name := range strings.Fields(read(t, m.log)) {
		runs[name]++
	}
	return runs
}

// until reads lines until n of them match.
func until(t *testing.T, r *bufio.Reader, n int, pattern string) {
	want := regexp.MustCompile(pattern)
	for n > 0 {
		text, err := r.ReadString('\n')
		require.NoError(t, err)
		if want.MatchString(text) {
			n--
		}
	}
}

// TestKilledBatch kills the real program in the middle of a batch, with SIGKILL, and
// gives the same command again. What was finished is not run a second time, and nothing
// is left out.
func TestKilledBatch(t *testing.T) {
	const all, half = 40, 20
	m := makeTools(t, all, half)
	cmd := m.batch(t, "recipes")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	until(t, bufio.NewReader(out), half, "^passed") // the others wait for the gate
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	require.Error(t, cmd.Wait())

	before := m.runs(t)
	require.GreaterOrEqual(t, len(before), half)
	require.Less(t, len(before), all)
	require.NoError(t, os.Remove(m.gate))
	write(t, m.gate, "open\n", 0o600)

	var errs strings.Builder
	cmd = m.batch(t, "--report=out.html", "recipes")
	cmd.Stderr = &errs
	rest, err := cmd.Output()
	require.NoError(t, err, "%s", errs.String())
	assert.Contains(t, errs.String(), fmt.Sprintf("which finished %d recipes", half))
	assert.Equal(t, all-half, strings.Count("\n"+string(rest), "\npassed "))
	assert.Contains(t, string(rest), fmt.Sprintf("%d recipes in", all))
	assert.Contains(t, string(rest), fmt.Sprintf("%d of them were finished before", half))

	after := m.runs(t)
	assert.Len(t, after, all)
	for i := range all {
		name := fmt.Sprintf("tool%03d", i)
		if i < half {
			assert.Equal(t, 1, after[name], "%s was finished", name)
		}
	}
	assert.Equal(t, all, strings.Count(read(t, filepath.Join(m.dir, "out.html")), "<tbody data-name="), "the report has both parts")
	left, err := filepath.Glob(filepath.Join(m.dir, "cache", "mend", "*"))
	require.NoError(t, err)
	assert.Empty(t, left, "a batch that is complete leaves no state")
}

// TestInterruptedBatch sends the signal that Ctrl-C does.
func TestInterruptedBatch(t *testing.T) {
	m := makeTools(t, 20, 10)
	var errs strings.Builder
	cmd := m.batch(t, "recipes")
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	r := bufio.NewReader(out)
	until(t, r, 10, "^passed")
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	rest, err := r.ReadString(0)
	require.Error(t, err)
	assert.Empty(t, rest, "what was under way is not taken for a result")
	err = cmd.Wait()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v", err)
	assert.Equal(t, exitInterrupted, exit.ExitCode())
	assert.Equal(t, "mend: interrupted: 10 of 20 recipes are finished; the same command goes on from there\n", errs.String())
}

// TestTwoBatches has two processes use one state.
func TestTwoBatches(t *testing.T) {
	m := makeTools(t, 8, 4)
	first := m.batch(t, "--state=state.jsonl", "recipes")
	out, err := first.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, first.Start())
	until(t, bufio.NewReader(out), 4, "^passed")
	said, err := m.batch(t, "--state=state.jsonl", "recipes").CombinedOutput()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v", err)
	assert.Equal(t, exitNoEvidence, exit.ExitCode())
	assert.Equal(t, "mend: state state.jsonl: another batch uses it\n", string(said))
	require.NoError(t, first.Process.Kill())
	require.Error(t, first.Wait())
}

// TestInterruptedCheck sends the signal while a tool runs.
func TestInterruptedCheck(t *testing.T) {
	m := makeTools(t, 1, 0)
	cmd := m.batch(t)
	cmd.Args = []string{"mend", "check", "--sandbox=plain", "--timeout=10m", "recipes/tool000.toml"}
	var errs strings.Builder
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	pipe, err := os.OpenFile(m.gate, os.O_WRONLY, 0) // opens when the tool does
	require.NoError(t, err)
	defer pipe.Close()
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v", err)
	assert.Equal(t, exitInterrupted, exit.ExitCode())
	assert.Equal(t, "mend: interrupted\n", errs.String())
}

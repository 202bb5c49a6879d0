package plan_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// isAlive reports whether a process runs. One that has ended may wait for the
// system to ask how.
func isAlive(t *testing.T, pid string) bool {
	t.Helper()
	_, err := strconv.Atoi(pid)
	require.NoError(t, err)
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}

// stubborn is a program that forks into another session, ignores SIGTERM and keeps
// its streams open. It writes its numbers into pids.
const stubborn = `#!/bin/sh
trap '' TERM HUP INT
echo $$ >>pids
sh -c 'trap "" TERM HUP INT; echo $$ >>pids; while :; do sleep 1000; done' &
setsid sh -c 'trap "" TERM HUP INT; echo $$ >>pids; echo started; while :; do sleep 1000; done' &
echo waiting
while :; do wait; done
`

// TestDirWorkspaceTimeLimit is about a command that does all it can to stay: after
// its time limit all of it is dead, and the run goes on.
func TestDirWorkspaceTimeLimit(t *testing.T) {
	needPrograms(t, "setsid", "make")
	for name, entry := range map[string]string{
		"alone":                       "./stubborn.sh",
		"behind another program":      "make -s -f /dev/null '--eval=all:;./stubborn.sh'",
		"with directories of its own": "TMPDIR=/tmp HOME=/ ./stubborn.sh",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t, "stubborn.sh", stubborn, "Makefile", "after:\n\techo after\n", ".gitignore", "pids\n")
			write(t, dir, "changed.go", "package x\n")
			w := open(t, dir, nil)
			start := time.Now()
			// Long enough for all to have started, and far shorter than they would take.
			r, err := plan.Run(t.Context(), w, planOf("make after", "+"+entry, "make after"), &plan.Options{CommandTimeout: 3 * time.Second})
			require.NoError(t, err)
			assert.Less(t, time.Since(start), time.Minute)
			require.Len(t, r.Outcomes, 2)
			obs := r.Outcomes[1].Observation
			assert.True(t, obs.TimedOut)
			assert.Contains(t, obs.Stdout, "waiting")
			assert.Equal(t, plan.CodeFlaky, r.Outcomes[1].Code)
			assert.True(t, r.Meta.TimedOut)
			data, err := os.ReadFile(filepath.Join(dir, "pids"))
			require.NoError(t, err)
			pids := fields(string(data))
			assert.Len(t, pids, 3, "all of them had started")
			for _, p := range pids {
				assert.False(t, isAlive(t, p), "process %s lives on", p)
			}
			r, err = plan.Run(t.Context(), w, planOf("make after"), nil)
			require.NoError(t, err)
			assert.Equal(t, plan.StatusPassed, r.Status)
		})
	}
}

// TestDirWorkspaceBackground is about a command that leaves a process behind: it
// does not outlive its command.
func TestDirWorkspaceBackground(t *testing.T) {
	dir := repository(t, "serve.sh", "#!/bin/sh\nsleep 1000 &\necho $! >pid\n")
	w := open(t, dir, nil)
	obs, err := w.Run(t.Context(), mend.Command{Argv: []string{"./serve.sh"}, Timeout: time.Minute})
	require.NoError(t, err)
	assert.Zero(t, obs.ExitCode)
	data, err := os.ReadFile(filepath.Join(dir, "pid"))
	require.NoError(t, err)
	assert.False(t, isAlive(t, strings.TrimSpace(string(data))))
}

package fleet_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend/fleet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain makes the test binary a process of a fleet, where a test starts it as one.
func TestMain(m *testing.M) {
	if plan := os.Getenv("MEND_FLEET_PROCESS"); plan != "" {
		var p process
		err := json.Unmarshal([]byte(plan), &p)
		if err == nil {
			err = p.main()
		}
		fmt.Println("error", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// process is what another process does in a fleet, until it is killed.
type process struct {
	URL, Dir   string // of [fleet.Options]
	AckWait    time.Duration
	Deliveries int

	Submit int    // so many requests; 0 means that others do
	Hold   string // package whose job never ends, and takes the others with it
}

// joining returns a process that opens a fleet with these options, as far as it can
// be told.
func joining(o *fleet.Options, hold string) process {
	return process{URL: o.URL, Dir: o.Dir, AckWait: o.AckWait, Deliveries: o.Deliveries, Hold: hold}
}

// main works, and tells on standard output what it has got and where it is held.
func (p process) main() error {
	ctx := context.Background()
	f, err := fleet.Open(ctx, "batch", &fleet.Options{URL: p.URL, Dir: p.Dir, AckWait: p.AckWait, Deliveries: p.Deliveries})
	if err != nil {
		return err
	}
	l, held := newLedger(), make(chan struct{})
	l.before = func(_ context.Context, job fleet.Job) error {
		if job.Package == p.Hold {
			close(held)
			select {}
		}
		return nil
	}
	if p.Submit > 0 {
		if _, err := f.Submit(ctx, requests(0, p.Submit)); err != nil {
			return err
		}
	}
	go func() {
		for r, err := range f.Collect(ctx) {
			if err == nil {
				fmt.Println("collected", r.Package)
			}
		}
	}()
	go func() {
		<-held
		fmt.Println("held", p.Hold)
	}()
	return f.Run(ctx, l, 1)
}

// start starts a process, and returns what it tells, line by line, until it ends.
func (p process) start(t *testing.T) (*exec.Cmd, <-chan string) {
	t.Helper()
	plan, err := json.Marshal(p)
	require.NoError(t, err)
	cmd := exec.CommandContext(within(t), os.Args[0])
	cmd.Env = append(os.Environ(), "MEND_FLEET_PROCESS="+string(plan))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := make(chan string, 10000)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		_ = cmd.Wait()
	})
	return cmd, lines
}

// killed waits until the process is held, kills it as the kernel would that is out of
// memory, and returns what it had told.
func killed(t *testing.T, cmd *exec.Cmd, lines <-chan string) (told []string) {
	t.Helper()
	for line := range lines {
		require.False(t, strings.HasPrefix(line, "error"), line)
		told = append(told, line)
		if strings.HasPrefix(line, "held") {
			require.NoError(t, cmd.Process.Kill())
		}
	}
	require.NotEmpty(t, told)
	return told
}

func TestKilledWorkerLosesNothing(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{AckWait: time.Second})
	ctx := within(t)
	_, err := f.Submit(ctx, requests(0, 50))
	require.NoError(t, err)
	cmd, lines := joining(joined, "frob-20").start(t)
	killed(t, cmd, lines)
	l := newLedger()
	got := collect(t, f.CreateAll(ctx, l, requests(0, 50), 2))
	assert.Empty(t, got.letters)
	sameAsOnce(t, got.results, requests(0, 50))
	assert.Equal(t, 2, got.results["frob-20"].Delivery, "the one that it was held at")
	for i := range 20 {
		name := fmt.Sprintf("frob-%d", i)
		assert.Zero(t, l.asked(name), "%s was done before", name)
	}
}

// TestJobThatKillsItsWorkersIsBuried has a job that no worker survives, and nobody who
// could tell.
func TestJobThatKillsItsWorkersIsBuried(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{AckWait: time.Second, Deliveries: 2})
	ctx := within(t)
	_, err := f.Submit(ctx, one("frob-0", "poison", "frob-1"))
	require.NoError(t, err)
	for range 2 {
		cmd, lines := joining(joined, "poison").start(t)
		killed(t, cmd, lines)
	}
	l := newLedger()
	run(t, f, l, 1)
	got := collect(t, f.Collect(ctx))
	assert.Len(t, got.results, 2)
	require.NotNil(t, got.letters["poison"])
	assert.Equal(t, 2, got.letters["poison"].Lost)
	assert.EqualError(t, got.letters["poison"], "poison: 2 tries, and nobody told the end of the last one")
	assert.Zero(t, l.asked("poison"))
}

// TestKilledFleetLeavesNoStore: one in a temporary directory is found by the next process.
func TestKilledFleetLeavesNoStore(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	stores := func() []string {
		all, err := filepath.Glob(filepath.Join(dir, "mend-fleet-*"))
		require.NoError(t, err)
		return all
	}
	cmd, lines := process{Submit: 3, Hold: "frob-1"}.start(t)
	killed(t, cmd, lines)
	orphan := stores()
	require.Len(t, orphan, 1)
	f := open(t, "batch", nil)
	require.Len(t, stores(), 1)
	assert.NotEqual(t, orphan, stores())
	again := open(t, "other", nil)
	assert.Len(t, stores(), 2, "the first one is in use")
	again.Close()
	f.Close()
	assert.Empty(t, stores())
}

// TestKilledBatchIsResumed kills the only process there is, its server included.
func TestKilledBatchIsResumed(t *testing.T) {
	opts := fleet.Options{Dir: t.TempDir(), AckWait: time.Second}
	p := joining(&opts, "frob-30")
	p.Submit = 60
	cmd, lines := p.start(t)
	told := killed(t, cmd, lines)
	f := open(t, "batch", &opts)
	l := newLedger()
	got := collect(t, f.CreateAll(within(t), l, requests(0, 60), 2))
	assert.Empty(t, got.letters)
	sameAsOnce(t, got.results, requests(0, 60))
	for i := range 30 {
		assert.Zero(t, l.asked(fmt.Sprintf("frob-%d", i)), "what was finished is not done again")
	}
	assert.Equal(t, 1, l.asked("frob-30"))
	assert.NotContains(t, told, "collected frob-30")
}

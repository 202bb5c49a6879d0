//go:build unix

package tempdir_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mendkit/mend/internal/tempdir"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain makes the test binary a process that makes a directory and waits to be
// killed, where a test starts it as one.
func TestMain(m *testing.M) {
	if in := os.Getenv("MEND_TEMPDIR_PROCESS"); in != "" {
		d, err := tempdir.New(in, "mend-")
		fmt.Println(d.Path, err)
		select {}
	}
	os.Exit(m.Run())
}

// process starts a process that has a directory, and returns both.
func process(t *testing.T, in string) (*exec.Cmd, string) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "MEND_TEMPDIR_PROCESS="+in)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { kill(cmd) })
	var path, failed string
	_, err = fmt.Fscanln(out, &path, &failed)
	require.NoError(t, err)
	require.Equal(t, "<nil>", failed)
	return cmd, path
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
}

// locked fills a directory with what is not removed as easily as it was made.
func locked(t *testing.T, dir string) {
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b", "c"), nil, 0o400))
	require.NoError(t, os.Chmod(filepath.Join(dir, "a", "b"), 0))
	require.NoError(t, os.Chmod(filepath.Join(dir, "a"), 0o500))
}

// TestOrphansAreTheirOwnersDead kills a process and leaves another one alone.
func TestOrphansAreTheirOwnersDead(t *testing.T) {
	in, outside := t.TempDir(), t.TempDir()
	mine, err := tempdir.New(in, "mend-")
	require.NoError(t, err)
	killed, orphan := process(t, in)
	_, other := process(t, in)
	locked(t, orphan)
	precious := filepath.Join(outside, "precious")
	require.NoError(t, os.WriteFile(precious, nil, 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(orphan, "link")))

	// What is like an orphan, and none.
	unlocked := filepath.Join(in, "mend-by-hand")
	require.NoError(t, os.Mkdir(unlocked, 0o700))
	elsewhere := filepath.Join(in, "mend-link")
	require.NoError(t, os.WriteFile(filepath.Join(outside, ".mend-owner"), nil, 0o600))
	require.NoError(t, os.Symlink(outside, elsewhere))
	through := filepath.Join(in, "mend-linked-lock")
	require.NoError(t, os.Mkdir(through, 0o700))
	require.NoError(t, os.Symlink(filepath.Join(outside, ".mend-owner"), filepath.Join(through, ".mend-owner")))
	named := filepath.Join(in, "other-1")
	require.NoError(t, os.Mkdir(named, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(named, ".mend-owner"), nil, 0o600))

	tempdir.RemoveOrphans(in, "mend-")
	assert.DirExists(t, orphan, "its owner lives")
	kill(killed)
	tempdir.RemoveOrphans(in, "mend-")
	assert.NoDirExists(t, orphan)
	for _, kept := range []string{mine.Path, other, unlocked, through, named} {
		assert.DirExists(t, kept)
	}
	_, err = os.Lstat(elsewhere)
	assert.NoError(t, err, "a link is left alone, too")
	assert.FileExists(t, precious)
	require.NoError(t, mine.Remove())
	assert.NoDirExists(t, mine.Path)
	assert.NoError(t, mine.Remove(), "a second time")
}

// TestOrphansOfOthers belong to another user, who may have put up the lock to have
// something removed.
func TestOrphansOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a directory another user's")
	}
	in := t.TempDir()
	killed, orphan := process(t, in)
	kill(killed)
	require.NoError(t, os.Chown(orphan, 65534, 65534))
	tempdir.RemoveOrphans(in, "mend-")
	assert.DirExists(t, orphan)
}

// TestManyRemoveOrphans at the same time, while others make directories.
func TestManyRemoveOrphans(t *testing.T) {
	in := t.TempDir()
	done := make(chan error)
	for range 8 {
		go func() {
			var err error
			for i := 0; i < 50 && err == nil; i++ {
				var d *tempdir.Dir
				if d, err = tempdir.New(in, "mend-"); err != nil {
					break
				}
				tempdir.RemoveOrphans(in, "mend-")
				if err = os.WriteFile(filepath.Join(d.Path, "x"), []byte(strings.Repeat("x", 100)), 0o600); err == nil {
					err = d.Remove()
				}
			}
			done <- err
		}()
	}
	for range 8 {
		assert.NoError(t, <-done)
	}
	left, err := os.ReadDir(in)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestDirStaysWhereItIs when the process goes elsewhere.
func TestDirStaysWhereItIs(t *testing.T) {
	in := t.TempDir()
	t.Chdir(in)
	d, err := tempdir.New(".", "mend-")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, d.Remove())
	left, err := os.ReadDir(in)
	require.NoError(t, err)
	assert.Empty(t, left)
	_, err = tempdir.New(filepath.Join(in, "none"), "mend-")
	assert.ErrorIs(t, err, os.ErrNotExist)
	tempdir.RemoveOrphans(filepath.Join(in, "none"), "mend-") // finds nothing, and says nothing
}

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := os.Create(path)
	require.NoError(t, err)
	second, err := os.Open(path)
	require.NoError(t, err)
	defer second.Close()
	require.NoError(t, tempdir.TryLock(first))
	assert.NoError(t, tempdir.TryLock(first), "it is its own")
	assert.ErrorIs(t, tempdir.TryLock(second), tempdir.ErrLocked)
	require.NoError(t, first.Close())
	assert.NoError(t, tempdir.TryLock(second))
}

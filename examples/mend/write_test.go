//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	failing = "[metadata]\nname = \"frob\"\n\n[verify]\ncommand = \"frob --version\"\n"
	fixed   = "[metadata]\nname = \"frob\"\n\n[verify]\ncommand = \"frob -V\"\npattern = \"frob {version}\"\n"
)

// fixAndDie is the program, but for the power cut right before the new file takes the
// place of the old one.
func fixAndDie() {
	beforeRename = func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	main()
}

// program starts a program of TestMain with the tools of testdata/tools.
func program(t *testing.T, name string, args ...string) *exec.Cmd {
	tools, err := filepath.Abs("testdata/tools")
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "XDG_CACHE_HOME="+t.TempDir(), "TMPDIR="+readableTempDir(t))
	return cmd
}

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// TestKilledFix has the real program die at the worst moment: the file is whole, and
// the next one mends it.
func TestKilledFix(t *testing.T) {
	file := filepath.Join(t.TempDir(), "frob.toml")
	write(t, file, failing, 0o600)
	args := []string{"fix", "--sandbox=plain", "--version-of=frob=1.2", file}

	err := program(t, "fix-and-die", args...).Run()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v", err)
	require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal())
	assert.Equal(t, failing, read(t, file))

	out, err := program(t, "mend", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Equal(t, fixed, read(t, file))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode())
}

// TestFixInReadOnlyDirectory has somebody run the program who may not write.
func TestFixInReadOnlyDirectory(t *testing.T) {
	dir := readableTempDir(t)
	file := filepath.Join(dir, "frob.toml")
	write(t, file, failing, 0o644)
	require.NoError(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })

	cmd := program(t, "mend", "fix", "--sandbox=plain", "--version-of=frob=1.2", file)
	if os.Getuid() == 0 { // who may write anywhere
		cmd = asNobody(t, cmd)
	}
	out, err := cmd.CombinedOutput()
	exit, ok := err.(*exec.ExitError)
	require.True(t, ok, "%v: %s", err, out)
	assert.Equal(t, exitNoEvidence, exit.ExitCode(), "%s", out)
	assert.Contains(t, string(out), "mended, and not written: open "+dir)
	assert.Contains(t, string(out), "permission denied")
	assert.Equal(t, failing, read(t, file))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1)
}

// readableTempDir returns a directory that other users can get at.
func readableTempDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "mend")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// asNobody returns the command as a user starts it who owns nothing, with copies of
// the program and the tools, since the originals may be out of that user's reach.
func asNobody(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	home := readableTempDir(t)
	binary, err := os.ReadFile(cmd.Path)
	require.NoError(t, err)
	write(t, filepath.Join(home, "mend"), string(binary), 0o755)
	require.NoError(t, os.CopyFS(filepath.Join(home, "bin"), os.DirFS("testdata/tools")))
	again := exec.CommandContext(t.Context(), filepath.Join(home, "mend"), cmd.Args[1:]...)
	again.Env = []string{"PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH")}
	again.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return again
}

func TestReplaceFile(t *testing.T) {
	for _, tt := range []struct {
		name    string
		prepare func(t *testing.T, dir string) (path string)
		err     string
		want    string // what the file holds in the end
	}{
		{"as it was read", func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "f"), "old", 0o755)
			return filepath.Join(dir, "f")
		}, "", "new"},
		{"changed meanwhile", func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "f"), "other", 0o755)
			return filepath.Join(dir, "f")
		}, "the file was changed meanwhile", "other"},
		{"through a link", func(t *testing.T, dir string) string {
			write(t, filepath.Join(dir, "f"), "old", 0o755)
			require.NoError(t, os.Symlink("f", filepath.Join(dir, "link")))
			return filepath.Join(dir, "link")
		}, "", "new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := tt.prepare(t, dir)
			before, err := os.Lstat(path)
			require.NoError(t, err)
			err = replaceFile(path, []byte("old"), []byte("new"))
			if tt.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, tt.err)
			}
			assert.Equal(t, tt.want, read(t, filepath.Join(dir, "f")))
			after, err := os.Lstat(path)
			require.NoError(t, err)
			assert.Equal(t, before.Mode(), after.Mode())
			left, err := filepath.Glob(filepath.Join(dir, ".*.tmp"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
	t.Run("gone", func(t *testing.T) {
		assert.ErrorIs(t, replaceFile(filepath.Join(t.TempDir(), "f"), nil, nil), fs.ErrNotExist)
	})
}

// TestVisible holds that no text acts on a terminal.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"frob.toml":                 "frob.toml",
		"a\x1b[31mb":                `a\x1b[31mb`,
		"one\ntwo":                  `one\ntwo`,
		"right\u202eleft":           `right\u202eleft`,
		"\u009b31mcsi":              `\u009b31mcsi`,
		"non\u00a0breaking häßlich": "non\u00a0breaking häßlich",
	} {
		assert.Equal(t, want, visible(in))
	}
}

package plan_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// needPrograms skips a test on a machine without them.
func needPrograms(t *testing.T, names ...string) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("this test runs programs of Unix")
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("there is no %s here: %v", name, err)
		}
	}
}

// write writes files, of names and contents in turns.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, files[i])
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(files[i+1]), 0o755))
	}
}

// git runs git in a directory.
func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %v: %s", args, out)
}

// repository makes a git work tree with a commit of the files.
func repository(t *testing.T, files ...string) string {
	t.Helper()
	needPrograms(t, "git", "sh")
	dir := t.TempDir()
	write(t, dir, files...)
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "base", "--allow-empty")
	return dir
}

func open(t *testing.T, dir string, opts *plan.DirOptions) *plan.DirWorkspace {
	t.Helper()
	w, err := plan.NewDirWorkspace(t.Context(), dir, opts)
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, w.Close())
		assert.NoError(t, w.Close(), "closing twice is no error")
	})
	return w
}

func shell(t *testing.T, env mend.Environment, text string) mend.Observation {
	t.Helper()
	obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"sh", "-c", text}, Timeout: time.Minute})
	require.NoError(t, err)
	return obs
}

func TestDirWorkspaceRuns(t *testing.T) {
	dir := repository(t, "sub/inner/x", "", "tool", "#!/bin/sh\necho tool\n")
	w := open(t, dir, &plan.DirOptions{Env: []string{"GREETING=hello"}})
	assert.Equal(t, w.Dir()+"\n", shell(t, w, "pwd").Stdout)
	shell(t, w, "echo kept >sub/file")
	assert.Equal(t, "kept\n", shell(t, w.In("sub"), "cat file").Stdout, "what one run writes, the next one reads")
	assert.Equal(t, filepath.Join(w.Dir(), "sub/inner")+"\n", shell(t, w.In("sub/inner"), "pwd").Stdout)
	obs, err := w.In("sub").Run(t.Context(), mend.Command{Argv: []string{"../tool"}})
	require.NoError(t, err)
	assert.Equal(t, "tool\n", obs.Stdout)
	assert.Equal(t, "hello bye\n", func() string {
		obs, err := w.Run(t.Context(), mend.Command{Argv: []string{"sh", "-c", "echo $GREETING $OTHER"}, Env: []string{"OTHER=bye"}})
		require.NoError(t, err)
		return obs.Stdout
	}())
	t.Setenv("SOME_KEY", "secret")
	assert.Equal(t, "\n", shell(t, open(t, dir, nil), "echo $SOME_KEY").Stdout, "no key of the caller's reaches a command")
	assert.Equal(t, os.Getenv("PATH")+"\n", shell(t, w, "echo $PATH").Stdout)
	assert.Equal(t, os.Getenv("HOME")+"\n", shell(t, w, "echo $HOME").Stdout)

	for name, want := range map[string]int{"no-such-program": 127, "./sub": 126} {
		obs, err := w.Run(t.Context(), mend.Command{Argv: []string{name}})
		require.NoError(t, err)
		assert.Equal(t, want, obs.ExitCode, name)
		assert.NotEmpty(t, obs.Stderr)
	}
	require.NoError(t, os.Symlink("/", filepath.Join(dir, "out")))
	for _, missing := range []string{"gone", "tool", "..", "out", "sub/../.."} {
		obs, err := w.In(missing).Run(t.Context(), mend.Command{Argv: []string{"true"}})
		require.NoError(t, err)
		assert.Equal(t, 1, obs.ExitCode, missing)
		assert.Equal(t, "cd: "+missing+": No such file or directory\n", obs.Stderr)
	}
}

func TestDirWorkspaceChanges(t *testing.T) {
	dir := repository(t, "a.txt", "a\n", "b.txt", "b\n", "sub/c.txt", "c\n", "moved.txt", "a file that moves\n", ".gitignore", "*.log\nbuild/\n")
	w := open(t, dir, nil)
	changes := func() map[string]plan.Change {
		t.Helper()
		all, err := w.Changes(t.Context())
		require.NoError(t, err)
		found := make(map[string]plan.Change)
		for _, c := range all {
			require.NotContains(t, found, c.Path)
			found[c.Path] = c
		}
		return found
	}
	assert.Empty(t, changes())
	write(t, dir, "a.txt", "changed\n", "new file.txt", "", "sub/deep/é.txt", "", "x.log", "", "build/out", "")
	require.NoError(t, os.Remove(filepath.Join(dir, "b.txt")))
	git(t, dir, "mv", "moved.txt", "elsewhere.txt")
	write(t, dir, "staged.txt", "")
	git(t, dir, "add", "staged.txt")
	git(t, dir, "commit", "-qm", "a commit of the change", "sub/c.txt", "--allow-empty")
	want := map[string]plan.Change{
		"a.txt": {Path: "a.txt"}, "b.txt": {Path: "b.txt"}, "moved.txt": {Path: "moved.txt"}, "elsewhere.txt": {Path: "elsewhere.txt"}, "staged.txt": {Path: "staged.txt"},
		"new file.txt": {Path: "new file.txt", Untracked: true}, "sub/deep/é.txt": {Path: "sub/deep/é.txt", Untracked: true},
	}
	assert.Equal(t, want, changes())
	git(t, dir, "commit", "-qam", "all of it")
	assert.Equal(t, want, changes(), "the base is where the workspace was opened")

	w = open(t, dir, &plan.DirOptions{Base: "HEAD"})
	assert.Len(t, changes(), 2)
	w = open(t, dir, &plan.DirOptions{Base: "HEAD~2"})
	assert.Equal(t, want, changes())

	require.NoError(t, w.Discard(t.Context(), []string{"a.txt", "b.txt", "staged.txt", "new file.txt", "sub/deep/é.txt", "moved.txt", "elsewhere.txt", "never/was"}))
	assert.Empty(t, changes())
	for name, want := range map[string]string{"a.txt": "a\n", "b.txt": "b\n", "moved.txt": "a file that moves\n"} {
		data, err := fs.ReadFile(w.FS(), name)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
	}
	assert.NoFileExists(t, filepath.Join(dir, "staged.txt"))
	assert.FileExists(t, filepath.Join(dir, "x.log"), "what is ignored stays")

	outside := filepath.Join(filepath.Dir(dir), "outside")
	write(t, filepath.Dir(dir), "outside", "mine")
	require.NoError(t, os.Symlink(filepath.Dir(dir), filepath.Join(dir, "link")))
	for _, bad := range []string{"../outside", "/etc/x", ".git/config", ".git", ".", "", "link/outside"} {
		assert.Error(t, w.Discard(t.Context(), []string{bad}), bad)
	}
	assert.FileExists(t, outside)
	_, err := fs.ReadFile(w.FS(), "link/outside")
	assert.Error(t, err, "no link leads out of the tree")
}

func TestDirWorkspaceWithoutACommit(t *testing.T) {
	needPrograms(t, "git")
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, "a", "", "b", "")
	git(t, dir, "add", "a")
	w := open(t, dir, nil)
	got, err := w.Changes(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []plan.Change{{Path: "a"}, {Path: "b", Untracked: true}}, got)
	require.NoError(t, w.Discard(t.Context(), []string{"a", "b"}))
	got, err = w.Changes(t.Context())
	require.NoError(t, err)
	assert.Empty(t, got)
}

func TestNewDirWorkspaceRefuses(t *testing.T) {
	dir := repository(t, "sub/x", "")
	for name, tt := range map[string]struct{ dir, base string }{
		"no repository":    {t.TempDir(), ""},
		"no directory":     {filepath.Join(dir, "gone"), ""},
		"not the top":      {filepath.Join(dir, "sub"), ""},
		"no such revision": {dir, "no-such-revision"},
		"an option":        {dir, "--all"},
	} {
		_, err := plan.NewDirWorkspace(t.Context(), tt.dir, &plan.DirOptions{Base: tt.base})
		assert.Error(t, err, name)
	}
	w := open(t, dir, nil)
	require.NoError(t, w.Close())
	_, err := w.Run(t.Context(), mend.Command{Argv: []string{"true"}})
	assert.ErrorIs(t, err, os.ErrClosed)
}

// TestDirWorkspaceSettingsRunNothing holds that what a change does to the
// repository's own settings does not make git start anything.
func TestDirWorkspaceSettingsRunNothing(t *testing.T) {
	dir := repository(t, "a", "")
	mark := filepath.Join(t.TempDir(), "ran")
	write(t, dir, "evil.sh", "#!/bin/sh\ntouch "+mark+"\n", "a", "changed", ".git/hooks/post-checkout", "#!/bin/sh\ntouch "+mark+"\n")
	for _, setting := range []string{"core.fsmonitor", "diff.external", "core.pager"} {
		git(t, dir, "config", setting, filepath.Join(dir, "evil.sh"))
	}
	git(t, dir, "config", "core.hooksPath", filepath.Join(dir, ".git/hooks"))
	t.Setenv("GIT_EXTERNAL_DIFF", filepath.Join(dir, "evil.sh"))
	t.Setenv("GIT_DIR", "/nowhere")
	w := open(t, dir, nil)
	got, err := w.Changes(t.Context())
	require.NoError(t, err)
	assert.Len(t, got, 2)
	require.NoError(t, w.Discard(t.Context(), []string{"a"}))
	assert.NoFileExists(t, mark)
}

// TestDirWorkspaceEndsWithItsContext cancels a run once the command has started.
func TestDirWorkspaceEndsWithItsContext(t *testing.T) {
	needPrograms(t, "mkfifo")
	dir := repository(t, "x", "")
	fifo := filepath.Join(dir, "fifo")
	require.NoError(t, exec.Command("mkfifo", fifo).Run())
	w := open(t, dir, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		data, _ := os.ReadFile(fifo) // until the command has written
		if strings.TrimSpace(string(data)) == "up" {
			cancel()
		}
	}()
	start := time.Now()
	r, err := plan.Run(ctx, w, planOf("sh -c 'echo up >fifo; sleep 1000'"), nil)
	assert.Nil(t, r)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Less(t, time.Since(start), time.Minute)
}

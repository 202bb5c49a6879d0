package plan_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

// TestDirWorkspaceBase changes every file, and reads them as they were.
func TestDirWorkspaceBase(t *testing.T) {
	const gate = `{"commands": ["true"]}`
	dir := repository(t, plan.DefaultContractPath, gate, "sub/a b", "one\n", "*", "star\n", "empty", "")
	require.NoError(t, os.Symlink("empty", filepath.Join(dir, "link")))
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "a link")
	write(t, dir, plan.DefaultContractPath, "{}", "sub/a b", "two\n", "new", "")
	require.NoError(t, os.Remove(filepath.Join(dir, "*")))
	w := open(t, dir, nil)
	base := w.BaseFS(t.Context())

	for name, want := range map[string]string{plan.DefaultContractPath: gate, "sub/a b": "one\n", "*": "star\n", "empty": ""} {
		data, err := fs.ReadFile(base, name)
		require.NoError(t, err, name)
		assert.Equal(t, want, string(data))
		info, err := fs.Stat(base, name)
		require.NoError(t, err)
		assert.Equal(t, filepath.Base(name), info.Name())
		assert.EqualValues(t, len(want), info.Size())
		assert.True(t, info.Mode().IsRegular())
	}
	for name, want := range map[string]string{
		"new": "file does not exist", "sub/gone": "file does not exist", "?": "file does not exist",
		"sub": "not a regular file", "link": "not a regular file", ".": "not a regular file", "../x": "invalid argument", "/etc/passwd": "invalid argument",
	} {
		_, err := base.Open(name)
		assert.ErrorContains(t, err, want, name)
	}

	c, err := plan.LoadContract(base, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"true"}, c.Always, "a change does not weaken what it has to pass")
	_, err = plan.LoadContract(base, "new")
	assert.ErrorIs(t, err, plan.ErrNoContract)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.BaseFS(ctx).Open("empty")
	assert.ErrorIs(t, err, context.Canceled)
}

// TestDirWorkspaceBaseOfNothing holds that a tree without a commit has a base without
// files.
func TestDirWorkspaceBaseOfNothing(t *testing.T) {
	needPrograms(t, "git")
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	write(t, dir, plan.DefaultContractPath, "{}")
	_, err := plan.LoadContract(open(t, dir, nil).BaseFS(t.Context()), "")
	assert.ErrorIs(t, err, plan.ErrNoContract)
}

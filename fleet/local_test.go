package fleet_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRealProcesses has two workers mend programs that are installed and run for real.
func TestRealProcesses(t *testing.T) {
	const n = 12
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{AllowPlain: true, Installer: installTool})
	isolation, err := sandbox.Isolation()
	require.NoError(t, err)
	t.Log("sandbox:", isolation)
	f, joined := served(t, "batch", fleet.Options{})
	w := fleet.NewWorker(mend.New(sandbox, nil), mend.BuildFunc("naive", func(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
		return mend.ParseRecipe(fmt.Appendf(nil, "[metadata]\nname = %q\n\n[verify]\ncommand = \"%s --version\"\n", req.Package, req.Package))
	}), nil)
	run(t, open(t, "batch", joined), w, 1)
	got := collect(t, f.CreateAll(within(t), w, requests(0, n), 1))
	assert.Empty(t, got.letters)
	require.Len(t, got.results, n)
	for name, r := range got.results {
		require.Nil(t, r.Failure, name)
		assert.Equal(t, mend.StrengthVersion, r.Strength)
		assert.Equal(t, name+" -V", r.Repair.Repaired)
		_, err := mend.ParseRecipe([]byte(r.Recipe))
		assert.NoError(t, err)
	}
}

// installTool installs a script that rejects --version and shows its version otherwise.
func installTool(_ context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
	script := fmt.Sprintf(`#!/bin/sh
name=%s
case "$1" in
-V) echo "$name 1.2.3" ;;
-h | --help) printf 'Usage: %%s [options] FILE\n\nOptions:\n  -V   show the version\n  -h   show this help\n' "$name" ;;
*) printf '%%s: unknown option %%s\nTry %%s --help\n' "$name" "$1" "$name" >&2; exit 2 ;;
esac
`, r.Metadata.Name)
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return mend.Installed{}, err
	}
	return mend.Installed{Version: "1.2.3"}, os.WriteFile(filepath.Join(bin, r.Metadata.Name), []byte(script), 0o755)
}

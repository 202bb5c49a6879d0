package installer_test

import (
	"errors"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/mendkit/mend/internal/testengine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// picky is a program that does not know --version.
const picky = `#!/bin/sh
case $1 in
-V) echo "picky 1.4.0" ;;
*) echo "picky: unknown option: $1" >&2; echo "Usage: picky [-V]" >&2; exit 2 ;;
esac
`

// mendPicky has the recipe of a release mended that picky is in.
func mendPicky(t *testing.T, sandbox mend.Sandbox, opts *mend.Options) {
	t.Helper()
	entry := program("picky-1.4.0/bin/picky")
	entry.content = picky
	archive := tarGz(t, entry)
	recipe := &mend.Recipe{
		Metadata: mend.Metadata{Name: "picky"},
		Steps: []mend.Step{
			step("download", "url", serve(t, map[string][]byte{"picky.tar.gz": archive})+"/picky.tar.gz", "checksum", sumOf(archive), "version", "1.4.0"),
			step("extract", "archive", "picky.tar.gz", "strip_dirs", int64(1)),
			step("install_binaries", "binaries", list("bin/picky")),
		},
		Verify: &mend.VerifySection{Command: "picky --version", Pattern: "{version}"},
	}
	result, err := mend.New(sandbox, opts).Create(t.Context(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "picky"})
	require.NoError(t, err)
	assert.Equal(t, "picky -V", result.Recipe.Verify.Command)
	assert.Equal(t, mend.StrengthVersion, result.Strength)
}

func TestInstallerOfALocalSandbox(t *testing.T) {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer.New(nil).Install})
	if _, err := sandbox.Isolation(); errors.Is(err, mend.ErrSandboxUnavailable) {
		t.Skipf("programs are only run in isolation: %v", err)
	}
	mendPicky(t, sandbox, nil)
}

func TestInstallerOfAContainer(t *testing.T) {
	engine := testengine.Podman(t)
	contained := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: engine.Client, Image: engine.Image, Installer: installer.New(nil).Install})
	mendPicky(t, contained, nil)
	local := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer.New(nil).Install, AllowPlain: true})
	mendPicky(t, local, &mend.Options{Confirm: contained})
}

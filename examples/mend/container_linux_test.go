package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/testengine"
)

// TestContainer runs tools in real containers: those of the image, those that
// recipes install, and to confirm what the machine shows.
func TestContainer(t *testing.T) {
	engine := testengine.Podman(t)
	frob := read(t, "testdata/tools/frob")
	engine.Import(t, "mend-frob:latest", map[string]string{"opt/frob": frob}, "ENV PATH=/opt:/bin")
	local := "--sandbox=auto"
	if _, err := mend.NewLocalSandbox(nil).Isolation(); err != nil {
		t.Log("what is confirmed runs without isolation first: ", err)
		local = "--sandbox=plain"
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "released"), frob, 0o755)
	const naive = "[metadata]\nname = \"frob\"\nversion = \"1.2\"\n[verify]\ncommand = \"frob --version\"\n"
	steps := fmt.Sprintf("[[steps]]\naction = \"download\"\nurl = \"file://%s/released\"\ndest = \"frob\"\nchecksum = \"sha256:%x\"\n"+
		"[[steps]]\naction = \"install_binaries\"\nbinaries = [\"frob\"]\n", dir, sha256.Sum256([]byte(frob)))

	const in, confirm = "--sandbox=container", "--confirm=container"
	for _, tt := range []struct {
		name, recipe string
		flags        []string
		code         int
		want, label  string
	}{
		{"of the image", naive, []string{in, "--image=mend-frob:latest"}, exitOK, `frob -V ~ "frob {version}" (by documented_version)`, `"container mend-frob:latest"`},
		{"not in the image", naive, []string{in, "--image=" + engine.Image}, exitFailed, "saw 127", `"container mend-test:latest"`},
		{"installed", steps + naive, []string{in, "--install", "--image=" + engine.Image}, exitOK, `frob -V ~ "frob {version}" (by documented_version)`, `"container mend-test:latest"`},
		{"confirmed", naive, []string{local, confirm, "--image=mend-frob:latest"}, exitOK, "by documented_version", `, confirmed in container mend-frob:latest"`},
		{"not confirmed", naive, []string{local, confirm, "--image=" + engine.Image}, exitFailed, "passes in the sandbox, but not where it is confirmed", `, confirmed in container mend-test:latest"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "frob.toml")
			for _, more := range [][]string{{"--json", "--diff"}, nil} { // the second one writes
				write(t, file, tt.recipe, 0o644)
				cmd := contained(t, engine, append(append([]string{"fix", file}, tt.flags...), more...)...)
				var complaint strings.Builder
				cmd.Stderr = &complaint
				out, _ := cmd.Output() // the code says more
				require.Equal(t, tt.code, cmd.ProcessState.ExitCode(), "%s%s", out, complaint.String())
				if more == nil {
					assert.Contains(t, string(out), tt.want)
				} else {
					assert.Contains(t, string(out), tt.label)
				}
			}
			assert.Equal(t, tt.code == exitOK, strings.Contains(read(t, file), `command = "frob -V"`))
		})
	}
	t.Run("not confirmed, explained", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "frob.toml")
		write(t, file, naive, 0o644)
		cmd := contained(t, engine, "explain", file, local, confirm, "--image="+engine.Image)
		out, err := cmd.Output()
		require.Error(t, err)
		assert.Contains(t, string(out), "The output says of the install: working", "of this machine's")
		assert.Contains(t, string(out), "✗ refused: it does not pass where it is confirmed")
		assert.Contains(t, string(out), "frob: not found", "what the container's says, at the end")
	})
	out, err := engine.Run("ps", "--all", "--quiet")
	require.NoError(t, err, out)
	assert.Empty(t, out, "no container is left")
}

// contained returns the program with the test's engine.
func contained(t *testing.T, engine testengine.Engine, args ...string) *exec.Cmd {
	cmd := program(t, "mend", append(args, "--timeout=1m", "--engine="+strings.Join(engine.Client, " "))...)
	cmd.Env = append(cmd.Env, "CONTAINERS_CONF="+os.Getenv("CONTAINERS_CONF"))
	return cmd
}

package testengine

import (
	"os"
	"path/filepath"
	"testing"
)

// conf is for machines on which nobody may raise limits, and whose control groups
// are of two kinds at once.
const conf = `[containers]
default_ulimits = []

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`

// Podman returns Podman. Where it does not work, the test is skipped, with the
// reason. It sets CONTAINERS_CONF, so that the test cannot be parallel.
func Podman(t testing.TB) Engine {
	t.Helper()
	need(t, "podman", "runc")
	dir := shortDir(t)
	e := Engine{Client: []string{"podman", "--storage-driver=vfs"}, Image: image} // other drivers leave mounts
	for _, name := range []string{"root", "runroot", "tmpdir"} {
		e.Client = append(e.Client, "--"+name+"="+filepath.Join(dir, name))
	}
	t.Cleanup(func() {
		if out, err := e.Run("rm", "--all", "--force"); err != nil {
			t.Errorf("removing what the test left: %v: %s", err, out)
		}
	})
	file := filepath.Join(dir, "containers.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONTAINERS_CONF", file)
	e.Import(t, e.Image, nil)
	if out, err := e.Run("run", "--rm", "--network=none", e.Image, "true"); err != nil {
		t.Skipf("no containers are tested: podman cannot start one here: %v: %s", err, out)
	}
	return e
}

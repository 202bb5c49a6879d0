// Package testpodman gives tests a container engine of their own, with an image
// that needs no registry.
package testpodman

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Podman is an engine with a store of its own.
type Podman struct {
	Engine []string // the client and its global arguments
	Image  string   // BusyBox, and nothing else; has been imported
}

// conf is for machines on which nobody may raise limits, and whose control groups
// are of two kinds at once.
const conf = `[containers]
default_ulimits = []

[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
`

// New sets an engine up in a directory that goes with the test. Where that cannot
// be done, the test is skipped, with the reason. It sets CONTAINERS_CONF, so that
// the test cannot be parallel.
func New(t testing.TB) Podman {
	t.Helper()
	for _, program := range []string{"podman", "runc"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no containers are tested: %v", err)
		}
	}
	busybox, err := staticBusyBox()
	if err != nil {
		t.Skipf("no containers are tested: there is no image without a static BusyBox: %v", err)
	}
	dir, err := os.MkdirTemp("", "mend-podman-") // the path of a socket in it must be short
	if err != nil {
		t.Fatal(err)
	}
	p := Podman{Image: "mend-test:latest"}
	p.Engine = []string{"podman", "--storage-driver=vfs"} // the others leave mounts
	for _, name := range []string{"root", "runroot", "tmpdir"} {
		p.Engine = append(p.Engine, "--"+name+"="+filepath.Join(dir, name))
	}
	t.Cleanup(func() {
		if out, err := p.Run("rm", "--all", "--force"); err != nil {
			t.Errorf("removing what the test left: %v: %s", err, out)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	file := filepath.Join(dir, "containers.conf")
	if err := os.WriteFile(file, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CONTAINERS_CONF", file)
	p.Import(t, p.Image, busybox, nil)
	if out, err := p.Run("run", "--rm", "--network=none", p.Image, "true"); err != nil {
		t.Skipf("no containers are tested: podman cannot start one here: %v: %s", err, out)
	}
	return p
}

// Run runs the client and returns all that it printed.
func (p Podman) Run(args ...string) (string, error) {
	args = slices.Concat(p.Engine, args)
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	return string(out), err
}

// Import makes an image of BusyBox and files, by path; those without content are
// directories. Each change is an instruction of a Containerfile.
func (p Podman) Import(t testing.TB, name, busybox string, files map[string]string, changes ...string) {
	t.Helper()
	archive := filepath.Join(t.TempDir(), "image.tar")
	tree, err := rootTree(busybox, files)
	if err == nil {
		err = os.WriteFile(archive, tree, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"import"}
	for _, change := range changes {
		args = append(args, "--change="+change)
	}
	if out, err := p.Run(append(args, archive, name)...); err != nil {
		t.Skipf("no containers are tested: podman cannot import an image here: %v: %s", err, out)
	}
}

// staticBusyBox returns the path of a BusyBox that needs no library.
func staticBusyBox() (string, error) {
	path, err := exec.LookPath("busybox")
	if err != nil {
		return "", err
	}
	f, err := elf.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "", fmt.Errorf("%s is not static", path)
		}
	}
	return path, nil
}

// rootTree returns the archive of a root file system.
func rootTree(busybox string, files map[string]string) ([]byte, error) {
	program, err := os.ReadFile(busybox)
	if err != nil {
		return nil, err
	}
	applets, err := exec.Command(busybox, "--list").Output()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h *tar.Header, content string) {
		h.Size = int64(len(content))
		if err == nil {
			err = w.WriteHeader(h)
		}
		if err == nil {
			_, err = w.Write([]byte(content))
		}
	}
	for dir, mode := range map[string]int64{"bin": 0o755, "etc": 0o755, "dev": 0o755, "proc": 0o755, "sys": 0o755, "run": 0o755, "tmp": 0o1777, "var": 0o755, "var/tmp": 0o1777} {
		add(&tar.Header{Name: dir + "/", Typeflag: tar.TypeDir, Mode: mode}, "")
	}
	add(&tar.Header{Name: "bin/busybox", Typeflag: tar.TypeReg, Mode: 0o755}, string(program))
	for _, applet := range strings.Fields(string(applets)) {
		if applet != "busybox" {
			add(&tar.Header{Name: "bin/" + applet, Typeflag: tar.TypeSymlink, Linkname: "busybox"}, "")
		}
	}
	for name, content := range files {
		if content == "" {
			add(&tar.Header{Name: name + "/", Typeflag: tar.TypeDir, Mode: 0o777}, "")
			continue
		}
		add(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755}, content)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// Package testengine gives tests a container engine of their own, with an image
// that needs no registry.
package testengine

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Engine is a container engine with a store of its own, that goes with its test.
type Engine struct {
	Client []string // the client and its global arguments
	Image  string   // BusyBox and nothing else; has been imported
}

// image is the name of the image that is there.
const image = "mend-test:latest"

// Run runs the client and returns all that it printed.
func (e Engine) Run(args ...string) (string, error) {
	line := slices.Concat(e.Client, args)
	out, err := exec.Command(line[0], line[1:]...).CombinedOutput()
	return string(out), err
}

// Import makes an image of BusyBox and scripts, by path; one without content is a
// directory that everybody may write to. Each change is an instruction of a
// Containerfile.
func (e Engine) Import(t testing.TB, name string, scripts map[string]string, changes ...string) {
	t.Helper()
	archive := filepath.Join(t.TempDir(), "image.tar")
	tree, err := rootTree(scripts)
	if err == nil {
		err = os.WriteFile(archive, tree, 0o644)
	}
	if err != nil {
		t.Skipf("no containers are tested: there is no image without a static BusyBox: %v", err)
	}
	args := []string{"import"}
	for _, change := range changes {
		args = append(args, "--change="+change)
	}
	if out, err := e.Run(append(args, archive, name)...); err != nil {
		t.Skipf("no containers are tested: %s cannot import an image here: %v: %s", e.Client[0], err, out)
	}
}

// need skips the test without all of the programs.
func need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no containers are tested: %v", err)
		}
	}
}

// shortDir returns a directory that goes with the test, after what is cleaned up
// later, and whose path is short enough for a socket in it.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mend-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

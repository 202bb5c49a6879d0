package testengine

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

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

// rootTree returns the archive of a root file system of BusyBox and scripts.
func rootTree(scripts map[string]string) ([]byte, error) {
	busybox, err := staticBusyBox()
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(busybox)
	if err != nil {
		return nil, err
	}
	applets, err := exec.Command(busybox, "--list").Output()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	tree := treeWriter{Writer: tar.NewWriter(&b), dirs: map[string]bool{}}
	for _, dir := range []string{"bin", "etc", "dev", "proc", "sys", "run", "var"} {
		tree.add(&tar.Header{Name: dir + "/", Typeflag: tar.TypeDir, Mode: 0o755}, "")
	}
	for _, dir := range []string{"tmp", "var/tmp"} {
		tree.add(&tar.Header{Name: dir + "/", Typeflag: tar.TypeDir, Mode: 0o1777}, "")
	}
	tree.add(&tar.Header{Name: "bin/busybox", Typeflag: tar.TypeReg, Mode: 0o755}, string(program))
	for applet := range strings.FieldsSeq(string(applets)) {
		if applet != "busybox" {
			tree.add(&tar.Header{Name: "bin/" + applet, Typeflag: tar.TypeSymlink, Linkname: "busybox"}, "")
		}
	}
	for name, content := range scripts {
		if content == "" {
			tree.add(&tar.Header{Name: name + "/", Typeflag: tar.TypeDir, Mode: 0o777}, "")
			continue
		}
		for i, c := range name { // an engine that makes them itself lets only root in
			if c == '/' {
				tree.add(&tar.Header{Name: name[:i+1], Typeflag: tar.TypeDir, Mode: 0o755}, "")
			}
		}
		tree.add(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755}, content)
	}
	if tree.err == nil {
		tree.err = tree.Close()
	}
	return b.Bytes(), tree.err
}

// treeWriter keeps the first error, and writes a directory once: an engine refuses an
// archive that has one twice.
type treeWriter struct {
	*tar.Writer
	dirs map[string]bool
	err  error
}

func (w *treeWriter) add(h *tar.Header, content string) {
	if h.Typeflag == tar.TypeDir {
		if w.dirs[h.Name] {
			return
		}
		w.dirs[h.Name] = true
	}
	h.Size = int64(len(content))
	if w.err == nil {
		w.err = w.WriteHeader(h)
	}
	if w.err == nil {
		_, w.err = w.Write([]byte(content))
	}
}

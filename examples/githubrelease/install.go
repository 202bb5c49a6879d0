package main

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mendkit/mend"
)

// installer performs the steps that the builder writes, for
// [mend.LocalOptions.Installer].
//
// What it returns decides what is repaired. Evidence about the recipe is a
// *mend.InstallError: an address that the server refuses for good (404, 403 …),
// another checksum, an archive that is none or is not safe to unpack, a binary
// that is not in it. All else is a plain error, which ends the request and is
// never shown to a model: no connection or one that broke off, a server in trouble
// (5xx) or out of patience (429), a disk that is full.
type installer struct {
	client *http.Client
	bounds bounds
	host   platform
}

func newInstaller(client *http.Client) *installer {
	return &installer{client: client, bounds: defaultBounds, host: host()}
}

// Install performs a recipe's steps below dir.
func (in *installer) Install(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
	w := &work{installer: in, tree: &tree{kinds: make(map[string]byte), limit: in.bounds.members}}
	defer w.close()
	if err := w.open(dir); err != nil {
		return mend.Installed{}, err
	}
	performed := 0
	for i, s := range r.Steps {
		if !in.host.takes(s) {
			continue
		}
		performed++
		if err := w.perform(ctx, s); err != nil {
			return mend.Installed{}, in.failed(ctx, i, s, err)
		}
	}
	if performed == 0 {
		return mend.Installed{}, &mend.InstallError{Step: -1, Err: fmt.Errorf("no step is for %s", in.host)}
	}
	return mend.Installed{Version: w.version, Dir: filepath.Join(dir, treeDir)}, nil
}

// failed tells evidence from what only went wrong.
func (in *installer) failed(ctx context.Context, i int, s mend.Step, err error) error {
	var f *fault
	if ctx.Err() == nil && errors.As(err, &f) {
		return &mend.InstallError{Step: i, Action: s.Action, Stderr: f.detail, Err: err}
	}
	return fmt.Errorf("step %d (%s): %w", i, s.Action, err)
}

// Where things are below the directory of an install. Programs are shown the tree
// only.
const (
	downloadDir = "download"
	treeDir     = "tool"
)

// work is the state of one install.
type work struct {
	*installer
	downloads *os.Root
	tree      *tree
	version   string
}

func (w *work) open(dir string) error {
	var err error
	if w.downloads, err = openDir(filepath.Join(dir, downloadDir)); err != nil {
		return err
	}
	w.tree.root, err = openDir(filepath.Join(dir, treeDir))
	return err
}

// openDir makes a directory that every user can read, whatever the umask.
func openDir(dir string) (*os.Root, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// close closes the directories. The archive is not needed any more.
func (w *work) close() {
	for _, root := range []*os.Root{w.downloads, w.tree.root} {
		if root != nil {
			root.Close()
		}
	}
	if w.downloads != nil {
		os.RemoveAll(w.downloads.Name()) // what stays is removed with the install
	}
}

func (w *work) perform(ctx context.Context, s mend.Step) error {
	switch s.Action {
	case "download":
		return w.download(ctx, s)
	case "extract":
		return w.extract(ctx, s)
	case "install_binaries":
		return w.installBinaries(s)
	}
	return faultf("the action %q is unknown", s.Action)
}

// download fetches a file, and verifies its checksum before anybody reads it.
func (w *work) download(ctx context.Context, s mend.Step) error {
	address, _ := s.Params["url"].(string)
	checksum, _ := s.Params["checksum"].(string)
	want, ok := strings.CutPrefix(checksum, "sha256:")
	if !ok || !sha256Hex.MatchString(want) {
		return faultf("the step needs a checksum such as sha256:…, and has %q", checksum)
	}
	name, err := fileOf(address)
	if err != nil {
		return &fault{err: err}
	}
	body, err := get(ctx, w.client, address, "application/octet-stream")
	var refused *statusError
	if errors.As(err, &refused) && refused.final() {
		return faultf("download failed: %w", err)
	}
	if err != nil {
		return err
	}
	defer body.Close()
	hash := sha256.New()
	counted := &io.LimitedReader{R: body, N: w.bounds.download + 1}
	if err := writeFile(w.downloads, name, 0o600, io.TeeReader(counted, hash)); err != nil {
		return err
	}
	if counted.N == 0 {
		return faultf("download failed: %s has more than %d bytes", name, w.bounds.download)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); !strings.EqualFold(got, want) {
		return faultf("checksum mismatch of %s: expected sha256:%s but got sha256:%s", name, want, got)
	}
	w.version, _ = s.Params["version"].(string)
	return nil
}

// extract unpacks what was downloaded.
func (w *work) extract(ctx context.Context, s mend.Step) error {
	name, _ := s.Params["archive"].(string)
	if format, _ := s.Params["format"].(string); format != formatTarGz {
		return faultf("extraction failed: the format %q is unknown", format)
	}
	strip, _ := s.Params["strip_dirs"].(int64)
	if strip < 0 || strip > maxStrip {
		return faultf("extraction failed: strip_dirs is %d", strip)
	}
	if !fs.ValidPath(name) {
		return faultf("extraction failed: %q is no name of a file", name)
	}
	archive, err := w.downloads.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return faultf("extraction failed: %q was not downloaded", name)
	}
	if err != nil {
		return err
	}
	defer archive.Close()
	w.tree.strip = int(strip)
	return walk(ctx, archive, w.bounds, w.tree.add)
}

// installBinaries makes programs of files of the tree, and puts them where they
// are found. The tree stays, for what they need beside them.
func (w *work) installBinaries(s mend.Step) error {
	binaries, _ := s.Params["binaries"].([]any)
	if len(binaries) == 0 {
		return faultf("the step names no binaries")
	}
	for _, b := range binaries {
		name, ok := b.(string)
		if !ok || !fs.ValidPath(name) {
			return faultf("%v is no path inside the archive", b)
		}
		if err := w.installBinary(name); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) installBinary(name string) error {
	root := w.tree.root
	info, err := root.Stat(name) // follows links, but not out of the tree
	if err != nil || !info.Mode().IsRegular() {
		return &fault{
			err:    fmt.Errorf("the binary %q was not found in the archive, with its leading directories left out", name),
			detail: "the archive holds: " + strings.Join(w.tree.files(), ", "),
		}
	}
	installed := path.Join("bin", path.Base(name))
	if installed == name {
		return root.Chmod(name, 0o755)
	}
	if _, taken := w.tree.kinds[installed]; taken {
		return faultf("the binary %q would take the place of %q", name, installed)
	}
	if err := w.tree.mkdir("bin"); err != nil {
		return err
	}
	program, err := root.Open(name)
	if err != nil {
		return err
	}
	defer program.Close()
	w.tree.kinds[installed] = tar.TypeReg
	return writeFile(root, installed, 0o755, program)
}

// files returns the names of what was unpacked, directories aside.
func (t *tree) files() []string {
	var names []string
	for name, kind := range t.kinds {
		if kind != tar.TypeDir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > maxListed {
		names = append(names[:maxListed], fmt.Sprintf("and %d more", len(names)-maxListed))
	}
	return names
}

package installer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/mendkit/mend"
)

// Installer performs the steps of recipes. It is safe for concurrent use, and its
// Install is a [mend.Installer].
type Installer struct {
	opts   Options
	client *http.Client
}

// Options configures an [Installer]. A zero field means its default.
type Options struct {
	// Client asks for downloads; nil means one without a limit for the whole answer,
	// since an archive may be large and a line slow. Redirects are checked whatever it
	// says.
	Client *http.Client

	// AllowHTTP permits downloads without encryption from other machines than this one.
	// The checksum keeps them from being changed, and nothing keeps them from being seen.
	AllowHTTP bool

	// Attempts is how often a download is tried that the network or the server breaks
	// off; 0 means 5. An attempt that brings a megabyte does not count.
	Attempts int

	// Backoff is how long to wait before the second attempt; 0 means half a second. It
	// doubles with each, up to 30 seconds. A server may ask for another time in between.
	Backoff time.Duration

	// Stall is how long a server may be silent, or send less than 4 KiB, before the
	// attempt is given up; 0 means 30 seconds.
	Stall time.Duration

	// Limits bound what an install may cost.
	Limits Limits

	// Platform is what steps are chosen for, and what {os} and {arch} stand for.
	Platform Platform

	// Version returns what {version} stands for in recipes whose steps do not say it;
	// nil means that it is not known.
	Version func(*mend.Recipe) string
}

// New returns an installer. nil options are valid.
func New(opts *Options) *Installer {
	in := &Installer{}
	if opts != nil {
		in.opts = *opts
	}
	o := &in.opts
	o.Attempts = cmp.Or(max(o.Attempts, 0), 5)
	o.Backoff = cmp.Or(max(o.Backoff, 0), 500*time.Millisecond)
	o.Stall = cmp.Or(max(o.Stall, 0), 30*time.Second)
	o.Limits, o.Platform = o.Limits.withDefaults(), o.Platform.withDefaults()
	in.client = in.checkedClient(o.Client)
	return in
}

// Where things are below the directory of an install. Programs are shown the tree
// only.
const (
	downloadDir = "download"
	treeDir     = "tool"
)

// Install performs the recipe's steps below dir, an empty directory. It is a
// [mend.Installer]: a step that fails for what it says is a *[mend.InstallError], and
// any other error says that nothing was learned. When ctx ends, it stops and returns
// ctx's error.
func (in *Installer) Install(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
	w := &work{Installer: in}
	defer w.close()
	if err := w.open(dir); err != nil {
		return mend.Installed{}, err
	}
	if in.opts.Version != nil {
		w.version = in.opts.Version(r)
	}
	performed := 0
	for i, s := range r.Steps {
		if !in.opts.Platform.takes(s) {
			continue
		}
		performed++
		if err := w.perform(ctx, s); err != nil {
			return mend.Installed{}, failed(ctx, i, s, err)
		}
	}
	if performed == 0 {
		return mend.Installed{}, &mend.InstallError{Step: -1, Err: fmt.Errorf("no step is for %s", in.opts.Platform)}
	}
	return mend.Installed{Version: w.version, Dir: filepath.Join(dir, treeDir)}, nil
}

// failed tells evidence from what only went wrong.
func failed(ctx context.Context, i int, s mend.Step, err error) error {
	var f *fault
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
		if !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%w: %w", ctx.Err(), err)
		}
	case errors.As(err, &f):
		return &mend.InstallError{Step: i, Action: s.Action, Stderr: f.detail, Err: err}
	}
	return fmt.Errorf("step %d (%s): %w", i, s.Action, err)
}

// work is the state of one install.
type work struct {
	*Installer
	downloads *os.Root
	tree      *tree
	version   string // "" until it is known
}

func (w *work) open(dir string) (err error) {
	if w.downloads, err = openDir(filepath.Join(dir, downloadDir)); err != nil {
		return err
	}
	root, err := openDir(filepath.Join(dir, treeDir))
	w.tree = newTree(root, w.opts.Limits.Members)
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

// close closes the directories. What was downloaded is not needed any more.
func (w *work) close() {
	if w.downloads != nil {
		w.downloads.Close()
		os.RemoveAll(w.downloads.Name()) // what stays is removed with the install
	}
	if w.tree != nil && w.tree.root != nil {
		w.tree.root.Close()
	}
}

// perform performs one step.
func (w *work) perform(ctx context.Context, s mend.Step) error {
	p := w.params(s)
	switch s.Action {
	case "download", "download_file":
		_, err := w.download(ctx, p)
		return err
	case "extract":
		return w.extract(ctx, p, p.name("archive"))
	case "download_archive":
		archive, err := w.download(ctx, p)
		if err == nil {
			err = w.extract(ctx, p, archive)
		}
		if err == nil && (p.has("binaries") || p.has("outputs")) {
			err = w.installBinaries(p)
		}
		return err
	case "chmod":
		return w.chmod(p)
	case "install_binaries":
		return w.installBinaries(p)
	}
	return faultf("the action %q is unknown; download, extract, download_archive, chmod and install_binaries are known", s.Action)
}

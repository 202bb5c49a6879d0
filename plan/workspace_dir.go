package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mendkit/mend"
)

// DirWorkspace is a [Workspace] on this machine: the work tree of a git
// repository, in which commands run as plain processes. They are shut in by
// nothing, can write wherever the caller can and use the network, so give it
// trees that are trusted, or a machine that is not. A time limit ends the whole
// process tree, and so does the end of ctx. It takes git.
//
// A command gets the caller's PATH, HOME and the variables that say where
// toolchains and their caches are, and no others: no key of the caller's reaches a
// test. It is safe for concurrent use as far as the commands are.
type DirWorkspace struct {
	dir  string // absolute, without symbolic links
	root *os.Root
	git  gitTree
	env  []string

	mu     sync.Mutex
	envs   map[string]mend.Environment // by directory; nil once closed
	output int
}

// DirOptions configures a [DirWorkspace]. The zero value of each field is its
// default.
type DirOptions struct {
	Base        string   // revision that changes are told against; "" means HEAD, or an empty tree if there is no commit
	Env         []string // NAME=value, added to what commands get
	OutputLimit int      // bytes of each stream that are kept; 0 means 262,144
}

// inherited are the variables of the caller's that commands get: where tools and
// what they fetched are. None of them holds a secret.
var inherited = []string{
	"PATH", "HOME", "GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOTOOLCHAIN", "GOFLAGS", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME",
	"PYENV_ROOT", "VIRTUAL_ENV", "NVM_DIR", "VOLTA_HOME", "GEM_HOME", "GEM_PATH", "DOTNET_ROOT", "SystemRoot", "PATHEXT",
}

// NewDirWorkspace returns the workspace of a directory, which has to be the top of
// a git work tree. nil options are valid. Close it when no command runs any more;
// the tree stays.
func NewDirWorkspace(ctx context.Context, dir string, opts *DirOptions) (*DirWorkspace, error) {
	if opts == nil {
		opts = &DirOptions{}
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	w := &DirWorkspace{dir: dir, git: gitTree{dir: dir}, envs: make(map[string]mend.Environment), output: opts.OutputLimit}
	if err := w.git.open(ctx, opts.Base); err != nil {
		return nil, fmt.Errorf("workspace %s: %w", dir, err)
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			w.env = append(w.env, name+"="+value)
		}
	}
	w.env = append(w.env, opts.Env...)
	if w.root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	return w, nil
}

// Dir returns the absolute path of the tree, without symbolic links.
func (w *DirWorkspace) Dir() string { return w.dir }

// Installed implements [mend.Environment]. Nothing is.
func (w *DirWorkspace) Installed() mend.Installed { return mend.Installed{} }

// Run implements [mend.Environment], at the root of the tree.
func (w *DirWorkspace) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return w.In("").Run(ctx, cmd)
}

// In implements [Workspace].
func (w *DirWorkspace) In(dir string) mend.Environment { return &dirEnvironment{w, dir} }

// FS implements [Workspace]. No symbolic link leads out of it.
func (w *DirWorkspace) FS() fs.FS { return w.root.FS() }

// Changes implements [Workspace]. What git ignores is left out.
func (w *DirWorkspace) Changes(ctx context.Context) ([]Change, error) { return w.git.changes(ctx) }

// Discard implements [Workspace]. A path that leaves the tree, and git's own
// files, are an error.
func (w *DirWorkspace) Discard(ctx context.Context, paths []string) error {
	for _, name := range paths {
		if !fs.ValidPath(name) || name == "." || name == ".git" || strings.HasPrefix(name, ".git/") {
			return &fs.PathError{Op: "discard", Path: name, Err: fs.ErrInvalid}
		}
		known, err := w.git.restore(ctx, name)
		if err == nil && !known {
			err = w.root.RemoveAll(filepath.FromSlash(name))
		}
		if err != nil {
			return fmt.Errorf("discard %s: %w", name, err)
		}
	}
	return nil
}

// Close implements [mend.Environment]. It leaves the tree as it is.
func (w *DirWorkspace) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.envs == nil {
		return nil
	}
	errs := []error{w.root.Close()}
	for _, env := range w.envs {
		errs = append(errs, env.Close())
	}
	w.envs = nil
	return errors.Join(errs...)
}

// at returns the environment that starts programs in a directory of this machine.
func (w *DirWorkspace) at(ctx context.Context, dir string) (mend.Environment, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.envs == nil {
		return nil, fmt.Errorf("workspace %s: %w", w.dir, os.ErrClosed)
	}
	if env, ok := w.envs[dir]; ok {
		return env, nil
	}
	env, err := mend.NewLocalSandbox(&mend.LocalOptions{Work: dir, OutputLimit: w.output}).Install(ctx, nil)
	if err == nil {
		w.envs[dir] = env
	}
	return env, err
}

// dirEnvironment is one directory of a DirWorkspace.
type dirEnvironment struct {
	workspace *DirWorkspace
	dir       string
}

func (e *dirEnvironment) Installed() mend.Installed { return mend.Installed{} }

// Run starts a program in the directory, if it is one of the tree.
func (e *dirEnvironment) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	w := e.workspace
	name := treePath(e.dir)
	if info, err := w.root.Stat(filepath.FromSlash(dirName(name))); err != nil || !info.IsDir() {
		if errors.Is(err, os.ErrClosed) {
			return mend.Observation{}, err
		}
		return mend.Observation{Argv: cmd.Argv, ExitCode: 1, Stderr: fmt.Sprintf("cd: %s: No such file or directory\n", e.dir)}, nil
	}
	env, err := w.at(ctx, filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		return mend.Observation{}, err
	}
	all := append(append([]string{}, w.env...), cmd.Env...)
	return env.Run(ctx, mend.Command{Argv: cmd.Argv, Env: all, Timeout: cmd.Timeout})
}

func (e *dirEnvironment) Close() error { return nil }

package mend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mendkit/mend/internal/tempdir"
)

// Isolation is how well a [LocalSandbox] shuts programs in. A greater one hides
// and prevents more.
type Isolation int

// The levels of isolation.
const (
	// IsolationNone stands for none at all. It is the zero value.
	IsolationNone Isolation = iota
	// IsolationPlain is plain processes: fresh directories, a clean environment, a
	// time limit, and nothing else. A program can read and write whatever the
	// caller can, and use the network.
	IsolationPlain
	// IsolationNamespaces is namespaces of its own for every run, without network,
	// and Landlock: a program reads the system's directories and the install only,
	// and writes only in its fresh directories. It can still see the names, sizes
	// and modes of other files, change modes and times of those that its user owns,
	// and see what processes there are. It runs as the user nobody, which for a
	// caller other than root is only a name: to the kernel it is the caller.
	IsolationNamespaces
	// IsolationBubblewrap is a bubblewrap sandbox for every run: all namespaces, no
	// capabilities, and a file system that holds nothing but the system's
	// directories and the install, both read-only, and size-limited fresh memory.
	// It runs as the user nobody, as above.
	IsolationBubblewrap
)

// String returns the level's name, as "bubblewrap".
func (i Isolation) String() string {
	names := [...]string{"none", "plain", "namespaces", "bubblewrap"}
	if i < 0 || int(i) >= len(names) {
		return "Isolation(" + strconv.Itoa(int(i)) + ")"
	}
	return names[i]
}

// nobody is the user and group id that programs have in a sandbox.
const nobody = 65534

const (
	// roomSize is how many bytes a program may write to HOME, TMPDIR and its working
	// directory together, and spareSize to each of the other places for temporary
	// files, in a sandbox with a file system of its own. Both are memory.
	roomSize  = 512 << 20
	spareSize = 64 << 20

	// room is where the fresh directories are in such a sandbox. No system has such a
	// directory, so that nothing else is ever bound into it.
	room = "/sandbox"
)

// systemPath is where programs that nobody installed are looked for.
var systemPath = []string{
	"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
	"/run/current-system/sw/bin", // NixOS has nearly nothing in the others
}

// tier starts programs at one level of isolation.
type tier interface {
	level() Isolation

	// furnish gets a place ready for programs, when nothing will be added to it.
	furnish(p *place) error

	// launch returns how to start argv in a fresh state of the place, or why that
	// program cannot be started, or that nothing can. Calls may run concurrently.
	launch(p *place, argv, env []string) (*launch, *refusal, error)
}

// tierChoice is a tier that may work here.
type tierChoice struct {
	level Isolation
	make  func() (tier, error)
}

// place is what one install occupies. It does not change while programs run.
type place struct {
	dir  *tempdir.Dir
	root string   // the same, absolute and without symbolic links
	path []string // directories in which programs are looked for, first one first
	show []string // directories, beside the system's, that programs may read

	roots     []string // all directories that programs may read, for a view; set by furnish
	options   []string // bubblewrap's for this place; set by furnish
	closeUpTo int      // the highest of our file descriptors that a program would inherit

	mu   sync.Mutex
	busy []bool // by number: whether a run has these fresh directories
}

// placePrefix is what the names of places begin with.
const placePrefix = "mend-"

// newPlace creates an empty place in dir, or in the directory for temporary files
// if dir is "", with the permissions perm. That of a process which did not come to remove
// it is removed by the next one; see [tempdir.RemoveOrphans].
func newPlace(dir string, perm os.FileMode) (*place, error) {
	d, err := tempdir.New(dir, placePrefix)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(d.Path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err == nil {
		err = os.Chmod(real, perm)
	}
	if err != nil {
		_ = d.Remove() // what failed before says more
		return nil, err
	}
	return &place{dir: d, root: real}, nil
}

// install has an Installer fill a directory of the place, and says what it
// installed; nobody fills any if there is none. What failed when ctx ended says
// nothing about the recipe.
func (p *place) install(ctx context.Context, installer Installer, r *Recipe) (installed Installed, err error) {
	if installer != nil {
		dir := filepath.Join(p.root, "install")
		if err = os.Mkdir(dir, 0o755); err == nil {
			installed, err = installer(ctx, r, dir)
		}
		installed.Dir = cmp.Or(installed.Dir, dir)
	}
	if ctx.Err() != nil {
		return Installed{}, contextError(ctx)
	}
	return installed, err
}

// open makes the installed directory and others visible to programs, and lets them
// be found there. An installed directory of "" is none.
func (p *place) open(installed string, path, visible []string) error {
	var first []string
	if installed != "" {
		first = []string{installed}
	}
	for _, dir := range slices.Concat(first, path, visible) {
		real, err := filepath.EvalSymlinks(dir)
		switch {
		case err != nil:
			return err
		case !filepath.IsAbs(dir) || real == "/":
			return fmt.Errorf("%q cannot be made visible to programs: it has to be absolute, and below the root", dir)
		}
		if p.show = append(p.show, filepath.Clean(dir)); real != filepath.Clean(dir) {
			p.show = append(p.show, real)
		}
	}
	p.path = slices.Concat(programDirs(installed), path, slices.DeleteFunc(slices.Clone(systemPath), isMissing))
	return nil
}

// programDirs returns where an install has its programs: in its bin, if it has one,
// then in itself.
func programDirs(installed string) []string {
	if installed == "" {
		return nil
	}
	bin := filepath.Join(installed, "bin")
	if info, err := os.Stat(bin); err != nil || !info.IsDir() {
		return []string{installed}
	}
	return []string{bin, installed}
}

func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// write writes a file of the place that everybody may read who gets to see it.
func (p *place) write(name, content string) error {
	file := filepath.Join(p.root, name)
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		return err
	}
	return os.Chmod(file, 0o644) // whatever the umask
}

// remove removes the place and all in it.
func (p *place) remove() error { return p.dir.Remove() }

// fresh is the three empty directories of one run.
type fresh struct{ dir, home, tmp, work string }

// freshIn names them, below dir.
func freshIn(dir string) fresh {
	return fresh{
		dir:  dir,
		home: filepath.Join(dir, "home"),
		tmp:  filepath.Join(dir, "tmp"),
		work: filepath.Join(dir, "work"),
	}
}

// acquire creates fresh directories in the place, and returns what gives them
// back. Runs that follow each other get the same names, so that a program which
// prints its HOME prints the same every time.
func (p *place) acquire(owner int) (fresh, func(), error) {
	p.mu.Lock()
	n := slices.Index(p.busy, false)
	if n < 0 {
		n, p.busy = len(p.busy), append(p.busy, false)
	}
	p.busy[n] = true
	p.mu.Unlock()
	f := freshIn(filepath.Join(p.root, "run", strconv.Itoa(n)))
	release := func() {
		if tempdir.RemoveAll(f.dir) != nil {
			return // never to be used again
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.busy[n] = false
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		release()
		return f, nil, err
	}
	for _, dir := range []string{f.home, f.tmp, f.work} {
		err := os.Mkdir(dir, 0o700)
		if err == nil && owner != 0 {
			err = os.Chown(dir, owner, owner)
		}
		if err != nil {
			release()
			return f, nil, err
		}
	}
	return f, release, nil
}

// runVariable names a run's fresh directories to all that it starts, where a
// program is likely to be given another HOME.
const runVariable = "MEND_RUN"

// environ returns the environment of a run, exactly, with extra added to it.
func (p *place) environ(f fresh, user string, extra []string) ([]string, error) {
	return withVariables(standardEnv(strings.Join(p.path, string(os.PathListSeparator)), f, user), extra)
}

// standardEnv returns the variables that every run has.
func standardEnv(path string, f fresh, user string) []string {
	return []string{
		"LANG=C.UTF-8",
		"TERM=dumb",
		"NO_COLOR=1",
		"PAGER=cat",
		"PATH=" + path,
		"HOME=" + f.home,
		"TMPDIR=" + f.tmp,
		"USER=" + user,
		"LOGNAME=" + user,
		"SHELL=/bin/sh",
	}
}

// withVariables adds variables to env, or puts them in the place of those of the
// same name.
func withVariables(env, extra []string) ([]string, error) {
	for _, entry := range extra {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.ContainsRune(entry, 0) {
			return nil, fmt.Errorf("environment entry %q is not NAME=value", entry)
		}
		if i := indexVariable(env, name); i >= 0 {
			env[i] = entry
		} else {
			env = append(env, entry)
		}
	}
	return env, nil
}

// indexVariable returns the index of the variable name in env, or -1.
func indexVariable(env []string, name string) int {
	return slices.IndexFunc(env, func(entry string) bool {
		return len(entry) > len(name) && entry[len(name)] == '=' && entry[:len(name)] == name
	})
}

// searchPath returns the PATH of env.
func searchPath(env []string) string {
	if i := indexVariable(env, "PATH"); i >= 0 {
		return env[i][len("PATH="):]
	}
	return ""
}

package mend

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// nobodyID is nobody as an argument.
var nobodyID = strconv.Itoa(nobody)

// bubblewrap is the tier of [IsolationBubblewrap].
//
// For a caller who is root, bubblewrap and the supervisor stay root, and setpriv
// becomes nobody before the program starts. To let nobody start bubblewrap would
// be simpler, but could not show a directory below /root; in a user namespace of
// root's, programs could read /etc/shadow, as its owner; and a supervisor that is
// nobody would outlive bubblewrap, which may not kill it.
type bubblewrap struct {
	supervisor
	path     string
	supports map[string]bool // the options that this version has; old ones lack some
	setpriv  string          // its path if the caller is root and programs are not; else ""
	filter   []byte          // for system calls; nil for none
}

// newBubblewrap returns the tier if bubblewrap is on PATH. Whether it works, only
// trying it tells.
func newBubblewrap() (tier, error) {
	s, err := newSupervisor()
	if err != nil {
		return nil, err
	}
	t := &bubblewrap{supervisor: s, supports: make(map[string]bool)}
	if t.path, err = exec.LookPath("bwrap"); err != nil {
		return nil, errors.New("bwrap: not found")
	}
	help, err := exec.Command(t.path, "--help").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("bwrap --help: %w", err)
	}
	for word := range strings.FieldsSeq(string(help)) {
		t.supports[word] = true
	}
	if becomesNobody() {
		if t.setpriv, err = systemProgram("setpriv"); err != nil {
			return nil, err
		}
	}
	t.filter = encodeFilter(socketFilter(syscall.AF_UNIX, syscall.AF_INET, syscall.AF_INET6, syscall.AF_NETLINK))
	return t, nil
}

func (*bubblewrap) level() Isolation { return IsolationBubblewrap }

// furnish composes the options of all runs in the place.
func (t *bubblewrap) furnish(p *place) error {
	if t.setpriv != "" {
		if err := shareTree(p.root, giveToNobody); err != nil {
			return err
		}
	}
	o := &bubblewrapOptions{bubblewrap: t, made: map[string]bool{"/": true, "/dev": true}}
	o.namespaces()
	o.system()
	o.memory()
	p.roots = resolveAll(systemTrees)
	o.directories(p)
	if err := o.users(p); err != nil {
		return err
	}
	o.add("--remount-ro", "/", "--chdir", room, "--info-fd", "4")
	if len(t.filter) > 0 {
		o.add("--seccomp", "5")
	}
	p.options = o.list
	return os.WriteFile(t.filterFile(p), t.filter, 0o644)
}

// filterFile is where the place keeps the filter, for bubblewrap to read.
func (t *bubblewrap) filterFile(p *place) string { return filepath.Join(p.root, "filter") }

// bubblewrapOptions is a list of options while it is composed. Their order counts.
type bubblewrapOptions struct {
	*bubblewrap
	list []string
	made map[string]bool // directories that there are
}

func (o *bubblewrapOptions) add(words ...string) { o.list = append(o.list, words...) }

// namespaces says what the sandbox has for itself, and who is in it.
func (o *bubblewrapOptions) namespaces() {
	o.add("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox", "--cap-drop", "ALL")
	if o.setpriv != "" {
		o.add("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
		return
	}
	o.add("--unshare-user", "--uid", nobodyID, "--gid", nobodyID)
	if o.supports["--disable-userns"] {
		o.add("--disable-userns")
	}
}

// system shows the system's directories.
func (o *bubblewrapOptions) system() {
	for _, tree := range systemTrees {
		if target, err := os.Readlink(tree); err == nil {
			o.above(tree)
			o.add("--symlink", target, tree)
		} else if info, err := os.Stat(tree); err == nil && info.IsDir() {
			o.above(tree)
			o.add("--ro-bind", tree, tree)
			o.made[tree] = true
		}
	}
	o.add("--proc", "/proc", "--dev", "/dev")
}

// memory makes the directories that programs can write to.
func (o *bubblewrapOptions) memory() {
	for _, dir := range []struct {
		path string
		size int
	}{
		{"/dev/shm", spareSize}, {"/tmp", spareSize}, {"/var/tmp", spareSize}, {room, roomSize},
	} {
		o.above(dir.path)
		if o.supports["--perms"] {
			o.add("--perms", "1777")
		}
		if o.supports["--size"] {
			o.add("--size", strconv.Itoa(dir.size))
		}
		o.add("--tmpfs", dir.path)
		o.made[dir.path] = true
	}
	o.add("--remount-ro", "/dev")
	if o.setpriv == "" { // else they would be root's, and the supervisor makes them
		for _, dir := range freshDirectories(freshIn(room)) {
			o.add("--dir", dir)
		}
	}
}

// freshDirectories lists the directories that a run begins with.
func freshDirectories(f fresh) []string { return []string{f.home, f.tmp, f.work} }

// directories shows the place's directories, those above others first.
func (o *bubblewrapOptions) directories(p *place) {
	for _, dir := range slices.Sorted(slices.Values(p.show)) {
		if (view{roots: p.roots}).shows(dir) {
			continue
		}
		o.above(dir)
		o.add("--ro-bind", dir, dir)
		p.roots = append(p.roots, dir)
	}
}

// above makes the directories above path. Left to itself, bubblewrap makes them
// with the caller's umask, and nobody may not be able to pass.
func (o *bubblewrapOptions) above(path string) {
	dir := filepath.Dir(path)
	if o.made[dir] {
		return
	}
	o.above(dir)
	if o.supports["--perms"] {
		o.add("--perms", "0755")
	}
	o.add("--dir", dir)
	o.made[dir] = true
}

// users names the sandbox's users: ssh and others fail for a user without a name.
func (o *bubblewrapOptions) users(p *place) error {
	home := freshIn(room).home
	for _, file := range []struct{ name, content string }{
		{"passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:" + home + ":/bin/sh\n"},
		{"group", "root:x:0:\nnogroup:x:65534:\n"},
	} {
		own, etc := filepath.Join(p.root, file.name), filepath.Join("/etc", file.name)
		if err := os.WriteFile(own, []byte(file.content), 0o644); err != nil {
			return err
		}
		if info, err := os.Lstat(etc); err == nil && info.Mode().IsRegular() {
			o.add("--ro-bind", own, etc) // elsewhere bubblewrap could make no file to bind on
		}
	}
	return nil
}

func (t *bubblewrap) launch(p *place, argv, extra []string) (*launch, *refusal, error) {
	f := freshIn(room)
	env, err := p.environ(f, "nobody", extra)
	if err != nil {
		return nil, nil, err
	}
	if _, no := (view{p.roots, f.work}).locate(argv[0], searchPath(env)); no != nil {
		return nil, no, nil
	}
	c, owner := script{dir: f.work, argv: argv, env: env}, 0
	if t.setpriv != "" {
		owner = nobody
		c.as = []string{t.setpriv, "--reuid", nobodyID, "--regid", nobodyID, "--clear-groups", "--inh-caps", "-all", "--"}
		c.directories = freshDirectories(f)
	}
	line, no, err := t.command(c)
	if no != nil || err != nil {
		return nil, no, err
	}
	l := &launch{
		path:       t.path,
		argv:       slices.Concat([]string{t.path}, p.options, []string{"--"}, line),
		env:        supervisorEnv(),
		supervised: true,
		announced:  true,
		owner:      owner,
		attr:       &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	}
	if len(t.filter) > 0 {
		if l.filter, err = os.Open(t.filterFile(p)); err != nil {
			return nil, nil, err
		}
	}
	return l, nil, nil
}

package mend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// namespaces is the tier of [IsolationNamespaces].
//
// The namespaces come from the fork itself, and everything else from what the new
// process inherits of the thread that forked it, because no code of ours can run
// in between. So there is nobody to mount anything: Landlock stands in for a
// file system of its own. It forbids mounting, too, so that a mount namespace
// would add nothing but a millisecond.
type namespaces struct {
	supervisor
	root   bool // the caller is root, and programs are not
	rights uint64
	filter []syscall.SockFilter
}

// newNamespaces returns the tier if the kernel has what it takes. Whether it may
// be used, only trying it tells.
func newNamespaces() (tier, error) {
	s, err := newSupervisor()
	if err != nil {
		return nil, err
	}
	rights, err := landlockRights()
	if err != nil {
		return nil, err
	}
	t := namespaces{supervisor: s, root: becomesNobody(), rights: rights}
	t.filter = socketFilter(syscall.AF_INET, syscall.AF_INET6, syscall.AF_NETLINK)
	if t.filter == nil {
		return nil, errors.New("no system-call filter for this processor")
	}
	return t, nil
}

func (namespaces) level() Isolation { return IsolationNamespaces }

func (t namespaces) furnish(p *place) error {
	p.roots = append(resolveAll(systemTrees), p.show...)
	if !t.root {
		return nil
	}
	for _, dir := range append([]string{p.root}, p.show...) {
		if err := reachesNobody(dir); err != nil {
			return err
		}
	}
	return shareTree(p.root, giveToNobody)
}

func (t namespaces) launch(p *place, argv, extra []string) (*launch, *refusal, error) {
	owner := 0
	if t.root {
		owner = nobody
	}
	f, release, err := p.acquire(owner)
	if err != nil {
		return nil, nil, err
	}
	l, no, err := t.launchIn(p, f, argv, extra)
	if l == nil {
		release()
		return nil, no, err
	}
	l.owner, l.cleanup = owner, release
	return l, nil, nil
}

// launchIn is launch with the fresh directories given.
func (t namespaces) launchIn(p *place, f fresh, argv, extra []string) (*launch, *refusal, error) {
	env, err := p.environ(f, "nobody", extra)
	if err != nil {
		return nil, nil, err
	}
	if _, no := (view{p.roots, f.work}).locate(argv[0], searchPath(env)); no != nil {
		return nil, no, nil
	}
	line, no, err := t.command(script{dir: f.work, argv: argv, env: env})
	if no != nil || err != nil {
		return nil, no, err
	}
	rules := slices.Concat(deviceRules, readRules(p.roots), []fileRule{{f.dir, t.rights &^ mayMakeDevices}})
	l := &launch{
		path:       line[0],
		argv:       line,
		env:        supervisorEnv(),
		dir:        f.work,
		supervised: true,
		confine:    func() error { return restrictThread(t.rights, rules, t.filter) },
		attr: &syscall.SysProcAttr{
			Setsid:    true,
			Pdeathsig: syscall.SIGKILL,
			Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC |
				syscall.CLONE_NEWUTS | syscall.CLONE_NEWCGROUP,
		},
	}
	if t.root {
		l.attr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	} else {
		l.attr.Cloneflags |= syscall.CLONE_NEWUSER
		l.settle = mapToNobody
	}
	return l, nil, nil
}

// mapToNobody gives our user and group the name nobody in the user namespace of
// the process pid. os.StartProcess could do it, but on the restricted thread, and
// for that programs would have to be allowed to write to /proc.
func mapToNobody(pid int) error {
	dir := filepath.Join("/proc", fmt.Sprint(pid))
	for _, file := range []struct{ name, content string }{
		{"setgroups", "deny"},
		{"gid_map", fmt.Sprintf("%d %d 1", nobody, os.Getegid())},
		{"uid_map", fmt.Sprintf("%d %d 1", nobody, os.Geteuid())},
	} {
		if err := os.WriteFile(filepath.Join(dir, file.name), []byte(file.content), 0); err != nil {
			return err
		}
	}
	return nil
}

package mend

import (
	"cmp"
	"os/user"
)

// plain is the tier of [IsolationPlain].
type plain struct {
	user string
	work string // where programs start; "" means a fresh directory
}

// newPlain returns the tier, which needs nothing.
func newPlain(work string) func() (tier, error) {
	return func() (tier, error) {
		if u, err := user.Current(); err == nil && u.Username != "" {
			return plain{u.Username, work}, nil
		}
		return plain{"user", work}, nil
	}
}

func (plain) level() Isolation { return IsolationPlain }

func (plain) furnish(*place) error { return nil }

func (t plain) launch(p *place, argv, extra []string) (*launch, *refusal, error) {
	f, release, err := p.acquire(0)
	if err != nil {
		return nil, nil, err
	}
	env, err := p.environ(f, t.user, extra)
	if err != nil {
		release()
		return nil, nil, err
	}
	dir := cmp.Or(t.work, f.work)
	if t.work != "" {
		env = append(env, runVariable+"="+f.dir)
	}
	file, no := view{cwd: dir}.locate(argv[0], searchPath(env))
	if no != nil {
		release()
		return nil, no, nil
	}
	return &launch{
		path:    file,
		argv:    argv,
		env:     env,
		dir:     dir,
		attr:    dieWithCaller(ownGroup()),
		settle:  func(pid int) error { return limitPlain(pid, t.work == "") }, // what is built may be large
		sweep:   func(pid int) { killGroup(pid); killStrays(pid, f) },
		cleanup: release,
	}, nil, nil
}

package mend

import "os/user"

// plain is the tier of [IsolationPlain].
type plain struct{ user string }

// newPlain returns the tier, which needs nothing.
func newPlain() (tier, error) {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return plain{u.Username}, nil
	}
	return plain{"user"}, nil
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
	file, no := view{cwd: f.work}.locate(argv[0], searchPath(env))
	if no != nil {
		release()
		return nil, no, nil
	}
	return &launch{
		path:    file,
		argv:    argv,
		env:     env,
		dir:     f.work,
		attr:    dieWithCaller(ownGroup()),
		settle:  limitPlain,
		sweep:   func(pid int) { killGroup(pid); killStrays(pid, f) },
		cleanup: release,
	}, nil, nil
}

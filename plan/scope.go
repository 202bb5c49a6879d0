package plan

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
)

// errViolated ends a run whose policy was violated. It does not leave the package.
var errViolated = errors.New("the policy is violated")

// maxScopeRounds is how often the scope is read again after something was
// discarded. Tools that write a file anew each time they see it gone would keep it
// going for ever.
const maxScopeRounds = 4

// readChanges asks the workspace what changed. In a bare environment it is what
// the plan says, for good.
func (r *runner) readChanges(ctx context.Context) error {
	if r.ws == nil {
		if r.changes == nil {
			for _, name := range r.plan.Changed {
				r.changes = append(r.changes, Change{Path: name})
			}
		}
		return nil
	}
	changes, err := r.ws.Changes(ctx)
	if err != nil {
		return err
	}
	r.changes = slices.Clone(changes)
	if r.before == nil {
		r.before = make(map[string]bool)
		for _, c := range r.changes {
			r.before[c.Path] = true
		}
	}
	for i, c := range r.changes {
		r.changes[i].Appeared = !r.before[c.Path]
	}
	return nil
}

// checkScope reads what changed, and has the policy decide on what violates it. The
// error is errViolated if something has to stay that must not.
func (r *runner) checkScope(ctx context.Context) error {
	gone := make(map[string]bool) // discarded in this check
	for range maxScopeRounds {
		if err := r.readChanges(ctx); err != nil {
			return err
		}
		open := r.violations()
		if len(open) == 0 {
			return nil
		}
		actions, err := r.opts.Policy.Resolve(ctx, slices.Clone(r.changes), slices.Clone(open))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			actions = nil
		}
		var denied []Violation
		var allow, discard []string
		for i, v := range open {
			switch {
			case v.Kind == ViolationDenied || i >= len(actions):
				denied = append(denied, v)
			case actions[i] == PathAllow:
				allow = append(allow, v.Path)
			case actions[i] == PathDiscard && r.ws != nil && !gone[v.Path]:
				discard = append(discard, v.Path)
				gone[v.Path] = true
			default:
				denied = append(denied, v)
			}
		}
		if len(denied) > 0 {
			return r.violate(denied)
		}
		r.res.Allowed = append(r.res.Allowed, allow...)
		if len(discard) == 0 {
			return nil
		}
		if err := r.ws.Discard(ctx, discard); err != nil {
			return err
		}
		r.res.Discarded = append(r.res.Discarded, discard...)
	}
	return r.violate(r.violations())
}

// violations returns what the policy has not decided on yet.
func (r *runner) violations() []Violation {
	if r.opts.Policy == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.opts.Policy.Violations(slices.Clone(r.changes))), func(v Violation) bool {
		return v.Kind != ViolationDenied && slices.Contains(r.res.Allowed, v.Path)
	})
}

// violate notes the violations, and returns errViolated. A failure that was there
// before stays what the result is about.
func (r *runner) violate(v []Violation) error {
	r.res.Violations, r.res.NoOp = v, false
	paths := make([]string, len(v))
	for i := range v {
		paths[i] = v[i].Path
	}
	r.failed(nil, &Meta{SchemaVersion: metaVersion, Source: MetaVerification, Code: CodePolicyViolation, PolicyViolations: paths})
	return errViolated
}

// changed returns the changed files that count: neither ignored nor generated.
// What the plan was built for counts, even where the workspace knows nothing of it.
func (r *runner) changed() []string {
	var names []string
	add := func(name string) {
		if name = treePath(name); !looksGenerated(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, c := range r.changes {
		if !c.Ignored {
			add(c.Path)
		}
	}
	if r.ws != nil {
		for _, name := range r.plan.Changed {
			add(name)
		}
	}
	return names
}

// unchanged reports whether it is known that nothing changed.
func (r *runner) unchanged() bool {
	return (r.ws != nil || r.plan.Changed != nil) && len(r.changed()) == 0
}

// docEndings end the names of documentation.
var docEndings = setOf(".md", ".mdx", ".rst", ".adoc")

// docOnly reports whether all files are documentation, and there is one.
func docOnly(names []string) bool {
	for _, name := range names {
		if !docEndings[strings.ToLower(path.Ext(name))] && !strings.HasPrefix(name, "docs/") {
			return false
		}
	}
	return len(names) > 0
}

// packageDirs returns the directories below the root that are the nearest with
// one of the manifests, for each of the names; "" for one that lies in none.
func (r *runner) packageDirs(names []string, manifests ...string) []string {
	var dirs []string
	if r.ws == nil {
		return nil
	}
	fsys := r.ws.FS()
	for _, name := range names {
		found := ""
		for _, dir := range upwards(treePath(path.Dir(name))) {
			if dir != "" && slices.ContainsFunc(manifests, func(m string) bool { return exists(fsys, dir, m) }) {
				found = dir
				break
			}
		}
		if !slices.Contains(dirs, found) {
			dirs = append(dirs, found)
		}
	}
	return dirs
}

// singlePackage returns the directory of the one package that the change is about,
// and false if it is about more than one, or about the root.
func (r *runner) singlePackage(manifest string) (string, bool) {
	names := slices.DeleteFunc(r.changed(), func(name string) bool { return isLock(path.Base(name)) })
	if len(names) == 0 {
		names = r.allowedPlaces()
	}
	dirs := r.packageDirs(names, manifest)
	if len(dirs) != 1 || dirs[0] == "" {
		return "", false
	}
	return dirs[0], true
}

// allowedPlaces returns a name in each place that the policy's globs speak of.
func (r *runner) allowedPlaces() []string {
	p, ok := r.opts.Policy.(*PathPolicy)
	if !ok || p == nil {
		return nil
	}
	var names []string
	for _, glob := range p.Allowed {
		if strings.HasPrefix(glob, "!") {
			continue
		}
		literal := strings.TrimLeft(strings.TrimPrefix(strings.ReplaceAll(glob, `\`, "/"), "./"), "/")
		if i := strings.IndexAny(literal, "*?[{"); i >= 0 {
			literal = path.Dir(literal[:i] + "x")
		}
		names = append(names, path.Join(literal, "x"))
	}
	return names
}

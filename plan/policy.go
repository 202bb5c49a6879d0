package plan

import (
	"context"
	"fmt"
	"path"
	"slices"
)

// Policy says what a verification may run and which files a change may touch.
// [PathPolicy] is the one that ships. It is asked by one goroutine, and changes
// nothing of what it is given.
type Policy interface {
	// DeniedCommand returns the entry of the policy that forbids a command, or "" if
	// none does.
	DeniedCommand(p Part) string

	// Violations returns the changes that the policy does not let pass as they are, in
	// order.
	Violations(changes []Change) []Violation

	// Resolve returns one action for each violation, in order. changes is all that
	// changed, for what one file says of another. A missing or unknown action counts
	// as PathDeny, and so does any action at all for a path that is denied. An error
	// leaves the violations undecided, which denies them, unless ctx has ended.
	Resolve(ctx context.Context, changes []Change, v []Violation) ([]PathAction, error)
}

// Change is a file that differs from the base of a tree.
type Change struct {
	Path      string // slashed, from the tree's root
	Untracked bool   // version control does not know it
	Ignored   bool   // and is told not to
	Appeared  bool   // it was not among the changes when [Run] began, which sets this
}

// ViolationKind says what is wrong with a change.
type ViolationKind string

// Kinds of violations.
const (
	ViolationDenied  ViolationKind = "denied"  // the path is forbidden
	ViolationOutside ViolationKind = "outside" // the path is not one of those that may change
)

// Violation is a change that a policy does not let pass.
type Violation struct {
	Change
	Kind ViolationKind
}

// PathAction is what becomes of a violation.
type PathAction string

// Actions.
const (
	PathAllow   PathAction = "allow"   // the change stays, and is recorded
	PathDiscard PathAction = "discard" // the change is undone
	PathDeny    PathAction = "deny"    // the verification fails
)

// PathPolicy is a [Policy] made of globs and of commands. [NewPathPolicy] makes one
// whose entries are all valid. In one that is put together by hand, an entry that
// is not valid forbids what it cannot be held against: it allows no path, denies
// every path, denies every command.
type PathPolicy struct {
	Allowed []string // globs of the paths that may change; empty means all
	Denied  []string // globs of those that may not, whatever Allowed says

	// DeniedCommands lists what must not be run. An entry with one of the characters
	// \ ^ $ * ? | ( ) [ ] { }, or with .+, is a regular expression, held against the
	// argv joined by blanks, with and without the directory of the program, in any
	// case. Any other is the name of a program and what
	// has to be among its arguments: options in whatever order and form, and operands
	// in a row.
	DeniedCommands []string

	// Ask decides on what the rules leave open, with one action for each violation.
	// Those that are missing or unknown deny. nil denies all.
	Ask func(ctx context.Context, v []Violation) ([]PathAction, error)
}

// NewPathPolicy returns a policy. The error is an [*OptionError] for the first
// glob that is none, regular expression that is none, or entry that is blank.
func NewPathPolicy(allowed, denied, deniedCommands []string) (*PathPolicy, error) {
	for _, list := range []struct {
		name  string
		globs []string
	}{{"allowed", allowed}, {"denied", denied}} {
		for i, glob := range list.globs {
			if _, err := Match(glob, "x"); err != nil {
				return nil, &OptionError{Name: fmt.Sprintf("%s[%d]", list.name, i), Value: glob, Reason: err.Error()}
			}
		}
	}
	for i, entry := range deniedCommands {
		if _, err := readDenied(entry); err != nil {
			return nil, &OptionError{Name: fmt.Sprintf("denied commands[%d]", i), Value: entry, Reason: err.Error()}
		}
	}
	return &PathPolicy{Allowed: allowed, Denied: denied, DeniedCommands: deniedCommands}, nil
}

// Violations implements [Policy]. A path that leaves the tree is denied. What
// version control ignores is no violation.
func (p *PathPolicy) Violations(changes []Change) []Violation {
	var found []Violation
	for _, c := range changes {
		switch {
		case c.Ignored:
		case leavesTree(c.Path) || p.denies(c.Path):
			found = append(found, Violation{c, ViolationDenied})
		case !p.allows(c.Path):
			found = append(found, Violation{c, ViolationOutside})
		}
	}
	return found
}

func (p *PathPolicy) denies(name string) bool {
	for _, glob := range p.Denied {
		if ok, err := Match(glob, name); ok || err != nil {
			return true
		}
	}
	return false
}

func (p *PathPolicy) allows(name string) bool {
	for _, glob := range p.Allowed {
		if ok, err := Match(glob, name); ok && err == nil {
			return true
		}
	}
	return len(p.Allowed) == 0
}

// DeniedCommand implements [Policy]. What a launcher starts, as env or npx, and the
// text of a shell's -c, are held against the entries like the command itself.
func (p *PathPolicy) DeniedCommand(part Part) string {
	if len(p.DeniedCommands) == 0 || len(part.Argv) == 0 {
		return ""
	}
	started := startedBy(part.Argv)
	for _, entry := range p.DeniedCommands {
		d, err := readDenied(entry)
		if err != nil || slices.ContainsFunc(started, d.forbids) {
			return entry
		}
	}
	return ""
}

// Resolve implements [Policy]. What may be decided without asking is decided so:
//
//	denied                                               deny
//	lock file of an allowed manifest that changed        allow
//	untracked, and new since Run began or generated      discard
//	the rest                                             as Ask says, or deny
//
// So neither an edit of a tracked file nor a file that was there before is thrown
// away unasked: it may be work.
func (p *PathPolicy) Resolve(ctx context.Context, changes []Change, v []Violation) ([]PathAction, error) {
	actions := make([]PathAction, len(v))
	var open []int
	for i, violation := range v {
		switch {
		case violation.Kind != ViolationOutside:
			actions[i] = PathDeny
		case p.locksManifest(violation.Path, changes):
			actions[i] = PathAllow
		case violation.Untracked && (violation.Appeared || looksGenerated(violation.Path)):
			actions[i] = PathDiscard
		default:
			actions[i] = PathDeny
			open = append(open, i)
		}
	}
	if p.Ask == nil || len(open) == 0 {
		return actions, nil
	}
	asked := make([]Violation, len(open))
	for k, i := range open {
		asked[k] = v[i]
	}
	answers, err := p.Ask(ctx, asked)
	if err != nil {
		return actions, err
	}
	for k, i := range open {
		if k < len(answers) && (answers[k] == PathAllow || answers[k] == PathDiscard) {
			actions[i] = answers[k]
		}
	}
	return actions, nil
}

// locksManifest reports whether a path is the lock file of a manifest that was
// changed and may be: one in the same directory, or, for a lock file at the root,
// anywhere below.
func (p *PathPolicy) locksManifest(name string, changes []Change) bool {
	name = treePath(name)
	dir, base := path.Split(name)
	for _, c := range changes {
		manifest := treePath(c.Path)
		if c.Ignored || leavesTree(c.Path) || p.denies(c.Path) || !p.allows(c.Path) {
			continue
		}
		in, of := path.Split(manifest)
		if (dir == "" || dir == in) && isLockOf(base, of) {
			return true
		}
	}
	return false
}

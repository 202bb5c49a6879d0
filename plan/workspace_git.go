package plan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// gitTree asks git about a work tree. The repository's own settings cannot make
// git run anything.
type gitTree struct {
	dir  string
	base string // hash of the commit or tree that changes are told against
}

// open finds out whether the directory is the top of a work tree, and what the
// base is.
func (g *gitTree) open(ctx context.Context, base string) error {
	prefix, err := g.run(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	if inner := strings.TrimSpace(prefix); inner != "" {
		return fmt.Errorf("it is the directory %s of a work tree, not the top of one", inner)
	}
	rev := base
	if rev == "" {
		rev = "HEAD"
	}
	hash, err := g.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil && (base != "" || ctx.Err() != nil) {
		return fmt.Errorf("there is no commit %q: %w", rev, err)
	}
	if hash == "" { // nothing is committed yet: the base is an empty tree
		if hash, err = g.run(ctx, "hash-object", "-t", "tree", "--stdin"); err != nil {
			return err
		}
	}
	g.base = strings.TrimSpace(hash)
	return nil
}

// changes returns the files that differ from the base, the tracked ones first.
func (g *gitTree) changes(ctx context.Context) ([]Change, error) {
	tracked, err := g.run(ctx, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", g.base, "--")
	if err != nil {
		return nil, err
	}
	untracked, err := g.run(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var all []Change
	for name := range strings.SplitSeq(tracked, "\x00") {
		if name != "" {
			all = append(all, Change{Path: name})
		}
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		name = strings.TrimSuffix(name, "/") // a repository in the tree
		if name != "" && !slices.ContainsFunc(all, func(c Change) bool { return c.Path == name }) {
			all = append(all, Change{Path: name, Untracked: true})
		}
	}
	return all, nil
}

// restore makes a file what it is in the base, and reports whether it is there. If
// it is not, git forgets it.
func (g *gitTree) restore(ctx context.Context, name string) (known bool, err error) {
	found, err := g.run(ctx, "ls-tree", "-z", "--name-only", g.base, "--", name)
	if err != nil {
		return false, err
	}
	if found == "" {
		_, err = g.run(ctx, "rm", "-r", "--cached", "--quiet", "--force", "--ignore-unmatch", "--", name)
		return false, err
	}
	_, err = g.run(ctx, "restore", "--source="+g.base, "--staged", "--worktree", "--", name)
	return true, err
}

// run runs git and returns what it printed.
func (g *gitTree) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-C", g.dir, "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	}, args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "GIT_") })
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		if first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n"); first != "" {
			err = fmt.Errorf("%s (%w)", first, err)
		}
		err = fmt.Errorf("git %s: %w", args[0], err)
	}
	return "", err
}

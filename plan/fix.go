package plan

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"
)

// mayFix reports whether somebody may be asked to mend a failure: it is one that
// an edit can mend honestly, and was not seen too often.
func (r *runner) mayFix(a attempt) bool {
	switch a.code {
	case CodeCommandFailed, CodeTestFailure:
	case CodeSetupIssue:
		if r.opts.DisableSetupRecovery {
			return false
		}
	default:
		return false
	}
	limit := count(r.opts.RepeatedSignatureThreshold, defaultRepeatedThreshold)
	return limit == 0 || r.seen[a.signature] < limit
}

// see counts a failure.
func (r *runner) see(a attempt) { r.seen[a.signature]++ }

// fix asks for a change, and checks the scope behind it. worked is false if the
// hook returned an error, which the next one is told.
func (r *runner) fix(ctx context.Context, kind FixKind, n, of int, o *Outcome, a attempt) (worked bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	req := FixRequest{
		Kind: kind, Attempt: n, Of: of, Plan: r.plan.clone(), Command: o.Command, Meta: o.Meta,
		Setup: a.code == CodeSetupIssue, Previous: slices.Clone(r.previous),
	}
	if a.ran {
		req.Failure, req.Unchanged = failureOf(o.Command, a), r.fixed == a.signature
	}
	r.res.Fixes++
	failure := r.opts.Fix(ctx, req)
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if failure != nil {
		r.previous = append(r.previous, failure)
	} else {
		r.previous, r.fixed = nil, a.signature
	}
	return failure == nil, r.checkScope(ctx)
}

// maxSnapshot is how many files of a tree are looked at to see whether a fix
// changed any. A larger tree counts as changed.
const maxSnapshot = 200_000

// snapshot returns a digest of the tree: names, sizes and times of all files, and
// the content of those that differ from the base. It is "" if the tree cannot be
// looked at.
func (r *runner) snapshot() string {
	if r.ws == nil {
		return ""
	}
	fsys, sum, n := r.ws.FS(), sha256.New(), 0
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return fs.SkipDir
		}
		if n++; n > maxSnapshot {
			return fs.ErrInvalid
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %v\n", name, info.Mode())
		if !entry.IsDir() {
			_ = binary.Write(sum, binary.LittleEndian, [2]int64{info.Size(), info.ModTime().UnixNano()})
		}
		return nil
	})
	if err != nil {
		return ""
	}
	for _, c := range r.changes {
		fmt.Fprintf(sum, "%q\n", c.Path)
		if f, err := fsys.Open(treePath(c.Path)); err == nil {
			_, _ = io.Copy(sum, f) // of a directory there is nothing to read
			f.Close()
		}
	}
	return string(sum.Sum(nil))
}

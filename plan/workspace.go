package plan

import (
	"context"
	"io/fs"

	"github.com/mendkit/mend"
)

// Workspace is the tree under change: an environment whose files persist from one
// run to the next, so that what one command builds the next one finds. Its own Run
// starts programs at the root of the tree. Whether they reach a network is the
// workspace's decision. [DirWorkspace] is the implementation for a git work tree on
// this machine.
//
// [Run] calls one method at a time. An error of any of them says that nothing was
// learned about the change, as an error of an [mend.Environment] does.
type Workspace interface {
	mend.Environment

	// In returns an environment for the same tree whose programs start in dir, which
	// is slashed and relative to the root. It is valid as long as the workspace, and
	// is not closed. A run where there is no such directory observes exit code 1, and
	// "cd: DIR: No such file or directory" on standard error.
	In(dir string) mend.Environment

	// FS returns the tree as it is now, for reading.
	FS() fs.FS

	// Changes returns what differs from the base of the change, untracked files
	// included, in any order. Appeared is not set. It may leave out what version
	// control ignores.
	Changes(ctx context.Context) ([]Change, error)

	// Discard undoes changes: a file that the base has is as it was there, any other
	// is gone. A path that has no change is not an error.
	Discard(ctx context.Context, paths []string) error
}

// Package tempdir makes temporary directories that do not outlive their process for
// long: a process that is killed cannot remove them, and a later one does.
//
// Each directory holds a file that its process has locked. The kernel lets go of the
// lock when the process ends, however that happens, and at no other time; so a lock
// that can be had is one of an orphan, whatever the process's number, its namespace or
// its machine was, and however old the directory is. A directory without such a file is
// nobody's business, and neither is one of another user.
package tempdir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// ErrLocked reports that somebody else has a file locked.
var ErrLocked = errors.New("the file is locked")

// lockName is the file in each directory that its owner holds, and lockMode keeps all
// others from opening it: whoever can open a file can lock it.
const (
	lockName = ".mend-owner"
	lockMode = 0o200
)

// Dir is a temporary directory of this process.
type Dir struct {
	Path string   // absolute
	lock *os.File // nil where there are no locks
}

// New makes a directory in dir, or in the one for temporary files if dir is "", whose
// name begins with prefix. Where files cannot be locked, it stays if its process does
// not remove it.
func New(dir, prefix string) (*Dir, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	dir, err := filepath.Abs(dir) // which stays the same wherever the process goes
	if err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(dir, prefix)
	if err != nil {
		return nil, err
	}
	// Under the name that others look for, the file is locked from the beginning.
	made := filepath.Join(path, lockName+".new")
	lock, err := os.OpenFile(made, os.O_CREATE|os.O_EXCL|os.O_WRONLY, lockMode)
	if err != nil {
		os.RemoveAll(path)
		return nil, err
	}
	d := &Dir{Path: path, lock: lock}
	if TryLock(lock) == nil {
		err = os.Rename(made, filepath.Join(path, lockName))
	} else {
		d.lock = nil
		lock.Close()
		err = os.Remove(made)
	}
	if err != nil {
		_ = d.Remove() // what failed before says more
		return nil, err
	}
	return d, nil
}

// Remove removes the directory and all in it. If that fails, it can be called again.
func (d *Dir) Remove() error {
	if err := removeOwned(d.Path); err != nil {
		return err
	}
	if d.lock != nil {
		d.lock.Close() // was of use for the lock only
	}
	return nil
}

// removeOwned removes a directory that is locked, the lock last: whoever is killed here
// leaves an orphan and not a directory of nobody's.
func removeOwned(dir string) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == lockName {
			continue
		}
		if err := RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return RemoveAll(dir)
}

// RemoveOrphans removes the directories in dir, or in the one for temporary files if dir
// is "", that New made in processes of this user which have ended. What cannot be removed
// is left to the next process.
func RemoveOrphans(dir, prefix string) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, prefix) && e.IsDir() && isOwn(e) {
			removeOrphan(filepath.Join(dir, name))
		}
	}
}

func removeOrphan(dir string) {
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_WRONLY|noFollow, 0)
	if err != nil {
		return // it is none of ours, or is being made or removed
	}
	defer lock.Close()
	if TryLock(lock) == nil {
		_ = removeOwned(dir)
	}
}

// RemoveAll removes a file or directory, with directories below that cannot be written
// to.
func RemoveAll(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(path string, entry os.DirEntry, _ error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700) // before WalkDir reads it
		}
		return nil
	})
	return os.RemoveAll(path)
}

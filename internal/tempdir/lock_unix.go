//go:build unix && !aix && !solaris

package tempdir

import (
	"errors"
	"os"
	"syscall"
)

// noFollow has the opening of a link fail.
const noFollow = syscall.O_NOFOLLOW

// TryLock takes a file for this process, until it closes it or ends, however it does.
// The error is [ErrLocked] if another process has it, or this one does under another
// opening.
func TryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}

// isOwn reports whether a file is this user's.
func isOwn(e os.DirEntry) bool {
	info, err := e.Info()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

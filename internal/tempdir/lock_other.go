//go:build !unix || aix || solaris

package tempdir

import (
	"errors"
	"os"
)

const noFollow = 0

// TryLock returns an error: files cannot be locked here in a way that ends with the
// process.
func TryLock(*os.File) error { return errors.ErrUnsupported }

// isOwn returns false: nobody knows whose a directory is.
func isOwn(os.DirEntry) bool { return false }

//go:build !unix || aix || solaris

package fleet

import "os"

// lockDir does not lock where there is no flock: two processes in one directory go
// unnoticed.
func lockDir(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this process, until it closes it or ends, however it does.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errInUse
	}
	return err
}

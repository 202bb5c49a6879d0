//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives the new file the owner of the old one, if that is another.
func keepOwner(f *os.File, old fs.FileInfo) error {
	now, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := old.Sys().(*syscall.Stat_t)
	have, ok2 := now.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || want.Uid == have.Uid && want.Gid == have.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}

// syncDir makes a new name of a file last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil // a directory that may be written but not read
	}
	defer d.Close()
	_ = d.Sync() // some file systems cannot
	return nil
}

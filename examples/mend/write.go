package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errChanged reports that somebody else wrote a file that was to be replaced.
var errChanged = errors.New("the file was changed meanwhile")

// beforeRename is called when the new file is complete, and the old one still there.
// Tests end the program in it.
var beforeRename = func() {}

// replaceFile replaces a file's content by another one. Whenever the program ends,
// the file is the old one or the new one; if it is the old one, a hidden file beside
// it may be left, whose name ends in .tmp. Mode and owner stay, and a symbolic link
// does too: what it points to is replaced. It is an error if the file does not hold
// what it held when it was read.
func replaceFile(path string, old, new []byte) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name()) // what went wrong before says more
		}
	}()
	if _, err := f.Write(new); err != nil {
		return err
	}
	if err := keepOwner(f, info); err != nil {
		return fmt.Errorf("keep the owner: %w", err)
	}
	if err := f.Chmod(info.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, old) {
		return errChanged
	}
	beforeRename()
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

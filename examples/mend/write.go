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
	if err := swapIn(path, func(f *os.File) error { return fillFor(f, info, path, old, new) }); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// fillFor writes new into a file that is to be like another one, of path, which is to
// hold old until then.
func fillFor(f *os.File, like fs.FileInfo, path string, old, new []byte) error {
	if _, err := f.Write(new); err != nil {
		return err
	}
	if err := keepOwner(f, like); err != nil {
		return fmt.Errorf("keep the owner: %w", err)
	}
	if err := f.Chmod(like.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
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
	return nil
}

// swapIn fills a hidden file beside path, which then takes its place. If that fails,
// path stays as it was.
func swapIn(path string, fill func(*os.File) error) (err error) {
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
	if err := fill(f); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

package mend

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// becomesNobody reports whether programs run as the user nobody to the kernel,
// too: the caller is root, and has a user nobody to give.
func becomesNobody() bool {
	return os.Geteuid() == 0 && mapsNobody("/proc/self/uid_map") && mapsNobody("/proc/self/gid_map")
}

// mapsNobody reports whether a file of a user namespace's ids has nobody's.
func mapsNobody(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(data)) {
		var inside, outside, count int64
		if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && inside <= nobody && nobody < inside+count {
			return true
		}
	}
	return false
}

// reachesNobody reports why nobody cannot pass through the directories above dir,
// or nil. Only their modes are looked at, for the kernel judges finally.
func reachesNobody(dir string) error {
	for dir != "/" {
		dir = filepath.Dir(dir)
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if info.Mode()&1 == 0 {
			return fmt.Errorf("%s cannot be passed by other users, and programs do not run as root", dir)
		}
	}
	return nil
}

// shareWithNobody lets nobody's group read what only the owner can, root, in the
// place: some archives, and installing with a tight umask, leave such files, and
// whoever installed them could use them. A file with another name outside of the
// place stays as it is.
func shareWithNobody(p *place) error {
	linked := make(map[uint64][]string) // by inode: files with several names
	names := make(map[uint64]uint64)    // by inode: how many names
	err := filepath.WalkDir(p.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok || !ownerOnly(info.Mode()) {
			return nil
		}
		if !entry.IsDir() && stat.Nlink > 1 {
			linked[stat.Ino] = append(linked[stat.Ino], path)
			names[stat.Ino] = uint64(stat.Nlink)
			return nil
		}
		return shareFile(path, info.Mode())
	})
	for inode, paths := range linked {
		if err == nil && uint64(len(paths)) == names[inode] {
			err = shareLinked(paths[0])
		}
	}
	return err
}

// ownerOnly reports whether the owner of a file can do with it what others cannot,
// writing aside.
func ownerOnly(mode fs.FileMode) bool { return mode>>6&0o5&^mode != 0 }

// shareFile gives a file to nobody's group, with its owner's right to read and to
// execute it.
func shareFile(path string, mode fs.FileMode) error {
	if err := os.Lchown(path, -1, nobody); err != nil {
		return err
	}
	return os.Chmod(path, mode|mode>>3&0o050)
}

func shareLinked(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	return shareFile(path, info.Mode())
}

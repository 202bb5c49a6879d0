package mend

import (
	"io/fs"
	"os"
	"path/filepath"
)

// shareTree calls share for what only the owner can read below root, root included:
// some archives, and installing with a tight umask, leave such files, and whoever
// installed them could use them. A file with another name outside of root stays as
// it is.
func shareTree(root string, share func(path string, mode fs.FileMode) error) error {
	linked := make(map[uint64][]string) // by inode: files with several names
	names := make(map[uint64]uint64)    // by inode: how many names
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil || !ownerOnly(info.Mode()) {
			return err
		}
		if inode, count := hardLinks(info); !entry.IsDir() && count > 1 {
			linked[inode], names[inode] = append(linked[inode], path), count
			return nil
		}
		return share(path, info.Mode())
	})
	for inode, paths := range linked {
		if err != nil || uint64(len(paths)) != names[inode] {
			continue
		}
		var info fs.FileInfo
		if info, err = os.Lstat(paths[0]); err == nil {
			err = share(paths[0], info.Mode())
		}
	}
	return err
}

// ownerOnly reports whether the owner of a file can do with it what others cannot,
// writing aside.
func ownerOnly(mode fs.FileMode) bool { return mode>>6&0o5&^mode != 0 }

// giveToAll gives everybody a file's owner's right to read and to execute it.
func giveToAll(path string, mode fs.FileMode) error { return os.Chmod(path, mode|mode>>6&0o005) }

package mend

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// giveToNobody gives a file to nobody's group, with its owner's right to read and
// to execute it.
func giveToNobody(path string, mode fs.FileMode) error {
	if err := os.Lchown(path, -1, nobody); err != nil {
		return err
	}
	return os.Chmod(path, mode|mode>>3&0o050)
}

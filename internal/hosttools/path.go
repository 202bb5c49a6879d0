package hosttools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Harmless are programs of the POSIX standard. Where there is no isolation, no
// other should be run.
var Harmless = []string{"awk", "basename", "cat", "cksum", "cut", "diff", "expr", "find", "fold", "grep", "ls", "m4", "make", "sed", "sort", "tar", "tr", "uniq", "wc", "xargs"}

// PathDirs returns the absolute directories of PATH.
func PathDirs() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Programs returns the names of what can be started, one for each family of
// programs, so that there are not twelve of a kind. Neighbours come from all over
// the alphabet.
func Programs() []string {
	seen := make(map[string]bool)
	var names []string
	for _, dir := range PathDirs() {
		files, _ := os.ReadDir(dir) // a directory that cannot be read has no programs for us
		for _, f := range files {
			info, err := os.Stat(filepath.Join(dir, f.Name()))
			if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
				continue
			}
			family := strings.FieldsFunc(f.Name(), func(c rune) bool { return c == '-' || c == '.' || c == '_' || c >= '0' && c <= '9' })
			if len(family) > 0 && len(family[0]) > 2 && !seen[family[0]] {
				seen[family[0]] = true
				names = append(names, f.Name())
			}
		}
	}
	slices.Sort(names)
	return spread(names)
}

// spread returns the names in another order.
func spread(names []string) []string {
	stride := max(1, len(names)/50)
	var out []string
	for start := range stride {
		for i := start; i < len(names); i += stride {
			out = append(out, names[i])
		}
	}
	return out
}

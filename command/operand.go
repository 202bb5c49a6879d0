package command

import (
	"path"
	"strings"
)

// class says what an operand is, as far as its text tells. All but ordinary paths are
// more than a command is given to lose. A path has one class, the first that fits in
// the order of [classifyAbsolute]: /root is a home before it is anything else. Nothing
// is looked up, so that links, and mounts at other places, are not seen.
type class uint8

const (
	classOrdinary   class = iota
	classRoot             // the root directory
	classHome             // somebody's home directory
	classCwd              // the working directory, or one above it
	classInstall          // where the tool is installed, and below
	classDevice           // a disk
	classSystem           // a directory of the system's
	classSystemFile       // a file of the system's
	classUnknown          // nobody can know
)

// Prefix that stands for the directory where a tool is installed.
const installDir = "{install_dir}"

// class returns what the word is as a path. A directory with all that is in it is
// the directory. A word is unknown as soon as any part of it is, also behind a
// directory that is known: X may be .. in /tmp/$X.
func (w *word) class() class {
	if !w.known() {
		return classUnknown
	}
	return classify(w.text, w.home == 0, w.glob >= 0)
}

// classify returns what a path is, after it is cleaned: a/.. is the working directory.
// The home says that a ~ it begins with is a home directory and no name, and globs
// that asterisks in it are patterns. An empty text is ordinary, since no program takes
// it for a path.
func classify(text string, home, globs bool) class {
	if text == "" {
		return classOrdinary
	}
	if text == installDir || strings.HasPrefix(text, installDir+"/") {
		return classInstall
	}
	p := path.Clean(text)
	if globs {
		p = withoutAll(p)
	}
	switch {
	case home && strings.HasPrefix(text, "~"):
		return classifyHome(p)
	case p[0] != '/':
		return classifyRelative(p)
	case globs && strings.ContainsAny(p, "*?["):
		return classifyPattern(p)
	}
	return classifyAbsolute(p)
}

// withoutAll returns a path without last parts that stand for all that is there: to
// lose all of a directory is to lose the directory. The patterns are those that people
// write for everything, with hidden files and without.
func withoutAll(p string) string {
	for {
		dir, last := path.Split(p)
		switch last {
		case "*", "**", ".*", "?*", ".??*", ".[!.]*", ".[^.]*":
		default:
			return p
		}
		if dir == "" {
			return "."
		}
		p = path.Clean(dir)
	}
}

// classifyHome returns what a cleaned path is that began with a home directory.
func classifyHome(p string) class {
	switch {
	case p == "~":
		return classHome
	case !strings.HasPrefix(p, "~"):
		return classSystem // ~/.. and above
	}
	return classOrdinary
}

// classifyRelative returns what a cleaned relative path is. Above the working directory
// only the directories themselves count; ../x is a neighbour, and ordinary.
func classifyRelative(p string) class {
	if p == "." || strings.ReplaceAll(p+"/", "../", "") == "" {
		return classCwd
	}
	return classOrdinary
}

// classifyAbsolute returns what a cleaned absolute path is.
func classifyAbsolute(p string) class {
	switch {
	case p == "/":
		return classRoot
	case isHome(p):
		return classHome
	case isDevice(p):
		return classDevice
	case systemDirs[p]:
		return classSystem
	case isSystemFile(p):
		return classSystemFile
	}
	return classOrdinary
}

// classifyPattern returns the worst of what a pattern may stand for: as many
// leading parts as hold no pattern count, and in the first that does, the
// directories of the system that it matches.
func classifyPattern(p string) class {
	plain := p[:strings.LastIndexByte(p[:strings.IndexAny(p, "*?[")], '/')]
	switch {
	case plain == "/dev" && strings.Count(p, "/") == 2 && matchesDevice(p):
		return classDevice
	case isSystemFile(plain + "/x"):
		return classSystemFile
	case (plain == "/home" || plain == "/Users") && strings.Count(p, "/") == 2:
		return classHome
	}
	for dir := range systemDirs {
		if strings.Count(dir, "/") == strings.Count(p, "/") && matches(p, dir) {
			return classSystem
		}
	}
	if i := strings.IndexByte(p[1:], '/'); plain == "" && i >= 0 {
		for _, tree := range systemTrees {
			if matches(p[:i+1], tree) {
				return classSystemFile
			}
		}
	}
	return classOrdinary
}

// matches reports whether a shell's pattern matches a path.
func matches(pattern, p string) bool {
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), p)
	return ok && err == nil
}

// matchesDevice reports whether a pattern in /dev begins like a disk's name.
func matchesDevice(p string) bool {
	name := strings.TrimPrefix(p, "/dev/")
	plain := name[:strings.IndexAny(name, "*?[")]
	for _, prefix := range devicePrefixes {
		if plain == prefix || isDevice("/dev/"+plain) {
			return true
		}
	}
	for _, prefix := range numberedDevices {
		if plain == prefix {
			return true
		}
	}
	return false
}

// isHome reports whether a cleaned path is somebody's home directory.
func isHome(p string) bool {
	if p == "/root" || p == "/var/root" {
		return true
	}
	for _, above := range [...]string{"/home/", "/Users/"} {
		if name, ok := strings.CutPrefix(p, above); ok {
			return !strings.Contains(name, "/")
		}
	}
	return false
}

// isDevice reports whether a cleaned path is a disk, or a part of one: a prefix with one
// or two letters, a prefix with a number, or anything in a directory of disks. Terminals,
// null and zero are no disks, and neither are loop-control and its like.
func isDevice(p string) bool {
	name, ok := strings.CutPrefix(p, "/dev/")
	if !ok {
		return false
	}
	for _, dir := range deviceDirs {
		if strings.HasPrefix(name, dir) && len(name) > len(dir) {
			return true
		}
	}
	for _, prefix := range devicePrefixes {
		rest, ok := strings.CutPrefix(name, prefix)
		letters := strings.TrimRight(rest, "0123456789")
		if ok && letters != "" && len(letters) <= 2 && strings.Trim(letters, "abcdefghijklmnopqrstuvwxyz") == "" {
			return true
		}
	}
	for _, prefix := range numberedDevices {
		rest, ok := strings.CutPrefix(name, prefix)
		if ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return false
}

// isSystemFile reports whether a cleaned path lies in a tree of the system's.
func isSystemFile(p string) bool {
	if p == localTree || strings.HasPrefix(p, localTree+"/") {
		return false
	}
	for _, tree := range systemTrees {
		if strings.HasPrefix(p, tree) && len(p) > len(tree) && p[len(tree)] == '/' {
			return true
		}
	}
	return false
}

// wordSet returns the words of a text as a set.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// inHome returns a path below a home directory, relative to it, or "" if it is not
// below one. The home says that the text begins with a tilde that is a home directory.
func inHome(text string, home bool) string {
	p := path.Clean(text)
	if home {
		rest, _ := strings.CutPrefix(p, "~/")
		return rest
	}
	for _, dir := range [...]string{"/root/", "/var/root/"} {
		if rest, ok := strings.CutPrefix(p, dir); ok {
			return rest
		}
	}
	for _, above := range [...]string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(p, above); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return rest
		}
	}
	return ""
}

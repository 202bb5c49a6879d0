package installer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// kind is what there is under a name.
type kind byte

const (
	isFile kind = iota
	isDir
	isLink
)

// tree is the directory that is installed into. The root keeps every file below it;
// what the methods check besides is what must not be in an archive at all, so that it
// is refused rather than half unpacked.
type tree struct {
	root  *os.Root
	limit int // of what may be unpacked, the directories that names imply included
	kinds map[string]kind
}

func newTree(root *os.Root, limit int) *tree {
	return &tree{root: root, limit: limit, kinds: make(map[string]kind)}
}

// unpacking is one archive being unpacked into a tree.
type unpacking struct {
	*tree
	strip int      // leading directories to leave out
	only  []string // what is unpacked; nil for all
	taken int      // members that were unpacked, or begun to be
}

// add unpacks one member.
func (u *unpacking) add(m Member, content io.Reader) error {
	if m.skip {
		return nil
	}
	name, err := u.place(m.Name)
	if err != nil || name == "" || !u.wants(name) {
		return err
	}
	u.taken++
	if m.Mode.IsDir() && !m.hard {
		return u.mkdir(name)
	}
	if _, twice := u.kinds[name]; twice {
		return faultf("extraction failed: member %q is there twice", m.Name)
	}
	if err := u.mkdir(path.Dir(name)); err != nil {
		return err
	}
	switch {
	case m.hard:
		return u.hardLink(name, m)
	case m.Mode&fs.ModeSymlink != 0:
		return u.link(name, m.Link)
	case m.Mode.IsRegular():
		return u.write(name, m.Mode, content)
	}
	return faultf("extraction failed: member %q is neither a file nor a directory nor a link (%s)", m.Name, m.Mode)
}

// wants reports whether a name is among those that are unpacked, or below one of them.
func (u *unpacking) wants(name string) bool {
	return u.only == nil || slices.ContainsFunc(u.only, func(wanted string) bool {
		return name == wanted || strings.HasPrefix(name, wanted+"/")
	})
}

// place returns where a member belongs, or "" if it is left out with the leading
// directories.
func (u *unpacking) place(member string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(member)) || strings.ContainsAny(member, "\\\x00") {
		return "", faultf("extraction failed: member %q leads out of the directory", member)
	}
	parts := strings.Split(path.Clean(member), "/")
	if len(parts) <= u.strip || parts[0] == "." {
		return "", nil
	}
	return strings.Join(parts[u.strip:], "/"), nil
}

// claim notes what is going to be under a name.
func (t *tree) claim(name string, k kind) error {
	if len(t.kinds) >= t.limit {
		return faultf("extraction failed: the archive unpacks to more than %d files and directories", t.limit)
	}
	t.kinds[name] = k
	return nil
}

// refused makes a fault of a file system's refusal of a name: one that it takes for
// another's, as in upper and lower case, or cannot have.
func refused(name string, err error) error {
	for _, of := range []error{fs.ErrExist, syscall.EINVAL, syscall.EILSEQ, syscall.ENAMETOOLONG, syscall.EMLINK} {
		if errors.Is(err, of) {
			return faultf("extraction failed: member %q cannot be unpacked here: %w", name, err)
		}
	}
	return err
}

// mkdir makes a directory and those above it. None of them may be a link, so that the
// way to a member never leads through one.
func (t *tree) mkdir(name string) error {
	if name == "." {
		return nil
	}
	if k, ok := t.kinds[name]; ok {
		if k != isDir {
			return faultf("extraction failed: member %q is used as a directory, and is none", name)
		}
		return nil
	}
	if err := t.mkdir(path.Dir(name)); err != nil {
		return err
	}
	if err := t.claim(name, isDir); err != nil {
		return err
	}
	if err := t.root.Mkdir(name, 0o755); err != nil {
		return refused(name, err)
	}
	return t.root.Chmod(name, 0o755) // programs run as another user, whatever the umask
}

// write unpacks a file. Of its mode only one thing counts.
func (t *tree) write(name string, mode fs.FileMode, content io.Reader) error {
	perm := fs.FileMode(0o644)
	if mode&0o111 != 0 {
		perm = 0o755
	}
	if err := t.claim(name, isFile); err != nil {
		return err
	}
	f, err := t.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return refused(name, err)
	}
	_, err = io.Copy(f, content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = t.root.Chmod(name, perm)
	}
	return err
}

// link unpacks a symbolic link. Its target goes up first, not above the tree, and then
// only down: with that, and since no member lies behind a link, no chain of links
// leads out of the tree either.
func (t *tree) link(name, target string) error {
	down := target
	for strings.HasPrefix(down, "../") {
		down = down[len("../"):]
	}
	reached := filepath.FromSlash(path.Join(path.Dir(name), target))
	up := down != ".." && strings.Contains("/"+down+"/", "/../")
	if target == "" || path.IsAbs(target) || strings.ContainsAny(target, "\\\x00") || up || !filepath.IsLocal(reached) {
		return faultf("extraction failed: the link %q leads out of the directory, to %q", name, target)
	}
	if err := t.claim(name, isLink); err != nil {
		return err
	}
	return refused(name, t.root.Symlink(target, name))
}

// hardLink unpacks another name of a file that was unpacked before.
func (u *unpacking) hardLink(name string, m Member) error {
	target, err := u.place(m.Link)
	if err != nil {
		return err
	}
	if k, ok := u.kinds[target]; !ok || k != isFile {
		return faultf("extraction failed: member %q is another name of %q, which is no file before it", m.Name, m.Link)
	}
	if err := u.claim(name, isFile); err != nil {
		return err
	}
	return refused(name, u.root.Link(target, name))
}

// maxListed bounds how many names a message lists.
const maxListed = 200

// files returns the names of what is there, directories aside, for a message.
func (t *tree) files() string {
	var names []string
	for name, k := range t.kinds {
		if k != isDir {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) > maxListed {
		names = append(names[:maxListed], fmt.Sprintf("and %d more", len(names)-maxListed))
	}
	return strings.Join(names, ", ")
}

package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// fault is an error that speaks against the recipe, or against an answer that it
// would be made of. Every other error says only that something else went wrong.
type fault struct {
	err    error
	detail string // what else is worth knowing
}

func faultf(format string, args ...any) error { return &fault{err: fmt.Errorf(format, args...)} }

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

// bounds are what nobody may exceed who made an asset: without them a few
// kilobytes could fill the disk.
type bounds struct {
	download int64 // bytes of an asset
	unpacked int64 // bytes that an archive unpacks to, headers included
	members  int   // of an archive
}

// defaultBounds are well above what releases of command-line tools hold.
var defaultBounds = bounds{download: 512 << 20, unpacked: 2 << 30, members: 100_000}

// walk visits the members of a tar.gz. What is wrong with the archive is a fault.
func walk(ctx context.Context, archive io.Reader, b bounds, visit func(h *tar.Header, content io.Reader) error) error {
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		return faultf("extraction failed: this is no tar.gz archive: %w", err)
	}
	stream := &boundedReader{ctx: ctx, r: unzipped, left: b.unpacked, limit: b.unpacked}
	members := tar.NewReader(stream)
	content := &boundedReader{ctx: ctx, r: members, left: b.unpacked, limit: b.unpacked}
	for n := 0; ; n++ {
		h, err := members.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return asFault(err)
		case n >= b.members:
			return faultf("extraction failed: the archive has more than %d members", b.members)
		case len(h.Name) > maxName || len(h.Linkname) > maxName || strings.Count(h.Name, "/") > maxDepth:
			return faultf("extraction failed: a member's name is too long or too deep: %.80q", h.Name)
		case h.Size > content.left: // a sparse file is short in the stream, and long on the disk
			return tooLarge(b.unpacked)
		}
		if err := visit(h, content); err != nil {
			return err
		}
	}
}

// Bounds of a member's name. A name may come with a thousand directories, and each
// is one more to make and to walk through.
const (
	maxName  = 1024 // bytes
	maxDepth = 64   // directories
)

func tooLarge(limit int64) error {
	return faultf("extraction failed: the archive unpacks to more than %d bytes", limit)
}

// asFault is for errors of the readers below, which are the archive's fault.
func asFault(err error) error {
	var known *fault
	if errors.As(err, &known) {
		return err
	}
	return faultf("extraction failed: %w", err)
}

// boundedReader reads no more than it may, and turns errors into faults.
type boundedReader struct {
	ctx         context.Context
	r           io.Reader
	left, limit int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, tooLarge(b.limit)
	}
	if err != nil && err != io.EOF {
		err = asFault(err)
	}
	return n, err
}

// tree is the directory that an archive is unpacked into. The root keeps every
// file below it; what the methods check besides is what must not be in an archive
// at all, so that it is refused rather than half unpacked.
type tree struct {
	root  *os.Root
	strip int             // leading directories to leave out
	limit int             // of what may be unpacked, the directories that names imply included
	kinds map[string]byte // what was unpacked under a name, by tar's letters
}

// add unpacks one member.
func (t *tree) add(h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil // a remark that git leaves, and no member
	}
	name, err := t.place(h.Name)
	if err != nil || name == "" {
		return err
	}
	if h.Typeflag == tar.TypeDir {
		return t.mkdir(name)
	}
	if _, twice := t.kinds[name]; twice {
		return faultf("extraction failed: member %q is there twice", h.Name)
	}
	if err := t.mkdir(path.Dir(name)); err != nil {
		return err
	}
	t.kinds[name] = h.Typeflag
	switch h.Typeflag {
	case tar.TypeReg:
		return t.write(name, h.Mode, content)
	case tar.TypeSymlink:
		return t.link(name, h.Linkname)
	case tar.TypeLink:
		return faultf("extraction failed: member %q is a hard link", h.Name)
	}
	return faultf("extraction failed: member %q is neither a file nor a directory nor a symbolic link (type %q)", h.Name, h.Typeflag)
}

// place returns where a member belongs, or "" if it is left out with the leading
// directories.
func (t *tree) place(member string) (string, error) {
	if !filepath.IsLocal(filepath.FromSlash(member)) || strings.Contains(member, `\`) {
		return "", faultf("extraction failed: member %q leads out of the directory", member)
	}
	parts := strings.Split(path.Clean(member), "/")
	if len(parts) <= t.strip || parts[0] == "." {
		return "", nil
	}
	return strings.Join(parts[t.strip:], "/"), nil
}

// mkdir makes a directory and those above it. None of them may be a link, so that
// the way to a member never leads through one.
func (t *tree) mkdir(name string) error {
	if name == "." {
		return nil
	}
	if kind, ok := t.kinds[name]; ok {
		if kind != tar.TypeDir {
			return faultf("extraction failed: member %q is used as a directory, and is none", name)
		}
		return nil
	}
	if err := t.mkdir(path.Dir(name)); err != nil {
		return err
	}
	if len(t.kinds) >= t.limit {
		return faultf("extraction failed: the archive unpacks to more than %d files and directories", t.limit)
	}
	t.kinds[name] = tar.TypeDir
	if err := t.root.Mkdir(name, 0o755); err != nil {
		return err
	}
	return t.root.Chmod(name, 0o755) // programs run as another user, whatever the umask
}

// write unpacks a file. Of its mode only one thing counts.
func (t *tree) write(name string, mode int64, content io.Reader) error {
	perm := os.FileMode(0o644)
	if mode&0o111 != 0 {
		perm = 0o755
	}
	return writeFile(t.root, name, perm, content)
}

// writeFile writes a file that must not be there yet.
func writeFile(root *os.Root, name string, perm os.FileMode, content io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = root.Chmod(name, perm)
	}
	return err
}

// link unpacks a symbolic link. Its target goes up first, not above the tree, and
// then only down: with that, and since no member lies behind a link, no chain of
// links leads out of the tree either.
func (t *tree) link(name, target string) error {
	down := target
	for strings.HasPrefix(down, "../") {
		down = down[len("../"):]
	}
	reached := filepath.FromSlash(path.Join(path.Dir(name), target))
	up := down != ".." && strings.Contains("/"+down+"/", "/../")
	if target == "" || path.IsAbs(target) || strings.Contains(target, `\`) || up || !filepath.IsLocal(reached) {
		return faultf("extraction failed: the link %q leads out of the directory, to %q", name, target)
	}
	return t.root.Symlink(target, name)
}

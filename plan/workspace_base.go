package plan

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"
)

// BaseFS returns the files of the base, as they were committed: the tree for
// [LoadContract], since a change must not weaken what it has to pass. Files can be
// opened, directories cannot; a symbolic link is an error and never followed. Every
// Open asks git, until ctx ends.
func (w *DirWorkspace) BaseFS(ctx context.Context) fs.FS { return &baseFS{ctx, &w.git} }

// baseFS is the base of a work tree. Its context is that of who asked for it, for
// Open has none.
type baseFS struct {
	ctx context.Context
	git *gitTree
}

var errNotRegular = errors.New("it is not a regular file")

// Open implements [fs.FS].
func (b *baseFS) Open(name string) (fs.File, error) {
	f, err := b.open(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return f, nil
}

func (b *baseFS) open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	entry, err := b.git.run(b.ctx, "ls-tree", "-z", b.git.base, "--", name)
	if err != nil {
		return nil, err
	}
	// An entry is "100644 blob HASH", a tab and the path.
	fields := strings.Fields(entry)
	switch {
	case name == ".":
		return nil, errNotRegular
	case len(fields) < 4:
		return nil, fs.ErrNotExist
	case !strings.HasPrefix(fields[0], "100") || fields[1] != "blob":
		return nil, errNotRegular
	}
	content, err := b.git.run(b.ctx, "cat-file", "blob", fields[2])
	if err != nil {
		return nil, err
	}
	return &baseFile{bytes.NewReader([]byte(content)), path.Base(name)}, nil
}

// baseFile is a file of the base, and what is known about it.
type baseFile struct {
	*bytes.Reader
	name string
}

func (f *baseFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *baseFile) Close() error               { return nil }
func (f *baseFile) Name() string               { return f.name }
func (f *baseFile) Mode() fs.FileMode          { return 0o444 }
func (f *baseFile) ModTime() time.Time         { return time.Time{} } // git does not keep it
func (f *baseFile) IsDir() bool                { return false }
func (f *baseFile) Sys() any                   { return nil }

package installer

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// maxStrip is far more leading directories than archives have.
const maxStrip = 16

// extract unpacks what was downloaded.
func (w *work) extract(ctx context.Context, p *params, name string) error {
	format := p.text("format")
	if format == "" {
		format = p.text("archive_format")
	}
	if long, ok := shortForms[format]; ok {
		format = long
	}
	if format == "" {
		format = FormatOf(name)
	}
	u := &unpacking{tree: w.tree, strip: p.number("strip_dirs", maxStrip), only: p.paths("files")}
	if p.err != nil {
		return p.err
	}
	if !isFormat(format) {
		return faultf("extraction failed: the format %q of %s is unknown", format, name)
	}
	archive, err := w.downloads.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return faultf("extraction failed: %q was not downloaded", name)
	}
	if err != nil {
		return err
	}
	defer archive.Close()
	info, err := archive.Stat()
	if err != nil {
		return err
	}
	inner := strings.TrimSuffix(name, path.Ext(name))
	if err := walk(ctx, io.NewSectionReader(archive, 0, info.Size()), format, inner, w.opts.Limits, u.add); err != nil {
		return err
	}
	if u.taken == 0 && u.only == nil {
		return faultf("extraction failed: there is nothing in %s, with %d leading directories left out", name, u.strip)
	}
	for _, wanted := range u.only {
		if _, ok := w.tree.kinds[wanted]; !ok {
			return w.missing("file", wanted)
		}
	}
	return nil
}

// missing says that something is not there, and what is.
func (w *work) missing(what, name string) error {
	return &fault{
		err:    faultf("the %s %q was not found in the archive, with its leading directories left out", what, name),
		detail: "the archive holds: " + w.tree.files(),
	}
}

// adopt has a file in the tree that was downloaded as it is, under the same name.
func (w *work) adopt(name string) error {
	if _, there := w.tree.kinds[name]; there || !isFileName(name) {
		return nil
	}
	f, err := w.downloads.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return w.tree.write(name, 0o644, f)
}

// chmod gives files other permissions: those of programs, unless the step says which.
func (w *work) chmod(p *params) error {
	files, mode := p.paths("files"), p.text("mode")
	if p.err != nil {
		return p.err
	}
	if len(files) == 0 {
		return faultf("the step names no files")
	}
	perm := uint64(0o755)
	if mode != "" && mode != "+x" {
		var err error
		if perm, err = strconv.ParseUint(strings.TrimPrefix(mode, "0o"), 8, 16); err != nil || perm > 0o777 {
			return faultf("mode: %q are no permissions such as 0755", mode)
		}
	}
	for _, name := range files {
		if err := w.adopt(name); err != nil {
			return err
		}
		if info, err := w.tree.root.Stat(name); err != nil || !info.Mode().IsRegular() {
			return w.missing("file", name)
		}
		if err := w.tree.root.Chmod(name, fs.FileMode(perm)); err != nil {
			return err
		}
	}
	return nil
}

// installBinaries makes programs of files of the tree, and puts them where they are
// found. The tree stays, for what they need beside them.
func (w *work) installBinaries(p *params) error {
	binaries := p.moves("binaries")
	if !p.has("binaries") {
		for _, m := range p.moves("outputs") { // of which libraries are none
			if dir := path.Dir(m.from); dir == "." || dir == "bin" {
				binaries = append(binaries, m)
			}
		}
	}
	if p.err != nil {
		return p.err
	}
	if len(binaries) == 0 {
		return faultf("the step names no binaries")
	}
	for _, b := range binaries {
		if b.to == "" {
			b.to = path.Join("bin", path.Base(b.from))
		}
		if err := w.installBinary(b); err != nil {
			return err
		}
	}
	return nil
}

// installBinary makes a program of a file, and a link to it where it is to be: what it
// looks for beside itself, it finds where it was.
func (w *work) installBinary(b move) error {
	if err := w.adopt(b.from); err != nil {
		return err
	}
	root := w.tree.root
	info, err := root.Stat(b.from) // follows links, but not out of the tree
	if err != nil || !info.Mode().IsRegular() {
		return w.missing("binary", b.from)
	}
	if err := root.Chmod(b.from, info.Mode().Perm()|0o755); err != nil {
		return err
	}
	if b.to == b.from {
		return nil
	}
	if _, taken := w.tree.kinds[b.to]; taken {
		return faultf("the binary %q would take the place of %q", b.from, b.to)
	}
	if err := w.tree.mkdir(path.Dir(b.to)); err != nil {
		return err
	}
	return w.tree.link(b.to, strings.Repeat("../", strings.Count(b.to, "/"))+b.from)
}

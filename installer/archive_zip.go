package installer

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
)

// maxDirectory is how many bytes of a zip archive may be its list of members, which is
// read into memory at once, and takes some times as many there.
const maxDirectory = 16 << 20

// budget is an archive of which only so many bytes can be read.
type budget struct {
	io.ReaderAt
	left int64
}

var errBudget = errors.New("its list of members is too long")

func (b *budget) ReadAt(p []byte, at int64) (int, error) {
	if b.left -= int64(len(p)); b.left < 0 {
		return 0, errBudget
	}
	return b.ReaderAt.ReadAt(p, at)
}

// zip visits the members of a zip archive.
func (v *visitor) zip(archive *io.SectionReader) error {
	list := &budget{ReaderAt: archive, left: maxDirectory}
	members, err := zip.NewReader(list, archive.Size())
	if err != nil {
		return faultf("extraction failed: this is no zip archive: %w", err)
	}
	list.left = 1 << 62 // what is unpacked is counted elsewhere
	for _, f := range members.File {
		if err := v.zipped(f); err != nil {
			return err
		}
	}
	return nil
}

const encrypted = 1 // a zip member's flag

// zipped visits one member.
func (v *visitor) zipped(f *zip.File) error {
	m := Member{Name: f.Name, Mode: f.Mode(), Size: int64(min(f.UncompressedSize64, 1<<62))}
	if f.Flags&encrypted != 0 {
		return faultf("extraction failed: member %q is encrypted", f.Name)
	}
	if m.Mode.IsDir() {
		m.Size = 0
		return v.member(m, nil)
	}
	content, err := f.Open()
	if err != nil {
		return faultf("extraction failed: member %q: %w", f.Name, err)
	}
	defer content.Close()
	if m.Mode&fs.ModeSymlink != 0 {
		target, err := io.ReadAll(io.LimitReader(content, maxName+1))
		if err != nil {
			return asFault(err)
		}
		m.Link = string(target)
	}
	return v.member(m, content)
}

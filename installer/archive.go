package installer

import (
	"archive/tar"
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Member is one member of an archive, or a file that is compressed by itself.
type Member struct {
	Name string // as the archive has it: not to be trusted
	Mode fs.FileMode
	Size int64  // -1 if the archive does not say
	Link string // where a symbolic link leads, or of what a hard link is another name; else ""

	hard bool // it is a hard link, which a mode cannot say
	skip bool // a remark, and no member
}

// compressions are the ways in which a file can be compressed, by the ending of its
// name. Those of archives are below.
var compressions = map[string]func(io.Reader) (io.Reader, error){
	"":    func(r io.Reader) (io.Reader, error) { return r, nil },
	"gz":  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	"bz2": func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil },
	"xz":  newXZReader,
	"zst": newZstdReader,
}

// maxWindow is how many bytes of memory reading an archive may take: the most that the
// programs make which write them, unless they are told to.
const maxWindow = 128 << 20

func newZstdReader(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderLowmem(true), zstd.WithDecoderConcurrency(1))
}

// shortForms are other endings of archives.
var shortForms = map[string]string{"tgz": "tar.gz", "tbz2": "tar.bz2", "tbz": "tar.bz2", "txz": "tar.xz", "tzst": "tar.zst", "tar.zstd": "tar.zst", "zstd": "zst"}

// FormatOf returns the format that a file's name speaks of, as "tar.gz", or "" if it
// speaks of none that can be unpacked.
func FormatOf(name string) string {
	_, ending, _ := strings.Cut(strings.ToLower(name), ".")
	for ending != "" {
		if format, ok := shortForms[ending]; ok {
			return format
		}
		if isFormat(ending) {
			return ending
		}
		_, ending, _ = strings.Cut(ending, ".")
	}
	return ""
}

func isFormat(format string) bool {
	packed, isTar := strings.CutPrefix(format, "tar")
	if isTar && (packed == "" || packed[0] == '.') {
		_, known := compressions[strings.TrimPrefix(packed, ".")]
		return known
	}
	_, known := compressions[format]
	return format == "zip" || known && format != ""
}

// List returns the members of an archive of that many bytes, within the installer's
// limits. The last of them may come with the error that ends the list.
func (in *Installer) List(ctx context.Context, archive io.ReaderAt, size int64, format string) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		stopped := errors.New("stopped")
		err := walk(ctx, io.NewSectionReader(archive, 0, size), format, "", in.opts.Limits, func(m Member, _ io.Reader) error {
			if !m.skip && !yield(m, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && err != stopped {
			yield(Member{}, err)
		}
	}
}

// walk visits the members of an archive in order. What is wrong with the archive is a
// fault. A file that is compressed by itself has one member, of that name.
func walk(ctx context.Context, archive *io.SectionReader, format, name string, l Limits, visit func(Member, io.Reader) error) error {
	limit := l.unpackedFrom(archive.Size())
	v := &visitor{ctx: ctx, limit: limit, left: limit, members: l.Members, visit: visit}
	if format == "zip" {
		return v.zip(archive)
	}
	compression, isTar := strings.CutPrefix(format, "tar")
	compression = strings.TrimPrefix(compression, ".")
	plain, err := compressions[compression](bufio.NewReaderSize(archive, 64<<10))
	if err != nil {
		return faultf("extraction failed: this is no %s archive: %w", format, err)
	}
	if closer, ok := plain.(*zstd.Decoder); ok {
		defer closer.Close()
	}
	if isTar {
		return v.tar(plain)
	}
	return v.member(Member{Name: name, Mode: 0o755, Size: -1}, plain)
}

// visitor counts what is visited.
type visitor struct {
	ctx         context.Context
	left, limit int64
	members     int
	count       int
	visit       func(Member, io.Reader) error
}

// member checks a member and visits it.
func (v *visitor) member(m Member, content io.Reader) error {
	if v.ctx.Err() != nil {
		return context.Cause(v.ctx)
	}
	v.count++
	switch {
	case v.count > v.members:
		return faultf("extraction failed: the archive has more than %d members", v.members)
	case len(m.Name) > maxName || len(m.Link) > maxName || strings.Count(m.Name, "/") > maxDepth || hasLongPart(m.Name):
		return faultf("extraction failed: a member's name is too long or too deep: %.80q", m.Name)
	case m.Size > v.left: // a sparse file is short in the stream, and long on the disk
		return tooLarge(v.limit)
	}
	bounded := &boundedReader{ctx: v.ctx, r: content, left: v.left, limit: v.limit}
	err := v.visit(m, bounded)
	v.left = bounded.left
	return err
}

// drain reads what comes behind an archive's last member: there are the checksums of
// most compressions. A gzip file may have anything behind it, which is not looked at.
func drain(stream io.Reader) error {
	if _, err := io.Copy(io.Discard, stream); err != nil && !errors.Is(err, gzip.ErrHeader) {
		return asFault(err)
	}
	return nil
}

// tar visits the members of a tar archive.
func (v *visitor) tar(archive io.Reader) error {
	stream := &boundedReader{ctx: v.ctx, r: archive, left: v.limit, limit: v.limit}
	for members := tar.NewReader(stream); ; {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			return drain(stream)
		}
		if err != nil {
			return asFault(err)
		}
		m := Member{Name: h.Name, Mode: h.FileInfo().Mode(), Size: h.Size, Link: h.Linkname}
		switch h.Typeflag {
		case tar.TypeLink:
			m.hard = true
		case tar.TypeXGlobalHeader: // which git leaves
			m.skip = true
		case tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeGNUSparse:
		default:
			m.Mode |= fs.ModeIrregular
		}
		if err := v.member(m, members); err != nil {
			return err
		}
	}
}

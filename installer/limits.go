package installer

import (
	"cmp"
	"context"
	"io"
	"strings"
)

// Limits bound what an install may cost, whoever made what it installs: without them
// a few kilobytes could fill the disk. A zero field means its default, which is well
// above what releases of command-line tools hold.
type Limits struct {
	Download int64 // bytes of one download; 512 MiB
	Unpacked int64 // bytes that one archive unpacks to; 2 GiB
	Ratio    int64 // how many times its own size an archive unpacks to; 200, of no account below 64 MiB
	Members  int   // files and directories that are unpacked; 100,000
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Download: cmp.Or(l.Download, 512<<20),
		Unpacked: cmp.Or(l.Unpacked, 2<<30),
		Ratio:    cmp.Or(l.Ratio, 200),
		Members:  cmp.Or(l.Members, 100_000),
	}
}

// slight is what an archive may unpack to, however small it is. Text of one kind can
// be a thousand times as long as its archive, and is no harm if it is not long.
const slight = 64 << 20

// unpackedFrom returns how many bytes an archive of that size may unpack to.
func (l Limits) unpackedFrom(size int64) int64 {
	if size > l.Unpacked/l.Ratio {
		return l.Unpacked
	}
	return min(l.Unpacked, max(slight, size*l.Ratio))
}

// Bounds of a member's name. A name may come with a thousand directories, and each
// is one more to make and to walk through.
const (
	maxName  = 1024 // bytes
	maxPart  = 255  // bytes of it between slashes: what file systems take
	maxDepth = 64   // directories
)

func hasLongPart(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart {
			return true
		}
	}
	return false
}

func tooLarge(limit int64) error {
	return faultf("extraction failed: the archive unpacks to more than %d bytes", limit)
}

// boundedReader reads no more than it may, ends with ctx, and turns errors into faults.
type boundedReader struct {
	ctx         context.Context
	r           io.Reader
	left, limit int64
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		return 0, context.Cause(b.ctx)
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

package installer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Bounds of the memory that reading an xz file takes. Each of its blocks asks for a
// dictionary, which the reader allocates as asked for, up to 4 GiB: xz itself asks for
// 64 MiB at most, unless it is told to.
const (
	maxDictionary   = maxWindow
	maxDictionaries = 128 << 30 // of all blocks together: each is allocated anew
)

var (
	errXZ    = errors.New("it is malformed")
	xzMagic  = []byte("\xfd7zXZ\x00")
	xzFooter = 12 // bytes, as of the header
)

// checkXZ walks through an xz file without unpacking anything, and refuses one whose
// blocks ask for too much memory. Whether all else in it is right, the reader sees.
func checkXZ(archive *io.SectionReader) error {
	x := &xzWalk{Reader: bufio.NewReader(io.NewSectionReader(archive, 0, archive.Size()))}
	for {
		if err := x.stream(); err != nil {
			return err
		}
		for { // padding between streams
			next, err := x.Peek(4)
			if err != nil && len(next) == 0 {
				return nil
			}
			if !bytes.Equal(next, []byte{0, 0, 0, 0}) {
				break
			}
			x.skip(4)
		}
	}
}

// xzWalk reads an xz file's outlines. The first error stays.
type xzWalk struct {
	*bufio.Reader
	at           int64
	err          error
	dictionaries int64 // bytes asked for so far
}

func (x *xzWalk) byte() byte {
	b, err := x.ReadByte()
	if err != nil && x.err == nil {
		x.err = errXZ
	}
	x.at++
	return b
}

func (x *xzWalk) bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(x, b); err != nil && x.err == nil {
		x.err = errXZ
	}
	x.at += int64(n)
	return b
}

func (x *xzWalk) skip(n int64) {
	if k, err := io.CopyN(io.Discard, x.Reader, n); (err != nil || k != n) && x.err == nil {
		x.err = errXZ
	}
	x.at += n
}

// number reads a number of seven bits a byte, the lowest first.
func number(r io.ByteReader) (uint64, error) { return binary.ReadUvarint(r) }

// stream walks through one stream.
func (x *xzWalk) stream() error {
	header := x.bytes(xzFooter)
	if x.err != nil || !bytes.HasPrefix(header, xzMagic) {
		return errXZ
	}
	check := map[byte]int64{0: 0, 1: 4, 4: 8, 10: 32}
	size, known := check[header[7]&15]
	if !known {
		return fmt.Errorf("%w: its check is of an unknown kind", errXZ)
	}
	for x.err == nil {
		length := x.byte()
		if length == 0 {
			return x.index()
		}
		if err := x.block(x.bytes(int(length)*4+3), size); err != nil {
			return err
		}
	}
	return x.err
}

// block walks through a block, whose header is given but for its first byte.
func (x *xzWalk) block(header []byte, check int64) error {
	if x.err != nil {
		return x.err
	}
	r := bytes.NewReader(header[1:])
	for _, flag := range []byte{0x40, 0x80} { // its sizes, if they are stated
		if header[0]&flag != 0 {
			if _, err := number(r); err != nil {
				return errXZ
			}
		}
	}
	filter, err := number(r)
	properties, propertiesErr := number(r)
	bits, bitsErr := r.ReadByte()
	if err != nil || propertiesErr != nil || bitsErr != nil || filter != 0x21 || properties != 1 || header[0]&3 != 0 || bits > 40 {
		return fmt.Errorf("%w, or compressed in a way that is not known", errXZ)
	}
	dictionary := int64(2|bits&1) << (bits/2 + 11)
	if x.dictionaries += dictionary; dictionary > maxDictionary || x.dictionaries > maxDictionaries {
		return errors.New("it would take too much memory")
	}
	start := x.at
	for x.err == nil && x.chunk() {
	}
	x.skip((4 - (x.at-start)%4) % 4)
	x.skip(check)
	return x.err
}

// chunk walks through a chunk of a block, and reports whether there are more.
func (x *xzWalk) chunk() bool {
	control := x.byte()
	switch {
	case control == 0 || x.err != nil:
		return false
	case control <= 2: // not compressed
		x.skip(int64(binary.BigEndian.Uint16(x.bytes(2))) + 1)
	case control < 0x80:
		x.err = errXZ
		return false
	default:
		sizes := x.bytes(4) // unpacked, and packed
		if control >= 0xc0 {
			x.byte() // properties
		}
		x.skip(int64(binary.BigEndian.Uint16(sizes[2:])) + 1)
	}
	return true
}

// index walks through the index, whose first byte was read, and the footer.
func (x *xzWalk) index() error {
	start := x.at - 1
	counted := &counter{x.Reader, 0}
	records, err := number(counted)
	for range records {
		for range 2 {
			if err == nil {
				_, err = number(counted)
			}
		}
		if err != nil {
			return errXZ
		}
	}
	x.at += counted.n
	x.skip((4 - (x.at-start)%4) % 4)
	x.skip(4) // its checksum
	x.skip(int64(xzFooter))
	return x.err
}

// counter counts bytes.
type counter struct {
	io.ByteReader
	n int64
}

func (c *counter) ReadByte() (byte, error) {
	c.n++
	return c.ByteReader.ReadByte()
}

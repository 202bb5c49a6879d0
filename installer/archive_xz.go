package installer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// xzReader reads what an xz file holds. The reader of the xz package would do, but each
// block of a file asks for a dictionary of up to 4 GiB, and that reader makes whatever
// it is asked for. This one reads the container, which is simple, and leaves only
// LZMA2 to the package.
type xzReader struct {
	in           *counter
	open         bool          // a stream was begun
	blocks       uint64        // of the stream
	block        *lzma.Reader2 // nil between blocks
	began        int64         // where the block's data begins
	flags        [2]byte       // of the stream: which check there is
	check        int           // bytes of the check behind each block
	sum          hash.Hash     // what the check is of; nil if it is not known
	dictionaries int64         // bytes that were asked for so far
}

// Bounds of the memory that reading an xz file takes. xz itself asks for 64 MiB at
// most, unless it is told to.
const (
	maxDictionary   = maxWindow
	maxDictionaries = 32 << 30 // of all blocks together: each is made anew, and takes its time
)

var (
	errXZ       = errors.New("xz: the file is malformed")
	errXZMemory = errors.New("xz: the file would take too much memory")
	xzMagic     = []byte("\xfd7zXZ\x00")
)

func newXZReader(r io.Reader) (io.Reader, error) {
	x := &xzReader{in: &counter{Reader: bufio.NewReader(r)}}
	return x, x.header()
}

// counter counts the bytes that are read, and sums them up.
type counter struct {
	*bufio.Reader
	n   int64
	sum hash.Hash32 // nil if nobody wants to know
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if c.sum != nil {
		c.sum.Write(p[:n])
	}
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
		if c.sum != nil {
			c.sum.Write([]byte{b})
		}
	}
	return b, err
}

// bytes reads n bytes, which have to be there.
func (x *xzReader) bytes(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(x.in, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// padding reads zeros up to a multiple of four bytes.
func (x *xzReader) padding(n int64) error {
	zeros, err := x.bytes(int(-n & 3))
	if err == nil && len(bytes.Trim(zeros, "\x00")) > 0 {
		err = errXZ
	}
	return err
}

// number reads a number of seven bits a byte, the lowest first.
func number(r io.ByteReader) (uint64, error) {
	n, err := binary.ReadUvarint(r)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Read reads on, from one block to the next.
func (x *xzReader) Read(p []byte) (int, error) {
	for len(p) > 0 {
		if x.block == nil {
			if err := x.next(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := x.block.Read(p)
		if x.sum != nil {
			x.sum.Write(p[:n])
		}
		if err == io.EOF {
			err = x.endBlock()
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, nil
}

// next begins the next block, of the next stream if that is where it is. At the end of
// the file it returns io.EOF.
func (x *xzReader) next() error {
	if !x.open {
		if err := x.nextStream(); err != nil {
			return err
		}
	}
	length, err := x.in.ReadByte()
	switch {
	case err != nil:
		return io.ErrUnexpectedEOF
	case length == 0:
		return x.endStream()
	}
	return x.beginBlock(length)
}

// nextStream passes over padding, four zeros at a time, to another stream's header.
func (x *xzReader) nextStream() error {
	for {
		next, err := x.in.Peek(4)
		if len(next) == 0 && err == io.EOF {
			return io.EOF
		}
		if !bytes.Equal(next, []byte{0, 0, 0, 0}) {
			return x.header()
		}
		if _, err := x.bytes(4); err != nil {
			return err
		}
	}
}

// header reads a stream's header.
func (x *xzReader) header() error {
	h, err := x.bytes(12)
	switch {
	case err != nil:
		return err
	case !bytes.HasPrefix(h, xzMagic) || h[6] != 0 || binary.LittleEndian.Uint32(h[8:]) != crc32.ChecksumIEEE(h[6:8]):
		return errXZ
	}
	x.open, x.blocks, x.flags = true, 0, [2]byte(h[6:8])
	switch h[7] {
	case 0:
		x.check, x.sum = 0, nil
	case 1:
		x.check, x.sum = 4, crc32.NewIEEE()
	case 4:
		x.check, x.sum = 8, crc64.New(crc64.MakeTable(crc64.ECMA))
	case 10:
		x.check, x.sum = 32, sha256.New()
	default:
		return fmt.Errorf("%w: its check is of an unknown kind", errXZ)
	}
	return nil
}

const lzma2 = 0x21 // the number of the one filter that is known here

// beginBlock reads a block's header, whose first byte says how long it is.
func (x *xzReader) beginBlock(length byte) error {
	h, err := x.bytes(int(length)*4 + 3)
	if err != nil {
		return err
	}
	sum := crc32.ChecksumIEEE(append([]byte{length}, h[:len(h)-4]...))
	r := bytes.NewReader(h[1 : len(h)-4])
	for _, stated := range []byte{0x40, 0x80} { // its sizes
		if h[0]&stated != 0 {
			_, err = number(r)
		}
	}
	filter, filterErr := number(r)
	size, sizeErr := number(r)
	bits, bitsErr := r.ReadByte()
	switch {
	case sum != binary.LittleEndian.Uint32(h[len(h)-4:]), errors.Join(err, filterErr, sizeErr, bitsErr) != nil, bits > 40:
		return errXZ
	case h[0]&0x3f != 0 || filter != lzma2 || size != 1:
		return errors.New("xz: the file is compressed in a way that is not known")
	}
	dictionary := int64(2|bits&1) << (bits/2 + 11)
	if x.dictionaries += dictionary; dictionary > maxDictionary || x.dictionaries > maxDictionaries {
		return errXZMemory
	}
	x.began = x.in.n
	x.blocks++
	x.block, err = lzma.Reader2Config{DictCap: int(dictionary)}.NewReader2(x.in)
	return err
}

// endBlock reads what comes behind a block's data.
func (x *xzReader) endBlock() error {
	x.block = nil
	if err := x.padding(x.in.n - x.began); err != nil {
		return err
	}
	check, err := x.bytes(x.check)
	if err != nil || x.sum == nil {
		return err
	}
	want := x.sum.Sum(nil)
	x.sum.Reset()
	if x.check < 32 { // xz writes the others with the lowest byte first
		for i, b := range want {
			if check[len(check)-1-i] != b {
				return fmt.Errorf("%w: a checksum differs", errXZ)
			}
		}
		return nil
	}
	if !bytes.Equal(check, want) {
		return fmt.Errorf("%w: a checksum differs", errXZ)
	}
	return nil
}

// endStream reads the index, whose first byte, a zero, was read, and the footer.
func (x *xzReader) endStream() error {
	start := x.in.n - 1
	x.in.sum = crc32.NewIEEE()
	x.in.sum.Write([]byte{0})
	records, err := number(x.in)
	if err == nil && records != x.blocks {
		err = errXZ
	}
	for i := uint64(0); i < 2*records && err == nil; i++ { // sizes, packed and not
		_, err = number(x.in)
	}
	if err == nil {
		err = x.padding(x.in.n - start)
	}
	size, sum := x.in.n-start, x.in.sum.Sum32()
	x.in.sum, x.open = nil, false
	if err != nil {
		return err
	}
	footer, err := x.bytes(4 + 12) // behind the index's checksum
	if err != nil {
		return err
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(footer[i:]) }
	if word(0) != sum || word(4) != crc32.ChecksumIEEE(footer[8:14]) || 4*(int64(word(8))+1) != size+4 ||
		[2]byte(footer[12:14]) != x.flags || string(footer[14:]) != "YZ" {
		return errXZ
	}
	return nil
}

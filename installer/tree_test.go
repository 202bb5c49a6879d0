package installer

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
)

// openTree returns an empty tree, in a directory beside which nothing is.
func openTree(t testing.TB, limit int) *tree {
	t.Helper()
	root, err := openDir(filepath.Join(t.TempDir(), "tree"))
	require.NoError(t, err)
	t.Cleanup(func() { root.Close() })
	return newTree(root, limit)
}

// TestNoChainOfLinksLeadsOut unpacks members made of few words, so that they meet.
func TestNoChainOfLinksLeadsOut(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"a", "b", "c", ".", "..", ".."}
	some := func(n int) string {
		picked := make([]string, 1+random.IntN(n))
		for i := range picked {
			picked[i] = words[random.IntN(len(words))]
		}
		return strings.Join(picked, "/")
	}
	links := 0
	for range 300 {
		u := &unpacking{tree: openTree(t, 100), strip: random.IntN(2)}
		for range 12 {
			m := Member{Name: some(4), Link: some(4), Mode: []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeSymlink}[random.IntN(4)]}
			m.hard = m.Mode == 0 && random.IntN(2) == 0
			// What is refused is passed over here, to give the others more of a chance.
			if u.add(m, strings.NewReader("x")) == nil && (m.hard || m.Mode != 0) {
				links++
			}
		}
		staysInside(t, u.root.Name(), 12, 100)
	}
	assert.Greater(t, links, 300, "hardly any link was unpacked, so that nothing was tested")
}

// TestNamesThatAreOneOnThisDisk: a file system may not tell upper from lower case, and
// the archive does.
func TestNamesThatAreOneOnThisDisk(t *testing.T) {
	u := &unpacking{tree: openTree(t, 100)}
	require.NoError(t, u.root.WriteFile("frob", nil, 0o600)) // by another name, as far as the tree knows
	for _, m := range []Member{{Name: "frob"}, {Name: "frob", Mode: fs.ModeDir}, {Name: "frob", Mode: fs.ModeSymlink, Link: "x"}} {
		u.kinds = make(map[string]kind)
		err := u.add(m, strings.NewReader("x"))
		var known *fault
		require.ErrorAs(t, err, &known)
		assert.ErrorContains(t, err, `member "frob" cannot be unpacked here`)
	}
}

// staysInside requires that a directory holds nothing that leads out of it, and nothing
// but files, directories and links without special permissions, of bounded size.
func staysInside(t testing.TB, root string, limit int64, members int) {
	real, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)
	var size int64
	count := -1 // the directory itself
	require.NoError(t, filepath.WalkDir(real, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		count++
		info, err := entry.Info()
		if err != nil {
			return err
		}
		assert.Zero(t, info.Mode()&^(fs.ModeDir|fs.ModeSymlink|fs.ModePerm), "%s has the mode %v", path, info.Mode())
		if info.Mode().IsRegular() {
			size += info.Size()
		}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			assert.True(t, target == real || strings.HasPrefix(target, real+string(filepath.Separator)), "%s leads to %s", path, target)
		} else if link, readErr := os.Readlink(path); readErr == nil {
			_, err := os.Lstat(filepath.Join(filepath.Dir(path), link))
			assert.True(t, err != nil || strings.HasPrefix(filepath.Join(filepath.Dir(path), link), real), "%s leads to %s", path, link)
		}
		return nil
	}))
	assert.LessOrEqual(t, size, limit)
	assert.LessOrEqual(t, count, members)
	beside, err := os.ReadDir(filepath.Dir(root))
	require.NoError(t, err)
	assert.Len(t, beside, 1)
}

// fuzzLimits are within reach of what is made up.
var fuzzLimits = Limits{Unpacked: 64 << 10, Members: 40}.withDefaults()

// FuzzExtract holds that whatever an archive holds stays inside, within bounds, and
// that what is wrong with it is its fault.
func FuzzExtract(f *testing.F) {
	formats := []string{"tar", "tar.gz", "tar.xz", "tar.zst", "tar.bz2", "zip", "gz"}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []*tar.Header{
		{Name: "a/", Typeflag: tar.TypeDir}, {Name: "a/b", Typeflag: tar.TypeReg, Mode: 0o4755}, {Name: "l", Typeflag: tar.TypeSymlink, Linkname: "a"},
		{Name: "h", Typeflag: tar.TypeLink, Linkname: "a/b"}, {Name: "l/c", Typeflag: tar.TypeReg}, {Name: "../d", Typeflag: tar.TypeReg}, {Name: "n", Typeflag: tar.TypeChar},
	} {
		require.NoError(f, w.WriteHeader(h))
	}
	require.NoError(f, w.Close())
	f.Add(byte(0), byte(0), b.Bytes())
	f.Add(byte(0), byte(1), b.Bytes())
	var zipped, gzipped, xzipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"a/", "a/b", "../c"} {
		_, err := z.Create(name)
		require.NoError(f, err)
	}
	require.NoError(f, z.Close())
	f.Add(byte(5), byte(0), zipped.Bytes())
	g := gzip.NewWriter(&gzipped)
	x, err := xz.NewWriter(&xzipped)
	require.NoError(f, err)
	for _, w := range []io.WriteCloser{g, x} {
		_, err := w.Write(b.Bytes())
		require.NoError(f, err)
		require.NoError(f, w.Close())
	}
	f.Add(byte(1), byte(0), gzipped.Bytes())
	f.Add(byte(2), byte(0), xzipped.Bytes())
	f.Add(byte(6), byte(0), gzipped.Bytes())
	f.Fuzz(func(t *testing.T, format, strip byte, archive []byte) {
		u := &unpacking{tree: openTree(t, fuzzLimits.Members), strip: int(strip) % 3}
		err := walk(t.Context(), io.NewSectionReader(bytes.NewReader(archive), 0, int64(len(archive))), formats[int(format)%len(formats)], "inner", fuzzLimits, u.add)
		staysInside(t, u.root.Name(), fuzzLimits.Unpacked, fuzzLimits.Members)
		if err != nil {
			var known *fault
			assert.ErrorAs(t, err, &known, "nobody's fault but the archive's")
		}
	})
}

// TestFullDisk: what this machine cannot write, no other attempt can.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("there is no disk that is always full: %v", err)
	}
	defer full.Close()
	f := &transfer{in: New(nil), file: full, hash: sha256.New(), limit: 100}
	err = f.receive(strings.NewReader("some text"), time.NewTimer(time.Hour))
	require.ErrorContains(t, err, "no space left on device")
	assert.False(t, isTransient(err))
	var known *fault
	assert.NotErrorAs(t, err, &known)
	assert.Zero(t, f.have)
}

// TestXZOfManyBlocks: each asks for memory anew.
func TestXZOfManyBlocks(t *testing.T) {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	require.NoError(t, err)
	_, err = io.WriteString(w, "some text")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for asked, want := range map[int64]error{0: nil, maxDictionaries: errXZMemory} {
		r, err := newXZReader(bytes.NewReader(b.Bytes()))
		require.NoError(t, err)
		r.(*xzReader).dictionaries = asked
		_, err = io.ReadAll(r)
		assert.Equal(t, want, err)
	}
}

// FuzzXZ holds that what we read of an xz file is what the xz package reads, unless it
// is refused, and that nothing panics.
func FuzzXZ(f *testing.F) {
	text := bytes.Repeat([]byte("some text "), 1000)
	for _, config := range []xz.WriterConfig{{}, {CheckSum: xz.CRC32, BlockSize: 3000}, {CheckSum: xz.SHA256}, {NoCheckSum: true}} {
		var b bytes.Buffer
		w, err := config.NewWriter(&b)
		require.NoError(f, err)
		_, err = w.Write(text)
		require.NoError(f, err)
		require.NoError(f, w.Close())
		one := bytes.Clone(b.Bytes())
		f.Add(one)
		f.Add(append(append(one, 0, 0, 0, 0), one...))
	}
	read := func(open func(io.Reader) (io.Reader, error), data []byte) ([]byte, error) {
		r, err := open(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, 1<<20))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := read(newXZReader, data)
		if err != nil {
			return // and the other may ask for more memory than there is
		}
		want, err := read(func(r io.Reader) (io.Reader, error) { return xz.NewReader(r) }, data)
		if err == nil {
			assert.True(t, bytes.Equal(want, got))
		}
	})
}

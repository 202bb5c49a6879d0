package installer_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"io/fs"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
)

// frob is the program in the archives.
const frob = "#!/bin/sh\necho frob 1.4.0\n"

// entry is a member of an archive to be made.
type entry struct {
	tar.Header
	content string
}

func file(name, content string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644}, content}
}

func program(name string) entry {
	return entry{tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755}, frob}
}

func dir(name string) entry {
	return entry{Header: tar.Header{Name: name, Typeflag: tar.TypeDir, Mode: 0o700}}
}

func symlink(name, target string) entry {
	return entry{Header: tar.Header{Name: name, Typeflag: tar.TypeSymlink, Linkname: target}}
}

func hardlink(name, target string) entry {
	return entry{Header: tar.Header{Name: name, Typeflag: tar.TypeLink, Linkname: target}}
}

func special(name string, kind byte) entry {
	return entry{Header: tar.Header{Name: name, Typeflag: kind, Devmajor: 1, Devminor: 3}}
}

// tarOf returns a tar archive.
func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := e.Header
		h.Size = int64(len(e.content))
		require.NoError(t, w.WriteHeader(&h))
		_, err := w.Write([]byte(e.content))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// zipOf returns a zip archive. Hard links are not for it.
func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.Name, Method: zip.Deflate}
		content := e.content
		switch e.Typeflag {
		case tar.TypeSymlink:
			h.SetMode(fs.ModeSymlink | 0o777)
			content = e.Linkname
		case tar.TypeDir:
			h.SetMode(fs.ModeDir | fs.FileMode(e.Mode))
			h.Name += "/"
		case tar.TypeChar:
			h.SetMode(fs.ModeDevice | fs.ModeCharDevice)
		case tar.TypeFifo:
			h.SetMode(fs.ModeNamedPipe)
		default:
			h.SetMode(fs.FileMode(e.Mode))
		}
		f, err := w.CreateHeader(h)
		require.NoError(t, err)
		_, err = io.WriteString(f, content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// compressed returns data as a compressing program would leave it.
func compressed(t testing.TB, how string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch how {
	case "gz":
		w = gzip.NewWriter(&b)
	case "xz":
		w, err = xz.NewWriter(&b)
	case "zst":
		w, err = zstd.NewWriter(&b)
	default:
		t.Fatalf("nothing writes %s here", how)
	}
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// tarGz returns a tar.gz archive.
func tarGz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	return compressed(t, "gz", tarOf(t, entries...))
}

// decoded returns an archive that is kept as text.
func decoded(t testing.TB, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	return data
}

// bzippedTar is a tar.bz2 archive with the program frob in a directory frob-1.
const bzippedTar = "QlpoOTFBWSZTWc92ofMAAKD7hMuQAEBoA/+AAiB7YZ4AAACACCAAkoSqaaaMgAaA00AAqkU09QNNABoZA00xwd9m3lUyxA1ZoREN9KNBNXwmobEkQThKTzNkfU7JfeONS2xzlhpqrQtmmF1+sXGhncSNRGK2SapJ2RDFinixAphgIDUaDunQzvy977fr7xWYPxtYLMVCtioiD+LuSKcKEhnu1D5g"

// xzBlocks is the same as a tar.xz archive that xz wrote with several threads: its
// blocks state their sizes.
const xzBlocks = "/Td6WFoAAATm1rRGA8CDAYAgIQEWAAAAiNXPr+AP/wB7XQAzHIohk3NZyDyIyyFNdy5PZyODiOg79bhAuDmZqcsn4qUqJ23ythRttc65GTF50XUBkoyRVp9YQrXuUW0geZeMrns1GMFFiRcw5g7kjH+uUa9+7k5feUg6oedKqkxZkTn4b6695Q/BdUhjrom7e+YhBucg29wIMoSw4wAAANAzW7q7fUEnA8AhgCAhARYAAAAAt7Fo3+AP/wAZXQAAb/3//6O3/0c+SBVyOWFRuJIo5qOEnilGAAAAAKXw6iWU09MmA8AZgBAhARYAAAAABiCBIeAH/wARXQAAb/3//6O3/0c+SBVwlKlgAAAAAABH4yckGGj7OAADmwGAIDmAIDGAEDQ1vWEUFzswAwAAAAAEWVo="

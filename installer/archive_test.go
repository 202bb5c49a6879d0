package installer_test

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unpack installs the archive alone, within small limits.
func unpack(t testing.TB, name string, archive []byte, strip int64) (string, error) {
	t.Helper()
	from := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(from, archive, 0o644))
	installed, err := install(t, installer.Options{},
		step("download", "url", "file://"+from, "checksum", sumOf(archive)),
		step("extract", "archive", name, "strip_dirs", strip))
	return installed.Dir, err
}

// statedBomb returns a small archive whose one member is said to be large.
func statedBomb(t testing.TB, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "frob", Typeflag: tar.TypeReg, Size: size}))
	return compressed(t, "gz", b.Bytes()) // the header alone is enough to see it
}

// zeros returns members that are within the limits, and all of them together are not.
func zeros(members int, size int) (all []entry) {
	for i := range members {
		all = append(all, file(fmt.Sprintf("f%d", i), string(make([]byte, size))))
	}
	return all
}

// sparse returns an archive with a file of that size that has hardly any content.
func sparse(t testing.TB, size int64) []byte {
	t.Helper()
	header := tarOf(t, file("frob", ""))[:512]
	header[156] = tar.TypeGNUSparse
	copy(header[257:], "ustar  \x00")
	copy(header[483:], fmt.Sprintf("%011o", size))
	copy(header[386:], fmt.Sprintf("%011o\x00%011o\x00", size, 0))
	copy(header[148:], "        ")
	sum := 0
	for _, b := range header {
		sum += int(b)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	return compressed(t, "gz", append(header, make([]byte, 1024)...))
}

func TestUnsafeArchivesAreRefused(t *testing.T) {
	deep, long := strings.Repeat("a/", 100)+"x", strings.Repeat("a", 2000)
	truncated := tarGz(t, file("frob", strings.Repeat(frob, 100)))
	for name, test := range map[string]struct {
		entries []entry // as a tar.gz and as a zip archive
		why     string
	}{
		"escape":                   {[]entry{program("frob"), file("../escape", "x")}, `member "../escape" leads out`},
		"escape from further down": {[]entry{file("a/b/../../../escape", "x")}, "leads out"},
		"absolute path":            {[]entry{file("/tmp/escape", "x")}, `member "/tmp/escape" leads out`},
		"backslashes":              {[]entry{file(`..\escape`, "x")}, "leads out"},
		"link up":                  {[]entry{symlink("a/up", "../../x")}, `the link "a/up" leads out of the directory, to "../../x"`},
		"link to the root":         {[]entry{symlink("etc", "/etc")}, "leads out"},
		"link to nothing":          {[]entry{symlink("none", "")}, "leads out"},
		"link with backslashes":    {[]entry{symlink("a", `..\..\x`)}, "leads out"},
		"link to itself, then up":  {[]entry{symlink("a/here", ".."), symlink("b", "a/here/../x")}, "leads out"},
		"file behind a link":       {[]entry{symlink("a", "."), file("a/x", "x")}, `member "a" is used as a directory`},
		"link behind a link":       {[]entry{symlink("q/l", ".."), symlink("q/l/m", "../x")}, `member "q/l" is used as a directory`},
		"directory over a link":    {[]entry{symlink("a", "b"), dir("a")}, `member "a" is used as a directory`},
		"file over a link":         {[]entry{symlink("frob", "x"), program("frob")}, "is there twice"},
		"link over a file":         {[]entry{program("frob"), symlink("frob", "x")}, "is there twice"},
		"file over a file":         {[]entry{program("frob"), program("./frob")}, "is there twice"},
		"file over a directory":    {[]entry{program("a/frob"), file("a", "x")}, "is there twice"},
		"device":                   {[]entry{special("null", tar.TypeChar)}, `member "null" is neither`},
		"pipe":                     {[]entry{special("p", tar.TypeFifo)}, `member "p" is neither`},
		"too many files":           {zeros(51, 0), "more than 50 "},
		"too many directories":     {[]entry{file(strings.Repeat("a/", 60)+"x", "x")}, "more than 50 files and directories"},
		"too much in one file":     {[]entry{file("frob", string(make([]byte, 300<<10)))}, "unpacks to more than 262144 bytes"},
		"too much together":        {zeros(5, 60<<10), "unpacks to more than 262144 bytes"},
		"a name too deep":          {[]entry{file(deep, "x")}, "too long or too deep"},
		"a part of it too long":    {[]entry{file("a/"+strings.Repeat("b", 256), "x")}, "too long or too deep"},
		"links in a circle":        {[]entry{symlink("a", "b"), symlink("b", "a"), file("a/x", "x")}, `member "a" is used as a directory`},
		"nothing":                  {nil, "there is nothing in frob."},
		"nothing but the top":      {[]entry{dir(".")}, "there is nothing in frob."},
		"a name too long":          {[]entry{file(long, "x")}, "too long or too deep"},
		"a target too long":        {[]entry{symlink("a", long)}, "too long or too deep"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := unpack(t, "frob.tar.gz", tarGz(t, test.entries...), 0)
			isEvidence(t, err, 1, "extract", test.why)
			_, err = unpack(t, "frob.zip", zipOf(t, test.entries...), 0)
			isEvidence(t, err, 1, "extract", test.why)
		})
	}
	for name, test := range map[string]struct {
		archive []byte
		why     string
	}{
		"hard link to the outside":     {tarGz(t, hardlink("b", "/etc/passwd")), `member "/etc/passwd" leads out`},
		"hard link up":                 {tarGz(t, hardlink("a/b", "../x")), "leads out"},
		"hard link to a later file":    {tarGz(t, hardlink("b", "frob"), program("frob")), `another name of "frob", which is no file before it`},
		"hard link to a link":          {tarGz(t, symlink("l", "x"), hardlink("b", "l")), `another name of "l", which is no file`},
		"hard link through a link":     {tarGz(t, symlink("l", "."), program("frob"), hardlink("b", "l/frob")), `another name of "l/frob"`},
		"hard link to a directory":     {tarGz(t, dir("d"), hardlink("b", "d")), "which is no file"},
		"hard link over a file":        {tarGz(t, program("frob"), program("b"), hardlink("b", "frob")), "is there twice"},
		"a bomb that says so":          {statedBomb(t, 1<<40), "unpacks to more than 262144 bytes"},
		"a sparse bomb":                {sparse(t, 1<<30), "unpacks to more than 262144 bytes"},
		"cut short":                    {truncated[:len(truncated)-20], "extraction failed: unexpected EOF"},
		"compressed, and nothing more": {compressed(t, "gz", []byte("no tar\n")), "extraction failed: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := unpack(t, "frob.tar.gz", test.archive, 0)
			isEvidence(t, err, 1, "extract", test.why)
		})
	}
}

// TestWhatIsLeftOutCounts: it has to be read, too.
func TestWhatIsLeftOutCounts(t *testing.T) {
	_, err := unpack(t, "frob.tar.gz", tarGz(t, zeros(51, 0)...), 1)
	isEvidence(t, err, 1, "extract", "the archive has more than 50 members")
	_, err = unpack(t, "frob.tar.gz", tarGz(t, zeros(5, 60<<10)...), 1)
	isEvidence(t, err, 1, "extract", "unpacks to more than 262144 bytes")
	_, err = unpack(t, "frob.gz", compressed(t, "gz", make([]byte, 300<<10)), 0)
	isEvidence(t, err, 1, "extract", "unpacks to more than 262144 bytes")
}

// TestLinksAreJudgedWhereTheyAreUnpacked: a link that is safe as it stands may lead out
// when the directories before it are left out.
func TestLinksAreJudgedWhereTheyAreUnpacked(t *testing.T) {
	archive := tarGz(t, symlink("frob-1/a", "../x"), program("frob-1/frob"))
	_, err := unpack(t, "frob.tar.gz", archive, 1)
	isEvidence(t, err, 1, "extract", "leads out")
	_, err = unpack(t, "frob.tar.gz", archive, 0)
	assert.NoError(t, err)
}

// TestArchivesHaveARatio: what unpacks to more than any text does is refused, long
// before the limit for all archives.
func TestArchivesHaveARatio(t *testing.T) {
	bomb := tarGz(t, file("frob", string(make([]byte, 80<<20))))
	from := filepath.Join(t.TempDir(), "frob.tar.gz")
	require.NoError(t, os.WriteFile(from, bomb, 0o644))
	s := []mend.Step{step("download", "url", "file://"+from, "checksum", sumOf(bomb)), step("extract", "archive", "frob.tar.gz")}
	_, err := install(t, installer.Options{Limits: installer.Limits{Ratio: 100}}, s...)
	isEvidence(t, err, 1, "extract", "unpacks to more than 67108864 bytes")
	_, err = install(t, installer.Options{Limits: installer.Limits{Ratio: 2000}}, s...)
	assert.NoError(t, err)
}

// TestZipArchivesThatAreNone have what only such an archive can have.
func TestZipArchivesThatAreNone(t *testing.T) {
	good := zipOf(t, program("frob"))
	at := bytes.Index(good, []byte("PK\x01\x02"))
	secret, odd, lying := bytes.Clone(good), bytes.Clone(good), bytes.Clone(good)
	secret[at+8] |= 1                               // it is encrypted
	odd[at+10] = 97                                 // in a way of its own
	binary.LittleEndian.PutUint32(lying[at+24:], 1) // it is shorter than it is
	many := bytes.Repeat(append(good[at:at+46:at+46], good[at+46:at+50]...), 400_000)
	end := bytes.Clone(good[bytes.Index(good, []byte("PK\x05\x06")):])
	binary.LittleEndian.PutUint32(end[12:], uint32(len(many)))
	binary.LittleEndian.PutUint32(end[16:], uint32(at))
	for name, test := range map[string]struct {
		archive []byte
		why     string
	}{
		"encrypted":   {secret, `member "frob" is encrypted`},
		"unknown":     {odd, "unsupported compression algorithm"},
		"lying":       {lying, "extraction failed: zip: "},
		"cut short":   {good[:len(good)-30], "this is no zip archive"},
		"a long list": {append(append(bytes.Clone(good[:at]), many...), end...), "its list of members is too long"},
	} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "frob.zip")
			require.NoError(t, os.WriteFile(from, test.archive, 0o644))
			_, err := install(t, installer.Options{Limits: installer.Limits{Download: 64 << 20}},
				step("download", "url", "file://"+from, "checksum", sumOf(test.archive)), step("extract", "archive", "frob.zip"))
			isEvidence(t, err, 1, "extract", test.why)
		})
	}
}

// TestXZThatTakesTooMuchMemory asks for dictionaries, which its reader would make.
func TestXZThatTakesTooMuchMemory(t *testing.T) {
	good := compressed(t, "xz", tarOf(t, program("frob")))
	for bits, refused := range map[byte]bool{22: false, 30: false, 31: true, 39: true, 40: true, 41: true} {
		changed := bytes.Clone(good)
		header := changed[12 : 12+4*(int(changed[12])+1)]
		at := bytes.IndexByte(header, 0x21) + 2
		header[at] = bits
		binary.LittleEndian.PutUint32(header[len(header)-4:], crc32.ChecksumIEEE(header[:len(header)-4]))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := unpack(t, "frob.tar.xz", changed, 0)
		runtime.ReadMemStats(&after)
		if !refused {
			assert.NoError(t, err, bits)
			continue
		}
		isEvidence(t, err, 1, "extract", "extraction failed: xz: the file ")
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
	}
	for _, cut := range []int{1, 11, 13, 30, len(good) / 2} {
		_, err := unpack(t, "frob.tar.xz", good[:cut], 0)
		isEvidence(t, err, 1, "extract", "extraction failed: ")
	}
}

func TestList(t *testing.T) {
	entries := []entry{dir("d"), {tar.Header{Name: "d/frob", Typeflag: tar.TypeReg, Mode: 0o755}, frob}, symlink("l", "../x")}
	for format, archive := range map[string][]byte{"tar.gz": tarGz(t, entries...), "zip": zipOf(t, entries...)} {
		var got []installer.Member
		for m, err := range installer.New(nil).List(t.Context(), bytes.NewReader(archive), int64(len(archive)), format) {
			require.NoError(t, err)
			m.Name, m.Mode = strings.TrimSuffix(m.Name, "/"), m.Mode.Type()|m.Mode&0o100
			if m.Link != "" {
				m.Mode, m.Size = m.Mode.Type(), 0
			}
			got = append(got, m)
		}
		assert.Equal(t, []installer.Member{
			{Name: "d", Mode: fs.ModeDir | 0o100},
			{Name: "d/frob", Mode: 0o100, Size: int64(len(frob))},
			{Name: "l", Mode: fs.ModeSymlink, Link: "../x"}, // what leads out is listed, too
		}, got, format)
	}
	for m, err := range installer.New(nil).List(t.Context(), strings.NewReader("no archive"), 10, "tar.gz") {
		assert.Zero(t, m)
		assert.ErrorContains(t, err, "this is no tar.gz archive")
	}
	for range installer.New(nil).List(t.Context(), bytes.NewReader(tarGz(t, entries...)), 1<<20, "tar.gz") {
		break // which ends it
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range installer.New(nil).List(ctx, bytes.NewReader(tarGz(t, entries...)), 1<<20, "tar.gz") {
		assert.ErrorIs(t, err, context.Canceled)
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]string{
		"frob.tar.gz": "tar.gz", "frob-1.2.3_linux.amd64.tgz": "tar.gz", "FROB.TAR.XZ": "tar.xz", "frob.txz": "tar.xz", "a.tar.bz2": "tar.bz2", "a.tbz": "tar.bz2",
		"a.tar.zst": "tar.zst", "a.tar.zstd": "tar.zst", "a.zip": "zip", "a.tar": "tar", "frob.gz": "gz", "frob.zst": "zst", "frob": "", "frob.exe": "", "frob.1.2": "", "tar": "", "": "", "frob.rar": "", "a.tar.lz": "",
	} {
		assert.Equal(t, want, installer.FormatOf(name), name)
	}
}

package installer_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDamagedArchives cuts archives at every byte, and changes every byte: what is
// unpacked then is what was packed, or the install fails for it. The checksum is right
// each time: somebody has published the damage.
func TestDamagedArchives(t *testing.T) {
	entries := []entry{program("frob")}
	for name, test := range map[string]struct {
		archive []byte
		sums    int // bytes at the end, each of which counts
	}{
		"frob.tar.gz":  {tarGz(t, entries...), 8},
		"frob.tar.xz":  {compressed(t, "xz", tarOf(t, entries...)), 24},
		"frob.tar.zst": {compressed(t, "zst", tarOf(t, entries...)), 4},
		"frob.zip":     {zipOf(t, entries...), 0},
	} {
		t.Run(name, func(t *testing.T) {
			for n := range test.archive {
				_, err := unpack(t, name, test.archive[:n], 0)
				assertEvidence(t, err, "cut after %d bytes", n)
			}
			for i := range test.archive {
				changed := bytes.Clone(test.archive)
				changed[i] ^= 0x10
				dir, err := unpack(t, name, changed, 0)
				if err != nil || i >= len(test.archive)-test.sums {
					assertEvidence(t, err, "byte %d changed", i)
					continue
				}
				got, err := os.ReadFile(filepath.Join(dir, "frob"))
				if os.IsNotExist(err) {
					continue // its name was changed, or where it is in a list
				}
				require.NoError(t, err)
				assert.Equal(t, frob, string(got), "byte %d changed", i)
			}
		})
	}
}

// assertEvidence asserts that an install failed for what was to be installed.
func assertEvidence(t *testing.T, err error, format string, args ...any) {
	t.Helper()
	var failed *mend.InstallError
	assert.ErrorAs(t, err, &failed, fmt.Sprintf(format, args...))
}

// TestArchivesWithMoreBehind have what other programs pass over, too.
func TestArchivesWithMoreBehind(t *testing.T) {
	plain := tarOf(t, program("frob"))
	for name, archive := range map[string][]byte{
		"padding.tar.gz":   append(compressed(t, "gz", plain), make([]byte, 512)...),
		"signature.tar.gz": append(compressed(t, "gz", plain), "signed by nobody"...),
		"padding.tar":      append(plain, make([]byte, 10240)...),
		"padding.tar.xz":   append(compressed(t, "xz", plain), make([]byte, 8)...),
	} {
		_, err := unpack(t, name, archive, 0)
		assert.NoError(t, err, name)
	}
}

// TestNamesThatNoFileCanHave: only zip archives can hold them.
func TestNamesThatNoFileCanHave(t *testing.T) {
	_, err := unpack(t, "frob.zip", zipOf(t, file("fr\x00ob", "x")), 0)
	isEvidence(t, err, 1, "extract", "leads out of the directory")
	_, err = unpack(t, "frob.zip", zipOf(t, symlink("frob", "a\x00b")), 0)
	isEvidence(t, err, 1, "extract", "leads out of the directory")
}

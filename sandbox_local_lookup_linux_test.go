package mend

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestViewAgreesWithKernel sees that a file is refused if and only if the kernel
// refuses it.
func TestViewAgreesWithKernel(t *testing.T) {
	dir := t.TempDir()
	for name, content := range startables(t, dir) {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, "probe")
			require.NoError(t, os.WriteFile(file, content, 0o755))
			defer os.Remove(file)
			p, err := os.StartProcess(file, []string{"probe"}, &os.ProcAttr{Dir: dir, Env: []string{}})
			if err == nil {
				_ = p.Kill() // one that was cut may do anything
				_, _ = p.Wait()
			}
			no := view{cwd: dir}.check(file)
			if err == nil {
				assert.Nil(t, no, "the kernel starts it")
				return
			}
			require.NotNil(t, no, "the kernel says %v", err)
			if kernel := startRefusal(err); kernel != nil && kernel != notFound { // which only says less
				assert.True(t, strings.HasSuffix(no.reason, kernel.reason), "%q, but the kernel says %v", no.reason, err)
			}
		})
	}
}

// startables returns contents of files, by name. Their interpreters are in dir.
func startables(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o755))
		return path
	}
	chain := "/bin/sh"
	contents := make(map[string][]byte)
	for i := range 7 {
		contents[fmt.Sprintf("%d interpreters", i+1)] = []byte("#!" + chain + "\n")
		chain = write(fmt.Sprint("chain", i), "#!"+chain+"\n")
	}
	for _, script := range []string{
		"", "#", "#!\n", "#! \t\n", "#!/bin/sh", "#!/bin/sh\n", "#! \t /bin/sh -e\n", "#!/bin/sh\r\n", "#!/bin\n", "#!/no/such\n",
		"#!/etc/passwd\n", "#!sh\n", "#!chain0\n", "#!" + write("empty", "") + "\n", "#!/bin/sh\x00x\n", "\n#!/bin/sh\n", "echo\n",
	} {
		contents[fmt.Sprintf("script %q", script)] = []byte(script)
	}
	program, err := os.ReadFile("/bin/true")
	require.NoError(t, err)
	for _, size := range []int{1, 3, 4, 5, 15, 16, 20, 63, 64, 65, 119, 120, 300, 567, 1000, 4096, 8192} {
		contents[fmt.Sprintf("program cut to %d bytes", size)] = program[:size]
	}
	for name, change := range map[string]struct {
		offset int
		value  uint16
	}{
		"type": {16, 1}, "no type": {16, 0}, "machine": {18, 183}, "no machine": {18, 0},
		"headers beyond the end": {34, 0x7fff}, "header size": {54, 55}, "no headers": {56, 0}, "many headers": {56, 1200}, "few headers": {56, 1},
	} {
		changed := bytes.Clone(program)
		binary.LittleEndian.PutUint16(changed[change.offset:], change.value)
		contents["program with changed "+name] = changed
	}
	contents["program with another loader"] = bytes.ReplaceAll(program, []byte("/ld-linux-"), []byte("/ld-none---"[:10]))
	return contents
}

func FuzzView(f *testing.F) {
	program, err := os.ReadFile("/bin/true")
	require.NoError(f, err)
	for _, seed := range [][]byte{program[:2048], program[:64], []byte("#!/bin/sh\n"), []byte("#!\t \n"), {}} {
		f.Add(seed)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte) {
		file := filepath.Join(dir, "probe")
		require.NoError(t, os.WriteFile(file, content, 0o755))
		no := view{cwd: dir}.check(file)
		if !bytes.HasPrefix(content, []byte("#!")) && !bytes.HasPrefix(content, []byte("\x7fELF")) {
			require.Equal(t, noFormat, no, "the kernel knows two kinds of files")
		}
		if no != nil {
			obs := no.observe([]string{"probe"})
			require.Contains(t, []int{126, 127}, obs.ExitCode)
			require.True(t, strings.HasPrefix(obs.Stderr, "probe: "))
			require.Equal(t, 1, strings.Count(obs.Stderr, "\n"), "one line: %q", obs.Stderr)
		}
	})
}

package installer_test

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small are limits that tests can exceed.
var small = installer.Limits{Download: 256 << 10, Unpacked: 256 << 10, Ratio: 200, Members: 50}

// quick returns options that do not let a test wait.
func quick(o installer.Options) *installer.Options {
	o.Backoff = time.Millisecond
	if o.Limits == (installer.Limits{}) {
		o.Limits = small
	}
	return &o
}

// step returns a step with parameters, as key and value.
func step(action string, params ...any) mend.Step {
	s := mend.Step{Action: action, Params: make(map[string]any)}
	for i := 0; i < len(params); i += 2 {
		s.Params[params[i].(string)] = params[i+1]
	}
	return s
}

func list(names ...any) []any { return names }

func sumOf(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

// serve serves the files by name.
func serve(t testing.TB, files map[string][]byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write(data)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// install installs below a directory beside which nothing must appear.
func install(t testing.TB, o installer.Options, steps ...mend.Step) (mend.Installed, error) {
	t.Helper()
	parent := t.TempDir()
	dir := filepath.Join(parent, "install")
	require.NoError(t, os.Mkdir(dir, 0o755))
	installed, err := installer.New(quick(o)).Install(t.Context(), &mend.Recipe{Steps: steps}, dir)
	beside, readErr := os.ReadDir(parent)
	require.NoError(t, readErr)
	assert.Len(t, beside, 1, "nothing is written outside")
	assert.NoDirExists(t, filepath.Join(dir, "download"), "downloads are not kept")
	return installed, err
}

// steps returns those that install the program frob of an archive.
func steps(base, name string, archive []byte) []mend.Step {
	return []mend.Step{
		step("download", "url", base+"/"+name, "checksum", sumOf(archive), "version", "1.4.0"),
		step("extract", "archive", name),
		step("install_binaries", "binaries", list("frob")),
	}
}

// isEvidence requires that an error is one of the recipe's step, of that text.
func isEvidence(t testing.TB, err error, step int, action, text string) {
	t.Helper()
	var failed *mend.InstallError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, step, failed.Step)
	assert.Equal(t, action, failed.Action)
	assert.ErrorContains(t, err, text)
	assert.NotContains(t, err.Error(), "\n")
}

func TestInstallFromEveryFormat(t *testing.T) {
	plain := tarOf(t, dir("frob-1"), program("frob-1/frob"))
	for name, archive := range map[string][]byte{
		"frob.tar": plain, "frob.tar.gz": compressed(t, "gz", plain), "frob.tgz": compressed(t, "gz", plain), "frob.tar.xz": compressed(t, "xz", plain),
		"frob-1.4.0.linux.txz": compressed(t, "xz", plain), "frob.tar.zst": compressed(t, "zst", plain), "frob.tar.bz2": decoded(t, bzippedTar), "FROB.ZIP": zipOf(t, dir("frob-1"), program("frob-1/frob")),
		"blocks.tar.xz": decoded(t, xzBlocks), "two-streams.tar.xz": append(compressed(t, "xz", plain[:1024]), compressed(t, "xz", plain[1024:])...),
	} {
		t.Run(name, func(t *testing.T) {
			s := steps(serve(t, map[string][]byte{name: archive}), name, archive)
			s[1].Params["strip_dirs"] = int64(1)
			installed, err := install(t, installer.Options{}, s...)
			require.NoError(t, err)
			assert.Equal(t, "1.4.0", installed.Version)
			got, err := os.ReadFile(filepath.Join(installed.Dir, "bin", "frob"))
			require.NoError(t, err)
			assert.Equal(t, frob, string(got))
			info, err := os.Stat(filepath.Join(installed.Dir, "bin", "frob"))
			require.NoError(t, err)
			assert.Equal(t, fs.FileMode(0o755), info.Mode())
		})
	}
}

func TestInstallOfACompressedProgram(t *testing.T) {
	for _, how := range []string{"gz", "xz", "zst"} {
		archive := compressed(t, how, []byte(frob))
		name := "frob." + how
		installed, err := install(t, installer.Options{}, steps(serve(t, map[string][]byte{name: archive}), name, archive)...)
		require.NoError(t, err, how)
		got, err := os.ReadFile(filepath.Join(installed.Dir, "bin", "frob"))
		require.NoError(t, err)
		assert.Equal(t, frob, string(got))
	}
}

// TestInstallFromAFile: nothing is asked for over a network.
func TestInstallFromAFile(t *testing.T) {
	archive := tarGz(t, program("frob"))
	name := filepath.Join(t.TempDir(), "frob.tar.gz")
	require.NoError(t, os.WriteFile(name, archive, 0o644))
	_, err := install(t, installer.Options{}, steps("file://"+filepath.Dir(name), "frob.tar.gz", archive)...)
	assert.NoError(t, err)
	_, err = install(t, installer.Options{}, steps("file://localhost"+filepath.Dir(name), "frob.tar.gz", archive)...)
	assert.NoError(t, err)
}

// TestInstallLaysOutATree looks at everything that an archive can rightly hold.
func TestInstallLaysOutATree(t *testing.T) {
	archive := tarGz(t,
		entry{Header: tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "a commit"}}},
		dir("./frob-1/"),
		entry{tar.Header{Name: "./frob-1/libexec/frob", Typeflag: tar.TypeReg, Mode: 0o600}, frob},
		entry{tar.Header{Name: "./frob-1/libexec/run", Typeflag: tar.TypeReg, Mode: 0o6755}, "#!/bin/sh\n"},
		hardlink("./frob-1/libexec/again", "./frob-1/libexec/run"),
		symlink("./frob-1/frob", "libexec/frob"),
		symlink("./frob-1/share/doc/frob", "../../libexec/frob"),
		dir("./frob-1/locked"),
	)
	s := steps(serve(t, map[string][]byte{"frob.tar.gz": archive}), "frob.tar.gz", archive)
	s[1].Params["strip_dirs"] = int64(1)
	installed, err := install(t, installer.Options{}, s...)
	require.NoError(t, err)
	for name, mode := range map[string]fs.FileMode{"bin/frob": 0o755, "libexec/frob": 0o755, "libexec/run": 0o755, "libexec/again": 0o755, "locked": fs.ModeDir | 0o755} {
		info, err := os.Stat(filepath.Join(installed.Dir, name))
		require.NoError(t, err, name)
		assert.Equal(t, mode, info.Mode(), name)
	}
	real, err := filepath.EvalSymlinks(filepath.Join(installed.Dir, "bin", "frob"))
	require.NoError(t, err)
	assert.Equal(t, "libexec", filepath.Base(filepath.Dir(real)), "a program finds what was beside it")
	got, err := os.ReadFile(filepath.Join(installed.Dir, "share", "doc", "frob"))
	require.NoError(t, err)
	assert.Equal(t, frob, string(got))
}

func TestInstallStepsOfOtherKinds(t *testing.T) {
	archive := tarGz(t, program("frob-1/frob"), file("frob-1/lib/libfrob.so", "x"), file("frob-1/LICENSE", "x"))
	zipped := zipOf(t, program("frob"))
	base := serve(t, map[string][]byte{
		"frob-linux-x86_64": []byte(frob), "1.4.0/frob_linux_amd64.tar.gz": archive, "frob.zip": zipped,
		"SHA256SUMS":  fmt.Appendf(nil, "%s  other.tar.gz\n%s *./frob_linux_amd64.tar.gz\n", strings.Repeat("0", 64), sumOf(archive)[7:]),
		"frob.sha256": []byte(sumOf([]byte(frob))[7:] + "\n"),
	})
	on := installer.Platform{OS: "linux", Arch: "amd64", Libc: "musl"}
	for name, test := range map[string]struct {
		steps   []mend.Step
		there   []string // in the install
		missing []string
	}{
		"a program as it is": {[]mend.Step{
			step("download", "url", base+"/frob-{os}-{arch}", "checksum", sumOf([]byte(frob)), "arch_mapping", map[string]any{"amd64": "x86_64"}),
			step("chmod", "files", list("frob-linux-x86_64")),
			step("install_binaries", "binaries", list(map[string]any{"src": "frob-linux-x86_64", "dest": "bin/frob"})),
		}, []string{"bin/frob", "frob-linux-x86_64"}, nil},
		"under another name": {[]mend.Step{
			step("download_file", "url", base+"/frob-linux-x86_64", "checksum", sumOf([]byte(frob)), "dest", "frob"),
			step("install_binaries", "binaries", list("frob")),
		}, []string{"bin/frob"}, nil},
		"an archive in one step": {[]mend.Step{
			step("download_archive", "url", base+"/{version}/frob_{os}_{arch}.tar.gz", "checksum", sumOf(archive), "version", "1.4.0", "strip_dirs", int64(1), "binaries", list("frob")),
		}, []string{"bin/frob", "frob", "lib/libfrob.so", "LICENSE"}, nil},
		"outputs": {[]mend.Step{
			step("download_archive", "url", base+"/1.4.0/frob_linux_amd64.tar.gz", "checksum", sumOf(archive), "strip_dirs", int64(1), "install_mode", "directory", "outputs", list("frob", "lib/libfrob.so", "lib/libfrob.dylib")),
		}, []string{"bin/frob", "lib/libfrob.so"}, []string{"bin/libfrob.so"}},
		"a list of checksums": {[]mend.Step{
			step("download", "url", base+"/1.4.0/frob_linux_amd64.tar.gz", "checksum_url", base+"/SHA256SUMS"),
			step("extract", "archive", "frob_linux_amd64.tar.gz", "format", "tar.gz"),
		}, []string{"frob-1/frob"}, nil},
		"a checksum alone": {[]mend.Step{
			step("download", "url", base+"/frob-linux-x86_64", "checksum_url", base+"/frob.sha256"),
			step("install_binaries", "binaries", list("./frob-linux-x86_64")),
		}, []string{"bin/frob-linux-x86_64"}, nil},
		"some files": {[]mend.Step{
			step("download", "url", base+"/1.4.0/frob_linux_amd64.tar.gz", "checksum", sumOf(archive)),
			step("extract", "archive", "frob_linux_amd64.tar.gz", "strip_dirs", int64(1), "files", list("frob", "lib")),
		}, []string{"frob", "lib/libfrob.so"}, []string{"LICENSE"}},
		"steps for other platforms": {[]mend.Step{
			step("run", "when", map[string]any{"os": list("darwin")}),
			step("run", "when", map[string]any{"arch": "arm64"}),
			step("run", "when", map[string]any{"libc": list("glibc")}),
			step("download", "url", base+"/frob.zip", "checksum", sumOf(zipped), "when", map[string]any{"os": list("linux", "darwin"), "libc": list("musl"), "unknown": "x"}),
			step("extract", "archive", "frob.zip", "format", "zip"),
		}, []string{"frob"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			installed, err := install(t, installer.Options{Platform: on}, test.steps...)
			require.NoError(t, err)
			for _, name := range test.there {
				assert.FileExists(t, filepath.Join(installed.Dir, name))
			}
			for _, name := range test.missing {
				assert.NoFileExists(t, filepath.Join(installed.Dir, name))
			}
			if info, err := os.Stat(filepath.Join(installed.Dir, "bin", "frob")); err == nil {
				assert.Equal(t, fs.FileMode(0o755), info.Mode())
			}
		})
	}
}

func TestInstallModes(t *testing.T) {
	base := serve(t, map[string][]byte{"frob": []byte(frob)})
	for mode, want := range map[string]fs.FileMode{"": 0o755, "+x": 0o755, "0755": 0o755, "700": 0o700, "0o644": 0o644} {
		s := step("chmod", "files", list("frob"))
		if mode != "" {
			s.Params["mode"] = mode
		}
		installed, err := install(t, installer.Options{}, step("download", "url", base+"/frob", "checksum", sumOf([]byte(frob))), s)
		require.NoError(t, err)
		info, err := os.Stat(filepath.Join(installed.Dir, "frob"))
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode())
	}
}

func TestInstallVersions(t *testing.T) {
	archive := tarGz(t, program("frob"))
	base := serve(t, map[string][]byte{"frob-2.0.tar.gz": archive})
	s := []mend.Step{step("download", "url", base+"/frob-{version}.tar.gz", "checksum", sumOf(archive))}
	installed, err := install(t, installer.Options{Version: func(*mend.Recipe) string { return "2.0" }}, s...)
	require.NoError(t, err)
	assert.Equal(t, "2.0", installed.Version)
	_, err = install(t, installer.Options{}, s...)
	isEvidence(t, err, 0, "download", "url: there is nothing to put in place of {version}")
}

func TestInstallStepsThatFail(t *testing.T) {
	archive := tarGz(t, program("frob"), file("bin/other", ""), file("sub/other", ""))
	base := serve(t, map[string][]byte{"frob.tar.gz": archive, "page.tar.gz": []byte("<html>404</html>"), "sums": []byte("no sums\n")})
	set := func(step int, key string, value any) func([]mend.Step) {
		return func(s []mend.Step) { s[step].Params[key] = value }
	}
	without := func(next func([]mend.Step)) func([]mend.Step) {
		return func(s []mend.Step) { delete(s[0].Params, "checksum"); next(s) }
	}
	for name, test := range map[string]struct {
		change func([]mend.Step)
		step   int
		action string
		why    string
	}{
		"no checksum":           {set(0, "checksum", ""), 0, "download", "needs a checksum"},
		"another hash":          {set(0, "checksum", "md5:00"), 0, "download", "needs a checksum"},
		"half a checksum":       {set(0, "checksum", sumOf(archive)[:40]), 0, "download", "needs a checksum"},
		"two checksums":         {set(0, "checksum", sumOf(archive)+" "+sumOf(archive)[7:]), 0, "download", "needs a checksum"},
		"a name with a NUL":     {set(0, "dest", "a\x00b"), 0, "download", "no name of a file"},
		"a name in the address": {set(0, "url", base+"/a%00b"), 0, "download", "does not end in the name of a file"},
		"too long a name":       {set(0, "url", base+"/"+strings.Repeat("a", 256)), 0, "download", "does not end in the name of a file"},
		"a binary with a NUL":   {set(2, "binaries", list(map[string]any{"src": "frob", "dest": "bin/\x00"})), 2, "install_binaries", "no path inside"},
		"too long a binary":     {set(2, "binaries", list(map[string]any{"src": "frob", "dest": "bin/" + strings.Repeat("a", 256)})), 2, "install_binaries", "no path inside"},
		"no text":               {set(0, "checksum", int64(5)), 0, "download", "checksum has to be a string"},
		"no sums":               {without(set(0, "checksum_url", base+"/sums")), 0, "download", "states no SHA-256 of frob.tar.gz"},
		"sums that are not":     {without(set(0, "checksum_url", base+"/none")), 0, "download", "the checksums: download failed: HTTP 404"},
		"another scheme":        {set(0, "url", "ftp://127.0.0.1/x"), 0, "download", "no address of the web"},
		"no address":            {set(0, "url", "http://127.0.0.1:x/\x7f"), 0, "download", "invalid"},
		"an address of none":    {set(0, "url", "http://127.0.0.1/"), 0, "download", "does not end in the name of a file"},
		"an address of parents": {set(0, "url", "http://127.0.0.1/.."), 0, "download", "does not end in the name of a file"},
		"not encrypted":         {set(0, "url", "http://example.com/frob.tar.gz"), 0, "download", "is not encrypted"},
		"another machine's":     {set(0, "url", "file://example.com/etc/passwd"), 0, "download", "no file of this machine"},
		"no file":               {set(0, "url", "file:///no/such/file"), 0, "download", "no such file"},
		"a directory's file":    {set(0, "url", "file:///etc"), 0, "download", "is no regular file"},
		"a device":              {set(0, "url", "file:///dev/zero"), 0, "download", "is no regular file"},
		"a name outside":        {set(0, "dest", "../x"), 0, "download", "no name of a file"},
		"not there":             {set(0, "url", base+"/other.tar.gz"), 0, "download", "download failed: HTTP 404 (Not Found) for /other.tar.gz"},
		"a placeholder":         {set(0, "url", base+"/{flavour}.tar.gz"), 0, "download", "nothing to put in place of {flavour}"},
		"another archive":       {set(1, "archive", "other.tar.gz"), 1, "extract", "was not downloaded"},
		"an archive outside":    {set(1, "archive", "../../x"), 1, "extract", "no name of a file"},
		"another format":        {set(1, "format", "zip"), 1, "extract", "this is no zip archive"},
		"no format":             {set(1, "format", "rar"), 1, "extract", `"rar" of frob.tar.gz is unknown`},
		"too many directories":  {set(1, "strip_dirs", int64(17)), 1, "extract", "strip_dirs is 17"},
		"fewer than none":       {set(1, "strip_dirs", int64(-1)), 1, "extract", "strip_dirs is -1"},
		"no number":             {set(1, "strip_dirs", "1"), 1, "extract", "strip_dirs is 1"},
		"a file that is not":    {set(1, "files", list("frob", "frab")), 1, "extract", `the file "frab" was not found in the archive`},
		"missing binary":        {set(2, "binaries", list("bin/frob")), 2, "install_binaries", `the binary "bin/frob" was not found in the archive`},
		"a directory":           {set(2, "binaries", list("sub")), 2, "install_binaries", "was not found"},
		"a binary outside":      {set(2, "binaries", list("../x")), 2, "install_binaries", "no path inside"},
		"a place outside":       {set(2, "binaries", list(map[string]any{"src": "frob", "dest": "../frob"})), 2, "install_binaries", "no path inside"},
		"a place taken":         {set(2, "binaries", list("sub/other")), 2, "install_binaries", `would take the place of "bin/other"`},
		"no binaries":           {set(2, "binaries", nil), 2, "install_binaries", "names no binaries"},
		"binaries of a kind":    {set(2, "binaries", list(int64(5))), 2, "install_binaries", "5 is no path"},
		"no list":               {set(2, "binaries", "frob"), 2, "install_binaries", "has to be a list"},
		"an action":             {func(s []mend.Step) { s[1].Action = "run" }, 1, "run", `the action "run" is unknown`},
		"chmod of nothing":      {func(s []mend.Step) { s[2] = step("chmod") }, 2, "chmod", "names no files"},
		"chmod of none":         {func(s []mend.Step) { s[2] = step("chmod", "files", list("frab")) }, 2, "chmod", `the file "frab" was not found`},
		"chmod outside":         {func(s []mend.Step) { s[2] = step("chmod", "files", list("../../etc")) }, 2, "chmod", "no path inside"},
		"setuid":                {func(s []mend.Step) { s[2] = step("chmod", "files", list("frob"), "mode", "4755") }, 2, "chmod", `"4755" are no permissions`},
		"twice":                 {func(s []mend.Step) { s[1] = s[0] }, 1, "download", "was downloaded already"},
		"other platforms": {func(s []mend.Step) {
			for _, one := range s {
				one.Params["when"] = map[string]any{"os": "plan9"}
			}
		}, -1, "", "no step is for"},
	} {
		t.Run(name, func(t *testing.T) {
			s := steps(base, "frob.tar.gz", archive)
			test.change(s)
			_, err := install(t, installer.Options{}, s...)
			isEvidence(t, err, test.step, test.action, test.why)
		})
	}
	t.Run("a page", func(t *testing.T) {
		_, err := install(t, installer.Options{}, steps(base, "page.tar.gz", []byte("<html>404</html>"))...)
		isEvidence(t, err, 1, "extract", "this is no tar.gz archive")
	})
	t.Run("what the archive holds is told", func(t *testing.T) {
		s := steps(base, "frob.tar.gz", archive)
		s[2].Params["binaries"] = list("frab")
		_, err := install(t, installer.Options{}, s...)
		var failed *mend.InstallError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, "the archive holds: bin/other, frob, sub/other", failed.Stderr)
	})
}

// TestInstallChecksumsAsPeopleWriteThem has them in every form that means the same.
func TestInstallChecksumsAsPeopleWriteThem(t *testing.T) {
	archive := tarGz(t, program("frob"))
	sum := sumOf(archive)[7:]
	base := serve(t, map[string][]byte{
		"frob.tar.gz": archive, "tagged": []byte("MD5 (frob.tar.gz) = 00\nSHA256 (frob.tar.gz) = " + sum + "\n"),
		"upper": []byte(strings.ToUpper(sum) + " *dist/frob.tar.gz\r\n"), "spaced": []byte(strings.Repeat("0", 64) + "  other file\n" + sum + "  frob.tar.gz\n"),
		"two alone": []byte(sum + "\n" + strings.Repeat("0", 64) + "\n"),
	})
	try := func(key, value string) error {
		s := step("download", "url", base+"/frob.tar.gz", key, value)
		_, err := install(t, installer.Options{}, s)
		return err
	}
	for _, text := range []string{sum, "sha256:" + sum, strings.ToUpper(sum), "SHA256:" + strings.ToUpper(sum), " " + sum + "\n"} {
		assert.NoError(t, try("checksum", text), text)
	}
	for _, list := range []string{"tagged", "upper", "spaced"} {
		assert.NoError(t, try("checksum_url", base+"/"+list), list)
	}
	isEvidence(t, try("checksum_url", base+"/two alone"), 0, "download", "states no SHA-256 of frob.tar.gz")
}

func TestInstallChecksumMismatchNamesBothSums(t *testing.T) {
	archive := tarGz(t, program("frob"))
	other := strings.Repeat("0f", 32)
	s := steps(serve(t, map[string][]byte{"frob.tar.gz": archive}), "frob.tar.gz", archive)
	s[0].Params["checksum"] = other
	_, err := install(t, installer.Options{}, s...)
	isEvidence(t, err, 0, "download", fmt.Sprintf("checksum mismatch of frob.tar.gz: expected sha256:%s but got %s", other, sumOf(archive)))
}

func TestInstallEndsWithItsContext(t *testing.T) {
	cause := errors.New("closing time")
	ctx, cancel := context.WithCancelCause(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { cancel(cause); <-r.Context().Done() }))
	defer server.Close()
	_, err := installer.New(nil).Install(ctx, &mend.Recipe{Steps: steps(server.URL, "frob.tar.gz", nil)}, t.TempDir())
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, cause)
	var failed *mend.InstallError
	assert.NotErrorAs(t, err, &failed)
}

// TestInstallWhereThereIsNoRoom: the machine's errors are nobody's fault.
func TestInstallWhereThereIsNoRoom(t *testing.T) {
	archive := tarGz(t, program("frob"))
	s := steps(serve(t, map[string][]byte{"frob.tar.gz": archive}), "frob.tar.gz", archive)
	_, err := installer.New(quick(installer.Options{})).Install(t.Context(), &mend.Recipe{Steps: s}, filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
	var failed *mend.InstallError
	assert.NotErrorAs(t, err, &failed)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "tool"), 0o755))
	_, err = installer.New(quick(installer.Options{})).Install(t.Context(), &mend.Recipe{Steps: s}, dir)
	assert.ErrorIs(t, err, fs.ErrExist, "and a directory that is in use stays as it is")
	assert.NotErrorAs(t, err, &failed)
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// bomb returns a small archive with one large file.
func bomb(size int64) []byte {
	var b bytes.Buffer
	zipped, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w := tar.NewWriter(zipped)
	if err := w.WriteHeader(&tar.Header{Name: "frob", Mode: 0o755, Size: size}); err != nil {
		panic(err)
	}
	zipped.Close() // the header alone is enough to see it
	return b.Bytes()
}

// zeros returns an archive whose members are within the bounds, and all of them
// together are not.
func zeros(members int, size int64) []byte {
	var all []any
	for i := range members {
		all = append(all, &tar.Header{Name: fmt.Sprintf("f%d", i)}, string(make([]byte, size)))
	}
	return tarGz(all...)
}

// recipeFor returns a recipe that installs the program at base/frob.tar.gz.
func recipeFor(base string, archive []byte, binary string) *mend.Recipe {
	return &mend.Recipe{Steps: []mend.Step{
		{Action: "download", Params: map[string]any{"url": base + "/frob.tar.gz", "checksum": fmt.Sprintf("sha256:%x", sha256.Sum256(archive)), "version": "1.4.0"}},
		{Action: "extract", Params: map[string]any{"archive": "frob.tar.gz", "format": "tar.gz"}},
		{Action: "install_binaries", Params: map[string]any{"binaries": []any{binary}}},
	}}
}

// install serves the archive and installs it with small bounds. The directory is
// one of several, so that what leads out of it shows.
func install(t *testing.T, archive []byte, change func(*mend.Recipe)) (mend.Installed, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(archive) }))
	t.Cleanup(server.Close)
	r := recipeFor(server.URL, archive, "frob")
	if change != nil {
		change(r)
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "install")
	require.NoError(t, os.Mkdir(dir, 0o755))
	in := newInstaller(newClient())
	in.bounds = bounds{download: 64 << 10, unpacked: 256 << 10, members: 50}
	installed, err := in.Install(t.Context(), r, dir)
	outside, readErr := os.ReadDir(parent)
	require.NoError(t, readErr)
	assert.Len(t, outside, 1, "nothing is written outside")
	return installed, err
}

// isEvidence requires that an error is one of the recipe's step, of that text.
func isEvidence(t *testing.T, err error, step int, action, text string) {
	t.Helper()
	var failed *mend.InstallError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, step, failed.Step)
	assert.Equal(t, action, failed.Action)
	assert.ErrorContains(t, err, text)
}

func TestInstall(t *testing.T) {
	archive := tarGz(
		&tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "a commit"}}, "",
		&tar.Header{Name: "./frob-1/", Typeflag: tar.TypeDir}, "",
		&tar.Header{Name: "./frob-1/libexec/frob", Mode: 0o600}, frob,
		&tar.Header{Name: "./frob-1/libexec/run", Mode: 0o4755}, "#!/bin/sh\n",
		&tar.Header{Name: "./frob-1/frob", Typeflag: tar.TypeSymlink, Linkname: "libexec/frob"}, "",
		&tar.Header{Name: "./frob-1/share/doc/frob", Typeflag: tar.TypeSymlink, Linkname: "../../libexec/frob"}, "",
	)
	installed, err := install(t, archive, func(r *mend.Recipe) { r.Steps[1].Params["strip_dirs"] = int64(1) })
	require.NoError(t, err)
	assert.Equal(t, "1.4.0", installed.Version)
	for name, mode := range map[string]fs.FileMode{"bin/frob": 0o755, "libexec/frob": 0o644, "libexec/run": 0o755} {
		info, err := os.Stat(filepath.Join(installed.Dir, name))
		require.NoError(t, err, name)
		assert.Equal(t, mode, info.Mode(), name)
	}
	program, err := os.ReadFile(filepath.Join(installed.Dir, "share", "doc", "frob"))
	require.NoError(t, err)
	assert.Equal(t, frob, string(program))
	assert.NoDirExists(t, filepath.Join(installed.Dir, "..", downloadDir), "the archive is not kept")
}

func TestUnsafeArchivesAreRefused(t *testing.T) {
	program := &tar.Header{Name: "frob", Mode: 0o755}
	link := func(name, target string) *tar.Header {
		return &tar.Header{Name: name, Linkname: target, Typeflag: tar.TypeSymlink}
	}
	truncated := tarGz(program, strings.Repeat(frob, 10))
	for name, tt := range map[string]struct {
		archive []byte
		why     string
	}{
		"escape":                   {tarGz(program, frob, &tar.Header{Name: "../escape"}, "x"), `member "../escape" leads out`},
		"escape from further down": {tarGz(&tar.Header{Name: "a/b/../../../escape"}, "x"), "leads out"},
		"absolute path":            {tarGz(&tar.Header{Name: "/tmp/escape"}, "x"), `member "/tmp/escape" leads out`},
		"backslashes":              {tarGz(&tar.Header{Name: `..\escape`}, "x"), "leads out"},
		"link up":                  {tarGz(link("a/up", "../../x"), ""), `the link "a/up" leads out of the directory, to "../../x"`},
		"link to the root":         {tarGz(link("etc", "/etc"), ""), "leads out"},
		"link to itself, then up":  {tarGz(link("a/here", ".."), "", link("b", "a/here/../x"), ""), "leads out"},
		"file behind a link":       {tarGz(link("a", "."), "", &tar.Header{Name: "a/x"}, "x"), `member "a" is used as a directory`},
		"link behind a link":       {tarGz(link("q/l", ".."), "", link("q/l/m", "../x"), ""), `member "q/l" is used as a directory`},
		"file over a link":         {tarGz(link("frob", "x"), "", program, frob), "is there twice"},
		"file over a file":         {tarGz(program, frob, program, frob), "is there twice"},
		"hard link":                {tarGz(program, frob, &tar.Header{Name: "b", Linkname: "frob", Typeflag: tar.TypeLink}, ""), `member "b" is a hard link`},
		"hard link to the outside": {tarGz(&tar.Header{Name: "b", Linkname: "/etc/passwd", Typeflag: tar.TypeLink}, ""), "is a hard link"},
		"device":                   {tarGz(&tar.Header{Name: "null", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}, ""), `member "null" is neither`},
		"pipe":                     {tarGz(&tar.Header{Name: "p", Typeflag: tar.TypeFifo}, ""), `member "p" is neither`},
		"bomb":                     {bomb(1 << 40), "unpacks to more than 262144 bytes"},
		"bomb of many files":       {zeros(5, 60<<10), "unpacks to more than 262144 bytes"},
		"bomb of names":            {zeros(51, 0), "more than 50 members"},
		"bomb of directories":      {tarGz(&tar.Header{Name: strings.Repeat("a/", 60) + "x"}, "x"), "more than 50 files and directories"},
		"name too deep":            {tarGz(&tar.Header{Name: strings.Repeat("a/", 400) + "x"}, "x"), "too long or too deep"},
		"name too long":            {tarGz(&tar.Header{Name: strings.Repeat("a", 2000)}, "x"), "too long or too deep"},
		"no archive":               {[]byte("<html>404</html>"), "this is no tar.gz archive"},
		"cut short":                {truncated[:len(truncated)-20], "extraction failed: unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := install(t, tt.archive, nil)
			isEvidence(t, err, 1, "extract", tt.why)
		})
	}
}

// A link that is safe as it stands may lead out when the directories before it
// are left out.
func TestLinksAreJudgedWhereTheyAreUnpacked(t *testing.T) {
	archive := tarGz(&tar.Header{Name: "frob-1/a", Linkname: "../x", Typeflag: tar.TypeSymlink}, "", &tar.Header{Name: "frob-1/frob"}, frob)
	_, err := install(t, archive, func(r *mend.Recipe) { r.Steps[1].Params["strip_dirs"] = int64(1) })
	isEvidence(t, err, 1, "extract", "leads out")
	_, err = install(t, archive, func(r *mend.Recipe) { r.Steps[2].Params["binaries"] = []any{"frob-1/frob"} })
	assert.NoError(t, err)
}

func TestChecksumMismatchNamesBothSums(t *testing.T) {
	archive := tarGz(&tar.Header{Name: "frob"}, frob)
	other := strings.Repeat("0f", 32)
	_, err := install(t, archive, func(r *mend.Recipe) { r.Steps[0].Params["checksum"] = "sha256:" + other })
	isEvidence(t, err, 0, "download", fmt.Sprintf("checksum mismatch of frob.tar.gz: expected sha256:%s but got sha256:%x", other, sha256.Sum256(archive)))
}

func TestStepsThatFail(t *testing.T) {
	archive := tarGz(&tar.Header{Name: "frob"}, frob, &tar.Header{Name: "bin/other"}, "", &tar.Header{Name: "sub/other"}, "")
	set := func(step int, key string, value any) func(*mend.Recipe) {
		return func(r *mend.Recipe) { r.Steps[step].Params[key] = value }
	}
	for name, tt := range map[string]struct {
		change func(*mend.Recipe)
		step   int
		action string
		why    string
	}{
		"no checksum":        {set(0, "checksum", ""), 0, "download", "needs a checksum"},
		"another hash":       {set(0, "checksum", "md5:00"), 0, "download", "needs a checksum"},
		"a file's address":   {set(0, "url", "file:///etc/passwd"), 0, "download", "no address of the web"},
		"an address of none": {set(0, "url", "http://127.0.0.1/"), 0, "download", "does not end in the name of a file"},
		"another archive":    {set(1, "archive", "other.tar.gz"), 1, "extract", "was not downloaded"},
		"an archive outside": {set(1, "archive", "../../x"), 1, "extract", "no name of a file"},
		"format":             {set(1, "format", "zip"), 1, "extract", `"zip" is unknown`},
		"strip":              {set(1, "strip_dirs", int64(-1)), 1, "extract", "strip_dirs is -1"},
		"missing binary":     {set(2, "binaries", []any{"bin/frob"}), 2, "install_binaries", `the binary "bin/frob" was not found`},
		"a directory":        {set(2, "binaries", []any{"sub"}), 2, "install_binaries", "was not found"},
		"a binary outside":   {set(2, "binaries", []any{"../x"}), 2, "install_binaries", "no path inside"},
		"a place taken":      {set(2, "binaries", []any{"sub/other"}), 2, "install_binaries", `would take the place of "bin/other"`},
		"nothing":            {set(2, "binaries", nil), 2, "install_binaries", "names no binaries"},
		"action":             {func(r *mend.Recipe) { r.Steps[1].Action = "run" }, 1, "run", `the action "run" is unknown`},
		"other platforms": {func(r *mend.Recipe) {
			for _, s := range r.Steps {
				s.Params["when"] = platform{"plan9", "mips"}.when()
			}
		}, -1, "", "no step is for"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := install(t, archive, tt.change)
			isEvidence(t, err, tt.step, tt.action, tt.why)
		})
	}
}

// What a server says about the address is evidence; that it says nothing, or has
// troubles of its own, is not.
func TestWhatADownloadSaysAboutTheRecipe(t *testing.T) {
	for name, tt := range map[string]struct {
		answer   http.HandlerFunc
		evidence bool
		why      string
	}{
		"not found":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, true, "download failed: HTTP 404"},
		"forbidden":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, true, "HTTP 403"},
		"too large":   {func(w http.ResponseWriter, _ *http.Request) { io.CopyN(w, endless{}, 1<<20) }, true, "more than 65536 bytes"},
		"unavailable": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, false, "HTTP 503"},
		"rate limit":  {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }, false, "HTTP 429"},
		"broken off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("x"))
		}, false, "unexpected EOF"},
		"no server": {nil, false, "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(tt.answer)
			defer server.Close()
			if tt.answer == nil {
				server.Close()
			}
			in := newInstaller(newClient())
			in.bounds.download = 64 << 10
			_, err := in.Install(t.Context(), recipeFor(server.URL, nil, "frob"), t.TempDir())
			if tt.evidence {
				isEvidence(t, err, 0, "download", tt.why)
				return
			}
			var failed *mend.InstallError
			require.ErrorContains(t, err, tt.why)
			assert.NotErrorAs(t, err, &failed)
		})
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// A network that is down ends the request. No model is asked to repair that.
func TestNoConnectionIsNotRepaired(t *testing.T) {
	d := newDemo()
	server := httptest.NewServer(d)
	p := hasty()
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{AllowPlain: true, Installer: func(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
		server.Close()
		return newInstaller(newClient()).Install(ctx, r, dir)
	}})
	_, err := mend.New(sandbox, nil).Create(t.Context(), newBuilder(server.URL, p, newClient()), request)
	require.ErrorContains(t, err, "step 0 (download)")
	var failed *mend.ValidationFailedError
	assert.NotErrorAs(t, err, &failed)
	assert.Equal(t, 1, p.Left())
}

func TestInstallEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }))
	defer server.Close()
	_, err := newInstaller(newClient()).Install(ctx, recipeFor(server.URL, nil, "frob"), t.TempDir())
	assert.ErrorIs(t, err, context.Canceled)
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
		root, err := openDir(filepath.Join(t.TempDir(), "tree"))
		require.NoError(t, err)
		unpacked := &tree{root: root, strip: random.IntN(2), limit: 100, kinds: make(map[string]byte)}
		for range 12 {
			kind := []byte{tar.TypeReg, tar.TypeDir, tar.TypeSymlink, tar.TypeSymlink}[random.IntN(4)]
			// What is refused is passed over here, to give the others more of a chance.
			if unpacked.add(&tar.Header{Name: some(4), Linkname: some(4), Typeflag: kind}, strings.NewReader("x")) == nil && kind == tar.TypeSymlink {
				links++
			}
		}
		require.NoError(t, root.Close())
		staysInside(t, root.Name())
	}
	assert.Greater(t, links, 200, "hardly any link was unpacked, so that nothing was tested")
}

// staysInside requires that nothing lies beside a directory, and that none of its
// links leads out of it.
func staysInside(t *testing.T, dir string) {
	entries, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	real, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(real, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			assert.True(t, target == real || strings.HasPrefix(target, real+string(filepath.Separator)), "%s leads to %s", path, target)
		}
		return nil
	}))
}

package main

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/mendkit/mend/mendtest"
)

// started serves a repository on this machine, and returns the address.
func started(t *testing.T, d *demo) string {
	server := httptest.NewServer(d)
	t.Cleanup(server.Close)
	return server.URL
}

// isolated returns a sandbox that installs as the example does.
func isolated(t *testing.T) mend.Sandbox {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer.New(nil).Install})
	if _, err := sandbox.Isolation(); err != nil {
		t.Skip("programs are only run in isolation: ", err)
	}
	return sandbox
}

var request = mend.BuildRequest{Package: "frob", Source: demoRepo}

// generate makes a recipe that nothing installs.
func generate(t *testing.T, base string, p mend.Provider) (*mend.Recipe, error) {
	t.Helper()
	result, err := mend.New(nil, &mend.Options{SkipSandbox: true}).Create(t.Context(), newBuilder(base, p, newClient()), request)
	if err != nil {
		return nil, err
	}
	return result.Recipe, nil
}

// toolResult returns the result that the model was last shown.
func toolResult(t *testing.T, p *mendtest.ScriptedProvider, request int) mend.ToolResult {
	t.Helper()
	require.Greater(t, len(p.Requests()), request)
	messages := p.Requests()[request].Messages
	results := messages[len(messages)-1].ToolResults
	require.NotEmpty(t, results)
	return results[0]
}

// answerWith is the right answer with something else in it.
func answerWith(key string, value any) mendtest.Turn {
	answer := demoAnswer()
	answer[key] = value
	return mendtest.Call("extract_pattern", answer)
}

func TestFromReleaseToMendedRecipe(t *testing.T) {
	p := careful()
	sandbox := isolated(t)
	result, err := mend.New(sandbox, nil).Create(t.Context(), newBuilder(started(t, newDemo()), p, newClient()), request)
	require.NoError(t, err)

	assert.Contains(t, p.Requests()[0].Messages[0].Content, "tag v1.4.0; {version} is 1.4.0")
	assert.Contains(t, p.Requests()[0].Messages[0].Content, "- frob_1.4.0_linux_x86_64.tar.gz (")
	assert.Contains(t, toolResult(t, p, 1).Content, "Counts the words")
	assert.Regexp(t, `-rwxr-xr-x +\d+ frob-1\.4\.0/bin/frob\n`, toolResult(t, p, 2).Content+"\n")

	assert.Equal(t, "frob --version", result.Generated.Verify.Command)
	assert.Equal(t, "frob -V", result.Recipe.Verify.Command)
	assert.Equal(t, mend.MethodDocumentedVersion, result.RepairMetadata.Method)
	assert.Equal(t, mend.StrengthVersion, result.Strength)
	assert.Zero(t, result.RepairAttempts, "the model is not asked for what mend can do")
	assert.True(t, bytes.HasPrefix(result.Recipe.Bytes(), []byte("# made of release v1.4.0 of example/frob\n")))
}

func TestOnlyTheModelRepairsAWrongPath(t *testing.T) {
	sandbox, base := isolated(t), started(t, newDemo())
	p := hasty()
	_, err := mend.New(sandbox, &mend.Options{MaxRepairs: -1}).Create(t.Context(), newBuilder(base, p, newClient()), request)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	require.NotNil(t, failed.Failure.Install)
	assert.Equal(t, 2, failed.Failure.Install.Step)
	assert.Equal(t, "install_binaries", failed.Failure.Install.Action)
	assert.Equal(t, mend.CategoryBinaryNotFound, failed.Failure.Parsed.Category)

	p = hasty()
	result, err := mend.New(sandbox, nil).Create(t.Context(), newBuilder(base, p, newClient()), request)
	require.NoError(t, err)
	assert.Equal(t, 1, result.RepairAttempts)
	assert.Equal(t, "frob -V", result.Recipe.Verify.Command)
	told := p.Requests()[1].Messages
	assert.Contains(t, told[len(told)-1].Content, "the archive holds: frob-1.4.0/README.md, frob-1.4.0/bin/frob")
}

func TestRecipe(t *testing.T) {
	base := started(t, newDemo())
	r, err := generate(t, base, mendtest.NewScriptedProvider("p", mendtest.Call("extract_pattern", demoAnswer())))
	require.NoError(t, err)
	require.Len(t, r.Steps, 3*len(demoPlatforms()))
	sum := fmt.Sprintf("sha256:%x", sha256.Sum256(newDemo().assets["frob_1.4.0_linux_x86_64.tar.gz"]))
	when := map[string]any{"os": []any{"linux"}, "arch": "amd64"}
	assert.Equal(t, []mend.Step{
		{Action: "download", Params: map[string]any{
			"url":      base + "/example/frob/releases/download/v1.4.0/frob_1.4.0_linux_x86_64.tar.gz",
			"checksum": sum, "version": "1.4.0", "when": when,
		}},
		{Action: "extract", Params: map[string]any{"archive": "frob_1.4.0_linux_x86_64.tar.gz", "format": "tar.gz", "strip_dirs": int64(1), "when": when}},
		{Action: "install_binaries", Params: map[string]any{"binaries": []any{"bin/frob"}, "when": when}},
	}, r.Steps[:3])
	assert.Equal(t, "frob", r.Metadata.Name)
	assert.Equal(t, base+"/example/frob", r.Metadata.Homepage)
}

func TestChecksumsOfFiles(t *testing.T) {
	archives := newDemo().assets
	for name, write := range map[string]func(d *demo, archive, sum string){
		"one for all": func(d *demo, archive, sum string) {
			d.assets["frob_1.4.0_checksums.txt"] = fmt.Appendf(d.assets["frob_1.4.0_checksums.txt"], "%s  %s\n", sum, archive)
		},
		"as sha256sum --binary writes it": func(d *demo, archive, sum string) {
			d.assets["SHA256SUMS"] = fmt.Appendf(d.assets["SHA256SUMS"], "%s *./%s\n", strings.ToUpper(sum), archive)
		},
		"one each": func(d *demo, archive, sum string) { d.assets[archive+".sha256"] = []byte(sum + "\n") },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDemo()
			d.sums = false
			for archive, content := range archives {
				write(d, archive, fmt.Sprintf("%x", sha256.Sum256(content)))
			}
			r, err := generate(t, started(t, d), mendtest.NewScriptedProvider("p", mendtest.Call("extract_pattern", demoAnswer())))
			require.NoError(t, err)
			sum := sha256.Sum256(archives["frob_1.4.0_linux_x86_64.tar.gz"])
			assert.Equal(t, fmt.Sprintf("sha256:%x", sum), r.Steps[0].Params["checksum"])
		})
	}
}

// A wrong answer costs the model a turn, and no install.
func TestWrongAnswersGoBack(t *testing.T) {
	asset := func(name string, platforms ...string) []any {
		return []any{map[string]any{"platforms": platforms, "name": name}}
	}
	const linux = "frob_{version}_linux_x86_64.tar.gz"
	for name, tt := range map[string]struct {
		wrong mendtest.Turn
		told  string
	}{
		"asset unknown":           {answerWith("assets", asset("frob-{version}.tar.gz", host().String())), `release v1.4.0 has no asset "frob-1.4.0.tar.gz"; it has: frob_`},
		"mapping missing":         {answerWith("arch_mapping", map[string]string{"amd64": "x64", "arm64": "x64"}), `has no asset "frob_1.4.0_linux_x64.tar.gz"`},
		"placeholder unknown":     {answerWith("assets", asset("frob_{arch}_{libc}.tar.gz", host().String())), "another placeholder"},
		"platform malformed":      {answerWith("assets", asset(linux, "linux")), `"linux" is no platform`},
		"platform twice":          {answerWith("assets", asset(linux, "linux/amd64", "linux/amd64")), "linux/amd64 is there twice"},
		"not for this machine":    {answerWith("assets", asset(linux, "plan9/mips")), "on which the recipe is tried"},
		"no archive":              {answerWith("assets", asset("notes.txt", host().String())), "notes.txt is no tar.gz archive"},
		"format":                  {answerWith("format", "rar"), `"rar" is none that can be unpacked`},
		"strip":                   {answerWith("strip_dirs", -1), "strip_dirs: -1"},
		"no binaries":             {answerWith("binaries", []string{}), "binaries: there are none"},
		"binary outside":          {answerWith("binaries", []string{"../../bin/frob"}), "no path inside an archive"},
		"binary absolute":         {answerWith("binaries", []string{"/bin/frob"}), "no path inside an archive"},
		"binaries of one name":    {answerWith("binaries", []string{"a/frob", "b/frob"}), "two are called frob"},
		"another program's check": {answerWith("verify_command", "tar --version"), `runs "tar", which is none of the binaries`},
		"check with a pipe":       {answerWith("verify_command", "frob | sort"), "verify_command"},
		"check empty":             {answerWith("verify_command", ""), "verify_command"},
		"wrong type":              {answerWith("binaries", "frob"), "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDemo()
			d.assets["notes.txt"] = []byte("notes")
			p := mendtest.NewScriptedProvider("p", tt.wrong, mendtest.Call("extract_pattern", demoAnswer()))
			_, err := generate(t, started(t, d), p)
			require.NoError(t, err)
			back := toolResult(t, p, 1)
			assert.True(t, back.IsError)
			assert.Contains(t, back.Content, tt.told)
		})
	}
	t.Run("no checksum", func(t *testing.T) {
		d := newDemo()
		d.sums = false
		p := mendtest.NewScriptedProvider("p", mendtest.Call("extract_pattern", demoAnswer()), mendtest.Turn{Text: "There is none."})
		_, err := generate(t, started(t, d), p)
		require.Error(t, err)
		assert.Contains(t, p.Requests()[0].Messages[0].Content, "no checksum known")
		assert.Contains(t, toolResult(t, p, 1).Content, "states no SHA-256 checksum")
	})
}

// called calls one of the tools of a job on the demo's release.
func called(t *testing.T, d *demo, tool string, args map[string]any) (string, error) {
	t.Helper()
	b := newBuilder(started(t, d), nil, newClient())
	r, err := b.api.latest(t.Context(), demoRepo)
	require.NoError(t, err)
	raw, err := json.Marshal(args)
	require.NoError(t, err)
	j := &job{builder: b, release: r}
	for _, known := range []mend.Tool{j.fetchFile(), j.inspectArchive()} {
		if known.Name == tool {
			return known.Call(t.Context(), raw)
		}
	}
	t.Fatal("no such tool")
	return "", nil
}

func TestFetchFile(t *testing.T) {
	d := newDemo()
	d.files["docs/a b?.md"] = "found"
	d.files["program"] = "\x7fELF\x00\x01"
	d.files["long"] = "a" + strings.Repeat("ü", maxText) // the bound cuts a rune in two
	text, err := called(t, d, "fetch_file", map[string]any{"path": "docs/a b?.md"})
	require.NoError(t, err)
	assert.Equal(t, "found", text)
	text, err = called(t, d, "fetch_file", map[string]any{"path": "long"})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(text, "a"+strings.Repeat("ü", maxText/2-1)+"\n[the file goes on"), "%d", len(text))

	for path, why := range map[string]string{
		"../../other/secret":     "is no path",
		"docs/../../x":           "is no path",
		"/etc/passwd":            "is no path",
		"":                       "is no path",
		".":                      "is no path",
		`docs\..\x`:              "is no path",
		"a\nb":                   "is no path",
		"https://example.org/x":  "is no path",
		"missing":                "HTTP 404",
		"program":                "is no text file",
		"README.md?ref=main&x=y": "HTTP 404",
	} {
		_, err := called(t, d, "fetch_file", map[string]any{"path": path})
		assert.ErrorContains(t, err, why, "%q", path)
	}
}

func TestInspectArchive(t *testing.T) {
	d := newDemo()
	d.assets["bomb.tar.gz"] = tarGz(&tar.Header{Name: "zeros"}, string(make([]byte, 65<<20)))
	d.assets["notes.txt"] = []byte("notes")
	d.assets["page.tar.gz"] = []byte("<html>")
	for asset, why := range map[string]string{
		"other.tar.gz":                   `has no asset "other.tar.gz"; it has: `,
		"https://example.org/x.tar.gz":   "has no asset",
		"../v1.3.0/frob_1.3.0.tar.gz":    "has no asset",
		"notes.txt":                      "notes.txt is no archive that can be looked into",
		"bomb.tar.gz":                    "unpacks to more than",
		"page.tar.gz":                    "this is no tar.gz archive",
		"frob_1.4.0_linux_x86_64.tar.gz": "",
	} {
		_, err := called(t, d, "inspect_archive", map[string]any{"asset": asset})
		if why == "" {
			assert.NoError(t, err)
			continue
		}
		assert.ErrorContains(t, err, why)
	}
}

func TestNewSessionFails(t *testing.T) {
	b := newBuilder(started(t, newDemo()), mendtest.NewScriptedProvider("p"), newClient())
	for _, repo := range []string{"", "frob", "a/b/c", "../frob", "example/..", "example/fr?b", "other/repo"} {
		_, err := b.NewSession(t.Context(), mend.BuildRequest{Source: repo})
		assert.Error(t, err, repo)
	}
	_, err := b.NewSession(t.Context(), mend.BuildRequest{Source: demoRepo, Version: "1.3.0"})
	assert.ErrorContains(t, err, "is 1.4.0, not 1.3.0")
}

// A network that is down ends the request. No model is asked to repair that.
func TestNoConnectionIsNotRepaired(t *testing.T) {
	server := httptest.NewServer(newDemo())
	p := hasty()
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{AllowPlain: true, Installer: func(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
		server.Close()
		return installer.New(&installer.Options{Attempts: 1}).Install(ctx, r, dir)
	}})
	_, err := mend.New(sandbox, nil).Create(t.Context(), newBuilder(server.URL, p, newClient()), request)
	require.ErrorContains(t, err, "step 0 (download)")
	var failed *mend.ValidationFailedError
	assert.NotErrorAs(t, err, &failed)
	assert.Equal(t, 1, p.Left())
}

// A builder is used for many requests at once, each with a session of its own.
func TestManyAtOnce(t *testing.T) {
	const n = 16
	p := mendtest.NewScriptedProvider("p", slices.Repeat([]mendtest.Turn{mendtest.Call("extract_pattern", demoAnswer())}, n)...)
	b := newBuilder(started(t, newDemo()), p, newClient())
	done := 0
	for result, err := range mend.New(nil, &mend.Options{SkipSandbox: true}).CreateAll(t.Context(), b, slices.Values(slices.Repeat([]mend.BuildRequest{request}, n)), 8) {
		require.NoError(t, err)
		assert.Len(t, result.Recipe.Steps, 3*len(demoPlatforms()))
		done++
	}
	assert.Equal(t, n, done)
}

func TestVersionOfTag(t *testing.T) {
	for tag, want := range map[string]string{"v1.4.0": "1.4.0", "1.4.0": "1.4.0", "vim-9": "vim-9", "v": "v", "release-3": "release-3"} {
		assert.Equal(t, want, (&release{Tag: tag}).version())
	}
}

func TestDemonstration(t *testing.T) {
	isolated(t)
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, "", "", nil))
	assert.Contains(t, out.String(), "repairs by the model: 0")
	assert.Contains(t, out.String(), "repairs by the model: 1")
	assert.Contains(t, out.String(), "The recipe is the same.")
}

func TestAnswerByHand(t *testing.T) {
	isolated(t)
	base := started(t, newDemo())
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, base, "", []string{demoRepo}))
	assert.Contains(t, out.String(), "Assets:\n- frob_1.4.0_")

	answer, err := json.Marshal(demoAnswer())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "answer.json")
	require.NoError(t, os.WriteFile(file, answer, 0o600))
	out.Reset()
	require.NoError(t, run(t.Context(), &out, base, file, []string{demoRepo}))
	assert.Contains(t, out.String(), "command = \"frob -V\"\n")
	assert.Error(t, run(context.Background(), &out, base, file, []string{"a/b", "c/d"}))
}

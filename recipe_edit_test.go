package mend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

func TestRecipeEdits(t *testing.T) {
	files, err := filepath.Glob("testdata/recipe/edit/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			before, verify, after := editSections(t, string(data))
			require.NotEqual(t, before, after)

			r, err := mend.ParseRecipe([]byte(before))
			require.NoError(t, err)
			want, err := mend.ParseRecipe([]byte(verify))
			require.NoError(t, err)
			if want.Verify == nil {
				r.Verify = nil
				assert.Equal(t, after, string(r.Bytes()))
				requireRemoval(t, r)
				return
			}
			assert.Equal(t, after, string(r.WithVerify(*want.Verify).Bytes()))
			requireEdit(t, r, *want.Verify)
		})
	}
}

// editSections returns the sections of an edit's archive.
func editSections(t *testing.T, archive string) (before, verify, after string) {
	t.Helper()
	rest, ok := strings.CutPrefix(archive, "-- before --\n")
	require.True(t, ok, "the first section has to be before")
	before, rest, ok = strings.Cut(rest, "-- verify --\n")
	require.True(t, ok, "section verify is missing")
	verify, after, ok = strings.Cut(rest, "-- after --\n")
	require.True(t, ok, "section after is missing")
	require.NotContains(t, before+verify+after, "\n-- ", "unknown section")
	return before, verify, after
}

// helpSection is a section to write.
var helpSection = mend.VerifySection{Command: "x --help", ExitCode: new(2)}

// byteEdits are what an archive cannot show: line ends, byte order marks, what
// does not print.
var byteEdits = []struct {
	name  string
	doc   string
	write mend.VerifySection
	want  string
}{
	{
		name:  "appended to nothing",
		write: helpSection,
		want:  "[verify]\ncommand = \"x --help\"\nexit_code = 2\n",
	},
	{
		name:  "appended to a byte order mark",
		doc:   "\ufeff",
		write: helpSection,
		want:  "\ufeff[verify]\ncommand = \"x --help\"\nexit_code = 2\n",
	},
	{
		name:  "appended behind CRLF and a missing newline",
		doc:   "[metadata]\r\n\tname = \"x\"",
		write: helpSection,
		want:  "[metadata]\r\n\tname = \"x\"\r\n\r\n[verify]\r\n\tcommand = \"x --help\"\r\n\texit_code = 2",
	},
	{
		name:  "added behind a missing newline",
		doc:   "[verify]\n\tcommand = \"x\"",
		write: helpSection,
		want:  "[verify]\n\tcommand = \"x --help\"\n\texit_code = 2",
	},
	{
		name:  "added behind CRLF",
		doc:   "[verify]\r\n'command' = '''\r\nx'''\r\n\r\n[other]\r\n",
		write: helpSection,
		want:  "[verify]\r\n'command' = \"x --help\"\r\nexit_code = 2\r\n\r\n[other]\r\n",
	},
	{
		name:  "added with the newline of its neighbour",
		doc:   "[a]\r\nb = 1\r\n[verify]\ncommand = \"x\"\n",
		write: helpSection,
		want:  "[a]\r\nb = 1\r\n[verify]\ncommand = \"x --help\"\nexit_code = 2\n",
	},
	{
		name:  "added to an inline table behind CRLF",
		doc:   "verify = {\r\n\tcommand = \"x\", # c\r\n}\r\n",
		write: helpSection,
		want:  "verify = {\r\n\tcommand = \"x --help\", # c\r\n\texit_code = 2,\r\n}\r\n",
	},
	{
		name: "last line removed where the newline is missing",
		doc:  "[verify]\ntimeout = 5\nmode = \"output\"",
		want: "[verify]\ntimeout = 5\n",
	},
	{
		name:  "literal strings where they save escapes",
		doc:   "[verify]\n",
		write: mend.VerifySection{Command: `"a\b"`, Pattern: `it's "x"`, Reason: "'"},
		want:  "[verify]\ncommand = '\"a\\b\"'\npattern = \"it's \\\"x\\\"\"\nreason = \"'\"\n",
	},
	{
		name:  "escapes for what does not print",
		doc:   "[verify]\n",
		write: mend.VerifySection{Pattern: "\t\n\r\x00\x7f\u202e\U000e0001é\\"},
		want:  `[verify]` + "\n" + `pattern = "\t\n\r\u0000\u007F\u202E\U000E0001é\\"` + "\n",
	},
	{
		name:  "bytes that are not UTF-8",
		doc:   "[verify]\n",
		write: mend.VerifySection{Pattern: "a\xffb"},
		want:  "[verify]\npattern = \"a\ufffdb\"\n",
	},
}

func TestRecipeEditBytes(t *testing.T) {
	for _, tt := range byteEdits {
		t.Run(tt.name, func(t *testing.T) {
			r, err := mend.ParseRecipe([]byte(tt.doc))
			require.NoError(t, err)
			assert.Equal(t, tt.want, string(r.WithVerify(tt.write).Bytes()))
		})
	}
}

func TestRecipeRegistry(t *testing.T) {
	files, err := filepath.Glob("testdata/recipe/registry/*.toml")
	require.NoError(t, err)
	require.Len(t, files, 40)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			doc, err := os.ReadFile(file)
			require.NoError(t, err)
			r, err := mend.ParseRecipe(doc)
			require.NoError(t, err)
			assert.NotEmpty(t, r.Metadata.Name)
			assert.NotEmpty(t, r.Steps)
			assert.Equal(t, string(doc), string(r.Bytes()))
			requireEdit(t, r, mend.VerifySection{
				Command: "x --version", Pattern: "{version}", Mode: mend.ModeOutput, Reason: "r", ExitCode: new(2),
			})
			requireEdit(t, r, mend.VerifySection{
				Patterns: []string{"a", "b"}, Additional: []mend.AdditionalVerify{{Command: "y"}, {Command: "z", Pattern: "q"}},
			})
			requireRemoval(t, r)
			requireCompose(t, r)
		})
	}
}

// What a caller does to one recipe or section must not show in another.
func TestWithVerifyCopies(t *testing.T) {
	const doc = "[[steps]]\naction = \"a\"\nwhen = { os = [\"linux\"] }\n\n[verify]\ncommand = \"x\"\nexit_code = 1\n"
	r, err := mend.ParseRecipe([]byte(doc))
	require.NoError(t, err)
	v := mend.VerifySection{
		Command: "y", Patterns: []string{"p"}, ExitCode: new(3), Additional: []mend.AdditionalVerify{{Command: "z"}},
	}
	edited := r.WithVerify(v)
	want := string(edited.Bytes())
	assert.Contains(t, want, "[[verify.additional]]\ncommand = \"z\"\n")

	v.Patterns[0], *v.ExitCode, v.Additional[0].Command = "changed", 4, "changed"
	assert.Equal(t, want, string(edited.Bytes()), "the caller's section is not the recipe's")

	edited.Bytes()[0] = 'X'
	assert.Equal(t, want, string(edited.Bytes()), "the bytes are the caller's own")

	edited.Steps[0].Action = "changed"
	edited.Steps[0].Params["when"].(map[string]any)["os"].([]any)[0] = "changed"
	edited.Verify.Command = "changed"
	assert.Equal(t, "a", r.Steps[0].Action)
	assert.Equal(t, map[string]any{"when": map[string]any{"os": []any{"linux"}}}, r.Steps[0].Params)
	assert.Equal(t, mend.VerifySection{Command: "x", ExitCode: new(1)}, *r.Verify)
	assert.Equal(t, doc, string(r.Bytes()))

	assert.Equal(t, doc, string(edited.WithVerify(*r.Verify).Bytes()), "the way back leads to the same bytes")
}

// A section may also be changed in place: it is compared with what was parsed.
func TestBytesAfterChangeInPlace(t *testing.T) {
	doc := []byte("[verify]\ncommand = \"x\" # c\nexit_code = 1\n")
	r, err := mend.ParseRecipe(doc)
	require.NoError(t, err)
	copy(doc, "garbage")
	assert.Equal(t, "[verify]\ncommand = \"x\" # c\nexit_code = 1\n", string(r.Bytes()), "the input is the caller's own")

	*r.Verify.ExitCode = 2
	r.Verify.Patterns = []string{}
	assert.Equal(t, "[verify]\ncommand = \"x\" # c\nexit_code = 2\n", string(r.Bytes()))

	r.Verify = &mend.VerifySection{Command: "x", ExitCode: new(1), Mode: "output"}
	assert.Equal(t, "[verify]\ncommand = \"x\" # c\nexit_code = 1\nmode = \"output\"\n", string(r.Bytes()))
}

func BenchmarkWithVerifyBytes(b *testing.B) {
	doc, err := os.ReadFile("testdata/recipe/registry/awscli.toml")
	require.NoError(b, err)
	r, err := mend.ParseRecipe(doc)
	require.NoError(b, err)
	v := mend.VerifySection{Command: "x --help", Pattern: "Usage: x", Mode: mend.ModeOutput, Reason: "r", ExitCode: new(2)}
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		r.WithVerify(v).Bytes()
	}
}

func BenchmarkParseRecipe(b *testing.B) {
	doc, err := os.ReadFile("testdata/recipe/registry/awscli.toml")
	require.NoError(b, err)
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mend.ParseRecipe(doc); err != nil {
			b.Fatal(err)
		}
	}
}

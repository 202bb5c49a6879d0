package mend_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

func TestParseRecipe(t *testing.T) {
	const doc = `
[metadata]
name = "tool"
description = "A tool"
homepage = "https://tool.example"
version_format = "calver"
tier = 1

[version]
source = "x"

[[steps]]
action = "download"
url = "https://tool.example/{version}"
strip_dirs = 1
when = { os = ["linux"] }
[[steps.files]]
src = "a"

[[steps]]
action = "install"

[verify]
command = "tool --version"
pattern = "{version}"
patterns = ["a", 'b']
mode = "custom"
version_format = "calver"
reason = "r"
exit_code = 255
timeout = 5

[[verify.additional]]
command = "tool --help"
pattern = "Usage"

[[verify.additional]]
`
	r, err := mend.ParseRecipe([]byte(doc))
	require.NoError(t, err)
	assert.Equal(t, mend.Metadata{
		Name: "tool", Description: "A tool", Homepage: "https://tool.example", VersionFormat: "calver",
	}, r.Metadata)
	assert.Equal(t, []mend.Step{
		{Action: "download", Params: map[string]any{
			"url":        "https://tool.example/{version}",
			"strip_dirs": int64(1),
			"when":       map[string]any{"os": []any{"linux"}},
			"files":      []any{map[string]any{"src": "a"}},
		}},
		{Action: "install"},
	}, r.Steps)
	assert.Equal(t, &mend.VerifySection{
		Command:       "tool --version",
		Pattern:       "{version}",
		Patterns:      []string{"a", "b"},
		Mode:          "custom",
		VersionFormat: "calver",
		Reason:        "r",
		ExitCode:      new(255),
		Additional:    []mend.AdditionalVerify{{Command: "tool --help", Pattern: "Usage"}, {}},
	}, r.Verify)
}

func TestParseRecipeVerifyForms(t *testing.T) {
	for _, tt := range []struct {
		name, doc string
		want      *mend.VerifySection
	}{
		{"empty document", "", nil},
		{"no section", "[metadata]\nname = \"x\"\n", nil},
		{"empty table", "[verify]\n", &mend.VerifySection{}},
		{"empty inline table", "verify = {}\n", &mend.VerifySection{}},
		{"only unknown tables", "[verify.extra]\n", &mend.VerifySection{}},
		{"empty lists", "[verify]\npatterns = []\nadditional = []\n", &mend.VerifySection{}},
		{"exit code 0", "verify.exit_code = 0\n", &mend.VerifySection{ExitCode: new(0)}},
		{"quoted header", "[ \"ver\\u0069fy\" ]\n'command' = 'x'\n", &mend.VerifySection{Command: "x"}},
		{"inline", "verify = { command = 'x', additional = [{ command = 'y' }] }\n",
			&mend.VerifySection{Command: "x", Additional: []mend.AdditionalVerify{{Command: "y"}}}},
		{"byte order mark and CRLF", "\ufeff[verify]\r\ncommand = \"x\"\r\n", &mend.VerifySection{Command: "x"}},
		{"table after the tables below it", "[[verify.additional]]\ncommand = 'y'\n[a]\n[verify]\ncommand = 'x'\n",
			&mend.VerifySection{Command: "x", Additional: []mend.AdditionalVerify{{Command: "y"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := mend.ParseRecipe([]byte(tt.doc))
			require.NoError(t, err)
			assert.Equal(t, tt.want, r.Verify)
			assert.Equal(t, tt.doc, string(r.Bytes()))
		})
	}
}

func TestParseRecipeErrors(t *testing.T) {
	for _, tt := range recipeErrors {
		t.Run(tt.doc, func(t *testing.T) {
			r, err := mend.ParseRecipe([]byte(tt.doc))
			require.Error(t, err)
			assert.Nil(t, r)
			var parse *mend.ParseError
			require.ErrorAs(t, err, &parse)
			assert.Equal(t, tt.line, parse.Line, "line")
			assert.Equal(t, tt.column, parse.Column, "column")
			assert.Equal(t, tt.key, parse.Key)
			assert.Equal(t, tt.reason, parse.Reason)
		})
	}
}

func TestParseErrorUnwrap(t *testing.T) {
	_, err := mend.ParseRecipe([]byte("[verify]\ncommand = \"x\n"))
	assert.EqualError(t, err, "recipe line 2, column 13: key verify.command: strings cannot contain newlines")
	var parse toml.ParseError
	require.ErrorAs(t, err, &parse)
	assert.Contains(t, parse.ErrorWithUsage(), "Error help")

	_, err = mend.ParseRecipe([]byte("[verify]\ncommand = 1\n"))
	assert.NoError(t, errors.Unwrap(err), "a type error has no cause")
}

// The TOML reader would overflow the stack or take hours, which no caller could
// prevent.
func TestParseRecipeNesting(t *testing.T) {
	const deep = 1 << 20
	for name, doc := range map[string]string{
		"arrays":        "a = " + strings.Repeat("[", deep),
		"inline tables": "a = " + strings.Repeat("{a=", deep),
		"key":           strings.Repeat("a.", deep) + "a = 1",
		"header":        "[" + strings.Repeat("a.", deep) + "a]",
		"inline key":    "a = { " + strings.Repeat("a.", deep) + "a = 1 }",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mend.ParseRecipe([]byte(doc))
			var parse *mend.ParseError
			require.ErrorAs(t, err, &parse)
			assert.Equal(t, "nested deeper than 32 levels", parse.Reason)
		})
	}
	for name, doc := range map[string]string{
		"arrays":     "a = " + strings.Repeat("[", 32) + strings.Repeat("]", 32),
		"key":        strings.Repeat("a.", 31) + "a = 1",
		"inline key": "a = { " + strings.Repeat("a.", 31) + "a = 1.5 }",
		"numbers":    "a = [" + strings.Repeat("1.5, ", 100) + "]",
		"strings":    `a = ["` + strings.Repeat("[.", 100) + `"]`,
	} {
		t.Run(name+" within bounds", func(t *testing.T) {
			_, err := mend.ParseRecipe([]byte(doc))
			assert.NoError(t, err)
		})
	}
}

func TestBytesOfComposedRecipe(t *testing.T) {
	r := mend.Recipe{
		Metadata: mend.Metadata{Name: "tool", Homepage: "https://tool.example"},
		Steps: []mend.Step{
			{Action: "download", Params: map[string]any{
				"url":     "https://tool.example/a b",
				"action":  "not this one",
				"nothing": nil,
				"when":    map[string]any{"os": []any{"linux", nil}, "a b": map[string]any{}, "n": nil},
				"number":  int64(-3),
				"ratio":   0.5,
				"whole":   2.0,
				"":        true,
			}},
			{},
		},
		Verify: &mend.VerifySection{
			Command:    "tool --help",
			Mode:       mend.ModeOutput,
			Patterns:   []string{"Usage: tool", "a\nb"},
			ExitCode:   new(0),
			Additional: []mend.AdditionalVerify{{Command: "tool list", Pattern: `"a"`}, {}},
		},
	}
	assert.Equal(t, `[metadata]
name = "tool"
homepage = "https://tool.example"

[[steps]]
action = "download"
"" = true
number = -3
ratio = 0.5
url = "https://tool.example/a b"
when = { "a b" = {}, os = ["linux"] }
whole = 2.0

[[steps]]

[verify]
command = "tool --help"
patterns = ["Usage: tool", "a\nb"]
mode = "output"
exit_code = 0

[[verify.additional]]
command = "tool list"
pattern = '"a"'

[[verify.additional]]
`, string(r.Bytes()))
	assert.Empty(t, (&mend.Recipe{}).Bytes())
	assert.Equal(t, "[verify]\n", string((&mend.Recipe{}).WithVerify(mend.VerifySection{}).Bytes()))
}

// Each value has to come back as it was, with the type that TOML gives it.
func TestBytesOfParams(t *testing.T) {
	zone := time.FixedZone("", -7*60*60)
	for _, tt := range []struct {
		name  string
		value any
		text  string
		want  any // if not value
	}{
		{"string", "it's \"x\"", `"it's \"x\""`, nil},
		{"integer", int64(math.MinInt64), "-9223372036854775808", nil},
		{"float", 1e100, "1e+100", nil},
		{"float without fraction", 3.0, "3.0", nil},
		{"infinity", math.Inf(-1), "-inf", nil},
		{"boolean", false, "false", nil},
		{"time", time.Date(1979, 5, 27, 0, 32, 0, 500, zone), "1979-05-27T00:32:00.0000005-07:00", nil},
		{"array", []any{"a", int64(1), []any{}}, `["a", 1, []]`, nil},
		{"table", map[string]any{"b": "x", "a.b": map[string]any{"c": true}}, `{ "a.b" = { c = true }, b = "x" }`, nil},
		{"strings", []string{"a"}, `["a"]`, []any{"a"}},
		{"string map", map[string]string{"a": "b"}, `{ a = "b" }`, map[string]any{"a": "b"}},
		{"tables", []map[string]any{{"a": "b"}}, `[{ a = "b" }]`, []any{map[string]any{"a": "b"}}},
		{"int", 5, "5", int64(5)},
		{"byte", byte(255), "255", int64(255)},
		{"duration", time.Second, "1000000000", int64(1000000000)},
		{"what TOML lacks", io.EOF, `"EOF"`, "EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := mend.Recipe{Steps: []mend.Step{{Action: "a", Params: map[string]any{"p": tt.value}}}}
			text := r.Bytes()
			require.Equal(t, "[[steps]]\naction = \"a\"\np = "+tt.text+"\n", string(text))
			parsed, err := mend.ParseRecipe(text)
			require.NoError(t, err)
			want := tt.want
			if want == nil {
				want = tt.value
			}
			assert.True(t, sameValue(want, parsed.Steps[0].Params["p"]), "%#v", parsed.Steps[0].Params["p"])
		})
	}
}

// sameValue compares what sameTOML compares, and times whatever their zone's
// name.
func sameValue(a, b any) bool {
	if x, ok := a.(time.Time); ok {
		y, ok := b.(time.Time)
		return ok && x.Equal(y)
	}
	return sameTOML(a, b)
}

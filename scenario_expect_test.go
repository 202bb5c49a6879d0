package mend_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// outcome is what came out of a scenario.
type outcome struct {
	result           *mend.BuildResult
	err              error
	probes, installs int
	expect, mended   string // as the sections of the file show it
}

// render fills in the sections.
func (o *outcome) render(crlf bool) {
	var failed *mend.ValidationFailedError
	switch {
	case errors.As(o.err, &failed):
		o.key("outcome", "refused")
		o.failure(failed)
		o.key("repairs", count(failed.RepairAttempts))
	case o.err != nil:
		o.key("outcome", "error")
	case o.result.SandboxSkipped:
		o.key("outcome", "skipped")
	case o.result.RepairMetadata == nil:
		o.key("outcome", "passed")
	default:
		o.key("outcome", "mended")
		o.key("method", o.result.RepairMetadata.Method)
	}
	if o.result != nil {
		o.key("strength", o.result.Strength.String())
		o.key("repairs", count(o.result.RepairAttempts))
		o.mended = string(o.result.Recipe.Bytes())
		if crlf {
			o.mended = fromCRLF(o.mended)
		}
	}
	if o.result != nil && o.result.RepairMetadata != nil {
		o.section(*o.result.Recipe.Verify)
	}
	o.key("probes", count(o.probes))
	o.key("installs", strconv.Itoa(o.installs))
	if o.result != nil {
		for _, w := range o.result.Warnings {
			o.key("warning", w)
		}
	}
	if o.err != nil {
		o.key("error", o.err.Error())
	}
}

// count leaves out what did not happen.
func count(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// key adds a line, if there is a value. One that would not be seen as it is, is
// quoted.
func (o *outcome) key(key, value string) {
	if value == "" {
		return
	}
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.TrimSpace(value) != value || value[0] == '"' || strings.ContainsFunc(value, hidden) {
		value = strconv.Quote(value)
	}
	o.expect += key + ": " + value + "\n"
}

// failure tells what spoke against the last recipe.
func (o *outcome) failure(e *mend.ValidationFailedError) {
	if a := e.Failure.Analysis; a != nil {
		o.key("verdict", a.Verdict.String())
		if len(a.Evidence) > 0 {
			o.key("signature", a.Evidence[0].Signature)
		}
	}
	for _, f := range e.Failure.Findings {
		o.key("finding", strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Source, f.Code, f.Detail)))
	}
}

// section tells the check of a mended recipe.
func (o *outcome) section(v mend.VerifySection) {
	o.key("command", v.Command)
	o.key("pattern", v.Pattern)
	for _, p := range v.Patterns {
		o.key("patterns", p)
	}
	if v.ExitCode != nil {
		o.key("exit_code", strconv.Itoa(*v.ExitCode))
	}
	o.key("mode", v.Mode)
	o.key("version_format", v.VersionFormat)
	for _, a := range v.Additional {
		o.key("additional", a.Command+" => "+a.Pattern)
	}
}

// fromCRLF returns text without the CR of each line; a line that has none is
// marked.
func fromCRLF(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if body, ok := strings.CutSuffix(line, "\r\n"); ok {
			b.WriteString(body + "\n")
			continue
		}
		b.WriteString(line + "# this line has no CR LF\n")
	}
	return b.String()
}

// TestScenariosAreReadStrictly holds that nothing in a scenario is passed over.
func TestScenariosAreReadStrictly(t *testing.T) {
	const comment, recipe, expect = "What it shows.\n", "-- recipe.toml --\n[[steps]]\naction = \"download\"\n", "-- expect --\noutcome: passed\n"
	_, err := readScenario(readArchive(comment + recipe + "-- run frob -V --\nexit 0\n> out\n>\n!q \"\\x1b\"\n" + expect))
	require.NoError(t, err)

	for name, tt := range map[string]struct{ text, err string }{
		"no comment":         {recipe + expect, "comment has 0 lines"},
		"long comment":       {comment + comment + comment + recipe + expect, "comment has 3 lines"},
		"no recipe":          {comment + expect, "section expect: no recipe"},
		"malformed recipe":   {comment + "-- recipe.toml --\n[verify\n" + expect, "section recipe.toml: recipe line 1"},
		"no expect":          {comment + recipe, "expect is missing"},
		"expect twice":       {comment + recipe + expect + expect, "no such section"},
		"unknown section":    {comment + recipe + "-- runs --\n" + expect, "section runs: there is no such"},
		"repair in disorder": {comment + recipe + "-- repair2.toml --\n" + expect, "section repair2.toml: there is no such"},
		"unknown option":     {comment + "-- options --\nfloors: usage\n" + recipe + expect, "floors: there is no such key"},
		"unknown strength":   {comment + "-- options --\nfloor: strong\n" + recipe + expect, `no strength is called "strong"`},
		"unknown fact":       {comment + recipe + "-- installed --\nname frob\n" + expect, "name: there is no such key"},
		"unknown install":    {comment + recipe + "-- install --\nbroken: yes\n" + expect, "broken: there is no such key"},
		"no key":             {comment + recipe + "-- install --\nfails\n" + expect, `"fails" is no line of it`},
		"no such ending":     {comment + recipe + "-- run frob --\ncode 1\n" + expect, `"code 1" is no way to end`},
		"no ending":          {comment + recipe + "-- run frob --\n> out\n" + expect, `"> out" is no way to end`},
		"no such stream":     {comment + recipe + "-- run frob --\nexit 0\nout\n" + expect, "is of no stream"},
		"no blank":           {comment + recipe + "-- run frob --\nexit 0\n>out\n" + expect, "is of no stream"},
		"unquoted":           {comment + recipe + "-- run frob --\nexit 0\n>q out\n" + expect, "is no string"},
		"shell in a run":     {comment + recipe + "-- run frob | cat --\nexit 0\n" + expect, "cannot split"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readScenario(readArchive(tt.text))
			assert.ErrorContains(t, err, tt.err)
		})
	}
}

// TestArchivesComeBack holds that -update leaves alone what it does not mean.
func TestArchivesComeBack(t *testing.T) {
	for _, text := range []string{"", "c\n", "c\n-- a --\n", "c\n-- a --\nx\n\n-- b c --\n--  --\n-- d--\n", "-- a --\nno newline"} {
		assert.Equal(t, text, readArchive(text).String())
	}
}

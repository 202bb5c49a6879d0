package command_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// textLines returns the lines of a file in testdata that are no comments.
func textLines(t testing.TB, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "#") })
}

// dangerousLine is a line that does harm, and what has to be said of it.
type dangerousLine struct {
	details []string // of what is fatal
	codes   []string // of what else is above severity info
	line    string
}

func dangerousLines(t testing.TB) []dangerousLine {
	t.Helper()
	var rows []dangerousLine
	for _, text := range textLines(t, "dangerous.txt") {
		fields := strings.SplitN(text, "\t", 3)
		require.Len(t, fields, 3, "%q", text)
		row := dangerousLine{details: strings.Split(fields[0], ","), line: fields[2]}
		if fields[1] != "-" {
			row.codes = strings.Split(fields[1], ",")
		}
		rows = append(rows, row)
	}
	return rows
}

// TestLintBenign holds that what people run to check, build and look at things is
// left alone.
func TestLintBenign(t *testing.T) {
	lines := textLines(t, "benign.txt")
	require.Greater(t, len(lines), 300)
	for _, line := range lines {
		for _, f := range command.Lint(line, gnu) {
			assert.LessOrEqual(t, f.Severity, command.SeverityInfo, "%q: %s %s", line, f.Code, f.Detail)
		}
		checkFindings(t, line, gnu)
		argv, err := command.Split(line)
		require.NoError(t, err, "%q", line)
		again := command.Join(argv)
		assert.Equal(t, said(line, gnu), said(again, gnu), "%q says the same in other quotes", again)
	}
}

// TestLintDangerous holds that each line that does harm is fatal, and for what
// reason.
func TestLintDangerous(t *testing.T) {
	rows := dangerousLines(t)
	require.Greater(t, len(rows), 200)
	for _, row := range rows {
		var details, codes []string
		for _, f := range command.Lint(row.line, gnu) {
			switch {
			case f.Severity == command.SeverityFatal:
				details = append(details, f.Detail)
			case f.Severity > command.SeverityInfo:
				codes = append(codes, string(f.Code))
			}
		}
		slices.Sort(details)
		slices.Sort(codes)
		slices.Sort(row.details)
		assert.Equal(t, row.details, slices.Compact(details), "%q", row.line)
		assert.Equal(t, row.codes, slices.Compact(codes), "%q", row.line)
		checkFindings(t, row.line, gnu)
	}
}

// TestLintFindings holds all that is said of lines of every kind, and nothing else.
func TestLintFindings(t *testing.T) {
	rows := textLines(t, "findings.txt")
	require.Greater(t, len(rows), 300)
	for _, row := range rows {
		kinds, line, ok := strings.Cut(row, "\t")
		require.True(t, ok, "%q", row)
		if plain, err := strconv.Unquote(line); err == nil && line[0] == '"' {
			line = plain
		}
		want := strings.Split(kinds, ",")
		if kinds == "-" {
			want = nil
		}
		assert.Equal(t, want, said(line, gnu), "%q", line)
		checkFindings(t, line, gnu)
	}
}

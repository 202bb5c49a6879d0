package command_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refuse returns Split's refusal of a line.
func refuse(t testing.TB, line string) *command.SplitError {
	t.Helper()
	_, err := command.Split(line)
	var refused *command.SplitError
	require.ErrorAs(t, err, &refused, "%q", line)
	return refused
}

func TestSplitErrorFinding(t *testing.T) {
	for _, tt := range []struct {
		line         string
		code         command.FindingCode
		detail       string
		span         string // the text that the finding spans
		quoted, hint string // what message and hint hold
	}{
		{"a \x1b[0m", command.SyntaxError, command.ClassControlChar, "\x1b", `"\x1b"`, "leave it out"},
		{"a 'b c\n", command.SyntaxError, command.ClassUnterminated, "'b c", `"'b c"`, "close the quote"},
		{`a b\`, command.SyntaxError, command.ClassUnterminated, `\`, `"\\"`, "backslash"},
		{"a | grep b", command.NeedsShell, command.ClassOperator, "|", `"|"`, "pattern"},
		{"a |& grep b", command.NeedsShell, command.ClassOperator, "|&", `"|&"`, "pattern"},
		{"a || true", command.NeedsShell, command.ClassOperator, "||", `"||"`, "exit_code"},
		{"a && b", command.NeedsShell, command.ClassOperator, "&&", `"&&"`, "a command of its own"},
		{"a; b", command.NeedsShell, command.ClassOperator, ";", `";"`, "a command of its own"},
		{"a\nb", command.NeedsShell, command.ClassOperator, "\n", `"\n"`, "a command of its own"},
		{"a \\\nb", command.NeedsShell, command.ClassOperator, "\\\n", `"\\\n"`, "one line"},
		{"a &", command.NeedsShell, command.ClassOperator, "&", `"&"`, "waited for"},
		{"a 2>&1", command.NeedsShell, command.ClassOperator, ">&", `">&"`, "captured"},
		{"a &>b", command.NeedsShell, command.ClassOperator, "&>", `"&>"`, "captured"},
		{"a <b", command.NeedsShell, command.ClassOperator, "<", `"<"`, "the input is empty"},
		{"a <<<b", command.NeedsShell, command.ClassOperator, "<<<", `"<<<"`, "the input is empty"},
		{"(a)", command.NeedsShell, command.ClassOperator, "(", `"("`, "one program"},
		{"a x$(b c) d", command.NeedsShell, command.ClassSubstitution, "$(b c)", `"$(b c)"`, "write out"},
		{"a `b c` d", command.NeedsShell, command.ClassSubstitution, "`b c`", "\"`b c`\"", "write out"},
		{"a `b c", command.NeedsShell, command.ClassSubstitution, "`", "\"`\"", "write out"},
		{"a $HOME/b", command.NeedsShell, command.ClassExpansion, "$HOME", `"$HOME"`, "env NAME=value"},
		{`a "x${B}y"`, command.NeedsShell, command.ClassExpansion, "${B}", `"${B}"`, "write the value out"},
		{"a $?b", command.NeedsShell, command.ClassExpansion, "$?", `"$?"`, "write the value out"},
		{"a $1b", command.NeedsShell, command.ClassExpansion, "$1", `"$1"`, "write the value out"},
		{"ls src/*.go b", command.NeedsShell, command.ClassGlob, "*.go", `"src/*.go"`, "write the names out"},
		{"a b{c,d}", command.NeedsShell, command.ClassBrace, "{c,d}", `"b{c,d}"`, "write the words out"},
		{"a B=~/c d", command.NeedsShell, command.ClassTilde, "~/c", `"B=~/c"`, "write the directory out"},
		{"a #b c\n", command.NeedsShell, command.ClassComment, "#b c", `"#b c"`, "leave it out"},
		{"A=b c", command.NeedsShell, command.ClassAssignment, "A=b", `"A=b"`, "env NAME=value"},
		{"time a", command.NeedsShell, command.ClassReservedWord, "time", `"time"`, "one program"},
		{" \n", command.EmptyCommand, "", " \n", "", "one program"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			f := refuse(t, tt.line).Finding(tt.line)
			assert.Equal(t, tt.code, f.Code)
			assert.Equal(t, tt.detail, f.Detail)
			assert.Equal(t, command.SeverityError, f.Severity)
			assert.Equal(t, tt.span, tt.line[f.Start:f.End])
			assert.Contains(t, f.Message, tt.quoted)
			assert.NotContains(t, f.Message, "%")
			assert.Contains(t, f.Hint, tt.hint)
			assert.Empty(t, f.Fix)
			assert.Empty(t, f.Source)
			checkFinding(t, f, tt.line)
		})
	}
}

// checkFinding checks what holds of every finding.
func checkFinding(t testing.TB, f command.Finding, line string) {
	t.Helper()
	assert.NotEmpty(t, f.Hint)
	assert.NotEmpty(t, f.Message)
	assert.LessOrEqual(t, len(f.Message), 200)
	assert.NotContains(t, f.Message, "\n")
	assert.True(t, utf8.ValidString(f.Message), "%q", f.Message)
	assert.GreaterOrEqual(t, f.Start, 0)
	assert.LessOrEqual(t, f.Start, f.End)
	assert.LessOrEqual(t, f.End, len(line))
}

func TestFindingOfLongText(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 79), strings.Repeat("é", 500), strings.Repeat("\xff", 60), strings.Repeat("\xa9", 20) + "*", strings.Repeat("\n\t", 150)} {
		line := "a '" + text
		f := refuse(t, line).Finding(line)
		checkFinding(t, f, line)
		assert.Contains(t, f.Message, `…"`)
		assert.Equal(t, len(line), f.End)
	}
	line := "a '" + strings.Repeat("x", 77)
	assert.Contains(t, refuse(t, line).Finding(line).Message, line[2:]+`"`, "what fits is not cut")
}

func TestFindingOfAnotherLine(t *testing.T) {
	for _, e := range []command.SplitError{
		{Class: command.ClassGlob, Offset: 99},
		{Class: command.ClassOperator, Offset: 99},
		{Class: command.ClassExpansion, Offset: 3},
		{Class: command.ClassControlChar, Offset: 99},
		{Class: command.ClassTilde, Offset: -1},
		{Class: command.ClassUnterminated, Offset: 4},
	} {
		checkFinding(t, e.Finding("a b"), "a b")
		checkFinding(t, e.Finding(""), "")
	}
}

// A caller with a grammar of its own may refuse for reasons that are not Split's.
func TestFindingOfAnotherClass(t *testing.T) {
	f := (&command.SplitError{Class: "of-its-own", Offset: 0}).Finding("xy .. && a")
	assert.Equal(t, command.NeedsShell, f.Code)
	assert.Equal(t, "of-its-own", f.Detail)
	assert.Contains(t, f.Message, `"xy"`)
	assert.Empty(t, f.Hint)
}

func TestSeverityOrder(t *testing.T) {
	order := []command.Severity{0, command.SeverityInfo, command.SeverityWarn, command.SeverityError, command.SeverityFatal}
	assert.IsIncreasing(t, order)
	var names []string
	for _, s := range order {
		names = append(names, s.String())
	}
	assert.Equal(t, []string{"none", "info", "warn", "error", "fatal"}, names)
}

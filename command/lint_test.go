package command_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var gnu = &command.Profile{Platform: command.PlatformGNU}

// said returns what Lint says of a line, each as Code/detail once, sorted.
func said(line string, p *command.Profile) []string {
	var kinds []string
	for _, f := range command.Lint(line, p) {
		kinds = append(kinds, strings.TrimSuffix(string(f.Code)+"/"+f.Detail, "/"))
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// lintCase is a line and what has to be said of it on a GNU system, with blanks
// between; "" is nothing.
type lintCase struct{ name, line, want string }

// checkCases lints the lines and checks what holds of all findings.
func checkCases(t *testing.T, cases []lintCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			want := strings.Fields(tt.want)
			slices.Sort(want)
			assert.Equal(t, want, append([]string{}, said(tt.line, gnu)...), "%q", tt.line)
			checkFindings(t, tt.line, gnu)
		})
	}
}

// severities says how bad each code is; that of a platform's lack depends on the
// platform.
func severityOf(f command.Finding) []command.Severity {
	switch f.Code {
	case command.InvalidFormat, command.SyntaxError, command.NeedsShell, command.EmptyCommand, command.ToolNotAllowed:
		return []command.Severity{command.SeverityError}
	case command.UnquotedPath:
		return []command.Severity{command.SeverityWarn}
	case command.DangerousCommand:
		return []command.Severity{command.SeverityFatal}
	case command.OpaqueCommand:
		switch f.Detail {
		case "operand":
			return []command.Severity{command.SeverityFatal}
		case "script-file", "interactive":
			return []command.Severity{command.SeverityWarn}
		}
		return []command.Severity{command.SeverityError}
	case command.ToolUnavailable, command.FlagNotSupported:
		return []command.Severity{command.SeverityInfo, command.SeverityWarn, command.SeverityError}
	}
	return nil
}

// checkFindings checks what holds of what Lint says, whatever the line.
func checkFindings(t testing.TB, line string, p *command.Profile) {
	t.Helper()
	found := command.Lint(line, p)
	require.LessOrEqual(t, len(found), 64)
	if len(found) == 0 {
		require.Nil(t, found)
	}
	doubt := slices.ContainsFunc(found, func(f command.Finding) bool {
		return f.Code == command.SyntaxError || f.Code == command.InvalidFormat
	})
	for i, f := range found {
		checkLinted(t, f, line, p)
		if doubt && f.Severity < command.SeverityFatal {
			require.Contains(t, []command.FindingCode{command.SyntaxError, command.InvalidFormat}, f.Code, "%q: a guess beside an error", line)
		}
		if i > 0 {
			before := found[i-1]
			require.False(t, f.Start < before.Start || f.Start == before.Start && f.Severity > before.Severity, "%q is not in order", line)
			require.False(t, f.Code == before.Code && f.Detail == before.Detail && f.Start == before.Start && f.End == before.End, "%q says it twice", line)
		}
	}
}

// checkLinted checks one finding of Lint.
func checkLinted(t testing.TB, f command.Finding, line string, p *command.Profile) {
	t.Helper()
	if f.Hint == "" {
		require.Equal(t, command.DangerousCommand, f.Code, "%q: only for what must not be written in another way there is no hint", line)
		f.Hint = "none"
	}
	checkFinding(t, f, line)
	require.Contains(t, severityOf(f), f.Severity, "%q: %s %s", line, f.Code, f.Detail)
	require.Empty(t, f.Source)
	require.NotContains(t, f.Hint, "\n")
	if f.Fix == "" {
		return
	}
	require.Equal(t, command.SeverityError, f.Severity)
	require.NotEqual(t, line, f.Fix)
	for _, left := range command.Lint(f.Fix, p) {
		require.Less(t, left.Severity, command.SeverityError, "%q is the fix of %q", f.Fix, line)
	}
	_, err := command.Split(f.Fix)
	require.NoError(t, err, "%q is the fix of %q", f.Fix, line)
}

func TestLintOfNothing(t *testing.T) {
	checkCases(t, []lintCase{
		{"nothing", "", "EmptyCommand"},
		{"blanks", " \t ", "EmptyCommand"},
		{"line ends", "\r\n\n", "EmptyCommand"},
		{"a comment", "# ls", "EmptyCommand"},
		{"a comment behind blanks", "  # ls -la | wc \n", "EmptyCommand"},
		{"a comment and a line", "# ls\nls", "NeedsShell/comment"},
		{"a word", "ls", ""},
	})
}

// What stands first decides: a text that is no command has no other faults.
func TestLintOrder(t *testing.T) {
	checkCases(t, []lintCase{
		{"length before all else", strings.Repeat("\xff", 4097), "InvalidFormat/too-long"},
		{"4096 bytes are not too many", "echo " + strings.Repeat("a", 4091), ""},
		{"encoding before a control character", "ls \xff \x01", "SyntaxError/encoding"},
		{"a control character before the look", "$ ls \x01", "SyntaxError/control-char"},
		{"a mark before a fence", "```\ncat [REDACTED]\n```", "InvalidFormat/mark"},
		{"a fence before prose", "```Here is", "InvalidFormat/fence"},
		{"prose before an open quote", "Here's the command:", "InvalidFormat/prose"},
		{"the look before lookalikes", "$ ls –l", "InvalidFormat/prompt"},
		{"a lookalike before the split", "ls –l | wc", "SyntaxError/lookalike"},
		{"a placeholder before what needs a shell", "tool <file> | wc", "InvalidFormat/placeholder"},
		{"a syntax error in place of what needs a shell", "ls | | wc", "SyntaxError/operator"},
		{"a syntax error and what would be a guess", "grep -P x <", "SyntaxError/redirect"},
	})
}

// What is fatal is said of a line whatever else is wrong with it, so that nothing
// of it gets to a model.
func TestLintFatalBesideErrors(t *testing.T) {
	const danger = "DangerousCommand/delete"
	checkCases(t, []lintCase{
		{"a prompt", "$ rm -rf /", danger + " InvalidFormat/prompt"},
		{"another prompt", "user@host:~$ rm -rf /", danger + " InvalidFormat/prompt"},
		{"a fence", "```sh\nrm -rf /\n```", danger + " InvalidFormat/fence"},
		{"a fence and a prompt", "```\n$ rm -rf /\n```", danger + " InvalidFormat/fence"},
		{"prose on the line before", "Sure, here it is:\nrm -rf /", danger + " InvalidFormat/prose"},
		{"a mark", "rm -rf / [REDACTED]", danger + " InvalidFormat/mark"},
		{"a long dash", "rm –rf /", danger + " SyntaxError/lookalike"},
		{"typographic quotes", "rm -rf “/”", danger + " SyntaxError/lookalike"},
		{"a blank that is none", "rm -rf\u00a0/", danger + " SyntaxError/lookalike"},
		{"a zero-width blank", "rm -rf /\u200b", danger + " SyntaxError/lookalike"},
		{"a byte that is not UTF-8", "rm -rf / \xff", danger + " SyntaxError/encoding"},
		{"a control character", "rm -rf / \x1b[0m", danger + " SyntaxError/control-char"},
		{"a carriage return", "rm -rf /\rls", danger + " SyntaxError/control-char"},
		{"an open quote behind it", "rm -rf /; echo 'x", danger + " SyntaxError/unterminated"},
		{"an open quote in the same command", "rm -rf / 'x", danger + " SyntaxError/unterminated"},
		{"half a word is no operand", "rm '/", "SyntaxError/unterminated"},
		{"commands in half a word", `echo "$(rm -rf /)`, danger + " SyntaxError/unterminated"},
		{"a syntax error behind it", "rm -rf /; )", danger + " SyntaxError/unbalanced"},
		{"a syntax error before it", "); rm -rf /", "SyntaxError/unbalanced"},
		{"a placeholder", "rm -rf / <file>", danger + " InvalidFormat/placeholder"},
		{"an empty program", "'' x; rm -rf /", danger + " SyntaxError/empty-program"},
	})
}

func TestLintSpans(t *testing.T) {
	for _, tt := range []struct{ name, line, detail, span string }{
		{"a word with its quotes", `rm -rf "/etc" x`, "delete", `"/etc"`},
		{"an option", "grep -Po x", "", ""},
		{"nested text has the word that holds it", `sh -c 'ls; rm -rf /'`, "delete", `'ls; rm -rf /'`},
		{"text in text too", `sh -c "sh -c 'rm -rf /'"`, "delete", `"sh -c 'rm -rf /'"`},
		{"backticks", "echo a `rm -rf /` b", "delete", "`rm -rf /`"},
		{"a substitution is no text of its own", "echo $(rm -rf /)", "delete", "/"},
		{"words that are put together", "eval rm -rf /", "delete", "rm -rf /"},
		{"behind a prompt", "$ rm -rf /", "delete", "/"},
		{"in a fence", "```\nrm -rf /etc\n```", "delete", "/etc"},
		{"with lookalikes before it", "rm –rf “/etc”", "delete", "“/etc”"},
		{"code", `python -c 'import os; os.system("rm -rf /")'`, "delete", `'import os; os.system("rm -rf /")'`},
		{"of echo", "echo 'rm -rf /' | sh", "delete", "'rm -rf /'"},
		{"of several words", "cd x && git push -f a", "irreversible", "git push"},
		{"what find finds", `find / -exec rm {} \;`, "delete", "{}"},
		{"where find looks", "find a / -delete", "delete", "/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkFindings(t, tt.line, gnu)
			for _, f := range command.Lint(tt.line, gnu) {
				if f.Detail == tt.detail {
					assert.Equal(t, tt.span, tt.line[f.Start:f.End])
					return
				}
			}
			assert.Empty(t, tt.detail, "%q is not found", tt.line)
		})
	}
}

func TestLintMessages(t *testing.T) {
	for _, tt := range []struct{ line, message, hint string }{
		{"readlink -f bin/x | grep -Po x", `"|" needs a shell, and the program is started directly`, "give the program before it alone; what grep would look for goes into pattern"},
		{"grep -Po x", `"-Po": grep on bsd has no -P`, "use -E"},
		{"readlink -f x", `"-f": readlink on some bsd systems has no -f`, "use realpath"},
		{"apt-get install", `"apt-get" is not there on bsd`, "use another program, or none"},
		{"ss -l", `"ss" is not there on bsd`, "use another program, or none"},
		{"nproc", `"nproc" is not there on some bsd systems`, "use another program, or none"},
	} {
		f := command.Lint(tt.line, &command.Profile{Platform: command.PlatformBSD})
		require.NotEmpty(t, f, "%q", tt.line)
		i := slices.IndexFunc(f, func(f command.Finding) bool { return f.Message == tt.message })
		require.GreaterOrEqual(t, i, 0, "%q: %v", tt.line, f)
		assert.Equal(t, tt.hint, f[i].Hint)
	}
}

func TestLintBounds(t *testing.T) {
	line := strings.Repeat("rm /;", 800)
	found := command.Lint(line, gnu)
	require.Len(t, found, 64)
	assert.Equal(t, "operator", found[1].Detail, "the first of all, in order")
	assert.Equal(t, 3, found[0].Start)
	checkFindings(t, line, gnu)
}

func TestLintKeepsWorstFirst(t *testing.T) {
	found := command.Lint("echo `rm -rf /`", gnu)
	require.Len(t, found, 2)
	assert.Equal(t, found[0].Start, found[1].Start)
	assert.Equal(t, command.SeverityFatal, found[0].Severity)
}

func TestLintFix(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"both streams at the end", "tool --version 2>&1", "tool --version"},
		{"with blanks", " tool --version  2>& 1 \n", "tool --version"},
		{"a variable", "FOO=1 tool -x", "env FOO=1 tool -x"},
		{"variables with quotes", `A='b c' B=d tool`, `env A='b c' B=d tool`},
		{"a variable and both streams", "A=b tool 2>&1", "env A=b tool"},
		{"a prompt", "$ ls -la", "ls -la"},
		{"another prompt", "❯ ls", "ls"},
		{"the prompt of another shell", `PS C:\Users\x> go version`, "go version"},
		{"a fence", "```\nls -la\n```", "ls -la"},
		{"a fence with a language", "```bash\nls -la\n```\n", "ls -la"},
		{"a fence on one line", "```ls -la```", "ls -la"},
		{"a fence, a prompt, a variable and both streams", "```sh\n$ A=b ls 2>&1\n```", "env A=b ls"},
		{"typographic quotes", "grep “a b” file", `grep "a b" file`},
		{"single ones", "grep ‘a b’ file", `grep 'a b' file`},
		{"with a letter that looks so inside", "echo “it’s”", `echo "it’s"`},
		{"behind an equals sign", "tool --name=“a b”", `tool --name="a b"`},
		{"a long dash before a word", "ls —all", "ls --all"},
		{"a shorter dash", "ls –la", "ls -la"},
		{"two of them", "ls ––all", "ls --all"},
		{"a long dash alone", "ls — x", "ls - x"},
		{"a blank behind a quote", "echo “a”\u00a0b", `echo "a" b`},
		{"a blank that is none", "ls\u00a0-la", "ls -la"},
		{"characters that do not show", "ls\u200b -la\ufeff", "ls -la"},

		{"a pipe", "tool 2>&1 | cat", ""},
		{"a file", "tool > out 2>&1", ""},
		{"an excuse", "tool || true", ""},
		{"a silencer", "tool 2>/dev/null", ""},
		{"both streams in the middle", "tool 2>&1 x", ""},
		{"another stream", "tool 3>&1", ""},
		{"a number that is an argument", "tool2>&1", ""},
		{"no program behind the variable", "A=b", ""},
		{"an addition", "A+=b tool", ""},
		{"a fence round two lines", "```\nls\nls\n```", ""},
		{"a prompt before what needs a shell", "$ ls | wc", ""},
		{"a lookalike in what needs a shell", "ls –l | wc", ""},
		{"prose", "Here is the command: ls", ""},
		{"an open quote", "echo 'a", ""},
		{"something fatal", "$ rm -rf /", ""},
		{"a fault that stays", "A=b cd x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkFindings(t, tt.line, gnu)
			found := command.Lint(tt.line, gnu)
			require.NotEmpty(t, found)
			assert.Equal(t, tt.want, found[0].Fix)
		})
	}
}

// A program that the profile forbids is no better with the prompt gone.
func TestLintFixKeepsTheProfile(t *testing.T) {
	found := command.Lint("$ ls", &command.Profile{AllowedTools: []string{"cat"}})
	require.Len(t, found, 1)
	assert.Empty(t, found[0].Fix)
}

func TestLintAgain(t *testing.T) {
	lines := []string{"ls | grep x", "rm -rf / $x `a`", "sh -c 'f() { f|f; }; f'", "find / ~ . -exec rm {} +", "rm -rf /[a-z]* /h*/x"}
	var wg sync.WaitGroup
	for _, line := range lines {
		want := command.Lint(line, gnu)
		for range 8 {
			wg.Go(func() {
				for range 20 {
					assert.Equal(t, want, command.Lint(line, gnu))
				}
			})
		}
	}
	wg.Wait()
}

func TestLintZeroProfile(t *testing.T) {
	for _, line := range []string{"ls -la", "grep -P x", "rm -rf /", "a | b"} {
		assert.Equal(t, command.Lint(line, nil), command.Lint(line, &command.Profile{}), "%q", line)
		assert.Equal(t, command.Lint(line, nil), command.Lint(line, &command.Profile{Platform: "plan9"}), "%q", line)
	}
}

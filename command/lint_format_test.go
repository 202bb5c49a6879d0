package command_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLintInvalidFormat(t *testing.T) {
	const is = "InvalidFormat/"
	checkCases(t, []lintCase{
		{"too long", "echo " + strings.Repeat("a", 4092), is + "too-long"},

		{"mark", "curl http://[IP]/x", is + "mark"},
		{"mark of a mail", "git config user.email '[EMAIL]'", is + "mark"},
		{"mark anywhere", "tool --token=[REDACTED] x", is + "mark"},
		{"no mark", "grep '[ip]' x", ""},
		{"no mark, another word", "grep '[HOST]' x", ""},

		{"fence", "```\nls\n```", is + "fence"},
		{"fence behind blanks", "  ```sh\nls\n```\n", is + "fence"},
		{"fence that does not end", "```\nls", is + "fence"},
		{"two backticks", "``ls", "NeedsShell/substitution OpaqueCommand/command-name"},

		{"object", `{"cmd": "ls"}`, is + "json"},
		{"half an object", `{"cmd": "ls`, is + "json"},
		{"object with a blank", `{ "cmd": "ls" }`, is + "json"},
		{"object of several lines", "{\n  \"cmd\": \"ls\"\n}", is + "json"},
		{"list", `["ls", "-l"]`, is + "json"},
		{"list of numbers", `[1, 2]`, is + "json"},
		{"an argument is no object", `echo '{"a": 1}'`, ""},
		{"an empty object is a word", "{}", ""},
		{"a test is no list", "[ -f x ]", ""},

		{"total", "total 12", is + "output"},
		{"mode", "-rw-r--r-- 1 root root 0 Jan 1 x", is + "output"},
		{"mode of a directory", "drwxr-xr-x+ 2 u u 4096 .", is + "output"},
		{"three integers", " 10  20 300 x.txt", is + "output"},
		{"percentage", "85% done", is + "output"},
		{"percentage with a fraction", "99.5%", is + "output"},
		{"output", "Output: 1.2.3", is + "output"},
		{"result", "Result: ok", is + "output"},
		{"results", "results: 3 found", is + "output"},
		{"usage", "usage: tool [options]", is + "output"},
		{"usage, capital", "Usage: tool", is + "output"},
		{"not found", "tool: not found", is + "output"},
		{"not found by a shell", "sh: 1: tool: not found", is + "output"},
		{"command not found", "bash: tool: command not found", is + "output"},
		{"command not found, the other way round", "zsh: command not found: tool", is + "output"},
		{"a tool named total", "total 12 a", ""},
		{"two integers", "12 34", ""},
		{"a program named by a mode's letters", "drwx x", ""},
		{"an option in percent", "tool --limit 85%", ""},
		{"not found as text", "grep -q ': not found' log", ""},
		{"not found as an argument", "echo error: not found", ""},
		{"a program named usage", "usage x", ""},

		{"here is", "Here is the command: ls", is + "prose"},
		{"here are", "here are two", is + "prose"},
		{"here's", "Here's what you need", is + "prose"},
		{"here's, typographic", "Here’s the command", is + "prose"},
		{"sure", "Sure, run ls", is + "prose"},
		{"certainly", "CERTAINLY! ls", is + "prose"},
		{"of course", "Of course. Run ls", is + "prose"},
		{"the command", "The command is ls", is + "prose"},
		{"the following command", "The following command lists files", is + "prose"},
		{"you can", "You can use ls", is + "prose"},
		{"you could", "you could use ls", is + "prose"},
		{"you should", "You should run ls", is + "prose"},
		{"to check", "To check the version, run x", is + "prose"},
		{"to verify", "To verify that it works", is + "prose"},
		{"to test", "to test whether it works", is + "prose"},
		{"to test if", "To test if it works", is + "prose"},
		{"command", "Command: ls", is + "prose"},
		{"answer", "answer: ls", is + "prose"},
		{"note", "Note: it needs x", is + "prose"},
		{"explanation", "Explanation: none", is + "prose"},
		{"use the following", "Use the following command:", is + "prose"},
		{"run the", "run the tests", ""},
		{"prose on the first line only counts", "ls\nHere is more", "NeedsShell/operator"},
		{"a program named here", "here x is", ""},
		{"a program named sure", "sure x", ""},
		{"a program named the", "the x command", ""},
		{"a program named you", "you x", ""},
		{"a program named to", "to check x", ""},
		{"a program named note", "note x: y", ""},
		{"command without a colon", "tool command: x", ""},
		{"of something else", "of courses", ""},

		{"dollar", "$ ls", is + "prompt"},
		{"percent", "% ls -l", is + "prompt"},
		{"heavy angle", "❯ ls", is + "prompt"},
		{"arrow", "➜ ls", is + "prompt"},
		{"another shell", `PS C:\> ls`, is + "prompt"},
		{"with a user and a host", "me@box:~/src$ ls", is + "prompt"},
		{"a dollar alone", "$", ""},
		{"a dollar in a word", "$ls", "NeedsShell/expansion OpaqueCommand/command-name"},
		{"a program that begins so", "%x ls", ""},
		{"ps", "PS x", ""},
		{"an address is no prompt", "ssh me@box:~", ""},

		{"an option", "--version", is + "no-program"},
		{"a short one", "-v x", is + "no-program"},
		{"a list item", "- ls", is + "no-program"},
		{"an option behind a program", "x --version", ""},

		{"word in angle brackets", "tool <file>", is + "placeholder"},
		{"before an equals sign", "tool <key>=<value>", is + "placeholder"},
		{"before a comma", "tool <a>,<b>", is + "placeholder"},
		{"before a slash", "tool <dir>/x", is + "placeholder"},
		{"with a dash", "tool --x <some-name> y", is + "placeholder"},
		{"options", "tool [options] x", is + "placeholder"},
		{"flags", "tool [FLAGS]", is + "placeholder"},
		{"args", "tool [args]...", is + "placeholder"},
		{"command in brackets", "tool [command]", is + "placeholder"},
		{"file", "tool [file]", is + "placeholder"},
		{"path", "tool [path] x", is + "placeholder"},
		{"quoted", "tool '<file>'", ""},
		{"input and output", "sort <in >out", "NeedsShell/operator"},
		{"input", "sort <in>out", "NeedsShell/operator"},
		{"a pattern", "ls [abc]", "NeedsShell/glob"},
		{"a pattern that goes on", "ls [file]x", "NeedsShell/glob"},
		{"a pattern of a word's letters in a word", "ls x[file]", "InvalidFormat/placeholder"},
		{"our own placeholder", "tool {version}", ""},
	})
}

func TestLintSyntaxError(t *testing.T) {
	const is = "SyntaxError/"
	checkCases(t, []lintCase{
		{"control character", "ls \x07", is + "control-char"},
		{"control character in quotes", "ls '\x1b'", is + "control-char"},
		{"a tab is none", "ls\t-l", ""},
		{"encoding", "ls \xff", is + "encoding"},
		{"a letter beyond ASCII", "ls é", ""},
		{"the replacement character is one too", "ls \ufffd", ""},

		{"double quote", `ls "a`, is + "unterminated"},
		{"single quote", `ls 'a`, is + "unterminated"},
		{"backslash", `ls a\`, is + "unterminated"},
		{"substitution", "ls $(a", is + "unterminated"},
		{"backtick", "ls `a", is + "unterminated"},
		{"expansion", "ls ${a", is + "unterminated"},
		{"sum", "ls $((1", is + "unterminated"},
		{"array", "A=(b c", is + "unbalanced"},
		{"sum in brackets", "((1", is + "unbalanced"},
		{"empty test", "[[ ]]", is + "unbalanced"},
		{"function without a body", "f()", is + "unclosed"},
		{"quote in an expansion", "a ${b:-'c}", is + "unterminated"},
		{"substitution in a here-document", "cat <<E\n$(a\nE", is + "unterminated"},
		{"here-document", "cat <<E", is + "unterminated"},
		{"here-document with a line", "cat <<E\nx", is + "unterminated"},
		{"quote in a substitution", `ls $(a "b)`, is + "unterminated"},
		{"a here-document that ends", "cat <<E\nx\nE", "NeedsShell/operator"},
		{"quotes that end", `ls "$(a "b")"`, "NeedsShell/substitution"},

		{"open bracket", "(ls", is + "unbalanced"},
		{"closed bracket", "ls )", is + "unbalanced"},
		{"empty brackets", "()", is + "unbalanced"},
		{"open brace", "{ ls", is + "unbalanced"},
		{"closed brace", "}", is + "unbalanced"},
		{"braces in another order", "{ (ls; } )", is + "unbalanced"},
		{"open test", "[[ -f x", is + "unbalanced"},
		{"balanced", "(ls)", "NeedsShell/operator"},
		{"braces", "{ ls; }", "NeedsShell/reserved-word"},

		{"if", "if true; then ls", is + "unclosed"},
		{"while", "while true; do ls", is + "unclosed"},
		{"for", "for x in a b; do ls", is + "unclosed"},
		{"until", "until true", is + "unclosed"},
		{"if that ends", "if true; then ls; elif false; then pwd; else id; fi", "NeedsShell/reserved-word"},
		{"while that ends", "while true; do ls; done", "NeedsShell/reserved-word"},
		{"for that ends", "for x in a b; do ls; done", "NeedsShell/reserved-word"},

		{"pipe first", "| ls", is + "operator"},
		{"pipe last", "ls |", is + "operator"},
		{"two pipes", "ls | | wc", is + "operator"},
		{"and last", "ls &&", is + "operator"},
		{"or first", "|| ls", is + "operator"},
		{"semicolon first", "; ls", is + "operator"},
		{"two semicolons", "ls ;; wc", is + "operator"},
		{"two ends", "ls & ; wc", is + "operator"},
		{"a word behind brackets", "(ls) wc", is + "operator"},
		{"a bracket in a word", "echo a(b)", is + "operator"},
		{"one semicolon", "ls; wc", "NeedsShell/operator"},

		{"no target", "ls >", is + "redirect"},
		{"no input", "ls <", is + "redirect"},
		{"an operator for a target", "ls > | wc", is + "redirect"},
		{"no delimiter", "ls <<", is + "redirect"},
		{"a target", "ls > x", "NeedsShell/operator"},

		{"fi", "fi", is + "reserved-word"},
		{"done", "ls; done", is + "reserved-word"},
		{"then", "then ls", is + "reserved-word"},
		{"nothing between then and fi", "if true; then fi", is + "reserved-word"},
		{"no then", "if true; fi", is + "reserved-word"},
		{"esac", "esac", is + "reserved-word"},
		{"reserved words as arguments", "echo fi done then", ""},

		{"no-break blank", "ls\u00a0-l", is + "lookalike"},
		{"narrow no-break blank", "ls\u202f-l", is + "lookalike"},
		{"zero-width blank", "ls\u200b", is + "lookalike"},
		{"byte order mark", "\ufeffls", is + "lookalike"},
		{"bidi", "ls \u202ex", is + "lookalike"},
		{"quote", "grep “a” x", is + "lookalike"},
		{"single quote at a start", "grep ‘a’ x", is + "lookalike"},
		{"dash", "ls –l", is + "lookalike"},
		{"long dash", "ls —all", is + "lookalike"},
		{"behind an equals sign", "x --a=“b”", is + "lookalike"},
		{"in a word they are letters", "echo it’s a–b", ""},
		{"quoted", "echo '“a”' \"–b\" '\u00a0'", ""},
		{"escaped", "echo \\– \\“", ""},

		{"empty program", "'' x", is + "empty-program"},
		{"empty program behind a launcher", "env '' x", is + "empty-program"},
		{"empty argument", "x ''", ""},

		{"of nested text", "sh -c 'if true; then ls'", is + "unclosed"},
		{"of nested text, one level more", `sh -c "sh -c 'ls |'"`, is + "operator"},
		{"of backticks", "ls `a |`", is + "operator"},
		{"of eval", "sh -c 'eval \"(\"'", is + "unbalanced"},
		{"of text in quotes there is none", "echo 'if true; then ls'", ""},
	})
}

// Each class of Split is said once, at the place where Split refuses.
func TestLintNeedsShell(t *testing.T) {
	for _, tt := range refusedLines {
		if tt.class == command.ClassControlChar || tt.class == command.ClassUnterminated || tt.class == command.ClassEmpty {
			continue
		}
		found := command.Lint(tt.line, nil)
		var classes []command.Finding
		for _, f := range found {
			if f.Code == command.NeedsShell && f.Detail != "builtin" {
				classes = append(classes, f)
			}
		}
		if len(classes) == 0 {
			require.NotEmpty(t, found, "%q", tt.line)
			assert.Contains(t, []command.FindingCode{command.SyntaxError, command.InvalidFormat, command.EmptyCommand}, found[0].Code, "%q", tt.line)
			continue
		}
		require.Len(t, classes, 1, "%q", tt.line)
		assert.Equal(t, tt.class, classes[0].Detail, "%q", tt.line)
		assert.Equal(t, tt.offset, classes[0].Start, "%q", tt.line)
	}
}

func TestLintUnquotedPath(t *testing.T) {
	const is = "UnquotedPath/"
	known := &command.Profile{Platform: command.PlatformGNU, Paths: []string{"/opt/my tools", "C:/My Tools/x", "/plain"}}
	for _, tt := range []struct{ name, line, span string }{
		{"known", "ls /opt/my tools", "/opt/my tools"},
		{"known and more", "/opt/my tools/bin/x --version", "/opt/my tools"},
		{"known behind an equals sign", "x --dir=/opt/my tools/x", "/opt/my tools"},
		{"another known one", "ls C:/My Tools/x", "C:/My Tools/x"},
		{"known in quotes", "ls '/opt/my tools'", ""},
		{"known with a backslash", `ls /opt/my\ tools`, ""},
		{"known with two blanks", "ls /opt/my  tools", ""},
		{"known without a blank", "ls /plain /opt/my", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := command.Lint(tt.line, known)
			checkFindings(t, tt.line, known)
			if tt.span == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, "known", found[0].Detail)
			assert.Equal(t, tt.span, tt.line[found[0].Start:found[0].End])
		})
	}
	checkCases(t, []lintCase{
		{"program files", "ls /c/Program Files/x", is + "blank"},
		{"common files", "ls '/c/x' C:/Common Files", is + "blank"},
		{"application support", "ls /Users/x/Library/Application Support/y", is + "blank"},
		{"mobile documents", "ls Library/Mobile Documents/y", is + "blank"},
		{"documents and", "ls C:/Documents and Settings", is + "blank"},
		{"program files, quoted", "ls '/c/Program Files/x'", ""},
		{"program files, not a path", "echo Program Files", ""},
		{"program files, other words", "ls a/Program b/Files", ""},
		{"application", "/Applications/Visual Studio Code.app/Contents/MacOS/x -v", is + "blank"},
		{"application of two words", "open /Applications/Google Chrome.app", is + "blank"},
		{"application of one word", "open /Applications/Safari.app x.app", ""},
		{"application, quoted", "open '/Applications/Google Chrome.app'", ""},
		{"application and an option", "open /Applications/X -a y.app", ""},
		{"application and a path behind it", "ls /Applications/X y/z.app", ""},
		{"application and another path", "ls /Applications/X /y/z.app", ""},
		{"backslash", `dir C:\Users\x`, is + "backslash"},
		{"backslash and a blank", `dir C:\Program Files\x`, is + "backslash " + is + "blank"},
		{"backslash, quoted", `dir 'C:\Users\x'`, ""},
		{"slash", "dir C:/Users/x", ""},
		{"beside what needs a shell", `dir C:\x | wc`, is + "backslash NeedsShell/operator"},
		{"beside a syntax error it would be a guess", `dir C:\x |`, "SyntaxError/operator"},
	})
}

package mend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// FindingWeakCheck reports a check that passes and proves nothing, in the recipe
// of a session that was asked to repair one.
const FindingWeakCheck command.FindingCode = "weak_check"

// hollow are programs that a check can run without anything being installed.
var hollow = []string{
	"true", "false", ":", "echo", "printf", "test", "[", "type", "command", "which", "whereis", "hash", "stat", "file", "pwd", "date", "sleep", "uname", "id", "whoami", "seq", "yes",
	"cat", "ls", "head", "tail", "grep", "find", "sed", "awk", "cut", "tr", "wc", "sort", "basename", "dirname", "readlink", "realpath", "touch", "mkdir", "env", "xargs", "tee",
}

// inlineCode are the options by which runtimes take a program from the command line.
var inlineCode = []string{"-c", "-e", "-E", "-r", "-p", "--eval", "--execute", "--command"}

// weakCommand returns why a check's command cannot prove anything, whatever it
// prints, or "".
func weakCommand(r *Recipe) string {
	words, err := command.Split(r.Verify.Command)
	if err != nil {
		return ""
	}
	tool := toolName(words[:1])
	own := tool == r.Metadata.Name || relatedProgram(tool, r.Metadata.Name)
	switch {
	case slices.Contains(hollow, tool) && !own:
		return fmt.Sprintf("verify.command runs %q, which is there without the recipe", tool)
	case isRuntime(tool) && slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(inlineCode, w) }):
		return fmt.Sprintf("verify.command gives %q a program of its own, which proves nothing about the tool", tool)
	case len(words) == 1 && r.Verify.Pattern == "" && len(r.Verify.Patterns) == 0:
		return "verify.command is a bare name without a pattern: most programs that are there satisfy it"
	}
	return ""
}

// isToldWhatToPrint reports whether a pattern stands in an argument of the command
// itself, so that any program which repeats its arguments satisfies it. Paths do
// not count: in the output they are masked.
func isToldWhatToPrint(v VerifySection, argv []string, in Installed) bool {
	for _, p := range append([]string{v.Pattern}, v.Patterns...) {
		p = expand(p, in)
		repeats := func(arg string) bool {
			return !strings.Contains(arg, "/") && strings.Contains(arg, p) && (len(arg) > len(p) || v.claimsVersion())
		}
		if p != "" && len(argv) > 1 && slices.ContainsFunc(argv[1:], repeats) {
			return true
		}
	}
	return false
}

// toldWhatToPrint says so.
const toldWhatToPrint = "the pattern stands in the command itself"

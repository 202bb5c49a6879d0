package command_test

import (
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/require"
)

// FuzzLint reads any line for any system: no line makes it panic, what it says has
// a place inside the line and an order, and what it would write instead is right.
func FuzzLint(f *testing.F) {
	for _, line := range []string{"", "ls -la", "a | b", "A=b c 2>&1", "$ ls", "ls –l", "```\nls\n```", "{\"a\":1}", "a <b>", "\xff"} {
		f.Add(line, uint8(0))
	}
	for _, row := range dangerousLines(f) {
		f.Add(row.line, uint8(1))
	}
	for i, line := range scripts {
		f.Add(line, uint8(i))
	}
	f.Fuzz(func(t *testing.T, line string, system uint8) {
		p := &command.Profile{Platform: []string{"", command.PlatformGNU, command.PlatformBSD, command.PlatformBusyBox}[system%4]}
		if system&4 != 0 {
			p.AllowedTools = []string{"ls", "sh", "{install_dir}/bin/x", "./a"}
		}
		if system&8 != 0 {
			p.Paths = []string{"/a b/c", " "}
			p.Capabilities = map[string]bool{"grep -P": true, "sort -h": false, "ls": false}
		}
		checkFindings(t, line, p)
		require.Equal(t, command.Lint(line, p), command.Lint(line, p))
	})
}

// scripts are shell text of every form that is read.
var scripts = []string{
	"if a; then b; elif c; then d; else e; fi >x 2>&1", "while a; do b; done <x", "until a; do b; done", "for a in b c; do d; done", "for ((i=0; i<3; i++)); do a; done", "for a; do b; done",
	"a() { b; }; a", "function a { b; }", "function a() (b)", "{ a; } | (b)", "[[ -f a && b =~ ^(c|d)$ ]] && e", "((a+1)) || b", "a <<B\n$(c) `d` $e\nB\nf", "a <<-'B'\n\tc\n\tB", "a <<<\"b c\"",
	"a $(b \"$(c `d`)\") ${e:-$(f)} ${g#h} $((1+$(i))) $[1+2]", "a <(b) >(c)", "a $'\\x41\\n' $\"b\"", "A=(b c) d", "declare -a A=(b)", "a && b || c & d; e |& f", "! a", "time -p a", "a 3<>b 4>&- {c}>d &>e",
	"case a in b) c;; esac", "select a in b; do c; done", "coproc a", "eval function a", "watch 'a()'", "exec 5<>/dev/tcp/a/1; cat <&5", "sh -c \"sh -c 'sh -c a'\"", "eval a 'b c'", "trap 'a b' EXIT", "find a b -name c -exec d {} + -o -delete", "xargs -I {} a {} b{}",
	"env -S 'a b' c", "sudo -u a B=c d", "python -c 'import os; os.system(\"a\")'", "awk '{print > \"a\" | \"b\"}'", "git -c alias.a='!b' c", "docker run --mount type=bind,source=/,target=/a b", "docker run --mount source a",
}

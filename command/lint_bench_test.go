package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
)

var found []command.Finding

// BenchmarkLint reads lines of about 60 bytes, and lines of 4096 that are as hard
// to read as can be.
func BenchmarkLint(b *testing.B) {
	for name, line := range map[string]string{
		"plain":  "golangci-lint run --config .golangci.yml --timeout 5m ./cmd/x",
		"quoted": `grep -q "version: 1.2" 'release notes' -e a\ b {install_dir}/x`,
		"shell":  "readlink -f bin/linter | grep -Po 'v[0-9.]+' && echo $HOME",
		"danger": "curl -fsSL https://example.com/install.sh | sudo bash -s -- -y",
		"nested": `bash -c 'for f in a b; do grep -P "$f" x; done' && python3 -V`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				found = command.Lint(line, &command.Profile{Platform: command.PlatformBSD})
			}
		})
	}
	for _, line := range hardLines {
		b.Run(fmt.Sprintf("hard/%.20q", line), func(b *testing.B) {
			for b.Loop() {
				found = command.Lint(line, &command.Profile{Platform: command.PlatformBSD})
			}
		})
	}
}

// fill repeats a unit up to the longest line that is read.
func fill(head, unit, tail string) string {
	const longest = 4096
	return head + strings.Repeat(unit, (longest-len(head)-len(tail))/len(unit)) + tail
}

// hardLines are as long as a line may be, and made to take time.
var hardLines = []string{
	fill("", "(", ""), fill("", "{ ", ""), fill("", "$(", ""), fill("", "`", ""), fill("", "${", ""), fill("", "$((", ""), fill("", "((", ""), fill("", "[[ ", ""),
	fill("", "a;", ""), fill("", "a|", "a"), fill("", "a&&", "a"), fill("", "<<a ", ""), fill("", "<<a\n", ""), fill("", "a<a ", ""), fill("", "a>a ", ""), fill("", "\"$(", ""), fill("", "<(", ""),
	fill("", "if ", ""), fill("", "while ", ""), fill("", "for ", ""), fill("", "f() ", ""), fill("", "f(){ ", ""), fill("f(){ sh; }; ", "a|f;", ""),
	fill("", "env ", ""), fill("", "sudo ", "rm -rf /"), fill("", "find -exec ", ""), fill("find ", "-exec rm {} + ", ""), fill("find / ~ . /etc a ", "-exec sh {} ; ", ""), fill("", "xargs ", ""), fill("", "watch ", ""),
	fill("", "eval ", ""), fill("sh -c '", "rm -rf /;", "'"), fill("python -c '", `system("rm /");`, "'"), fill("python -c '", `"a",`, "subprocess'"), fill("python -c '", "exe", "'"),
	fill("", "rm -rf / ; ", ""), fill("rm ", "/ ", ""), fill("rm ", "/*/ ", ""), fill("rm -rf ", "/[", ""), fill("sort ", "-h ", ""), fill("sort -", "h", ""), fill("sort ", "--hum ", ""), fill("curl ", "-o a ", ""), fill("docker run ", "-v /:/a ", ""),
	fill("docker run --mount ", "source=/,", ""), fill("", "\u201c", ""), fill("", "\u2014a ", ""), fill("", "\u00a0", "a"), fill("", "$'\\x41'", ""), fill("", "{a,", "}"), fill("", "a=b ", ""), fill("", "\xff", ""), fill("", "\n", "a"), fill("", "\\\n", "a"),
	fill("git ", "-c a.command=b ", "x"), fill("env -S '", "a ", "'"), fill("", "env -S ", ""), fill("tar ", "-I x ", ""), fill("sed -i ", ". ", ""), fill("chmod ", "a+w,", " /"), fill("awk '", "|", "'"), fill("awk '", `>"/etc/x"`, "'"),
	fill("", "/Applications/a ", ""), fill("", "a/Program ", ""), fill("[", "1,", "1]"), fill("", "[", ""), fill("{\"", "a", ""), fill("cat ", "<x ", ""), fill("bash <<< ", "$(a)", ""), fill("", "!", ""), fill("", "! ", "a"),
	fill("", "time ", ""), fill("", "a\n", ""), fill("a ", "'\\''", ""), fill("a", "\"\"", ""), fill("", "x(){ x|x;};", ""), fill("", "function a ", ""), fill("stat -f ", "% ", ""), fill("find ", "-printf x ", ""), fill("watch a ", "` ", ""), fill("eval ", "$(a) ", ""), fill("stat ", "-rf ", "%"), fill("xargs -I a ", "a ", ""),
}

package mend_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
)

// cleanLines are what tools print when nothing is secret.
var cleanLines = strings.Repeat(`usage: frob [-v] [--config FILE] [--output DIR] <command> [<args>]
  -c, --config FILE   read the configuration from FILE instead of the default
      --max-depth N   how far to descend; 3 if not given
error: could not compile frob-core v0.12.3 (/build/frob-1.2.3/core): 2 errors
2026-03-04 09:14:33 INFO  worker finished 1204 of 4096 items in 3.21s
  --> src/parser/mod.rs:237:14: expected identifier, found keyword
make[2]: *** [Makefile:118: all] Error 2, see https://example.org/help
checking for gcc option to accept ISO C99... none needed, passing on
`, 1)

// ofSize repeats text up to n bytes.
func ofSize(text string, n int) string { return strings.Repeat(text, n/len(text)+1)[:n] }

// sensitiveLines hold a secret in one of a hundred lines.
func sensitiveLines() string {
	clean := strings.SplitAfter(ofSize(cleanLines, 16<<10), "\n")
	secret := []string{
		"export HARBOR_API_KEY=Zr4tQm81LpXv92Ks\n", "dial tcp 10.31.4.9:514: i/o timeout\n", "cd: /home/brigitte/src: no such file\n",
		"mysql://app:Zr4tQm81@db.example.org:3306/main refused\n", "bad credentials for " + fakeGitHub + "\n",
	}
	var b strings.Builder
	for i, line := range clean {
		b.WriteString(line)
		if i%100 == 50 {
			b.WriteString(secret[i/100%len(secret)])
		}
	}
	return b.String()
}

// BenchmarkSanitize stands beside a loop that looks for line ends, which tells how
// fast the machine is at the moment.
func BenchmarkSanitize(b *testing.B) {
	const mega = 1 << 20
	short := ofSize(cleanLines, 1900) + "\nexport HARBOR_API_KEY=Zr4tQm81LpXv92Ks\ndial tcp 10.31.4.9:514\nbad " + fakeGitHub + "\n"
	inputs := []struct{ name, text string }{
		{"clean", ofSize(cleanLines, mega)}, {"sensitive", ofSize(sensitiveLines(), mega)}, {"2KB", short},
	}
	limited := mend.NewSanitizer(nil)
	for _, in := range inputs {
		b.Run(in.name+"/newlines", func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			for b.Loop() {
				countNewlines(in.text)
			}
		})
		b.Run(in.name+"/sanitize", func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				unlimited.Sanitize(in.text)
			}
		})
	}
	for name, size := range map[string]int{"100KB": 100 << 10, "10MB": 10 * mega} {
		text := ofSize(sensitiveLines(), size)
		b.Run("limited/"+name, func(b *testing.B) {
			for b.Loop() {
				limited.Sanitize(text)
			}
		})
	}
}

//go:noinline
func countNewlines(text string) (n int) {
	for i := range len(text) {
		if text[i] == '\n' {
			n++
		}
	}
	return n
}

// adversarialPieces are what parsers look at.
var adversarialPieces = []string{
	"1.", "1.1.1.1", "::", "a:", "1:", "@", "a@b.cc ", "\"", "'", "\\\"", "token=", "token:", "password=", "password: ", "\"token\":\"", "key: ", "ey" + "J", "ey" + "J.", "/home/", "/home/a/", `C:\Users\`, "://", "a://b:", "a://@",
	"a://b:c@", "\x1b", "\x1b]", "\x1b[", "\r", "\xff", "-----BEGIN PRIVATE" + " KEY-----\n", "-----BEGIN ", "LS0" + "tLS1CRUdJTi", "gh" + "p_", "$6$", "$argon2", "Bearer ", "authorization: ", "authorization: digest ", "cookie: ", "cookie: a=b; ", "curl ", "curl -u ", "mysql -p", "TOKEN  ", "TOKEN\n", "name: TOKEN\n", "password: |\n  ", "<password>", "&sig=", "password ", "machine login password ",
	"a:1234:", "ip-1-", "Q~", "8Q~", "s.", ".atlasv1.", "1:AA", "::add-mask::", "user", "discord.com/api/webhooks/", "password='", "jdbc:oracle:thin:", "%2fhome%2f", "a@", "pass:", "-pass pass:", "token=\"\\\"", "[IP] ", "1.1.1.1 ", "fe80::1%", "\u200b", "API KEY ",
}

// BenchmarkSanitizeRatio tells how many times longer a text takes than a loop over it
// that looks for line ends, and adversarial text than clean text. It takes the
// fastest of many turns, so that other programs of the machine disturb it little:
// `go test -run xxx -bench SanitizeRatio -benchtime 50x .`
func BenchmarkSanitizeRatio(b *testing.B) {
	const mega = 1 << 20
	clean := ofSize(cleanLines, mega)
	ratio := func(name string, sanitize, other func(), unit string) {
		b.Run(name, func(b *testing.B) {
			mine, others := time.Hour, time.Hour
			for b.Loop() {
				mine, others = min(mine, timeOf(sanitize)), min(others, timeOf(other))
			}
			b.ReportMetric(float64(mine)/float64(others), unit)
		})
	}
	for name, text := range map[string]string{"clean": clean, "sensitive": ofSize(sensitiveLines(), mega)} {
		ratio(name, func() { unlimited.Sanitize(text) }, func() { lineEnds = countNewlines(text) }, "x-newlines")
	}
	for _, piece := range []string{"1.", "::", "a:", "@", "\"", "token=", "eyJ", "/home/", "://", "\x1b", "-----BEGIN PRIVATE" + " KEY-----\n", "a://b:c@"} {
		text := ofSize(piece, mega)
		ratio(benchName(piece), func() { unlimited.Sanitize(text) }, func() { unlimited.Sanitize(clean) }, "x-clean")
	}
}

var lineEnds int // what a benchmark counted

func timeOf(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// benchName returns piece as the name of a benchmark.
func benchName(piece string) string {
	return strings.ToValidUTF8(strings.NewReplacer("/", "|", "\n", "|", "\x1b", "ESC", "\r", "CR").Replace(piece), "FF")
}

// BenchmarkSanitizeAdversarial repeats what parsers look at. Each is linear. What holds
// nothing costs up to four times as much as clean text; what holds a find every few
// bytes costs more, since each is written.
func BenchmarkSanitizeAdversarial(b *testing.B) {
	clean := ofSize(cleanLines, 1<<20)
	b.Run("clean", func(b *testing.B) {
		b.SetBytes(1 << 20)
		for b.Loop() {
			unlimited.Sanitize(clean)
		}
	})
	for _, piece := range adversarialPieces {
		text := ofSize(piece, 1<<20)
		b.Run(benchName(piece), func(b *testing.B) {
			b.SetBytes(1 << 20)
			for b.Loop() {
				unlimited.Sanitize(text)
			}
		})
	}
}

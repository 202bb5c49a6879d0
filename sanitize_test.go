package mend_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Secrets are put together at run time, so that no scanner of sources takes them
// for real ones.
var (
	fakeGitHub = "gh" + "p_" + "Zr4tQm81LpXv92KsWd7nTb3YcFh6JgRa5MEu"
	fakeJWT    = "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	fakeBody   = "MH" + "cCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5CB04fSeQ6tF1aY/PuoAoGCCqGSM49"
	beginKey   = "-----BEGIN EC PRIVATE" + " KEY-----"
	endKey     = "-----END EC PRIVATE" + " KEY-----"
)

// expand writes the signs of a table for what a source does not show well.
var expand = strings.NewReplacer("⏎", "\n", "␛", "\x1b", "GHP", fakeGitHub, "JWT", fakeJWT, "KEYBODY", fakeBody, "BEGINKEY", beginKey, "ENDKEY", endKey)

// sanitizeCase is a row of a table; no want means that the text stays.
type sanitizeCase struct{ in, want string }

// unlimited sanitizes with the defaults but for the limit.
var unlimited = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: -1})

func runSanitizeCases(t *testing.T, s *mend.Sanitizer, cases []sanitizeCase) {
	t.Helper()
	for _, c := range cases {
		in, want := expand.Replace(c.in), expand.Replace(c.want)
		if c.want == "" {
			want = in
		}
		got := s.Sanitize(in)
		if assert.Equal(t, want, got, in) {
			assert.Equal(t, got, s.Sanitize(got), "again: %s", in)
		}
	}
}

// The examples of the specification.
var sanitizeExamples = []sanitizeCase{
	{"cd: /Users/okafor: not found in /home/brigitte/.cache", "cd: $HOME: not found in $HOME/.cache"},
	{`C:\Users\Ines Roth\scoop\hugo.exe: not found`, `%USERPROFILE%\scoop\hugo.exe: not found`},
	{`{"cwd":"D:\\Users\\iroth\\src"}`, `{"cwd":"%USERPROFILE%\\src"}`},
	{"dial udp 10.31.4.9:514: i/o timeout", "dial udp [IP]:514: i/o timeout"},
	{"hops 10.31.4.1 -> 9.9.9.9", "hops [IP] -> [IP]"},
	{"route to 2606:4700::6810:84e5 via ::1 lost", "route to [IP] via [IP] lost"},
	{"HARBOR_API_KEY=Zr4tQm81LpXv92Ks ./push.sh", "HARBOR_API_KEY=[REDACTED] ./push.sh"},
	{`{"clientSecret": "a-b c\"d9", "retry": 3}`, `{"clientSecret": "[REDACTED]", "retry": 3}`},
	{"db:⏎  password: trombone⏎  port: 3306", "db:⏎  password: [REDACTED]⏎  port: 3306"},
	{"regctl login --token Qm81LpXv92KsZr4t --ns dev", "regctl login --token [REDACTED] --ns dev"},
	{"> authorization: Bearer Zr4tQm81/LpXv92Ks+q==", "> authorization: Bearer [REDACTED]"},
	{"bad credentials for GHP or JWT given", "bad credentials for [REDACTED] or [REDACTED] given"},
	{"mysql://app:Zr4t@Qm81@db.example.org:3306/main refused", "mysql://app:[REDACTED]@db.example.org:3306/main refused"},
	{"Server=sql7;Uid=app;Pwd=Zr4tQm81x;Encrypt=no", "Server=sql7;Uid=app;Pwd=[REDACTED];Encrypt=no"},
	{"GET /a.zip?X-Amz-Signature=9f2c7be104d3&part=2 403", "GET /a.zip?X-Amz-Signature=[REDACTED]&part=2 403"},
	{"BEGINKEY⏎KEYBODY⏎ENDKEY", "BEGINKEY⏎[REDACTED]⏎ENDKEY"},
	{"␛[1mtoken=␛[0mZr4tQm81LpXv ok", "token=[REDACTED] ok"},
	{"push declined for k.imai@corp.example", "push declined for [EMAIL]"},
	{in: "pandoc 2.17.1.1"}, {in: "gateway tool, version 10.4.0.2"}, {in: "/opt/parser-3.1.3.0/lib/runner.rb:237"}, {in: "--define foo=1.2.3.4"},
	{in: "pandoc 2.17.1.1 · gateway tool, version 10.4.0.2 · /opt/parser-3.1.3.0/lib/runner.rb:237 · --define foo=1.2.3.4"},
	{in: `09:14:33 · 3c:22:fb:01:9e:7a · use abc::def::run · build/assets/home/logo.svg · C:\Users\Public\logo.svg`},
	{in: `unexpected token: "}" · passwd: unknown user · max_tokens=2048 · GH_TOKEN=${GH_TOKEN} is unset · --token TOKEN · basic usage follows`},
	{in: `www-authenticate: Bearer realm="https://quay.io/v2/auth" · Report bugs to <bug-diff@gnu.org>. · sha256:9f2c7be104d3a6589f2c7be104d3a658`},
	{in: `www-authenticate: Bearer realm="https://quay.io/v2/auth"`}, {in: "sha256:9f2c7be104d3a6589f2c7be104d3a658"}, {in: "passwd: unknown user"},
}

func TestSanitizerExamples(t *testing.T) {
	runSanitizeCases(t, mend.NewSanitizer(nil), sanitizeExamples)
	runSanitizeCases(t, unlimited, sanitizeExamples)
}

// TestSanitizerJoins puts cut examples together at random: whatever comes of it has
// to be settled, valid and short enough.
func TestSanitizerJoins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var pieces []string
	for _, c := range append(sanitizeExamples, joinedPieces...) {
		pieces = append(pieces, expand.Replace(c.in), expand.Replace(c.want))
	}
	rounds := 3000
	if os.Getenv("MEND_LONG") != "" {
		rounds = 1000000
	}
	sanitizers := make([]*mend.Sanitizer, 0, 200)
	for limit := range cap(sanitizers) {
		sanitizers = append(sanitizers, mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit - 1}))
	}
	for range rounds {
		var b strings.Builder
		for range 1 + random.IntN(6) {
			p := pieces[random.IntN(len(pieces))]
			from := 0
			if random.IntN(2) == 0 {
				from = random.IntN(len(p) + 1)
			}
			to := len(p)
			if random.IntN(3) == 0 {
				to = from + random.IntN(len(p)-from+1)
			}
			b.WriteString(p[from:to])
			b.WriteString([]string{"", "", " ", "\n", ": ", "=", ",", "\"", "@"}[random.IntN(9)])
		}
		limit := random.IntN(len(sanitizers))
		s := sanitizers[limit]
		got := s.Sanitize(b.String())
		require.True(t, utf8.ValidString(got), "%q", b.String())
		require.Equal(t, got, s.Sanitize(got), "limit %d: %q", limit-1, b.String())
		if limit > 1 {
			require.LessOrEqual(t, utf8.RuneCountInString(got), limit-1, "%q", b.String())
		}
	}
}

// joinedPieces are further ones, of which rules are made.
var joinedPieces = []sanitizeCase{
	{"password: |\n  ab1\n  cd2\n", "[REDACTED]"}, {"- name: X_TOKEN\n  value: abc123", "[IP]:80"}, {"NAME  TOKEN\nx     Zr4tQm81LpXv\n", "$HOME/x"}, {"authorization: digest a=b, c=d", "[EMAIL]"},
	{"cookie: a=Zr4tQm81; b=Zr4tQm82", "%USERPROFILE%"}, {"curl -u a:Zr4tQm81 x", "token=[REDACTED]"}, {"machine a login b password Zr4tQm81", "\r\n"}, {"a:1234:b:c:Zr4tQm81", "ü\xff"},
	{"\x1b[1m\x1b]8;;", "\\"}, {"'%2Fhome%2Fada%2F", "-----END EC PRIVATE KEY-----"}, {"8.8.8.8 -> 9.9.9.9-1.1.1.1", "[... truncated, 12 bytes omitted ...]\n"}, {"user:pw12345@tcp(db)", "\\\""}, {"C:\\Users\\a b\\", "{{x}}"},
	{"Bearer Zr4tQm81LpXv92", "::1%lo"}, {"fe80::1 and 10.0.0.1", "/home/"}, {"a@b.corp, c@d.corp", "ip-10-0-0-1"}, {"PRIVATE KEY-----\nMHcCAQEEIIrYSSNQ\n", "-----BEGIN "},
}

// TestSanitizerLimits takes every limit that is near the length of a mark or of
// the notice.
func TestSanitizerLimits(t *testing.T) {
	for _, c := range sanitizeExamples {
		in := expand.Replace(c.in)
		for limit := range 65 {
			s := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit})
			got := s.Sanitize(in)
			if limit > 0 {
				require.LessOrEqual(t, utf8.RuneCountInString(got), limit, "%d: %s", limit, in)
			}
			require.Equal(t, got, s.Sanitize(got), "%d: %s", limit, in)
			if want := expand.Replace(c.want); want != "" {
				for _, part := range redactedParts(in, want) {
					require.False(t, leaks(got, want, part), "%d of %s: %s", limit, in, got)
				}
			}
		}
	}
}

// redactedParts returns what of in stands where want has marks, as far as the texts
// between the marks tell.
func redactedParts(in, want string) (parts []string) {
	for _, kept := range anyMark.Split(want, -1) {
		at := strings.Index(in, kept)
		if at < 0 {
			return nil // escapes were removed too
		}
		if at > 0 {
			parts = append(parts, in[:at])
		}
		in = in[at+len(kept):]
	}
	if in != "" {
		parts = append(parts, in)
	}
	return parts
}

var anyMark = regexp.MustCompile(`\[REDACTED\]|\[IP\]|\[EMAIL\]|\$HOME|%USERPROFILE%`)

func TestSanitizerReturnsTheVeryText(t *testing.T) {
	text := strings.Repeat("frob 1.2.3.4: see https://example.org/doc at 09:14:33, token: none\n", 20)
	s := mend.NewSanitizer(nil)
	assert.Equal(t, text, s.Sanitize(text))
	assert.Zero(t, testing.AllocsPerRun(20, func() { s.Sanitize(text) }))
}

func TestSanitizerReport(t *testing.T) {
	s := mend.NewSanitizer(&mend.SanitizerOptions{Secrets: []string{"swordfish-77"}})
	clean, report := s.Report(expand.Replace("10.1.2.3 said GHP, swordfish-77 and 10.1.2.4 in /home/ada/x"))
	assert.Equal(t, "[IP] said [REDACTED], [REDACTED] and [IP] in $HOME/x", clean.String())
	assert.Equal(t, mend.Report{Counts: map[string]int{"ip": 2, "token": 1, "known": 1, "home": 1}}, report)

	_, report = s.Report("nothing")
	assert.Equal(t, mend.Report{}, report)
}

func TestCleanIsWrittenAsText(t *testing.T) {
	got, err := json.Marshal(map[string]mend.Clean{"out": mend.NewSanitizer(nil).Clean("in /home/ada")})
	require.NoError(t, err)
	assert.JSONEq(t, `{"out": "in $HOME"}`, string(got))
}

// Whoever forgets the constructor leaks nothing.
func TestSanitizerZeroValue(t *testing.T) {
	var none *mend.Sanitizer
	long := strings.Repeat("word ", 1000)
	for _, s := range []*mend.Sanitizer{none, {}} {
		assert.Equal(t, "password=[REDACTED] in $HOME", s.Sanitize("password=hunter2x in /home/ada"))
		clean, report := s.Report(long)
		assert.LessOrEqual(t, len(clean.String()), 2000)
		assert.Positive(t, report.Omitted)
	}
}

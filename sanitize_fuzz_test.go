package mend_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mendkit/mend"
)

// fuzzSecret is known to the sanitizer under test, and no part of anything else.
const fuzzSecret = "qZ9!swordfish#77"

// FuzzSanitize holds what is true of every text.
func FuzzSanitize(f *testing.F) {
	for i, c := range sanitizeExamples {
		in := expand.Replace(c.in)
		f.Add(in, i*7)
		f.Add(in+fuzzSecret+expand.Replace(sanitizeExamples[(i*5+3)%len(sanitizeExamples)].in), 60+i)
		f.Add(in[len(in)/2:]+"\n"+in[:len(in)/3], -1)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if limit > 1<<16 {
			limit %= 1 << 16
		}
		s := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit, Secrets: []string{fuzzSecret}, Users: []string{"ada"}, Homes: []string{"/data/ada"}})
		got := s.Sanitize(text)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid: %q", got)
		}
		if again := s.Sanitize(got); again != got {
			t.Fatalf("sanitising twice changes\n%q to\n%q", got, again)
		}
		if strings.Contains(got, fuzzSecret) {
			t.Fatalf("a secret is left: %q", got)
		}
		if n := utf8.RuneCountInString(got); limit > 0 && n > limit || limit == 0 && n > 2000 {
			t.Fatalf("%d runes with limit %d", n, limit)
		}
	})
}

// FuzzSanitizeHarmless takes text without anything that a rule begins at.
func FuzzSanitizeHarmless(f *testing.F) {
	f.Add("plain text, and more of it\nin lines")
	f.Fuzz(func(t *testing.T, text string) {
		harmless := strings.Map(func(r rune) rune {
			if strings.ContainsRune("bcdefghlmnorz xyz,!\n\t();ßµ漢", r) {
				return r
			}
			return 'o'
		}, text)
		if got := unlimited.Sanitize(harmless); got != harmless {
			t.Fatalf("%q became %q", harmless, got)
		}
	})
}

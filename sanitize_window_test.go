package mend_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// splitAtNotice returns what stands before and behind the notice of a result.
func splitAtNotice(t *testing.T, result string) (head, tail string, omitted int) {
	t.Helper()
	head, rest, ok := strings.Cut(result, "[... truncated, ")
	require.True(t, ok, "a notice stands in %q", result)
	_, err := fmt.Sscanf(rest, "%d bytes omitted ...]", &omitted)
	require.NoError(t, err)
	_, tail, ok = strings.Cut(rest, "\n")
	require.True(t, ok)
	return head, tail, omitted
}

func TestSanitizerTrims(t *testing.T) {
	lines := make([]string, 500)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d of the output", i)
	}
	text := strings.Join(lines, "\n")
	clean, report := mend.NewSanitizer(nil).Report(text)
	got := clean.String()
	assert.LessOrEqual(t, utf8.RuneCountInString(got), 2000)
	assert.Greater(t, len(got), 1700, "little is lost to whole lines")
	head, tail, omitted := splitAtNotice(t, got)
	assert.True(t, strings.HasPrefix(text, head) && strings.HasSuffix(head, "output\n"))
	assert.True(t, strings.HasSuffix(text, "\n"+tail) && strings.HasPrefix(tail, "line "))
	assert.Equal(t, len(text)-len(head)-len(tail), omitted)
	assert.Equal(t, omitted, report.Omitted)
	assert.InDelta(t, 1.5, float64(len(tail))/float64(len(head)), 0.2)
}

func TestSanitizerTrimsWithoutLines(t *testing.T) {
	text := strings.Repeat("äöü ", 5000)
	clean, report := mend.NewSanitizer(nil).Report(text)
	head, tail, omitted := splitAtNotice(t, clean.String())
	assert.True(t, utf8.ValidString(clean.String()))
	assert.LessOrEqual(t, utf8.RuneCountInString(clean.String()), 2000)
	assert.Equal(t, len(text)-len(strings.TrimSuffix(head, "\n"))-len(tail), omitted)
	assert.Equal(t, omitted, report.Omitted)
}

// TestSanitizerWindow moves secrets byte by byte over both cuts, those of the limit and
// those of the window: what the limit leaves is what it would leave of the whole text.
func TestSanitizerWindow(t *testing.T) {
	const limit = 300
	limited := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit})
	var key strings.Builder
	key.WriteString(beginKey + "\n")
	for range 200 {
		key.WriteString(fakeBody + "\n")
	}
	key.WriteString(endKey)
	secrets := []struct{ text, secret string }{
		{"password=tr0mbone77", "tr0mbone77"}, {fakeGitHub, fakeGitHub}, {"token: " + fakeJWT, fakeJWT}, {"mysql://app:Zr4t@Qm81@db.example.org:3306/main", "Zr4t@Qm81"},
		{"/home/brigitte/x", "brigitte"}, {"dial 10.31.4.9:514", "10.31.4.9"}, {key.String(), fakeBody}, {`{"clientSecret": "a-b c\"d9"}`, `a-b c\"d9`},
		{"Authorization: Bearer Zr4tQm81/LpXv92Ks+q==", "Zr4tQm81/LpXv92Ks+q=="}, {"k.imai@corp.example", "k.imai"}, {"NAME   TOKEN\nci     Zr4tQm81LpXv", "Zr4tQm81LpXv"},
	}
	// The head has 102 runes or so, the tail 153; a window's edge is 16 KB further in.
	const headCut, tailCut, windowEdge = 140, 210, 4*limit*2/5 + 16<<10
	fill := strings.Repeat("some words of no interest\n", 1500)
	check := func(secret, text string) {
		got := limited.Sanitize(text)
		full := unlimited.Sanitize(text)
		require.LessOrEqual(t, utf8.RuneCountInString(got), limit)
		require.Equal(t, got, limited.Sanitize(got))
		head, tail, _ := splitAtNotice(t, got)
		require.True(t, strings.HasPrefix(full, strings.TrimSuffix(head, "\n")), "%s: %q", secret, head)
		require.True(t, strings.HasSuffix(full, tail), "%s: %q", secret, tail)
		require.False(t, leaks(got, "", secret), "%s: %q", secret, got)
	}
	for _, c := range secrets {
		for shift := range tailCut {
			if shift < headCut {
				check(c.secret, fill[:shift]+"\n"+c.text+"\n"+fill)
			}
			check(c.secret, fill+"\n"+c.text+"\n"+fill[:shift])
		}
		for shift := windowEdge - len(c.text) - 10; shift < windowEdge+1200; shift += 101 {
			check(c.secret, fill[:max(0, shift)]+"\n"+c.text+"\n"+fill)
			check(c.secret, fill+"\n"+c.text+"\n"+fill[:max(0, shift)])
		}
	}
}

func TestSanitizerKeyAtTheEdgeOfTheWindow(t *testing.T) {
	s := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: 300})
	body := strings.Repeat(fakeBody+"\n", 600) // longer than a window
	for _, text := range []string{
		strings.Repeat("x\n", 20000) + beginKey + "\n" + body + endKey + "\nbye\n",
		beginKey + "\n" + body + endKey + "\n" + strings.Repeat("x\n", 20000),
	} {
		assert.NotContains(t, s.Sanitize(text), fakeBody[:20])
	}
}

func TestSanitizerNeverCutsAMark(t *testing.T) {
	text := strings.Repeat("dial 10.0.0.1:1, ada@corp.example, /home/ada and password=tr0mbone; ", 10)
	for limit := 40; limit < 400; limit++ {
		got := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit}).Sanitize(text)
		rest := strings.NewReplacer("[REDACTED]", "", "[IP]", "", "[EMAIL]", "", "$HOME", "").Replace(got)
		if i := strings.Index(rest, "[... truncated"); i >= 0 {
			rest = rest[:i] + rest[i+strings.Index(rest[i:], "]")+1:]
		}
		assert.NotRegexp(t, `[\[\]$]`, rest, "limit %d: %s", limit, got)
		assert.LessOrEqual(t, utf8.RuneCountInString(got), limit)
	}
}

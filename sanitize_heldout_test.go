package mend_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The least that is wanted of the sanitizer on texts from which it was not written,
// as shares of the texts (recall: of the values).
const (
	wantRecall      = 0.99
	wantSpecificity = 0.995
	wantStrict      = 0.98
	wantDamaged     = 0.01
)

var showFaults = flag.String("faults", "", "show what the sanitizer gets wrong of the held-out cases whose origin holds this")

// heldoutCase is a text with what has to come of it.
type heldoutCase struct {
	origin, in, want string
	secrets          []string
}

// heldoutBlock is a case of a file before its placeholders are filled in. A bare one
// makes no sense with something before it on its line.
type heldoutBlock struct {
	origin, text string
	bare         bool
}

// readBlocks reads cases with a line of four dashes between them; `---- bare` behind one marks it.
func readBlocks(t *testing.T, path string) []heldoutBlock {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var blocks []heldoutBlock
	var lines []string
	end := func(at int, bare bool) {
		blocks = append(blocks, heldoutBlock{fmt.Sprintf("%s:%d", filepath.Base(path), at), strings.Join(lines, "\n"), bare})
		lines = nil
	}
	all := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range all {
		if line == "----" || line == "---- bare" {
			end(i, line != "----")
			continue
		}
		lines = append(lines, line)
	}
	end(len(all), false)
	return blocks
}

var placeholder = regexp.MustCompile(`⟨[^⟩]*⟩`)

// fill writes values for the placeholders, and what stands round them with carrier.
// Kinds with a plus sign go with the mark before them: their line is gone.
func (b heldoutBlock) fill(r *rand.Rand, carrier func(string) string) heldoutCase {
	c := heldoutCase{origin: b.origin}
	var want strings.Builder
	text := strings.ReplaceAll(b.text, "␛", "\x1b")
	last := 0
	var in strings.Builder
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		kind := strings.Trim(text[at[0]:at[1]], "⟨⟩")
		v := heldoutValue(r, kind)
		if strings.HasPrefix(kind, "+") {
			v.mark = "\x00"
		}
		if v.secret != "" {
			c.secrets = append(c.secrets, v.secret)
		}
		in.WriteString(text[last:at[0]] + v.text)
		want.WriteString(text[last:at[0]] + v.mark)
		last = at[1]
	}
	c.in = carrier(in.String() + text[last:])
	c.want = carrier(heldoutDropped.ReplaceAllString(want.String()+text[last:], ""))
	c.want = heldoutColour.ReplaceAllString(c.want, "")
	return c
}

var (
	heldoutDropped = regexp.MustCompile(`\n[^\n]*\x00[^\n]*`)
	heldoutColour  = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	// wholeKeys are keys on one line: whether their frame stays or goes with them is left open.
	wholeKeys = regexp.MustCompile(`-----BEGIN[A-Z ]*-----(\\+n)?\[REDACTED\](\\+n)?-----END[A-Z ]*-----(\\+n)*`)
)

// carriers are ways in which a line gets into a log.
var carriers = []func(string) string{
	func(s string) string { return "2026-03-04T09:14:33.123Z " + s },
	func(s string) string { return "Mar 04 09:14:33 web1 app[812]: " + s },
	func(s string) string { return "web-1  | " + s },
	func(s string) string { return "[build] " + s },
	func(s string) string { return "\t" + s },
	func(s string) string { return "ERROR: " + s },
	func(s string) string { return "\x1b[31m" + s + "\x1b[0m" },
	func(s string) string { return "$ \x1b[1m" + s + "\x1b[0m\r\n" },
	func(s string) string { return "starting\n" + s + "\n\ndone\n" },
	func(s string) string { return "frob: failed: " + s },
	func(s string) string {
		quoted, _ := json.Marshal(s + "\n")
		plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
		return `{"log":` + plain + `,"stream":"stderr"}`
	},
}

// heldoutCases fills every block in twice, once as it is and once in a carrier.
func heldoutCases(blocks []heldoutBlock) []heldoutCase {
	r := rand.New(rand.NewPCG(4, 2026))
	plain := func(s string) string { return s }
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	var cases []heldoutCase
	for i, b := range blocks {
		cases = append(cases, b.fill(r, plain))
		switch {
		case strings.Contains(b.text, "\n"):
			cases = append(cases, b.fill(r, crlf))
		case b.bare:
			cases = append(cases, b.fill(r, func(s string) string { return "ready\n" + s + "\n" }))
		default:
			cases = append(cases, b.fill(r, carriers[i%len(carriers)]))
		}
	}
	return cases
}

// vendorBlocks puts the credentials of every vendor into two contexts.
func vendorBlocks() []heldoutBlock {
	var blocks []heldoutBlock
	for i, v := range vendorShapes {
		for k := range 2 {
			context := vendorContexts[(2*i+5*k)%len(vendorContexts)]
			text := strings.ReplaceAll(strings.ReplaceAll(context, "%[1]s", v.name), "%s", v.name)
			blocks = append(blocks, heldoutBlock{"vendor:" + v.name, text, k == 1})
		}
	}
	return blocks
}

func heldoutPlanted(t *testing.T) []heldoutCase {
	paths, err := filepath.Glob("testdata/sanitize/planted-*.txt")
	require.NoError(t, err)
	blocks := vendorBlocks()
	for _, path := range paths {
		blocks = append(blocks, readBlocks(t, path)...)
	}
	return heldoutCases(blocks)
}

func heldoutBenign(t *testing.T) []heldoutCase {
	blocks := readBlocks(t, "testdata/sanitize/benign-texts.txt")
	blocks = append(blocks, readBlocks(t, "testdata/sanitize/benign-tools.txt")...)
	blocks = append(blocks, readBlocks(t, "testdata/sanitize/benign-runs.txt")...)
	lines, err := os.ReadFile("testdata/sanitize/benign-lines.txt")
	require.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n") {
		blocks = append(blocks, heldoutBlock{fmt.Sprintf("benign-lines.txt:%d", i+1), line, false})
	}
	for i := range blocks {
		blocks[i].text = strings.ReplaceAll(blocks[i].text, "⟨", "⟨=")
	}
	return heldoutCases(blocks)
}

// leaks tells whether a value, or eight bytes of a long one on end, is left, but for
// what stands round it anyway.
func leaks(got, want, secret string) bool {
	if strings.Contains(got, secret) && !strings.Contains(want, secret) {
		return true
	}
	const run = 8
	for i := 0; i+run <= len(secret) && len(secret) >= 2*run; i++ {
		if part := secret[i : i+run]; strings.Contains(got, part) && !strings.Contains(want, part) {
			return true
		}
	}
	return false
}

// damaged tells whether something between the marks of want is gone.
func damaged(got, want string) bool {
	for _, part := range regexp.MustCompile(`\[REDACTED\]|\[IP\]|\[EMAIL\]|\$HOME`).Split(want, -1) {
		_, rest, ok := strings.Cut(got, part)
		if !ok {
			return true
		}
		got = rest
	}
	return false
}

// heldoutFigures say how well a sanitizer does: of the values how many are gone, of the
// texts how many come out as they have to (strict), or with something else gone.
type heldoutFigures struct{ values, gone, texts, strict, hurt, benign, kept int }

func (f heldoutFigures) String() string {
	return fmt.Sprintf("%d values in %d texts: recall %.2f %%, strict %.2f %%, surroundings damaged %.2f %%; %d benign texts: specificity %.2f %%",
		f.values, f.texts, 100*shareOf(f.gone, f.values), 100*shareOf(f.strict, f.texts), 100*shareOf(f.hurt, f.texts), f.benign, 100*shareOf(f.kept, f.benign))
}

func shareOf(n, of int) float64 { return float64(n) / float64(of) }

// measureSanitizer takes the cases through a sanitizer that knows what the cases hold.
func measureSanitizer(t *testing.T, planted, benign []heldoutCase) (f heldoutFigures) {
	s := mend.NewSanitizer(&mend.SanitizerOptions{
		MaxLength: -1, Secrets: []string{heldoutKnown, heldoutKnownShort}, Users: []string{heldoutUser}, Homes: []string{heldoutHome},
	})
	marks := strings.NewReplacer("%USERPROFILE%", "$HOME", "ip-[IP]", "[IP]") // which of two is left open
	alike := func(text string) string { return wholeKeys.ReplaceAllString(marks.Replace(text), "[REDACTED]") }
	show := func(c heldoutCase, fault, got string) {
		if *showFaults != "" && strings.Contains(c.origin, *showFaults) {
			t.Logf("%s %s\n  in   %q\n  want %q\n  got  %q", c.origin, fault, c.in, c.want, got)
		}
	}
	for _, c := range planted {
		got, want, fault := alike(s.Sanitize(c.in)), alike(c.want), ""
		for _, secret := range c.secrets {
			f.values++
			if leaks(got, want, secret) {
				fault += " leak"
			} else {
				f.gone++
			}
		}
		f.texts++
		if damaged(got, want) {
			f.hurt++
			fault += " damage"
		}
		if got == want {
			f.strict++
		} else {
			show(c, fault, got)
		}
	}
	for _, c := range benign {
		f.benign++
		if got := s.Sanitize(c.in); got == c.want {
			f.kept++
		} else {
			show(c, "changed", got)
		}
	}
	return f
}

// TestSanitizerHeldOut measures the sanitizer on texts that were written from what
// tools print, not from its rules. Run it with -v for the figures.
func TestSanitizerHeldOut(t *testing.T) {
	f := measureSanitizer(t, heldoutPlanted(t), heldoutBenign(t))
	t.Log(f)
	require.GreaterOrEqual(t, f.texts, 600)
	require.GreaterOrEqual(t, f.benign, 600)
	assert.GreaterOrEqual(t, shareOf(f.gone, f.values), wantRecall)
	assert.GreaterOrEqual(t, shareOf(f.strict, f.texts), wantStrict)
	assert.LessOrEqual(t, shareOf(f.hurt, f.texts), wantDamaged)
	assert.GreaterOrEqual(t, shareOf(f.kept, f.benign), wantSpecificity)
}

// TestSanitizerSettlesLongTexts joins held-out texts: a round after the first looks at
// the lines that changed, and has to miss nothing on the others.
func TestSanitizerSettlesLongTexts(t *testing.T) {
	cases := append(heldoutPlanted(t), heldoutBenign(t)...)
	r := rand.New(rand.NewPCG(3, 9))
	rounds := 400
	if os.Getenv("MEND_LONG") != "" {
		rounds = 50000
	}
	for _, limit := range []int{-1, 0, 300} {
		s := mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: limit})
		for range rounds {
			var b strings.Builder
			for range 2 + r.IntN(30) {
				in := cases[r.IntN(len(cases))].in
				if r.IntN(8) == 0 {
					in = in[r.IntN(len(in)):]
				}
				b.WriteString(in + pick(r, "\n", "\n", "\n", "\n\n", " ", "\r\n", ""))
			}
			got := s.Sanitize(b.String())
			require.Equal(t, got, s.Sanitize(got), "limit %d: %q", limit, b.String())
		}
	}
}

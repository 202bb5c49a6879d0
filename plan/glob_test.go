package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no []string
	}{
		{"a/b.go", []string{"a/b.go", "./a/b.go", "/a/b.go", `a\b.go`, "a//b.go", "a/x/../b.go"}, []string{"A/b.go", "x/a/b.go", "a/b.go/c", "a", "", "."}},
		{"./a", []string{"a"}, nil},
		{`/a\b`, []string{"a/b"}, nil},
		{"*.go", []string{"a.go", ".go", ".x.go"}, []string{"a/b.go", "a.gox", "go"}},
		{"*", []string{"a", ".env", "ä"}, []string{"a/b", "../a"}},
		{"a*c*e", []string{"ace", "abcde", "accee"}, []string{"acd", "a/ce"}},
		{"?x", []string{"ax", "äx", ".x"}, []string{"x", "aax", "a/x"}},
		{"[a-c]x", []string{"ax", "cx"}, []string{"dx", "Ax"}},
		{"[!a-c]x", []string{"dx", "ßx"}, []string{"ax"}},
		{"[^a]", []string{"b"}, []string{"a"}},
		{"[]x]", []string{"]", "x"}, []string{"a"}},
		{"[a-]", []string{"-", "a"}, []string{"b"}},
		{"[{,}]", []string{"{", ",", "}"}, []string{"a"}},
		{"a]}", []string{"a]}"}, nil},
		{"dir/**", []string{"dir/a", "dir/a/b", "dir/.x"}, []string{"dir", "dirx/a"}},
		{"**", []string{"a", "a/b/.c"}, []string{"..", "../a"}},
		{"**/x", []string{"x", "a/x", "a/b/x"}, []string{"ax", "x/a"}},
		{"a/**/b", []string{"a/b", "a/x/b", "a/x/y/b", "a/b/b"}, []string{"a", "b", "a/b/c"}},
		{"**/a/**/b/*.go", []string{"a/b/x.go", "x/a/y/b/z.go", "a/b/a/b/z.go"}, []string{"a/b", "b/a/x.go"}},
		{"**/a/**", []string{"a/b", "x/a/a"}, []string{"a", "x/a", "b/c"}},
		{"*.{ts,tsx}", []string{"a.ts", "a.tsx"}, []string{"a.t", "a.{ts,tsx}"}},
		{"{a,b{c,d/*}}/x", []string{"a/x", "bc/x", "bd/q/x"}, []string{"b/x", "bd/x"}},
		{"a{,.bak}", []string{"a", "a.bak"}, []string{"a."}},
		{"!*.md", []string{"a.go", "a/b.md"}, []string{"a.md", "../a.go", ".."}},
		{"!!a", []string{"a"}, []string{"b"}},
		{"#x", []string{"#x"}, nil},
		{"app/(group)/+page.ts", []string{"app/(group)/+page.ts"}, nil},
		{"a b", []string{"a b"}, []string{"ab"}},
		{"a?b", []string{"a.b", "a?b"}, []string{"a/b", "ab"}},
		{"a[!b]c", []string{"a.c"}, []string{"a/c", "abc"}},
		{"[a-cx]", []string{"b", "x"}, []string{"B", "d"}},
		{"*/b", []string{"a/b", ".a/b"}, []string{"b", "a/b/c", "x/a/b"}},
		{"a.b", []string{"a.b"}, []string{"axb"}},
		{"$a^+", []string{"$a^+"}, []string{"a"}},
		{"..a", []string{"..a"}, []string{"../a", "a"}},
		{"a!", []string{"a!"}, []string{"a", "b"}},
		{"a,b", []string{"a,b"}, []string{"a", "b"}},
		{`a\*`, []string{"a/b"}, []string{"a*", `a\b\c`}},
		{"a/**/b/**/c", []string{"a/b/c", "a/x/b/y/c"}, []string{"a/x/y/c", "a/b"}},
		{"{a/b,c}", []string{"a/b", "c"}, []string{"a/c", "b"}},
		{"{**/a,b}", []string{"a", "x/y/a", "b"}, []string{"x/b"}},
		{"{src,lib}/**", []string{"lib/x/y", "src/x"}, []string{"src", "x/src/y"}},
		{"!docs/**", []string{"docs", "a"}, []string{"docs/a", "b/../docs/x/y"}},
		{"!./a", []string{"b"}, []string{"a", "./a"}},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			for _, want := range []bool{true, false} {
				paths := test.no
				if want {
					paths = test.yes
				}
				for _, path := range paths {
					got, err := plan.Match(test.pattern, path)
					require.NoError(t, err)
					assert.Equal(t, want, got, path)
				}
			}
		})
	}
}

func TestMatchRefuses(t *testing.T) {
	for _, pattern := range []string{
		"", "/", "./", "!", "a/", "a//b", ".", "..", "a/./b", "../a", "a/..", "a**", "**a/b", "a**b", "***",
		"?(a)", "*(a|b)", "x+(a)", "@(a,b)", "!(a)", "{a,b", "a{b,{c,d}", "{a}", "{}", "x{a{b,c}}", "[a", "[", "[]", "[a/b]", "[z-a]", "[[:alpha:]]",
		"a/**b", "a**/b", "x/!(a)", "@(a)", "{a,{b}", "x/{a}/y", "**/", "!a/", `a\`, "{1..3}", "{a,,b}", "{a,b/}",
		"{a,/b/}", "{a,..}/b", "a{*,b}*", strings.Repeat("{a,b}", 40),
	} {
		t.Run(pattern, func(t *testing.T) {
			_, err := plan.Match(pattern, "a")
			require.Error(t, err)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func TestMatchSaysWhereThePatternIsBad(t *testing.T) {
	_, err := plan.Match("!./a/{b", "a")
	assert.EqualError(t, err, `bad pattern "!./a/{b" at byte 5: a group is not closed`)
}

// FuzzMatch holds that a path in the tree is matched by a pattern or by its
// negation, and one outside by neither.
func FuzzMatch(f *testing.F) {
	f.Add("a/**/[b-d]{x,*}", "a/q/bz")
	f.Add("**/*.go", "../x.go")
	f.Add("[!a]?*", "ab\xff")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		got, err := plan.Match(pattern, path)
		if err != nil {
			assert.False(t, got)
			return
		}
		negated, err := plan.Match("!"+pattern, path)
		if strings.HasPrefix(pattern, "(") {
			return // !( begins a form that is refused
		}
		require.NoError(t, err)
		inside, err := plan.Match("**", path)
		require.NoError(t, err)
		assert.Equal(t, inside, got || negated)
		assert.False(t, got && negated)
	})
}

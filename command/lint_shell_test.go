package command_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// grammar returns random text made of the pieces of a shell's grammar, most of it
// wrong. Bash does not look into backticks before it runs them, so there are none.
func (g lineSource) grammar() string {
	pieces := strings.Fields(`a b -c ; ; & && || | ( ) { } if then elif else fi while until do done for x in ! > < >> >| " ' $a ${a} "$a" $( $(a) if a; then b; fi while a; do b; done
		for x in a b; do c; done { a; } (a) a|b 'c' "d" a;b`)
	var b strings.Builder
	for n := 1 + g.IntN(7); n > 0; n-- {
		b.WriteString(pick(g, pieces))
		if g.IntN(6) > 0 {
			b.WriteByte(" \n"[g.IntN(12)/11])
		}
	}
	return b.String()
}

// TestLintSyntaxAgainstBash has bash read text without running it: what it cannot
// read is a syntax error here, and nothing else is.
func TestLintSyntaxAgainstBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("bash is not on this machine: %v", err)
	}
	n := 800
	if testing.Short() {
		n = 100
	}
	g := lineSource{rand.New(rand.NewPCG(1, 2))}
	lines := make([]string, n)
	for i := range lines {
		lines[i] = g.grammar()
	}
	inParallel(n, func(i int) {
		line := lines[i]
		cmd := exec.CommandContext(t.Context(), bash, "-n")
		cmd.Stdin = strings.NewReader(line)
		out, err := cmd.CombinedOutput()
		reads := err == nil && len(out) == 0
		kinds := strings.Join(said(line, gnu), " ")
		if strings.Contains(kinds, "InvalidFormat") || strings.Contains(kinds, "empty-program") || kinds == "EmptyCommand" {
			return // faults that bash does not look for
		}
		assert.Equal(t, reads, !strings.Contains(kinds, "SyntaxError"), "%q: %s\nbash: %s", line, kinds, out)
	})
}

// TestLintRegistry reads what published recipes verify with: only what needs a
// shell is found.
func TestLintRegistry(t *testing.T) {
	files, err := filepath.Glob("../testdata/recipe/registry/*.toml")
	require.NoError(t, err)
	require.Len(t, files, 40)
	var found []string
	for _, file := range files {
		doc, err := os.ReadFile(file)
		require.NoError(t, err)
		r, err := mend.ParseRecipe(doc)
		require.NoError(t, err)
		if r.Verify == nil {
			continue
		}
		lines := []string{r.Verify.Command}
		for _, more := range r.Verify.Additional {
			lines = append(lines, more.Command)
		}
		for _, line := range lines {
			if line == "" {
				continue
			}
			for _, platform := range []string{"", command.PlatformGNU, command.PlatformBSD, command.PlatformBusyBox} {
				p := &command.Profile{Platform: platform}
				for _, f := range command.Lint(line, p) {
					found = append(found, line)
					assert.Equal(t, command.NeedsShell, f.Code, "%q", line)
				}
				checkFindings(t, line, p)
			}
		}
	}
	assert.Equal(t, []string{"aws --version 2>&1", "test -d $TSUKU_HOME/apps/iterm2-*.app"}, slices.Compact(found))
}

package plan_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// TestHeldOutOutputs reads testdata/heldout, which has the form of testdata/outputs, and holds that
// neither colour nor line ends nor the stream change what an output says.
func TestHeldOutOutputs(t *testing.T) {
	files, err := filepath.Glob("testdata/heldout/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for n, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n") {
			lines := strings.Split(block, "\n")
			entry := strings.TrimPrefix(lines[0], "$ ")
			parts, err := plan.Split(entry)
			require.NoError(t, err, entry)
			want := plan.Code(strings.TrimPrefix(lines[1], "want "))
			if want == "pass" {
				want = ""
			}
			code, err := strconv.Atoi(strings.TrimPrefix(lines[2], "exit "))
			require.NoError(t, err)
			obs := mend.Observation{ExitCode: code}
			for _, l := range lines[3:] {
				if s, ok := strings.CutPrefix(l, "1|"); ok {
					obs.Stdout += s + "\n"
				} else {
					obs.Stderr += strings.TrimPrefix(l, "2|") + "\n"
				}
			}
			name := filepath.Base(file) + " " + strconv.Itoa(n) + " " + entry
			t.Run(name, func(t *testing.T) {
				got := plan.ResolveCode(parts[0], obs, nil)
				require.Equal(t, want, got, "%s%s", obs.Stdout, obs.Stderr)
				swapped := obs
				swapped.Stdout, swapped.Stderr = obs.Stderr, obs.Stdout
				assert.Equal(t, want, plan.ResolveCode(parts[0], swapped, nil), "streams swapped")
				crlf := obs
				crlf.Stdout, crlf.Stderr = strings.ReplaceAll(obs.Stdout, "\n", "\r\n"), strings.ReplaceAll(obs.Stderr, "\n", "\r\n")
				assert.Equal(t, want, plan.ResolveCode(parts[0], crlf, nil), "CRLF")
				ansi := obs
				ansi.Stdout, ansi.Stderr = coloured(obs.Stdout), coloured(obs.Stderr)
				assert.Equal(t, want, plan.ResolveCode(parts[0], ansi, nil), "ANSI")
			})
		}
	}
}

func coloured(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if l != "" {
			first, rest, _ := strings.Cut(l, " ")
			lines[i] = "\x1b[31m" + first + "\x1b[39m \x1b[1;4m" + rest + "\x1b[0m\x1b[K"
			if rest == "" {
				lines[i] = "\x1b[31m" + first + "\x1b[0m"
			}
		}
	}
	return strings.Join(lines, "\n")
}

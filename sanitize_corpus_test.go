package mend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSanitizerLeavesToolOutput holds that what real tools print is changed for
// homes and addresses only, in all but one line of ten thousand.
func TestSanitizerLeavesToolOutput(t *testing.T) {
	rows, err := corpus()
	require.NoError(t, err)
	lines, changed := 0, 0
	for _, row := range rows {
		for _, run := range row.Runs {
			for _, text := range []string{run.Stdout, run.Stderr} {
				lines += strings.Count(text, "\n")
				clean, report := unlimited.Report(text)
				assert.Equal(t, clean.String(), unlimited.Sanitize(clean.String()), row.ID)
				for kind, n := range report.Counts {
					if kind != "home" && kind != "ip" && kind != "email" {
						changed += n
						t.Logf("%s: %d of %s", row.ID, n, kind)
					}
				}
			}
		}
	}
	t.Logf("%d of %d lines", changed, lines)
	assert.LessOrEqual(t, changed*10000, lines)
}

package mend_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestREADMEShowsTheExample holds that the README's program is the example's, and
// so compiles and prints what stands below it.
func TestREADMEShowsTheExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	examples, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)<!-- copied from (\\w+); .*?-->\n```go\n(.*?)```\n\n```text\n(.*?)```\n").FindStringSubmatch(string(readme))
	require.NotNil(t, shown, "the README has no example")
	_, body, ok := strings.Cut(string(examples), "func "+shown[1]+"() {\n")
	require.True(t, ok, shown[1])
	body, _, _ = strings.Cut(body, "\n}\n")
	code, output, ok := strings.Cut(body, "\t// Output:\n")
	require.True(t, ok, "%s has no output", shown[1])
	assert.Equal(t, regexp.MustCompile(`(?m)^\t`).ReplaceAllString(code, ""), shown[2])
	assert.Equal(t, regexp.MustCompile(`(?m)^\t// ?`).ReplaceAllString(output, "")+"\n", shown[3])
}

package main

import (
	"bytes"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun runs the example with the tools of this machine.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	text := out.String()
	t.Log(text)
	for _, program := range []string{"git", "go", "make", "node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the whole example takes %s: %v", program, err)
		}
	}
	for _, part := range []string{
		"○ skipped  npm run verify", "there is no such script", "○ skipped  make integration", "the makefile has no such target",
		"✗ failed   test -f build/shop", "the command before it removed what it looks for",
		"drop_failed_command", "reorder_clean_and_artifact_check",
		"go test ./price: the model is asked for the smallest change", "PASSED_WITH_GAPS", "PASSED, after 1 pass and 0 fixes",
	} {
		assert.Contains(t, text, part)
	}
	assert.NotContains(t, text, "it could not")
}

func TestRunWithoutTools(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), &out))
	assert.Contains(t, out.String(), "it is not here")
}

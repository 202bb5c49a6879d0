//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

var (
	session = regexp.MustCompile("(?s)<!-- a test gives these commands and compares -->\n```console\n(.*?)```\n")
	took    = regexp.MustCompile(`\b[0-9.]+(µs|ms|s)\b`)
)

// TestREADMESession gives the commands of the README's session, one after the other.
func TestREADMESession(t *testing.T) {
	if _, err := mend.NewLocalSandbox(nil).Isolation(); err != nil {
		t.Skip("the README's session takes a sandbox: ", err)
	}
	shown := session.FindStringSubmatch(read(t, "README.md"))
	require.NotNil(t, shown, "the README has no session")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/recipes")))
	var got strings.Builder
	commands := regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(shown[1], -1)
	require.NotEmpty(t, commands)
	for _, command := range commands {
		cmd := program(t, "sh", "-c", command[1]+" 2>&1")
		cmd.Dir = dir
		out, err := cmd.Output()
		if _, ok := err.(*exec.ExitError); !ok {
			require.NoError(t, err)
		}
		fmt.Fprintf(&got, "$ %s\n%s", command[1], out)
	}
	assert.Equal(t, took.ReplaceAllString(shown[1], "TIME"), took.ReplaceAllString(got.String(), "TIME"))
}

// TestREADMEStatesExitCodes holds the README's table against the help text.
func TestREADMEStatesExitCodes(t *testing.T) {
	readme, help := read(t, "README.md"), newRoot(&terminal{}).Long
	rows := regexp.MustCompile(`(?m)^  (\d+) +(.*)$`).FindAllStringSubmatch(help, -1)
	require.Len(t, rows, 5)
	for i, code := range []int{exitOK, exitFailed, exitUsage, exitNoEvidence, exitInterrupted} {
		assert.Equal(t, fmt.Sprint(code), rows[i][1])
		assert.Contains(t, readme, fmt.Sprintf("| %d | %s |", code, rows[i][2]))
	}
}

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

var took = regexp.MustCompile(`\b[0-9.]+(µs|ms|s)\b`)

// TestREADMESessions gives the commands of the README's sessions, one after the other.
func TestREADMESessions(t *testing.T) {
	for _, tt := range []struct {
		name, files string
		start       func(*testing.T, string)
	}{
		{"recipes", "testdata/recipes", func(t *testing.T, _ string) {
			if _, err := mend.NewLocalSandbox(nil).Isolation(); err != nil {
				t.Skip("the README's session takes a sandbox: ", err)
			}
		}},
		{"shop", "testdata/shop", commitAll},
	} {
		t.Run(tt.name, func(t *testing.T) {
			session := regexp.MustCompile("(?s)<!-- a test gives these commands in " + tt.files + " and compares -->\n```console\n(.*?)```\n")
			shown := session.FindStringSubmatch(read(t, "README.md"))
			require.NotNil(t, shown, "the README has no such session")
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS(tt.files)))
			tt.start(t, dir)
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
		})
	}
}

// commitAll makes a git work tree of a directory, with all of its files committed.
func commitAll(t *testing.T, dir string) {
	for _, name := range []string{"git", "make"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("the README's session takes %s: %v", name, err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "x"}} {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
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

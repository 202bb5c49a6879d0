//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// sandboxFunc is a sandbox whose installs do something else.
type sandboxFunc func() (mend.Environment, error)

func (f sandboxFunc) Install(context.Context, *mend.Recipe) (mend.Environment, error) { return f() }

func newSource(t *testing.T, text string) *source {
	s := &source{path: "frob.toml", data: []byte(text)}
	require.NoError(t, s.parse(nil))
	return s
}

// TestEngineWithoutEvidence holds that a sandbox's trouble is never the recipe's, and
// what a failed install is.
func TestEngineWithoutEvidence(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sandbox sandboxFunc
		want    outcome
		reason  string
	}{
		{"no sandbox", func() (mend.Environment, error) {
			return nil, fmt.Errorf("%w: no engine", mend.ErrSandboxUnavailable)
		}, noEvidence, "no sandbox is available on this machine: no engine"},
		{"trouble", func() (mend.Environment, error) { return nil, errors.New("the daemon\nwent away") }, noEvidence, `the daemon\nwent away`},
		{"panic", func() (mend.Environment, error) { panic("boom") }, noEvidence, "panic: boom"},
		{"install failed", func() (mend.Environment, error) {
			return nil, &mend.InstallError{Step: 0, Action: "download", Err: errors.New("status 404")}
		}, failed, "install failed at step 0 (download): status 404"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := &engine{sandbox: tt.sandbox, mends: true}
			w := e.do(t.Context(), newSource(t, failing))
			assert.Equal(t, tt.want, w.result.Outcome)
			assert.Equal(t, tt.reason, w.result.Reason)
			assert.Zero(t, w.result.Strength)
			assert.Empty(t, w.transcript().Runs)
		})
	}
}

// TestTranscript holds which runs are taken for the recipe's own, and what is said to
// have been judged.
func TestTranscript(t *testing.T) {
	const withMore = `
[metadata]
version = "1.2"
[verify]
command = "frob %s"
pattern = "{version}"
[[verify.additional]]
command = "frob --list"
pattern = "%s"
`
	complaint := "frob: unknown option --version\nusage: frob [-V] FILE\n  -V  show the version\n"
	capture := &mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{
		{Argv: []string{"frob", "-V"}, Stdout: "frob 1.2\n"},
		{Argv: []string{"frob", "--version"}, ExitCode: 2, Stderr: complaint},
		{Argv: []string{"frob", "--list"}, Stdout: "one\ntwo\n"},
		{Argv: []string{"frob", "--slow"}, ExitCode: -1, TimedOut: true},
	}}
	for _, tt := range []struct {
		name, recipe string
		own          int
		expected     []string
		steps        []string
	}{
		{"both run", fmt.Sprintf(withMore, "-V", "two"), 2,
			[]string{"exit_code: 0", `pattern: "1.2" stands in stdout line 1, byte 0`, "additional[0].exit_code: 0", `additional[0].pattern: "two" stands in stdout line 2, byte 4`},
			[]string{"frob -V: the recipe's own", "frob --list: the recipe's own"}},
		{"the additional one is not needed, and then is", fmt.Sprintf(withMore, "--version", "two"), 1,
			[]string{"exit_code: 0 is expected, saw 2", `pattern: "1.2" is not in the output`, "additional[0].exit_code: 0 is expected, saw no run"},
			[]string{"frob --version: the recipe's own", "frob -V: documented_version asks", "documented_version proposes", "frob --list: an additional check"}},
		{"more time is given", "[verify]\ncommand = \"frob --slow\"\n", 2,
			[]string{"exit_code: 0 is expected, saw the time limit"},
			[]string{"frob --slow: the recipe's own", "frob --slow: the recipe's own"}},
		{"a shell is not needed", "[verify]\ncommand = \"frob -V || true\"\n", 1,
			[]string{"exit_code: 0"}, []string{"frob -V: the recipe's own, without what a shell would do"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			replay := mendtest.NewReplay(capture)
			replay.Missing = func(argv []string) (mend.Observation, error) {
				return mend.Observation{Argv: argv, ExitCode: 1}, nil
			}
			told := (&engine{sandbox: replay, mends: true}).do(t.Context(), newSource(t, tt.recipe)).transcript()
			assert.Equal(t, tt.own, told.Own)
			var expected, steps []string
			for _, e := range told.Expected {
				expected = append(expected, e.String())
			}
			for _, s := range told.steps()[:len(tt.steps)] {
				if s.run == nil {
					steps = append(steps, s.proposal.Method+" proposes")
					continue
				}
				steps = append(steps, fmt.Sprintf("%s %s: %s", s.run.Argv[0], s.run.Argv[1], s.why))
			}
			assert.Equal(t, tt.expected, expected)
			assert.Equal(t, tt.steps, steps)
		})
	}
}

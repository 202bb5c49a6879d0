package mend_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// faultUsage is what the tools of TestFaults say to --help, unless they say
// otherwise.
const faultUsage = `if [ "$1" = --help ]; then printf 'Usage: frob [OPTION]... FILE\n  -a, --all   frob all of it\n'; exit 0; fi`

// straySeconds is how long the child of a tool sleeps, and its mark in the list
// of processes.
const straySeconds = "86399.125"

// TestFaults takes tools that misbehave through the whole loop, as real
// processes: what is there to be proven is, and nothing else.
func TestFaults(t *testing.T) {
	tests := []struct {
		name     string
		script   string
		method   string
		strength mend.Strength
		pattern  string
		refused  string // the signature or the finding, if no check is made
	}{
		{name: "hangs", script: faultUsage + "\necho 'frob: waiting for the server'\nsleep " + straySeconds,
			method: mend.MethodFallbackHelp, strength: mend.StrengthUsage, pattern: "Usage: frob"},
		{name: "floods a gigabyte", script: faultUsage + "\ndd if=/dev/zero bs=1048576 count=1024 2>/dev/null\nexit 1",
			method: mend.MethodFallbackHelp, strength: mend.StrengthUsage, pattern: "Usage: frob"},
		{name: "forks and survives", script: "(trap '' TERM HUP INT; sleep " + straySeconds + ") &\n[ \"$1\" = --version ] || exit 1\necho 'frob 1.2.3'",
			method: mend.MethodVersionPattern, strength: mend.StrengthVersion, pattern: "frob {version}"},
		{name: "dies of a signal", script: faultUsage + "\nkill -s SEGV $$", refused: "crash.sigsegv"},
		{name: "prints bytes that are no text", script: `printf 'usage: frob [\377\376OPTIONS\000] FILE\n\000'; exit 2`,
			method: mend.MethodOutputDetection, strength: mend.StrengthComplaint, pattern: "usage: frob"},
		{name: "differs after its first run", script: faultUsage + "\nif [ -e \"$HOME/.frobrc\" ]; then echo frob 1.2.3; else : >\"$HOME/.frobrc\"; echo 'Welcome!'; exit 1; fi",
			method: mend.MethodFallbackHelp, strength: mend.StrengthUsage, pattern: "Usage: frob"},
		{name: "prints its usage to stderr with exit code 0", script: `echo 'Usage: frob [-a] FILE' >&2`,
			method: mend.MethodOutputDetection, strength: mend.StrengthComplaint, pattern: "Usage: frob"},
		{name: "prints another version", script: faultUsage + "\necho 'frob 1.3.0'", refused: "version_mismatch"},
		{name: "prints its version in colours", script: `printf '\033[1mfrob\033[0m \033[32m1.2.3\033[0m\n'`,
			method: mend.MethodVersionPattern, strength: mend.StrengthVersion, pattern: "frob {version}"},
		{name: "echoes its own path", script: `echo "Usage: $0 [--fast] SOURCE DEST"; exit 1`,
			method: mend.MethodOutputDetection, strength: mend.StrengthComplaint, pattern: "[--fast] SOURCE DEST"},
	}
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				opts := &mend.LocalOptions{Isolation: level, Dir: sharedDir(t), Timeout: time.Minute, Installer: installsFrob(tt.script)}
				if tt.name == "hangs" {
					opts.Timeout = 2 * time.Second
				}
				sb := mend.NewLocalSandbox(opts)
				recipe := &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version", Pattern: "frob v{version}"}}
				o := mend.New(sb, nil)
				result, err := o.Create(t.Context(), mend.StaticBuilder(recipe), mend.BuildRequest{})
				assert.Empty(t, strays(t), "processes outlive the run")
				if tt.refused != "" {
					var failed *mend.ValidationFailedError
					require.ErrorAs(t, err, &failed)
					assert.Contains(t, refusals(failed.Failure), tt.refused)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, tt.method, result.RepairMetadata.Method)
				assert.Equal(t, tt.strength, result.Strength)
				assert.Equal(t, tt.pattern, result.Recipe.Verify.Pattern)
				assert.True(t, utf8.Valid(result.Recipe.Bytes()))

				written, err := mend.ParseRecipe(result.Recipe.Bytes())
				require.NoError(t, err)
				again, err := o.Create(t.Context(), mend.StaticBuilder(written), mend.BuildRequest{})
				require.NoError(t, err)
				assert.Nil(t, again.RepairMetadata, "the mended check passes as it is")
			})
		}
	})
}

// installsFrob installs a script as version 1.2.3 of frob, in a directory named
// after that.
func installsFrob(script string) func(context.Context, *mend.Recipe, string) (mend.Installed, error) {
	install := installer(map[string]file{"frob-1.2.3/bin/frob": {content: "#!/bin/sh\n" + script + "\n"}})
	return func(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
		_, err := install(ctx, r, dir)
		return mend.Installed{Version: "1.2.3", Dir: filepath.Join(dir, "frob-1.2.3")}, err
	}
}

// refusals returns what speaks against an install: signatures, and codes of
// findings.
func refusals(f *mend.Failure) []string {
	var all []string
	for _, e := range f.Analysis.Evidence {
		all = append(all, e.Signature)
	}
	for _, finding := range f.Findings {
		all = append(all, string(finding.Code))
	}
	return all
}

// strays returns the processes that a tool of TestFaults left behind.
func strays(t *testing.T) []string {
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	require.NotEmpty(t, lines)
	var found []string
	for _, path := range lines {
		cmdline, _ := os.ReadFile(path) // it may have ended
		if bytes.Contains(cmdline, []byte("sleep\x00"+straySeconds)) {
			found = append(found, path)
		}
	}
	return found
}

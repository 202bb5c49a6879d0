package mend_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// golden compares a prompt with its file in testdata/prompt. With -update it
// rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "prompt", name+".txt")
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got+"\n"), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), got+"\n")
}

// TestPrompts holds every prompt that a model is given, word for word: what is
// said is as much a part of the program as what is done.
func TestPrompts(t *testing.T) {
	usage := "frob: unknown option --version\nusage: frob FILE\n"
	page := mendtest.Run{Argv: []string{"frobb", "--version"}, ExitCode: 126, Stderr: "frobb: Exec format error\n"}
	sb := mendtest.NewReplay(
		&mendtest.Capture{Tool: "froba", Install: "sha256 mismatch: expected abc, got def"},
		&mendtest.Capture{Tool: "frobb", Runs: []mendtest.Run{page}},
		&mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{
			played([]string{"frob", "--check"}, 0, "", ""), played([]string{"frob", "--help"}, 2, "", usage), played([]string{"frob", "-h"}, 2, "", usage),
		}},
	)
	sb.Missing = func(argv []string) (mend.Observation, error) { return mend.Observation{Argv: argv, ExitCode: 3}, nil }
	p := mendtest.NewScriptedProvider("p",
		submitted("froba --version", "{version}"), submitted("frobb --version", "{version}"), submitted("frob --check", ""),
		mendtest.Turn{Text: "I do not know."}, mendtest.Turn{Err: errors.New("enough")})
	describe := func(context.Context, mend.BuildRequest) (string, error) { return "a release with two archives", nil }
	builder := mend.NewModelBuilder("model", p, &mend.ModelOptions{Describe: describe, System: "Prefer static builds.", FreshStart: true})
	_, err := mend.New(sb, &mend.Options{Floor: mend.StrengthVersion}).Create(t.Context(), builder, mend.BuildRequest{Package: "frob", Version: "1.2.3", Source: "frobbers/frob"})
	require.Error(t, err)

	require.Len(t, p.Requests(), 5)
	golden(t, "system", p.Requests()[0].SystemPrompt)
	golden(t, "generate", last(p, 0).Content)
	golden(t, "repair-install", last(p, 1).Content)
	golden(t, "repair-broken", last(p, 2).Content)
	golden(t, "fresh-start", last(p, 3).Content)
	golden(t, "no-answer", last(p, 4).Content)
}

// TestOnlyPromptsComposeCleanText holds that sanitised text is put together in one
// file, and that requests are built in another one from nothing else.
func TestOnlyPromptsComposeCleanText(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "sanitize") {
			continue
		}
		composes, requests := regexp.MustCompile(`Clean\{[^}]`).Match(source), bytes.Contains(source, []byte("CompletionRequest{"))
		assert.False(t, composes && file != "prompt.go", file)
		assert.False(t, requests && file != "conversation.go" && file != "failover.go", file)
	}
}

// TestPromptOfACheckAlone is about a failure of a check that no recipe holds, as
// package plan has: no recipe is asked for.
func TestPromptOfACheckAlone(t *testing.T) {
	f := mend.Failure{
		Recipe:       &mend.Recipe{Verify: &mend.VerifySection{Command: "go vet ./..."}},
		Observations: []mend.Observation{{ExitCode: 1, Stderr: "x.go:7: unreachable code\n"}},
	}
	alone := f.Prompt().String()
	for _, part := range []string{"The check does not hold", "go vet ./...", "exit code 1", "unreachable code"} {
		assert.Contains(t, alone, part)
	}
	assert.NotContains(t, alone, "recipe")
	f.Recipe = &mend.Recipe{Metadata: mend.Metadata{Name: "vet"}, Verify: f.Recipe.Verify}
	assert.Contains(t, f.Prompt().String(), "Submit a recipe")
}

// A text is sanitised before it is cut: half a secret looks like none.
func TestPromptsCutWhatIsClean(t *testing.T) {
	secret := strings.Repeat("Zq9", 120)
	stderr := "> Authorization: Basic " + secret + strings.Repeat(" word", 60) + " frob: error while loading shared libraries: libz.so.1: cannot open shared object file\n"
	more := strings.Repeat("word\n", 180) + "fetching https://ada:" + secret + "@corp.test/x\n"
	f := &mend.Failure{
		Recipe:       &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version"}},
		Observations: []mend.Observation{{Argv: []string{"frob", "--version"}, ExitCode: 127, Stderr: stderr}, {Argv: []string{"frob", "--help"}, Stdout: more}},
		Analysis:     mend.AnalyzeVerifyFailure("", stderr, 127, "frob"),
		Parsed:       mend.ParseValidationError("", stderr, 127),
	}
	require.NotEmpty(t, f.Analysis.Evidence)
	require.Contains(t, f.Analysis.Evidence[0].Line, "Zq9")
	require.NotContains(t, f.Analysis.Evidence[0].Line, "Authorization")
	prompt := f.Prompt().String()
	assert.Contains(t, prompt, "fetching https://ada:[REDACTED]@")
	assert.Contains(t, prompt, "loader.missing_library")
	assert.NotContains(t, prompt, "Zq9")
}

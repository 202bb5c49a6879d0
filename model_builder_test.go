package mend_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// submitted is a turn that submits a recipe with that check.
func submitted(command, pattern string) mendtest.Turn {
	verify := fmt.Sprintf("command = %q\n", command)
	if pattern != "" {
		verify += fmt.Sprintf("pattern = %q\n", pattern)
	}
	return mendtest.Call("submit_recipe", map[string]any{"recipe": "[metadata]\nname = \"frob\"\n\n[verify]\n" + verify, "confidence": 0.9})
}

// missing shows a tool that is not there.
func missing(tool string) *mendtest.Capture {
	return &mendtest.Capture{Tool: tool, Runs: []mendtest.Run{played([]string{tool, "--version"}, 127, "", "sh: 1: "+tool+": not found\n")}}
}

func buildModel(t *testing.T, sb mend.Sandbox, p mend.Provider, opts *mend.ModelOptions, o *mend.Options) (*mend.BuildResult, error) {
	t.Helper()
	return mend.New(sb, o).Create(t.Context(), mend.NewModelBuilder("model", p, opts), mend.BuildRequest{Package: "frob", Version: "1.2.3"})
}

func TestModelRepairsWhatTheRulesCannot(t *testing.T) {
	first, second := submitted("frobnicate --version", "{version}"), submitted("frob --version", "{version}")
	first.Usage, second.Usage = mend.Usage{InputTokens: 100, OutputTokens: 10}, mend.Usage{InputTokens: 200, OutputTokens: 20}
	p := mendtest.NewScriptedProvider("p", first, second)
	describe := func(_ context.Context, req mend.BuildRequest) (string, error) { return "frob takes things apart", nil }
	res, err := buildModel(t, mendtest.NewReplay(missing("frobnicate"), frob()), p, &mend.ModelOptions{Describe: describe}, nil)
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command, "what the model gives is mended by the rules like any other")
	assert.Equal(t, mend.MethodDocumentedVersion, res.RepairMetadata.Method)
	assert.Equal(t, 1, res.RepairAttempts)
	assert.Equal(t, "p", res.Provider)
	assert.Equal(t, mend.Usage{InputTokens: 300, OutputTokens: 30}, res.Usage)

	requests := p.Requests()
	require.Len(t, requests, 2)
	assert.Contains(t, requests[0].Messages[0].Content, "frob takes things apart")
	require.Len(t, requests[1].Messages, 3, "the repair continues the conversation")
	assert.Equal(t, mend.RoleAssistant, requests[1].Messages[1].Role)
	told := requests[1].Messages[2].Content
	assert.Contains(t, told, "binary_not_found")
	assert.Contains(t, told, "sh: 1: frobnicate: not found")
}

// A check that passes without showing anything must not be a way out.
func TestModelCannotWinByWeakeningTheCheck(t *testing.T) {
	silent := func(tool string, args ...string) mendtest.Run {
		return played(append([]string{tool}, args...), 0, "", "")
	}
	broken := played([]string{"frob", "--version"}, 1, "", "Traceback (most recent call last):\nModuleNotFoundError: No module named 'frob'\n")
	control := played([]string{"frob", "--zz-no-such-option"}, 1, "", "Traceback (most recent call last):\nModuleNotFoundError: No module named 'frob'\n")
	t.Run("in the conversation", func(t *testing.T) {
		for _, check := range []mendtest.Turn{
			submitted("true", ""), submitted("frob", ""), submitted("echo frob 1.2.3", "frob {version}"), submitted("sh -c 'frob || true'", "x"),
			submitted("python3 -c 'print(1)'", "1"), submitted("frob --version | sort", "x"), submitted("cat /etc/hostname", "x"),
		} {
			p := mendtest.NewScriptedProvider("p", submitted("frob --version", "{version}"), check, submitted("frob --version", "frob {version}"), mendtest.Turn{Err: errors.New("enough")})
			sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{broken, control}})
			_, err := buildModel(t, sb, p, nil, nil)
			var failed *mend.ValidationFailedError
			require.ErrorAs(t, err, &failed)
			require.Greater(t, len(p.Requests()), 2, "%s", check.Calls[0].Arguments)
			result := last(p, 2).ToolResults
			require.NotEmpty(t, result, "%s", check.Calls[0].Arguments)
			assert.True(t, result[0].IsError)
			assert.Contains(t, result[0].Content, "verify.command")
		}
	})
	t.Run("in the sandbox", func(t *testing.T) {
		for name, tt := range map[string]struct {
			check mendtest.Turn
			run   mendtest.Run
			why   string
		}{
			"exit code alone":          {submitted("frob --quiet", ""), silent("frob", "--quiet"), "proves no more than exit_code"},
			"what broken ones print":   {submitted("frob --check", "not found"), played([]string{"frob", "--check"}, 0, "frob not found\n", ""), "a broken install would pass it"},
			"what the command says":    {submitted("frob --say 'frob 1.2.3 ok'", "frob {version} ok"), played([]string{"frob", "--say", "frob 1.2.3 ok"}, 0, "frob 1.2.3 ok\n", ""), "stands in the command"},
			"the tool's name and more": {submitted("frob --check", "frob"), played([]string{"frob", "--check"}, 0, "frob is here\n", ""), "a broken install would pass it"},
		} {
			t.Run(name, func(t *testing.T) {
				p := mendtest.NewScriptedProvider("p", submitted("frob --version", "{version}"), tt.check, mendtest.Turn{Err: errors.New("enough")})
				sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{broken, control, tt.run}})
				sb.Missing = func(argv []string) (mend.Observation, error) { return mend.Observation{Argv: argv, ExitCode: 1}, nil }
				_, err := buildModel(t, sb, p, nil, nil)
				var failed *mend.ValidationFailedError
				require.ErrorAs(t, err, &failed)
				require.NotEmpty(t, failed.Failure.Findings)
				assert.Equal(t, mend.FindingWeakCheck, failed.Failure.Findings[0].Code)
				assert.Contains(t, last(p, 2).Content, tt.why, "the model is told")
			})
		}
	})
}

func TestModelIsNotAskedForWhatItGave(t *testing.T) {
	same := submitted("frobnicate --version", "{version}")
	p := mendtest.NewScriptedProvider("p", same, same, submitted("frob --version", "{version}"))
	res, err := buildModel(t, mendtest.NewReplay(missing("frobnicate"), frob()), p, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
	assert.Contains(t, last(p, 2).ToolResults[0].Content, "tried already")
	assert.Equal(t, 1, res.RepairAttempts)
}

func TestModelFreshStart(t *testing.T) {
	turns := []mendtest.Turn{submitted("froba --version", "{version}"), submitted("frobb --version", "{version}"), submitted("frobc --version", "{version}"), submitted("frob --version", "{version}")}
	sb := func() *mendtest.Replay {
		return mendtest.NewReplay(missing("froba"), missing("frobb"), missing("frobc"), frob())
	}
	p := mendtest.NewScriptedProvider("p", turns...)
	_, err := buildModel(t, sb(), p, nil, nil)
	require.Error(t, err)
	assert.Equal(t, 1, p.Left(), "two repairs, and no fresh start")

	p = mendtest.NewScriptedProvider("p", turns...)
	res, err := buildModel(t, sb(), p, &mend.ModelOptions{FreshStart: true}, nil)
	require.NoError(t, err)
	assert.Equal(t, 3, res.RepairAttempts)
	digest := p.Requests()[3].Messages
	require.Len(t, digest, 1, "a conversation of its own")
	for _, tried := range []string{"froba --version", "frobb --version", "frobc --version", "frobb: not found"} {
		assert.Contains(t, digest[0].Content, tried)
	}
}

func TestModelHistoryThatIsRefusedIsReplacedByTheDigest(t *testing.T) {
	refused := mendtest.Turn{Err: &mend.ProviderError{Kind: mend.KindInvalidRequest, Provider: "p"}}
	p := mendtest.NewScriptedProvider("p", submitted("frobnicate --version", "{version}"), refused, submitted("frob --version", "{version}"))
	res, err := buildModel(t, mendtest.NewReplay(missing("frobnicate"), frob()), p, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, res.RepairAttempts)
	require.Len(t, last(p, 2).Content, len(p.Requests()[2].Messages[0].Content))
	assert.Contains(t, last(p, 2).Content, "frobnicate --version")
}

func TestModelBudget(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", submitted("froba --version", "{version}"), submitted("frobb --version", "{version}"), submitted("frob --version", "{version}"))
	_, err := buildModel(t, mendtest.NewReplay(missing("froba"), missing("frobb"), frob()), p, nil, &mend.Options{Limits: mend.Limits{Calls: 2}})
	var over *mend.BudgetError
	require.ErrorAs(t, err, &over)
	assert.Equal(t, "calls", over.Limit)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed, "everything that was tried is in the error")
	assert.Len(t, failed.Attempts, 2)
}

func TestModelThatIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := mendtest.Turn{Do: func(ctx context.Context, _ *mend.CompletionRequest) error { cancel(); <-ctx.Done(); return ctx.Err() }}
	p := mendtest.NewScriptedProvider("p", submitted("froba --version", "{version}"), stop, submitted("frob --version", "{version}"))
	_, err := mend.New(mendtest.NewReplay(missing("froba"), frob()), nil).Create(ctx, mend.NewModelBuilder("model", p, nil), mend.BuildRequest{Package: "frob"})
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 1, p.Left())
}

func TestNewModelBuilderPanics(t *testing.T) {
	p := mendtest.NewScriptedProvider("p")
	assert.Panics(t, func() { mend.NewModelBuilder("b", p, &mend.ModelOptions{Submit: mend.ToolDef{Name: "x"}}) })
	assert.True(t, strings.HasPrefix(mend.NewModelBuilder("b", p, nil).Name(), "b"))
}

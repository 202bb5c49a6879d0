package mend_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/mendtest"
)

func checkedBy(line string) *mend.Recipe {
	return &mend.Recipe{Metadata: mend.Metadata{Name: "frob"}, Verify: &mend.VerifySection{Command: line, Pattern: "{version}"}}
}

func TestLintRecipe(t *testing.T) {
	r := checkedBy("frob | head")
	r.Verify.Additional = []mend.AdditionalVerify{{Command: "frob --list"}, {Command: "frob *"}}
	findings := mend.LintRecipe(r, nil)
	require.Len(t, findings, 2)
	assert.Equal(t, "verify.command", findings[0].Source)
	assert.Equal(t, "verify.additional[1].command", findings[1].Source)
	assert.Equal(t, 5, findings[1].Start)

	assert.Empty(t, mend.LintRecipe(checkedBy("frob --version"), nil))
	assert.Empty(t, mend.LintRecipe(&mend.Recipe{}, nil), "no check, nothing to say")
	assert.Empty(t, mend.LintRecipe(nil, nil))
	assert.NotEmpty(t, mend.LintRecipe(checkedBy("frob --version"), &command.Profile{AllowedTools: []string{}}))
}

// TestCreateStopsAtADanger holds that a destructive command is neither run nor shown
// to a model for another wording.
func TestCreateStopsAtADanger(t *testing.T) {
	for name, r := range map[string]*mend.Recipe{
		"primary":    checkedBy("rm -rf /"),
		"additional": {Verify: &mend.VerifySection{Command: "frob -V", Additional: []mend.AdditionalVerify{{Command: "sh -c 'rm -rf ~'"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			sb := mendtest.NewReplay(frob())
			b := mendtest.NewScriptedBuilder(r, checkedBy("frob -V"))
			_, err := create(t, sb, b, nil)
			var failed *mend.ValidationFailedError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, command.DangerousCommand, failed.Failure.Findings[0].Code)
			assert.Zero(t, failed.RepairAttempts)
			assert.Zero(t, sb.Installs())
		})
	}
}

func TestModelIsNotAskedToRewordADanger(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", submitted("rm -rf /", "{version}"), submitted("frob -V", "{version}"))
	_, err := buildModel(t, mendtest.NewReplay(frob()), p, nil, nil)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, 1, p.Left())
}

func TestCreateFixesWhatIsMechanical(t *testing.T) {
	r := checkedBy("LANG=C frob -V 2>&1")
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{played([]string{"env", "LANG=C", "frob", "-V"}, 0, "frob 1.2.3\n", "")}})
	res, err := create(t, sb, mend.StaticBuilder(r), nil)
	require.NoError(t, err)
	assert.Equal(t, "env LANG=C frob -V", res.Recipe.Verify.Command)
	require.NotNil(t, res.RepairMetadata)
	assert.Equal(t, mend.MethodLintFix, res.RepairMetadata.Method)
	assert.Equal(t, "LANG=C frob -V 2>&1", res.Generated.Verify.Command, "what was generated stays as it was")
}

func TestCreateSendsLintErrorsToRepair(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	b := mendtest.NewScriptedBuilder(checkedBy("frob -V | head -1"), checkedBy("frob -V"))
	res, err := create(t, sb, b, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, res.RepairAttempts)
	assert.Equal(t, 1, sb.Installs(), "no install was spent on the first one")
	f := res.Attempts[0].Failure
	require.NotNil(t, f)
	assert.Equal(t, mend.CategoryLint, f.Parsed.Category)
	assert.Equal(t, "frob -V | head -1", f.Parsed.Details["command"])
	assert.Equal(t, command.NeedsShell, f.Findings[0].Code)
	assert.Contains(t, f.Prompt().String(), "needs a shell")
}

func TestCreateReportsWarnings(t *testing.T) {
	r := checkedBy("frob -V")
	r.Verify.Additional = []mend.AdditionalVerify{{Command: `frob --config C:\frob.ini`}}
	f := frob()
	f.Runs = append(f.Runs, played([]string{"frob", "--config", "C:frob.ini"}, 0, "", ""))
	res, err := create(t, mendtest.NewReplay(f), mend.StaticBuilder(r), nil)
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	assert.Contains(t, res.Warnings[0], "verify.additional[0].command: ")
}

// TestRulesGoTheSameWay has a rule propose what no recipe may hold.
func TestRulesGoTheSameWay(t *testing.T) {
	for line, profile := range map[string]*command.Profile{
		"rm -rf /":     nil,
		"frob -V | wc": nil,
		"frib -V":      {AllowedTools: []string{"frob"}},
	} {
		rule := mend.Rule{Name: "mine", Propose: func(f mend.Failure) []mend.Candidate {
			return []mend.Candidate{{Verify: mend.VerifySection{Command: line, Pattern: "{version}"}, Strength: mend.StrengthVersion}}
		}}
		sb := mendtest.NewReplay(frob())
		sb.Missing = func(argv []string) (mend.Observation, error) {
			assert.Fail(t, "it was run", "%q", argv)
			return mend.Observation{}, errors.New("run")
		}
		_, err := create(t, sb, mend.StaticBuilder(naive("frob")), &mend.Options{Rules: []mend.Rule{rule}, Profile: profile})
		var failed *mend.ValidationFailedError
		require.ErrorAs(t, err, &failed, line)
		require.Len(t, failed.Attempts[0].Probes, 1, line)
		assert.NotEmpty(t, failed.Attempts[0].Probes[0].Refusal, line)
		assert.False(t, failed.Attempts[0].Probes[0].Ran, line)
	}
}

// TestModelIsToldWhatIsWrongWithItsCommand holds that the submit tool reads commands
// with the profile of the orchestrator, and answers with the prompt for a repair.
func TestModelIsToldWhatIsWrongWithItsCommand(t *testing.T) {
	p := mendtest.NewScriptedProvider("p", submitted("frib -V", "{version}"), submitted("frob -V", "{version}"))
	res, err := buildModel(t, mendtest.NewReplay(frob()), p, nil, &mend.Options{Profile: &command.Profile{AllowedTools: []string{"frob"}}})
	require.NoError(t, err)
	assert.Zero(t, res.RepairAttempts, "it is mended in the conversation")
	result := last(p, 1).ToolResults
	require.Len(t, result, 1)
	assert.True(t, result[0].IsError)
	for _, part := range []string{"COMMAND REPAIR 1 of 4", "verify.command of the recipe for frob", "ALLOWED PROGRAMS: frob", "Submit the whole recipe again"} {
		assert.Contains(t, result[0].Content, part)
	}
}

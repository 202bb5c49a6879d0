package mend_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// only returns a sandbox of a tool frob that shows one thing: whatever else is run in
// it is an error.
func only(version string, runs ...mendtest.Run) *mendtest.Replay {
	return mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: version, Runs: runs})
}

var (
	frobV       = played([]string{"frob", "-V"}, 0, "frob 1.2.3\n", "")
	frobNoLib   = played([]string{"frob", "-V"}, 127, "", "frob: error while loading shared libraries: libz.so.1: cannot open shared object file: No such file or directory\n")
	frobVersion = played([]string{"frob", "--version"}, 0, "frob 1.2.3\n", "")
)

// observed returns options that note which events there are, and whether each says
// that something succeeded.
func observed(o *mend.Options) (*mend.Options, *[]mend.Event) {
	var events []mend.Event
	o.Observer = func(_ context.Context, e mend.Event) { events = append(events, e) }
	return o, &events
}

func TestConfirmRunsTheWinnerOnce(t *testing.T) {
	cheap, dear := mendtest.NewReplay(frob()), only("1.2.3", frobV)
	opts, events := observed(&mend.Options{Confirm: dear})
	res, err := create(t, cheap, mend.StaticBuilder(naive("frob")), opts)
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
	assert.Equal(t, mend.StrengthVersion, res.Strength)
	assert.Equal(t, mend.MethodDocumentedVersion, res.RepairMetadata.Method)
	assert.Equal(t, []int{1, 2, 1, 1}, []int{cheap.Installs(), cheap.Runs(), dear.Installs(), dear.Runs()}, "the candidates are tried in the first only")
	last := (*events)[len(*events)-1]
	assert.Equal(t, mend.EventConfirmationResult, last.Kind)
	assert.True(t, last.Success)
	assert.Equal(t, "frob", last.Tool)
	assert.Equal(t, mend.StrengthVersion, last.Strength)
}

func TestConfirmRunsAlsoACheckThatPassesAsItIs(t *testing.T) {
	recipe := naive("frob")
	recipe.Verify.Additional = []mend.AdditionalVerify{{Command: "frob -V", Pattern: "1.2.3"}}
	cheap, dear := only("1.2.3", frobVersion, frobV), only("1.2.3", frobVersion, frobV)
	res, err := create(t, cheap, mend.StaticBuilder(recipe), &mend.Options{Confirm: dear})
	require.NoError(t, err)
	assert.Same(t, recipe, res.Recipe)
	assert.Equal(t, 2, dear.Runs(), "its additional check, too")
}

// TestConfirmTakesTheVersionOfTheSandbox where the other one has the tool in its image
// and does not say which it is, and its own where it does.
func TestConfirmTakesTheVersionOfTheSandbox(t *testing.T) {
	for name, dear := range map[string]*mendtest.Replay{
		"none":    only("", frobV),
		"another": only("1.3.0", played([]string{"frob", "-V"}, 0, "frob 1.3.0\n", "")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Confirm: dear})
			assert.NoError(t, err)
		})
	}
}

func TestConfirmDisagrees(t *testing.T) {
	for name, test := range map[string]struct {
		cheap, dear *mendtest.Replay
		command     string
		why         string
	}{
		"with a mend":             {mendtest.NewReplay(frob()), only("1.2.3", frobNoLib), "frob -V", `the check "frob -V" passes in the sandbox, but not where it is confirmed: exit_code: expected 0, saw 127`},
		"with a check left alone": {only("1.2.3", frobVersion), only("1.2.3", played([]string{"frob", "--version"}, 1, "", "frob: cannot find perl\n")), "frob --version", `the check "frob --version" passes in the sandbox, but not where`},
		"with the version":        {mendtest.NewReplay(frob()), only("1.4.0", frobV), "frob -V", "not where it is confirmed: pattern"},
	} {
		t.Run(name, func(t *testing.T) {
			opts, events := observed(&mend.Options{Confirm: test.dear})
			b := mendtest.NewScriptedBuilder(naive("frob"))
			res, err := create(t, test.cheap, b, opts)
			assert.Nil(t, res)
			var failed *mend.ValidationFailedError
			require.ErrorAs(t, err, &failed)
			assert.ErrorContains(t, err, test.why)

			f := failed.Failure
			require.Len(t, f.Findings, 1)
			assert.Equal(t, mend.FindingUnconfirmed, f.Findings[0].Code)
			assert.LessOrEqual(t, len(f.Findings[0].Message), 200)
			assert.Equal(t, test.command, f.Recipe.Verify.Command, "what was run")
			require.Len(t, f.Observations, 1, "what the second sandbox showed")
			assert.False(t, f.Judgement.Passed)
			assert.Same(t, f, b.Failures()[0], "and the session is told")
			assert.Contains(t, f.Prompt().String(), "not where it is confirmed")

			assert.Nil(t, failed.Attempts[0].Repair, "the mend is not accepted")
			assert.Equal(t, 1, test.dear.Runs(), "and no weaker one is tried")
			var confirmation mend.Event
			for _, e := range *events {
				if e.Kind == mend.EventConfirmationResult {
					confirmation = e
				}
			}
			assert.False(t, confirmation.Success)
			assert.Contains(t, confirmation.Error, "not where it is confirmed")
		})
	}
}

func TestConfirmWhereTheInstallFails(t *testing.T) {
	dear := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Install: "tar: not found"})
	_, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Confirm: dear})
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	require.NotNil(t, failed.Failure.Install)
	assert.Equal(t, mend.FindingUnconfirmed, failed.Failure.Findings[0].Code)
	assert.ErrorContains(t, err, "not where it is confirmed: install failed: tar: not found")
}

// TestConfirmPassesErrorsOn: they say nothing about the recipe.
func TestConfirmPassesErrorsOn(t *testing.T) {
	offline := errors.New("the daemon went away")
	_, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Confirm: absentSandbox{offline}})
	assert.Equal(t, offline, err)

	var unrecorded *mendtest.NotRecordedError
	_, err = create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Confirm: only("1.2.3")})
	require.ErrorAs(t, err, &unrecorded)
	assert.Equal(t, []string{"frob", "-V"}, unrecorded.Argv)

	recipe := naive("frob")
	res, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(recipe), &mend.Options{Confirm: absentSandbox{mend.ErrSandboxUnavailable}})
	require.NoError(t, err)
	assert.True(t, res.SandboxSkipped)
	assert.Equal(t, mend.StrengthUnproven, res.Strength, "what was not confirmed never looks like a pass")
	assert.Same(t, recipe, res.Recipe)
	assert.Nil(t, res.RepairMetadata)
	assert.NotEmpty(t, res.Warnings)
}

// absentSandbox cannot be had.
type absentSandbox struct{ err error }

func (a absentSandbox) Install(context.Context, *mend.Recipe) (mend.Environment, error) {
	return nil, a.err
}

// TestConfirmAfterARepair: what the session submits next is tried in the first sandbox
// and confirmed in the second like the one before.
func TestConfirmAfterARepair(t *testing.T) {
	other := naive("frob")
	other.Verify.Command = "frob -h"
	other.Verify.Mode, other.Verify.Pattern = mend.ModeOutput, "Usage: frob [options] FILE"
	dear := only("1.2.3", frobNoLib, frob().Runs[3])
	res, err := create(t, mendtest.NewReplay(frob()), mendtest.NewScriptedBuilder(naive("frob"), other), &mend.Options{Confirm: dear})
	require.NoError(t, err)
	assert.Equal(t, "frob -h", res.Recipe.Verify.Command)
	assert.Equal(t, 1, res.RepairAttempts)
	require.Len(t, res.Attempts, 2)
	assert.Equal(t, mend.FindingUnconfirmed, res.Attempts[0].Failure.Findings[0].Code)
	assert.Equal(t, 2, dear.Installs())
}

// stuck cannot be closed.
type stuck struct{ mend.Sandbox }

func (s stuck) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	env, err := s.Sandbox.Install(ctx, r)
	return stuckEnvironment{env}, err
}

type stuckEnvironment struct{ mend.Environment }

func (stuckEnvironment) Close() error { return errors.New("the store is locked") }

func TestConfirmThatCannotBeClosedIsAWarning(t *testing.T) {
	res, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Confirm: stuck{only("1.2.3", frobV)}})
	require.NoError(t, err)
	assert.Equal(t, []string{"closing the environment that confirms: the store is locked"}, res.Warnings)
}

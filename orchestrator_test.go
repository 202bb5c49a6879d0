package mend_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// naive is the recipe that a builder writes which knows nothing of the tool.
func naive(tool string) *mend.Recipe {
	return &mend.Recipe{
		Metadata: mend.Metadata{Name: tool},
		Verify:   &mend.VerifySection{Command: tool + " --version", Pattern: "{version}"},
	}
}

func played(argv []string, exit int, stdout, stderr string) mendtest.Run {
	return mendtest.Run{Argv: argv, ExitCode: exit, Stdout: stdout, Stderr: stderr}
}

// frob is a tool that rejects --version, documents -V, and has a help text.
func frob() *mendtest.Capture {
	const help = "Usage: frob [options] FILE\n\nOptions:\n  -V   show the version\n  -h   show this help\n"
	return &mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 2, "", "frob: unknown option --version\n"+help),
		played([]string{"frob", "--zz-no-such-option"}, 2, "", "frob: unknown option --zz-no-such-option\n"+help),
		played([]string{"frob", "--help"}, 2, "", "frob: unknown option --help\n"+help),
		played([]string{"frob", "-h"}, 0, help, ""),
		played([]string{"frob", "-V"}, 0, "frob 1.2.3\n", ""),
	}}
}

func create(t *testing.T, sb mend.Sandbox, b mend.Builder, opts *mend.Options) (*mend.BuildResult, error) {
	t.Helper()
	return mend.New(sb, opts).Create(t.Context(), b, mend.BuildRequest{Package: "frob"})
}

func TestCreateLeavesACheckThatPassesAlone(t *testing.T) {
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 0, "frob 1.2.3\n", ""),
	}})
	recipe := naive("frob")
	res, err := create(t, sb, mend.StaticBuilder(recipe), nil)
	require.NoError(t, err)
	assert.Same(t, recipe, res.Recipe)
	assert.Same(t, recipe, res.Generated)
	assert.Nil(t, res.RepairMetadata)
	assert.Equal(t, mend.StrengthVersion, res.Strength)
	assert.Empty(t, res.Warnings)
	assert.Equal(t, 1, sb.Runs(), "a check that passes costs one run")
	require.Len(t, res.Attempts, 1)
	assert.Nil(t, res.Attempts[0].Failure)
}

func TestCreateMendsWithoutAModel(t *testing.T) {
	sb := mendtest.NewReplay(frob())
	recipe := naive("frob")
	res, err := create(t, sb, mend.StaticBuilder(recipe), nil)
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
	assert.Equal(t, "frob {version}", res.Recipe.Verify.Pattern)
	assert.Empty(t, res.Recipe.Verify.Mode, "it stays in version mode")
	assert.Equal(t, mend.StrengthVersion, res.Strength)
	assert.Equal(t, &mend.RepairMetadata{
		Type: mend.RepairVerify, Original: "frob --version", Repaired: "frob -V",
		Method: mend.MethodDocumentedVersion, Strength: mend.StrengthVersion,
	}, res.RepairMetadata)
	assert.Equal(t, "frob --version", recipe.Verify.Command, "the generated recipe is not changed")
	assert.Same(t, recipe, res.Generated)
	assert.Equal(t, 1, sb.Installs(), "probing does not install again")
	assert.Equal(t, 2, sb.Runs())
	assert.Zero(t, res.RepairAttempts)
}

func TestCreateTakesTheVersionOfTheRequestIfTheSandboxKnowsNone(t *testing.T) {
	c := frob()
	c.Version = ""
	o := mend.New(mendtest.NewReplay(c), nil)
	res, err := o.Create(t.Context(), mend.StaticBuilder(naive("frob")), mend.BuildRequest{Package: "frob", Version: "1.2.3"})
	require.NoError(t, err)
	assert.Equal(t, mend.StrengthVersion, res.Strength)
}

func TestCreateRefusesABrokenInstall(t *testing.T) {
	const loader = "frob: error while loading shared libraries: libz.so.1: cannot open shared object file: No such file or directory\n"
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 127, "", loader),
	}})
	res, err := create(t, sb, mend.StaticBuilder(naive("frob")), nil)
	assert.Nil(t, res)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, mend.Broken, failed.Failure.Analysis.Verdict)
	assert.Equal(t, "frob: verification failed: exit_code: expected 0, saw 127; the install looks broken (loader.missing_library)", err.Error())
	assert.Equal(t, 1, sb.Runs(), "nothing is probed in a broken install")
	assert.Len(t, failed.Attempts, 1)
}

func TestCreateRefusesAPoliteWrapperThatExitsWithZero(t *testing.T) {
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 0, "frob is not installed.\n", ""),
	}})
	recipe := naive("frob")
	recipe.Verify.Pattern = ""
	_, err := create(t, sb, mend.StaticBuilder(recipe), nil)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	assert.Contains(t, err.Error(), "polite.not_installed")
}

func TestCreateDoesNotMendAnotherVersion(t *testing.T) {
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 0, "frob 1.9.0\n", ""),
	}})
	_, err := create(t, sb, mend.StaticBuilder(naive("frob")), nil)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	require.Len(t, failed.Failure.Findings, 1)
	assert.Equal(t, mend.FindingVersionMismatch, failed.Failure.Findings[0].Code)
	assert.ErrorContains(t, err, `frob states version "1.9.0", but "1.2.3" is installed`)
	assert.Equal(t, 1, sb.Runs())

	t.Run("also behind a documented option", func(t *testing.T) {
		c := frob()
		c.Version = "2.0.0"
		_, err := create(t, mendtest.NewReplay(c), mend.StaticBuilder(naive("frob")), nil)
		assert.ErrorContains(t, err, `frob states version "1.2.3", but "2.0.0" is installed`)
	})
	t.Run("a recipe that asks for no version gets a warning", func(t *testing.T) {
		recipe := naive("frob")
		recipe.Verify.Pattern = ""
		res, err := create(t, sb, mend.StaticBuilder(recipe), nil)
		require.NoError(t, err)
		assert.Equal(t, []string{`frob states version "1.9.0", but "1.2.3" is installed`}, res.Warnings)
	})
}

func TestCreateAsksTheSessionWhenNothingDeterministicHolds(t *testing.T) {
	sb := mendtest.NewReplay(
		&mendtest.Capture{Tool: "frob-bin", Runs: []mendtest.Run{played([]string{"frob-bin", "--version"}, 127, "", "sh: 1: frob-bin: not found\n")}},
		frob(),
	)
	b := mendtest.NewScriptedBuilder(naive("frob-bin"), naive("frob"))
	res, err := create(t, sb, b, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, res.RepairAttempts)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command, "the repaired recipe is mended like any other")
	assert.Equal(t, "frob-bin --version", res.Generated.Verify.Command)
	require.Len(t, res.Attempts, 2)
	assert.NotNil(t, res.Attempts[0].Failure)
	assert.Nil(t, res.Attempts[1].Failure)
	require.Len(t, b.Failures(), 1)
	assert.Equal(t, mend.Broken, b.Failures()[0].Analysis.Verdict)
	assert.Equal(t, 2, sb.Installs(), "one install a recipe")
	assert.Equal(t, 1, b.Closed())
}

// broken returns n recipes whose tools are all missing, and a sandbox for them.
func broken(n int) (*mendtest.ScriptedBuilder, *mendtest.Replay) {
	var recipes []*mend.Recipe
	var captures []*mendtest.Capture
	for i := range n {
		tool := "frob" + string(rune('a'+i))
		recipes = append(recipes, naive(tool))
		captures = append(captures, &mendtest.Capture{Tool: tool, Runs: []mendtest.Run{
			played([]string{tool, "--version"}, 127, "", "sh: 1: "+tool+": not found\n"),
		}})
	}
	return mendtest.NewScriptedBuilder(recipes...), mendtest.NewReplay(captures...)
}

func TestCreateAsksTheSessionAtMostMaxRepairsTimes(t *testing.T) {
	for max, want := range map[int]int{0: 2, 1: 1, 5: 5, -1: 0} {
		t.Run(fmt.Sprint(max), func(t *testing.T) {
			b, sb := broken(9)
			_, err := create(t, sb, b, &mend.Options{MaxRepairs: max})
			var failed *mend.ValidationFailedError
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, want, failed.RepairAttempts)
			assert.Len(t, failed.Attempts, want+1, "every attempt is in the error")
			assert.Len(t, b.Failures(), want)
			assert.Equal(t, want+1, sb.Installs())
		})
	}
}

func TestCreateStopsAtARecipeThatWasTried(t *testing.T) {
	_, sb := broken(1)
	b := mendtest.NewScriptedBuilder(naive("froba"), naive("froba"), naive("froba"))
	_, err := create(t, sb, b, &mend.Options{MaxRepairs: 5})
	require.ErrorContains(t, err, "had failed already")
	assert.Equal(t, 1, sb.Installs())
}

// failingSandbox fails at one place, and says at which.
type failingSandbox struct {
	mend.Sandbox
	install, run error
	after        int // runs that still succeed
}

func (s *failingSandbox) Install(ctx context.Context, r *mend.Recipe) (mend.Environment, error) {
	if s.install != nil {
		return nil, s.install
	}
	env, err := s.Sandbox.Install(ctx, r)
	return &failingEnvironment{env, s}, err
}

type failingEnvironment struct {
	mend.Environment
	s *failingSandbox
}

func (e *failingEnvironment) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	if e.s.after--; e.s.after < 0 && e.s.run != nil {
		return mend.Observation{}, e.s.run
	}
	return e.Environment.Run(ctx, cmd)
}

func TestCreateReturnsInfrastructureErrorsAsTheyAre(t *testing.T) {
	gone := errors.New("the daemon went away")
	for name, sb := range map[string]*failingSandbox{
		"at install":   {install: gone},
		"at the check": {run: gone},
		"at a probe":   {run: gone, after: 1},
	} {
		t.Run(name, func(t *testing.T) {
			sb.Sandbox = mendtest.NewReplay(frob())
			b := mendtest.NewScriptedBuilder(naive("frob"), naive("other"))
			_, err := create(t, sb, b, nil)
			assert.Equal(t, gone, err)
			assert.Empty(t, b.Failures(), "it is never repaired")
			assert.Equal(t, 1, b.Closed())
		})
	}
}

func TestCreateWithoutASandbox(t *testing.T) {
	sb := &failingSandbox{install: fmt.Errorf("no user namespaces: %w", mend.ErrSandboxUnavailable)}
	res, err := create(t, sb, mend.StaticBuilder(naive("frob")), nil)
	require.NoError(t, err)
	assert.True(t, res.SandboxSkipped)
	assert.Equal(t, mend.StrengthUnproven, res.Strength)
	assert.Contains(t, res.Warnings[0], "no user namespaces")

	res, err = create(t, nil, mend.StaticBuilder(naive("frob")), &mend.Options{SkipSandbox: true})
	require.NoError(t, err)
	assert.True(t, res.SandboxSkipped)
	assert.Equal(t, mend.StrengthUnproven, res.Strength)

	assert.PanicsWithValue(t, "mend.New: nil sandbox", func() { mend.New(nil, nil) })
}

func TestCreateTellsTheSessionWhyTheInstallFailed(t *testing.T) {
	sb := mendtest.NewReplay(&mendtest.Capture{Tool: "bad", Install: "checksum mismatch"}, frob())
	b := mendtest.NewScriptedBuilder(naive("bad"), naive("frob"))
	res, err := create(t, sb, b, nil)
	require.NoError(t, err)
	assert.Equal(t, 1, res.RepairAttempts)
	require.NotNil(t, b.Failures()[0].Install)
	assert.EqualError(t, b.Failures()[0].Install, "install failed: checksum mismatch")

	_, err = create(t, sb, mend.StaticBuilder(naive("bad")), nil)
	assert.EqualError(t, err, "bad: verification failed: install failed: checksum mismatch")
}

func TestCreateOfARecipeWithoutACheck(t *testing.T) {
	recipe := &mend.Recipe{Metadata: mend.Metadata{Name: "frob"}}
	res, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(recipe), nil)
	require.NoError(t, err)
	assert.Equal(t, mend.StrengthUnproven, res.Strength)
	assert.Equal(t, []string{"the recipe has no [verify] section: nothing was checked"}, res.Warnings)
}

func TestCreateMakesCommandsPlain(t *testing.T) {
	for _, line := range []string{"frob -V 2>&1", "frob -V 2>/dev/null", "frob -V || true", "frob -V >/dev/null 2>&1 || true"} {
		t.Run(line, func(t *testing.T) {
			recipe := naive("frob")
			recipe.Verify.Command = line
			res, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(recipe), nil)
			require.NoError(t, err)
			assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
			require.NotNil(t, res.RepairMetadata)
			assert.Equal(t, mend.MethodLintFix, res.RepairMetadata.Method)
			assert.Equal(t, line, res.RepairMetadata.Original)
		})
	}
	t.Run("what needs a shell is a finding, and installs nothing", func(t *testing.T) {
		sb := mendtest.NewReplay(frob())
		recipe := naive("frob")
		recipe.Verify.Command = "frob -V | head -1"
		b := mendtest.NewScriptedBuilder(recipe)
		_, err := create(t, sb, b, nil)
		var failed *mend.ValidationFailedError
		require.ErrorAs(t, err, &failed)
		require.Len(t, failed.Failure.Findings, 1)
		assert.Equal(t, "verify.command", failed.Failure.Findings[0].Source)
		assert.Equal(t, 8, failed.Failure.Findings[0].Start)
		assert.Zero(t, sb.Installs())
		assert.Len(t, b.Failures(), 1)
	})
}

func TestCreateKeepsAdditionalChecks(t *testing.T) {
	c := frob()
	c.Runs = append(c.Runs, played([]string{"frob-ctl", "--help"}, 0, "ctl\n", ""))
	recipe := naive("frob")
	recipe.Verify.Additional = []mend.AdditionalVerify{{Command: "frob-ctl --help", Pattern: "ctl"}}
	res, err := create(t, mendtest.NewReplay(c), mend.StaticBuilder(recipe), nil)
	require.NoError(t, err)
	assert.Equal(t, recipe.Verify.Additional, res.Recipe.Verify.Additional)

	recipe.Verify.Additional[0].Pattern = "never"
	_, err = create(t, mendtest.NewReplay(c), mend.StaticBuilder(recipe), nil)
	var failed *mend.ValidationFailedError
	assert.ErrorAs(t, err, &failed, "a mend of the primary check does not hide that another fails")
}

func TestCreateHonoursTheFloor(t *testing.T) {
	c := &mendtest.Capture{Tool: "frob", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 1, "", "frob: not an option: --version\n"),
		played([]string{"frob", "--zz-no-such-option"}, 1, "", "frob: not an option: --zz-no-such-option\n"),
		played([]string{"frob", "--help"}, 1, "", "frob: not an option: --help\n"),
		played([]string{"frob", "-h"}, 1, "", "frob: not an option: -h\n"),
		played([]string{"frob", "-V"}, 1, "", "frob: not an option: -V\n"),
		played([]string{"frob", "-v"}, 1, "", "frob: not an option: -v\n"),
	}}
	res, err := create(t, mendtest.NewReplay(c), mend.StaticBuilder(naive("frob")), nil)
	require.NoError(t, err)
	assert.Equal(t, mend.StrengthComplaint, res.Strength)
	assert.Equal(t, "frob: not an option: --version", res.Recipe.Verify.Pattern)
	assert.Equal(t, 1, *res.Recipe.Verify.ExitCode)
	assert.Equal(t, mend.ModeOutput, res.Recipe.Verify.Mode)
	assert.NotEmpty(t, res.Recipe.Verify.Reason)

	_, err = create(t, mendtest.NewReplay(c), mend.StaticBuilder(naive("frob")), &mend.Options{Floor: mend.StrengthUsage})
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	last := failed.Attempts[0].Probes[len(failed.Attempts[0].Probes)-1]
	assert.Contains(t, last.Refusal, "below usage")
}

func TestCreateRetriesASilentToolOnce(t *testing.T) {
	var limits []time.Duration
	sb := mend.Sandbox(sandboxOf(func(_ context.Context, cmd mend.Command) (mend.Observation, error) {
		limits = append(limits, cmd.Timeout)
		if len(limits) == 1 {
			return mend.Observation{ExitCode: -1, TimedOut: true}, nil
		}
		return mend.Observation{Stdout: "frob 1.2.3\n"}, nil
	}))
	res, err := mend.New(sb, nil).Create(t.Context(), mend.StaticBuilder(naive("frob")), mend.BuildRequest{Version: "1.2.3"})
	require.NoError(t, err)
	assert.Nil(t, res.RepairMetadata)
	assert.Equal(t, []time.Duration{0, 20 * time.Second}, limits)
}

// sandboxOf is a sandbox whose environments run programs by calling the function.
type sandboxOf func(context.Context, mend.Command) (mend.Observation, error)

func (f sandboxOf) Install(context.Context, *mend.Recipe) (mend.Environment, error) { return f, nil }
func (f sandboxOf) Installed() mend.Installed                                       { return mend.Installed{} }
func (f sandboxOf) Close() error                                                    { return nil }
func (f sandboxOf) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return f(ctx, cmd)
}

func TestCreateBoundsItsProbes(t *testing.T) {
	runs := 0
	sb := sandboxOf(func(_ context.Context, cmd mend.Command) (mend.Observation, error) {
		runs++ // each answer offers another way
		return mend.Observation{ExitCode: 1, Stderr: fmt.Sprintf("frob: unknown option\n  -v%d   show the version\n  -h%d   show more help\n", runs, runs)}, nil
	})
	_, err := create(t, sb, mend.StaticBuilder(naive("frob")), nil)
	require.NoError(t, err, "it complains under its name")
	assert.LessOrEqual(t, runs, 11)
}

func TestCreateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	_, err := mend.New(mendtest.NewReplay(frob()), nil).Create(ctx, mend.StaticBuilder(naive("frob")), mend.BuildRequest{})
	assert.Equal(t, enough, err)
}

func TestEvents(t *testing.T) {
	var mu sync.Mutex
	var events []mend.Event
	observer := func(_ context.Context, e mend.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e)
		panic("an observer must not break the loop")
	}
	_, err := create(t, mendtest.NewReplay(frob()), mend.StaticBuilder(naive("frob")), &mend.Options{Observer: observer})
	require.NoError(t, err)
	var kinds []mend.EventKind
	for _, e := range events {
		kinds = append(kinds, e.Kind)
		assert.Equal(t, "frob", e.Package)
		assert.Equal(t, "static", e.Builder)
		assert.False(t, e.Time.IsZero())
	}
	assert.Equal(t, []mend.EventKind{
		mend.EventGenerationStarted, mend.EventGenerationCompleted, mend.EventValidationResult, mend.EventVerifySelfRepair,
	}, kinds)
	assert.False(t, events[2].Success)
	repair := events[3]
	assert.True(t, repair.Success)
	assert.Equal(t, "frob", repair.Tool)
	assert.Equal(t, mend.MethodDocumentedVersion, repair.Method)
	assert.Equal(t, mend.StrengthVersion, repair.Strength)
	assert.Equal(t, 1, repair.Probes)
}

func TestBuildersThatFail(t *testing.T) {
	boom := errors.New("no such package")
	b := mend.BuildFunc("registry", func(context.Context, mend.BuildRequest) (*mend.Recipe, error) { return nil, boom })
	_, err := create(t, mendtest.NewReplay(), b, nil)
	assert.Equal(t, boom, err)
	_, err = create(t, mendtest.NewReplay(), mend.StaticBuilder(nil), nil)
	assert.EqualError(t, err, "the builder returned no recipe")
	assert.Equal(t, "registry", b.Name())
}

func BenchmarkCreate(b *testing.B) {
	o := mend.New(mendtest.NewReplay(frob()), nil)
	builder := mend.StaticBuilder(naive("frob"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Create(b.Context(), builder, mend.BuildRequest{}); err != nil {
			b.Fatal(err)
		}
	}
}

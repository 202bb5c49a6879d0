package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResultOnTheWire(t *testing.T) {
	w := fleet.NewWorker(orchestrator(), builder(), nil)
	for name, tt := range map[string]struct{ pkg, want string }{
		"mended": {"frob", `{
			"key": "frob-7f1d5a", "package": "frob", "version": "1.2.3",
			"recipe": "# frob, as generated\r\n[metadata]\nname = \"frob\"\n\n[verify]\ncommand = \"frob -V\"\npattern = \"frob {version}\"\n",
			"strength": "version",
			"repair": {"type": "verify", "original": "frob --version", "repaired": "frob -V", "method": "documented_version", "exit_code": 0, "strength": "version"},
			"attempts": 1, "probes": 2, "worker": "w", "delivery": 1, "finished": "0001-01-01T00:00:00Z", "took_ns": 5
		}`},
		"refused": {"broken", `{
			"key": "broken-7f1d5a", "package": "broken", "version": "1.2.3", "strength": "unproven", "attempts": 1,
			"failure": {"category": "missing_library", "verdict": "broken", "evidence": ["loader.missing_library"],
				"message": "absent: verification failed: exit_code: expected 0, saw 127; the install looks broken (loader.missing_library)"},
			"worker": "w", "delivery": 1, "finished": "0001-01-01T00:00:00Z", "took_ns": 5
		}`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := w.Work(t.Context(), fleet.Job{Key: tt.pkg + "-7f1d5a", Package: tt.pkg, Version: "1.2.3"})
			require.NoError(t, err)
			r.Worker, r.Delivery, r.Took = "w", 1, 5
			data, err := json.Marshal(r)
			require.NoError(t, err)
			assert.JSONEq(t, tt.want, string(data))
			var back fleet.Result
			require.NoError(t, json.Unmarshal(data, &back))
			assert.Equal(t, r, &back)
		})
	}
}

// TestNothingSecretInAResult plants a credential in all that a tool prints.
func TestNothingSecretInAResult(t *testing.T) {
	leaky := &mendtest.Capture{Tool: "frob", Version: "1.2.3"}
	for _, option := range []string{"--version", "--zz-no-such-option", "--help", "-h", "-V", "-v"} {
		leaky.Runs = append(leaky.Runs, mendtest.Run{
			Argv: []string{"frob", option}, ExitCode: 1,
			Stderr: "Traceback (most recent call last):\n  File \"frob\", line 1\nModuleNotFoundError: No module named '" + secret + "'\n",
		})
	}
	f := open(t, "batch", nil)
	w := fleet.NewWorker(mend.New(mendtest.NewReplay(leaky), nil), builder(), nil)
	got := collect(t, f.CreateAll(within(t), w, one("frob"), 1))
	r := got.results["frob"]
	require.NotNil(t, r.Failure)
	assert.Equal(t, mend.CategoryMissingModule, r.Failure.Category)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	assert.NotContains(t, string(data), secret)
	assert.NotContains(t, string(data), "Traceback", "what the tool printed stays where it was")
}

func TestWorkerTellsEvidenceFromTrouble(t *testing.T) {
	down := &mend.OutageError{RetryAt: time.Now().Add(time.Minute), Reasons: []error{errors.New("down")}}
	failed := func(cause error) mend.Builder { return repairing{cause} }
	broken := mendtest.NewReplay(&mendtest.Capture{Tool: "absent", Install: "checksum mismatch"})
	spent := &mend.BudgetError{Limit: "calls", Used: "3", Max: "3"}
	for name, tt := range map[string]struct {
		sandbox mend.Sandbox
		builder mend.Builder
		result  bool
		is      error
	}{
		"a recipe that does not hold is evidence":    {broken, builder(), true, nil},
		"nor does one whose repair was used up":      {broken, failed(spent), true, nil},
		"a repair that nobody could be asked for":    {broken, failed(down), false, down},
		"a builder that fails":                       {broken, failing(errors.ErrUnsupported), false, errors.ErrUnsupported},
		"a builder whose budget is used up":          {broken, failing(spent), false, fleet.ErrFinal},
		"an outage of a provider that has none left": {broken, failing(outage(spent)), false, fleet.ErrFinal},
		"the same behind an open breaker":            {broken, failing(outage(&mend.CircuitOpenError{Cause: spent})), false, fleet.ErrFinal},
		"a budget used up, and an outage":            {broken, failing(outage(spent, errors.ErrUnsupported)), false, errors.ErrUnsupported},
		"no sandbox": {mend.SandboxFunc(func(context.Context, *mend.Recipe) (mend.Observation, error) {
			return mend.Observation{}, mend.ErrSandboxUnavailable
		}), builder(), false, mend.ErrSandboxUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := fleet.NewWorker(mend.New(tt.sandbox, nil), tt.builder, nil).Work(t.Context(), fleet.Job{Package: "broken"})
			if tt.result {
				require.NoError(t, err)
				assert.NotNil(t, r.Failure)
				return
			}
			assert.Nil(t, r)
			require.ErrorIs(t, err, tt.is)
			if tt.is != fleet.ErrFinal {
				assert.NotErrorIs(t, err, fleet.ErrFinal)
			}
		})
	}
}

func TestUnprovenRecipesHaveToBePermitted(t *testing.T) {
	o := mend.New(nil, &mend.Options{SkipSandbox: true})
	_, err := fleet.NewWorker(o, builder(), nil).Work(t.Context(), fleet.Job{Package: "frob"})
	require.ErrorIs(t, err, mend.ErrSandboxUnavailable)
	r, err := fleet.NewWorker(o, builder(), &fleet.WorkerOptions{Unproven: true}).Work(t.Context(), fleet.Job{Package: "frob"})
	require.NoError(t, err)
	assert.True(t, r.SandboxSkipped)
	assert.Equal(t, mend.StrengthUnproven, r.Strength)
}

func outage(reasons ...error) error { return &mend.OutageError{Reasons: reasons} }

func failing(err error) mend.Builder {
	return mend.BuildFunc("failing", func(context.Context, mend.BuildRequest) (*mend.Recipe, error) { return nil, err })
}

// repairing is a builder whose repairs fail.
type repairing struct{ err error }

func (b repairing) Name() string { return "repairing" }

func (b repairing) NewSession(_ context.Context, req mend.BuildRequest) (mend.Session, error) {
	return repairSession{b.err, req}, nil
}

type repairSession struct {
	err error
	req mend.BuildRequest
}

func (s repairSession) Generate(ctx context.Context) (*mend.Recipe, error) { return naive(ctx, s.req) }

func (s repairSession) Repair(context.Context, *mend.Failure) (*mend.Recipe, error) {
	return nil, s.err
}

func (s repairSession) Close() error { return nil }

package mend_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// crowdSize is how many orchestrations run at once.
const crowdSize = 1000

// crowdLimits are tight enough for each of them to be hit by some.
var crowdLimits = mend.Limits{Turns: 3, Calls: 5, Tokens: 1500, Cost: 0.0145, Time: 10 * time.Minute, Pricer: crowdPrice}

// crowdPrice is $10 for a million tokens; the price of one model is not known.
func crowdPrice(model string, u mend.Usage) (float64, bool) {
	return float64(u.Total()) / 1e5, model != "mystery"
}

// errForeign is an error of a provider that is no *mend.ProviderError.
var errForeign = errors.New("something else")

// crowd is the provider of many orchestrations at once. It holds each request
// against the limits, and has what is behind it choose at random: by the seed and
// the package, so that no schedule changes what happens to a package.
type crowd struct {
	t        *testing.T
	seed     uint64
	secret   string // that must not get here; "" if nothing would take it out
	provider mend.Provider

	mu     sync.Mutex
	asked  map[string]*crowdCalls         // by package; guarded by mu
	faults map[mendtest.FaultKind]int     // guarded by mu
	kinds  map[mend.ProviderErrorKind]int // guarded by mu
}

// crowdCalls is what one orchestration has asked so far.
type crowdCalls struct {
	random *rand.Rand
	began  time.Time
	calls  int
	busy   bool
	usage  mend.Usage
	cost   float64
}

func newCrowd(t *testing.T, seed uint64) *crowd {
	c := &crowd{t: t, seed: seed, asked: make(map[string]*crowdCalls), faults: make(map[mendtest.FaultKind]int), kinds: make(map[mend.ProviderErrorKind]int)}
	c.provider = mendtest.NewFaultProvider(crowdModel{c}, c.fault)
	return c
}

var promptedPackage = regexp.MustCompile(`recipe for the package "([^"]+)"`)

// of returns what the orchestration of a request has asked so far. c.mu is held.
func (c *crowd) of(req *mend.CompletionRequest) *crowdCalls {
	found := promptedPackage.FindStringSubmatch(req.Messages[0].Content)
	require.NotNil(c.t, found, "no prompt says what package it is about")
	a, ok := c.asked[found[1]]
	if !ok {
		h := fnv.New64a()
		h.Write([]byte(found[1]))
		a = &crowdCalls{random: rand.New(rand.NewPCG(c.seed, h.Sum64())), began: time.Now()}
		c.asked[found[1]] = a
	}
	return a
}

func (c *crowd) Name() string { return "crowd" }

func (c *crowd) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	a := c.begin(ctx, req)
	defer func() { // also when it panics
		c.mu.Lock()
		defer c.mu.Unlock()
		a.busy = false
	}()
	resp, err := c.provider.Complete(ctx, req)
	c.mu.Lock()
	defer c.mu.Unlock()
	if resp != nil {
		a.usage = a.usage.Plus(resp.Usage)
		usd, _ := crowdPrice(resp.Model, resp.Usage)
		a.cost += usd
	}
	var pe *mend.ProviderError
	if errors.As(err, &pe) {
		c.kinds[pe.Kind]++
	}
	return resp, err
}

// begin holds a request against the limits.
func (c *crowd) begin(ctx context.Context, req *mend.CompletionRequest) *crowdCalls {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.of(req)
	assert.False(c.t, a.busy, "one conversation asks one thing at a time")
	assert.Less(c.t, a.calls, crowdLimits.Calls)
	assert.Less(c.t, a.usage.Total(), crowdLimits.Tokens)
	assert.Positive(c.t, req.MaxTokens)
	assert.LessOrEqual(c.t, int64(req.MaxTokens), crowdLimits.Tokens-a.usage.Total())
	assert.Less(c.t, a.cost, crowdLimits.Cost)
	assert.Less(c.t, time.Since(a.began), crowdLimits.Time)
	deadline, ok := ctx.Deadline()
	assert.True(c.t, ok)
	assert.False(c.t, deadline.After(a.began.Add(crowdLimits.Time)))
	if c.secret != "" {
		assert.NotContains(c.t, fmt.Sprintf("%+v", req), c.secret)
	}
	a.calls++
	a.busy = true
	return a
}

// fault spoils two of ten calls, in every way.
func (c *crowd) fault(_ int, req *mend.CompletionRequest) mendtest.Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	random := c.of(req).random
	if random.IntN(10) >= 2 {
		return mendtest.Fault{}
	}
	kinds := mendtest.FaultKinds()
	f := mendtest.Fault{Kind: kinds[random.IntN(len(kinds))], RetryAfter: time.Duration(random.IntN(300)) * time.Second}
	c.faults[f.Kind]++
	return f
}

// crowdModel answers well, badly, and not at all.
type crowdModel struct{ crowd *crowd }

func (crowdModel) Name() string { return "crowd" }

func (m crowdModel) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	m.crowd.mu.Lock()
	turn, model := crowdTurn(m.crowd.of(req).random)
	m.crowd.mu.Unlock()
	if turn.Err == nil && model == "" {
		return nil, nil // what no provider may do
	}
	resp, err := mendtest.NewScriptedProvider("crowd", turn).Complete(ctx, req)
	if resp != nil {
		resp.Model = model
	}
	return resp, err
}

// crowdTurn chooses what the model does.
func crowdTurn(random *rand.Rand) (turn mendtest.Turn, model string) {
	model = "known"
	broken := fmt.Sprintf("broken%d --version", random.IntN(6))
	switch random.IntN(20) {
	case 0, 1:
		turn = submitted("frob --version", "{version}")
	case 2:
		turn = submitted("uninstallable --version", "{version}")
	case 3, 4:
		turn = submitted("true", "")
	case 5, 6:
		turn = mendtest.Call("submit_recipe", map[string]any{"recipe": "[verify]\ncommand = " + broken})
	case 7, 8:
		turn = mendtest.Call("look", map[string]any{"at": "it"})
		turn.Calls = append(turn.Calls, submitted(broken, "").Calls...)
	case 9, 10:
		turn = mendtest.Turn{Text: "Let me think.", StopReason: []mend.StopReason{mend.StopEndTurn, mend.StopPause, mend.StopMaxTokens, mend.StopOther}[random.IntN(4)]}
	case 11:
		turn = submitted(broken, "{version}")
		turn.Calls = append(turn.Calls, submitted("frob --version", "frob {version}").Calls...)
	case 12:
		model = []string{"mystery", ""}[random.IntN(2)]
		turn = mendtest.Call("look", "{}")
	case 13:
		turn = []mendtest.Turn{submitted("unrecorded --version", "{version}"), {Err: errForeign}}[random.IntN(2)]
	default:
		turn = submitted(broken, "{version}")
	}
	turn.Usage = mend.Usage{InputTokens: 50 + random.Int64N(600), OutputTokens: random.Int64N(100)}
	return turn, model
}

// crowdSecret returns a secret and a sanitizer that knows it; the secret is "" as
// long as the sanitizer is a stand-in.
func crowdSecret() (string, *mend.Sanitizer) {
	secret := strings.Repeat("swordfish7", 3)
	s := mend.NewSanitizer(&mend.SanitizerOptions{Secrets: []string{secret}})
	if s.Sanitize(secret) == secret {
		return "", s
	}
	return secret, s
}

// orchestrations runs a crowd, and returns what came of each package.
func orchestrations(ctx context.Context, t *testing.T, c *crowd) (results map[string]*mend.BuildResult, failed map[string]error, end error) {
	secret, sanitizer := crowdSecret()
	c.secret = secret
	captures := []*mendtest.Capture{frob(), {Tool: "uninstallable", Install: "no such file " + secret}}
	for i := range 6 {
		tool := fmt.Sprintf("broken%d", i)
		captures = append(captures, &mendtest.Capture{Tool: tool, Runs: []mendtest.Run{
			played([]string{tool, "--version"}, 127, "", "sh: 1: "+tool+": not found\nlogin as "+secret+" failed\n"),
		}})
	}
	look := mend.Tool{ToolDef: mend.ToolDef{Name: "look"}, Call: func(context.Context, json.RawMessage) (string, error) {
		return strings.Repeat("nothing but "+secret+"\n", 50), nil
	}}
	b := mend.NewModelBuilder("model", c, &mend.ModelOptions{
		Tools: func(mend.BuildRequest) []mend.Tool { return []mend.Tool{look} }, Sanitizer: sanitizer, FreshStart: true,
	})
	o := mend.New(mendtest.NewReplay(captures...), &mend.Options{Limits: crowdLimits, Sanitizer: sanitizer})
	results, failed = make(map[string]*mend.BuildResult), make(map[string]error)
	var taken atomic.Int64
	for res, err := range o.CreateAll(ctx, b, requests(crowdSize, &taken), crowdSize) {
		require.NotEqual(t, res == nil, err == nil, "one of both")
		require.NoError(t, end, "the end comes last")
		var re *mend.RequestError
		switch {
		case err == nil:
			require.NotContains(t, results, res.Request.Package)
			results[res.Request.Package] = res
		case errors.As(err, &re):
			require.NotContains(t, failed, re.Request.Package)
			failed[re.Request.Package] = re.Err
		default:
			end = err
		}
	}
	assert.EqualValues(t, crowdSize, taken.Load())
	return results, failed, end
}

// class names the type of an error that Create may return with a crowd, or "".
func class(err error) string {
	var (
		over     *mend.BudgetError
		refused  *mend.ProviderError
		none     *mend.NoSubmissionError
		panicked *mend.PanicError
		unknown  *mendtest.NotRecordedError
		failed   *mend.ValidationFailedError
	)
	switch { // why a repair failed is wrapped by the ValidationFailedError
	case errors.As(err, &over):
		return "budget: " + over.Limit
	case errors.As(err, &refused):
		return "provider: " + string(refused.Kind)
	case errors.As(err, &none):
		return "no submission"
	case errors.As(err, &panicked):
		return "panic"
	case errors.As(err, &unknown):
		return "sandbox"
	case errors.Is(err, errForeign):
		return "foreign"
	case errors.As(err, &failed):
		return "validation"
	}
	return ""
}

// TestModelCrowd has a thousand orchestrations at once get through a provider that
// fails in every way. The bubble fails if a goroutine stays behind.
func TestModelCrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, 7)
		results, failed, end := orchestrations(t.Context(), t, c)
		require.NoError(t, end)
		assert.Equal(t, crowdSize, len(results)+len(failed), "no result is lost")
		assert.Len(t, c.asked, crowdSize)
		repaired := 0
		for name, res := range results {
			assert.GreaterOrEqual(t, res.Strength, mend.StrengthComplaint)
			assert.False(t, res.SandboxSkipped)
			assert.Contains(t, res.Recipe.Verify.Command, "frob", "nothing else is there")
			assert.Equal(t, c.asked[name].usage, res.Usage, "all that was spent is in the result")
			if res.RepairAttempts > 0 {
				repaired++
			}
		}
		assert.Positive(t, repaired)
		classes := make(map[string]int)
		for name, err := range failed {
			kind := class(err)
			assert.NotEmpty(t, kind, "%s: %T: %v", name, err, err)
			assert.NotContains(t, results, name)
			classes[kind]++
		}
		for _, want := range []string{
			"budget: calls", "budget: tokens", "budget: cost", "budget: time", "no submission", "panic", "sandbox", "foreign", "validation",
			"provider: rate_limited", "provider: bad_response", "provider: auth",
		} {
			assert.Positive(t, classes[want], "%s of %v: a test of what never happens", want, classes)
		}
		assert.Len(t, c.faults, len(mendtest.FaultKinds()), "every fault happened: %v", c.faults)
	})
}

// TestModelCrowdIsCancelled ends a thousand orchestrations that all wait.
func TestModelCrowdIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCrowd(t, 7)
		c.provider = mendtest.NewFaultProvider(crowdModel{c}, func(int, *mend.CompletionRequest) mendtest.Fault {
			return mendtest.Fault{Kind: mendtest.FaultHang}
		})
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(enough) })
		results, failed, end := orchestrations(ctx, t, c)
		assert.Empty(t, results)
		assert.Len(t, failed, crowdSize)
		for name, err := range failed {
			require.ErrorIs(t, err, context.Canceled, name)
			assert.Equal(t, 1, c.asked[name].calls, "nothing is tried again")
		}
		assert.Equal(t, enough, end)
	})
}

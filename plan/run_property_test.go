package plan_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// somePlans are entries of which plans are made up.
var someEntries = []string{
	"npm test", "npm run verify", "npm run lint", "pnpm -r test", "cargo test --workspace", "go test ./...", "go vet ./...", "make check", "make clean",
	"test -f build/app", "npx eslint x", "pytest -q", "true", "echo ok", "true && make z && go build ./...", "cd packages/a && npm test", "cd gone && make a",
	"make a | tee log", "rm -rf /", "git push", "./check.sh", "bash x.sh", "composer run-script check", "A=1 make y && A=2 make y",
}

// someObservations are what commands show, whatever they are.
var someObservations = []mend.Observation{
	{}, {}, {}, printed("ok\n"), broken, exit(1, "y_test.go:1: other\n"), exit(2, ""), exit(137, ""), exit(127, ""), timedOut,
	{ExitCode: -1, Signal: "SIGKILL"}, {ExitCode: -1, Signal: "SIGSEGV"}, missingScript, missingTarget, noTests, lacksModule, emptyGo,
	exit(1, "Error: Cannot find module 'x'\n"), exit(1, "npm error code ENOTFOUND\n"), exit(5, "no tests ran in 0.01s\n"), exit(1, ""), printed("# tests 0\n"),
}

// chance is a run that is made up.
type chance struct {
	*rand.Rand
	tree  *fakeTree
	opts  *plan.Options
	plan  *plan.Plan
	bare  bool
	log   []shown
	asked map[plan.FixKind]int
	moves int // failures that differ from all others
}

// shown is what a run of a line showed.
type shown struct {
	line string
	obs  mend.Observation
}

func (c *chance) Installed() mend.Installed { return mend.Installed{} }
func (c *chance) Close() error              { return nil }
func (c *chance) Run(_ context.Context, cmd mend.Command) (mend.Observation, error) {
	return c.show("", cmd), nil
}

func (c *chance) show(dir string, cmd mend.Command) mend.Observation {
	obs := someObservations[c.IntN(len(someObservations))]
	if c.IntN(4) == 0 { // a failure that nobody has seen yet
		c.moves++
		obs = exit(1, fmt.Sprintf("f%s_test.go:1: wrong\n", letters(c.moves)))
	}
	obs.Argv = cmd.Argv
	c.log = append(c.log, shown{plan.Part{Dir: dir, Env: cmd.Env, Argv: cmd.Argv}.String(), obs})
	if c.IntN(20) == 0 {
		c.tree.changes = append(c.tree.changes, plan.Change{Path: "left/over.txt", Untracked: true})
	}
	return obs
}

// letters writes a number without digits, which signatures fold.
func letters(n int) string {
	s := ""
	for ; n > 0; n /= 26 {
		s += string(rune('a' + n%26))
	}
	return s
}

// chanceTree is the workspace of a chance.
type chanceTree struct {
	*fakeTree
	c *chance
}

func (t chanceTree) Run(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
	return t.c.Run(ctx, cmd)
}
func (t chanceTree) In(dir string) mend.Environment { return chanceDir{t.c, dir} }

type chanceDir struct {
	c   *chance
	dir string
}

func (d chanceDir) Installed() mend.Installed { return mend.Installed{} }
func (d chanceDir) Close() error              { return nil }
func (d chanceDir) Run(_ context.Context, cmd mend.Command) (mend.Observation, error) {
	return d.c.show(d.dir, cmd), nil
}

func newChance(t *testing.T, seed uint64) *chance {
	c := &chance{Rand: rand.New(rand.NewPCG(seed, 7)), asked: make(map[plan.FixKind]int)}
	c.tree = newTree(nil).with("package.json", allScripts, "package-lock.json", "", "go.mod", "", "Cargo.lock", "", "Makefile", "check test lint:\n",
		"packages/a/package.json", allScripts, "requirements.txt", "", "composer.json", `{"scripts": {"test": "x"}}`)
	for _, name := range []string{"packages/a/x.ts", "README.md", "x.go", "dist/x.js"} {
		if c.IntN(3) == 0 {
			c.tree.changes = append(c.tree.changes, plan.Change{Path: name, Untracked: c.IntN(2) == 0})
		}
	}
	var entries []string
	for range c.IntN(5) {
		entry := someEntries[c.IntN(len(someEntries))]
		if c.IntN(2) == 0 {
			entry = "+" + entry
		}
		entries = append(entries, entry)
	}
	c.plan = planOf(entries...)
	if c.bare = c.IntN(4) == 0; c.bare && c.IntN(2) == 0 {
		c.plan.Changed = []string{"x.go"}[:c.IntN(2)]
	}
	if c.IntN(10) == 0 {
		c.plan.Dropped = []plan.Dropped{{Command: plan.Command{Line: "make gone", Source: plan.SourceExplicit}, Reason: plan.CodeMissingMakeTarget}}
	}
	flip := func() bool { return c.IntN(4) == 0 }
	number := func() int { return c.IntN(8) - 1 }
	c.opts = &plan.Options{
		DisableSkipMissingExplicit: flip(), DisableSkipInvalidAuto: flip(), DisableNonBlockingAuto: flip(), DisableInlineRecovery: flip(), DisableInlineFix: flip(),
		DisableExplicitRecovery: flip(), DisableSetupRecovery: flip(), DisableNoChangeConfirm: flip(), AllowNoChanges: flip(),
		InlineCandidates: number() * 3, InlineFixAttempts: number(), RecoveryAttempts: number(), NoChangeAttempts: number(), RepeatedSignatureThreshold: number(),
	}
	if c.IntN(2) == 0 {
		c.opts.Policy = newPolicy(t, []string{"**"}, []string{"left/**"}[:c.IntN(2)], []string{"git push"})
	}
	if c.IntN(5) > 0 {
		c.opts.Fix = c.fix
	}
	return c
}

func (c *chance) fix(_ context.Context, req plan.FixRequest) error {
	c.asked[req.Kind]++
	switch c.IntN(4) {
	case 0:
		return errors.New("cannot")
	case 1:
		c.tree.changes = append(c.tree.changes, plan.Change{Path: fmt.Sprintf("fixed/%d.go", len(c.tree.changes))})
	}
	return nil
}

func (c *chance) run(t *testing.T) *plan.Result {
	if c.bare {
		return mustRun(t, c, c.plan, c.opts)
	}
	return mustRun(t, chanceTree{c.tree, c}, c.plan, c.opts)
}

// countOf is what a count of Options means.
func countOf(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return max(n, 0)
}

// TestRunIsBounded holds that whatever commands and fixes do, no more of either is
// asked for than the options say.
func TestRunIsBounded(t *testing.T) {
	for seed := range uint64(4000) {
		c := newChance(t, seed)
		r := c.run(t)
		o, entries, parts := c.opts, len(c.plan.Commands), 3
		inline, recovery, noChange := countOf(o.InlineFixAttempts, 3), countOf(o.RecoveryAttempts, 5), countOf(o.NoChangeAttempts, 5)
		candidates := min(countOf(o.InlineCandidates, 3), 8)
		assert.LessOrEqual(t, c.asked[plan.FixInline], entries*inline, "seed %d", seed)
		assert.LessOrEqual(t, c.asked[plan.FixPass], recovery, "seed %d", seed)
		assert.LessOrEqual(t, c.asked[plan.FixNoChange], noChange, "seed %d", seed)
		assert.Equal(t, r.Fixes, c.asked[plan.FixInline]+c.asked[plan.FixPass]+c.asked[plan.FixNoChange], "seed %d", seed)
		assert.LessOrEqual(t, r.Passes, 2+recovery, "seed %d", seed)
		perEntry := 2*parts + 1 + candidates // itself, again behind an install, narrowed, and what is run in its place
		assert.LessOrEqual(t, len(c.log), r.Passes*entries*perEntry+entries*inline*parts, "seed %d", seed)
		if t.Failed() {
			return
		}
	}
}

// TestRunNothingTurnsAFailureGreen holds what a status says, against the log of
// what the commands showed.
func TestRunNothingTurnsAFailureGreen(t *testing.T) {
	seen := make(map[plan.Status]int)
	for seed := range uint64(6000) {
		c := newChance(t, seed)
		r := c.run(t)
		seen[r.Status]++
		at := fmt.Sprintf("seed %d", seed)
		assert.Equal(t, r.Status == plan.StatusPassed, r.Err() == nil, at)
		assert.Equal(t, r.Status == plan.StatusFailed, r.Meta != nil, at)
		if r.Status == plan.StatusFailed {
			continue
		}
		require.Len(t, r.Outcomes, len(c.plan.Commands), at)
		effective := false
		for i, o := range r.Outcomes {
			assert.Equal(t, c.plan.Commands[i], o.Command, at)
			switch o.State {
			case plan.StatePassed:
				effective = c.passedLast(t, o.Command.Line, at) || effective
				assert.Empty(t, o.Code, at)
			case plan.StateNarrowed, plan.StateReplaced:
				effective = c.passedLast(t, o.RanInstead, at) || effective
				assert.NotEmpty(t, o.Code, at)
			default:
				assert.NotEmpty(t, o.Code, "%s: a gap has a reason", at)
			}
			if o.State != plan.StatePassed {
				assert.NotEqual(t, plan.StatusPassed, r.Status, at)
				require.NotNil(t, o.Meta, at)
				assert.ErrorContains(t, r.Err(), string(o.Code), at)
			}
		}
		assert.Equal(t, effective, r.Status != plan.StatusUnverified, at)
		if len(c.plan.Dropped) > 0 {
			assert.NotEqual(t, plan.StatusPassed, r.Status, at)
		}
		if t.Failed() {
			return
		}
	}
	for _, status := range []plan.Status{plan.StatusPassed, plan.StatusPassedWithGaps, plan.StatusUnverified, plan.StatusFailed} {
		assert.NotZero(t, seen[status], "no seed leads to %s, so nothing was held for it", status)
	}
}

// passedLast asserts that the parts of a line exited with 0 when they were run
// last, and reports whether one of them could have failed.
func (c *chance) passedLast(t *testing.T, line, at string) (effective bool) {
	t.Helper()
	parts, err := plan.Split(line)
	require.NoError(t, err, at)
	for _, p := range parts {
		ran := slices.Clone(c.log)
		slices.Reverse(ran)
		i := slices.IndexFunc(ran, func(s shown) bool { return s.line == p.String() })
		require.GreaterOrEqual(t, i, 0, "%s: %s did not run", at, p)
		// An equal line may stand in the plan twice, of which the other may have failed.
		if n := slices.Index(c.plan.Lines(), line); n == len(c.plan.Lines())-1 || !slices.Contains(c.plan.Lines()[n+1:], line) {
			assert.Zero(t, ran[i].obs.ExitCode, "%s: %s", at, p)
			assert.Empty(t, ran[i].obs.Signal, at)
			assert.False(t, ran[i].obs.TimedOut, at)
		}
		if !slices.Contains([]string{"true", "echo"}, p.Argv[0]) {
			effective = true
		}
	}
	return effective
}

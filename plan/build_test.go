package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

// proposing returns a hook that proposes lines, and keeps what it was asked.
func proposing(asked *[]plan.ProposeRequest, lines ...string) func(context.Context, plan.ProposeRequest) ([]string, error) {
	return func(_ context.Context, req plan.ProposeRequest) ([]string, error) {
		*asked = append(*asked, req)
		return lines, nil
	}
}

// short returns the commands of a plan as letters: e for the author's, c for the
// contract's, m for the model's, each with its line.
func short(p *plan.Plan) []string {
	var all []string
	for _, c := range p.Commands {
		all = append(all, map[string]string{"author": "e", "contract": "c", "model": "m"}[c.Origin]+":"+c.Line)
	}
	return all
}

func demanding(lines ...string) *plan.Contract { return &plan.Contract{Always: lines, Hash: "f00d"} }

// TestBuildModes holds the table of modes, every cell of it.
func TestBuildModes(t *testing.T) {
	const c, m = "c:make c", "m:make m"
	for _, tt := range []struct {
		mode                             plan.Mode
		run, runNone, author, authorNone []string // what is added; authorNone is without a contract
		augmented                        []string // to an author's list that is not empty
	}{
		{plan.ModeOff, nil, nil, nil, nil, nil},
		{plan.ModeContract, []string{c}, []string{c}, []string{c}, nil, []string{c}},
		{plan.ModeFallback, []string{c}, []string{c, m}, []string{c}, []string{m}, []string{c}},
		{plan.ModeLLM, []string{m}, []string{m}, []string{m}, []string{m}, nil},
		{plan.ModeHybrid, []string{c, m}, []string{c, m}, []string{c}, []string{m}, []string{c}},
		{"", []string{c, m}, []string{c, m}, []string{c}, []string{m}, []string{c}},
	} {
		build := func(stage plan.Stage, explicit string, contract *plan.Contract, augment bool) []string {
			var asked []plan.ProposeRequest
			opts := &plan.Options{Propose: proposing(&asked, "make m")}
			opts.Run.Mode, opts.Author.Mode = tt.mode, tt.mode
			opts.Author.AugmentNonempty = augment
			var list []string
			if explicit != "" {
				list = []string{explicit}
			}
			p, err := plan.Build(t.Context(), plan.Request{Stage: stage, Explicit: list, Contract: contract}, opts)
			require.NoError(t, err)
			got := short(p)
			assert.Equal(t, len(asked) > 0, len(got) > 0 && strings.HasPrefix(got[len(got)-1], "m:"), "a model is asked only where its answer counts")
			if explicit != "" {
				require.NotEmpty(t, got)
				assert.Equal(t, "e:"+explicit, got[0], "the author's entries come first")
				got = got[1:]
			}
			return got
		}
		demands := demanding("make c")
		assert.ElementsMatch(t, tt.run, build(plan.StageRun, "make e", demands, false), "%s run", tt.mode)
		assert.ElementsMatch(t, tt.run, build("", "make e", demands, true), "%s run by default", tt.mode)
		assert.ElementsMatch(t, tt.runNone, build(plan.StageRun, "", demands, false), "%s run, none", tt.mode)
		assert.ElementsMatch(t, tt.runNone, build(plan.StageRun, "make | e", demands, false), "%s run, none can be split", tt.mode)
		assert.ElementsMatch(t, tt.author, build(plan.StageAuthor, "", demands, false), "%s author", tt.mode)
		assert.ElementsMatch(t, tt.author, build(plan.StageAuthor, "make | e", demands, false), "%s author, none can be split", tt.mode)
		assert.ElementsMatch(t, tt.authorNone, build(plan.StageAuthor, "", demanding(), false), "%s author, still empty", tt.mode)
		assert.Empty(t, build(plan.StageAuthor, "make e", demands, false), "%s author, not empty", tt.mode)
		assert.ElementsMatch(t, tt.augmented, build(plan.StageAuthor, "make e", demands, true), "%s author, augmented", tt.mode)
	}
}

func TestBuildKeepsExplicitEntries(t *testing.T) {
	explicit := []string{" make b ", "", "make a", "make b", "  ", "rm -rf /", "make a | tee x", "npm run nope"}
	policy := newPolicy(t, nil, nil, []string{"rm"})
	opts := &plan.Options{Policy: policy, Run: plan.StageOptions{Mode: plan.ModeOff, MaxCommands: 1}}
	p, err := plan.Build(t.Context(), plan.Request{Explicit: explicit, Files: tree("package.json", "{}")}, opts)
	require.NoError(t, err)
	assert.Equal(t, []string{"make b", "make a", "make b", "rm -rf /", "make a | tee x", "npm run nope"}, p.Lines())
	assert.Equal(t, p.Commands[0].ID+".2", p.Commands[2].ID, "the second of equal ones")
	for _, c := range p.Commands {
		assert.Equal(t, plan.SourceExplicit, c.Source)
		assert.Equal(t, "author", c.Origin)
	}
	require.Len(t, p.Warnings, 1, "%v", p.Warnings)
	assert.Contains(t, p.Warnings[0], "make a | tee x")
	assert.Equal(t, 1, p.Version)
}

func TestBuildLeavesOutAutoEntries(t *testing.T) {
	demands := demanding("make there", "", "make there", " npm run e ", "make dropped", "echo $HOME", "git push", "make gone", "npm run gone", "cd sub && make gone", "echo a | cat")
	req := plan.Request{
		Explicit: []string{"npm run e"}, Contract: demands, Files: tree("Makefile", "there:\ndropped:\n", "package.json", `{"scripts": {"e": ""}}`, "sub/Makefile", "x:\n"),
		Dropped: []plan.Dropped{{Command: plan.Command{Line: "make dropped", Source: plan.SourceAuto}, Reason: plan.CodeNoTestFiles}},
	}
	opts := &plan.Options{Policy: newPolicy(t, nil, nil, []string{"git push"}), Run: plan.StageOptions{Mode: plan.ModeContract, MaxCommands: 20}}
	p, err := plan.Build(t.Context(), req, opts)
	require.NoError(t, err)
	assert.Equal(t, []string{"e:npm run e", "c:make there"}, short(p))
	assert.Equal(t, req.Dropped, p.Dropped, "what was dropped stays on the record")
	assert.Equal(t, "f00d", p.ContractHash)
	warned := strings.Join(p.Warnings, "\n")
	for _, line := range []string{"echo $HOME", "git push", "make gone", "npm run gone", "cd sub && make gone", "echo a | cat"} {
		assert.Contains(t, warned, line)
	}
	assert.NotContains(t, warned, "make dropped", "that is no news")
	assert.Len(t, p.Warnings, 6)
}

func TestBuildCap(t *testing.T) {
	var asked []plan.ProposeRequest
	demands := demanding("make 1", "make 2", "make 3", "make 4", "make 5")
	build := func(limit int, contract *plan.Contract) *plan.Plan {
		asked = nil
		opts := &plan.Options{Propose: proposing(&asked, "make m1", "make m2", "make 1"), Run: plan.StageOptions{MaxCommands: limit}}
		p, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"make a", "make b"}, Contract: contract}, opts)
		require.NoError(t, err)
		return p
	}
	p := build(0, demands)
	assert.Equal(t, []string{"e:make a", "e:make b", "c:make 1", "c:make 2", "c:make 3", "c:make 4"}, short(p), "four by default, the author's aside")
	assert.Empty(t, asked, "there is no room for what a model could say")
	require.Len(t, p.Warnings, 1)
	assert.Contains(t, p.Warnings[0], "make 5")

	p = build(6, demands)
	assert.Equal(t, "m:make m1", short(p)[7])
	require.Len(t, asked, 1)
	assert.Equal(t, 1, asked[0].Max)
	assert.Equal(t, []string{"make 1", "make 2", "make 3", "make 4", "make 5"}, asked[0].Have)
	require.Len(t, p.Warnings, 1)
	assert.Contains(t, p.Warnings[0], "make m2")

	p = build(-1, demands)
	assert.Equal(t, []string{"e:make a", "e:make b"}, short(p), "none")
	assert.Empty(t, asked)
	assert.Len(t, p.Warnings, 5)
}

func TestBuildAsksTheModel(t *testing.T) {
	var asked []plan.ProposeRequest
	opts := &plan.Options{Propose: proposing(&asked, "make ok", "frob | cat", "sudo rm -rf /")}
	files := tree("x", "")
	req := plan.Request{Role: " Tester ", Explicit: []string{"make e"}, Changed: []string{"a.go"}, Files: files}
	p, err := plan.Build(t.Context(), req, opts)
	require.NoError(t, err)
	require.Len(t, asked, 1)
	got := asked[0]
	assert.Equal(t, plan.ProposeRequest{
		Stage: plan.StageRun, Role: "tester", Explicit: []string{"make e"}, Have: []string{}, Changed: []string{"a.go"}, Files: files,
		Max: 4, Retries: 2, Timeout: 120 * time.Second, ReconcileTimeout: 180 * time.Second,
	}, got)
	assert.Contains(t, short(p), "m:make ok")
	assert.NotContains(t, p.Lines(), "frob | cat")

	opts.Run = plan.StageOptions{ProposeTimeout: time.Second, ParseRetries: -1, ReconcileTimeout: -1}
	_, err = plan.Build(t.Context(), req, opts)
	require.NoError(t, err)
	assert.Equal(t, time.Second, asked[1].Timeout)
	assert.Zero(t, asked[1].Retries)
	assert.Zero(t, asked[1].ReconcileTimeout)

	opts.Author = plan.StageOptions{ParseRetries: 7}
	_, err = plan.Build(t.Context(), plan.Request{Stage: plan.StageAuthor}, opts)
	require.NoError(t, err)
	assert.Equal(t, 7, asked[2].Retries)
	assert.Equal(t, plan.StageAuthor, asked[2].Stage)
	assert.Nil(t, asked[2].Changed)
}

func TestBuildWithoutAModel(t *testing.T) {
	req := plan.Request{Explicit: []string{"make e"}, Contract: demanding("make c")}
	p, err := plan.Build(t.Context(), req, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"e:make e", "c:make c"}, short(p))
	assert.Len(t, p.Warnings, 1, "its absence is a warning where the mode wants it")

	p, err = plan.Build(t.Context(), req, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeContract}})
	require.NoError(t, err)
	assert.Empty(t, p.Warnings, "and none where it does not")

	calls := 0
	failing := func(context.Context, plan.ProposeRequest) ([]string, error) {
		calls++
		return []string{"make m"}, errors.New("the model is\nout to lunch")
	}
	p, err = plan.Build(t.Context(), req, &plan.Options{Propose: failing})
	require.NoError(t, err)
	assert.Equal(t, []string{"e:make e", "c:make c"}, short(p), "what the contract demands stands")
	require.Len(t, p.Warnings, 1)
	assert.Contains(t, p.Warnings[0], "out to lunch")
	assert.NotContains(t, p.Warnings[0], "\n")
	assert.Equal(t, 1, calls)
}

func TestBuildDocser(t *testing.T) {
	safe := []string{
		"npm run docs", "npm check", "pnpm docs:check", "yarn check:docs", "bun run docs:lint", "npm run lint:docs -- --fix", "cd site && npm run docs",
		"make docs", "make docs-check", "just check-docs", "task docs-lint", "mage lint-docs", "rake docs", "CI=1 npm run docs", "yarn check", "bun docs", "yarn run docs --quiet",
	}
	unsafe := []string{
		"npm test", "npm run build", "npm run docs:build", "npm run docs-check", "npm run Docs", "npm ci", "just docs:check", "make docs-build", "mage check", "docs", "markdownlint docs", "npm run -s docs", "make check", "make docs all", "make -C x docs", "just test", "go test ./...", "npm run docs && npm test",
		"npx docs", "npm", "make", "npm run", "./npm run docs", "npm run docs | cat", "ninja docs",
	}
	for _, role := range []string{"docser", " Docser\n"} {
		for _, line := range append(safe, unsafe...) {
			want := []string{}
			for _, s := range safe {
				if s == line {
					want = []string{line}
				}
			}
			p, err := plan.Build(t.Context(), plan.Request{Role: role, Explicit: []string{line}}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeOff}})
			require.NoError(t, err)
			assert.Equal(t, want, p.Lines(), line)
			assert.Equal(t, len(want) == 0, len(p.Warnings) > 0, line)
			p, err = plan.Build(t.Context(), plan.Request{Role: role, Contract: demanding(line)}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeContract}})
			require.NoError(t, err)
			assert.Equal(t, want, p.Lines(), "from the contract: %s", line)
		}
	}
}

func TestBuildDropped(t *testing.T) {
	dropped := []plan.Dropped{
		{Command: plan.Command{ID: "1", Line: "make gone", Source: plan.SourceExplicit, Origin: "author"}, Reason: plan.CodeMissingMakeTarget},
		{Command: plan.Command{ID: "2", Line: "make tried", Source: plan.SourceAuto, Origin: "model"}, Reason: plan.CodeMissingMakeTarget},
	}
	opts := &plan.Options{Run: plan.StageOptions{Mode: plan.ModeFallback}}
	p, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"make gone", "make tried"}, Contract: demanding("make gone", "make tried", "make c"), Dropped: dropped}, opts)
	require.NoError(t, err)
	assert.Equal(t, []string{"e:make tried", "c:make c"}, short(p), "an author may ask for what somebody else tried")
	assert.Equal(t, dropped, p.Dropped)

	var asked []plan.ProposeRequest
	opts.Propose = proposing(&asked, "make m")
	p, err = plan.Build(t.Context(), plan.Request{Explicit: []string{"make gone"}, Dropped: dropped}, opts)
	require.NoError(t, err)
	assert.Equal(t, []string{"m:make m"}, short(p), "auto verification takes over")
}

func TestBuildEmptyAndErrors(t *testing.T) {
	p, err := plan.Build(t.Context(), plan.Request{}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeOff}})
	require.NoError(t, err)
	assert.Empty(t, p.Commands)
	assert.NotEmpty(t, p.Warnings, "an empty plan has a warning")
	assert.Nil(t, p.Changed)
	p, err = plan.Build(t.Context(), plan.Request{Changed: []string{}}, nil)
	require.NoError(t, err)
	assert.NotNil(t, p.Changed, "none is not unknown")
	data, err := json.Marshal(p)
	require.NoError(t, err)
	assert.Contains(t, string(data), `"changed":[]`)

	var fault *plan.OptionError
	_, err = plan.Build(t.Context(), plan.Request{}, &plan.Options{Run: plan.StageOptions{Mode: "sometimes"}})
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, "sometimes", fault.Value)
	_, err = plan.Build(t.Context(), plan.Request{Stage: "later"}, nil)
	require.ErrorAs(t, err, &fault)
	_, err = plan.Build(t.Context(), plan.Request{Stage: plan.StageAuthor}, &plan.Options{Author: plan.StageOptions{ContractPath: "/etc/passwd"}})
	require.ErrorAs(t, err, &fault)

	ctx, cancel := context.WithCancel(t.Context())
	opts := &plan.Options{Propose: func(context.Context, plan.ProposeRequest) ([]string, error) { cancel(); return []string{"make m"}, nil }}
	_, err = plan.Build(ctx, plan.Request{}, opts)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = plan.Build(ctx, plan.Request{}, nil)
	assert.ErrorIs(t, err, context.Canceled)
}

package plan_test

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestHeldoutParseMode(t *testing.T) {
	for in, want := range map[string]plan.Mode{
		"": plan.ModeHybrid, "  ": plan.ModeHybrid, "off": plan.ModeOff, "OFF": plan.ModeOff, " Off\n": plan.ModeOff, "disabled": plan.ModeOff,
		"Disabled": plan.ModeOff, "fallback": plan.ModeFallback, "safety": plan.ModeFallback, " SAFETY ": plan.ModeFallback,
		"contract": plan.ModeContract, "llm": plan.ModeLLM, "LLM": plan.ModeLLM, "hybrid": plan.ModeHybrid, "\tHybrid": plan.ModeHybrid,
	} {
		t.Run("mode "+in, func(t *testing.T) {
			got, err := plan.ParseMode(in)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
	for _, in := range []string{"on", "none", "false", "true", "0", "model", "hybrid,llm", "fall back", "disable", "auto"} {
		t.Run("refused "+in, func(t *testing.T) {
			_, err := plan.ParseMode(in)
			var e *plan.OptionError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, in, e.Value)
		})
	}
}

// proposer is a model that always proposes the same, and counts how often it is asked.
type proposer struct {
	lines []string
	err   error
	reqs  []plan.ProposeRequest
}

func (p *proposer) propose(_ context.Context, r plan.ProposeRequest) ([]string, error) {
	p.reqs = append(p.reqs, r)
	return p.lines, p.err
}

func TestHeldoutBuildModes(t *testing.T) {
	contract := &plan.Contract{Always: []string{"c"}}
	for _, w := range []struct {
		mode                     plan.Mode
		run, unsplit, none, auth []string // what is added; auth: StageAuthor, empty list, no contract
		authC                    []string // StageAuthor, empty list, with a contract
	}{
		{plan.ModeOff, nil, nil, nil, nil, nil},
		{plan.ModeContract, []string{"c"}, []string{"c"}, []string{"c"}, nil, []string{"c"}},
		{plan.ModeFallback, []string{"c"}, []string{"c", "m"}, []string{"c", "m"}, []string{"m"}, []string{"c"}},
		{plan.ModeLLM, []string{"m"}, []string{"m"}, []string{"m"}, []string{"m"}, []string{"m"}},
		{plan.ModeHybrid, []string{"c", "m"}, []string{"c", "m"}, []string{"c", "m"}, []string{"m"}, []string{"c"}},
		{"", []string{"c", "m"}, []string{"c", "m"}, []string{"c", "m"}, []string{"m"}, []string{"c"}},
	} {
		cases := map[string]struct {
			stage    plan.Stage
			explicit []string
			contract *plan.Contract
			want     []string
		}{
			"run":             {plan.StageRun, []string{"e", "a | b"}, contract, append([]string{"e", "a | b"}, w.run...)},
			"run by default":  {"", []string{"e"}, contract, append([]string{"e"}, w.run...)},
			"run, none split": {plan.StageRun, []string{"a | b"}, contract, append([]string{"a | b"}, w.unsplit...)},
			"run, empty":      {plan.StageRun, nil, contract, w.none},
			"run, blank":      {plan.StageRun, []string{" "}, contract, w.none},
			"author, empty":   {plan.StageAuthor, nil, nil, w.auth},
			"author, C":       {plan.StageAuthor, []string{""}, contract, w.authC},
			"author, unsplit": {plan.StageAuthor, []string{"a | b"}, contract, append([]string{"a | b"}, w.authC...)},
			"author, full":    {plan.StageAuthor, []string{"e"}, contract, []string{"e"}},
		}
		for name, c := range cases {
			t.Run(string(w.mode)+" "+name, func(t *testing.T) {
				m := &proposer{lines: []string{"m"}}
				so := plan.StageOptions{Mode: w.mode}
				p, err := plan.Build(t.Context(), plan.Request{Stage: c.stage, Explicit: c.explicit, Contract: c.contract}, &plan.Options{Author: so, Run: so, Propose: m.propose})
				require.NoError(t, err)
				assert.Equal(t, len(c.want), len(p.Commands))
				if len(c.want) > 0 {
					assert.Equal(t, c.want, p.Lines())
				} else {
					assert.NotEmpty(t, p.Warnings)
				}
				asked := 0
				for _, cmd := range p.Commands {
					switch cmd.Line {
					case "c":
						assert.Equal(t, plan.SourceAuto, cmd.Source)
						assert.Equal(t, "contract", cmd.Origin)
					case "m":
						asked++
						assert.Equal(t, plan.SourceAuto, cmd.Source)
						assert.Equal(t, "model", cmd.Origin)
					default:
						assert.Equal(t, plan.SourceExplicit, cmd.Source)
						assert.Equal(t, "author", cmd.Origin)
					}
				}
				assert.Len(t, m.reqs, asked)
			})
		}
	}
}

func TestHeldoutBuildAugment(t *testing.T) {
	for mode, want := range map[plan.Mode][]string{plan.ModeContract: {"e", "c"}, plan.ModeFallback: {"e", "c"}, plan.ModeHybrid: {"e", "c"}} {
		t.Run(string(mode), func(t *testing.T) {
			m := &proposer{lines: []string{"m"}}
			p, err := plan.Build(t.Context(), plan.Request{Stage: plan.StageAuthor, Explicit: []string{"e"}, Contract: &plan.Contract{Always: []string{"c"}}},
				&plan.Options{Author: plan.StageOptions{Mode: mode, AugmentNonempty: true}, Run: plan.StageOptions{Mode: plan.ModeOff}, Propose: m.propose})
			require.NoError(t, err)
			assert.Equal(t, want, p.Lines())
			assert.Empty(t, m.reqs)
		})
	}
}

func TestHeldoutBuildEntries(t *testing.T) {
	deny, err := plan.NewPathPolicy(nil, nil, []string{"deploy"})
	require.NoError(t, err)
	tree := fstest.MapFS{
		"Makefile":         {Data: []byte("test:\n\ttrue\n")},
		"web/package.json": {Data: []byte(`{"scripts": {"lint": "x"}}`)},
	}
	for name, c := range map[string]struct {
		explicit, contract, model []string
		max                       int
		dropped                   []string // auto lines
		want                      []string
		warnings                  bool
		asked                     int
	}{
		"explicit first, trimmed":        {[]string{" b ", "", "a\n", "b"}, []string{"c"}, nil, 0, nil, []string{"b", "a", "b", "c"}, false, 1},
		"explicit is not cut":            {[]string{"a", "b", "c", "d", "e", "f"}, []string{"g"}, nil, 1, nil, []string{"a", "b", "c", "d", "e", "f", "g"}, false, 0},
		"explicit refused stays":         {[]string{"a > b", "c"}, nil, nil, 0, nil, []string{"a > b", "c"}, true, 1},
		"explicit denied stays":          {[]string{"deploy x"}, nil, nil, 0, nil, []string{"deploy x"}, false, 1},
		"explicit without target stays":  {[]string{"make nope"}, nil, nil, 0, nil, []string{"make nope"}, false, 1},
		"equal to an explicit":           {[]string{"a"}, []string{"a", "b"}, []string{"b", "c"}, 0, nil, []string{"a", "b", "c"}, false, 1},
		"blank auto":                     {[]string{"a"}, []string{" ", "b"}, []string{"", "\t"}, 0, nil, []string{"a", "b"}, false, 1},
		"dropped earlier":                {[]string{"a"}, []string{"b", "c"}, []string{"d", "e"}, 0, []string{"b", "d"}, []string{"a", "c", "e"}, false, 1},
		"contract refused":               {[]string{"a"}, []string{"b | c", "d"}, nil, 0, nil, []string{"a", "d"}, true, 1},
		"model refused":                  {[]string{"a"}, nil, []string{"b && exit", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract denied":                {[]string{"a"}, []string{"deploy now", "d"}, nil, 0, nil, []string{"a", "d"}, true, 1},
		"model denied in a chain":        {[]string{"a"}, nil, []string{"b && deploy now", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract target missing":        {[]string{"a"}, []string{"make nope", "make test"}, nil, 0, nil, []string{"a", "make test"}, true, 1},
		"model script missing":           {[]string{"a"}, nil, []string{"cd web && npm run test", "cd web && npm run lint"}, 0, nil, []string{"a", "cd web && npm run lint"}, true, 1},
		"model lint error":               {[]string{"a"}, nil, []string{"Here is the command", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract lint error stays":      {[]string{"a"}, []string{"Here is the command"}, nil, 0, nil, []string{"a", "Here is the command"}, false, 1},
		"model fatal":                    {[]string{"a"}, nil, []string{"rm -rf /", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"model fatal in a chain":         {[]string{"a"}, nil, []string{"x && rm -rf /", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"cap is four":                    {[]string{"a"}, []string{"1", "2", "3", "4", "5"}, []string{"m"}, 0, nil, []string{"a", "1", "2", "3", "4"}, true, 0},
		"cap just full":                  {[]string{"a"}, []string{"1", "2", "3", "4"}, []string{"m"}, 0, nil, []string{"a", "1", "2", "3", "4"}, false, 0},
		"cap shared with model":          {[]string{"a"}, []string{"1", "2"}, []string{"m", "n", "o"}, 3, nil, []string{"a", "1", "2", "m"}, true, 1},
		"cap after leaving out":          {[]string{"a"}, []string{"a", "", "x;y", "make nope", "deploy", "z", "1", "2"}, nil, 2, []string{"z"}, []string{"a", "1", "2"}, true, 0},
		"cap of one":                     {[]string{"a"}, []string{"1", "2"}, nil, 1, nil, []string{"a", "1"}, true, 0},
		"nothing to add":                 {[]string{"a"}, []string{"1"}, []string{"m"}, -1, nil, []string{"a"}, true, 0},
		"equal entries of model":         {[]string{"a"}, nil, []string{"m", "m", "n"}, 0, nil, []string{"a", "m", "n"}, false, 1},
		"other spelling is another":      {[]string{"make test"}, []string{"make  test"}, nil, 0, nil, []string{"make test", "make  test"}, false, 1},
		"equal to a refused explicit":    {[]string{"a | b", "c"}, []string{"a | b", "d"}, nil, 0, nil, []string{"a | b", "c", "d"}, true, 1},
		"model says nothing":             {[]string{"a"}, []string{"b"}, nil, 0, nil, []string{"a", "b"}, false, 1},
		"all is left out":                {nil, []string{"deploy"}, []string{"make nope"}, 0, nil, nil, true, 1},
		"explicit equal to a dropped an": {[]string{"a"}, nil, []string{"b"}, 0, []string{"a"}, []string{"a", "b"}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "explicit equal to a dropped an" {
				t.Skip("whether an explicit entry is left out because an auto one was dropped is not decided")
			}
			m := &proposer{lines: c.model}
			req := plan.Request{Explicit: c.explicit, Contract: &plan.Contract{Always: c.contract, Hash: "h"}, Files: tree}
			for _, line := range c.dropped {
				req.Dropped = append(req.Dropped, plan.Dropped{Command: plan.Command{ID: plan.CommandID(plan.SourceAuto, line), Line: line, Source: plan.SourceAuto, Origin: "contract"}, Reason: plan.CodeNoTestFiles})
			}
			p, err := plan.Build(t.Context(), req, &plan.Options{Run: plan.StageOptions{MaxCommands: c.max}, Propose: m.propose, Policy: deny})
			require.NoError(t, err)
			assert.ElementsMatch(t, c.want, p.Lines())
			if len(c.want) > 0 {
				assert.Equal(t, c.want, p.Lines())
			}
			assert.Equal(t, c.warnings, len(p.Warnings) > 0, "%q", p.Warnings)
			assert.Len(t, m.reqs, c.asked)
			assert.ElementsMatch(t, req.Dropped, p.Dropped)
			assert.Equal(t, "h", p.ContractHash)
		})
	}
}

func TestHeldoutBuildModel(t *testing.T) {
	contract := &plan.Contract{Always: []string{"c", "d"}}
	t.Run("request", func(t *testing.T) {
		m := &proposer{lines: []string{"m"}}
		files := fstest.MapFS{}
		_, err := plan.Build(t.Context(), plan.Request{Role: "tester", Explicit: []string{"e"}, Contract: contract, Changed: []string{"x"}, Files: files},
			&plan.Options{Propose: m.propose})
		require.NoError(t, err)
		require.Len(t, m.reqs, 1)
		r := m.reqs[0]
		assert.Equal(t, plan.StageRun, r.Stage)
		assert.Equal(t, "tester", r.Role)
		assert.Equal(t, []string{"e"}, r.Explicit)
		assert.Equal(t, []string{"c", "d"}, r.Have)
		assert.Equal(t, []string{"x"}, r.Changed)
		assert.Equal(t, 2, r.Max)
		assert.Equal(t, 2, r.Retries)
		assert.Equal(t, "2m0s", r.Timeout.String())
		assert.Equal(t, "3m0s", r.ReconcileTimeout.String())
	})
	t.Run("error is a warning", func(t *testing.T) {
		m := &proposer{lines: []string{"m"}, err: errors.New("boom")}
		p, err := plan.Build(t.Context(), plan.Request{Contract: contract}, &plan.Options{Propose: m.propose})
		require.NoError(t, err)
		assert.Equal(t, []string{"c", "d"}, p.Lines())
		assert.NotEmpty(t, p.Warnings)
		assert.Len(t, m.reqs, 1)
	})
	for name, c := range map[string]struct {
		req    plan.Request
		mode   plan.Mode
		warned bool
	}{
		"hybrid wants one":                    {plan.Request{Explicit: []string{"e"}, Contract: contract}, plan.ModeHybrid, true},
		"llm wants one":                       {plan.Request{Explicit: []string{"e"}}, plan.ModeLLM, true},
		"contract does not":                   {plan.Request{Explicit: []string{"e"}, Contract: contract}, plan.ModeContract, false},
		"off does not":                        {plan.Request{Explicit: []string{"e"}, Contract: contract}, plan.ModeOff, false},
		"fallback does not":                   {plan.Request{Explicit: []string{"e"}, Contract: contract}, plan.ModeFallback, false},
		"fallback does for none":              {plan.Request{Contract: contract}, plan.ModeFallback, true},
		"author, hybrid, C":                   {plan.Request{Stage: plan.StageAuthor, Contract: contract}, plan.ModeHybrid, false},
		"author, hybrid, full":                {plan.Request{Stage: plan.StageAuthor, Explicit: []string{"e"}}, plan.ModeHybrid, false},
		"an empty plan is one with a warning": {plan.Request{}, plan.ModeOff, true},
	} {
		t.Run("no model: "+name, func(t *testing.T) {
			p, err := plan.Build(t.Context(), c.req, &plan.Options{Run: plan.StageOptions{Mode: c.mode}, Author: plan.StageOptions{Mode: c.mode}})
			require.NoError(t, err)
			assert.Equal(t, c.warned, len(p.Warnings) > 0, "%q", p.Warnings)
		})
	}
	t.Run("dead context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := plan.Build(ctx, plan.Request{Explicit: []string{"e"}}, nil)
		require.ErrorIs(t, err, context.Canceled)
	})
	t.Run("context dies in the model", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := plan.Build(ctx, plan.Request{Explicit: []string{"e"}}, &plan.Options{Propose: func(ctx context.Context, _ plan.ProposeRequest) ([]string, error) {
			cancel()
			return nil, ctx.Err()
		}})
		require.ErrorIs(t, err, context.Canceled)
	})
	for name, opts := range map[string]*plan.Options{
		"mode": {Run: plan.StageOptions{Mode: "sometimes"}},
	} {
		t.Run("bad "+name, func(t *testing.T) {
			_, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"e"}}, opts)
			var e *plan.OptionError
			require.ErrorAs(t, err, &e)
		})
	}
}

func TestHeldoutBuildIDs(t *testing.T) {
	p, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"npm run verify", "x", "npm run verify", "npm run verify"},
		Contract: &plan.Contract{Always: []string{"go vet ./...", "cd services/billing && go test ./..."}}}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeContract}})
	require.NoError(t, err)
	require.Len(t, p.Commands, 6)
	assert.Equal(t, "3307f700", p.Commands[0].ID)
	assert.Equal(t, "3307f700.2", p.Commands[2].ID)
	assert.Equal(t, "3307f700.3", p.Commands[3].ID)
	assert.Equal(t, "b6a38401", p.Commands[4].ID)
	assert.Equal(t, "8e74e7cf", p.Commands[5].ID)
	assert.NotEqual(t, plan.CommandID(plan.SourceAuto, "x"), plan.CommandID(plan.SourceExplicit, "x"))
	for _, changed := range [][]string{nil, {}, {"a"}} {
		p, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"e"}, Changed: changed}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeOff}})
		require.NoError(t, err)
		assert.Equal(t, changed, p.Changed)
		assert.Equal(t, changed == nil, p.Changed == nil)
	}
}

func TestHeldoutBuildDropped(t *testing.T) {
	d := plan.Dropped{Command: plan.Command{ID: plan.CommandID(plan.SourceExplicit, "npm run verify"), Line: "npm run verify", Source: plan.SourceExplicit, Origin: "author"}, Reason: plan.CodeMissingScript}
	p, err := plan.Build(t.Context(), plan.Request{Explicit: []string{"npm run verify"}, Dropped: []plan.Dropped{d}, Contract: &plan.Contract{Always: []string{"c"}}},
		&plan.Options{Run: plan.StageOptions{Mode: plan.ModeFallback}})
	require.NoError(t, err)
	assert.Equal(t, []string{"c"}, p.Lines())
	assert.Equal(t, []plan.Dropped{d}, p.Dropped)
}

func TestHeldoutDocser(t *testing.T) {
	for line, keep := range map[string]bool{
		"npm run docs": true, "npm docs:check": true, "pnpm run check:docs": true, "yarn docs:lint": true, "bun run lint:docs": true, "npm run check": true,
		"pnpm check": true, "npm run docs:check -- --strict x": true, "yarn run docs --quiet": true, "make docs": true, "just docs-check": true, "task check-docs": true,
		"mage docs-lint": true, "rake lint-docs": true, "npm test": false, "npm run test": false, "npm run docs:build": false, "npx docs": false, "npm run": false,
		"make check": false, "make docs test": false, "make docs-build": false, "make": false, "just docs:check": false, "npm run docs-check": false,
		"go test ./...": false, "npm run docs && npm run lint:docs": false, "docs": false, "markdownlint docs": false, "npm ci": false,
		"rake docs": true, "mage check": false, "yarn check": true, "bun docs": true, "ninja docs": false, "gmake test": false, "npm run Docs": false,
	} {
		t.Run(line, func(t *testing.T) {
			for _, explicit := range []bool{true, false} {
				req := plan.Request{Role: "docser", Contract: &plan.Contract{Always: []string{line}}}
				if explicit {
					req = plan.Request{Role: "docser", Explicit: []string{line}}
				}
				p, err := plan.Build(t.Context(), req, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeContract}})
				require.NoError(t, err)
				assert.Equal(t, keep, len(p.Commands) == 1, "explicit: %v", explicit)
				assert.Equal(t, !keep, len(p.Warnings) > 0, "explicit: %v", explicit)
			}
		})
	}
}

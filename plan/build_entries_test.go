package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

// TestBuildEntries holds what becomes of each entry that is asked for: where it
// stands, whether it stays, whether that is said, and whether a model is asked.
func TestBuildEntries(t *testing.T) {
	deny := newPolicy(t, nil, nil, []string{"deploy"})
	files := tree("Makefile", "test:\n\ttrue\n", "web/package.json", `{"scripts": {"lint": "x"}}`)
	for name, c := range map[string]struct {
		explicit, contract, model []string
		max                       int
		dropped                   []string // auto lines
		want                      []string
		warnings                  bool
		asks                      int
	}{
		"explicit first, trimmed":       {[]string{" b ", "", "a\n", "b"}, []string{"c"}, nil, 0, nil, []string{"b", "a", "b", "c"}, false, 1},
		"explicit is not cut":           {[]string{"a", "b", "c", "d", "e", "f"}, []string{"g"}, nil, 1, nil, []string{"a", "b", "c", "d", "e", "f", "g"}, false, 0},
		"explicit refused stays":        {[]string{"a > b", "c"}, nil, nil, 0, nil, []string{"a > b", "c"}, true, 1},
		"explicit denied stays":         {[]string{"deploy x"}, nil, nil, 0, nil, []string{"deploy x"}, false, 1},
		"explicit without target stays": {[]string{"make nope"}, nil, nil, 0, nil, []string{"make nope"}, false, 1},
		"equal to an explicit":          {[]string{"a"}, []string{"a", "b"}, []string{"b", "c"}, 0, nil, []string{"a", "b", "c"}, false, 1},
		"blank auto":                    {[]string{"a"}, []string{" ", "b"}, []string{"", "\t"}, 0, nil, []string{"a", "b"}, false, 1},
		"dropped earlier":               {[]string{"a"}, []string{"b", "c"}, []string{"d", "e"}, 0, []string{"b", "d"}, []string{"a", "c", "e"}, false, 1},
		"contract refused":              {[]string{"a"}, []string{"b | c", "d"}, nil, 0, nil, []string{"a", "d"}, true, 1},
		"model refused":                 {[]string{"a"}, nil, []string{"b && exit", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract denied":               {[]string{"a"}, []string{"deploy now", "d"}, nil, 0, nil, []string{"a", "d"}, true, 1},
		"model denied in a chain":       {[]string{"a"}, nil, []string{"b && deploy now", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract target missing":       {[]string{"a"}, []string{"make nope", "make test"}, nil, 0, nil, []string{"a", "make test"}, true, 1},
		"model script missing":          {[]string{"a"}, nil, []string{"cd web && npm run test", "cd web && npm run lint"}, 0, nil, []string{"a", "cd web && npm run lint"}, true, 1},
		"model lint error":              {[]string{"a"}, nil, []string{"Here is the command", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"contract lint error stays":     {[]string{"a"}, []string{"Here is the command"}, nil, 0, nil, []string{"a", "Here is the command"}, false, 1},
		"model fatal":                   {[]string{"a"}, nil, []string{"rm -rf /", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"model fatal in a chain":        {[]string{"a"}, nil, []string{"x && rm -rf /", "d"}, 0, nil, []string{"a", "d"}, true, 1},
		"cap is four":                   {[]string{"a"}, []string{"1", "2", "3", "4", "5"}, []string{"m"}, 0, nil, []string{"a", "1", "2", "3", "4"}, true, 0},
		"cap just full":                 {[]string{"a"}, []string{"1", "2", "3", "4"}, []string{"m"}, 0, nil, []string{"a", "1", "2", "3", "4"}, false, 0},
		"cap shared with model":         {[]string{"a"}, []string{"1", "2"}, []string{"m", "n", "o"}, 3, nil, []string{"a", "1", "2", "m"}, true, 1},
		"cap after leaving out":         {[]string{"a"}, []string{"a", "", "x;y", "make nope", "deploy", "z", "1", "2"}, nil, 2, []string{"z"}, []string{"a", "1", "2"}, true, 0},
		"cap of one":                    {[]string{"a"}, []string{"1", "2"}, nil, 1, nil, []string{"a", "1"}, true, 0},
		"nothing to add":                {[]string{"a"}, []string{"1"}, []string{"m"}, -1, nil, []string{"a"}, true, 0},
		"equal entries of model":        {[]string{"a"}, nil, []string{"m", "m", "n"}, 0, nil, []string{"a", "m", "n"}, false, 1},
		"other spelling is another":     {[]string{"make test"}, []string{"make  test"}, nil, 0, nil, []string{"make test", "make  test"}, false, 1},
		"equal to a refused explicit":   {[]string{"a | b", "c"}, []string{"a | b", "d"}, nil, 0, nil, []string{"a | b", "c", "d"}, true, 1},
		"model says nothing":            {[]string{"a"}, []string{"b"}, nil, 0, nil, []string{"a", "b"}, false, 1},
		"all is left out":               {nil, []string{"deploy"}, []string{"make nope"}, 0, nil, nil, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []plan.ProposeRequest
			req := plan.Request{Explicit: c.explicit, Contract: demanding(c.contract...), Files: files}
			for _, line := range c.dropped {
				req.Dropped = append(req.Dropped, plan.Dropped{Command: plan.Command{ID: plan.CommandID(plan.SourceAuto, line), Line: line, Source: plan.SourceAuto, Origin: "contract"}, Reason: plan.CodeNoTestFiles})
			}
			p, err := plan.Build(t.Context(), req, &plan.Options{Run: plan.StageOptions{MaxCommands: c.max}, Propose: proposing(&asked, c.model...), Policy: deny})
			require.NoError(t, err)
			assert.ElementsMatch(t, c.want, p.Lines())
			if len(c.want) > 0 {
				assert.Equal(t, c.want, p.Lines())
			}
			assert.Equal(t, c.warnings, len(p.Warnings) > 0, "%q", p.Warnings)
			assert.Len(t, asked, c.asks)
			assert.ElementsMatch(t, req.Dropped, p.Dropped)
			assert.Equal(t, "f00d", p.ContractHash)
		})
	}
}

// TestBuildMissesAModel holds that a model's absence is a warning where its answer
// would have been wanted, and nowhere else.
func TestBuildMissesAModel(t *testing.T) {
	contract := demanding("c", "d")
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
		t.Run(name, func(t *testing.T) {
			p, err := plan.Build(t.Context(), c.req, &plan.Options{Run: plan.StageOptions{Mode: c.mode}, Author: plan.StageOptions{Mode: c.mode}})
			require.NoError(t, err)
			assert.Equal(t, c.warned, len(p.Warnings) > 0, "%q", p.Warnings)
		})
	}
}

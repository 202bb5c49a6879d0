package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

func TestAdjustDrops(t *testing.T) {
	id := plan.CommandID(plan.SourceExplicit, "npm run x")
	for _, test := range []struct {
		name  string
		plan  *plan.Plan
		meta  plan.Meta
		next  []string
		drops int
	}{
		{"by identifier", planOf("npm run x", "+make"), plan.Meta{Code: plan.CodeMissingScript, CommandID: id}, []string{"make"}, 1},
		{"and equal ones", planOf("npm run x", "make", "npm run x"), plan.Meta{Code: plan.CodeNoTestFiles, CommandID: id}, []string{"make"}, 2},
		{"not those of another source", planOf("npm run x", "+npm run x"), plan.Meta{Code: plan.CodeMissingMakeTarget, CommandID: id}, []string{"npm run x"}, 1},
		{"by line", planOf("npm run x", "make"), plan.Meta{Code: plan.CodeUnsupportedFormat, Command: " npm run x "}, []string{"make"}, 1},
		{"by line and source", planOf("+npm run x", "npm run x"), plan.Meta{Code: plan.CodeMissingScript, Command: "npm run x", CommandSource: plan.SourceExplicit}, []string{"npm run x"}, 1},
		{"by part", planOf("make", "cd web && CI=1 npm  run x && npm run y"), plan.Meta{Code: plan.CodeMissingScript, Command: "CI=1 npm run x"}, []string{"make"}, 1},
		{"to the last", planOf("npm run x"), plan.Meta{Code: " Verification_Command_Missing_Script ", CommandID: id}, []string{}, 1},
		{"all by the identifier of the second", &plan.Plan{Commands: []plan.Command{
			{ID: id, Line: "npm run x", Source: plan.SourceExplicit}, {Line: "make", Source: plan.SourceAuto}, {ID: id + ".2", Line: "npm run x", Source: plan.SourceExplicit},
		}}, plan.Meta{Code: plan.CodeMissingScript, CommandID: id + ".2"}, []string{"make"}, 2},
		{"by line, without a source", planOf("make", "+npm run x"), plan.Meta{Code: plan.CodeNoTestFiles, Command: "npm run x"}, []string{"make"}, 1},
		{"by part and source", planOf("cd a && make y", "+cd a && make y"), plan.Meta{Code: plan.CodeMissingMakeTarget, Command: "make y", CommandSource: plan.SourceAuto}, []string{"cd a && make y"}, 1},
		{"a line that needs a shell", planOf("a | b", "make"), plan.Meta{Code: plan.CodeUnsupportedFormat, Command: "a | b"}, []string{"make"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.plan.Warnings = []string{"w"}
			before, err := json.Marshal(test.plan)
			require.NoError(t, err)
			next, adjustment := plan.Adjust(test.plan, &test.meta)
			require.NotNil(t, next)
			assert.Equal(t, test.next, next.Lines())
			assert.Len(t, next.Dropped, test.drops)
			assert.Equal(t, next.Dropped[0].Reason, adjustment.Reason)
			assert.Equal(t, plan.RuleDrop, adjustment.RecoveryRule)
			assert.Equal(t, test.plan.Lines(), adjustment.PreviousCommands)
			assert.Equal(t, next.Lines(), adjustment.NextCommands)
			assert.Equal(t, test.plan.Warnings, next.Warnings)
			after, err := json.Marshal(test.plan)
			require.NoError(t, err)
			assert.Equal(t, string(before), string(after), "the plan is not changed")
		})
	}
}

func TestAdjustLeavesAlone(t *testing.T) {
	p := planOf("npm run x", "make a && make b")
	for name, m := range map[string]*plan.Meta{
		"no metadata":           nil,
		"another code":          {Code: plan.CodeTestFailure, Command: "npm run x"},
		"an unknown identifier": {Code: plan.CodeMissingScript, CommandID: "00000000", Command: "npm run x"},
		"an unknown line":       {Code: plan.CodeMissingScript, Command: "npm run y"},
		"another source":        {Code: plan.CodeMissingScript, Command: "npm run x", CommandSource: plan.SourceAuto},
		"an older source":       {Code: plan.CodeMissingScript, Command: "npm run x", CommandSource: "guard"},
		"nothing named":         {Code: plan.CodeMissingScript},
		"part of a word":        {Code: plan.CodeMissingScript, Command: "make"},
		"two parts":             {Code: plan.CodeMissingScript, Command: "make a && make"},
		"a missing dependency":  {Code: plan.CodeSetupIssue, Command: "npm run x"},
		"a flaky one":           {Code: plan.CodeFlaky, Command: "npm run x"},
		"a diverged branch":     {Code: plan.CodeBranchDiverged, Command: "npm run x"},
		"no sequence":           {Code: plan.CodeSequenceIssue, Command: "npm run x"},
	} {
		next, adjustment := plan.Adjust(p, m)
		assert.Nil(t, next, name)
		assert.Nil(t, adjustment, name)
	}
	next, adjustment := plan.Adjust(nil, &plan.Meta{Code: plan.CodeMissingScript})
	assert.Nil(t, next)
	assert.Nil(t, adjustment)
}

func TestAdjustReorders(t *testing.T) {
	meta := func(line string) *plan.Meta { return &plan.Meta{Code: plan.CodeSequenceIssue, Command: line} }
	p := planOf("make", "make clean", "test -f dist/a", "[ -s build/b ]", "make test")
	next, adjustment := plan.Adjust(p, meta("test -f dist/a"))
	require.NotNil(t, next)
	assert.Equal(t, []string{"make", "test -f dist/a", "[ -s build/b ]", "make clean", "make test"}, next.Lines())
	assert.Equal(t, plan.RuleReorder, adjustment.RecoveryRule)
	assert.Equal(t, plan.CodeSequenceIssue, adjustment.Reason)
	assert.Empty(t, next.Dropped)
	assert.Equal(t, "make clean", p.Commands[1].Line, "the plan is not changed")

	again, _ := plan.Adjust(next, meta("test -f dist/a"))
	assert.Nil(t, again, "once is all")
	for _, lines := range [][2][]string{
		{{"make clean", "test -f dist/a"}, {"test -f dist/a", "make clean"}},
		{{"make build clean", "test -f dist/a"}, {"test -f dist/a", "make build clean"}},
		{{"rm -r dist", "test -f dist/a", "grep x dist/a", "test -f dist/b"}, {"test -f dist/a", "rm -r dist", "grep x dist/a", "test -f dist/b"}},
		{{"make clean", "test -f dist/a", "go vet", "test -f dist/b"}, {"test -f dist/a", "make clean", "go vet", "test -f dist/b"}},
		{{"make clean", "test -f dist/a", "test -e out/b && true", "make"}, {"test -f dist/a", "make clean", "test -e out/b && true", "make"}},
	} {
		next, _ := plan.Adjust(planOf(lines[0]...), meta("test -f dist/a"))
		require.NotNil(t, next, lines[0])
		assert.Equal(t, lines[1], next.Lines())
	}
	for _, p := range []*plan.Plan{
		planOf("test -f dist/a"), planOf("make clean", "make", "test -f dist/a"), planOf("make build", "test -f dist/a"),
		planOf("make clean && make", "test -f dist/a"), planOf("test -f dist/a", "make clean"), planOf("rm -r dis", "test -f dist/a"),
		planOf("make clean build", "test -f dist/a"), planOf("npm run build", "test -f dist/a"), planOf("make clean", "test -f dist/a && true"),
	} {
		next, _ := plan.Adjust(p, meta("test -f dist/a"))
		assert.Nil(t, next, p.Lines())
	}
}

func TestSequenceIssue(t *testing.T) {
	code := func(before, check string) plan.Code {
		prev, err := plan.Split(before)
		require.NoError(t, err, before)
		parts, err := plan.Split(check)
		require.NoError(t, err, check)
		return plan.ResolveCode(parts[0], mend.Observation{ExitCode: 1, Stdout: " \n\x1b[0m"}, &prev[0])
	}
	for _, before := range []string{
		"make clean", "make -C . distclean", "gmake -j 4 clean", "make build clean", "make mrproper", "just clean-all", "task clean", "mage Clean", "rake clobber",
		"ninja -t clean", "ninja -C build clean", "mvn clean", "gradle :app:clean", "ant clean", "npm run clean", "pnpm -r run clean:dist", "yarn distclean", "bun run clobber",
		"cargo clean", "go clean -cache", "dotnet clean", "swift package clean", "git clean -fdx", "rm -rf dist", "rm -r ./dist/app", "rm --recursive dist/", "env A=1 make clean", "npx rimraf dist",
		"npm run clean:dist", "npm run distclean", "yarn run clean", "pnpm clean", "rm -fr ./dist/", "rm -rf dist/app", "make clean-all",
	} {
		assert.Equal(t, plan.CodeSequenceIssue, code(before, "test -f dist/app"), before)
	}
	for _, before := range []string{
		"make clean build", "make", "make test", "npm run build", "npm run cleanup", "cargo build", "git status", "rm -f dist/app", "rm -rf dist2", "rm -rf build", "rm -rf /dist",
		"cd sub && make clean", "echo clean", "grep clean x", "npm ci", "rm dist/other", "rm -rf out",
	} {
		assert.Equal(t, plan.CodeCommandFailed, code(before, "test -f dist/app"), before)
	}
	for _, check := range []string{
		"test -f dist/a", "test -s build/a", "test -e target/debug/a", "[ -f out/a ]", "test -f web/dist/a.js", "test -f bin/Debug/x.dll", "cd dist && test -f a", "/usr/bin/test -f _build/a", "test -f coverage/lcov.info",
		"[ -s bin/a ]", "[ -e obj/a.o ]", "test -f release/a.tgz", "test -f artifact/a", "test -f artifacts/a", "test -f debug/a", "test -f ./dist/a",
	} {
		assert.Equal(t, plan.CodeSequenceIssue, code("make clean", check), check)
	}
	for _, check := range []string{
		"test -f src/a", "test -d dist/a", "test -f dist", "test -f /dist/a", "test -f ../dist/a", "test -f 'dist/*'", "test ! -f dist/a", "test -f dist/a -a x", "[ -f dist/a", "grep -q x dist/a", "ls dist/a", "test dist/a",
		"test -n dist/a", "test -f a", "test -f dist/../a", "test -f distribution/a", "cat dist/a",
	} {
		assert.Equal(t, plan.CodeCommandFailed, code("make clean", check), check)
	}
	check := plan.Part{Argv: []string{"test", "-f", "dist/a"}}
	clean := plan.Part{Argv: []string{"make", "clean"}}
	assert.Equal(t, plan.CodeCommandFailed, plan.ResolveCode(check, mend.Observation{ExitCode: 1}, nil))
	assert.Equal(t, plan.CodeCommandFailed, plan.ResolveCode(check, mend.Observation{ExitCode: 1, Stderr: "test: x"}, &clean))
}

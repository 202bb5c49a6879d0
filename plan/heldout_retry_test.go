package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func metas(codes ...plan.Code) []plan.Meta {
	out := make([]plan.Meta, len(codes))
	for i, c := range codes {
		out[i].Code = c
	}
	return out
}

func repeat(n int, code plan.Code, sig string) []plan.Meta {
	out := make([]plan.Meta, n)
	for i := range out {
		out[i] = plan.Meta{Code: code, Signature: sig}
	}
	return out
}

func TestHeldoutLimit(t *testing.T) {
	for _, c := range []struct {
		policy   plan.RetryPolicy
		category plan.Category
		want     int
	}{
		{plan.RetryPolicy{}, plan.CategorySetup, 3}, {plan.RetryPolicy{}, plan.CategoryEnv, 5}, {plan.RetryPolicy{}, plan.CategoryTest, 3},
		{plan.RetryPolicy{}, plan.CategoryFlaky, 6}, {plan.RetryPolicy{}, plan.CategoryPolicy, 3}, {plan.RetryPolicy{}, plan.CategoryNoop, 0},
		{plan.RetryPolicy{}, plan.CategoryPermission, 0}, {plan.RetryPolicy{}, plan.CategoryModel, 3}, {plan.RetryPolicy{}, plan.CategoryModelLoop, 1},
		{plan.RetryPolicy{MaxRetries: 2}, plan.CategoryFlaky, 2}, {plan.RetryPolicy{MaxRetries: 2}, plan.CategoryModelLoop, 1},
		{plan.RetryPolicy{MaxRetries: 6}, plan.CategoryFlaky, 6}, {plan.RetryPolicy{MaxRetries: -1}, plan.CategoryFlaky, 0},
		{plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 9}}, plan.CategoryTest, 9},
		{plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 9}}, plan.CategoryEnv, 5},
		{plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 9}, MaxRetries: 4}, plan.CategoryTest, 4},
	} {
		assert.Equal(t, c.want, c.policy.Limit(c.category), "%+v %s", c.policy, c.category)
	}
}

func TestHeldoutDecide(t *testing.T) {
	test, flaky, env := plan.CodeTestFailure, plan.CodeFlaky, plan.CodeEnvironmentIssue
	for name, c := range map[string]struct {
		policy  plan.RetryPolicy
		history []plan.Meta
		want    plan.RetryAction
		retries int
	}{
		"no history":                 {plan.RetryPolicy{}, nil, plan.RetryAgain, 0},
		"first":                      {plan.RetryPolicy{}, metas(test), plan.RetryAgain, 0},
		"last of three":              {plan.RetryPolicy{}, metas(test, test, test), plan.RetryAgain, 2},
		"limit reached":              {plan.RetryPolicy{}, metas(test, test, test, test), plan.RetryStop, 3},
		"same category, other code":  {plan.RetryPolicy{}, metas(plan.CodeCommandFailed, test, test, test), plan.RetryStop, 3},
		"other categories":           {plan.RetryPolicy{}, metas(flaky, env, flaky, test, test), plan.RetryAgain, 1},
		"flaky has six":              {plan.RetryPolicy{}, metas(flaky, flaky, flaky, flaky, flaky, flaky), plan.RetryAgain, 5},
		"flaky after six":            {plan.RetryPolicy{}, metas(flaky, flaky, flaky, flaky, flaky, flaky, flaky), plan.RetryStop, 6},
		"env and quota":              {plan.RetryPolicy{}, metas(env, plan.CodeQuota, env, env, plan.CodeQuota, env), plan.RetryStop, 5},
		"noop":                       {plan.RetryPolicy{}, metas(plan.CodeNoChanges), plan.RetryStop, 0},
		"permission":                 {plan.RetryPolicy{}, metas(plan.CodePermissionDenied), plan.RetryStop, 0},
		"loop once":                  {plan.RetryPolicy{}, metas(plan.CodeModelLoop), plan.RetryAgain, 0},
		"loop twice":                 {plan.RetryPolicy{}, metas(plan.CodeModelLoop, plan.CodeModelLoop), plan.RetryStop, 1},
		"diverged":                   {plan.RetryPolicy{}, metas(plan.CodeBranchDiverged), plan.RetryStop, 0},
		"adjust":                     {plan.RetryPolicy{}, metas(plan.CodeMissingScript), plan.RetryAdjust, 0},
		"adjust sequence":            {plan.RetryPolicy{}, metas(plan.CodeSequenceIssue), plan.RetryAdjust, 0},
		"adjust ignores the limit":   {plan.RetryPolicy{}, metas(plan.CodeMissingScript, plan.CodeNoTestFiles, plan.CodeMissingScript, plan.CodeMissingScript, plan.CodeMissingScript), plan.RetryAdjust, 4},
		"adjust within all retries":  {plan.RetryPolicy{MaxRetries: 2}, metas(test, flaky, plan.CodeMissingScript), plan.RetryStop, 0},
		"adjust below all retries":   {plan.RetryPolicy{MaxRetries: 3}, metas(test, flaky, plan.CodeMissingScript), plan.RetryAdjust, 0},
		"adjust, no retries":         {plan.RetryPolicy{MaxRetries: -1}, metas(plan.CodeMissingScript), plan.RetryStop, 0},
		"setup is retried":           {plan.RetryPolicy{}, metas(plan.CodeSetupIssue), plan.RetryAgain, 0},
		"setup counts adjustable":    {plan.RetryPolicy{}, metas(plan.CodeMissingScript, plan.CodeMissingScript, plan.CodeMissingScript, plan.CodeSetupIssue), plan.RetryStop, 3},
		"all retries":                {plan.RetryPolicy{MaxRetries: 2}, metas(env, flaky, test), plan.RetryStop, 0},
		"below all retries":          {plan.RetryPolicy{MaxRetries: 3}, metas(env, flaky, test), plan.RetryAgain, 0},
		"no retries":                 {plan.RetryPolicy{MaxRetries: -1}, metas(test), plan.RetryStop, 0},
		"four equal":                 {plan.RetryPolicy{}, repeat(4, flaky, "s"), plan.RetryStop, 3},
		"three equal":                {plan.RetryPolicy{}, repeat(3, flaky, "s"), plan.RetryAgain, 2},
		"four without signature":     {plan.RetryPolicy{}, repeat(4, flaky, ""), plan.RetryAgain, 3},
		"four equal, adjustable":     {plan.RetryPolicy{}, repeat(4, plan.CodeMissingScript, "s"), plan.RetryStop, 3},
		"three equal, adjustable":    {plan.RetryPolicy{}, repeat(3, plan.CodeMissingScript, "s"), plan.RetryAdjust, 2},
		"not the last four":          {plan.RetryPolicy{}, append(repeat(4, flaky, "s"), plan.Meta{Code: flaky, Signature: "t"}), plan.RetryAgain, 4},
		"broken row":                 {plan.RetryPolicy{}, append(append(repeat(2, flaky, "s"), plan.Meta{Code: flaky, Signature: "t"}), repeat(3, flaky, "s")...), plan.RetryAgain, 5},
		"equal over categories":      {plan.RetryPolicy{}, append(repeat(2, env, "s"), repeat(2, flaky, "s")...), plan.RetryStop, 1},
		"threshold two":              {plan.RetryPolicy{RepeatedSignatureThreshold: 2}, repeat(2, test, "s"), plan.RetryStop, 1},
		"threshold two, once":        {plan.RetryPolicy{RepeatedSignatureThreshold: 2}, repeat(1, test, "s"), plan.RetryAgain, 0},
		"threshold five":             {plan.RetryPolicy{RepeatedSignatureThreshold: 5}, repeat(4, flaky, "s"), plan.RetryAgain, 3},
		"own limit":                  {plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 1}}, metas(test, test), plan.RetryStop, 1},
		"own higher limit":           {plan.RetryPolicy{Limits: map[plan.Category]int{plan.CategoryTest: 5}}, metas(test, test, test, test, test), plan.RetryAgain, 4},
		"unknown code is a model's":  {plan.RetryPolicy{}, metas("who_knows"), plan.RetryAgain, 0},
		"unknown codes count models": {plan.RetryPolicy{}, metas("who_knows", plan.CodeModel, "x", plan.CodeModel), plan.RetryStop, 3},
		"policy":                     {plan.RetryPolicy{}, metas(plan.CodePolicyViolation), plan.RetryAgain, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := c.policy.Decide(c.history)
			assert.Equal(t, c.want, d.Action)
			assert.Equal(t, c.retries, d.Retries)
			if n := len(c.history); n > 0 {
				assert.Equal(t, plan.Classify(&c.history[n-1], ""), d.Class)
				assert.Equal(t, c.policy.Limit(d.Category), d.Limit)
			}
		})
	}
	assert.True(t, plan.RetryPolicy{}.Decide(repeat(4, flaky, "s")).Repeated)
	assert.False(t, plan.RetryPolicy{}.Decide(repeat(3, flaky, "s")).Repeated)
	assert.False(t, plan.RetryPolicy{}.Decide(repeat(7, flaky, "")).Repeated)
}

func autoPlan(lines ...string) *plan.Plan {
	p := &plan.Plan{}
	for _, l := range lines {
		p.Commands = append(p.Commands, plan.Command{ID: plan.CommandID(plan.SourceAuto, l), Line: l, Source: plan.SourceAuto, Origin: "contract"})
	}
	return p
}

func TestHeldoutAdjustDrop(t *testing.T) {
	mixed := func() *plan.Plan {
		p := autoPlan("npm run x", "go vet ./...", "cd a && make y", "npm run x")
		p.Commands[3].ID += ".2"
		p.Commands = append(p.Commands, plan.Command{ID: plan.CommandID(plan.SourceExplicit, "npm run x"), Line: "npm run x", Source: plan.SourceExplicit, Origin: "author"})
		return p
	}
	x, vet, y, ex := "npm run x", "go vet ./...", "cd a && make y", "npm run x"
	for name, c := range map[string]struct {
		meta plan.Meta
		want []string // nil: no adjustment
	}{
		"by ID":                    {plan.Meta{Code: plan.CodeMissingScript, CommandID: plan.CommandID(plan.SourceAuto, vet)}, []string{x, y, x, ex}},
		"equal ones with it":       {plan.Meta{Code: plan.CodeMissingScript, CommandID: plan.CommandID(plan.SourceAuto, x)}, []string{vet, y, ex}},
		"equal ones, second ID":    {plan.Meta{Code: plan.CodeMissingScript, CommandID: plan.CommandID(plan.SourceAuto, x) + ".2"}, []string{vet, y, ex}},
		"explicit by ID":           {plan.Meta{Code: plan.CodeMissingScript, CommandID: plan.CommandID(plan.SourceExplicit, x)}, []string{x, vet, y, x}},
		"by line and source":       {plan.Meta{Code: plan.CodeNoTestFiles, Command: vet, CommandSource: plan.SourceAuto}, []string{x, y, x, ex}},
		"by line, explicit":        {plan.Meta{Code: plan.CodeMissingScript, Command: x, CommandSource: plan.SourceExplicit}, []string{x, vet, y, x}},
		"by line, other source":    {plan.Meta{Code: plan.CodeMissingScript, Command: vet, CommandSource: plan.SourceExplicit}, nil},
		"by part":                  {plan.Meta{Code: plan.CodeMissingMakeTarget, Command: "make y", CommandSource: plan.SourceAuto}, []string{x, vet, x, ex}},
		"unknown command":          {plan.Meta{Code: plan.CodeMissingScript, Command: "make z", CommandSource: plan.SourceAuto}, nil},
		"unknown ID":               {plan.Meta{Code: plan.CodeMissingScript, CommandID: "00000000"}, nil},
		"no command":               {plan.Meta{Code: plan.CodeMissingScript}, nil},
		"piece of a line":          {plan.Meta{Code: plan.CodeMissingScript, Command: "npm run", CommandSource: plan.SourceAuto}, nil},
		"unsupported format":       {plan.Meta{Code: plan.CodeUnsupportedFormat, Command: vet, CommandSource: plan.SourceAuto}, []string{x, y, x, ex}},
		"test failure":             {plan.Meta{Code: plan.CodeTestFailure, Command: vet, CommandSource: plan.SourceAuto}, nil},
		"setup issue":              {plan.Meta{Code: plan.CodeSetupIssue, Command: vet, CommandSource: plan.SourceAuto}, nil},
		"flaky":                    {plan.Meta{Code: plan.CodeFlaky, Command: vet, CommandSource: plan.SourceAuto}, nil},
		"diverged":                 {plan.Meta{Code: plan.CodeBranchDiverged, Command: vet, CommandSource: plan.SourceAuto}, nil},
		"sequence without a clean": {plan.Meta{Code: plan.CodeSequenceIssue, Command: vet, CommandSource: plan.SourceAuto}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := mixed()
			got, adj := plan.Adjust(p, &c.meta)
			assert.Equal(t, mixed(), p)
			if c.want == nil {
				assert.Nil(t, got)
				assert.Nil(t, adj)
				return
			}
			if !assert.NotNil(t, got) || !assert.NotNil(t, adj) {
				return
			}
			assert.Equal(t, c.want, got.Lines())
			assert.Equal(t, plan.Adjustment{Reason: c.meta.Code, RecoveryRule: "drop_failed_command", PreviousCommands: p.Lines(), NextCommands: c.want}, *adj)
			assert.Len(t, got.Dropped, len(p.Commands)-len(c.want))
			for _, d := range got.Dropped {
				assert.Equal(t, c.meta.Code, d.Reason)
			}
		})
	}
	t.Run("to nothing", func(t *testing.T) {
		p := autoPlan("a")
		p.Dropped = []plan.Dropped{{Command: plan.Command{Line: "z"}, Reason: plan.CodeNoTestFiles}}
		got, adj := plan.Adjust(p, &plan.Meta{Code: plan.CodeMissingScript, CommandID: p.Commands[0].ID})
		if assert.NotNil(t, got) && assert.NotNil(t, adj) {
			assert.Empty(t, got.Commands)
			assert.Empty(t, adj.NextCommands)
			assert.Len(t, got.Dropped, 2)
			assert.Len(t, p.Dropped, 1)
		}
	})
	t.Run("nil", func(t *testing.T) {
		got, adj := plan.Adjust(nil, &plan.Meta{Code: plan.CodeMissingScript, Command: "x"})
		assert.Nil(t, got)
		assert.Nil(t, adj)
		got, adj = plan.Adjust(autoPlan("a"), nil)
		assert.Nil(t, got)
		assert.Nil(t, adj)
	})
}

func TestHeldoutAdjustReorder(t *testing.T) {
	for name, c := range map[string]struct {
		lines  []string
		failed int
		want   []string // nil: no adjustment
	}{
		"make clean":              {[]string{"make build", "make clean", "test -f dist/x"}, 2, []string{"make build", "test -f dist/x", "make clean"}},
		"checks that follow":      {[]string{"make clean", "test -f dist/x", "test -s out/y", "go vet"}, 1, []string{"test -f dist/x", "test -s out/y", "make clean", "go vet"}},
		"bracket":                 {[]string{"npm run clean", "[ -f build/x ]"}, 1, []string{"[ -f build/x ]", "npm run clean"}},
		"test -e":                 {[]string{"cargo clean", "test -e target/release/x"}, 1, []string{"test -e target/release/x", "cargo clean"}},
		"go":                      {[]string{"go clean", "test -f bin/x"}, 1, []string{"test -f bin/x", "go clean"}},
		"git":                     {[]string{"git clean -fdx", "test -f obj/x"}, 1, []string{"test -f obj/x", "git clean -fdx"}},
		"dotnet":                  {[]string{"dotnet clean", "test -f bin/x"}, 1, []string{"test -f bin/x", "dotnet clean"}},
		"distclean":               {[]string{"make distclean", "test -f out/x"}, 1, []string{"test -f out/x", "make distclean"}},
		"mrproper":                {[]string{"make mrproper", "test -f out/x"}, 1, []string{"test -f out/x", "make mrproper"}},
		"clobber":                 {[]string{"rake clobber", "test -f out/x"}, 1, []string{"test -f out/x", "rake clobber"}},
		"ninja":                   {[]string{"ninja clean", "test -f out/x"}, 1, []string{"test -f out/x", "ninja clean"}},
		"mvn":                     {[]string{"mvn clean", "test -f target/x.jar"}, 1, []string{"test -f target/x.jar", "mvn clean"}},
		"yarn clean:all":          {[]string{"yarn clean:all", "test -f dist/x"}, 1, []string{"test -f dist/x", "yarn clean:all"}},
		"rm of the directory":     {[]string{"rm -r dist", "test -f dist/x"}, 1, []string{"test -f dist/x", "rm -r dist"}},
		"rm -rf":                  {[]string{"rm -rf dist", "test -f dist/a/x"}, 1, []string{"test -f dist/a/x", "rm -rf dist"}},
		"rm of the path":          {[]string{"rm -r dist/x", "test -e dist/x"}, 1, []string{"test -e dist/x", "rm -r dist/x"}},
		"rm of another":           {[]string{"rm -r out", "test -f dist/x"}, 1, nil},
		"rm of a prefix":          {[]string{"rm -r dis", "test -f dist/x"}, 1, nil},
		"clean, then build":       {[]string{"make clean build", "test -f dist/x"}, 1, nil},
		"build, then clean":       {[]string{"make build clean", "test -f dist/x"}, 1, []string{"test -f dist/x", "make build clean"}},
		"not directly before":     {[]string{"make clean", "go vet", "test -f dist/x"}, 2, nil},
		"nothing before":          {[]string{"test -f dist/x", "make clean"}, 0, nil},
		"does not clean":          {[]string{"make all", "test -f dist/x"}, 1, nil},
		"npm run build":           {[]string{"npm run build", "test -f dist/x"}, 1, nil},
		"no artifact":             {[]string{"make clean", "test -f src/x"}, 1, nil},
		"absolute":                {[]string{"make clean", "test -f /dist/x"}, 1, nil},
		"leaves":                  {[]string{"make clean", "test -f dist/../x"}, 1, nil},
		"a glob":                  {[]string{"make clean", "test -f 'dist/*'"}, 1, nil},
		"the directory itself":    {[]string{"make clean", "test -d dist/x"}, 1, nil},
		"grep":                    {[]string{"make clean", "grep -q x dist/y"}, 1, nil},
		"chain before":            {[]string{"make build && make clean", "test -f dist/x"}, 1, nil},
		"chain after":             {[]string{"make clean", "test -f dist/x && true"}, 1, nil},
		"nested artifact":         {[]string{"make clean", "test -f pkg/dist/x"}, 1, []string{"test -f pkg/dist/x", "make clean"}},
		"later check is no check": {[]string{"make clean", "test -f dist/x", "grep a dist/x", "test -f dist/y"}, 1, []string{"test -f dist/x", "make clean", "grep a dist/x", "test -f dist/y"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := autoPlan(c.lines...)
			got, adj := plan.Adjust(p, &plan.Meta{Code: plan.CodeSequenceIssue, CommandID: p.Commands[c.failed].ID})
			assert.Equal(t, c.lines, p.Lines())
			if c.want == nil {
				assert.Nil(t, got)
				assert.Nil(t, adj)
				return
			}
			if assert.NotNil(t, got) && assert.NotNil(t, adj) {
				assert.Equal(t, c.want, got.Lines())
				assert.Empty(t, got.Dropped)
				assert.Equal(t, "reorder_clean_and_artifact_check", adj.RecoveryRule)
				assert.Equal(t, c.lines, adj.PreviousCommands)
				assert.Equal(t, c.want, adj.NextCommands)
			}
		})
	}
}

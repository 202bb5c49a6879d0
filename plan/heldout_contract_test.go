package plan_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/plan"
)

func TestHeldoutContractAccepted(t *testing.T) {
	for name, doc := range map[string]string{
		"empty object":         `{}`,
		"schema":               `{"$schema": "https://example.com/s.json"}`,
		"no commands":          `{"commands": []}`,
		"no roles":             `{"byRole": {}}`,
		"no rules":             `{"rules": []}`,
		"white space":          " \n\t{ }\r\n",
		"role name":            `{"byRole": {"a-b_c9": ["x"]}}`,
		"one letter role":      `{"byRole": {"a": ["x"]}}`,
		"rule no condition":    `{"rules": [{"commands": ["x"]}]}`,
		"rule both":            `{"rules": [{"whenChangedAny": ["a"], "whenChangedAll": ["b"], "commands": ["x"]}]}`,
		"order of keys":        `{"rules": [{"commands": ["x"], "whenChangedAll": ["b"]}], "commands": ["y"]}`,
		"escaped key":          `{"command\u0073": ["x"]}`,
		"chain":                `{"commands": ["cd a && B=1 x && y"]}`,
		"escaped text":         `{"commands": ["grep \"a b\" c"]}`,
		"negated glob":         `{"rules": [{"whenChangedAny": ["!docs/**"], "commands": ["x"]}]}`,
		"hash is no character": `{"rules": [{"whenChangedAny": ["#a"], "commands": ["x"]}]}`,
		"equal commands":       `{"commands": ["x", "x"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c, err := plan.ParseContract([]byte(doc))
			require.NoError(t, err)
			sum := sha256.Sum256([]byte(doc))
			assert.Equal(t, hex.EncodeToString(sum[:]), c.Hash)
		})
	}
}

func TestHeldoutContractRefused(t *testing.T) {
	const any = "?"
	for name, c := range map[string]struct {
		doc, path    string
		line, column int // 0: not decided
	}{
		"nothing":              {``, "", 0, 0},
		"blank":                {" \n", "", 0, 0},
		"no JSON":              {`commands: []`, "", 1, 1},
		"cut":                  {`{"commands": ["x"]`, any, 1, 0},
		"trailing comma":       {`{"commands": [],}`, any, 1, 0},
		"comment":              {"{\n// x\n}", any, 2, 0},
		"single quotes":        {`{'commands': []}`, any, 1, 2},
		"data behind":          {`{} {}`, "", 1, 4},
		"word behind":          {"{}\nx", "", 2, 1},
		"null":                 {`null`, "", 1, 1},
		"list":                 {`[]`, "", 1, 1},
		"string":               {` "x"`, "", 1, 2},
		"number":               {`1`, "", 1, 1},
		"commands null":        {`{"commands": null}`, "commands", 1, 14},
		"commands string":      {`{"commands": "x"}`, "commands", 1, 14},
		"commands object":      {"{\n  \"commands\": {}}", "commands", 2, 15},
		"command number":       {`{"commands": ["x", 1]}`, "commands[1]", 1, 20},
		"command null":         {`{"commands": [null]}`, "commands[0]", 1, 15},
		"command list":         {`{"commands": [["x"]]}`, "commands[0]", 1, 15},
		"command blank":        {`{"commands": [" \t"]}`, "commands[0]", 1, 15},
		"command empty":        {"{\"commands\": [\n\"x\",\n  \"\"]}", "commands[1]", 3, 3},
		"command pipe":         {`{"commands": ["a | b"]}`, "commands[0]", 1, 15},
		"command builtin":      {`{"commands": ["a", "source b"]}`, "commands[1]", 1, 20},
		"command cd":           {`{"commands": ["cd /tmp && b"]}`, "commands[0]", 1, 15},
		"byRole list":          {`{"byRole": []}`, "byRole", 1, 12},
		"byRole null":          {`{"byRole": null}`, "byRole", 1, 12},
		"role string":          {`{"byRole": {"a": "x"}}`, "byRole.a", 1, 18},
		"role null":            {`{"byRole": {"a": null}}`, "byRole.a", 1, 18},
		"role command":         {`{"byRole": {"tester": ["x", "y;"]}}`, "byRole.tester[1]", 1, 29},
		"role blank command":   {`{"byRole": {"tester": [""]}}`, "byRole.tester[0]", 1, 24},
		"role capital":         {`{"byRole": {"Tester": ["x"]}}`, any, 1, 13},
		"role digit":           {`{"byRole": {"1a": ["x"]}}`, any, 1, 13},
		"role blank":           {`{"byRole": {"": ["x"]}}`, any, 1, 13},
		"role with a blank":    {`{"byRole": {"a b": ["x"]}}`, any, 1, 13},
		"role with a dot":      {`{"byRole": {"a.b": ["x"]}}`, any, 1, 13},
		"role with umlaut":     {`{"byRole": {"ä": ["x"]}}`, any, 1, 13},
		"role twice":           {`{"byRole": {"a": ["x"], "a": ["y"]}}`, any, 1, 25},
		"rules object":         {`{"rules": {}}`, "rules", 1, 11},
		"rules null":           {`{"rules": null}`, "rules", 1, 11},
		"rule string":          {`{"rules": ["x"]}`, "rules[0]", 1, 12},
		"rule null":            {`{"rules": [null]}`, "rules[0]", 1, 12},
		"rule empty":           {`{"rules": [{}]}`, any, 1, 0},
		"rule no commands":     {`{"rules": [{"whenChangedAny": ["a"]}]}`, any, 1, 0},
		"rule empty commands":  {`{"rules": [{"commands": []}]}`, "rules[0].commands", 1, 25},
		"rule null commands":   {`{"rules": [{"commands": null}]}`, "rules[0].commands", 1, 25},
		"rule blank command":   {`{"rules": [{"commands": [""]}]}`, "rules[0].commands[0]", 1, 26},
		"rule bad command":     {`{"rules": [{"commands": ["x"]}, {"commands": ["a>b"]}]}`, "rules[1].commands[0]", 1, 47},
		"any empty":            {`{"rules": [{"whenChangedAny": [], "commands": ["x"]}]}`, "rules[0].whenChangedAny", 1, 31},
		"all empty":            {`{"rules": [{"commands": ["x"], "whenChangedAll": []}]}`, "rules[0].whenChangedAll", 1, 50},
		"any string":           {`{"rules": [{"whenChangedAny": "a", "commands": ["x"]}]}`, "rules[0].whenChangedAny", 1, 31},
		"any null":             {`{"rules": [{"whenChangedAny": null, "commands": ["x"]}]}`, "rules[0].whenChangedAny", 1, 31},
		"any blank":            {`{"rules": [{"whenChangedAny": [" "], "commands": ["x"]}]}`, "rules[0].whenChangedAny[0]", 1, 32},
		"any number":           {`{"rules": [{"whenChangedAny": ["a", 2], "commands": ["x"]}]}`, "rules[0].whenChangedAny[1]", 1, 37},
		"any bad glob":         {`{"rules": [{"commands": ["x"]}, {"whenChangedAny": ["a/"], "commands": ["x"]}]}`, "rules[1].whenChangedAny[0]", 1, 53},
		"all bad glob":         {`{"rules": [{"whenChangedAll": ["ok", "a**b"], "commands": ["x"]}]}`, "rules[0].whenChangedAll[1]", 1, 38},
		"unknown key":          {`{"command": ["x"]}`, any, 1, 2},
		"key in capitals":      {`{"Commands": ["x"]}`, any, 1, 2},
		"byrole":               {`{"byrole": {}}`, any, 1, 2},
		"unknown key of rule":  {`{"rules": [{"when": ["a"], "commands": ["x"]}]}`, any, 1, 13},
		"schema in rule":       {`{"rules": [{"$schema": "x", "commands": ["x"]}]}`, any, 1, 13},
		"repeated key":         {`{"commands": ["x"], "commands": ["y"]}`, any, 1, 21},
		"repeated escaped key": {`{"commands": ["x"], "command\u0073": ["y"]}`, any, 1, 21},
		"repeated schema":      {`{"$schema": "a", "$schema": "a"}`, any, 1, 18},
		"repeated key of rule": {`{"rules": [{"commands": ["x"], "commands": ["x"]}]}`, any, 1, 32},
		"first is a command":   {`{"commands": ["a|b"], "x": 1}`, "commands[0]", 1, 15},
		"first is a key":       {`{"x": 1, "commands": ["a|b"]}`, any, 1, 2},
		"first before syntax":  {`{"commands": [""], oops`, "commands[0]", 1, 15},
		"first of two roles":   {`{"byRole": {"a": [1], "B": ["x"]}}`, "byRole.a[0]", 1, 19},
		"glob before commands": {`{"rules": [{"whenChangedAny": ["../a"]}]}`, "rules[0].whenChangedAny[0]", 1, 32},
		"first of two rules":   {`{"rules": [{"commands": [""]}, 7]}`, "rules[0].commands[0]", 1, 26},
		"multi byte before":    {`{"byRole": {"a": ["ü", ""]}}`, "byRole.a[1]", 1, 25},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.ParseContract([]byte(c.doc))
			var e *plan.ContractError
			require.ErrorAs(t, err, &e)
			if c.path != any {
				assert.Equal(t, c.path, e.Path)
			}
			if c.line > 0 {
				assert.Equal(t, c.line, e.Line)
			}
			if c.column > 0 {
				assert.Equal(t, c.column, e.Column)
			}
			assert.NotEmpty(t, e.Reason)
		})
	}
}

func TestHeldoutContractErrHoldsSplitError(t *testing.T) {
	_, err := plan.ParseContract([]byte(`{"byRole": {"a": ["x && cd y"]}}`))
	var e *plan.ContractError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "byRole.a[0]", e.Path)
	var s *command.SplitError
	require.ErrorAs(t, e.Err, &s)
	assert.Equal(t, "cd", s.Class)
	assert.Equal(t, 5, s.Offset)
	require.ErrorAs(t, err, &s)
}

func TestHeldoutLoadContract(t *testing.T) {
	tree := fstest.MapFS{
		".opentiger/verify.contract.json": {Data: []byte(`{"commands": ["a"]}`)},
		"ci/gate.json":                    {Data: []byte(`{"commands": ["b"]}`)},
		"bad.json":                        {Data: []byte(`{"commands": [""]}`)},
	}
	for name, want := range map[string]string{"": "a", ".opentiger/verify.contract.json": "a", "ci/gate.json": "b"} {
		t.Run("reads "+name, func(t *testing.T) {
			c, err := plan.LoadContract(tree, name)
			require.NoError(t, err)
			assert.Equal(t, []string{want}, c.Always)
			assert.NotEmpty(t, c.Hash)
		})
	}
	for _, name := range []string{"none.json", "ci/none.json", "no/such/dir.json"} {
		t.Run("no "+name, func(t *testing.T) {
			_, err := plan.LoadContract(tree, name)
			require.ErrorIs(t, err, plan.ErrNoContract)
			require.ErrorIs(t, err, fs.ErrNotExist)
		})
	}
	for _, name := range []string{"../bad.json", "ci/../../x.json", "/etc/passwd", ".."} {
		t.Run("outside "+name, func(t *testing.T) {
			_, err := plan.LoadContract(tree, name)
			var e *plan.ContractError
			require.ErrorAs(t, err, &e)
			assert.NotErrorIs(t, err, plan.ErrNoContract)
		})
	}
	t.Run("fault", func(t *testing.T) {
		_, err := plan.LoadContract(tree, "bad.json")
		var e *plan.ContractError
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "commands[0]", e.Path)
	})
	t.Run("default missing", func(t *testing.T) {
		_, err := plan.LoadContract(fstest.MapFS{}, "")
		require.ErrorIs(t, err, plan.ErrNoContract)
	})
}

func TestHeldoutContractCommands(t *testing.T) {
	c := &plan.Contract{
		Always: []string{"vet", "fmt", "vet"},
		ByRole: map[string][]string{"worker": {"unit"}, "tester": {"e2e", "fmt"}},
		Rules: []plan.ContractRule{
			{WhenChangedAny: []string{"api/**", "*.proto"}, Commands: []string{"gen", "unit"}},
			{WhenChangedAll: []string{"a/*", "b/*"}, Commands: []string{"both"}},
			{WhenChangedAny: []string{"a/x"}, WhenChangedAll: []string{"b/**"}, Commands: []string{"mixed"}},
			{Commands: []string{"last"}},
			{WhenChangedAny: []string{"!docs/**"}, Commands: []string{"code"}},
		},
	}
	for name, w := range map[string]struct {
		role    string
		changed []string
		want    []string
	}{
		"nothing changed":     {"", nil, []string{"vet", "fmt", "unit", "last"}},
		"worker by default":   {"", []string{"docs/a"}, []string{"vet", "fmt", "unit", "last"}},
		"worker by name":      {"worker", []string{"docs/a"}, []string{"vet", "fmt", "unit", "last"}},
		"blank role":          {"  ", []string{"docs/a"}, []string{"vet", "fmt", "unit", "last"}},
		"other role":          {"tester", []string{"docs/a"}, []string{"vet", "fmt", "e2e", "last"}},
		"trimmed, small":      {" Tester\n", []string{"docs/a"}, []string{"vet", "fmt", "e2e", "last"}},
		"unknown role":        {"nobody", []string{"docs/a"}, []string{"vet", "fmt", "last"}},
		"any by first":        {"nobody", []string{"docs/b", "api/v1/x"}, []string{"vet", "fmt", "gen", "unit", "last", "code"}},
		"any by second":       {"nobody", []string{"x.proto"}, []string{"vet", "fmt", "gen", "unit", "last", "code"}},
		"any, deeper":         {"nobody", []string{"docs/x.proto"}, []string{"vet", "fmt", "last"}},
		"all, one only":       {"nobody", []string{"a/q"}, []string{"vet", "fmt", "last", "code"}},
		"all":                 {"nobody", []string{"b/q", "a/q"}, []string{"vet", "fmt", "both", "last", "code"}},
		"mixed needs any":     {"nobody", []string{"b/q/r"}, []string{"vet", "fmt", "last", "code"}},
		"mixed needs all":     {"nobody", []string{"a/x"}, []string{"vet", "fmt", "last", "code"}},
		"mixed":               {"nobody", []string{"a/x", "b/q/r"}, []string{"vet", "fmt", "mixed", "last", "code"}},
		"backslash path":      {"nobody", []string{`api\x`}, []string{"vet", "fmt", "gen", "unit", "last", "code"}},
		"leaving path":        {"nobody", []string{"../api/x"}, []string{"vet", "fmt", "last"}},
		"case of a role name": {"WORKER", nil, []string{"vet", "fmt", "unit", "last"}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, w.want, c.Commands(w.role, w.changed))
		})
	}
	t.Run("negated condition and no files", func(t *testing.T) {
		c := &plan.Contract{Rules: []plan.ContractRule{{WhenChangedAny: []string{"!a"}, Commands: []string{"x"}}, {WhenChangedAll: []string{"!a"}, Commands: []string{"y"}}}}
		assert.Empty(t, c.Commands("", []string{}))
		assert.Equal(t, []string{"x", "y"}, c.Commands("", []string{"b"}))
		assert.Equal(t, []string{"x", "y"}, c.Commands("", []string{"a", "b"}))
		assert.Empty(t, c.Commands("", []string{"a"}))
	})
}

func TestHeldoutMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a", "a", true}, {"a", "b", false}, {"a", "A", false}, {"A", "a", false}, {"a", "a/b", false}, {"b", "a/b", false},
		{"*", "a", true}, {"*", ".a", true}, {"*", "a/b", false}, {"*.go", "x.go", true}, {"*.go", ".go", true},
		{"*.go", "x.gox", false}, {"*.go", "d/x.go", false}, {"a*c", "ac", true}, {"a*c", "abbc", true}, {"a*c", "a/c", false},
		{"a/*", "a/b", true}, {"a/*", "a", false}, {"a/*", "a/b/c", false}, {"*/b", "a/b", true}, {"*/b", "b", false},
		{"?", "a", true}, {"?", "ab", false}, {"a?b", "a/b", false}, {"?", "ä", true}, {"??", "a", false},
		{"[a-c]", "b", true}, {"[a-c]", "d", false}, {"[!a]", "b", true}, {"[!a]", "a", false}, {"a[!b]c", "a/c", false},
		{"[abc]x", "cx", true}, {"[a-cx]", "x", true}, {"[!a-c]", "d", true}, {"[a-c]", "B", false},
		{"**", "a", true}, {"**", "a/b/.c", true}, {"**/x", "x", true}, {"**/x", "a/b/x", true}, {"**/x", "a/xx", false},
		{"dir/**", "dir/a", true}, {"dir/**", "dir/a/b", true}, {"dir/**", "dir", false}, {"dir/**", "dirx/a", false},
		{"a/**/b", "a/b", true}, {"a/**/b", "a/x/y/b", true}, {"a/**/b", "a/xb", false}, {"a/**/b/**/c", "a/b/c", true},
		{"a/**/b/**/c", "a/x/b/y/c", true}, {"a/**/b/**/c", "a/x/y/c", false}, {"**/*.go", "x.go", true}, {"**/*.go", "a/.b/x.go", true},
		{"{a,b}", "a", true}, {"{a,b}", "b", true}, {"{a,b}", "c", false}, {"x.{go,mod}", "x.mod", true},
		{"{a,{b,c}d}", "cd", true}, {"{a,{b,c}d}", "a", true}, {"{a,{b,c}d}", "b", false}, {"{a,b}/{c,d}", "b/c", true},
		{"{src,lib}/**", "lib/x/y", true}, {"{*.go,*.rs}", "m.rs", true}, {"{a/b,c}", "a/b", true}, {"a{,x}", "a", true}, {"a{,x}", "ax", true},
		{"{**/a,b}", "x/y/a", true},
		{"!a", "a", false}, {"!a", "b", true}, {"!docs/**", "docs/a", false}, {"!docs/**", "docs", true}, {"a!", "a!", true},
		{"./a", "a", true}, {"/a", "a", true}, {"a", "./a", true}, {"a", "/a", true}, {`a\b`, "a/b", true}, {"a/b", `a\b`, true},
		{"!./a", "a", false}, {"a/b", "a//b", true}, {"a/b", "a/./b", true}, {"b", "a/../b", true}, {"a", "a/", true},
		{"**", "../a", false}, {"!x", "../a", false}, {"a", "b/../../a", false}, {"**", "..", false},
		{"#a", "#a", true}, {"a#b", "a#b", true}, {"#a", "b", false}, {"a b", "a b", true}, {".a", ".a", true}, {"..a", "..a", true},
		{"a.b", "axb", false}, {"a+b", "a+b", true}, {"(a)", "(a)", true}, {"$a^", "$a^", true}, {"ä*", "äö", true},
	} {
		t.Run(c.pattern+" "+c.path, func(t *testing.T) {
			got, err := plan.Match(c.pattern, c.path)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	for _, pattern := range []string{
		"", "a/", "!", "!a/", ".", "..", "a/..", "a/../b", "a/./b", "../a", "a**b", "a/**b", "a**/b", "***", "+(a|b)", "@(a)", "?(a)", "*(a)",
		"!(a)", "x/!(a)", "{a", "{a}", "{}", "a{b,c", "{a,{b}", "/", "./", "x/{a}/y", "**/", `a\`,
	} {
		t.Run("refused "+pattern, func(t *testing.T) {
			got, err := plan.Match(pattern, "a")
			require.Error(t, err)
			assert.False(t, got)
			_, err = plan.NewPathPolicy([]string{pattern}, nil, nil)
			require.Error(t, err)
		})
	}
}

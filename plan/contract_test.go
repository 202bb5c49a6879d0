package plan_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/plan"
)

const contractText = `{ "commands": ["go vet ./..."], "byRole": {"tester": ["cd e2e && npm test"]},
  "rules": [{"whenChangedAny": ["services/billing/**"], "commands": ["cd services/billing && go test ./..."]}] }`

func TestParseContract(t *testing.T) {
	c, err := plan.ParseContract([]byte(contractText))
	require.NoError(t, err)
	assert.Equal(t, []string{"go vet ./..."}, c.Always)
	assert.Equal(t, map[string][]string{"tester": {"cd e2e && npm test"}}, c.ByRole)
	assert.Equal(t, []plan.ContractRule{{WhenChangedAny: []string{"services/billing/**"}, Commands: []string{"cd services/billing && go test ./..."}}}, c.Rules)
	assert.Len(t, c.Hash, 64)
	other, err := plan.ParseContract([]byte(contractText + "\n"))
	require.NoError(t, err)
	assert.NotEqual(t, c.Hash, other.Hash, "the hash is that of the document")

	for _, text := range []string{"{}", ` { "$schema" : "x" } `, `{"commands":[],"byRole":{},"rules":[]}`, `{"byRole":{"a":[]}}`,
		" \n\t{ }\r\n", `{"byRole":{"a-b_c9":["x"]}}`, `{"rules":[{"commands":["x"]}]}`, `{"rules":[{"commands":["x"],"whenChangedAll":["b"]}],"commands":["y"]}`,
		`{"command\u0073":["grep \"a b\" c"]}`, `{"commands":["x","x"]}`, `{"rules":[{"whenChangedAny":["!docs/**","#a"],"commands":["x"]}]}`,
	} {
		_, err := plan.ParseContract([]byte(text))
		assert.NoError(t, err, text)
	}
}

func TestParseContractFaults(t *testing.T) {
	for _, test := range []struct {
		text, path string
		column     int // in the first line
		says       string
	}{
		{``, "", 1, "ends too early"},
		{`{`, "", 2, "ends too early"},
		{`[]`, "", 1, "an object"},
		{`null`, "", 1, "an object"},
		{`{"commands":[}`, "", 14, "not JSON"},
		{`{"commands":["a",]}`, "", 18, "not JSON"},
		{`{"commands":[] "rules":[]}`, "", 16, "not JSON"},
		{`{"commands":["` + "\xff" + `"]}`, "", 15, "UTF-8"},
		{"\ufeff{}", "", 1, "not JSON"},
		{`{} {}`, "", 4, "behind the object"},
		{`{} x`, "", 4, "behind the object"},
		{`{"command":[]}`, "command", 2, "no such key"},
		{`{"Commands":[]}`, "Commands", 2, "no such key"},
		{`{"commands":[],"commands":[]}`, "commands", 16, "twice"},
		{`{"commands":null}`, "commands", 13, "a list"},
		{`{"commands":"make"}`, "commands", 13, "a list"},
		{`{"commands":["a",1]}`, "commands[1]", 18, "a string"},
		{`{"commands":[["a"]]}`, "commands[0]", 14, "a string"},
		{`{"commands":[null]}`, "commands[0]", 14, "a string"},
		{`{"commands":[" "]}`, "commands[0]", 14, "blank"},
		{`{"commands":["a | b"]}`, "commands[0]", 14, "operator"},
		{`{"commands":["cd x"]}`, "commands[0]", 14, "cd"},
		{`{"byRole":[]}`, "byRole", 11, "an object"},
		{`{"byRole":{"Tester":[]}}`, "byRole.Tester", 12, "a role"},
		{`{"byRole":{"":[]}}`, "byRole.", 12, "a role"},
		{`{"byRole":{"a":[],"a":[]}}`, "byRole.a", 19, "twice"},
		{`{"byRole":{"a":["b;"]}}`, "byRole.a[0]", 17, "operator"},
		{`{"rules":{}}`, "rules", 10, "a list"},
		{`{"rules":["a"]}`, "rules[0]", 11, "an object"},
		{`{"rules":[{"commands":["a"]},{}]}`, "rules[1]", 30, "needs commands"},
		{`{"rules":[{"commands":[]}]}`, "rules[0].commands", 23, "empty"},
		{`{"rules":[{"commands": [ ]}]}`, "rules[0].commands", 24, "empty"},
		{`{"rules":[{"whenChangedAny":["a"],"whenChangedAll":[]}]}`, "rules[0].whenChangedAll", 52, "empty"},
		{`{"rules":[ {"whenChangedAny":["a"]}]}`, "rules[0]", 12, "needs commands"},
		{`{"rules":[{"commands":["a"],"when":[]}]}`, "rules[0].when", 29, "no such key"},
		{`{"rules":[{"whenChangedAny":[],"commands":["a"]}]}`, "rules[0].whenChangedAny", 29, "empty"},
		{`{"rules":[{"whenChangedAll":[""],"commands":["a"]}]}`, "rules[0].whenChangedAll[0]", 30, "blank"},
		{`{"rules":[{"whenChangedAll":["a","b/"],"commands":["a"]}]}`, "rules[0].whenChangedAll[1]", 34, "slash"},
		{`{"rules":[{"whenChangedAny":"a","commands":["a"]}]}`, "rules[0].whenChangedAny", 29, "a list"},
		{`{"$schema":1}`, "$schema", 12, "a string"},
		{"{\"commands\":[]// x\n}", "", 15, "not JSON"},
		{`{'commands': []}`, "", 2, "not JSON"},
		{`1`, "", 1, "an object"},
		{` "x"`, "", 2, "an object"},
		{`{"commands":{}}`, "commands", 13, "a list"},
		{`{"commands":[""]}`, "commands[0]", 14, "blank"},
		{`{"commands":["a","source b"]}`, "commands[1]", 18, "builtin"},
		{`{"byRole":null}`, "byRole", 11, "an object"},
		{`{"byrole":{}}`, "byrole", 2, "no such key"},
		{`{"byRole":{"a":"x"}}`, "byRole.a", 16, "a list"},
		{`{"byRole":{"a":null}}`, "byRole.a", 16, "a list"},
		{`{"byRole":{"1a":[]}}`, "byRole.1a", 12, "a role"},
		{`{"byRole":{"a b":[]}}`, "byRole.a b", 12, "a role"},
		{`{"byRole":{"ä":[]}}`, "byRole.ä", 12, "a role"},
		{`{"byRole":{"a":["ü",""]}}`, "byRole.a[1]", 22, "blank"},
		{`{"rules":null}`, "rules", 10, "a list"},
		{`{"rules":[null]}`, "rules[0]", 11, "an object"},
		{`{"rules":[{"commands":null}]}`, "rules[0].commands", 23, "a list"},
		{`{"rules":[{"commands":[""]}]}`, "rules[0].commands[0]", 24, "blank"},
		{`{"rules":[{"whenChangedAny":null,"commands":["x"]}]}`, "rules[0].whenChangedAny", 29, "a list"},
		{`{"rules":[{"whenChangedAny":["a",2],"commands":["x"]}]}`, "rules[0].whenChangedAny[1]", 34, "a string"},
		{`{"rules":[{"$schema":"x","commands":["x"]}]}`, "rules[0].$schema", 12, "no such key"},
		{`{"rules":[{"commands":["x"],"commands":["x"]}]}`, "rules[0].commands", 29, "twice"},
		{`{"commands":[],"command\u0073":[]}`, "commands", 16, "twice"},
		{`{"$schema":"a","$schema":"a"}`, "$schema", 16, "twice"},
		// of several, the first in the document
		{`{"commands":["a|b"],"x":1}`, "commands[0]", 14, "operator"},
		{`{"x":1,"commands":["a|b"]}`, "x", 2, "no such key"},
		{`{"commands":[""], oops`, "commands[0]", 14, "blank"},
		{`{"byRole":{"a":[1],"B":[]}}`, "byRole.a[0]", 17, "a string"},
		{`{"rules":[{"whenChangedAny":["../a"]}]}`, "rules[0].whenChangedAny[0]", 30, ".."},
		{`{"rules":[{"commands":[""]},7]}`, "rules[0].commands[0]", 24, "blank"},
		{`{"x":1,`, "x", 2, "no such key"},
	} {
		t.Run(test.text, func(t *testing.T) {
			c, err := plan.ParseContract([]byte(test.text))
			assert.Nil(t, c)
			var fault *plan.ContractError
			require.ErrorAs(t, err, &fault)
			assert.Equal(t, test.path, fault.Path)
			assert.Equal(t, [2]int{1, test.column}, [2]int{fault.Line, fault.Column})
			assert.Contains(t, fault.Error(), test.says)
		})
	}
}

func TestParseContractCountsLines(t *testing.T) {
	for text, want := range map[string][2]int{
		"{\n// x\n}": {2, 1}, "{}\nx": {2, 1}, "{\n  \"commands\": {}}": {2, 15}, "{\"commands\": [\n\"x\",\n  \"\"]}": {3, 3}, "{\r\n\"rules\": [\r\n{}]}": {3, 1},
	} {
		_, err := plan.ParseContract([]byte(text))
		var fault *plan.ContractError
		require.ErrorAs(t, err, &fault, text)
		assert.Equal(t, want, [2]int{fault.Line, fault.Column}, text)
	}
}

func TestContractErrorHoldsTheCause(t *testing.T) {
	_, err := plan.ParseContract([]byte("{\n \"commands\": [\n  \"make && cd ..\"\n ]}"))
	var refused *command.SplitError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, "cd", refused.Class)
	assert.EqualError(t, err, `contract line 3, column 3: commands[0]: cannot split the command at byte 8: cd: it takes one directory inside the tree, and a program behind &&`)
}

func TestContractCommands(t *testing.T) {
	c, err := plan.ParseContract([]byte(`{
		"commands": ["make lint"],
		"byRole": {"worker": ["make work"], "tester": [" make lint ", "make e2e"]},
		"rules": [
			{"commands": ["make always"]},
			{"whenChangedAny": ["a/**", "b"], "commands": ["make any"]},
			{"whenChangedAll": ["a/**", "b"], "commands": ["make all"]},
			{"whenChangedAny": ["c"], "whenChangedAll": ["b"], "commands": ["make both", "make any"]},
			{"whenChangedAny": ["!a/**"], "commands": ["make outside"]}
		]}`))
	require.NoError(t, err)
	for _, test := range []struct {
		role    string
		changed []string
		want    string
	}{
		{"", nil, "lint work always"},
		{" Worker ", nil, "lint work always"},
		{"TESTER", nil, "lint e2e always"},
		{"nobody", nil, "lint always"},
		{"nobody", []string{"a/x"}, "lint always any"},
		{"nobody", []string{"b"}, "lint always any outside"},
		{"nobody", []string{"a/x", "./b"}, "lint always any all outside"},
		{"nobody", []string{"c", "b"}, "lint always any both outside"},
		{"nobody", []string{"c"}, "lint always outside"},
		{"nobody", []string{"../b"}, "lint always"},
		{"", []string{"a/x"}, "lint work always any"},
		{" \n", []string{`a\x`}, "lint work always any"},
		{"nobody", []string{"x/b"}, "lint always outside"},
		{"nobody", []string{"b", "c"}, "lint always any both outside"},
		{"nobody", []string{}, "lint always"},
	} {
		want := strings.Fields(test.want)
		for i := range want {
			want[i] = "make " + want[i]
		}
		assert.Equal(t, want, c.Commands(test.role, test.changed), "%s %v", test.role, test.changed)
	}
	assert.Nil(t, (*plan.Contract)(nil).Commands("", nil))

	// One that is negated fires if some file is another, and never without any.
	negated := &plan.Contract{Rules: []plan.ContractRule{{WhenChangedAny: []string{"!a"}, Commands: []string{"x"}}, {WhenChangedAll: []string{"!a"}, Commands: []string{"y"}}}}
	assert.Equal(t, []string{"x", "y"}, negated.Commands("", []string{"a", "b"}))
	assert.Empty(t, negated.Commands("", []string{"a"}))
	assert.Empty(t, negated.Commands("", []string{}))
}

func TestLoadContract(t *testing.T) {
	tree := fstest.MapFS{
		plan.DefaultContractPath: {Data: []byte(contractText)},
		"bad.json":               {Data: []byte("{\n x")},
		"dir/x":                  {},
	}
	for _, name := range []string{"", plan.DefaultContractPath, "./.opentiger/../.opentiger/verify.contract.json"} {
		c, err := plan.LoadContract(tree, name)
		require.NoError(t, err, name)
		assert.Equal(t, []string{"go vet ./..."}, c.Always)
	}
	for _, name := range []string{"none.json", "no/such/dir.json"} {
		_, err := plan.LoadContract(tree, name)
		assert.ErrorIs(t, err, plan.ErrNoContract)
		assert.ErrorIs(t, err, fs.ErrNotExist)
	}
	_, err := plan.LoadContract(tree, "dir")
	assert.Error(t, err)
	assert.NotErrorIs(t, err, plan.ErrNoContract)
	for _, name := range []string{"../x", "/etc/passwd", `a\..\..\x`, "C:/x", "bad.json"} {
		_, err := plan.LoadContract(tree, name)
		var fault *plan.ContractError
		assert.ErrorAs(t, err, &fault, name)
	}
}

// FuzzParseContract holds that nothing panics, that a fault lies in the document,
// and that a contract can be written and read again.
func FuzzParseContract(f *testing.F) {
	f.Add([]byte(contractText))
	f.Add([]byte(`{"rules":[{"whenChangedAll":["[a"],"commands":["x"]}]}`))
	f.Add([]byte("{\"commands\":[\"\xff\n"))
	f.Add([]byte(`{"$schema":"","byRole":{"a_-9":["'\u00e9'"]}} 7`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := plan.ParseContract(data)
		if err != nil {
			var fault *plan.ContractError
			require.ErrorAs(t, err, &fault)
			lines := bytes.Split(data, []byte("\n"))
			require.True(t, fault.Line >= 1 && fault.Line <= len(lines), "%d of %d lines", fault.Line, len(lines))
			assert.True(t, fault.Column >= 1 && fault.Column <= len(lines[fault.Line-1])+1, "column %d of %q", fault.Column, lines[fault.Line-1])
			return
		}
		text, err := json.Marshal(c)
		require.NoError(t, err)
		again, err := plan.ParseContract(text)
		require.NoError(t, err, "%s", text)
		again.Hash = c.Hash
		if len(c.Always) == 0 {
			c.Always = nil
		}
		if len(c.ByRole) == 0 {
			c.ByRole = nil
		}
		assert.Equal(t, c, again)
	})
}

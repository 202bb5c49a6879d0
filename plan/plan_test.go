package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestCommandID(t *testing.T) {
	assert.Equal(t, "3307f700", plan.CommandID(plan.SourceExplicit, "npm run verify"))
	assert.Equal(t, "b6a38401", plan.CommandID(plan.SourceAuto, "go vet ./..."))
	assert.Equal(t, "8e74e7cf", plan.CommandID(plan.SourceAuto, "cd services/billing && go test ./..."))
	assert.NotEqual(t, plan.CommandID(plan.SourceAuto, "x"), plan.CommandID(plan.SourceExplicit, "x"))
}

func TestPlanJSON(t *testing.T) {
	p := &plan.Plan{
		Commands: []plan.Command{{ID: "1", Line: "make a && make b", Source: plan.SourceExplicit, Origin: "author"}},
		Changed:  []string{},
		Dropped:  []plan.Dropped{{Command: plan.Command{ID: "2", Line: "c", Source: plan.SourceAuto, Origin: "model"}, Reason: plan.CodeMissingScript}},
	}
	data, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, `{"version":1,"commands":[{"id":"1","line":"make a && make b","source":"explicit","origin":"author"}],"changed":[],
		"dropped":[{"id":"2","line":"c","source":"auto","origin":"model","reason":"verification_command_missing_script"}],"contractHash":"","warnings":[]}`, string(data))
	var again plan.Plan
	require.NoError(t, json.Unmarshal(data, &again))
	assert.Equal(t, p.Commands, again.Commands)
	assert.Equal(t, p.Dropped, again.Dropped)
	assert.NotNil(t, again.Changed, "no change is not an unknown one")

	byValue, err := json.Marshal(*p)
	require.NoError(t, err)
	assert.JSONEq(t, string(data), string(byValue))
	empty, err := json.Marshal(plan.Plan{})
	require.NoError(t, err)
	assert.JSONEq(t, `{"version":1,"commands":[],"changed":null,"dropped":[],"contractHash":"","warnings":[]}`, string(empty))
	require.NoError(t, json.Unmarshal(empty, &again))
	assert.Nil(t, again.Changed)
	assert.Nil(t, (*plan.Plan)(nil).Lines())
}

func TestPlanJSONRefuses(t *testing.T) {
	for text, name := range map[string]string{
		`{"version":2,"commands":[]}`: "version",
		`{"version":-1}`:              "version",
		`{"version":1,"commands":[{"line":"x","source":"auto"},{"line":"x"}]}`: "commands[1].source",
		`{"dropped":[{"line":"x","source":"Auto"}]}`:                           "dropped[0].source",
	} {
		kept := plan.Plan{ContractHash: "kept"}
		err := json.Unmarshal([]byte(text), &kept)
		var fault *plan.OptionError
		require.ErrorAs(t, err, &fault, text)
		assert.Equal(t, name, fault.Name)
		assert.Equal(t, "kept", kept.ContractHash)
	}
	assert.Error(t, json.Unmarshal([]byte(`{"commands":"x"}`), &plan.Plan{}))
	assert.NoError(t, json.Unmarshal([]byte(`{"version":1,"later":true}`), &plan.Plan{}))
}

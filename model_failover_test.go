package mend_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// overloaded is what a provider says that is down.
func overloaded(name string) mendtest.Turn {
	return mendtest.Turn{Err: &mend.ProviderError{Kind: mend.KindOverloaded, Provider: name, Status: 529}}
}

// signing adds to each answer what only its own provider understands.
type signing struct{ mend.Provider }

func (s signing) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	resp, err := s.Provider.Complete(ctx, req)
	if err == nil {
		resp.Message.Opaque = map[string]json.RawMessage{s.Name(): json.RawMessage(`"signed"`)}
	}
	return resp, err
}

// The provider that generated goes down during the repair: the next one goes on
// with the conversation, in the same call.
func TestModelRepairSurvivesASwitchOfProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := mendtest.NewScriptedProvider("first", submitted("frobnicate --version", "{version}"), overloaded("first"), overloaded("first"))
		second := mendtest.NewScriptedProvider("second", submitted("frob --version", "{version}"))
		var events []mend.Event
		observe := func(_ context.Context, e mend.Event) { events = append(events, e) }
		p := mend.NewFailover([]mend.Provider{signing{first}, second}, &mend.FailoverOptions{Observer: observe})
		res, err := buildModel(t, mendtest.NewReplay(missing("frobnicate"), frob()), p, nil, nil)
		require.NoError(t, err)
		assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
		assert.Equal(t, "second", res.Provider)
		assert.Equal(t, 1, res.RepairAttempts)

		again := first.Requests()[1].Messages
		assert.NotEmpty(t, again[1].Opaque, "its own turns go back to a provider as they were")
		got := second.Requests()[0].Messages
		require.Len(t, got, 3, "the whole conversation")
		assert.Equal(t, mend.RoleAssistant, got[1].Role)
		assert.NotEmpty(t, got[1].ToolCalls)
		assert.Empty(t, got[1].Opaque)
		assert.Contains(t, got[2].Content, "frobnicate: not found")
		require.NotEmpty(t, events)
		assert.Equal(t, mend.EventProviderFailover, events[0].Kind)
		assert.Equal(t, "second", events[0].Next)
	})
}

func TestModelWhenAllProvidersAreDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := mend.NewFailover([]mend.Provider{
			mendtest.NewScriptedProvider("first", overloaded("first"), overloaded("first")),
			mendtest.NewScriptedProvider("second", overloaded("second"), overloaded("second")),
		}, nil)
		_, err := buildModel(t, mendtest.NewReplay(frob()), p, nil, nil)
		var outage *mend.OutageError
		require.ErrorAs(t, err, &outage)
		assert.Len(t, outage.Reasons, 2)
		assert.False(t, outage.RetryAt.IsZero())
	})
}

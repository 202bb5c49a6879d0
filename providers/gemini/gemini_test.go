package gemini_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/gemini"
	"github.com/mendkit/mend/providers/internal/paritytest"
)

// ask makes one call that is answered with body and returns what was sent and what
// came.
func ask(t *testing.T, body string, messages ...mend.Message) (wireRequest, *mend.CompletionResponse, error) {
	var sent wireRequest
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		sent = decode[wireRequest](data)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	defer s.Close()
	p, err := gemini.New(gemini.Options{Model: "m", APIKey: strings.Repeat("k", 9), BaseURL: s.URL})
	require.NoError(t, err)
	resp, err := p.Complete(t.Context(), &mend.CompletionRequest{Messages: messages, Tools: []mend.ToolDef{{Name: "list"}}})
	return sent, resp, err
}

func fine() string { return answer(paritytest.Answer{Text: "fine", Stop: mend.StopEndTurn}) }

var hello = mend.Message{Role: mend.RoleUser, Content: "hello"}

func resultsOf(turn mend.Message) mend.Message {
	m := mend.Message{Role: mend.RoleUser}
	for _, c := range turn.ToolCalls {
		m.ToolResults = append(m.ToolResults, mend.ToolResult{CallID: c.ID, Content: "a"})
	}
	return m
}

func calling(parts string) string {
	return `{"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[` + parts + `]}}]}`
}

// Gemini 3 refuses a call without a signature, and of parallel calls only the first
// has one.
func TestForeignCallsGetThePlaceholderSignature(t *testing.T) {
	turn := mend.Message{
		Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "toolu_1", Name: "list"}, {ID: "toolu_2", Name: "list"}},
	}
	sent, _, err := ask(t, fine(), hello, turn, resultsOf(turn))
	require.NoError(t, err)
	parts := sent.Contents[1].Parts
	assert.Equal(t, "skip_thought_signature_validator", parts[0].ThoughtSignature)
	assert.Empty(t, parts[1].ThoughtSignature)
	for i := range parts { // whatever id another API gave it
		assert.Empty(t, parts[i].FunctionCall.ID)
		assert.Empty(t, sent.Contents[2].Parts[i].FunctionResponse.ID)
		assert.Equal(t, "list", sent.Contents[2].Parts[i].FunctionResponse.Name)
	}
}

// A turn of this API goes back as it came, without a signature if it had none.
func TestOwnCallsKeepWhatTheyHad(t *testing.T) {
	_, resp, err := ask(t, calling(`{"functionCall":{"name":"list"}}`), hello)
	require.NoError(t, err)
	sent, _, err := ask(t, fine(), hello, resp.Message, resultsOf(resp.Message))
	require.NoError(t, err)
	assert.Empty(t, sent.Contents[1].Parts[0].ThoughtSignature)
}

func TestCallIDsAreMadeUpAndDroppedAgain(t *testing.T) {
	_, resp, err := ask(t, calling(`{"functionCall":{"name":"list"}},{"functionCall":{"name":"read"}},{"functionCall":{"name":"list"}}`), hello)
	require.NoError(t, err)
	ids := func(m mend.Message) (ids []string) {
		for _, c := range m.ToolCalls {
			ids = append(ids, c.ID)
			assert.Equal(t, "{}", string(c.Arguments))
		}
		return ids
	}
	assert.Equal(t, []string{"list#1", "read#2", "list#3"}, ids(resp.Message))

	sent, next, err := ask(t, calling(`{"functionCall":{"name":"list"}}`), hello, resp.Message, resultsOf(resp.Message))
	require.NoError(t, err)
	assert.Equal(t, []string{"list#4"}, ids(next.Message))
	for i := range 3 {
		assert.Empty(t, sent.Contents[1].Parts[i].FunctionCall.ID)
		assert.Empty(t, sent.Contents[2].Parts[i].FunctionResponse.ID)
	}

	// The beginning of the history is gone, and with it how far the count was.
	_, next, err = ask(t, calling(`{"functionCall":{"name":"list"}}`), hello, mend.Message{
		Role: mend.RoleAssistant, ToolCalls: []mend.ToolCall{{ID: "list#2", Name: "list"}},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"list#3"}, ids(next.Message))
}

func TestCallIDsOfTheAPIAreKept(t *testing.T) {
	_, resp, err := ask(t, calling(`{"functionCall":{"name":"list","id":"x1"}}`), hello)
	require.NoError(t, err)
	assert.Equal(t, "x1", resp.Message.ToolCalls[0].ID)
	sent, _, err := ask(t, fine(), hello, resp.Message, resultsOf(resp.Message))
	require.NoError(t, err)
	assert.Equal(t, "x1", sent.Contents[1].Parts[0].FunctionCall.ID)
	assert.Equal(t, "x1", sent.Contents[2].Parts[0].FunctionResponse.ID)
}

func TestFinishReasons(t *testing.T) {
	for raw, want := range map[string]mend.StopReason{
		"RECITATION": mend.StopContentFilter, "BLOCKLIST": mend.StopContentFilter, "PROHIBITED_CONTENT": mend.StopContentFilter,
		"SPII": mend.StopContentFilter, "LANGUAGE": mend.StopOther, "NEWS": mend.StopOther,
	} {
		_, resp, err := ask(t, strings.Replace(fine(), "STOP", raw, 1), hello)
		require.NoError(t, err)
		assert.Equal(t, want, resp.StopReason, raw)
		assert.Equal(t, raw, resp.RawStopReason)
	}
	for _, raw := range []string{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"} {
		_, _, err := ask(t, strings.Replace(fine(), "STOP", raw, 1), hello)
		var pe *mend.ProviderError
		require.ErrorAs(t, err, &pe, raw)
		assert.Equal(t, mend.KindBadResponse, pe.Kind)
		assert.ErrorContains(t, err, raw)
	}
}

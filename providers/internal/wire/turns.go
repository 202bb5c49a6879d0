package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mendkit/mend"
)

// Object returns the arguments of a call as a JSON object, which is what APIs take
// back. What is none goes as {"INVALID_JSON": "…"}, the form that Claude's
// documentation gives it, so that the model sees what it wrote.
func Object(arguments json.RawMessage) json.RawMessage {
	text := bytes.TrimSpace(arguments)
	if len(text) == 0 {
		return json.RawMessage("{}")
	}
	if text[0] == '{' && json.Valid(text) {
		return text
	}
	wrapped, err := json.Marshal(map[string]string{"INVALID_JSON": string(text)})
	if err != nil { // cannot happen: it is a map of strings
		panic(err)
	}
	return wrapped
}

// Schema returns the JSON Schema of a tool's parameters: of an empty object if the
// tool has none.
func Schema(t mend.ToolDef) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// IsBlank reports whether a text says nothing. APIs refuse blocks of such text.
func IsBlank(text string) bool { return strings.TrimSpace(text) == "" }

var plainID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// CallIDs returns what stands for each call id of the conversation on the wire: the
// id itself, or a new one where it has more bytes than max or other characters than
// A-Z, a-z, 0-9, _ and -, as an id may have that another provider made up.
func CallIDs(messages []mend.Message, max int) map[string]string {
	ids, taken := make(map[string]string), make(map[string]bool)
	var foreign []string
	see := func(id string) {
		if len(id) <= max && plainID.MatchString(id) {
			ids[id], taken[id] = id, true
		} else if !slices.Contains(foreign, id) {
			foreign = append(foreign, id)
		}
	}
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			see(c.ID)
		}
		for _, r := range m.ToolResults {
			see(r.CallID)
		}
	}
	n := 0
	for _, id := range foreign {
		for ids[id] == "" {
			n++
			if candidate := fmt.Sprintf("call_%d", n); !taken[candidate] {
				ids[id] = candidate
			}
		}
	}
	return ids
}

// NameCalls gives each call an id that no other call of the conversation has: name#n,
// counted over the conversation, where the API gave none or one that is taken.
func NameCalls(messages []mend.Message, calls []mend.ToolCall) {
	taken := map[string]bool{"": true}
	n := 0
	for _, m := range messages {
		for _, c := range m.ToolCalls {
			taken[c.ID] = true
			n++
		}
	}
	for i := range calls {
		n++
		for k := n; taken[calls[i].ID]; k++ {
			calls[i].ID = fmt.Sprintf("%s#%d", calls[i].Name, k)
		}
		taken[calls[i].ID] = true
	}
}

// SameTurn reports whether m still says what was read from the provider's own form
// of it, so that this form may stand for it. Ids do not count: some are made up.
func SameTurn(m, read mend.Message) bool {
	return m.Content == read.Content && slices.EqualFunc(m.ToolCalls, read.ToolCalls, func(a, b mend.ToolCall) bool {
		return a.Name == b.Name && bytes.Equal(compact(a.Arguments), compact(b.Arguments))
	})
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// Settle fills in what every adapter has to say the same way about an answer, and
// returns an error if the turn is empty though the model ended it.
func (c *Caller) Settle(a *Answer, resp *mend.CompletionResponse) (*mend.CompletionResponse, error) {
	resp.Message.Role = mend.RoleAssistant
	resp.Provider = c.Name
	resp.RequestID = c.ID(a)
	switch {
	case len(resp.Message.ToolCalls) > 0:
		resp.StopReason = mend.StopToolUse
	case resp.StopReason == mend.StopToolUse: // it says so, and calls none
		resp.StopReason = mend.StopOther
	}
	ended := resp.StopReason == mend.StopEndTurn || resp.StopReason == mend.StopOther
	if ended && len(resp.Message.ToolCalls) == 0 && IsBlank(resp.Message.Content) {
		return nil, c.Fail(a, Fault{Kind: mend.KindBadResponse, Code: resp.RawStopReason, Text: "the turn is empty"})
	}
	return resp, nil
}

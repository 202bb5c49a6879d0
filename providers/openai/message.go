package openai

import (
	"bytes"
	"encoding/json"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// message is an assistant's turn as servers send it. Some add fields that they, or the
// API behind them, need to get back with it: OpenRouter the details of reasoning,
// DeepSeek the reasoning of a turn that calls tools, Google's server the signature of
// a thought. Other fields that this API does not have are not sent back: many servers
// refuse what they do not know.
type message struct {
	Content   string     `json:"content"`
	Refusal   string     `json:"refusal"`
	ToolCalls []toolCall `json:"tool_calls"`

	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
}

type toolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`

	ExtraContent json.RawMessage `json:"extra_content"`
}

// arguments are what the model wrote, which the API sends in a string. Some servers
// send the object itself.
type arguments json.RawMessage

func (a *arguments) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil && text != "":
		*a = arguments(text)
	case bytes.HasPrefix(data, []byte(`{`)):
		*a = append(arguments(nil), data...)
	default:
		*a = arguments(wire.Object(nil))
	}
	return nil
}

// neutral returns what the turn says. A refusal is what it says if it says no more.
func (m message) neutral() mend.Message {
	out := mend.Message{Role: mend.RoleAssistant, Content: m.Content}
	if out.Content == "" {
		out.Content = m.Refusal
	}
	for _, c := range m.ToolCalls {
		text := json.RawMessage(c.Function.Arguments)
		if len(bytes.TrimSpace(text)) == 0 {
			text = wire.Object(nil)
		}
		out.ToolCalls = append(out.ToolCalls, mend.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: text})
	}
	return out
}

// extras returns the fields of the turn that have to go back with it.
func (m message) extras() map[string]any {
	extras := make(map[string]any)
	if isThere(m.ReasoningDetails) {
		extras["reasoning_details"] = m.ReasoningDetails
	}
	if isThere(m.ReasoningContent) && len(m.ToolCalls) > 0 {
		extras["reasoning_content"] = m.ReasoningContent
	}
	return extras
}

func (c toolCall) extras() map[string]any {
	if !isThere(c.ExtraContent) {
		return nil
	}
	return map[string]any{"extra_content": c.ExtraContent}
}

// hasExtras reports whether there is anything to keep of the turn.
func (m message) hasExtras() bool {
	for _, c := range m.ToolCalls {
		if c.extras() != nil {
			return true
		}
	}
	return len(m.extras()) > 0
}

func isThere(field json.RawMessage) bool {
	return len(field) > 0 && !bytes.Equal(field, []byte("null"))
}

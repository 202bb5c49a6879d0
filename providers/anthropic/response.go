package anthropic

import (
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// block is what a content block says in neutral terms.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// read returns the turn that the blocks make.
func read(blocks []block) mend.Message {
	m := mend.Message{Role: mend.RoleAssistant}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			m.Content += b.Text
		case "tool_use":
			arguments := b.Input
			if len(arguments) == 0 {
				arguments = wire.Object(nil)
			}
			m.ToolCalls = append(m.ToolCalls, mend.ToolCall{ID: b.ID, Name: b.Name, Arguments: arguments})
		}
	}
	return m
}

func (p *Provider) response(message *sdk.Message, history []mend.Message) *mend.CompletionResponse {
	var (
		blocks []block
		raw    []json.RawMessage
		more   bool // than text and calls
	)
	for _, c := range message.Content {
		b := block{Type: c.Type, Text: c.Text, ID: c.ID, Name: c.Name, Input: c.Input}
		more = more || b.Type != "text" && b.Type != "tool_use"
		blocks, raw = append(blocks, b), append(raw, json.RawMessage(c.RawJSON()))
	}
	resp := &mend.CompletionResponse{
		Message:       read(blocks),
		StopReason:    stopReason(message.StopReason),
		RawStopReason: string(message.StopReason),
		Usage:         usage(message.Usage),
		Model:         string(message.Model),
	}
	wire.NameCalls(history, resp.Message.ToolCalls) // a server that speaks as this API does may repeat ids
	if kept, err := json.Marshal(raw); more && err == nil {
		resp.Message.Opaque = map[string]json.RawMessage{p.settings.Name: kept}
	}
	return resp
}

func stopReason(r sdk.StopReason) mend.StopReason {
	switch r {
	case sdk.StopReasonEndTurn, sdk.StopReasonStopSequence:
		return mend.StopEndTurn
	case sdk.StopReasonToolUse:
		return mend.StopToolUse
	case sdk.StopReasonMaxTokens:
		return mend.StopMaxTokens
	case sdk.StopReasonRefusal:
		return mend.StopContentFilter
	case sdk.StopReasonModelContextWindowExceeded:
		return mend.StopContextLength
	case sdk.StopReasonPauseTurn:
		return mend.StopPause
	}
	return mend.StopOther
}

// usage adds what was cached to the input, from which this API leaves it out.
func usage(u sdk.Usage) mend.Usage {
	return mend.Usage{
		InputTokens:      u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		OutputTokens:     u.OutputTokens,
		CacheReadTokens:  u.CacheReadInputTokens,
		CacheWriteTokens: u.CacheCreationInputTokens,
		ReasoningTokens:  u.OutputTokensDetails.ThinkingTokens,
	}
}

package openai

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

func (p *Provider) response(a *wire.Answer, completion *sdk.ChatCompletion, history []mend.Message) (*mend.CompletionResponse, error) {
	choice := completion.Choices[0]
	raw := json.RawMessage(choice.Message.RawJSON())
	var m message
	switch {
	case choice.FinishReason == "error":
		return nil, p.caller.Fail(a, explainChoice(choice.RawJSON()))
	case json.Unmarshal(raw, &m) != nil:
		return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindBadResponse, Text: "message is not of this API's form"})
	}
	resp := &mend.CompletionResponse{
		Message:       m.neutral(),
		StopReason:    stopReason(choice.FinishReason),
		RawStopReason: choice.FinishReason,
		Usage:         usage(completion.Usage),
		Model:         completion.Model,
	}
	if m.Refusal != "" {
		resp.StopReason = mend.StopContentFilter
	}
	if m.hasExtras() {
		resp.Message.Opaque = map[string]json.RawMessage{p.settings.Name: raw}
	}
	wire.NameCalls(history, resp.Message.ToolCalls)
	return p.caller.Settle(a, resp)
}

func stopReason(r string) mend.StopReason {
	switch r {
	case "stop":
		return mend.StopEndTurn
	case "tool_calls", "function_call":
		return mend.StopToolUse
	case "length":
		return mend.StopMaxTokens
	case "content_filter":
		return mend.StopContentFilter
	}
	return mend.StopOther
}

// usage needs no sums: the API's totals include what was cached and reasoned.
func usage(u sdk.CompletionUsage) mend.Usage {
	return mend.Usage{
		InputTokens:      u.PromptTokens,
		OutputTokens:     u.CompletionTokens,
		CacheReadTokens:  u.PromptTokensDetails.CachedTokens,
		CacheWriteTokens: u.PromptTokensDetails.CacheWriteTokens,
		ReasoningTokens:  u.CompletionTokensDetails.ReasoningTokens,
	}
}

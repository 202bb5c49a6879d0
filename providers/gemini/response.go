package gemini

import (
	"encoding/json"

	"google.golang.org/genai"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// response is what of an answer has to be read from the wire: the turn unchanged, and
// counts that the SDK's response has too.
type response struct {
	Candidates []struct {
		Content      json.RawMessage    `json:"content"`
		FinishReason genai.FinishReason `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage        usageMetadata `json:"usageMetadata"`
	ModelVersion string        `json:"modelVersion"`
}

type usageMetadata struct {
	Prompt     int64 `json:"promptTokenCount"`
	ToolPrompt int64 `json:"toolUsePromptTokenCount"`
	Cached     int64 `json:"cachedContentTokenCount"`
	Candidates int64 `json:"candidatesTokenCount"`
	Thoughts   int64 `json:"thoughtsTokenCount"`
}

func (p *Provider) response(a *wire.Answer, history []mend.Message) (*mend.CompletionResponse, error) {
	var r response
	if json.Unmarshal(a.Body, &r) != nil {
		return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindBadResponse, Text: "answer is not of this API's form"})
	}
	if len(r.Candidates) == 0 {
		if reason := r.PromptFeedback.BlockReason; reason != "" {
			return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindContentFilter, Code: reason, Text: "the prompt was blocked"})
		}
		return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindBadResponse, Text: "answer has no candidate"})
	}
	first := r.Candidates[0]
	stop, ok := stopReason(first.FinishReason)
	if !ok {
		return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindBadResponse, Code: string(first.FinishReason), Text: "the model's call is malformed"})
	}
	message, err := p.message(first.Content, history)
	if err != nil {
		return nil, p.caller.Fail(a, wire.Fault{Kind: mend.KindBadResponse, Text: "content is not of this API's form"})
	}
	return p.caller.Settle(a, &mend.CompletionResponse{
		Message:       message,
		StopReason:    stop,
		RawStopReason: string(first.FinishReason),
		Usage:         r.Usage.neutral(),
		Model:         r.ModelVersion,
	})
}

// message reads a turn, and keeps it as it is if there is more in it than text: the
// signature of a thought has to come back in the very part it came with.
func (p *Provider) message(raw json.RawMessage, history []mend.Message) (mend.Message, error) {
	if len(raw) == 0 { // broken off before the first word
		return mend.Message{}, nil
	}
	var c content
	if err := json.Unmarshal(raw, &c); err != nil {
		return mend.Message{}, err
	}
	m := c.message()
	if !onlyText(raw) {
		m.Opaque = map[string]json.RawMessage{p.settings.Name: append(json.RawMessage(nil), raw...)}
	}
	wire.NameCalls(history, m.ToolCalls)
	return m, nil
}

// message returns what the turn says in neutral terms. A call has an id only if the
// API gave it one.
func (c content) message() mend.Message {
	m := mend.Message{Role: mend.RoleAssistant}
	for _, part := range c.Parts {
		if !part.Thought {
			m.Content += part.Text
		}
		if call := part.FunctionCall; call != nil {
			arguments := call.Args
			if len(arguments) == 0 {
				arguments = wire.Object(nil)
			}
			m.ToolCalls = append(m.ToolCalls, mend.ToolCall{ID: call.ID, Name: call.Name, Arguments: arguments})
		}
	}
	return m
}

// onlyText reports whether no part has anything but text.
func onlyText(raw json.RawMessage) bool {
	var c struct {
		Parts []map[string]json.RawMessage `json:"parts"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return false
	}
	for _, part := range c.Parts {
		if _, ok := part["text"]; !ok || len(part) > 1 {
			return false
		}
	}
	return true
}

// stopReason returns what the finish reason means; ok is false if the turn is one
// that the model failed to write.
func stopReason(r genai.FinishReason) (stop mend.StopReason, ok bool) {
	switch r {
	case genai.FinishReasonStop:
		return mend.StopEndTurn, true
	case genai.FinishReasonMaxTokens:
		return mend.StopMaxTokens, true
	case genai.FinishReasonSafety, genai.FinishReasonRecitation, genai.FinishReasonBlocklist,
		genai.FinishReasonProhibitedContent, genai.FinishReasonSPII, genai.FinishReasonImageSafety:
		return mend.StopContentFilter, true
	case genai.FinishReasonMalformedFunctionCall, genai.FinishReasonUnexpectedToolCall, genai.FinishReasonTooManyToolCalls,
		"MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE": // newer than the SDK's list
		return mend.StopOther, false
	}
	return mend.StopOther, true
}

// neutral adds the thoughts to the output, from which this API leaves them out. It
// does not count what is written to a cache.
func (u usageMetadata) neutral() mend.Usage {
	return mend.Usage{
		InputTokens:     u.Prompt + u.ToolPrompt,
		OutputTokens:    u.Candidates + u.Thoughts,
		CacheReadTokens: u.Cached,
		ReasoningTokens: u.Thoughts,
	}
}

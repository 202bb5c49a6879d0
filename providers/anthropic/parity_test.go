package anthropic_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/anthropic"
	"github.com/mendkit/mend/providers/internal/paritytest"
)

type object = map[string]any

func TestParity(t *testing.T) {
	paritytest.Run(t, paritytest.Wire{
		Name: "anthropic",
		New: func(c paritytest.Config) (mend.Provider, error) {
			return anthropic.New(anthropic.Options{
				Name: c.Name, Model: c.Model, APIKey: c.Key, BaseURL: c.BaseURL,
				MaxTokens: c.MaxTokens, Timeout: c.Timeout, HTTPClient: c.HTTPClient,
			})
		},
		Answer:      answer,
		Seen:        seen,
		KeyOf:       func(r *http.Request) string { return r.Header.Get("X-Api-Key") },
		Faults:      faults,
		AnswerTurn:  func(body []byte) json.RawMessage { return decode[wireMessage](body).Content },
		RequestTurn: func(body []byte, n int) json.RawMessage { return decode[wireRequest](body).Messages[n].Content },
		Environment: []string{
			"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE", "ANTHROPIC_CUSTOM_HEADERS",
		},
	})
}

type wireMessage struct {
	Role    mend.Role       `json:"role"`
	Content json.RawMessage `json:"content"`
}

type wireRequest struct {
	Model       string        `json:"model"`
	MaxTokens   int           `json:"max_tokens"`
	Temperature *float64      `json:"temperature"`
	System      []wireBlock   `json:"system"`
	Messages    []wireMessage `json:"messages"`
	Tools       []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"input_schema"`
	} `json:"tools"`
	ToolChoice *struct{ Type, Name string } `json:"tool_choice"`
}

type wireBlock struct {
	Type         string          `json:"type"`
	Text         string          `json:"text"`
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Input        json.RawMessage `json:"input"`
	ToolUseID    string          `json:"tool_use_id"`
	IsError      bool            `json:"is_error"`
	Content      []wireBlock     `json:"content"`
	CacheControl object          `json:"cache_control"`
}

func decode[T any](data []byte) T {
	var v T
	paritytest.Decode(data, &v)
	return v
}

// stopReasons are the API's words.
var stopReasons = map[mend.StopReason]string{
	mend.StopEndTurn: "end_turn", mend.StopToolUse: "tool_use", mend.StopMaxTokens: "max_tokens", mend.StopContentFilter: "refusal",
}

func answer(a paritytest.Answer) string {
	content := []object{}
	if a.Opaque {
		content = append(content, object{"type": "thinking", "thinking": "let me see", "signature": paritytest.OpaqueMark})
	}
	if a.Text != "" {
		content = append(content, object{"type": "text", "text": a.Text})
	}
	for i, c := range a.Calls {
		if a.Opaque && i > 0 {
			content = append(content, object{"type": "redacted_thinking", "data": paritytest.OpaqueMark})
		}
		content = append(content, object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", i+100), "name": c.Name, "input": c.Arguments})
	}
	u := a.Usage
	return paritytest.JSON(object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": a.Model, "content": content,
		"stop_reason": stopReasons[a.Stop], "stop_sequence": nil,
		"usage": object{
			"input_tokens":            u.InputTokens - u.CacheReadTokens - u.CacheWriteTokens,
			"cache_read_input_tokens": u.CacheReadTokens, "cache_creation_input_tokens": u.CacheWriteTokens,
			"output_tokens": u.OutputTokens, "output_tokens_details": object{"thinking_tokens": u.ReasoningTokens},
		},
	})
}

func seen(_ *http.Request, body []byte) paritytest.SeenRequest {
	req := decode[wireRequest](body)
	s := paritytest.SeenRequest{Model: req.Model, MaxTokens: req.MaxTokens, Temperature: req.Temperature}
	for _, b := range req.System {
		s.System += b.Text
	}
	names := make(map[string]string)
	for _, m := range req.Messages {
		s.Turns = append(s.Turns, seenTurn(m, names))
	}
	for _, tool := range req.Tools {
		s.Tools = append(s.Tools, paritytest.SeenTool{Name: tool.Name, Description: tool.Description, Schema: string(tool.Schema)})
	}
	if c := req.ToolChoice; c != nil {
		s.Choice = map[string]mend.ToolChoice{
			"auto": mend.ToolChoiceAuto, "none": mend.ToolChoiceNone, "any": mend.ToolChoiceRequired, "tool": mend.ToolChoiceNamed(c.Name),
		}[c.Type]
	}
	return s
}

// seenTurn reads a turn; names are the tools' by call id, of the turns so far.
func seenTurn(m wireMessage, names map[string]string) paritytest.Turn {
	turn := paritytest.Turn{Role: m.Role}
	for _, b := range decode[[]wireBlock](m.Content) {
		switch b.Type {
		case "text":
			turn.Text += b.Text
		case "tool_use":
			names[b.ID] = b.Name
			turn.Calls = append(turn.Calls, paritytest.SeenCall{Name: b.Name, Arguments: string(b.Input)})
		case "tool_result":
			r := paritytest.SeenResult{Of: names[b.ToolUseID], IsError: b.IsError}
			for _, c := range b.Content {
				r.Content += c.Text
			}
			turn.Results = append(turn.Results, r)
		}
	}
	return turn
}

// faults are the API's documented errors.
func faults(echo string) map[string][]paritytest.Reply {
	body := func(errorType, message string) string {
		return paritytest.JSON(object{
			"type": "error", "request_id": "req_body", "error": object{"type": errorType, "message": message + " " + echo},
		})
	}
	reply := func(status int, errorType, message string) paritytest.Reply {
		return paritytest.Reply{Status: status, Body: body(errorType, message)}
	}
	limited := body("rate_limit_error", "This request would exceed your organization's rate limit")
	replies := paritytest.RateLimits(limited)
	maps.Copy(replies, map[string][]paritytest.Reply{
		"rate limit, 40 seconds in the API's own form": {{Status: 429, Body: limited, Header: map[string]string{
			"Date":                                   paritytest.Date,
			"Anthropic-Ratelimit-Requests-Remaining": "0", "Anthropic-Ratelimit-Requests-Reset": "2026-03-02T10:00:20Z",
			"Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": "2026-03-02T10:00:40Z",
			"Anthropic-Ratelimit-Output-Tokens-Remaining": "5", "Anthropic-Ratelimit-Output-Tokens-Reset": "2026-03-02T10:00:59Z",
		}}},
		"quota": {
			reply(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
			reply(400, "invalid_request_error", "You have reached your specified API usage limits."),
			reply(402, "billing_error", "Payment required"),
		},
		"overloaded":            {reply(529, "overloaded_error", "Overloaded"), {Status: 503, Body: echo}, {Status: 529}},
		"overloaded, 3 seconds": {{Status: 529, Body: body("overloaded_error", "Overloaded"), Header: map[string]string{"Retry-After": "3"}}},
		"server error":          {reply(500, "api_error", "Internal server error"), reply(504, "timeout_error", "Timed out")},
		"wrong key":             {reply(401, "authentication_error", "invalid x-api-key")},
		"not allowed":           {reply(403, "permission_error", "Your key may not"), reply(400, "invalid_request_error", "This organization has been disabled.")},
		"no such model":         {reply(404, "not_found_error", "model: none")},
		"too long": {
			reply(400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum"),
			reply(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
			reply(413, "request_too_large", "Request exceeds the maximum size"),
		},
		"blocked prompt": {reply(400, "invalid_request_error", "Output blocked by content filtering policy")},
		"bad request":    {reply(400, "invalid_request_error", "messages.0.role: unexpected value")},
		"empty answer": {
			{Status: 200, Body: answer(paritytest.Answer{Stop: mend.StopEndTurn})},
			{Status: 200, Body: `{"role":"assistant","content":"` + echo + `"}`},
			{Status: 200, Body: `{"role":"assistant","content":["` + echo + `"],"usage":7}`},
			{Status: 200, Body: `{"role":7,"content":[{"type":7}],"stop_reason":7}`},
		},
	})
	return replies
}

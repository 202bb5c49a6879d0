package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/paritytest"
	"github.com/mendkit/mend/providers/openai"
)

type object = map[string]any

func TestParity(t *testing.T) {
	paritytest.Run(t, paritytest.Wire{
		Name: "openai",
		New: func(c paritytest.Config) (mend.Provider, error) {
			return openai.New(openai.Options{
				Name: c.Name, Model: c.Model, APIKey: c.Key, BaseURL: c.BaseURL,
				MaxTokens: c.MaxTokens, Timeout: c.Timeout, HTTPClient: c.HTTPClient,
			})
		},
		Answer: answer,
		Seen:   seen,
		KeyOf: func(r *http.Request) string {
			key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			return key
		},
		Faults: faults,
		AnswerTurn: func(body []byte) json.RawMessage {
			return decode[struct {
				Choices []struct{ Message json.RawMessage }
			}](body).Choices[0].Message
		},
		RequestTurn: func(body []byte, n int) json.RawMessage {
			return decode[struct{ Messages []json.RawMessage }](body).Messages[n]
		},
		Environment: []string{
			"OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS",
		},
	})
}

type wireMessage struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string                           `json:"id"`
		Type     string                           `json:"type"`
		Function struct{ Name, Arguments string } `json:"function"`
	} `json:"tool_calls"`
}

type wireRequest struct {
	Model       string        `json:"model"`
	Messages    []wireMessage `json:"messages"`
	MaxTokens   int           `json:"max_completion_tokens"`
	LegacyMax   int           `json:"max_tokens"`
	Temperature *float64      `json:"temperature"`
	Tools       []struct {
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
}

func decode[T any](data []byte) T {
	var v T
	paritytest.Decode(data, &v)
	return v
}

// finishReasons are the API's words.
var finishReasons = map[mend.StopReason]string{
	mend.StopEndTurn: "stop", mend.StopToolUse: "tool_calls", mend.StopMaxTokens: "length", mend.StopContentFilter: "content_filter",
}

func answer(a paritytest.Answer) string {
	message := object{"role": "assistant", "content": a.Text}
	if a.Text == "" {
		message["content"] = nil
	}
	var calls []object
	for i, c := range a.Calls {
		call := object{
			"id": fmt.Sprintf("call_%d", i+100), "type": "function",
			"function": object{"name": c.Name, "arguments": string(c.Arguments)},
		}
		if a.Opaque && i == 0 {
			call["extra_content"] = object{"google": object{"thought_signature": paritytest.OpaqueMark}}
		}
		calls = append(calls, call)
	}
	if calls != nil {
		message["tool_calls"] = calls
	}
	if a.Opaque {
		message["reasoning_details"] = []object{{"type": "reasoning.encrypted", "data": paritytest.OpaqueMark}}
		message["reasoning_content"] = "let me see"
	}
	u := a.Usage
	return paritytest.JSON(object{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": a.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finishReasons[a.Stop]}},
		"usage": object{
			"prompt_tokens": u.InputTokens, "completion_tokens": u.OutputTokens, "total_tokens": u.Total(),
			"prompt_tokens_details":     object{"cached_tokens": u.CacheReadTokens, "cache_write_tokens": u.CacheWriteTokens},
			"completion_tokens_details": object{"reasoning_tokens": u.ReasoningTokens},
		},
	})
}

func seen(_ *http.Request, body []byte) paritytest.SeenRequest {
	req := decode[wireRequest](body)
	s := paritytest.SeenRequest{Model: req.Model, MaxTokens: req.MaxTokens, Temperature: req.Temperature}
	if req.Messages[0].Role == "system" {
		s.System = req.Messages[0].Content
		req.Messages = req.Messages[1:]
	}
	s.Turns = seenTurns(req.Messages)
	for _, tool := range req.Tools {
		f := tool.Function
		s.Tools = append(s.Tools, paritytest.SeenTool{Name: f.Name, Description: f.Description, Schema: string(f.Parameters)})
	}
	switch choice := string(req.ToolChoice); choice {
	case "", `"auto"`:
	case `"none"`, `"required"`:
		s.Choice = mend.ToolChoice(decode[string](req.ToolChoice))
	default:
		s.Choice = mend.ToolChoiceNamed(decode[struct{ Function struct{ Name string } }](req.ToolChoice).Function.Name)
	}
	return s
}

// seenTurns reads the history. Results, and a user's text right behind them, are one
// turn.
func seenTurns(messages []wireMessage) []paritytest.Turn {
	var turns []paritytest.Turn
	names := make(map[string]string)
	results := false // the message before was a result
	for _, m := range messages {
		if !results || m.Role == "assistant" {
			turns = append(turns, paritytest.Turn{Role: mend.RoleUser})
		}
		turn := &turns[len(turns)-1]
		switch results = m.Role == "tool"; m.Role {
		case "tool":
			content, isError := strings.CutPrefix(m.Content, "Error: ")
			turn.Results = append(turn.Results, paritytest.SeenResult{Of: names[m.ToolCallID], Content: content, IsError: isError})
			continue
		case "assistant":
			turn.Role = mend.RoleAssistant
		}
		turn.Text = m.Content
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Function.Name
			turn.Calls = append(turn.Calls, paritytest.SeenCall{Name: c.Function.Name, Arguments: c.Function.Arguments})
		}
	}
	return turns
}

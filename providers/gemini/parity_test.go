package gemini_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/gemini"
	"github.com/mendkit/mend/providers/internal/paritytest"
)

type object = map[string]any

func TestParity(t *testing.T) {
	paritytest.Run(t, paritytest.Wire{
		Name: "gemini",
		New: func(c paritytest.Config) (mend.Provider, error) {
			return gemini.New(gemini.Options{
				Name: c.Name, Model: c.Model, APIKey: c.Key, BaseURL: c.BaseURL,
				MaxTokens: c.MaxTokens, Timeout: c.Timeout, HTTPClient: c.HTTPClient,
			})
		},
		Answer: answer,
		Seen:   seen,
		KeyOf:  func(r *http.Request) string { return r.Header.Get("X-Goog-Api-Key") },
		Faults: faults,
		AnswerTurn: func(body []byte) json.RawMessage {
			return decode[struct {
				Candidates []struct{ Content json.RawMessage }
			}](body).Candidates[0].Content
		},
		RequestTurn: func(body []byte, n int) json.RawMessage {
			return decode[struct{ Contents []json.RawMessage }](body).Contents[n]
		},
		NoCacheWrite: true,
		Environment: []string{
			"GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION",
		},
	})
}

type wireContent struct {
	Role  string     `json:"role"`
	Parts []wirePart `json:"parts"`
}

type wirePart struct {
	Text             *string `json:"text"`
	ThoughtSignature string  `json:"thoughtSignature"`
	FunctionCall     *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	FunctionResponse *struct {
		ID       string            `json:"id"`
		Name     string            `json:"name"`
		Response map[string]string `json:"response"`
	} `json:"functionResponse"`
}

type wireRequest struct {
	SystemInstruction wireContent   `json:"systemInstruction"`
	Contents          []wireContent `json:"contents"`
	GenerationConfig  struct {
		MaxOutputTokens int      `json:"maxOutputTokens"`
		Temperature     *float64 `json:"temperature"`
	} `json:"generationConfig"`
	Tools []struct {
		FunctionDeclarations []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	ToolConfig struct {
		FunctionCallingConfig struct {
			Mode  string   `json:"mode"`
			Names []string `json:"allowedFunctionNames"`
		} `json:"functionCallingConfig"`
	} `json:"toolConfig"`
}

func decode[T any](data []byte) T {
	var v T
	paritytest.Decode(data, &v)
	return v
}

// finishReasons are the API's words.
var finishReasons = map[mend.StopReason]string{
	mend.StopEndTurn: "STOP", mend.StopToolUse: "STOP", mend.StopMaxTokens: "MAX_TOKENS", mend.StopContentFilter: "SAFETY",
}

func answer(a paritytest.Answer) string {
	parts := []object{}
	if a.Opaque {
		parts = append(parts, object{"text": "let me see", "thought": true})
	}
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	for i, c := range a.Calls {
		call := object{"functionCall": object{"name": c.Name, "args": c.Arguments}}
		if a.Opaque && i == 0 {
			call["thoughtSignature"] = paritytest.OpaqueMark
		}
		parts = append(parts, call)
	}
	candidate := object{"finishReason": finishReasons[a.Stop], "index": 0}
	if len(parts) > 0 {
		candidate["content"] = object{"role": "model", "parts": parts}
	}
	u := a.Usage
	return paritytest.JSON(object{
		"candidates": []object{candidate}, "modelVersion": a.Model, "responseId": paritytest.RequestID,
		"usageMetadata": object{
			"promptTokenCount": u.InputTokens, "cachedContentTokenCount": u.CacheReadTokens,
			"candidatesTokenCount": u.OutputTokens - u.ReasoningTokens, "thoughtsTokenCount": u.ReasoningTokens,
			"totalTokenCount": u.Total(),
		},
	})
}

func seen(r *http.Request, body []byte) paritytest.SeenRequest {
	req := decode[wireRequest](body)
	model, _ := strings.CutPrefix(r.URL.Path, "/v1beta/models/")
	model, _ = strings.CutSuffix(model, ":generateContent")
	s := paritytest.SeenRequest{
		Model: model, System: seenTurn(req.SystemInstruction).Text,
		MaxTokens: req.GenerationConfig.MaxOutputTokens, Temperature: req.GenerationConfig.Temperature,
	}
	for _, c := range req.Contents {
		s.Turns = append(s.Turns, seenTurn(c))
	}
	for _, tool := range req.Tools {
		for _, d := range tool.FunctionDeclarations {
			schema := string(d.Schema)
			if schema == "" { // the API's way to say it
				schema = `{"type":"object","properties":{}}`
			}
			s.Tools = append(s.Tools, paritytest.SeenTool{Name: d.Name, Description: d.Description, Schema: schema})
		}
	}
	switch c := req.ToolConfig.FunctionCallingConfig; {
	case c.Mode == "NONE":
		s.Choice = mend.ToolChoiceNone
	case c.Mode == "ANY" && len(c.Names) == 1:
		s.Choice = mend.ToolChoiceNamed(c.Names[0])
	case c.Mode == "ANY":
		s.Choice = mend.ToolChoiceRequired
	}
	return s
}

func seenTurn(c wireContent) paritytest.Turn {
	turn := paritytest.Turn{Role: mend.RoleUser}
	if c.Role == "model" {
		turn.Role = mend.RoleAssistant
	}
	for _, p := range c.Parts {
		if p.Text != nil {
			turn.Text += *p.Text
		}
		if call := p.FunctionCall; call != nil {
			turn.Calls = append(turn.Calls, paritytest.SeenCall{Name: call.Name, Arguments: string(call.Args)})
		}
		if r := p.FunctionResponse; r != nil {
			text, isError := r.Response["error"]
			turn.Results = append(turn.Results, paritytest.SeenResult{Of: r.Name, Content: text + r.Response["output"], IsError: isError})
		}
	}
	return turn
}

// faults are the API's documented errors.
func faults(echo string) map[string][]paritytest.Reply {
	body := func(code int, status, message string, details ...object) string {
		return paritytest.JSON(object{"error": object{
			"code": code, "status": status, "message": message + " " + echo, "details": details,
		}})
	}
	reply := func(code int, status, message string, details ...object) paritytest.Reply {
		return paritytest.Reply{Status: code, Body: body(code, status, message, details...)}
	}
	detail := func(name string, fields object) object {
		fields["@type"] = "type.googleapis.com/google.rpc." + name
		return fields
	}
	violation := func(id, value string) object {
		return detail("QuotaFailure", object{"violations": []object{{
			"quotaMetric": "generativelanguage.googleapis.com/generate_content_free_tier_requests", "quotaId": id, "quotaValue": value,
		}}})
	}
	retry := func(delay string) object { return detail("RetryInfo", object{"retryDelay": delay}) }
	info := func(reason string) object {
		return detail("ErrorInfo", object{"reason": reason, "domain": "googleapis.com", "metadata": object{"key": echo}})
	}
	const exceeded = "You exceeded your current quota, please check your plan and billing details."

	replies := paritytest.RateLimits(body(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."))
	maps.Copy(replies, map[string][]paritytest.Reply{
		"rate limit, 40 seconds in the API's own form": {
			reply(429, "RESOURCE_EXHAUSTED", exceeded, violation("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "10"), retry("40s")),
			reply(429, "RESOURCE_EXHAUSTED", exceeded, retry("40.000s")),
			{Status: 429, Body: "[" + body(429, "RESOURCE_EXHAUSTED", exceeded, retry("40s")) + "]"},
		},
		"quota": {
			reply(429, "RESOURCE_EXHAUSTED", exceeded, violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "250"), retry("22s")),
			reply(429, "RESOURCE_EXHAUSTED", exceeded, violation("GenerateContentInputTokensPerModelPerMinute-FreeTier", "0"), retry("22s")),
			reply(429, "RESOURCE_EXHAUSTED", exceeded, detail("Help", object{"links": []object{}})),
			reply(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."),
			reply(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
			reply(403, "PERMISSION_DENIED", "This API method requires billing to be enabled.", info("BILLING_DISABLED")),
		},
		"overloaded":            {reply(503, "UNAVAILABLE", "The model is overloaded."), {Status: 503, Body: echo}},
		"overloaded, 3 seconds": {reply(503, "UNAVAILABLE", "The model is overloaded.", retry("3s"))},
		"server error":          {reply(500, "INTERNAL", "An internal error has occurred."), reply(504, "DEADLINE_EXCEEDED", "Deadline expired.")},
		"wrong key": {
			reply(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", info("API_KEY_INVALID")),
			reply(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key."),
			reply(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
		},
		"not allowed":   {reply(403, "PERMISSION_DENIED", "Requests are blocked.", info("API_KEY_SERVICE_BLOCKED")), reply(403, "PERMISSION_DENIED", "No.")},
		"no such model": {reply(404, "NOT_FOUND", "models/none is not found for API version v1beta")},
		"too long":      {reply(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")},
		"blocked prompt": {{Status: 200, Body: paritytest.JSON(object{
			"promptFeedback": object{"blockReason": "PROHIBITED_CONTENT", "blockReasonMessage": echo},
		})}},
		"bad request": {reply(400, "INVALID_ARGUMENT", "Invalid JSON payload received. Unknown name")},
		"empty answer": {
			{Status: 200, Body: answer(paritytest.Answer{Stop: mend.StopEndTurn})},
			{Status: 200, Body: `{"candidates":[],"usageMetadata":{}}`},
			{Status: 200, Body: `{"candidates":"` + echo + `"}`},
			{Status: 200, Body: `{"candidates":["` + echo + `"]}`},
			{Status: 200, Body: `{"candidates":[{"finishReason":7,"content":{"parts":7}}]}`},
			{Status: 200, Body: `{"candidates":[{"finishReason":"STOP","content":"` + echo + `"}]}`},
			{Status: 200, Body: `{"promptFeedback":7,"usageMetadata":7}`},
			{Status: 200, Body: strings.Replace(answer(paritytest.Answer{Stop: mend.StopEndTurn}), "STOP", "MALFORMED_FUNCTION_CALL", 1)},
		},
	})
	return replies
}

package openai_test

import (
	"maps"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/paritytest"
)

// faults are the API's documented errors, and those of servers that copy it.
func faults(echo string) map[string][]paritytest.Reply {
	body := func(errorType string, code any, message string) string {
		return paritytest.JSON(object{"error": object{"type": errorType, "code": code, "param": nil, "message": message + " " + echo}})
	}
	reply := func(status int, errorType string, code any, message string) paritytest.Reply {
		return paritytest.Reply{Status: status, Body: body(errorType, code, message)}
	}
	const invalid = "invalid_request_error"
	limited := body("requests", "rate_limit_exceeded", "Rate limit reached for requests")
	replies := paritytest.RateLimits(limited)
	maps.Copy(replies, map[string][]paritytest.Reply{
		"rate limit, 40 seconds in the API's own form": {
			{Status: 429, Body: limited, Header: map[string]string{
				"X-Ratelimit-Remaining-Requests": "0", "X-Ratelimit-Reset-Requests": "40s",
				"X-Ratelimit-Remaining-Tokens": "900", "X-Ratelimit-Reset-Tokens": "6m0s",
			}},
			{Status: 429, Body: body("tokens", "rate_limit_exceeded", "Rate limit reached for tokens"), Header: map[string]string{
				"X-Ratelimit-Remaining-Requests": "5", "X-Ratelimit-Reset-Requests": "17ms",
				"X-Ratelimit-Remaining-Tokens": "900", "X-Ratelimit-Reset-Tokens": "40s",
			}},
		},
		"quota": {
			reply(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
			reply(429, "billing_not_active", "billing_not_active", "Your account is not active"),
			reply(400, invalid, "billing_hard_limit_reached", "Billing hard limit has been reached"),
			reply(402, "", 402, "Insufficient credits"),
		},
		"overloaded": {
			reply(503, "server_error", nil, "The engine is currently overloaded"), reply(503, "slow_down", "slow_down", "Slow down"),
			{Status: 503, Body: echo},
		},
		"overloaded, 3 seconds": {{Status: 503, Body: body("server_error", nil, "Overloaded"), Header: map[string]string{"Retry-After": "3"}}},
		"server error":          {reply(500, "server_error", nil, "The server had an error"), {Status: 500, Body: paritytest.JSON(object{"error": echo})}},
		"wrong key":             {reply(401, invalid, "invalid_api_key", "Incorrect API key provided:"), reply(401, "", 401, "No auth credentials found")},
		"not allowed":           {reply(403, "request_forbidden", "unsupported_country_region_territory", "Country not supported")},
		"no such model": {
			reply(404, invalid, "model_not_found", "The model `none` does not exist or you do not have access to it."),
			reply(404, "not_found_error", nil, "model not found, try pulling it first"),
			{Status: 404, Body: paritytest.JSON(object{"object": "error", "type": "NotFoundError", "code": 404, "message": echo})},
		},
		"too long": {
			reply(400, invalid, "context_length_exceeded", "This model's maximum context length is 128000 tokens."),
			reply(400, "BadRequestError", 400, "This model's maximum context length is 4096 tokens."),
			reply(429, "tokens", "rate_limit_exceeded", "Request too large for none on tokens per min (TPM)"),
			reply(413, invalid, nil, "Too large"),
		},
		"blocked prompt": {
			reply(400, invalid, "content_policy_violation", "Your request was rejected"),
			reply(400, invalid, "invalid_prompt", "Invalid prompt: your prompt was flagged"),
			reply(400, "", "content_filter", "The response was filtered"),
			reply(403, "", 403, "Your input was flagged."),
		},
		"bad request": {reply(400, invalid, "unknown_parameter", "Unknown parameter"), reply(422, "", nil, "Unprocessable")},
		"empty answer": {
			{Status: 200, Body: answer(paritytest.Answer{Stop: mend.StopEndTurn})},
			{Status: 200, Body: `{"id":"chatcmpl-1","object":"chat.completion","choices":[]}`},
			{Status: 200, Body: `{"choices":"` + echo + `"}`},
			{Status: 200, Body: `{"choices":["` + echo + `"]}`},
			{Status: 200, Body: `{"choices":[{"finish_reason":7,"message":"` + echo + `"}],"usage":7}`},
			{Status: 200, Body: `{"choices":[{"finish_reason":"stop","message":{"tool_calls":"` + echo + `"}}]}`},
		},
	})
	return replies
}

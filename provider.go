package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Provider is a language model behind an API. It answers one request and keeps no
// state; the turn loop is a [Conversation]'s. Most callers use one of the modules
// under providers/, and more than one of them behind a [Failover].
type Provider interface {
	// Name identifies the provider in results, events and errors. Two providers of one
	// Failover have different names.
	Name() string

	// Complete returns the model's answer. Calls may run concurrently. It returns soon
	// after ctx ends. An error is a *ProviderError, or wraps one, if the provider can
	// tell what kind it is; any other error counts as [KindUnavailable]. It does not
	// retry by itself, changes nothing of req, and keeps nothing of it.
	Complete(ctx context.Context, req *CompletionRequest) (*CompletionResponse, error)
}

// CompletionRequest is what a model is asked. A request that mend builds holds
// sanitised text only.
type CompletionRequest struct {
	SystemPrompt string
	Messages     []Message // from a user message on, in turns
	Tools        []ToolDef
	ToolChoice   ToolChoice
	MaxTokens    int      // bound of the answer; 0 means the provider's own
	Temperature  *float64 // nil means the provider's own; some models reject any other
}

// Role says whose turn a message is.
type Role string

// The roles. Tool results are the user's turn.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one turn.
type Message struct {
	Role        Role
	Content     string
	ToolCalls   []ToolCall   // of an assistant's turn
	ToolResults []ToolResult // of the user's turn behind it: one for each call, in one message

	// Opaque holds what a provider needs to get back with the turn that it made,
	// by provider name. Every other provider ignores it.
	Opaque map[string]json.RawMessage
}

// ToolCall is a model's wish to have a tool called.
type ToolCall struct {
	ID        string // unique in its conversation; an adapter makes one up where the API has none
	Name      string
	Arguments json.RawMessage // as the model wrote them: perhaps no JSON at all
}

// ToolResult is what came of a tool call.
type ToolResult struct {
	CallID  string
	Name    string // of the tool
	Content string
	IsError bool
}

// ToolDef describes a tool to the model.
type ToolDef struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of an object; nil means no parameters
}

// ToolChoice says whether a model has to call a tool.
type ToolChoice string

// The choices beside [ToolChoiceNamed].
const (
	ToolChoiceAuto     ToolChoice = ""
	ToolChoiceNone     ToolChoice = "none"
	ToolChoiceRequired ToolChoice = "required"
)

const toolChoicePrefix = "tool:"

// ToolChoiceNamed demands a call of the tool of that name.
func ToolChoiceNamed(name string) ToolChoice { return ToolChoice(toolChoicePrefix + name) }

// Tool returns the tool that is demanded by name, if one is.
func (c ToolChoice) Tool() (name string, ok bool) {
	return strings.CutPrefix(string(c), toolChoicePrefix)
}

// StopReason says why a model stopped.
type StopReason string

// The stop reasons, which adapters map their API's own to. A turn with tool calls
// always stops for StopToolUse.
const (
	StopEndTurn       StopReason = "end_turn"
	StopToolUse       StopReason = "tool_use"
	StopMaxTokens     StopReason = "max_tokens"
	StopContentFilter StopReason = "content_filter" // also a refusal; the answer may be empty
	StopContextLength StopReason = "context_length"
	StopPause         StopReason = "pause" // the turn goes on if it is sent back
	StopOther         StopReason = "other"
)

// CompletionResponse is a model's answer.
type CompletionResponse struct {
	Message       Message // the assistant's turn, ready to be appended to the history
	StopReason    StopReason
	RawStopReason string // the API's own
	Usage         Usage
	Model         string // the model that answered, as the API names it
	RequestID     string
	Provider      string // who answered
}

// Usage counts tokens, the same way for every provider.
type Usage struct {
	InputTokens      int64 `json:"input_tokens,omitempty"`       // all of them, cached ones included
	OutputTokens     int64 `json:"output_tokens,omitempty"`      // all of them, reasoning included
	CacheReadTokens  int64 `json:"cache_read_tokens,omitempty"`  // of the input
	CacheWriteTokens int64 `json:"cache_write_tokens,omitempty"` // of the input
	ReasoningTokens  int64 `json:"reasoning_tokens,omitempty"`   // of the output
}

// Plus returns the sum.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens + v.InputTokens, OutputTokens: u.OutputTokens + v.OutputTokens,
		CacheReadTokens: u.CacheReadTokens + v.CacheReadTokens, CacheWriteTokens: u.CacheWriteTokens + v.CacheWriteTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
	}
}

// Total returns the tokens of input and output.
func (u Usage) Total() int64 { return u.InputTokens + u.OutputTokens }

// ProviderErrorKind says what a provider's error means for the next call.
type ProviderErrorKind string

// The kinds of provider errors.
const (
	KindRateLimited    ProviderErrorKind = "rate_limited"
	KindQuota          ProviderErrorKind = "quota"           // used up, or not paid for
	KindOverloaded     ProviderErrorKind = "overloaded"      // HTTP 529 or 503
	KindUnavailable    ProviderErrorKind = "unavailable"     // any other 5xx, or no connection
	KindTimeout        ProviderErrorKind = "timeout"         // ours, not the caller's
	KindAuth           ProviderErrorKind = "auth"            // the key is wrong or may not
	KindModelNotFound  ProviderErrorKind = "model_not_found" // or it was retired
	KindContextLength  ProviderErrorKind = "context_length"  // the request does not fit in the model's window
	KindContentFilter  ProviderErrorKind = "content_filter"  // the request was refused; an answer that was cut off is a response
	KindInvalidRequest ProviderErrorKind = "invalid_request" // a bug of the program that built it
	KindBadResponse    ProviderErrorKind = "bad_response"    // the answer is empty, or no answer
	KindCanceled       ProviderErrorKind = "canceled"        // the caller's context ended
)

// ProviderError is why a provider gave no answer. Its text holds neither the
// request nor a key.
type ProviderError struct {
	Kind       ProviderErrorKind
	Provider   string
	Status     int           // of HTTP; 0 if there was none
	RetryAfter time.Duration // how long the provider asks to be left alone; 0 if it does not say
	RequestID  string
	Err        error // what happened; adapters leave out what the API echoes of the request
}

func (e *ProviderError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Provider, e.Kind)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (HTTP %d)", e.Status)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %s", e.RetryAfter)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, ", request %s", e.RequestID)
	}
	if e.Err != nil {
		b.WriteString(": " + defaultSanitizer.line(e.Err.Error()))
	}
	return b.String()
}

// Unwrap returns what happened: the context's error if the call was cancelled.
func (e *ProviderError) Unwrap() error { return e.Err }

// kindOf returns the kind of an error that a provider returned for a call in ctx.
func kindOf(ctx context.Context, err error) ProviderErrorKind {
	if ctx.Err() != nil {
		return KindCanceled // whatever the provider made of it
	}
	var pe *ProviderError
	switch {
	case errors.As(err, &pe) && pe.Kind != "":
		return pe.Kind
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	case errors.Is(err, context.Canceled):
		return KindCanceled
	}
	return KindUnavailable
}

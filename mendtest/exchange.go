package mendtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/mendkit/mend"
)

// Conversation is what a provider was asked and what it said: a recording that
// [ReplayProvider] plays. [WriteConversation] says what its file looks like.
type Conversation struct {
	Provider  string // its name
	Exchanges []Exchange
}

// Exchange is one call of a provider: a request, and one of response and error.
type Exchange struct {
	Request  mend.CompletionRequest
	Response *mend.CompletionResponse
	Error    *mend.ProviderError
}

// scrubber copies what is exchanged, all text of it sanitised. The zero value
// copies it as it is.
type scrubber struct{ sanitizer *mend.Sanitizer }

// newScrubber returns a scrubber whose default bounds no length: a recording that
// was cut could not be played.
func newScrubber(s *mend.Sanitizer) scrubber {
	if s == nil {
		s = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: -1})
	}
	return scrubber{s}
}

func (s scrubber) text(text string) string {
	if s.sanitizer == nil {
		return text
	}
	return s.sanitizer.Sanitize(text)
}

// arguments scrubs what should be JSON and may be anything. JSON is made compact.
// Each string of it is scrubbed alone, since escapes can hide what it holds, and
// then all of it once more, since a key can say what a value is.
func (s scrubber) arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return json.RawMessage(s.text(string(raw)))
	}
	return json.RawMessage(s.text(s.strings(compact.Bytes())))
}

// json scrubs what has to stay JSON, if only as a string.
func (s scrubber) json(raw json.RawMessage) json.RawMessage {
	text := s.arguments(raw)
	if len(text) == 0 || json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		panic(err) // no string fails
	}
	return quoted
}

// strings scrubs each string in a JSON text. A text in which that changes nothing
// keeps the order of its keys.
func (s scrubber) strings(text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return string(text)
	}
	changed := false
	v = s.value(v, &changed)
	if !changed {
		return string(text)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

func (s scrubber) value(v any, changed *bool) any {
	switch v := v.(type) {
	case string:
		text := s.text(v)
		*changed = *changed || text != v
		return text
	case []any:
		for i := range v {
			v[i] = s.value(v[i], changed)
		}
	case map[string]any:
		for k := range v {
			v[k] = s.value(v[k], changed)
		}
	}
	return v
}

func (s scrubber) request(req *mend.CompletionRequest) mend.CompletionRequest {
	clean := *req
	clean.SystemPrompt = s.text(req.SystemPrompt)
	clean.Messages, clean.Tools = nil, nil
	for _, m := range req.Messages {
		clean.Messages = append(clean.Messages, s.message(m))
	}
	for _, t := range req.Tools {
		clean.Tools = append(clean.Tools, mend.ToolDef{Name: s.text(t.Name), Description: s.text(t.Description), Parameters: s.json(t.Parameters)})
	}
	if tool, ok := req.ToolChoice.Tool(); ok {
		clean.ToolChoice = mend.ToolChoiceNamed(s.text(tool))
	}
	if req.Temperature != nil {
		clean.Temperature = new(*req.Temperature)
	}
	return clean
}

func (s scrubber) message(m mend.Message) mend.Message {
	m.Content = s.text(m.Content)
	m.ToolCalls, m.ToolResults, m.Opaque = slices.Clone(m.ToolCalls), slices.Clone(m.ToolResults), maps.Clone(m.Opaque)
	for i, c := range m.ToolCalls {
		m.ToolCalls[i] = mend.ToolCall{ID: s.text(c.ID), Name: s.text(c.Name), Arguments: s.arguments(c.Arguments)}
	}
	for i, r := range m.ToolResults {
		m.ToolResults[i] = mend.ToolResult{CallID: s.text(r.CallID), Name: s.text(r.Name), Content: s.text(r.Content), IsError: r.IsError}
	}
	for name, raw := range m.Opaque {
		m.Opaque[name] = s.json(raw)
	}
	return m
}

func (s scrubber) response(resp *mend.CompletionResponse) *mend.CompletionResponse {
	clean := *resp
	clean.Message = s.message(resp.Message)
	clean.RawStopReason, clean.Model, clean.RequestID = s.text(resp.RawStopReason), s.text(resp.Model), s.text(resp.RequestID)
	return &clean
}

// failure makes a provider's error, whatever its type, one that a file can hold.
func (s scrubber) failure(ctx context.Context, provider string, err error) *mend.ProviderError {
	clean := &mend.ProviderError{Kind: mend.KindUnavailable, Provider: provider}
	text := err.Error()
	var pe *mend.ProviderError
	if errors.As(err, &pe) {
		*clean = *pe
		clean.RequestID = s.text(pe.RequestID)
		text = ""
		if pe.Err != nil {
			text = pe.Err.Error()
		}
	}
	switch {
	case ctx.Err() != nil:
		clean.Kind = mend.KindCanceled // as a conversation takes it, whatever the provider says
	case pe != nil:
	case errors.Is(err, context.DeadlineExceeded):
		clean.Kind = mend.KindTimeout
	case errors.Is(err, context.Canceled):
		clean.Kind = mend.KindCanceled
	}
	clean.Err = nil
	if text != "" {
		clean.Err = errors.New(s.text(text))
	}
	return clean
}

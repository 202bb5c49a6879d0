package mendtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/mendkit/mend"
)

// The types of the file. What a request has in common with the one before it is
// left out, so that each exchange shows what is new.
type (
	fileConversation struct {
		Provider  string         `json:"provider"`
		Exchanges []fileExchange `json:"exchanges"`
	}

	fileExchange struct {
		Request  fileRequest   `json:"request"`
		Response *fileResponse `json:"response,omitempty"`
		Error    *fileError    `json:"error,omitempty"`
	}

	fileRequest struct {
		System       *fileText     `json:"system,omitempty"`        // not there: as before
		Tools        *[]fileTool   `json:"tools,omitempty"`         // not there: as before
		SameMessages int           `json:"same_messages,omitempty"` // how many of the request before stand first
		Messages     []fileMessage `json:"messages,omitempty"`
		ToolChoice   string        `json:"tool_choice,omitempty"`
		MaxTokens    int           `json:"max_tokens,omitempty"`
		Temperature  *float64      `json:"temperature,omitempty"`
	}

	fileTool struct {
		Name        string          `json:"name"`
		Description fileText        `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}

	fileMessage struct {
		Role        string                     `json:"role"`
		Content     fileText                   `json:"content,omitempty"`
		ToolCalls   []fileCall                 `json:"tool_calls,omitempty"`
		ToolResults []fileResult               `json:"tool_results,omitempty"`
		Opaque      map[string]json.RawMessage `json:"opaque,omitempty"`
	}

	fileCall struct {
		ID            string          `json:"id,omitempty"`
		Name          string          `json:"name"`
		Arguments     json.RawMessage `json:"arguments,omitempty"`
		ArgumentsText fileText        `json:"arguments_text,omitempty"` // those that are no JSON
	}

	fileResult struct {
		CallID  string   `json:"call_id,omitempty"`
		Name    string   `json:"name"`
		Content fileText `json:"content,omitempty"`
		IsError bool     `json:"is_error,omitempty"`
	}

	fileResponse struct {
		Message       fileMessage `json:"message"`
		StopReason    string      `json:"stop_reason"`
		RawStopReason string      `json:"raw_stop_reason,omitempty"`
		Usage         mend.Usage  `json:"usage,omitzero"`
		Model         string      `json:"model,omitempty"`
		RequestID     string      `json:"request_id,omitempty"`
		Provider      string      `json:"provider,omitempty"`
	}

	fileError struct {
		Kind       string        `json:"kind"`
		Provider   string        `json:"provider,omitempty"`
		Status     int           `json:"status,omitempty"`
		RetryAfter time.Duration `json:"retry_after_ns,omitempty"`
		RequestID  string        `json:"request_id,omitempty"`
		Message    fileText      `json:"message,omitempty"`
	}
)

// fileText is a string, or, if it has several lines, a list of them.
type fileText string

// MarshalJSON implements [json.Marshaler].
func (t fileText) MarshalJSON() ([]byte, error) {
	var v any = string(t)
	if strings.Contains(string(t), "\n") {
		v = strings.Split(string(t), "\n")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (t *fileText) UnmarshalJSON(data []byte) error {
	var lines []*string
	switch {
	case json.Unmarshal(data, (*string)(t)) == nil:
		return nil
	case json.Unmarshal(data, &lines) != nil:
		return errors.New("is neither a string nor a list of lines")
	}
	var text []string
	for _, line := range lines {
		if line == nil {
			return errors.New("a line is null")
		}
		text = append(text, *line)
	}
	*t = fileText(strings.Join(text, "\n"))
	return nil
}

// WriteConversation writes a conversation as indented JSON, for people to review.
// A text of several lines is a list of them. A request leaves out the system prompt
// and the tools if they are those of the request before it, and the messages that
// both begin with: same_messages counts these. It sanitises nothing.
func WriteConversation(w io.Writer, c *Conversation) error {
	file := fileConversation{Provider: c.Provider, Exchanges: []fileExchange{}}
	var before mend.CompletionRequest
	for _, e := range c.Exchanges {
		out := fileExchange{Request: toFile(&before, &e.Request)}
		if e.Response != nil {
			out.Response = responseToFile(e.Response)
		}
		if e.Error != nil {
			out.Error = errorToFile(e.Error)
		}
		file.Exchanges = append(file.Exchanges, out)
		before = e.Request
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(file)
}

// toFile returns what is new in a request.
func toFile(before, req *mend.CompletionRequest) fileRequest {
	out := fileRequest{ToolChoice: string(req.ToolChoice), MaxTokens: req.MaxTokens, Temperature: req.Temperature}
	if req.SystemPrompt != before.SystemPrompt {
		out.System = new(fileText(req.SystemPrompt))
	}
	if difference("Tools", reflect.ValueOf(before.Tools), reflect.ValueOf(req.Tools)) != nil {
		tools := []fileTool{}
		for _, t := range req.Tools {
			tools = append(tools, fileTool{t.Name, fileText(t.Description), t.Parameters})
		}
		out.Tools = &tools
	}
	for i, m := range req.Messages {
		if i == out.SameMessages && i < len(before.Messages) && difference("", reflect.ValueOf(before.Messages[i]), reflect.ValueOf(m)) == nil {
			out.SameMessages++
			continue
		}
		out.Messages = append(out.Messages, messageToFile(m))
	}
	return out
}

func messageToFile(m mend.Message) fileMessage {
	out := fileMessage{Role: string(m.Role), Content: fileText(m.Content), Opaque: m.Opaque}
	for _, c := range m.ToolCalls {
		call := fileCall{ID: c.ID, Name: c.Name}
		if json.Valid(c.Arguments) {
			call.Arguments = c.Arguments
		} else {
			call.ArgumentsText = fileText(c.Arguments)
		}
		out.ToolCalls = append(out.ToolCalls, call)
	}
	for _, r := range m.ToolResults {
		out.ToolResults = append(out.ToolResults, fileResult{r.CallID, r.Name, fileText(r.Content), r.IsError})
	}
	return out
}

func responseToFile(r *mend.CompletionResponse) *fileResponse {
	return &fileResponse{
		messageToFile(r.Message), string(r.StopReason), r.RawStopReason, r.Usage, r.Model, r.RequestID, r.Provider,
	}
}

func errorToFile(e *mend.ProviderError) *fileError {
	out := &fileError{Kind: string(e.Kind), Provider: e.Provider, Status: e.Status, RetryAfter: e.RetryAfter, RequestID: e.RequestID}
	if e.Err != nil {
		out.Message = fileText(e.Err.Error())
	}
	return out
}

// ReadConversation reads what [WriteConversation] writes, and what is written by
// hand like that. A key that is not known or stands in an object twice is an error,
// and so is an exchange without exactly one of response and error. Errors name the
// line and the column, in bytes, from 1.
func ReadConversation(r io.Reader) (*Conversation, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var s strictJSON
	var file fileConversation
	if err := s.read(data, &file); err != nil {
		return nil, fmt.Errorf("conversation: %w", err)
	}
	if file.Provider == "" {
		return nil, fmt.Errorf("conversation: %w", s.objectError("", "there is no provider"))
	}
	c := &Conversation{Provider: file.Provider}
	for i, in := range file.Exchanges {
		e, err := c.fromFile(&s, fmt.Sprintf(".exchanges[%d]", i), in)
		if err != nil {
			return nil, fmt.Errorf("conversation: %w", err)
		}
		c.Exchanges = append(c.Exchanges, e)
	}
	return c, nil
}

// fromFile reads an exchange that follows those that c holds.
func (c *Conversation) fromFile(s *strictJSON, path string, in fileExchange) (e Exchange, err error) {
	var before mend.CompletionRequest
	if n := len(c.Exchanges); n > 0 {
		before = c.Exchanges[n-1].Request
	}
	if (in.Response == nil) == (in.Error == nil) {
		return e, s.objectError(path, "needs one of response and error")
	}
	if e.Request, err = requestFromFile(s, path+".request", &before, in.Request); err != nil {
		return e, err
	}
	if in.Error != nil {
		if in.Error.Kind == "" {
			return e, s.objectError(path+".error", "there is no kind")
		}
		e.Error = errorFromFile(in.Error)
		return e, nil
	}
	r := in.Response
	m, err := messageFromFile(s, path+".response.message", r.Message)
	e.Response = &mend.CompletionResponse{
		Message: m, StopReason: mend.StopReason(r.StopReason), RawStopReason: r.RawStopReason,
		Usage: r.Usage, Model: r.Model, RequestID: r.RequestID, Provider: r.Provider,
	}
	return e, err
}

func requestFromFile(s *strictJSON, path string, before *mend.CompletionRequest, in fileRequest) (mend.CompletionRequest, error) {
	req := mend.CompletionRequest{
		SystemPrompt: before.SystemPrompt, Tools: before.Tools,
		ToolChoice: mend.ToolChoice(in.ToolChoice), MaxTokens: in.MaxTokens, Temperature: in.Temperature,
	}
	if in.System != nil {
		req.SystemPrompt = string(*in.System)
	}
	if in.Tools != nil {
		req.Tools = nil
		for _, t := range *in.Tools {
			req.Tools = append(req.Tools, mend.ToolDef{Name: t.Name, Description: string(t.Description), Parameters: compact(t.Parameters)})
		}
	}
	if n := in.SameMessages; n < 0 || n > len(before.Messages) {
		return req, s.objectError(path, "same_messages is %d, and the request before has %d messages", n, len(before.Messages))
	}
	req.Messages = append(req.Messages, before.Messages[:in.SameMessages]...)
	for i, m := range in.Messages {
		message, err := messageFromFile(s, fmt.Sprintf("%s.messages[%d]", path, i), m)
		if err != nil {
			return req, err
		}
		req.Messages = append(req.Messages, message)
	}
	return req, nil
}

func messageFromFile(s *strictJSON, path string, in fileMessage) (mend.Message, error) {
	m := mend.Message{Role: mend.Role(in.Role), Content: string(in.Content)}
	if m.Role != mend.RoleUser && m.Role != mend.RoleAssistant {
		return m, s.objectError(path, "the role is %q", in.Role)
	}
	for i, c := range in.ToolCalls {
		if len(c.Arguments) > 0 && c.ArgumentsText != "" {
			return m, s.objectError(fmt.Sprintf("%s.tool_calls[%d]", path, i), "has both arguments and arguments_text")
		}
		call := mend.ToolCall{ID: c.ID, Name: c.Name, Arguments: compact(c.Arguments)}
		if c.ArgumentsText != "" {
			call.Arguments = json.RawMessage(c.ArgumentsText)
		}
		m.ToolCalls = append(m.ToolCalls, call)
	}
	for _, r := range in.ToolResults {
		m.ToolResults = append(m.ToolResults, mend.ToolResult{CallID: r.CallID, Name: r.Name, Content: string(r.Content), IsError: r.IsError})
	}
	for name, raw := range in.Opaque {
		if m.Opaque == nil {
			m.Opaque = make(map[string]json.RawMessage)
		}
		m.Opaque[name] = compact(raw)
	}
	return m, nil
}

func errorFromFile(in *fileError) *mend.ProviderError {
	e := &mend.ProviderError{
		Kind: mend.ProviderErrorKind(in.Kind), Provider: in.Provider, Status: in.Status, RetryAfter: in.RetryAfter, RequestID: in.RequestID,
	}
	if in.Message != "" {
		e.Err = errors.New(string(in.Message))
	}
	return e
}

// compact undoes what the indentation of the file did to JSON in it.
func compact(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw // cannot be: it was valid
	}
	return b.Bytes()
}

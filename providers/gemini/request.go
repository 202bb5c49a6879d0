package gemini

import (
	"cmp"
	"encoding/json"

	"google.golang.org/genai"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// placeholderSignature is what Google documents for a function call that the model
// did not make: without a signature Gemini 3 refuses the turn.
const placeholderSignature = "skip_thought_signature_validator"

// content and part are a turn in the API's form. The SDK's own types would read
// arguments into floats, drop what they do not know, and encode the placeholder.
type content struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

type part struct {
	Text             string            `json:"text,omitempty"`
	Thought          bool              `json:"thought,omitempty"`
	ThoughtSignature string            `json:"thoughtSignature,omitempty"`
	FunctionCall     *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse *functionResponse `json:"functionResponse,omitempty"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// config returns all of the request but the model.
func (p *Provider) config(req *mend.CompletionRequest) *genai.GenerateContentConfig {
	turns := p.turns(req.Messages)
	once := false
	config := &genai.GenerateContentConfig{
		MaxOutputTokens:       int32(min(cmp.Or(req.MaxTokens, p.settings.MaxTokens), 1<<30)),
		AutomaticContinuation: &once, // it would make more calls than one
		HTTPOptions: &genai.HTTPOptions{ExtrasRequestProvider: func(body map[string]any) map[string]any {
			body["contents"] = turns
			return body
		}},
	}
	if !wire.IsBlank(req.SystemPrompt) {
		config.SystemInstruction = &genai.Content{Parts: []*genai.Part{{Text: req.SystemPrompt}}}
	}
	if req.Temperature != nil {
		temperature := float32(*req.Temperature)
		config.Temperature = &temperature
	}
	if len(req.Tools) > 0 {
		config.Tools = []*genai.Tool{{FunctionDeclarations: declarations(req.Tools)}}
		config.ToolConfig = &genai.ToolConfig{FunctionCallingConfig: toolChoice(req.ToolChoice)}
	}
	return config
}

func declarations(defs []mend.ToolDef) []*genai.FunctionDeclaration {
	var out []*genai.FunctionDeclaration
	for _, d := range defs {
		declaration := &genai.FunctionDeclaration{Name: d.Name, Description: d.Description}
		if len(d.Parameters) > 0 { // an object without properties is refused
			declaration.ParametersJsonSchema = d.Parameters
		}
		out = append(out, declaration)
	}
	return out
}

func toolChoice(c mend.ToolChoice) *genai.FunctionCallingConfig {
	if name, ok := c.Tool(); ok {
		return &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAny, AllowedFunctionNames: []string{name}}
	}
	switch c {
	case mend.ToolChoiceNone:
		return &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeNone}
	case mend.ToolChoiceRequired:
		return &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAny}
	}
	return &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAuto}
}

// turns returns the history: turns of this API as it made them, others in its form.
// A turn that says nothing is left out.
func (p *Provider) turns(messages []mend.Message) []json.RawMessage {
	turns := make([]json.RawMessage, 0, len(messages))
	calls := make(map[string]functionCall) // by neutral id, as far as they go; an id only if the API gave it
	for _, m := range messages {
		if m.Role != mend.RoleAssistant {
			turns = appendTurn(turns, content{Role: genai.RoleUser, Parts: resultParts(m, calls)})
			continue
		}
		own, read, ok := p.ownTurn(m)
		for i, c := range m.ToolCalls {
			calls[c.ID] = functionCall{Name: c.Name}
			if ok {
				calls[c.ID] = functionCall{Name: c.Name, ID: read.ToolCalls[i].ID}
			}
		}
		if ok {
			turns = append(turns, own)
			continue
		}
		turns = appendTurn(turns, content{Role: genai.RoleModel, Parts: foreignParts(m)})
	}
	return turns
}

func appendTurn(turns []json.RawMessage, c content) []json.RawMessage {
	if len(c.Parts) == 0 {
		return turns
	}
	data, err := json.Marshal(c)
	if err != nil { // cannot happen: arguments have been made an object
		panic(err)
	}
	return append(turns, data)
}

// ownTurn returns a turn as this API made it, if it did and nobody has changed it.
func (p *Provider) ownTurn(m mend.Message) (raw json.RawMessage, read mend.Message, ok bool) {
	raw = m.Opaque[p.settings.Name]
	var c content
	if len(raw) == 0 || json.Unmarshal(raw, &c) != nil {
		return nil, mend.Message{}, false
	}
	read = c.message()
	return raw, read, wire.SameTurn(m, read)
}

// foreignParts returns a turn that another provider made. Of parallel calls only the
// first has a signature.
func foreignParts(m mend.Message) []part {
	var parts []part
	if !wire.IsBlank(m.Content) {
		parts = append(parts, part{Text: m.Content})
	}
	for i, c := range m.ToolCalls {
		call := part{FunctionCall: &functionCall{Name: c.Name, Args: wire.Object(c.Arguments)}}
		if i == 0 {
			call.ThoughtSignature = placeholderSignature
		}
		parts = append(parts, call)
	}
	return parts
}

// resultParts returns a user's turn. Results come first, as many as there were calls.
func resultParts(m mend.Message, calls map[string]functionCall) []part {
	var parts []part
	for _, r := range m.ToolResults {
		call := calls[r.CallID]
		key := "output"
		if r.IsError {
			key = "error"
		}
		parts = append(parts, part{FunctionResponse: &functionResponse{
			ID: call.ID, Name: cmp.Or(r.Name, call.Name), Response: map[string]string{key: r.Content},
		}})
	}
	if !wire.IsBlank(m.Content) {
		parts = append(parts, part{Text: m.Content})
	}
	return parts
}

package openai

import (
	"cmp"
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// maxID is the most bytes that the API takes in a call's id.
const maxID = 40

// errorPrefix begins the result of a call that failed: the API has no field for it.
const errorPrefix = "Error: "

// params returns the request in the API's form.
func (p *Provider) params(req *mend.CompletionRequest) (sdk.ChatCompletionNewParams, error) {
	params := sdk.ChatCompletionNewParams{Model: p.settings.Model}
	if !wire.IsBlank(req.SystemPrompt) {
		params.Messages = append(params.Messages, sdk.SystemMessage(req.SystemPrompt))
	}
	params.Messages = append(params.Messages, p.turns(req.Messages)...)
	if bound := int64(cmp.Or(req.MaxTokens, p.settings.MaxTokens)); bound > 0 && p.legacyMaxTokens {
		params.MaxTokens = param.NewOpt(bound)
	} else if bound > 0 {
		params.MaxCompletionTokens = param.NewOpt(bound)
	}
	if req.Temperature != nil {
		params.Temperature = param.NewOpt(*req.Temperature)
	}
	for _, d := range req.Tools {
		tool, err := function(d)
		if err != nil {
			return params, err
		}
		params.Tools = append(params.Tools, tool)
	}
	if len(req.Tools) > 0 { // without tools the API refuses a choice
		params.ToolChoice = toolChoice(req.ToolChoice)
	}
	return params, nil
}

func function(d mend.ToolDef) (sdk.ChatCompletionToolUnionParam, error) {
	definition := shared.FunctionDefinitionParam{Name: d.Name}
	if d.Description != "" {
		definition.Description = param.NewOpt(d.Description)
	}
	err := json.Unmarshal(wire.Schema(d), &definition.Parameters)
	return sdk.ChatCompletionFunctionTool(definition), err
}

func toolChoice(c mend.ToolChoice) sdk.ChatCompletionToolChoiceOptionUnionParam {
	if name, ok := c.Tool(); ok {
		return sdk.ToolChoiceOptionFunctionToolChoice(sdk.ChatCompletionNamedToolChoiceFunctionParam{Name: name})
	}
	return sdk.ChatCompletionToolChoiceOptionUnionParam{OfAuto: param.NewOpt(cmp.Or(string(c), "auto"))}
}

// turns returns the history: each result is a message of its own here, right behind
// the calls. A turn that says nothing is left out.
func (p *Provider) turns(messages []mend.Message) []sdk.ChatCompletionMessageParamUnion {
	ids := wire.CallIDs(messages, maxID)
	var out []sdk.ChatCompletionMessageParamUnion
	for _, m := range messages {
		if m.Role == mend.RoleAssistant {
			if !wire.IsBlank(m.Content) || len(m.ToolCalls) > 0 {
				out = append(out, p.assistant(m, ids))
			}
			continue
		}
		for _, r := range m.ToolResults {
			content := r.Content
			if r.IsError {
				content = errorPrefix + content
			}
			out = append(out, sdk.ToolMessage(content, ids[r.CallID]))
		}
		if !wire.IsBlank(m.Content) {
			out = append(out, sdk.UserMessage(m.Content))
		}
	}
	return out
}

// assistant returns an assistant's turn, with what its server wants back if it was
// this one and nobody has changed the turn since.
func (p *Provider) assistant(m mend.Message, ids map[string]string) sdk.ChatCompletionMessageParamUnion {
	var own message
	if json.Unmarshal(m.Opaque[p.settings.Name], &own) != nil || !wire.SameTurn(m, own.neutral()) {
		own = message{}
	}
	turn := new(sdk.ChatCompletionAssistantMessageParam)
	if !wire.IsBlank(m.Content) {
		turn.Content.OfString = param.NewOpt(m.Content)
	}
	if extras := own.extras(); len(extras) > 0 {
		turn.SetExtraFields(extras)
	}
	for i, c := range m.ToolCalls {
		call := &sdk.ChatCompletionMessageFunctionToolCallParam{
			ID: ids[c.ID],
			Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{
				Name: c.Name, Arguments: string(wire.Object(c.Arguments)),
			},
		}
		if i < len(own.ToolCalls) {
			if extras := own.ToolCalls[i].extras(); extras != nil {
				call.SetExtraFields(extras)
			}
		}
		turn.ToolCalls = append(turn.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: call})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: turn}
}

package anthropic

import (
	"cmp"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

// maxID is more bytes than any call id of this API or another has.
const maxID = 256

// params returns the request in the API's form.
func (p *Provider) params(req *mend.CompletionRequest) sdk.MessageNewParams {
	params := sdk.MessageNewParams{
		Model:     sdk.Model(p.settings.Model),
		MaxTokens: int64(cmp.Or(req.MaxTokens, p.settings.MaxTokens, defaultMaxTokens)),
		Messages:  p.turns(req.Messages),
		Tools:     tools(req.Tools),
	}
	if !wire.IsBlank(req.SystemPrompt) {
		params.System = []sdk.TextBlockParam{{Text: req.SystemPrompt}}
	}
	if req.Temperature != nil {
		params.Temperature = param.NewOpt(*req.Temperature)
	}
	if len(req.Tools) > 0 { // without tools the API refuses a choice
		params.ToolChoice = toolChoice(req.ToolChoice)
	}
	if p.cache {
		markCached(&params)
	}
	return params
}

func tools(defs []mend.ToolDef) []sdk.ToolUnionParam {
	var out []sdk.ToolUnionParam
	for _, d := range defs {
		tool := &sdk.ToolParam{
			Name:        d.Name,
			InputSchema: param.Override[sdk.ToolInputSchemaParam](wire.Schema(d)),
		}
		if d.Description != "" {
			tool.Description = param.NewOpt(d.Description)
		}
		out = append(out, sdk.ToolUnionParam{OfTool: tool})
	}
	return out
}

func toolChoice(c mend.ToolChoice) sdk.ToolChoiceUnionParam {
	if name, ok := c.Tool(); ok {
		return sdk.ToolChoiceUnionParam{OfTool: &sdk.ToolChoiceToolParam{Name: name}}
	}
	switch c {
	case mend.ToolChoiceNone:
		return sdk.ToolChoiceUnionParam{OfNone: &sdk.ToolChoiceNoneParam{}}
	case mend.ToolChoiceRequired:
		return sdk.ToolChoiceUnionParam{OfAny: &sdk.ToolChoiceAnyParam{}}
	}
	return sdk.ToolChoiceUnionParam{OfAuto: &sdk.ToolChoiceAutoParam{}}
}

// turns returns the history. A turn that says nothing is left out: the API refuses
// it, and takes two turns of one role in a row.
func (p *Provider) turns(messages []mend.Message) []sdk.MessageParam {
	ids := wire.CallIDs(messages, maxID)
	var out []sdk.MessageParam
	for _, m := range messages {
		role, blocks := sdk.MessageParamRoleUser, results(m, ids)
		if m.Role == mend.RoleAssistant {
			role, blocks = sdk.MessageParamRoleAssistant, p.ownBlocks(m, ids)
			if blocks == nil {
				blocks = textAndCalls(m, ids)
			}
		}
		if len(blocks) > 0 {
			out = append(out, sdk.MessageParam{Role: role, Content: blocks})
		}
	}
	return out
}

// results returns a user's turn. The results come first, as the API demands.
func results(m mend.Message, ids map[string]string) []sdk.ContentBlockParamUnion {
	var blocks []sdk.ContentBlockParamUnion
	for _, r := range m.ToolResults {
		block := &sdk.ToolResultBlockParam{ToolUseID: ids[r.CallID]}
		if r.IsError {
			block.IsError = param.NewOpt(true)
		}
		if !wire.IsBlank(r.Content) {
			block.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: r.Content}}}
		}
		blocks = append(blocks, sdk.ContentBlockParamUnion{OfToolResult: block})
	}
	return appendText(blocks, m.Content)
}

// textAndCalls returns an assistant's turn that another provider made, or one
// without thinking.
func textAndCalls(m mend.Message, ids map[string]string) []sdk.ContentBlockParamUnion {
	blocks := appendText(nil, m.Content)
	for _, c := range m.ToolCalls {
		blocks = append(blocks, toolUse(ids[c.ID], c.Name, c.Arguments))
	}
	return blocks
}

// ownBlocks returns a turn as this API made it, thinking in its place, or nil if it
// was made elsewhere or has been changed since.
func (p *Provider) ownBlocks(m mend.Message, ids map[string]string) []sdk.ContentBlockParamUnion {
	var raw []json.RawMessage
	if json.Unmarshal(m.Opaque[p.settings.Name], &raw) != nil || len(raw) == 0 {
		return nil
	}
	parsed := make([]block, len(raw))
	for i := range raw {
		if json.Unmarshal(raw[i], &parsed[i]) != nil {
			return nil
		}
	}
	if !wire.SameTurn(m, read(parsed)) {
		return nil
	}
	var blocks []sdk.ContentBlockParamUnion
	calls := m.ToolCalls
	for i, b := range parsed {
		switch b.Type {
		case "text":
			blocks = appendText(blocks, b.Text)
		case "tool_use":
			blocks = append(blocks, toolUse(ids[calls[0].ID], b.Name, b.Input))
			calls = calls[1:]
		default:
			blocks = append(blocks, param.Override[sdk.ContentBlockParamUnion](raw[i]))
		}
	}
	return blocks
}

func toolUse(id, name string, arguments json.RawMessage) sdk.ContentBlockParamUnion {
	return sdk.ContentBlockParamUnion{OfToolUse: &sdk.ToolUseBlockParam{
		ID: id, Name: name, Input: wire.Object(arguments),
	}}
}

func appendText(blocks []sdk.ContentBlockParamUnion, text string) []sdk.ContentBlockParamUnion {
	if wire.IsBlank(text) {
		return blocks
	}
	return append(blocks, sdk.ContentBlockParamUnion{OfText: &sdk.TextBlockParam{Text: text}})
}

// markCached marks the end of what does not change between the turns, and the end
// of the conversation, where the next turn goes on reading.
func markCached(params *sdk.MessageNewParams) {
	mark := sdk.NewCacheControlEphemeralParam()
	switch {
	case len(params.System) > 0:
		params.System[len(params.System)-1].CacheControl = mark
	case len(params.Tools) > 0:
		params.Tools[len(params.Tools)-1].OfTool.CacheControl = mark
	}
	if len(params.Messages) == 0 {
		return
	}
	blocks := params.Messages[len(params.Messages)-1].Content
	switch last := blocks[len(blocks)-1]; {
	case last.OfText != nil:
		last.OfText.CacheControl = mark
	case last.OfToolResult != nil:
		last.OfToolResult.CacheControl = mark
	}
}

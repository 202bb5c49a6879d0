package paritytest

import (
	"encoding/json"

	"github.com/mendkit/mend"
)

// conversation is a request and what the model says to it.
type conversation struct {
	name   string
	req    mend.CompletionRequest
	answer Answer
	turns  []Turn // what is seen of the history, if it is not the history itself
}

var (
	warm  = 0.25
	cold  = 0.0
	tools = []mend.ToolDef{
		{
			Name: "read_file", Description: "Reads a file.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`),
		},
		{Name: "list", Parameters: nil},
	}
	plenty = mend.Usage{InputTokens: 1200, OutputTokens: 340, CacheReadTokens: 1000, CacheWriteTokens: 100, ReasoningTokens: 300}
	little = mend.Usage{InputTokens: 12, OutputTokens: 3}
)

func user(text string) mend.Message { return mend.Message{Role: mend.RoleUser, Content: text} }

func assistant(text string, calls ...mend.ToolCall) mend.Message {
	return mend.Message{Role: mend.RoleAssistant, Content: text, ToolCalls: calls}
}

func call(id, name, arguments string) mend.ToolCall {
	return mend.ToolCall{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
}

func results(r ...mend.ToolResult) mend.Message {
	return mend.Message{Role: mend.RoleUser, ToolResults: r}
}

func conversations() []conversation {
	return append(plainConversations(), toolConversations()...)
}

func plainConversations() []conversation {
	return []conversation{
		{
			name:   "text",
			req:    mend.CompletionRequest{Messages: []mend.Message{user("Say <hello> & é.")}},
			answer: Answer{Text: "<hello> & é", Stop: mend.StopEndTurn, Usage: little, Model: model},
		},
		{
			name: "everything said about the answer",
			req: mend.CompletionRequest{
				SystemPrompt: "Be brief.", Messages: []mend.Message{user("hello"), assistant("hi"), user("again")},
				MaxTokens: 77, Temperature: &warm,
			},
			answer: Answer{Text: "hi again", Stop: mend.StopEndTurn, Usage: little, Model: model + "-2026"},
		},
		{
			name:   "temperature zero is one",
			req:    mend.CompletionRequest{Messages: []mend.Message{user("hello")}, Temperature: &cold},
			answer: Answer{Text: "hi", Stop: mend.StopEndTurn, Model: model},
		},
		{
			name:   "usage with cache and reasoning",
			req:    mend.CompletionRequest{Messages: []mend.Message{user("think")}},
			answer: Answer{Text: "done", Stop: mend.StopEndTurn, Usage: plenty, Model: model},
		},
		{
			name: "turns that say nothing are left out",
			req: mend.CompletionRequest{Messages: []mend.Message{
				user("hello"), assistant(""), user("  \n"), user("still there?"),
			}},
			answer: Answer{Text: "yes", Stop: mend.StopEndTurn, Model: model},
			turns:  []Turn{{Role: mend.RoleUser, Text: "hello"}, {Role: mend.RoleUser, Text: "still there?"}},
		},
	}
}

func toolConversations() []conversation {
	begun := []mend.Message{user("mend it")}
	oneCall := []mend.ToolCall{call("", "read_file", `{"path":"a","size":12345678901234567890}`)}
	twoCalls := []mend.ToolCall{call("", "read_file", `{"path":"a"}`), call("", "list", `{}`), call("", "read_file", `{"path":"b"}`)}
	with := func(choice mend.ToolChoice) mend.CompletionRequest {
		return mend.CompletionRequest{Messages: begun, Tools: tools, ToolChoice: choice}
	}
	toolUse := func(text string, calls []mend.ToolCall) Answer {
		return Answer{Text: text, Calls: calls, Stop: mend.StopToolUse, Usage: little, Model: model}
	}
	parallel := []mend.Message{
		user("mend it"),
		assistant("Reading.", call("read_file#1", "read_file", `{"path":"a"}`), call("toolu_02", "read_file", `{"path":"b"}`), call("call-3", "list", "")),
		{Role: mend.RoleUser, Content: "Go on.", ToolResults: []mend.ToolResult{
			{CallID: "read_file#1", Name: "read_file", Content: "A"},
			{CallID: "toolu_02", Name: "read_file", Content: "no such file", IsError: true},
			{CallID: "call-3", Name: "list", Content: ""},
		}},
	}
	invalid := []mend.Message{
		user("mend it"), assistant("", call("c1", "read_file", `{"path": "a`)),
		results(mend.ToolResult{CallID: "c1", Name: "read_file", Content: "arguments are no JSON", IsError: true}),
	}
	return []conversation{
		{name: "one tool call", req: with(mend.ToolChoiceAuto), answer: toolUse("", oneCall)},
		{name: "parallel tool calls with text", req: with(mend.ToolChoiceAuto), answer: toolUse("I read both.", twoCalls)},
		{name: "no tool wanted", req: with(mend.ToolChoiceNone), answer: Answer{Text: "fine", Stop: mend.StopEndTurn, Model: model}},
		{name: "some tool demanded", req: with(mend.ToolChoiceRequired), answer: toolUse("", oneCall)},
		{name: "one tool demanded", req: with(mend.ToolChoiceNamed("read_file")), answer: toolUse("", oneCall)},
		{
			name:   "parallel results in one turn, one of them an error",
			req:    mend.CompletionRequest{Messages: parallel, Tools: tools},
			answer: toolUse("", oneCall),
			turns: []Turn{
				{Role: mend.RoleUser, Text: "mend it"},
				{Role: mend.RoleAssistant, Text: "Reading.", Calls: []SeenCall{
					{"read_file", `{"path":"a"}`}, {"read_file", `{"path":"b"}`}, {"list", `{}`},
				}},
				{Role: mend.RoleUser, Text: "Go on.", Results: []SeenResult{
					{"read_file", "A", false}, {"read_file", "no such file", true}, {"list", "", false},
				}},
			},
		},
		{
			name:   "invalid arguments in the history",
			req:    mend.CompletionRequest{Messages: invalid, Tools: tools},
			answer: Answer{Text: "sorry", Stop: mend.StopEndTurn, Model: model},
			turns: []Turn{
				{Role: mend.RoleUser, Text: "mend it"},
				{Role: mend.RoleAssistant, Calls: []SeenCall{{"read_file", `{"INVALID_JSON":"{\"path\": \"a"}`}}},
				{Role: mend.RoleUser, Results: []SeenResult{{"read_file", "arguments are no JSON", true}}},
			},
		},
	}
}

// seenTurns returns what a history without tools looks like in a request.
func seenTurns(messages []mend.Message) []Turn {
	var turns []Turn
	for _, m := range messages {
		turns = append(turns, Turn{Role: m.Role, Text: m.Content})
	}
	return turns
}

// stops are the ways to end a turn that every API has.
var stops = []struct {
	name   string
	answer Answer
}{
	{"out of tokens", Answer{Text: "The begin", Stop: mend.StopMaxTokens}},
	{"out of tokens before the first word", Answer{Stop: mend.StopMaxTokens}},
	{"refused", Answer{Text: "I cannot", Stop: mend.StopContentFilter}},
	{"refused without a word", Answer{Stop: mend.StopContentFilter}},
}

package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Tool is what a model may call while it works on an answer.
type Tool struct {
	ToolDef

	// Call returns what the model is to read. The text is sanitised and cut before the
	// model sees it, and so is the text of an error, which is one more thing for the
	// model to react to. Calls never run concurrently in one conversation.
	Call func(ctx context.Context, args json.RawMessage) (string, error)
}

// Submit is the tool that a model gives its answer with.
type Submit struct {
	ToolDef

	// Check validates an answer before it counts. The text of an error goes back to
	// the model. The arguments are a JSON object.
	Check func(ctx context.Context, args json.RawMessage) error
}

// ConversationOptions configures a [Conversation]. A zero field means its default.
type ConversationOptions struct {
	System      Clean // the system prompt
	Tools       []Tool
	Sanitizer   *Sanitizer // of what tools return; nil means NewSanitizer(nil)
	Limits      Limits     // where an Orchestrator calls, its own count instead
	MaxTokens   int        // bound of each answer; 0 means the provider's own
	Temperature *float64   // nil means the provider's own

	MaxCommandRepairs int     // of each [Conversation.Command]; 0 means 2, negative none
	RefineBelow       float64 // the confidence below which an answer is looked at again, once; 0 means 0.8, negative never
}

func (o *ConversationOptions) maxCommandRepairs() int {
	if o.MaxCommandRepairs == 0 {
		return 2
	}
	return max(0, o.MaxCommandRepairs)
}

// refineBelow returns what a model has to claim for its answer to be used at once.
// Below it the model is asked once to look again, which costs less than a run.
func (o *ConversationOptions) refineBelow() float64 {
	if o.RefineBelow == 0 {
		return 0.8
	}
	return o.RefineBelow
}

// Conversation is the turn loop with a model: prompts, tool calls, and one answer
// for each prompt by way of the submit tool. It keeps the whole history, so that a
// further prompt continues it, with whatever provider answers then. It is used by
// one goroutine.
type Conversation struct {
	provider Provider
	submit   Submit
	opts     ConversationOptions
	meter    *meter // where no orchestrator counts
	history  []Message
	results  []ToolResult // of the last turn, not sent back yet
}

// NoSubmissionError reports that a model gave no valid answer in the turns that
// it had.
type NoSubmissionError struct {
	Turns   int
	Refusal string // of the last answer, if there was one
}

func (e *NoSubmissionError) Error() string {
	if e.Refusal == "" {
		return fmt.Sprintf("the model gave no answer in %d turns", e.Turns)
	}
	return fmt.Sprintf("the model gave no valid answer in %d turns: %s", e.Turns, e.Refusal)
}

// NewConversation returns a conversation that has not begun. nil options are
// valid, and so is no submit tool at all, for [Conversation.Command] only. It panics
// if a tool has no name, no function, or another one's name.
func NewConversation(p Provider, submit Submit, opts *ConversationOptions) *Conversation {
	c := &Conversation{provider: p, submit: submit}
	if opts != nil {
		c.opts = *opts
	}
	c.meter = newMeter(c.opts.Limits)
	names := []string{submit.Name}
	for _, t := range c.opts.Tools {
		if t.Name == "" || t.Call == nil || slices.Contains(names, t.Name) {
			panic(fmt.Sprintf("mend.NewConversation: tool %q", t.Name))
		}
		names = append(names, t.Name)
	}
	if (submit.Name == "") != (submit.Check == nil) {
		panic("mend.NewConversation: submit tool without a name or a check")
	}
	return c
}

// exchange is one prompt and what comes of it.
type exchange interface {
	tool() ToolDef // that an answer is given with

	// submitted takes the arguments of a call of that tool, and returns its result.
	submitted(ctx context.Context, args json.RawMessage, why StopReason) (string, error)

	// spoken takes a turn that calls no tool, and returns what to say to it, if anything.
	spoken(ctx context.Context, text string, why StopReason) Clean
}

// Ask puts a prompt, and returns the arguments of the answer that was accepted.
// The error is a [*NoSubmissionError], a [*BudgetError], the provider's, or the
// context's. The history stays usable after a NoSubmissionError. It panics if the
// conversation has no submit tool.
func (c *Conversation) Ask(ctx context.Context, prompt Clean) (json.RawMessage, error) {
	if c.submit.Check == nil {
		panic("mend.Conversation.Ask: no submit tool")
	}
	m := meterOf(ctx, c.meter)
	c.say(prompt)
	a := &answer{c: c, turns: m.limits.turns()}
	for turn := range a.turns {
		if _, err := c.turn(ctx, m, a, turn == a.turns-1); err != nil {
			return nil, err
		}
		if a.accepted {
			return a.best, nil
		}
	}
	if a.best != nil {
		return a.best, nil
	}
	return nil, &NoSubmissionError{Turns: a.turns, Refusal: a.refusal}
}

// Turns returns how many turns the model has for each prompt, where no
// [Orchestrator] counts.
func (c *Conversation) Turns() int { return c.meter.limits.turns() }

// turn has the model speak once, and reacts to it. In the last turn an answer is
// demanded.
func (c *Conversation) turn(ctx context.Context, m *meter, x exchange, last bool) (Usage, error) {
	resp, err := c.complete(ctx, m, x.tool(), last)
	if err != nil {
		return Usage{}, err
	}
	c.history = append(c.history, resp.Message)
	return resp.Usage, c.react(ctx, x, resp)
}

// answer is what came of an Ask so far.
type answer struct {
	c        *Conversation
	turns    int
	best     json.RawMessage // the last valid one
	accepted bool
	refined  bool // the model was asked to look again
	refusal  string
}

func (a *answer) tool() ToolDef { return a.c.submit.ToolDef }

// say appends a user's turn, with the tool results that are due.
func (c *Conversation) say(prompt Clean) {
	if n := len(c.history); n > 0 && len(c.results) == 0 && c.history[n-1].Role == RoleUser {
		c.history[n-1].Content = strings.TrimPrefix(c.history[n-1].Content+"\n\n"+prompt.String(), "\n\n")
		return
	}
	c.history = append(c.history, Message{Role: RoleUser, Content: prompt.String(), ToolResults: c.results})
	c.results = nil
}

// complete asks the provider. A history that is too long is cut once.
func (c *Conversation) complete(ctx context.Context, m *meter, submit ToolDef, last bool) (*CompletionResponse, error) {
	if len(c.results) > 0 {
		c.history = append(c.history, Message{Role: RoleUser, ToolResults: c.results})
		c.results = nil
	}
	resp, err := m.complete(ctx, c.provider, c.request(submit, last))
	if err != nil && kindOf(ctx, err) == KindContextLength && c.trim() {
		resp, err = m.complete(ctx, c.provider, c.request(submit, last))
	}
	if err == nil && isEmpty(resp) && resp.StopReason != StopContentFilter {
		resp, err = m.complete(ctx, c.provider, c.request(submit, last))
	}
	if err != nil {
		return nil, err
	}
	if isEmpty(resp) {
		kind := KindBadResponse
		if resp.StopReason == StopContentFilter {
			kind = KindContentFilter
		}
		return nil, &ProviderError{Kind: kind, Provider: c.provider.Name(), RequestID: resp.RequestID, Err: errors.New("the answer is empty")}
	}
	resp.Message.Role = RoleAssistant
	return resp, nil
}

// isEmpty reports whether an answer says nothing, which no history may hold.
func isEmpty(resp *CompletionResponse) bool {
	return resp.Message.Content == "" && len(resp.Message.ToolCalls) == 0 && resp.StopReason != StopPause
}

// request returns the next request. In the last turn the answer is demanded.
func (c *Conversation) request(submit ToolDef, last bool) *CompletionRequest {
	req := &CompletionRequest{
		SystemPrompt: c.opts.System.String(), Messages: slices.Clone(c.history),
		MaxTokens: c.opts.MaxTokens, Temperature: c.opts.Temperature,
	}
	for _, t := range c.opts.Tools {
		req.Tools = append(req.Tools, t.ToolDef)
	}
	req.Tools = append(req.Tools, submit)
	if last {
		req.ToolChoice = ToolChoiceNamed(submit.Name)
	}
	return req
}

// trimmed is how many runes of a tool's result stay when the history is too long.
const trimmed = 400

// trim cuts the results of tools, and reports whether that made the history
// shorter.
func (c *Conversation) trim() bool {
	s := NewSanitizer(&SanitizerOptions{MaxLength: trimmed})
	shorter := false
	for i, m := range c.history {
		if len(m.ToolResults) == 0 {
			continue
		}
		results := slices.Clone(m.ToolResults)
		for k, r := range results {
			results[k].Content = s.Sanitize(r.Content)
			shorter = shorter || len(results[k].Content) < len(r.Content)
		}
		c.history[i].ToolResults = results
	}
	return shorter
}

// react calls the tools that a turn asks for. Each call gets exactly one result.
func (c *Conversation) react(ctx context.Context, x exchange, resp *CompletionResponse) error {
	calls := resp.Message.ToolCalls
	if len(calls) == 0 {
		if resp.StopReason != StopPause {
			if further := x.spoken(ctx, resp.Message.Content, resp.StopReason); further != (Clean{}) {
				c.say(further)
			}
		}
		return nil
	}
	for _, call := range calls {
		text, err := "", errNotCarriedOut
		if ctx.Err() == nil {
			text, err = c.call(ctx, x, call, resp.StopReason)
		}
		r := ToolResult{CallID: call.ID, Name: call.Name, IsError: err != nil}
		if told, ok := err.(told); ok {
			r.Content, r.IsError = told.String(), told.isError // at full length
		} else if err != nil {
			r.Content = c.opts.Sanitizer.Sanitize(err.Error())
		} else {
			r.Content = c.opts.Sanitizer.Sanitize(text)
		}
		c.results = append(c.results, r)
	}
	if ctx.Err() != nil {
		return contextError(ctx)
	}
	return nil
}

// told is the result of a tool in mend's own words: what the model is to do next.
type told struct {
	Clean
	isError bool
}

func (t told) Error() string { return t.String() }

// errFinal is what a check returns if the answer is to be used as it is, whatever the
// model thinks of it.
var errFinal = errors.New("final")

// errNotCarriedOut is the result of a call that came too late, for no call may be
// without one.
var errNotCarriedOut = errors.New("not carried out: the request was cancelled")

// call carries out one tool call.
func (c *Conversation) call(ctx context.Context, x exchange, call ToolCall, why StopReason) (text string, err error) {
	if call.Name == x.tool().Name {
		return x.submitted(ctx, call.Arguments, why)
	}
	if err := checkObject(call.Arguments, why); err != nil {
		return "", err
	}
	i := slices.IndexFunc(c.opts.Tools, func(t Tool) bool { return t.Name == call.Name })
	if i < 0 {
		return "", fmt.Errorf("there is no tool %q", call.Name)
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the tool failed: %v", v)
		}
	}()
	return c.opts.Tools[i].Call(ctx, slices.Clone(call.Arguments))
}

// checkObject returns why arguments are no JSON object. None at all is one without
// members.
func checkObject(args json.RawMessage, why StopReason) error {
	var members map[string]json.RawMessage
	switch {
	case len(args) == 0 || json.Unmarshal(args, &members) == nil && members != nil:
		return nil
	case why == StopMaxTokens:
		return errors.New("the call was cut off: the answer was too long")
	}
	return errors.New("the arguments are no JSON object")
}

// submitted validates an answer.
func (a *answer) submitted(ctx context.Context, args json.RawMessage, why StopReason) (string, error) {
	if err := checkObject(args, why); err != nil {
		return "", err
	}
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	err := refuseMarks(args)
	if err == nil {
		err = a.c.submit.Check(ctx, args)
	}
	if err == errFinal {
		a.best, a.accepted = slices.Clone(args), true
		return "not accepted", nil
	}
	if err != nil {
		a.refusal = a.c.opts.Sanitizer.Sanitize(err.Error())
		return "", err
	}
	a.best = slices.Clone(args)
	var claim struct{ Confidence *float64 }
	if json.Unmarshal(args, &claim) == nil && claim.Confidence != nil && *claim.Confidence < a.c.opts.refineBelow() && !a.refined {
		a.refined = true
		return fmt.Sprintf("noted, but not tried yet: a confidence of %.2f is low. Look at what you are not sure of, and submit again.", *claim.Confidence), nil
	}
	a.accepted = true
	return "accepted", nil
}

// marks stand for what a sanitizer took out of a text.
var marks = []string{"[REDACTED]", "[IP]", "[EMAIL]"}

// refuseMarks returns an error if an answer holds what the sanitizer wrote: no
// recipe and no output ever did.
func refuseMarks(args json.RawMessage) error {
	text := string(args)
	var value any
	if json.Unmarshal(args, &value) == nil {
		if plain, err := json.Marshal(value); err == nil {
			text += string(plain) // escapes hide a mark
		}
	}
	for _, mark := range marks {
		if strings.Contains(text, mark) {
			return fmt.Errorf("%s stands for text that was taken out before you saw it, and cannot be part of an answer", mark)
		}
	}
	return nil
}

// spoken asks for the answer where a turn brought none.
func (a *answer) spoken(_ context.Context, _ string, why StopReason) Clean {
	w := newPrompt(a.c.opts.Sanitizer)
	if why == StopMaxTokens {
		w.say("Your answer was cut off: it was too long.")
	}
	return w.say("Give your answer by calling the tool %q.", a.c.submit.Name).clean()
}

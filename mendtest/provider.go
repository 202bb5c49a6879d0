package mendtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/mendkit/mend"
)

// Turn is what a scripted model does when it is asked: it answers, or fails.
type Turn struct {
	Text       string
	Calls      []mend.ToolCall // IDs that are empty are made up
	StopReason mend.StopReason // "" means tool_use with calls, and end_turn without
	Usage      mend.Usage
	Err        error

	// Do is called with the request before the answer is given, if it is not nil. It
	// may look at the request, and wait for ctx.
	Do func(ctx context.Context, req *mend.CompletionRequest) error
}

// Call returns a turn in which the model calls one tool. Arguments that are no
// string are written as JSON; a string is taken for JSON as it is. It panics if
// they cannot be.
func Call(tool string, args any) Turn {
	raw, ok := args.(string)
	if !ok {
		b, err := json.Marshal(args)
		if err != nil {
			panic(err)
		}
		raw = string(b)
	}
	return Turn{Calls: []mend.ToolCall{{Name: tool, Arguments: json.RawMessage(raw)}}}
}

// ScriptedProvider is a provider that follows a script, whatever it is asked, and
// keeps the requests. It is safe for concurrent use.
type ScriptedProvider struct {
	name string

	mu       sync.Mutex
	rest     []Turn                    // guarded by mu
	requests []*mend.CompletionRequest // guarded by mu
	calls    int                       // made so far; guarded by mu
}

// errScriptOver reports that a provider was asked more often than its script says.
var errScriptOver = errors.New("the script is over")

// NewScriptedProvider returns a provider that takes the turns in order. When they
// are used up it returns an error of kind invalid_request.
func NewScriptedProvider(name string, turns ...Turn) *ScriptedProvider {
	return &ScriptedProvider{name: name, rest: turns}
}

// Name implements [mend.Provider].
func (p *ScriptedProvider) Name() string { return p.name }

// Requests returns the requests so far, in order.
func (p *ScriptedProvider) Requests() []*mend.CompletionRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Left returns how many turns were not taken.
func (p *ScriptedProvider) Left() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.rest)
}

// Complete implements [mend.Provider].
func (p *ScriptedProvider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	turn, ok := p.take(req)
	if !ok {
		return nil, &mend.ProviderError{Kind: mend.KindInvalidRequest, Provider: p.name, Err: errScriptOver}
	}
	if turn.Do != nil {
		if err := turn.Do(ctx, req); err != nil {
			return nil, err
		}
	}
	if turn.Err != nil {
		return nil, turn.Err
	}
	if ctx.Err() != nil {
		return nil, &mend.ProviderError{Kind: mend.KindCanceled, Provider: p.name, Err: ctx.Err()}
	}
	return p.respond(turn), nil
}

// take records a request, and returns the turn that answers it.
func (p *ScriptedProvider) take(req *mend.CompletionRequest) (Turn, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := *req
	kept.Messages = slices.Clone(req.Messages)
	p.requests = append(p.requests, &kept)
	if len(p.rest) == 0 {
		return Turn{}, false
	}
	turn := p.rest[0]
	p.rest = p.rest[1:]
	return turn, true
}

func (p *ScriptedProvider) respond(turn Turn) *mend.CompletionResponse {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := slices.Clone(turn.Calls)
	for i := range calls {
		p.calls++
		if calls[i].ID == "" {
			calls[i].ID = fmt.Sprintf("call%d", p.calls)
		}
	}
	stop := turn.StopReason
	switch {
	case stop != "":
	case len(calls) > 0:
		stop = mend.StopToolUse
	default:
		stop = mend.StopEndTurn
	}
	return &mend.CompletionResponse{
		Message:    mend.Message{Role: mend.RoleAssistant, Content: turn.Text, ToolCalls: calls},
		StopReason: stop, Usage: turn.Usage, Model: "scripted", Provider: p.name,
	}
}

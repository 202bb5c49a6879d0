package mendtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mendkit/mend"
)

// FaultKind names what goes wrong with a call of a provider.
type FaultKind string

// The kinds of faults. Each shows itself the way an adapter reports it: as a
// *[mend.ProviderError], or as a response.
const (
	FaultNone           FaultKind = ""                // the call is passed on
	FaultRateLimited    FaultKind = "rate_limited"    // HTTP 429
	FaultQuota          FaultKind = "quota"           // HTTP 429, and no use to wait for it
	FaultOverloaded     FaultKind = "overloaded"      // HTTP 529
	FaultServerError    FaultKind = "server_error"    // HTTP 500
	FaultAuth           FaultKind = "auth"            // HTTP 401
	FaultModelNotFound  FaultKind = "model_not_found" // HTTP 404
	FaultInvalidRequest FaultKind = "invalid_request" // HTTP 400
	FaultContextLength  FaultKind = "context_length"  // HTTP 400
	FaultContentFilter  FaultKind = "content_filter"  // a refusal, with HTTP 200
	FaultTimeout        FaultKind = "timeout"         // the adapter's own bound, at once
	FaultHang           FaultKind = "hang"            // nothing comes until ctx ends
	FaultCut            FaultKind = "cut"             // the connection ends in the middle of the answer
	FaultPanic          FaultKind = "panic"           // the adapter itself is broken
	FaultEmpty          FaultKind = "empty"           // an answer without text and calls
	FaultTruncated      FaultKind = "truncated"       // a tool call that the bound of the answer cut off
	FaultGarbage        FaultKind = "garbage"         // a tool call whose arguments are no JSON
	FaultUnknownTool    FaultKind = "unknown_tool"    // a call of a tool that was not offered
)

// FaultKinds returns all kinds but FaultNone, for tests that choose at random.
func FaultKinds() []FaultKind {
	return []FaultKind{
		FaultRateLimited, FaultQuota, FaultOverloaded, FaultServerError, FaultAuth, FaultModelNotFound,
		FaultInvalidRequest, FaultContextLength, FaultContentFilter, FaultTimeout, FaultHang, FaultCut, FaultPanic,
		FaultEmpty, FaultTruncated, FaultGarbage, FaultUnknownTool,
	}
}

// Fault is what goes wrong with one call. The zero value is nothing.
type Fault struct {
	Kind       FaultKind
	RetryAfter time.Duration // what a *ProviderError asks for; 0 means that it does not say
}

// Faults returns a plan for [NewFaultProvider] that spoils the first calls, one
// fault each, and passes on all further ones.
func Faults(first ...Fault) func(call int, req *mend.CompletionRequest) Fault {
	first = slices.Clone(first)
	return func(call int, _ *mend.CompletionRequest) Fault {
		if call < len(first) {
			return first[call]
		}
		return Fault{}
	}
}

// FaultProvider is a provider whose calls go wrong by plan. A call that goes well
// is passed on to another provider. It is safe for concurrent use.
type FaultProvider struct {
	provider mend.Provider

	mu    sync.Mutex
	plan  func(call int, req *mend.CompletionRequest) Fault // called under mu
	calls int                                               // guarded by mu
}

// NewFaultProvider returns a provider in front of p. The plan says for each call,
// counted from 0, what goes wrong with it; see [Faults]. It is never called
// concurrently, and must not change the request.
func NewFaultProvider(p mend.Provider, plan func(call int, req *mend.CompletionRequest) Fault) *FaultProvider {
	return &FaultProvider{provider: p, plan: plan}
}

// Name returns the name of the provider behind.
func (p *FaultProvider) Name() string { return p.provider.Name() }

// Calls returns how often Complete was called.
func (p *FaultProvider) Calls() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// Complete implements [mend.Provider].
func (p *FaultProvider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	call, fault := p.next(req)
	if err := ctx.Err(); err != nil {
		return nil, &mend.ProviderError{Kind: mend.KindCanceled, Provider: p.Name(), Err: err}
	}
	switch fault.Kind {
	case FaultNone:
		return p.provider.Complete(ctx, req)
	case FaultHang:
		<-ctx.Done()
		return nil, &mend.ProviderError{Kind: mend.KindCanceled, Provider: p.Name(), Err: ctx.Err()}
	case FaultPanic:
		panic(fmt.Sprintf("mendtest: call %d of %s panics, as planned", call, p.Name()))
	case FaultEmpty, FaultTruncated, FaultGarbage, FaultUnknownTool:
		return p.spoiled(fault.Kind, call, req), nil
	}
	return nil, p.failure(fault, call)
}

// next counts a call, and returns what goes wrong with it.
func (p *FaultProvider) next(req *mend.CompletionRequest) (call int, f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	call = p.calls
	p.calls++
	return call, p.plan(call, req)
}

// faultErrors are the faults that are errors.
var faultErrors = map[FaultKind]mend.ProviderError{
	FaultRateLimited:    {Kind: mend.KindRateLimited, Status: http.StatusTooManyRequests, Err: errors.New("slow down")},
	FaultQuota:          {Kind: mend.KindQuota, Status: http.StatusTooManyRequests, Err: errors.New("the quota is used up")},
	FaultOverloaded:     {Kind: mend.KindOverloaded, Status: 529, Err: errors.New("overloaded")},
	FaultServerError:    {Kind: mend.KindUnavailable, Status: http.StatusInternalServerError, Err: errors.New("internal error")},
	FaultAuth:           {Kind: mend.KindAuth, Status: http.StatusUnauthorized, Err: errors.New("the key is not valid")},
	FaultModelNotFound:  {Kind: mend.KindModelNotFound, Status: http.StatusNotFound, Err: errors.New("there is no such model")},
	FaultInvalidRequest: {Kind: mend.KindInvalidRequest, Status: http.StatusBadRequest, Err: errors.New("the request is malformed")},
	FaultContextLength:  {Kind: mend.KindContextLength, Status: http.StatusBadRequest, Err: errors.New("the prompt is too long")},
	FaultContentFilter:  {Kind: mend.KindContentFilter, Status: http.StatusOK, Err: errors.New("the answer was refused")},
	FaultTimeout:        {Kind: mend.KindTimeout, Err: context.DeadlineExceeded},
	FaultCut:            {Kind: mend.KindUnavailable, Err: fmt.Errorf("reading the answer: %w", io.ErrUnexpectedEOF)},
}

// failure returns the error of a fault. It panics if a plan invents a kind.
func (p *FaultProvider) failure(f Fault, call int) error {
	err, ok := faultErrors[f.Kind]
	if !ok {
		panic(fmt.Sprintf("mendtest: there is no fault %q", f.Kind))
	}
	err.Provider, err.RetryAfter = p.Name(), f.RetryAfter
	if err.Status != 0 {
		err.RequestID = requestID(call)
	}
	return &err
}

func requestID(call int) string { return fmt.Sprintf("fault-%d", call) }

// spoiled returns an answer that cannot be used. Its calls are of the tool that
// was offered last, which is the submit tool of a conversation.
func (p *FaultProvider) spoiled(kind FaultKind, call int, req *mend.CompletionRequest) *mend.CompletionResponse {
	resp := &mend.CompletionResponse{
		Message:    mend.Message{Role: mend.RoleAssistant},
		StopReason: mend.StopEndTurn,
		Usage:      mend.Usage{InputTokens: 100, OutputTokens: 10}, // is paid for all the same
		Model:      "fault", RequestID: requestID(call), Provider: p.Name(),
	}
	if kind == FaultEmpty {
		return resp
	}
	tool := mend.ToolCall{ID: fmt.Sprintf("fault-call-%d", call), Name: "no_such_tool", Arguments: json.RawMessage(`{"recipe": "[meta`)}
	resp.StopReason = mend.StopToolUse
	switch {
	case kind == FaultUnknownTool:
		tool.Arguments = json.RawMessage(`{}`)
	case len(req.Tools) > 0:
		tool.Name = req.Tools[len(req.Tools)-1].Name
	}
	if kind == FaultTruncated {
		resp.StopReason = mend.StopMaxTokens
	}
	resp.Message.ToolCalls = []mend.ToolCall{tool}
	return resp
}

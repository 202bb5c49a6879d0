package mendtest

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/mendkit/mend"
)

// RecordingProvider is a provider that passes everything on to another one and
// keeps what was exchanged, scrubbed, for [ReplayProvider] to play. What it passes
// on is not scrubbed. It is safe for concurrent use.
type RecordingProvider struct {
	provider mend.Provider
	scrub    scrubber

	mu        sync.Mutex
	exchanges []Exchange // guarded by mu
}

// NewRecordingProvider returns a recorder in front of p that sanitises what it
// keeps. A nil sanitizer is one with all its rules and no limit of length; one with
// a limit makes recordings that are shorter than what was said, and that may not
// play.
func NewRecordingProvider(p mend.Provider, s *mend.Sanitizer) *RecordingProvider {
	return &RecordingProvider{provider: p, scrub: newScrubber(s)}
}

// Name returns the name of the provider behind.
func (p *RecordingProvider) Name() string { return p.provider.Name() }

// Complete implements [mend.Provider].
func (p *RecordingProvider) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	resp, err := p.provider.Complete(ctx, req)
	e := Exchange{Request: p.scrub.request(req)}
	switch {
	case err != nil:
		e.Error = p.scrub.failure(ctx, p.Name(), err)
	case resp == nil:
		e.Error = &mend.ProviderError{Kind: mend.KindBadResponse, Provider: p.Name(), Err: errors.New("no response")}
	default:
		e.Response = p.scrub.response(resp)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exchanges = append(p.exchanges, e)
	return resp, err
}

// Conversation returns what was recorded so far, in the order in which calls
// ended. It is not to be changed.
func (p *RecordingProvider) Conversation() *Conversation {
	p.mu.Lock()
	defer p.mu.Unlock()
	return &Conversation{Provider: p.Name(), Exchanges: slices.Clone(p.exchanges)}
}

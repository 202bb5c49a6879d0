package mend

import (
	"context"
	"errors"
)

// Builder generates recipes.
type Builder interface {
	// Name identifies the builder in events and results.
	Name() string

	// NewSession starts the work on one request. Calls may run concurrently; a
	// session is used by one goroutine. An error is returned to the caller of
	// [Orchestrator.Create] as it is.
	NewSession(ctx context.Context, req BuildRequest) (Session, error)
}

// Session generates the recipe for one request, and repairs it.
type Session interface {
	// Generate returns the recipe to validate. An error ends the request.
	Generate(ctx context.Context) (*Recipe, error)

	// Repair returns another recipe, given why the last one failed. Nothing of f may
	// be changed; all of it may be kept. ErrRepairNotSupported ends the loop: the
	// request fails with the failure at hand. Any other error ends the request.
	Repair(ctx context.Context, f *Failure) (*Recipe, error)

	// Close releases what the session holds. It is called once, also after an error.
	Close() error
}

// BuildRequest says what to build a recipe for.
type BuildRequest struct {
	Package string // name of the tool or package
	Version string // version that will be installed; "" if it is not known
	Source  string // where it comes from, in the builder's own terms
}

// StaticBuilder returns a builder that generates r for every request and repairs
// nothing.
func StaticBuilder(r *Recipe) Builder {
	return BuildFunc("static", func(context.Context, BuildRequest) (*Recipe, error) { return r, nil })
}

// BuildFunc returns a builder whose sessions generate with generate and repair
// nothing. It is for programs whose generator is a single function.
func BuildFunc(name string, generate func(context.Context, BuildRequest) (*Recipe, error)) Builder {
	return &funcBuilder{name, generate}
}

type funcBuilder struct {
	name     string
	generate func(context.Context, BuildRequest) (*Recipe, error)
}

func (b *funcBuilder) Name() string { return b.name }

func (b *funcBuilder) NewSession(_ context.Context, req BuildRequest) (Session, error) {
	return &funcSession{b, req}, nil
}

type funcSession struct {
	builder *funcBuilder
	req     BuildRequest
}

func (s *funcSession) Generate(ctx context.Context) (*Recipe, error) {
	r, err := s.builder.generate(ctx, s.req)
	if err == nil && r == nil {
		err = errors.New("the builder returned no recipe")
	}
	return r, err
}

func (s *funcSession) Repair(context.Context, *Failure) (*Recipe, error) {
	return nil, ErrRepairNotSupported
}

func (s *funcSession) Close() error { return nil }

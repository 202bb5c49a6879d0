package mendtest

import (
	"context"
	"sync"

	"github.com/mendkit/mend"
)

// ScriptedBuilder is a builder that follows a script: each session generates the
// first recipe, and each repair gives the next one. When the script is over,
// Repair returns mend.ErrRepairNotSupported. It is safe for concurrent use.
type ScriptedBuilder struct {
	script []*mend.Recipe

	mu       sync.Mutex
	failures []*mend.Failure // guarded by mu
	closed   int             // guarded by mu
}

// NewScriptedBuilder returns a builder that gives the recipes in order. It
// panics if there is none.
func NewScriptedBuilder(script ...*mend.Recipe) *ScriptedBuilder {
	if len(script) == 0 {
		panic("mendtest.NewScriptedBuilder: empty script")
	}
	return &ScriptedBuilder{script: script}
}

// Name returns "scripted".
func (b *ScriptedBuilder) Name() string { return "scripted" }

// NewSession implements [mend.Builder].
func (b *ScriptedBuilder) NewSession(context.Context, mend.BuildRequest) (mend.Session, error) {
	return &scriptedSession{builder: b, rest: b.script}, nil
}

// Failures returns what the sessions were told, in order.
func (b *ScriptedBuilder) Failures() []*mend.Failure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*mend.Failure(nil), b.failures...)
}

// Closed returns how many sessions were closed.
func (b *ScriptedBuilder) Closed() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

type scriptedSession struct {
	builder *ScriptedBuilder
	rest    []*mend.Recipe
}

func (s *scriptedSession) next() (*mend.Recipe, error) {
	if len(s.rest) == 0 {
		return nil, mend.ErrRepairNotSupported
	}
	r := s.rest[0]
	s.rest = s.rest[1:]
	return r, nil
}

func (s *scriptedSession) Generate(context.Context) (*mend.Recipe, error) { return s.next() }

func (s *scriptedSession) Repair(_ context.Context, f *mend.Failure) (*mend.Recipe, error) {
	s.builder.mu.Lock()
	s.builder.failures = append(s.builder.failures, f)
	s.builder.mu.Unlock()
	return s.next()
}

func (s *scriptedSession) Close() error {
	s.builder.mu.Lock()
	defer s.builder.mu.Unlock()
	s.builder.closed++
	return nil
}

package mend

import (
	"context"
	"log/slog"
	"time"
)

// EventKind names a transition of the loop.
type EventKind string

// The transitions that are reported.
const (
	EventGenerationStarted   EventKind = "generation_started"
	EventGenerationCompleted EventKind = "generation_completed"
	EventValidationResult    EventKind = "validation_result"   // a recipe's own check was judged
	EventVerifySelfRepair    EventKind = "verify_self_repair"  // the rules were asked
	EventConfirmationResult  EventKind = "confirmation_result" // a check that passes was run in the second sandbox
	EventRepairAttempt       EventKind = "repair_attempt"      // the session was asked for another recipe

	EventProviderFailover   EventKind = "provider_failover"    // a provider failed, and the next one is asked
	EventCircuitBreakerTrip EventKind = "circuit_breaker_trip" // a provider's circuit breaker opened
)

// Event is one transition of the loop. It holds no prompt, and of output no more
// than one sanitised line in Error. Fields
// that do not belong to its kind are zero.
type Event struct {
	Kind      EventKind     `json:"kind"`
	Time      time.Time     `json:"time"`
	Package   string        `json:"package"`
	Builder   string        `json:"builder,omitempty"`
	Tool      string        `json:"tool,omitempty"`
	Attempt   int           `json:"attempt,omitempty"` // of the session's repairs, from 1
	Success   bool          `json:"success"`
	Method    string        `json:"method,omitempty"`
	Strength  Strength      `json:"strength,omitempty"`
	Probes    int           `json:"probes,omitempty"`        // runs beyond the recipe's own
	Duration  time.Duration `json:"duration_ns,omitempty"`   // of what the event ends
	TimeSaved time.Duration `json:"time_saved_ns,omitempty"` // what installing anew for each probe would have cost
	Error     string        `json:"error,omitempty"`

	Provider string            `json:"provider,omitempty"` // the one that failed
	Next     string            `json:"next,omitempty"`     // the provider that is asked instead
	Reason   ProviderErrorKind `json:"reason,omitempty"`   // how it failed
	RetryAt  time.Time         `json:"retry_at,omitzero"`  // from when on it is asked again
}

// LogValue returns the fields that are set, for package slog.
func (e Event) LogValue() slog.Value {
	var attrs []slog.Attr
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	text("package", e.Package)
	attrs = append(attrs, slog.Bool("success", e.Success))
	text("builder", e.Builder)
	text("tool", e.Tool)
	text("method", e.Method)
	if e.Strength != StrengthUnproven {
		text("strength", e.Strength.String())
	}
	if e.Attempt != 0 {
		attrs = append(attrs, slog.Int("attempt", e.Attempt))
	}
	if e.Probes != 0 {
		attrs = append(attrs, slog.Int("probes", e.Probes))
	}
	if e.Duration != 0 {
		attrs = append(attrs, slog.Duration("duration", e.Duration))
	}
	if e.TimeSaved != 0 {
		attrs = append(attrs, slog.Duration("time_saved", e.TimeSaved))
	}
	text("provider", e.Provider)
	text("next", e.Next)
	text("reason", string(e.Reason))
	if !e.RetryAt.IsZero() {
		attrs = append(attrs, slog.Time("retry_at", e.RetryAt))
	}
	text("error", e.Error)
	return slog.GroupValue(attrs...)
}

// SlogObserver returns an observer that logs each event: a provider's refusal that
// somebody has to do something about, a wrong key or a model that is gone, at level
// error, other failures at warn, all else at info.
func SlogObserver(logger *slog.Logger) func(context.Context, Event) {
	return func(ctx context.Context, e Event) {
		level := slog.LevelInfo
		switch {
		case e.Reason == KindAuth || e.Reason == KindModelNotFound:
			level = slog.LevelError
		case e.Error != "":
			level = slog.LevelWarn
		}
		logger.LogAttrs(ctx, level, string(e.Kind), slog.Any("event", e))
	}
}

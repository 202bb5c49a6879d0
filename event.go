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
	EventValidationResult    EventKind = "validation_result"  // a recipe's own check was judged
	EventVerifySelfRepair    EventKind = "verify_self_repair" // the rules were asked
	EventRepairAttempt       EventKind = "repair_attempt"     // the session was asked for another recipe
)

// Event is one transition of the loop. It holds no output and no prompt. Fields
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
}

// LogValue returns the fields that are set, for package slog.
func (e Event) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("package", e.Package), slog.Bool("success", e.Success)}
	text := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
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
	text("error", e.Error)
	return slog.GroupValue(attrs...)
}

// SlogObserver returns an observer that logs each event: failures of the loop at
// level warn, all else at info.
func SlogObserver(logger *slog.Logger) func(context.Context, Event) {
	return func(ctx context.Context, e Event) {
		level := slog.LevelInfo
		if e.Error != "" {
			level = slog.LevelWarn
		}
		logger.LogAttrs(ctx, level, string(e.Kind), slog.Any("event", e))
	}
}

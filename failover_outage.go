package mend

import (
	"strings"
	"time"
)

// OutageError reports that no provider answered.
type OutageError struct {
	Reasons []error // of the providers, in their order: *ProviderError, *CircuitOpenError

	// RetryAt is from when on one of them may answer: the earliest time at which a
	// circuit breaker admits a call to a provider that was down. It is zero if waiting
	// does not help.
	RetryAt time.Time
}

// Error gives each provider's reason, on one line.
func (e *OutageError) Error() string {
	s := "no provider answered: " + inOneLine(e.Reasons)
	if !e.RetryAt.IsZero() {
		s += "; retry at " + e.RetryAt.UTC().Format(time.RFC3339)
	}
	return s
}

// Unwrap returns the reasons.
func (e *OutageError) Unwrap() []error { return e.Reasons }

func inOneLine(reasons []error) string {
	var texts []string
	for _, err := range reasons {
		if err != nil {
			texts = append(texts, err.Error())
		}
	}
	if len(texts) == 0 {
		return "there is none"
	}
	return strings.Join(texts, "; ")
}

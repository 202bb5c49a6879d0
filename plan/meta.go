package plan

import "errors"

// Where the failure that a [Meta] describes came up.
const (
	MetaVerification = "verification" // a command of a plan
	MetaExecution    = "execution"    // anything else
)

// Meta is what is kept of a failure.
type Meta struct {
	SchemaVersion    int      `json:"schemaVersion"`
	Source           string   `json:"source"`
	Code             Code     `json:"failureCode"`
	Command          string   `json:"failedCommand,omitempty"`
	CommandSource    Source   `json:"failedCommandSource,omitempty"`
	Stderr           string   `json:"failedCommandStderr,omitempty"`
	Stdout           string   `json:"failedCommandStdout,omitempty"`
	CommandID        string   `json:"commandId,omitempty"`
	ExitCode         *int     `json:"exitCode,omitempty"`
	Signal           string   `json:"signal,omitempty"`
	TimedOut         bool     `json:"timedOut,omitempty"`
	Signature        string   `json:"signature,omitempty"`
	PolicyViolations []string `json:"policyViolations,omitempty"`
}

// MetaError reports metadata of another shape.
type MetaError struct{ Key, Reason string }

func (e *MetaError) Error() string { return e.Key + ": " + e.Reason }

// ParseMeta reads metadata.
func ParseMeta(data []byte) (*Meta, error) { return nil, errors.New("not yet") }

// ParseMessage reads a sentence.
func ParseMessage(message string) (*Meta, bool) { return nil, false }

// Classify says what a failure means for the next attempt.
func Classify(m *Meta, message string) Class {
	if m != nil {
		if c, ok := classes[m.Code]; ok {
			return c
		}
	}
	return classes[CodeModel]
}

// Signature returns what two failures of one cause have in common.
func Signature(code Code, commandID, output string) string { return string(code) + " " + commandID }

// RetryPolicy bounds how often a failure is tried again.
type RetryPolicy struct {
	Limits                     map[Category]int
	MaxRetries                 int
	RepeatedSignatureThreshold int
}

// RetryAction is what a failure calls for.
type RetryAction string

// Actions.
const (
	RetryAgain  RetryAction = "retry"
	RetryAdjust RetryAction = "adjust"
	RetryStop   RetryAction = "stop"
)

// RetryDecision is what [RetryPolicy.Decide] found.
type RetryDecision struct {
	Class
	Action         RetryAction
	Retries, Limit int
	Repeated       bool
}

// Limit returns how many failures of a category are tried again.
func (r RetryPolicy) Limit(c Category) int { return retryLimits[c] }

// Decide says what the last failure of a history calls for.
func (r RetryPolicy) Decide(history []Meta) RetryDecision { return RetryDecision{Action: RetryAgain} }

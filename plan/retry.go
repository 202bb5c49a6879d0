package plan

// defaultRepeated is how many equal failures in a row end the retries.
const defaultRepeated = 4

// RetryPolicy bounds how often a failure is tried again. The zero value is the
// default one.
type RetryPolicy struct {
	Limits                     map[Category]int // failures of a category that are tried again, in place of the default
	MaxRetries                 int              // of all categories together; 0: no bound, negative: none
	RepeatedSignatureThreshold int              // equal signatures in a row that end it; 0: 4, negative: never
}

// RetryAction is what a failure calls for.
type RetryAction string

// Actions.
const (
	RetryAgain  RetryAction = "retry"  // the same plan
	RetryAdjust RetryAction = "adjust" // the plan that Adjust returns
	RetryStop   RetryAction = "stop"
)

// RetryDecision is what [RetryPolicy.Decide] found.
type RetryDecision struct {
	Class    // of the failure at hand
	Action   RetryAction
	Retries  int  // earlier failures of the same category
	Limit    int  // how many of the category are tried again
	Repeated bool // the last signatures are all equal, which ends it
}

// Limit returns how many failures of a category are tried again, at most
// MaxRetries. A category that is none has no retry.
func (r RetryPolicy) Limit(c Category) int {
	limit, ok := r.Limits[c]
	if !ok {
		limit = retryLimits[c]
	}
	switch {
	case r.MaxRetries < 0:
		return 0
	case r.MaxRetries > 0:
		limit = min(limit, r.MaxRetries)
	}
	return max(limit, 0)
}

// Decide says what a history of failures calls for, the oldest first and the one at
// hand last. Without any there is nothing in the way of a try.
//
// An adjustable failure is adjusted, and any other tried again if its class allows
// that and fewer of its category came before than the limit says; either only while
// all failures before are fewer than MaxRetries. Nothing is tried again once the
// last signatures are equal.
func (r RetryPolicy) Decide(history []Meta) RetryDecision {
	if len(history) == 0 {
		return RetryDecision{Action: RetryAgain}
	}
	last := len(history) - 1
	d := RetryDecision{Class: classOf(&history[last]), Action: RetryStop, Repeated: r.repeated(history)}
	d.Limit = r.Limit(d.Category)
	for i := range history[:last] {
		if classOf(&history[i]).Category == d.Category {
			d.Retries++
		}
	}
	switch {
	case d.Repeated, r.MaxRetries < 0, r.MaxRetries > 0 && last >= r.MaxRetries:
	case d.Reason.adjustable():
		d.Action = RetryAdjust
	case d.Retryable && d.Retries < d.Limit:
		d.Action = RetryAgain
	}
	return d
}

// repeated reports whether the last signatures are equal, and there are enough.
func (r RetryPolicy) repeated(history []Meta) bool {
	n := r.RepeatedSignatureThreshold
	if n == 0 {
		n = defaultRepeated
	}
	if n < 0 || len(history) < n {
		return false
	}
	same := history[len(history)-1].Signature
	for _, m := range history[len(history)-n:] {
		if m.Signature != same {
			return false
		}
	}
	return same != ""
}

func classOf(m *Meta) Class { return Classify(m, "") }

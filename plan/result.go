package plan

import (
	"fmt"
	"strings"

	"github.com/mendkit/mend"
)

// Result is what [Run] found out.
type Result struct {
	Status     Status
	NoOp       bool          // nothing was changed, and what was asked for passes on the tree as it is
	Outcomes   []Outcome     // of the last pass, one for each entry that it came to
	Passes     int           // how many there were
	Fixes      int           // calls of Options.Fix
	Failure    *mend.Failure // of the entry that failed, by what it showed or what is wrong with its line; nil if there is neither
	Meta       *Meta         // why Status is failed; nil if it is not
	Violations []Violation   // of the policy, that were not resolved
	Discarded  []string      // paths whose changes were undone, in the order in which they were
	Allowed    []string      // paths outside the policy that may stay, for the caller to keep

	dropped []Dropped // of the plan, for the error's text
}

// Outcome is what became of one entry in one pass.
type Outcome struct {
	Command     Command
	State       State
	Code        Code             // why it did not pass as it stands; "" if it did
	Observation mend.Observation // of the part that decided, as it was run last; zero if none ran
	RanInstead  string           // the line that passed in its place, if State is narrowed or replaced
	Fixes       int              // calls of Options.Fix for this entry alone
	Meta        *Meta            // the failure as it is kept; nil if State is passed
}

// Err returns nil if all was verified, and a [*ResultError] for any other status:
// what was not run is not verified, whatever else passed.
func (r *Result) Err() error {
	if r.Status == StatusPassed {
		return nil
	}
	return &ResultError{r}
}

// ResultError reports a run whose status is not passed.
type ResultError struct{ Result *Result }

// errorText cleans the command lines in the text of errors.
var errorText = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: 300})

// Error names the status, and each entry that keeps it from being passed with its
// code, those that an earlier [Adjust] dropped included, on one line.
func (e *ResultError) Error() string {
	r := e.Result
	var why []string
	for _, o := range r.Outcomes {
		if o.State != StatePassed {
			why = append(why, fmt.Sprintf("%s %s (%s)", o.Command.Line, o.State, o.Code))
		}
	}
	for _, d := range r.dropped {
		why = append(why, fmt.Sprintf("%s dropped (%s)", d.Line, d.Reason))
	}
	for _, v := range r.Violations {
		why = append(why, fmt.Sprintf("%s is %s", v.Path, v.Kind))
	}
	if len(why) == 0 && r.Meta != nil {
		why = append(why, string(r.Meta.Code))
	}
	text := "verification " + string(r.Status)
	if len(why) > 0 {
		text += ": " + errorText.Sanitize(strings.Join(why, "; "))
	}
	return strings.Join(strings.Fields(text), " ")
}

// trivialPrograms exit as they are told, and verify nothing.
var trivialPrograms = setOf("true", ":", "echo", "printf", "sleep", "pwd")

// effective reports whether an outcome verified something: a check passed, and it
// was one that can fail.
func (o Outcome) effective() bool {
	switch o.State {
	case StateNarrowed, StateReplaced:
		return true
	case StatePassed:
		parts, err := Split(o.Command.Line)
		if err != nil {
			return false
		}
		for _, p := range parts {
			if !trivialPrograms[toolNames(p.Argv)[0]] {
				return true
			}
		}
	}
	return false
}

// statusOf returns what a pass without a failure comes to.
func statusOf(outcomes []Outcome, dropped []Dropped) Status {
	effective, gap := false, len(dropped) > 0
	for _, o := range outcomes {
		effective = effective || o.effective()
		gap = gap || o.State.leavesGap()
	}
	switch {
	case !effective:
		return StatusUnverified
	case gap:
		return StatusPassedWithGaps
	}
	return StatusPassed
}

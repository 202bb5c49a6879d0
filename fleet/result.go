package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mendkit/mend"
)

// Result is what came of a job: a recipe whose check is known to pass, or why there is
// none. Its text is sanitised, but for the request and the recipe.
type Result struct {
	Job

	Recipe         string               `json:"recipe,omitempty"` // its bytes, as they are to be used; "" if Failure is set
	Strength       mend.Strength        `json:"strength"`
	Repair         *mend.RepairMetadata `json:"repair,omitempty"` // how the check was mended; nil if it was not
	RepairAttempts int                  `json:"repair_attempts,omitempty"`
	SandboxSkipped bool                 `json:"sandbox_skipped,omitempty"`
	Attempts       int                  `json:"attempts"`         // recipes that were installed
	Probes         int                  `json:"probes,omitempty"` // checks that rules proposed
	Provider       string               `json:"provider,omitempty"`
	Usage          mend.Usage           `json:"usage,omitzero"`
	Warnings       []string             `json:"warnings,omitempty"`
	Failure        *Failure             `json:"failure,omitempty"` // why there is no recipe; nil if there is one

	Worker   string        `json:"worker"`   // the process that wrote the result
	Delivery int           `json:"delivery"` // of the job to a worker, from 1
	Finished time.Time     `json:"finished"`
	Took     time.Duration `json:"took_ns"` // of this delivery
}

// Failure is why no check of a recipe could be made to pass and proven. It holds no
// output but the line of its message.
type Failure struct {
	Category mend.ErrorCategory `json:"category"`
	Message  string             `json:"message"` // one line
	Verdict  string             `json:"verdict,omitempty"`
	Evidence []string           `json:"evidence,omitempty"` // the signatures that decided, the most telling first
	Findings []string           `json:"findings,omitempty"` // codes of what is wrong with the check itself
}

// resultOf returns the result of a request that was built.
func resultOf(job Job, built *mend.BuildResult, s *mend.Sanitizer) *Result {
	r := &Result{
		Job: job, Recipe: string(built.Recipe.Bytes()), Strength: built.Strength, Repair: built.RepairMetadata,
		RepairAttempts: built.RepairAttempts, SandboxSkipped: built.SandboxSkipped,
		Provider: built.Provider, Usage: built.Usage,
	}
	r.count(built.Attempts)
	for _, w := range built.Warnings {
		r.Warnings = append(r.Warnings, oneLine(s, w))
	}
	return r
}

// failureOf returns the result of a request whose recipe does not hold.
func failureOf(job Job, failed *mend.ValidationFailedError, s *mend.Sanitizer) *Result {
	r := &Result{Job: job, RepairAttempts: failed.RepairAttempts}
	r.count(failed.Attempts)
	r.Failure = &Failure{Category: mend.CategoryVerifyFailed, Message: oneLine(s, failed.Error())}
	f := failed.Failure
	if f.Parsed != nil {
		r.Failure.Category = f.Parsed.Category
	}
	if f.Analysis != nil {
		r.Failure.Verdict = f.Analysis.Verdict.String()
		for _, e := range f.Analysis.Evidence {
			r.Failure.Evidence = append(r.Failure.Evidence, e.Signature)
		}
	}
	for _, finding := range f.Findings {
		r.Failure.Findings = append(r.Failure.Findings, string(finding.Code))
	}
	return r
}

// check reports why the result would not be the same when it is read again. Workers of
// others may return anything.
func (r *Result) check() error {
	if !utf8.ValidString(r.Recipe) {
		return errors.New("the recipe is not UTF-8")
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, new(Result))
	}
	if err != nil {
		return fmt.Errorf("the result cannot be carried: %w", err)
	}
	return nil
}

func (r *Result) count(attempts []mend.Attempt) {
	r.Attempts = len(attempts)
	for _, a := range attempts {
		r.Probes += len(a.Probes)
	}
}

// oneLine returns text as it may be shown to others, on one line.
func oneLine(s *mend.Sanitizer, text string) string {
	return strings.Join(strings.Fields(s.Sanitize(text)), " ")
}

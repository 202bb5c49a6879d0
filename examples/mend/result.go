package main

import (
	"errors"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// outcome is what became of a recipe.
type outcome string

const (
	passed     outcome = "passed"      // its check passes as it is
	mended     outcome = "mended"      // it does now
	failed     outcome = "failed"      // it does not, and cannot be mended
	weak       outcome = "weak"        // it passes, and proves less than --floor asks for
	malformed  outcome = "malformed"   // it is no recipe
	noEvidence outcome = "no_evidence" // nothing was learned
)

// code returns the exit code of a recipe's outcome.
func (o outcome) code() int {
	switch o {
	case passed, mended:
		return exitOK
	case noEvidence:
		return exitNoEvidence
	}
	return exitFailed
}

// result is what there is to say about one recipe, and what --json prints. Its field
// names are stable. All of its text that a tool printed is sanitised.
type result struct {
	File     string               `json:"file,omitempty"` // as it was given; "" if there is none
	Tool     string               `json:"tool,omitempty"`
	Version  string               `json:"version,omitempty"` // that is installed; "" if it is not known
	Outcome  outcome              `json:"outcome"`
	Strength mend.Strength        `json:"strength"`         // of the check that passes
	Method   string               `json:"method,omitempty"` // by which it was mended
	Check    *check               `json:"check,omitempty"`  // the one that passes; else the recipe's own
	Repair   *mend.RepairMetadata `json:"repair,omitempty"`
	Reason   string               `json:"reason,omitempty"` // why it did not pass, on one line
	Category mend.ErrorCategory   `json:"category,omitempty"`
	Message  string               `json:"message,omitempty"` // the line that says most about a check that fails, or how the run ended
	Verdict  string               `json:"verdict,omitempty"` // what the output says about the install, if the check fails
	Evidence []evidence           `json:"evidence,omitempty"`
	Findings []finding            `json:"findings,omitempty"`
	Warnings []string             `json:"warnings,omitempty"`
	Sandbox  string               `json:"sandbox,omitempty"` // how tools were isolated
	Runs     int                  `json:"runs"`              // how often a tool was run
	Duration time.Duration        `json:"duration_ns"`
	Written  bool                 `json:"written,omitempty"` // the file was changed
	Diff     string               `json:"diff,omitempty"`    // what would be changed
}

// check is a verify section.
type check struct {
	Command       string       `json:"command"`
	Pattern       string       `json:"pattern,omitempty"`
	Patterns      []string     `json:"patterns,omitempty"`
	Mode          string       `json:"mode,omitempty"`
	VersionFormat string       `json:"version_format,omitempty"`
	Reason        string       `json:"reason,omitempty"`
	ExitCode      int          `json:"exit_code"`
	Additional    []additional `json:"additional,omitempty"`
}

type additional struct {
	Command string `json:"command"`
	Pattern string `json:"pattern,omitempty"`
}

// evidence is a line that decided.
type evidence struct {
	Signature string            `json:"signature"`
	Kind      mend.EvidenceKind `json:"kind"`
	Stream    string            `json:"stream,omitempty"`
	Line      int               `json:"line,omitempty"` // of the stream, from 1; 0 if how the run ended decided
	Offset    int               `json:"offset"`         // of the line's first byte in the stream, from 0
	Text      string            `json:"text,omitempty"`
}

// finding is something to say about a command line.
type finding struct {
	Code     command.FindingCode `json:"code"`
	Detail   string              `json:"detail,omitempty"`
	Severity string              `json:"severity"`
	Source   string              `json:"source,omitempty"`
	Start    int                 `json:"start"` // first byte of the line concerned, from 0
	End      int                 `json:"end"`   // byte behind the last one
	Message  string              `json:"message"`
	Hint     string              `json:"hint,omitempty"`
	Fix      string              `json:"fix,omitempty"`
}

func checkOf(v *mend.VerifySection) *check {
	if v == nil {
		return nil
	}
	c := &check{
		Command: v.Command, Pattern: v.Pattern, Patterns: v.Patterns, Mode: v.Mode,
		VersionFormat: v.VersionFormat, Reason: v.Reason,
	}
	if v.ExitCode != nil {
		c.ExitCode = *v.ExitCode
	}
	for _, a := range v.Additional {
		c.Additional = append(c.Additional, additional(a))
	}
	return c
}

func findingsOf(all []command.Finding) []finding {
	var out []finding
	for _, f := range all {
		out = append(out, finding{
			Code: f.Code, Detail: f.Detail, Severity: f.Severity.String(), Source: f.Source, Start: f.Start, End: f.End,
			Message: sanitize(f.Message), Hint: f.Hint, Fix: sanitize(f.Fix),
		})
	}
	return out
}

// sanitizer cleans what tools print before anything of it is shown or stored. Its
// limit holds for one stream of one run.
var sanitizer = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: sanitizerLimit})

const sanitizerLimit = 8000 // runes

func sanitize(s string) string { return sanitizer.Sanitize(s) }

// refuse records why a recipe did not pass.
func (r *result) refuse(err error, t *tape) {
	var failure *mend.ValidationFailedError
	var parse *mend.ParseError
	switch {
	case errors.As(err, &failure):
		r.Outcome = failed
		r.tell(failure.Failure, t)
	case errors.As(err, &parse):
		r.Outcome, r.Reason = malformed, err.Error()
	default:
		r.Outcome, r.Reason = noEvidence, err.Error()
	}
	r.Reason = oneLine(sanitize(r.Reason))
}

// tell records what a failure shows.
func (r *result) tell(f *mend.Failure, t *tape) {
	switch {
	case f.Install != nil:
		r.Reason = f.Install.Error()
	case len(f.Findings) > 0:
		r.Findings = findingsOf(f.Findings)
		r.Reason = r.Findings[0].Message
	default:
		r.Reason = f.Judgement.String()
	}
	if f.Parsed != nil {
		r.Category, r.Message = f.Parsed.Category, oneLine(f.Parsed.Message)
	}
	if f.Analysis != nil && len(f.Observations) > 0 {
		r.Verdict = f.Analysis.Verdict.String()
		r.Evidence = evidenceIn(f.Observations[0], f.Analysis.Evidence)
	}
	if f.Analysis == nil && t != nil {
		r.Runs = len(t.runs)
	}
}

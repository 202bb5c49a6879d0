package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/mendtest"
)

// transcript is everything that was run for a recipe and proposed for it, in order.
// Its text is sanitised.
type transcript struct {
	Runs      []shown       `json:"runs,omitempty"`
	Own       int           `json:"own"`                // how many of the runs, the first ones, are the recipe's own
	Plain     bool          `json:"plain,omitempty"`    // its command was run without what a shell would do
	Expected  []expectation `json:"expected,omitempty"` // of the recipe's own check
	Evidence  []evidence    `json:"evidence,omitempty"` // in the recipe's own run, if its check fails
	Verdict   string        `json:"verdict,omitempty"`  // of that run
	Proposals []proposal    `json:"proposals,omitempty"`
}

// shown is one run of a tool.
type shown struct {
	Argv      []string      `json:"argv"`
	ExitCode  int           `json:"exit_code"` // -1 if something else ended it
	Signal    string        `json:"signal,omitempty"`
	TimedOut  bool          `json:"timed_out,omitempty"`
	Truncated bool          `json:"truncated,omitempty"`
	Duration  time.Duration `json:"duration_ns"`
	Stdout    string        `json:"stdout,omitempty"`
	Stderr    string        `json:"stderr,omitempty"`
}

// expectation is one thing that a check asks for.
type expectation struct {
	Field    string `json:"field"`
	Met      bool   `json:"met"`
	Expected string `json:"expected"`
	Seen     string `json:"seen,omitempty"`
	Stream   string `json:"stream,omitempty"` // where a pattern was found
	Line     int    `json:"line,omitempty"`   // of that stream, from 1
	Offset   int    `json:"offset"`           // of the line's first byte in the stream, from 0
}

// proposal is a check that a rule proposed.
type proposal struct {
	Method   string        `json:"method"`
	Check    *check        `json:"check"`
	Run      int           `json:"run,omitempty"`      // of which it was judged, from 1; 0 if there is none
	Asked    bool          `json:"asked,omitempty"`    // the run was made for it, and only to see the output
	Accepted bool          `json:"accepted,omitempty"` // it passes, and is proven
	Refusal  string        `json:"refusal,omitempty"`
	Found    []expectation `json:"found,omitempty"` // where its patterns stand, if it was accepted
}

// transcript returns the story of a recipe.
func (w *work) transcript() *transcript {
	t := &transcript{}
	for _, o := range w.tape.runs {
		t.Runs = append(t.Runs, shown{
			o.Argv, o.ExitCode, o.Signal, o.TimedOut, o.Truncated, o.Duration, sanitize(o.Stdout), sanitize(o.Stderr),
		})
	}
	if w.source.recipe.Verify == nil || len(w.tape.runs) == 0 {
		return t
	}
	w.ownCheck(t)
	if a := w.attempt(); a != nil {
		for _, p := range a.Probes {
			t.Proposals = append(t.Proposals, w.proposal(p))
		}
	}
	return t
}

// attempt returns what the loop tried, or nil.
func (w *work) attempt() *mend.Attempt {
	var failure *mend.ValidationFailedError
	switch {
	case w.built != nil && len(w.built.Attempts) > 0:
		return &w.built.Attempts[0]
	case errors.As(w.err, &failure) && len(failure.Attempts) > 0:
		return &failure.Attempts[0]
	}
	return nil
}

// ownCheck records how the recipe's own check did. Of a recipe that was mended the
// library does not keep that; the tape is played to it again, without rules.
func (w *work) ownCheck(t *transcript) {
	t.Own = w.retries() + len(w.ownRuns())
	_, err := command.Split(w.source.recipe.Verify.Command)
	t.Plain = err != nil
	judged := mend.Judge(w.ownVerify(), w.ownRuns(), w.installed())
	t.Expected = expectationsOf(judged, w.ownRuns())
	failure := w.failure()
	if failure == nil || failure.Analysis == nil || len(failure.Observations) == 0 {
		return
	}
	t.Verdict = failure.Analysis.Verdict.String()
	t.Evidence = evidenceIn(failure.Observations[0], failure.Analysis.Evidence)
}

// unconfirmed reports whether the check that was about to be accepted failed where it
// was confirmed. What was seen there is not on the tape.
func (w *work) unconfirmed() bool {
	var failed *mend.ValidationFailedError
	return errors.As(w.err, &failed) && slices.ContainsFunc(failed.Failure.Findings, func(f command.Finding) bool {
		return f.Code == mend.FindingUnconfirmed
	})
}

// failure returns how the recipe's own check failed, or nil if it passes.
func (w *work) failure() *mend.Failure {
	err := w.err
	if err == nil || w.unconfirmed() {
		c := &mendtest.Capture{Tool: w.source.tool, Version: w.installed().Version, Dir: w.installed().Dir}
		for _, o := range w.tape.runs {
			c.Runs = append(c.Runs, mendtest.RunOf(o))
		}
		again := mend.New(mendtest.NewReplay(c), &mend.Options{Rules: []mend.Rule{}, MaxRepairs: -1})
		_, err = again.Create(context.Background(), mend.StaticBuilder(w.source.recipe), mend.BuildRequest{})
	}
	var failed *mend.ValidationFailedError
	if errors.As(err, &failed) {
		return failed.Failure
	}
	return nil
}

// installed says what the recipe's placeholders stand for.
func (w *work) installed() mend.Installed {
	in := w.tape.installed
	if in.Version == "" {
		in.Version = w.source.version
	}
	return in
}

// retries returns how many of the first runs were made again with more time.
func (w *work) retries() (n int) {
	for runs := w.tape.runs; n+1 < len(runs) && slices.Equal(runs[n].Argv, runs[n+1].Argv); {
		n++
	}
	return n
}

// ownRuns returns the run of the recipe's own command, and if that does what it should
// those of its additional checks.
func (w *work) ownRuns() []mend.Observation {
	runs := w.tape.runs[w.retries():]
	verify := w.ownVerify()
	all := 1 + len(verify.Additional)
	verify.Additional = nil
	if !mend.Judge(verify, runs[:1], w.installed()).Passed {
		all = 1
	}
	return runs[:min(len(runs), all)]
}

// ownVerify returns the recipe's verify section with its version format filled in.
func (w *work) ownVerify() mend.VerifySection {
	verify := *w.source.recipe.Verify
	if verify.VersionFormat == "" {
		verify.VersionFormat = w.source.recipe.Metadata.VersionFormat
	}
	return verify
}

func (w *work) proposal(p mend.Probe) proposal {
	out := proposal{Method: p.Method, Check: checkOf(&p.Verify), Asked: p.Ran, Refusal: oneLine(sanitize(p.Refusal))}
	if p.Observation.Argv != nil {
		out.Run = 1 + slices.IndexFunc(w.tape.runs, func(o mend.Observation) bool { return slices.Equal(o.Argv, p.Observation.Argv) })
	}
	if out.Accepted = !p.Ran && p.Refusal == ""; out.Accepted {
		p.Verify.Additional = nil
		runs := []mend.Observation{p.Observation}
		out.Found = expectationsOf(mend.Judge(p.Verify, runs, w.installed()), runs)
	}
	if out.Accepted && w.unconfirmed() {
		out.Accepted, out.Refusal = false, "it does not pass where it is confirmed"
	}
	return out
}

// expectationsOf returns what was judged, with where it stands in the very bytes that
// were printed.
func expectationsOf(j mend.Judgement, runs []mend.Observation) []expectation {
	var out []expectation
	run := 0
	for i, e := range j.Expectations {
		if strings.HasSuffix(e.Field, "exit_code") && i > 0 {
			run++
		}
		found := expectation{e.Field, e.Met, sanitize(e.Expected), sanitize(e.Seen), e.Stream, e.Line, 0}
		if e.Line > 0 && run < len(runs) {
			found.Offset = offsetOf(runs[run], e.Stream, e.Line)
		}
		out = append(out, found)
	}
	return out
}

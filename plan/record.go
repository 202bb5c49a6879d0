package plan

import (
	"strings"

	"github.com/mendkit/mend"
)

// clean returns a text as it may be kept. The caller's sanitizer, which may know
// values that no rule finds, sees it line by line: it is free to cut.
func (r *runner) clean(text string) string {
	text = wide.Sanitize(text)
	if r.opts.Sanitizer == nil || text == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = r.opts.Sanitizer.Sanitize(line)
	}
	return strings.Join(lines, "\n")
}

// cleaned returns an observation with its streams clean.
func (r *runner) cleaned(o mend.Observation) mend.Observation {
	o.Stdout, o.Stderr = r.clean(o.Stdout), r.clean(o.Stderr)
	return o
}

// signed returns an attempt of an entry with its signature.
func (a attempt) signed(c Command) attempt {
	if !a.clean() {
		a.signature = Signature(a.code, c.ID, a.kept.Stdout+"\n"+a.kept.Stderr)
	}
	return a
}

// metaOf returns how an attempt that did not pass is kept.
func metaOf(c Command, a attempt) *Meta {
	o := a.kept
	m := &Meta{
		SchemaVersion: metaVersion, Source: MetaVerification, Code: a.code, Command: c.Line, CommandSource: c.Source, CommandID: c.ID,
		Stdout: excerpt(o.Stdout), Stderr: excerpt(o.Stderr), Signal: o.Signal, TimedOut: o.TimedOut,
		Signature: a.signature,
	}
	if a.ran {
		m.ExitCode = &o.ExitCode
	}
	if a.denied != "" {
		m.PolicyViolations = append(m.PolicyViolations, a.denied)
	}
	if a.code == CodePolicyViolation {
		for _, f := range a.findings {
			m.PolicyViolations = append(m.PolicyViolations, strings.TrimSpace(string(f.Code)+" "+f.Detail))
		}
	}
	return m
}

// failureOf returns what a model may be told of an attempt that failed.
func failureOf(c Command, a attempt) *mend.Failure {
	f := &mend.Failure{Recipe: &mend.Recipe{Verify: &mend.VerifySection{Command: c.Line}}, Findings: a.findings}
	if a.ran {
		o := a.kept
		f.Observations = []mend.Observation{o}
		f.Judgement = judge(a.part, o)
		f.Parsed = mend.ParseValidationError(o.Stdout, o.Stderr, o.ExitCode)
		f.Parsed.Suggestions = nil // they are about recipes
	}
	return f
}

// judge holds a run against a check that asks for nothing but exit code 0.
func judge(p Part, obs mend.Observation) mend.Judgement {
	return mend.Judge(mend.VerifySection{Command: p.String()}, []mend.Observation{obs}, mend.Installed{})
}

func noChanges() *Meta {
	return &Meta{SchemaVersion: metaVersion, Source: MetaVerification, Code: CodeNoChanges}
}

// failed makes the result that of a failure, unless it is one already.
func (r *runner) failed(f *failing, m *Meta) {
	if r.res.Status == StatusFailed {
		return
	}
	r.res.Status, r.res.Meta = StatusFailed, m
	if f != nil && (f.attempt.ran || len(f.attempt.findings) > 0) {
		r.res.Failure = failureOf(f.Command, f.attempt)
	}
}

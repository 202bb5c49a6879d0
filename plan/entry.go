package plan

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// entry is one entry of the plan in one pass.
type entry struct {
	command Command
	parts   []Part // nil if Split refuses the line
	refusal error
	prev    *Part // the entry before, if it was one part and passed
	state   SkipState
	mode    passMode

	last attempt
	out  Outcome
}

func newEntry(c Command, prev *Part, state SkipState, mode passMode) *entry {
	e := &entry{command: c, prev: prev, state: state, mode: mode, out: Outcome{Command: c}}
	e.parts, e.refusal = Split(c.Line)
	return e
}

// settle runs an entry, and takes the steps that may settle it if it fails, in
// order.
func (r *runner) settle(ctx context.Context, e *entry) error {
	if a, refused := r.refuse(e); refused {
		e.last = a.signed(e.command)
	} else if err := r.again(ctx, e); err != nil {
		return err
	}
	for _, step := range []func(*runner, context.Context, *entry) error{
		(*runner).tryNarrow, (*runner).tryInstalls, (*runner).trySkip, (*runner).tryReplacements, (*runner).tryFixes,
	} {
		if e.last.passed || e.out.State != "" {
			break
		}
		if err := step(r, ctx, e); err != nil {
			return err
		}
	}
	r.conclude(e)
	return nil
}

// again runs an entry.
func (r *runner) again(ctx context.Context, e *entry) error {
	a, err := r.attempt(ctx, e.parts, e.prev)
	e.last = a.signed(e.command)
	return err
}

// conclude fills in the outcome of an entry that was settled, or failed.
func (r *runner) conclude(e *entry) {
	switch {
	case e.out.State != "":
	case e.last.clean():
		e.out.State = StatePassed
	case e.last.passed:
		e.out.State = StateEmpty
	default:
		e.out.State = StateFailed
	}
	e.out.Code, e.out.Observation = e.last.code, e.last.obs
	if e.out.State != StatePassed {
		e.out.Meta = metaOf(e.command, e.last)
	}
}

// refuse returns why nothing of an entry may be run.
func (r *runner) refuse(e *entry) (attempt, bool) {
	if e.refusal != nil {
		a := attempt{code: CodeUnsupportedFormat, part: Part{Argv: strings.Fields(e.command.Line)}}
		var refused *command.SplitError
		if errors.As(e.refusal, &refused) {
			a.findings = []command.Finding{refused.Finding(e.command.Line)}
		}
		return a, true
	}
	for _, p := range e.parts {
		findings := slices.DeleteFunc(command.Lint(command.Join(p.Argv), r.opts.Profile), func(f command.Finding) bool {
			return f.Severity != command.SeverityFatal
		})
		if denied := r.denied(p); denied != "" || len(findings) > 0 {
			return attempt{code: CodePolicyViolation, part: p, denied: denied, findings: findings}, true
		}
	}
	return attempt{}, false
}

func (r *runner) denied(p Part) string {
	if r.opts.Policy == nil {
		return ""
	}
	return r.opts.Policy.DeniedCommand(p)
}

// attempt runs parts in order until one fails. That one decides, else the first
// that says that nothing ran, else the last.
func (r *runner) attempt(ctx context.Context, parts []Part, prev *Part) (attempt, error) {
	var decided attempt
	if len(parts) > 1 {
		prev = nil
	}
	for _, p := range parts {
		a := attempt{part: p, code: CodeMissingScript}
		env := r.env
		if p.Dir != "" && r.ws == nil {
			return a, nil
		}
		if p.Dir != "" {
			env = r.ws.In(p.Dir)
		}
		var err error
		if a, err = r.start(ctx, env, p, prev); err != nil || !a.passed {
			return a, err
		}
		if decided.code == "" {
			decided = a
		}
	}
	return decided, nil
}

// start starts one part and judges what it shows.
func (r *runner) start(ctx context.Context, env mend.Environment, p Part, prev *Part) (attempt, error) {
	if err := ctx.Err(); err != nil {
		return attempt{}, err
	}
	limit := limitOf(r.opts.CommandTimeout, defaultCommandTimeout)
	obs, err := env.Run(ctx, mend.Command{Argv: slices.Clone(p.Argv), Env: slices.Clone(p.Env), Timeout: limit})
	if err == nil {
		err = ctx.Err() // what a run showed that was cut short says nothing
	}
	if err != nil {
		return attempt{}, err
	}
	a := attempt{part: p, ran: true, obs: obs, passed: judge(p, obs).Passed, code: ResolveCode(p, obs, prev)}
	if !a.passed && a.code == "" {
		a.code = CodeCommandFailed
	}
	if !a.clean() {
		a.kept = r.cleaned(obs)
	}
	return a, nil
}

// tryNarrow runs the single-package form of a workspace-wide entry in the package
// that the change is about.
func (r *runner) tryNarrow(ctx context.Context, e *entry) error {
	if r.opts.DisableInlineRecovery || r.ws == nil || !e.last.ran || len(e.parts) != 1 {
		return nil
	}
	p, ok := Narrow(e.parts[0])
	if !ok {
		return nil
	}
	p.Dir, ok = r.singlePackage(workspaceTools[programName(p.Argv[workspaceTool(p.Argv)])].manifest)
	if !ok || r.denied(p) != "" {
		return nil
	}
	return r.instead(ctx, e, p, StateNarrowed)
}

// instead runs a part in an entry's place, which settles the entry if it passes
// and something ran.
func (r *runner) instead(ctx context.Context, e *entry, p Part, state State) error {
	a, err := r.attempt(ctx, []Part{p}, nil)
	if err == nil && a.clean() {
		e.out.State, e.out.RanInstead = state, p.String()
	}
	return err
}

// tryInstalls fetches what an entry lacks. The first install that exits with 0 is
// followed by the entry itself, since an install alone proves nothing. What is no
// install among the candidates is a check of the same kind.
func (r *runner) tryInstalls(ctx context.Context, e *entry) error {
	installed := false
	for _, c := range r.candidatesFor(e, CodeSetupIssue) {
		if !c.Install {
			if err := r.instead(ctx, e, c.Part, StateReplaced); err != nil || e.out.State != "" {
				return err
			}
			continue
		}
		if installed {
			continue
		}
		a, err := r.attempt(ctx, []Part{c.Part}, nil)
		if err != nil {
			return err
		}
		if installed = a.passed; !installed {
			continue
		}
		if err := r.again(ctx, e); err != nil || e.last.passed || e.last.code != CodeSetupIssue {
			return err
		}
	}
	return nil
}

// trySkip lets an entry be that could not be run, or whose failure does not block.
func (r *runner) trySkip(_ context.Context, e *entry) error {
	if s := ShouldSkip(e.command, e.last.code, e.state, r.opts); s != StateFailed {
		e.out.State = s
	}
	return nil
}

// tryReplacements runs other checks that exist where the entry's does not, and
// nothing follows that could make up for it.
func (r *runner) tryReplacements(ctx context.Context, e *entry) error {
	if e.state.Remaining {
		return nil
	}
	for _, c := range r.candidatesFor(e, CodeMissingScript, CodeNoTestFiles, CodeMissingMakeTarget, CodeUnsupportedFormat) {
		if c.Install {
			continue
		}
		if err := r.instead(ctx, e, c.Part, StateReplaced); err != nil || e.out.State != "" {
			return err
		}
	}
	return nil
}

// candidatesFor returns what may be run because an entry failed with one of the
// codes.
func (r *runner) candidatesFor(e *entry, codes ...Code) []Candidate {
	limit := r.opts.candidates()
	if limit == 0 || r.ws == nil || !e.mode.other || !slices.Contains(codes, e.last.code) {
		return nil
	}
	dirs := slices.DeleteFunc(r.packageDirs(r.changed(), "package.json", "Makefile", "makefile", "GNUmakefile", "composer.json"),
		func(dir string) bool { return dir == "" })
	all := slices.DeleteFunc(Candidates(e.last.part, e.last.code, r.ws.FS(), dirs, maxCandidates), func(c Candidate) bool {
		return r.denied(c.Part) != ""
	})
	return all[:min(len(all), limit)]
}

// tryFixes asks for a change that makes the entry pass, and runs it again.
func (r *runner) tryFixes(ctx context.Context, e *entry) error {
	r.see(e.last)
	of := r.opts.inlineFixAttempts()
	for n := 1; n <= of && e.mode.fix && r.mayFix(e.last); n++ {
		before := r.snapshot()
		e.out.Fixes++
		r.conclude(e) // what is known so far goes into the request
		worked, err := r.fix(ctx, FixInline, n, of, &e.out, e.last)
		e.out.State = ""
		if err != nil {
			return err
		}
		r.touched = r.touched || before == "" || before != r.snapshot()
		if !worked {
			continue
		}
		if err := r.again(ctx, e); err != nil || e.last.passed {
			return err
		}
		r.see(e.last)
	}
	return nil
}

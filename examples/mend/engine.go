package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// engine takes recipes through the library's loop. It is safe for concurrent use.
type engine struct {
	sandbox   mend.Sandbox
	isolation string
	opts      mend.Options
	floor     mend.Strength // that a passing check has to have as well
	mends     bool          // or only checks
	installs  bool          // what the recipe's steps say, their version too
}

// newEngine returns an engine as the flags say. It tries out the sandbox, so that one
// that does not work is reported once.
func newEngine(ctx context.Context, o *options, mends bool) (*engine, error) {
	b, err := openSandbox(ctx, o)
	if err != nil {
		return nil, err
	}
	e := &engine{sandbox: b.sandbox, isolation: b.label, floor: o.floor.strength, mends: mends, installs: o.install}
	e.opts = mend.Options{Floor: o.floor.strength, Profile: command.HostProfile(), MaxRepairs: -1, Confirm: b.confirm}
	if !mends {
		e.opts.Rules = []mend.Rule{} // nil would be the default ones
	}
	return e, nil
}

// work is one recipe that was taken through the loop.
type work struct {
	result result
	source *source
	recipe *mend.Recipe // as it is to be used; nil if it did not pass
	tape   *tape
	built  *mend.BuildResult
	err    error // of the library
}

// do takes a recipe through the loop. Whatever goes wrong is in the result.
func (e *engine) do(ctx context.Context, s *source) *work {
	w := &work{source: s, tape: &tape{Sandbox: e.sandbox}}
	w.result = result{File: s.path, Tool: s.tool, Version: s.version, Sandbox: e.isolation, Check: checkOf(s.recipe.Verify)}
	if s.version == "" && asksForVersion(s.recipe.Verify) && !(e.installs && stepsSayVersion(s.recipe)) {
		w.result.Outcome = noEvidence
		w.result.Reason = fmt.Sprintf("the check asks for {version}, and which one is installed is not known; --version-of %s=VERSION says it", s.tool)
		return w
	}
	start := time.Now()
	w.built, w.err = e.create(ctx, w.tape, s)
	w.result.Duration, w.result.Runs = time.Since(start), len(w.tape.runs)
	w.result.Version = w.installed().Version
	switch {
	case w.err != nil:
		w.result.refuse(w.err, w.tape)
	case w.built.SandboxSkipped:
		w.result.refuse(errors.New(w.built.Warnings[len(w.built.Warnings)-1]), w.tape)
	default:
		e.accept(w)
	}
	return w
}

// asksForVersion reports whether a check needs to know which version is installed. The
// library would take a check that cannot hold for one to mend, and make a good one weaker.
func asksForVersion(v *mend.VerifySection) bool {
	if v == nil {
		return false
	}
	texts := append([]string{v.Command, v.Pattern}, v.Patterns...)
	for _, a := range v.Additional {
		texts = append(texts, a.Command, a.Pattern)
	}
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "{version}") })
}

// stepsSayVersion reports whether a step states the version that it installs.
func stepsSayVersion(r *mend.Recipe) bool {
	return slices.ContainsFunc(r.Steps, func(s mend.Step) bool {
		version, _ := s.Params["version"].(string)
		return version != ""
	})
}

// create is a batch of one: of many, the library could not say which run was whose,
// and the batch keeps a panic of one recipe from the others.
func (e *engine) create(ctx context.Context, t *tape, s *source) (*mend.BuildResult, error) {
	req := mend.BuildRequest{Package: s.tool, Version: s.version, Source: s.path}
	requests := slices.Values([]mend.BuildRequest{req})
	for built, err := range mend.New(t, &e.opts).CreateAll(ctx, mend.StaticBuilder(s.recipe), requests, 1) {
		var of *mend.RequestError
		if errors.As(err, &of) {
			err = of.Err
		}
		return built, err
	}
	return nil, context.Cause(ctx)
}

// accept records what a check that passes proves.
func (e *engine) accept(w *work) {
	r, b := &w.result, w.built
	r.Strength, r.Repair, r.Outcome = b.Strength, b.RepairMetadata, passed
	for _, warning := range b.Warnings {
		r.Warnings = append(r.Warnings, oneLine(sanitize(warning)))
	}
	w.recipe = b.Recipe
	if b.RepairMetadata != nil {
		r.Outcome, r.Method = mended, b.RepairMetadata.Method
	}
	if r.Outcome == mended && !e.mends { // without rules, only the command's wording
		r.Outcome, r.Method, r.Repair = failed, "", nil
		r.Category = mend.CategoryLint
		r.Findings = findingsOf(mend.LintRecipe(w.source.recipe, e.opts.Profile))
		r.Reason = fmt.Sprintf("its command cannot be run as it is written; mend fix makes it %q", b.Recipe.Verify.Command)
		return
	}
	if r.Strength < e.floor {
		r.Outcome = weak
		r.Reason = fmt.Sprintf("the check passes, and proves no more than %s; --floor asks for %s", r.Strength, e.floor)
		return
	}
	r.Check = checkOf(b.Recipe.Verify)
}

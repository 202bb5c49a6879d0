package mend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mendkit/mend/command"
)

// Options configures an [Orchestrator]. A zero field means its default.
type Options struct {
	MaxRepairs  int              // how often a session is asked for another recipe; 0 means 2, negative none
	Rules       []Rule           // nil means DefaultRules()
	Floor       Strength         // the weakest check that a mend may leave; 0 means StrengthComplaint
	Sanitizer   *Sanitizer       // of what a session is told; nil means NewSanitizer(nil)
	Profile     *command.Profile // what commands are linted with; nil means an unknown platform and any program
	Limits      Limits           // of what models cost; see [Limits]
	Observer    func(context.Context, Event)
	SkipSandbox bool // generate only: nothing is installed, run or proven

	// Confirm is a second sandbox, in which a check that passes, as it was or mended,
	// is run once more before it is accepted: probing is for a cheap sandbox, such as a
	// [LocalSandbox], and the last word for a dear one, such as a [ContainerSandbox]. A
	// check that does not pass there is not accepted, and no weaker one is tried in its
	// place: the recipe fails with [FindingUnconfirmed] and with what the second sandbox
	// showed, and goes to repair. nil means that the first sandbox is believed.
	Confirm Sandbox
}

func (o *Options) maxRepairs() int {
	switch {
	case o.MaxRepairs == 0:
		return 2
	case o.MaxRepairs < 0:
		return 0
	}
	return o.MaxRepairs
}

func (o *Options) rules() []Rule {
	if o.Rules == nil {
		return DefaultRules()
	}
	return o.Rules
}

func (o *Options) floor() Strength {
	if o.Floor == StrengthUnproven {
		return StrengthComplaint
	}
	return o.Floor
}

// Orchestrator takes what a builder generates through the loop: install once,
// run the check, mend it with the rules, and ask the builder's session for
// another recipe where that is not enough. It is safe for concurrent use.
type Orchestrator struct {
	sandbox Sandbox
	opts    Options
}

// New returns an orchestrator that installs in the sandbox. nil options are
// valid. It panics if the sandbox is nil, unless it is to be skipped.
func New(sandbox Sandbox, opts *Options) *Orchestrator {
	o := &Orchestrator{sandbox: sandbox}
	if opts != nil {
		o.opts = *opts
	}
	if sandbox == nil && !o.opts.SkipSandbox {
		panic("mend.New: nil sandbox")
	}
	return o
}

// BuildResult is a recipe whose check is known to pass, how it came to do so,
// and what that proves.
type BuildResult struct {
	Request        BuildRequest
	Recipe         *Recipe         // as it is to be used
	Generated      *Recipe         // as the session gave it
	RepairMetadata *RepairMetadata // how the check was mended; nil if it was not
	RepairAttempts int             // how often the session was asked for another recipe
	SandboxSkipped bool            // nothing was run; the strength is unproven
	Strength       Strength
	Provider       string    // the model's that answered last; "" if none was asked
	Usage          Usage     // of all models together
	Attempts       []Attempt // in order, the one that passed last
	Warnings       []string
}

// ValidationFailedError reports that no check of the recipe could be made to
// pass and proven.
type ValidationFailedError struct {
	Failure        *Failure // of the last attempt
	RepairAttempts int
	Attempts       []Attempt

	cause error // why the session gave no other recipe, if that is more than that it cannot
}

// Error names the tool, how its check ended, and what gave it away.
func (e *ValidationFailedError) Error() string {
	f := e.Failure
	s := "verification failed"
	if tool := toolOf(f.Recipe); tool != "" {
		s = tool + ": " + s
	}
	s += ": " + f.reason()
	if f.Install == nil && len(f.Findings) == 0 && f.Analysis != nil && f.Analysis.Verdict != Unknown {
		s += fmt.Sprintf("; the install looks %s", f.Analysis.Verdict)
		if len(f.Analysis.Evidence) > 0 {
			s += " (" + f.Analysis.Evidence[0].Signature + ")"
		}
	}
	if len(e.Attempts) > 1 {
		s += fmt.Sprintf("; %d recipes were tried", len(e.Attempts))
	}
	if e.cause != nil {
		s += "; repair: " + e.cause.Error()
	}
	return f.sanitizer.line(s)
}

// Unwrap returns what the session's Repair failed with, or nil.
func (e *ValidationFailedError) Unwrap() error { return e.cause }

// Create builds one recipe:
//
//	Create
//	├── session.Generate
//	└── validate, once and after each repair
//	    ├── LintRecipe       what is wrong with its commands, and a mechanical fix
//	    ├── sandbox.Install  once per recipe
//	    ├── check            run and judge
//	    ├── mend             rules, probes, proof
//	    ├── confirm          what passed, in another sandbox, if there is one
//	    └── session.Repair   when nothing deterministic holds, at most MaxRepairs times
//
// It returns a *ValidationFailedError if no check could be made to pass and
// proven. Any other error is the builder's or the sandbox's own, as it came, and
// says nothing about the recipe.
func (o *Orchestrator) Create(ctx context.Context, b Builder, req BuildRequest) (*BuildResult, error) {
	session, err := b.NewSession(ctx, req)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	run := &creation{o: o, builder: b.Name(), session: session, meter: newMeter(o.opts.Limits), result: BuildResult{Request: req}}
	return run.create(withProfile(withMeter(ctx, run.meter), o.opts.Profile))
}

// creation is the state of one call of Create.
type creation struct {
	o       *Orchestrator
	builder string
	session Session
	meter   *meter
	result  BuildResult
}

func (c *creation) create(ctx context.Context) (*BuildResult, error) {
	recipe, err := c.generate(ctx)
	if err != nil {
		return nil, err
	}
	if c.o.opts.SkipSandbox {
		return c.skipped(recipe, "the sandbox was skipped"), nil
	}
	for {
		attempt, err := c.validate(ctx, recipe)
		if errors.Is(err, ErrSandboxUnavailable) {
			return c.skipped(recipe, err.Error()), nil
		}
		if err != nil {
			return nil, err
		}
		c.result.Attempts = append(c.result.Attempts, *attempt)
		if attempt.Failure == nil {
			c.warn(LintRecipe(c.result.Recipe, c.o.opts.Profile))
			c.result.Provider, c.result.Usage = c.meter.spent()
			return &c.result, nil
		}
		if worst(attempt.Failure.Findings) == command.SeverityFatal {
			return nil, c.failed(attempt.Failure) // another wording of it is not asked for
		}
		if recipe, err = c.repair(ctx, attempt.Failure); err != nil {
			return nil, err
		}
	}
}

func (c *creation) generate(ctx context.Context) (*Recipe, error) {
	c.emit(ctx, Event{Kind: EventGenerationStarted})
	start := time.Now()
	recipe, err := c.session.Generate(ctx)
	e := Event{Kind: EventGenerationCompleted, Success: err == nil, Duration: time.Since(start)}
	if err != nil {
		e.Error = err.Error()
	}
	c.emit(ctx, e)
	c.result.Generated = recipe
	return recipe, err
}

// skipped is the result of a recipe that nothing could be learned about.
func (c *creation) skipped(recipe *Recipe, why string) *BuildResult {
	c.result.Recipe, c.result.SandboxSkipped, c.result.Strength = recipe, true, StrengthUnproven
	c.result.Warnings = append(c.result.Warnings, why)
	return &c.result
}

// validate installs the recipe and checks it, mending its check if that fails.
func (c *creation) validate(ctx context.Context, recipe *Recipe) (*Attempt, error) {
	attempt := &Attempt{Recipe: recipe}
	plain := recipe
	if recipe.Verify != nil {
		made, ok := fixRecipe(recipe, c.o.opts.Profile)
		if !ok {
			attempt.Failure = lintFailure(recipe, LintRecipe(recipe, c.o.opts.Profile), c.o.opts.Sanitizer)
			c.emit(ctx, Event{Kind: EventValidationResult, Tool: toolOf(recipe), Error: attempt.Failure.reason()})
			return attempt, nil
		}
		plain = made
	}
	start := time.Now()
	env, err := c.o.sandbox.Install(ctx, plain)
	if err != nil {
		return c.installFailed(ctx, attempt, err)
	}
	defer func() {
		if err := env.Close(); err != nil {
			c.result.Warnings = append(c.result.Warnings, "closing the environment: "+err.Error())
		}
	}()
	err = c.examine(ctx, attempt, plain, env, time.Since(start))
	if err != nil {
		return c.installFailed(ctx, attempt, err)
	}
	return attempt, nil
}

// installFailed tells an install that failed from a sandbox that did.
func (c *creation) installFailed(ctx context.Context, attempt *Attempt, err error) (*Attempt, error) {
	var failed *InstallError
	if !errors.As(err, &failed) {
		return nil, err
	}
	attempt.Failure = installFailure(attempt.Recipe, failed, c.o.opts.Sanitizer)
	c.emit(ctx, Event{Kind: EventValidationResult, Tool: toolOf(attempt.Recipe), Error: failed.Error()})
	return attempt, nil
}

// examine checks an installed recipe, and mends its check if that fails.
func (c *creation) examine(ctx context.Context, attempt *Attempt, plain *Recipe, env Environment, install time.Duration) error {
	if plain.Verify == nil {
		c.result.Recipe, c.result.Strength = plain, StrengthUnproven
		c.result.Warnings = append(c.result.Warnings, "the recipe has no [verify] section: nothing was checked")
		return nil
	}
	v := &validation{
		env: env, in: env.Installed(), recipe: plain, rules: c.o.opts.rules(), floor: c.o.opts.floor(),
		sanitizer: c.o.opts.Sanitizer, profile: c.o.opts.Profile,
	}
	if v.in.Version == "" {
		v.in.Version = c.result.Request.Version
	}
	start := time.Now()
	strength, err := v.check(ctx)
	if err != nil {
		return err
	}
	if v.failure == nil && c.result.RepairAttempts > 0 {
		if strength, err = v.demand(ctx, strength); err != nil {
			return err
		}
	}
	event := Event{Kind: EventValidationResult, Tool: toolOf(plain), Success: v.failure == nil, Strength: strength, Duration: time.Since(start)}
	if v.failure != nil {
		event.Error = v.failure.reason()
	}
	c.emit(ctx, event)
	if v.failure != nil {
		return c.mend(ctx, attempt, v, install)
	}
	if ok, err := c.confirm(ctx, attempt, v, plain, strength); !ok {
		return err
	}
	c.passed(attempt, plain, strength, v.warnings)
	return nil
}

// confirm reports whether the recipe's check, which has just passed, passes in the
// sandbox that confirms, too. If not, the attempt has failed.
func (c *creation) confirm(ctx context.Context, attempt *Attempt, v *validation, recipe *Recipe, strength Strength) (bool, error) {
	if c.o.opts.Confirm == nil {
		return true, nil
	}
	start := time.Now()
	f, err := v.confirm(ctx, c.o.opts.Confirm, recipe)
	if err != nil {
		return false, err
	}
	e := Event{Kind: EventConfirmationResult, Tool: toolOf(recipe), Success: f == nil, Duration: time.Since(start)}
	if f == nil {
		e.Strength = strength
	} else {
		e.Error = f.reason()
		attempt.Failure = f
	}
	c.emit(ctx, e)
	return f == nil, nil
}

// passed records that the recipe's own check passes.
func (c *creation) passed(attempt *Attempt, plain *Recipe, strength Strength, warnings []string) {
	c.result.Recipe, c.result.Strength = plain, strength
	c.result.Warnings = append(c.result.Warnings, warnings...)
	if plain != attempt.Recipe {
		attempt.Repair = repairMetadata(attempt.Recipe, mended{*plain.Verify, MethodLintFix, strength})
		c.result.RepairMetadata = attempt.Repair
	}
}

// mend asks the rules for a check that passes.
func (c *creation) mend(ctx context.Context, attempt *Attempt, v *validation, install time.Duration) error {
	start := time.Now()
	m, err := v.mend(ctx)
	if err != nil {
		return err
	}
	attempt.Probes = v.probes
	event := Event{
		Kind: EventVerifySelfRepair, Tool: toolOf(v.recipe), Success: m != nil, Probes: v.runs,
		Duration: time.Since(start), TimeSaved: time.Duration(v.runs) * install,
	}
	if m == nil {
		attempt.Failure = v.failure
		event.Error = "no check passes and is proven"
		c.emit(ctx, event)
		return nil
	}
	event.Method, event.Strength = m.method, m.strength
	c.emit(ctx, event)
	recipe := v.recipe.WithVerify(m.verify)
	if ok, err := c.confirm(ctx, attempt, v, recipe, m.strength); !ok {
		return err
	}
	attempt.Repair = repairMetadata(attempt.Recipe, *m)
	c.result.Recipe, c.result.Strength = recipe, m.strength
	c.result.RepairMetadata = attempt.Repair
	c.result.Warnings = append(c.result.Warnings, v.warnings...)
	return nil
}

func repairMetadata(original *Recipe, m mended) *RepairMetadata {
	return &RepairMetadata{
		Type: RepairVerify, Original: original.Verify.Command, Repaired: m.verify.Command,
		Method: m.method, ExitCode: m.verify.wantedExitCode(), Strength: m.strength,
	}
}

// warn records what there is to say about the commands of a recipe that passed.
func (c *creation) warn(findings []command.Finding) {
	for _, f := range findings {
		if f.Severity == command.SeverityWarn {
			c.result.Warnings = append(c.result.Warnings, f.Source+": "+f.Message)
		}
	}
}

// failed is the error that the last attempt ends with.
func (c *creation) failed(f *Failure) *ValidationFailedError {
	return &ValidationFailedError{Failure: f, RepairAttempts: c.result.RepairAttempts, Attempts: c.result.Attempts}
}

// repair asks the session for another recipe. The error is the final one.
func (c *creation) repair(ctx context.Context, f *Failure) (*Recipe, error) {
	failed := c.failed(f)
	ask := c.session.Repair
	if c.result.RepairAttempts >= c.o.opts.maxRepairs() || c.isSameFailure(f) {
		again, ok := c.session.(restarter)
		if !ok || c.o.opts.maxRepairs() == 0 {
			return nil, failed
		}
		ask = again.Restart
	}
	start := time.Now()
	recipe, err := ask(ctx, f)
	if errors.Is(err, ErrRepairNotSupported) {
		return nil, failed
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	c.result.RepairAttempts++
	failed.RepairAttempts++
	if err == nil && (recipe == nil || c.isRepeated(recipe)) {
		err = errors.New("the session gave a recipe that had failed already")
	}
	e := Event{Kind: EventRepairAttempt, Tool: toolOf(f.Recipe), Attempt: failed.RepairAttempts, Success: err == nil, Duration: time.Since(start)}
	if err != nil {
		e.Error = err.Error()
		failed.cause = err
		c.emit(ctx, e)
		return nil, failed
	}
	c.emit(ctx, e)
	return recipe, nil
}

// restarter is a session that may begin anew when its repairs are used up or go
// round in circles. ErrRepairNotSupported says that it may not, or did already.
type restarter interface {
	Restart(ctx context.Context, f *Failure) (*Recipe, error)
}

// isSameFailure reports whether an earlier recipe failed just like the last one:
// another repair on that way would hardly do better.
func (c *creation) isSameFailure(f *Failure) bool {
	earlier := c.result.Attempts[:len(c.result.Attempts)-1]
	return slices.ContainsFunc(earlier, func(a Attempt) bool { return a.Failure != nil && a.Failure.signature() == f.signature() })
}

// isRepeated reports whether a recipe was tried before.
func (c *creation) isRepeated(recipe *Recipe) bool {
	text := recipe.Bytes()
	for _, a := range c.result.Attempts {
		if bytes.Equal(a.Recipe.Bytes(), text) {
			return true
		}
	}
	return false
}

// emit tells the observer. What the observer panics with stays here: watching
// the loop must not break it.
func (c *creation) emit(ctx context.Context, e Event) {
	if c.o.opts.Observer == nil {
		return
	}
	defer func() { _ = recover() }()
	e.Time, e.Builder, e.Package = time.Now(), c.builder, c.result.Request.Package
	e.Error = c.o.opts.Sanitizer.line(e.Error)
	c.o.opts.Observer(ctx, e)
}

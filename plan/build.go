package plan

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// Request is what a plan is built from.
type Request struct {
	Stage    Stage     // "" means StageRun
	Role     string    // who makes the change, as a contract names roles; "" means worker
	Explicit []string  // what the author asked for
	Contract *Contract // nil means that the repository demands nothing
	Changed  []string  // paths of the changed files from the tree's root; nil: not known, empty: none
	Dropped  []Dropped // of earlier plans for the same change
	Files    fs.FS     // the tree; nil means that no target is looked up in it
}

// Origins of the commands in a plan.
const (
	originAuthor   = "author"
	originContract = "contract"
	originModel    = "model"
)

// roleDocser is the role of who writes documentation and nothing else.
const roleDocser = "docser"

// Build makes a plan. The author's entries come first, as they are and in their
// order; one that [Split] refuses stays too, for [Run] to say what becomes of it.
// What is added behind them depends on the stage's mode, C being what the contract
// demands and M what Options.Propose returns:
//
//	            StageRun, an author's    StageRun,     StageAuthor, for a
//	            entry can be split       none can      list with none
//	off         –                        –             –
//	contract    C                        C             C
//	fallback    C                        C, M          C; M if still empty
//	llm         M                        M             M
//	hybrid      C, M                     C, M          C; M if still empty
//
// To a list with entries, StageAuthor adds C only if AugmentNonempty is set. At
// most MaxCommands entries are added. Blank ones, those that are there already and
// those that were dropped earlier are left out. Those that cannot be split, are
// denied, name a target that is missing, or come from a model and have an error or
// worse for the lint, are left out with a warning. A model is asked once at most,
// and not when nothing more may be added; if it fails, that is a warning.
//
// For the role docser only entries are kept that check documentation: make docs
// and npm run docs:lint and their like. Others are left out with a warning.
//
// An empty plan is a plan with a warning. The error is an [*OptionError] for a
// stage, a mode or a path that is none, or that of ctx.
func Build(ctx context.Context, req Request, opts *Options) (*Plan, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := checkStage(req.Stage); err != nil {
		return nil, err
	}
	b := &builder{req: req, opts: opts.orDefault(), stage: StageRun}
	if req.Stage == StageAuthor {
		b.stage = StageAuthor
	}
	b.stageOpts = b.opts.at(b.stage)
	if err := b.stageOpts.check(b.stage); err != nil {
		return nil, err
	}
	b.mode, _ = ParseMode(string(b.stageOpts.Mode)) // it was checked
	b.role = strings.ToLower(strings.TrimSpace(req.Role))
	b.room = count(b.stageOpts.MaxCommands, defaultMaxCommands)
	b.plan = &Plan{Version: planVersion, Changed: slices.Clone(req.Changed), Dropped: slices.Clone(req.Dropped)}
	if req.Contract != nil {
		b.plan.ContractHash = req.Contract.Hash
	}
	if err := b.build(ctx); err != nil {
		return nil, err
	}
	numberIDs(b.plan.Commands)
	return b.plan, nil
}

// builder is one Build.
type builder struct {
	req       Request
	opts      *Options
	stage     Stage
	stageOpts StageOptions
	mode      Mode
	role      string
	room      int // how many entries may still be added
	plan      *Plan
}

func (b *builder) build(ctx context.Context) error {
	readable := b.addExplicit()
	contract, model := b.wanted(readable)
	if contract && b.req.Contract != nil {
		b.addAll(b.req.Contract.Commands(b.req.Role, b.req.Changed), originContract)
	}
	if b.stage == StageAuthor && len(b.added()) > 0 {
		model = false // the list is not empty any more
	}
	if model {
		if err := b.propose(ctx); err != nil {
			return err
		}
	}
	if len(b.plan.Commands) == 0 {
		b.warn("the plan is empty: nothing will be verified")
	}
	return nil
}

// wanted says whether the contract's entries and a model's are to be added, given
// whether the author's list has one that can be run.
func (b *builder) wanted(readable bool) (contract, model bool) {
	contract = b.mode == ModeContract || b.mode == ModeFallback || b.mode == ModeHybrid
	model = b.mode == ModeLLM || b.mode == ModeHybrid || b.mode == ModeFallback && !readable
	if b.stage == StageAuthor {
		model = !readable && (model || b.mode == ModeFallback)
		contract = contract && (!readable || b.stageOpts.AugmentNonempty)
	}
	return contract, model
}

// addExplicit adds what the author asked for, and reports whether any of it can be
// run.
func (b *builder) addExplicit() (readable bool) {
	for _, line := range b.req.Explicit {
		line = strings.TrimSpace(line)
		if line == "" || b.wasDropped(SourceExplicit, line) {
			continue
		}
		_, err := Split(line)
		if b.role == roleDocser && !docSafe(line) {
			b.warn("left out, since it is no check of documentation: %s", line)
			continue
		}
		if err != nil {
			b.warn("it cannot be run as it is (%v): %s", err, line)
		}
		readable = readable || err == nil
		b.plan.Commands = append(b.plan.Commands, Command{Line: line, Source: SourceExplicit, Origin: originAuthor})
	}
	return readable
}

// wasDropped reports whether an entry was taken out of an earlier plan. What was
// found not to exist when the author asked for it exists for nobody; an author may
// ask for what somebody else tried.
func (b *builder) wasDropped(src Source, line string) bool {
	return slices.ContainsFunc(b.req.Dropped, func(d Dropped) bool {
		return strings.TrimSpace(d.Line) == line && (src == SourceAuto || d.Source == src)
	})
}

// addAll adds entries, as far as there is room.
func (b *builder) addAll(lines []string, origin string) {
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if line == "" || b.wasDropped(SourceAuto, line) || slices.Contains(b.plan.Lines(), line) {
			continue
		}
		if reason := b.unfit(line, origin); reason != "" {
			b.warn("left out of what the %s asks for, since %s: %s", origin, reason, line)
			continue
		}
		if b.room == 0 {
			b.warn("left out of what the %s asks for, since no more than %d may be added: %s", origin, len(b.added()), line)
			continue
		}
		b.room--
		b.plan.Commands = append(b.plan.Commands, Command{Line: line, Source: SourceAuto, Origin: origin})
	}
}

// unfit says why an entry is not to be added; "" if it is.
func (b *builder) unfit(line, origin string) string {
	parts, err := Split(line)
	if err != nil {
		return err.Error()
	}
	if b.role == roleDocser && !docSafe(line) {
		return "it is no check of documentation"
	}
	for _, p := range parts {
		if b.opts.Policy != nil {
			if denied := b.opts.Policy.DeniedCommand(p); denied != "" {
				return fmt.Sprintf("the policy denies %q", denied)
			}
		}
		if name, missing := MissingTarget(b.req.Files, p); missing {
			return fmt.Sprintf("there is no %q", name)
		}
		if origin == originModel {
			if message := lintFault(p, b.opts.Profile); message != "" {
				return message
			}
		}
	}
	return ""
}

// lintFault returns what the lint has against a part; "" if it is nothing to keep
// it from being run.
func lintFault(p Part, profile *command.Profile) string {
	for _, f := range command.Lint(command.Join(p.Argv), profile) {
		if f.Severity >= command.SeverityError {
			return f.Message
		}
	}
	return ""
}

// propose asks the model, if there is one and anything may be added.
func (b *builder) propose(ctx context.Context) error {
	if b.room == 0 {
		return nil
	}
	if b.opts.Propose == nil {
		b.warn("no model is there to propose commands, as mode %s asks for", b.mode)
		return nil
	}
	s := b.stageOpts
	lines, err := b.opts.Propose(ctx, ProposeRequest{
		Stage: b.stage, Role: b.role, Explicit: slices.Clone(b.req.Explicit), Have: b.added(), Changed: slices.Clone(b.req.Changed),
		Files: b.req.Files, Max: b.room, Retries: count(s.ParseRetries, defaultParseRetries),
		Timeout: limitOf(s.ProposeTimeout, defaultProposeTimeout), ReconcileTimeout: s.reconcileTimeout(),
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		b.warn("no commands were proposed: %v", err)
		return nil
	}
	b.addAll(lines, originModel)
	return nil
}

// reconcileTimeout returns the time of the last question; 0 if it is not put.
func (s StageOptions) reconcileTimeout() time.Duration {
	if s.ReconcileTimeout < 0 {
		return 0
	}
	return limitOf(s.ReconcileTimeout, defaultReconcileTimeout)
}

// added returns the lines of the entries that nobody asked for by hand.
func (b *builder) added() []string {
	return linesOf(slices.DeleteFunc(slices.Clone(b.plan.Commands), func(c Command) bool { return c.Source == SourceExplicit }))
}

// warn adds a warning of one line. What it speaks of comes from anywhere.
func (b *builder) warn(format string, args ...any) {
	b.plan.Warnings = append(b.plan.Warnings, strings.Join(strings.Fields(errorText.Sanitize(fmt.Sprintf(format, args...))), " "))
}

// Names under which documentation is checked: as a script of node's package
// managers, and as a target, where check is the name of a test suite by convention.
var (
	docScripts = setOf("check", "docs", "docs:check", "check:docs", "docs:lint", "lint:docs")
	docTargets = setOf("docs", "docs-check", "check-docs", "docs-lint", "lint-docs")
)

// docSafe reports whether an entry checks documentation and does nothing else.
func docSafe(line string) bool {
	parts, err := Split(line)
	if err != nil || len(parts) != 1 {
		return false
	}
	argv := parts[0].Argv
	switch argv[0] {
	case "npm", "pnpm", "yarn", "bun":
		rest := argv[1:]
		if len(rest) > 0 && rest[0] == "run" {
			rest = rest[1:]
		}
		return len(rest) > 0 && docScripts[rest[0]]
	case "make", "just", "task", "mage", "rake":
		return len(argv) == 2 && docTargets[argv[1]]
	}
	return false
}

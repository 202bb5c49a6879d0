package mend

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mendkit/mend/command"
)

// ModelOptions configures a builder made by [NewModelBuilder]. A zero field means
// its default.
type ModelOptions struct {
	// Describe returns what is known of the package, for the model to start from. It
	// is sanitised. An error ends the request. nil means that nothing is known.
	Describe func(ctx context.Context, req BuildRequest) (string, error)

	// Tools returns the tools of one session. nil means none.
	Tools func(req BuildRequest) []Tool

	// Submit is the tool that the answer comes with, and Recipe makes a recipe of its
	// arguments; an error goes back to the model. Without them it is
	// "submit_recipe", whose argument recipe is TOML.
	Submit ToolDef
	Recipe func(ctx context.Context, req BuildRequest, args json.RawMessage) (*Recipe, error)

	System      string // what the system prompt says beside mend's own rules
	Sanitizer   *Sanitizer
	Limits      Limits // of one session; an Orchestrator's own take their place
	MaxTokens   int
	Temperature *float64

	// FreshStart permits one more repair after the others have failed, in a
	// conversation of its own that begins with what was tried.
	FreshStart bool
}

// NewModelBuilder returns a builder whose sessions have a model generate the
// recipe, and repair it in the same conversation. It panics if the options have
// only one of Submit and Recipe, or tools that [NewConversation] panics about.
func NewModelBuilder(name string, p Provider, opts *ModelOptions) Builder {
	b := &modelBuilder{name: name, provider: p}
	if opts != nil {
		b.opts = *opts
	}
	if (b.opts.Recipe == nil) != (b.opts.Submit.Name == "") {
		panic("mend.NewModelBuilder: one of Submit and Recipe without the other")
	}
	if b.opts.Recipe == nil {
		b.opts.Submit, b.opts.Recipe = submitRecipe, recipeOf
	}
	return b
}

// submitRecipe is the submit tool of builders that do not bring their own.
var submitRecipe = ToolDef{
	Name:        "submit_recipe",
	Description: "Submits the recipe. It is installed and its verification is run; what fails comes back to you.",
	Parameters: json.RawMessage(`{"type":"object","properties":{` +
		`"recipe":{"type":"string","description":"The whole recipe, as TOML with [metadata], [[steps]] and [verify]."},` +
		`"confidence":{"type":"number","minimum":0,"maximum":1,"description":"How sure you are that it installs and verifies."}},` +
		`"required":["recipe","confidence"]}`),
}

// recipeOf reads the arguments of submitRecipe.
func recipeOf(_ context.Context, _ BuildRequest, args json.RawMessage) (*Recipe, error) {
	var submitted struct{ Recipe string }
	if err := json.Unmarshal(args, &submitted); err != nil {
		return nil, fmt.Errorf("the arguments are malformed: %w", err)
	}
	if submitted.Recipe == "" {
		return nil, errors.New(`the argument "recipe" is missing`)
	}
	return ParseRecipe([]byte(submitted.Recipe))
}

type modelBuilder struct {
	name     string
	provider Provider
	opts     ModelOptions
}

func (b *modelBuilder) Name() string { return b.name }

func (b *modelBuilder) NewSession(ctx context.Context, req BuildRequest) (Session, error) {
	s := &modelSession{builder: b, req: req, meter: newMeter(b.opts.Limits)}
	if b.opts.Describe != nil {
		var err error
		if s.known, err = b.opts.Describe(ctx, req); err != nil {
			return nil, err
		}
	}
	s.converse()
	return s, nil
}

// modelSession is one conversation about one request.
type modelSession struct {
	builder *modelBuilder
	req     BuildRequest
	known   string
	meter   *meter // where no orchestrator counts
	conv    *Conversation
	tried   []attempted
	given   *Recipe // made of the arguments that were checked last
	fresh   bool    // the conversation was begun a second time

	sentBack int // commands of the present answer that were to be written anew
}

// converse begins a conversation.
func (s *modelSession) converse() {
	o := s.builder.opts
	var tools []Tool
	if o.Tools != nil {
		tools = o.Tools(s.req)
	}
	s.conv = NewConversation(s.builder.provider, Submit{o.Submit, s.check}, &ConversationOptions{
		System: systemPrompt(o.Sanitizer, o.System), Tools: tools, Sanitizer: o.Sanitizer, MaxTokens: o.MaxTokens, Temperature: o.Temperature,
	})
}

// check makes a recipe of an answer, and refuses what need not be tried.
func (s *modelSession) check(ctx context.Context, args json.RawMessage) error {
	r, err := s.builder.opts.Recipe(ctx, s.req, args)
	switch {
	case err != nil:
		return err
	case r == nil:
		return errors.New("there is no recipe in the answer")
	case r.Verify == nil:
		return errors.New("the recipe has no [verify] section")
	}
	if err := s.lint(ctx, r); err != nil {
		return err
	}
	if why := weakCommand(r); why != "" {
		return errors.New(why)
	}
	if slices.ContainsFunc(s.tried, func(t attempted) bool { return bytes.Equal(t.recipe.Bytes(), r.Bytes()) }) {
		return errors.New("this recipe was tried already, and does not hold")
	}
	s.given = r
	return nil
}

// lint returns what is wrong with the recipe's commands, as a prompt to write them
// anew, unless it can be mended without. A danger is not sent back: the recipe is
// taken as it is, and ends the request.
func (s *modelSession) lint(ctx context.Context, r *Recipe) error {
	p := profileOf(ctx)
	if _, ok := fixRecipe(r, p); ok {
		return nil
	}
	findings := LintRecipe(r, p)
	if worst(findings) == command.SeverityFatal {
		s.given = r
		return errFinal
	}
	i := slices.IndexFunc(findings, func(f command.Finding) bool { return f.Severity == command.SeverityError })
	source := findings[i].Source
	findings = slices.DeleteFunc(findings, func(f command.Finding) bool { return f.Source != source })
	s.sentBack++
	return told{repairPrompt(s.builder.opts.Sanitizer, CommandRepair{
		Request: source + " of the recipe for " + s.req.Package, Candidate: lineOf(r, source), Findings: findings, Profile: p,
		Attempt: s.sentBack, Max: max(s.sentBack, meterOf(ctx, s.meter).limits.turns()-1),
	}, recipeFormat), true}
}

// Generate asks for the first recipe.
func (s *modelSession) Generate(ctx context.Context) (*Recipe, error) {
	return s.ask(ctx, generationPrompt(s.builder.opts.Sanitizer, s.req, s.known))
}

// Repair goes on with the conversation. If the provider cannot take its history,
// another one begins with what was tried.
func (s *modelSession) Repair(ctx context.Context, f *Failure) (*Recipe, error) {
	s.failed(f)
	r, err := s.ask(ctx, f.Prompt())
	if err == nil || ctx.Err() != nil || s.fresh {
		return r, err
	}
	if kind := kindOf(ctx, err); kind != KindInvalidRequest && kind != KindContextLength {
		return nil, err
	}
	return s.restart(ctx)
}

// Restart begins another conversation, if the options permit it.
func (s *modelSession) Restart(ctx context.Context, f *Failure) (*Recipe, error) {
	if !s.builder.opts.FreshStart || s.fresh {
		return nil, ErrRepairNotSupported
	}
	s.failed(f)
	return s.restart(ctx)
}

func (s *modelSession) restart(ctx context.Context) (*Recipe, error) {
	s.fresh = true
	s.converse()
	return s.ask(ctx, digestPrompt(s.builder.opts.Sanitizer, s.req, s.known, s.tried))
}

// failed remembers why the last recipe does not hold.
func (s *modelSession) failed(f *Failure) {
	if n := len(s.tried); n > 0 {
		s.tried[n-1].failure = cmp.Or(s.tried[n-1].failure, f)
	}
}

func (s *modelSession) ask(ctx context.Context, prompt Clean) (*Recipe, error) {
	s.given, s.sentBack = nil, 0
	args, err := s.conv.Ask(withMeter(ctx, meterOf(ctx, s.meter)), prompt)
	if err != nil {
		return nil, err
	}
	if s.given == nil { // an earlier answer is used, since the last one was refused
		if err := s.check(ctx, args); err != nil {
			return nil, err
		}
	}
	s.tried = append(s.tried, attempted{recipe: s.given})
	return s.given, nil
}

func (s *modelSession) Close() error { return nil }

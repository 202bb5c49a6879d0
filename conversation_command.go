package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// CommandResult is what came of a [Conversation.Command].
type CommandResult struct {
	Command  string            // a line without error; "" unless Stop is "ok"
	Argv     []string          // what it starts
	Findings []command.Finding // about it, none of them an error; if there is no command, about the last candidate
	Stop     string            // why it ended: ok fatal exhausted no_progress question turns budget deadline canceled provider_error
	Question string            // what the model wants to know, if Stop is "question"; sanitised
	Refined  bool              // the command came of a second look
	Attempts []CommandAttempt  // every candidate, oldest first
	Usage    Usage
}

// CommandAttempt is one candidate.
type CommandAttempt struct {
	Kind       string // propose, fix, repair or refine
	Command    string // "" if there was none in the reply
	Findings   []command.Finding
	Confidence *float64 // claimed by the model; nil if none was
}

// Why a Command ended.
const (
	stopOK            = "ok"
	stopFatal         = "fatal"       // a candidate would do harm
	stopExhausted     = "exhausted"   // no repair is left
	stopNoProgress    = "no_progress" // the same candidate again, or the same errors
	stopQuestion      = "question"    // the model asks something back
	stopTurns         = "turns"       // no turn is left
	stopBudget        = "budget"
	stopDeadline      = "deadline" // also if the time that is left is less than the last call took
	stopCanceled      = "canceled"
	stopProviderError = "provider_error"
)

// submitCommand is the tool that a command is given with.
var submitCommand = ToolDef{
	Name:        "submit_command",
	Description: "Gives the command. It is read before it is run; what is wrong with it comes back to you.",
	Parameters: json.RawMessage(`{"type":"object","properties":{` +
		`"cmd":{"type":"string","description":"The command line: one program and its arguments."},` +
		`"argv":{"type":"array","items":{"type":"string"},"description":"The same as a list, instead of cmd."},` +
		`"confidence":{"type":"number","minimum":0,"maximum":1,"description":"How sure you are that it does what was asked."},` +
		`"question":{"type":"string","description":"Instead of a command: what has to be known to write it."}}}`),
}

// Command asks for one command line. Each candidate is read by [command.Lint] with the
// profile, and none with an error is returned: a mechanical fix is tried first, then
// the model is told what is wrong, at most MaxCommandRepairs times. A candidate of low
// confidence gets a second look, whose outcome counts only if it is no worse.
//
// The result is never nil, and holds every attempt. The error is nil if Stop is "ok";
// [ErrNoCommand] if the model gave none that could be used, which ended as Stop says;
// otherwise a [*BudgetError], the context's or the provider's error.
func (c *Conversation) Command(ctx context.Context, request string, p *command.Profile) (*CommandResult, error) {
	m := meterOf(ctx, c.meter)
	x := &commandExchange{c: c, request: request, profile: p, turns: m.limits.turns(), result: &CommandResult{}}
	c.say(requestPrompt(c.opts.Sanitizer, request, p))
	var last time.Duration // that a call took
	for ; x.result.Stop == "" && x.turns > 0; x.turns-- {
		if by, ok := ctx.Deadline(); ok && time.Until(by) < last {
			return x.broken(ctx, errShortOfTime)
		}
		began := time.Now()
		x.answered = false
		usage, err := c.turn(ctx, m, x, x.turns == 1)
		last = time.Since(began)
		x.result.Usage = x.result.Usage.Plus(usage)
		if err != nil && x.result.Stop == "" {
			return x.broken(ctx, err)
		}
	}
	if x.result.Stop == "" {
		x.stop(stopTurns)
	}
	return x.finish()
}

// commandExchange is a Command under way.
type commandExchange struct {
	c       *Conversation
	request string
	profile *command.Profile
	turns   int // left, this one included

	result   *CommandResult
	repairs  int      // asked for
	earlier  []string // candidates that were sent back
	errors   []string // of the last one of them
	ready    *CommandAttempt
	refined  bool // a second look was asked for
	answered bool // in this turn
}

// errShortOfTime is why a model is not asked although the time is not over.
var errShortOfTime = fmt.Errorf("less time is left than the last call took: %w", context.DeadlineExceeded)

func (x *commandExchange) tool() ToolDef { return submitCommand }

// submitted takes an answer given with the tool.
func (x *commandExchange) submitted(_ context.Context, args json.RawMessage, _ StopReason) (string, error) {
	if x.answered {
		return "", errors.New("not read: one answer at a time")
	}
	x.answered = true
	if further := x.take(openArguments(args), string(args)); further != (Clean{}) {
		return "", told{further, !x.refined}
	}
	if x.result.Stop == stopOK {
		return "accepted", nil
	}
	return "not accepted", nil
}

// spoken takes an answer given as text.
func (x *commandExchange) spoken(_ context.Context, text string, _ StopReason) Clean {
	return x.take(openReply(text), text)
}

// take reads a candidate, and returns what is to be said to it: nothing if that was
// the last one.
func (x *commandExchange) take(e envelope, reply string) Clean {
	a := CommandAttempt{Kind: "propose", Findings: e.findings, Confidence: e.confidence}
	switch {
	case x.refined:
		a.Kind = "refine"
	case x.repairs > 0:
		a.Kind = "repair"
	}
	if e.isCommand() {
		a.Command = e.command
		a.Findings = append(a.Findings, command.Lint(a.Command, x.profile)...)
		reply = a.Command
	}
	x.result.Attempts = append(x.result.Attempts, a)
	if x.refined {
		return x.looked(e, a)
	}
	if e.question != "" {
		x.result.Question = x.c.opts.Sanitizer.Sanitize(e.question)
		return x.stop(stopQuestion)
	}
	return x.judge(a, reply)
}

// judge says what becomes of a candidate.
func (x *commandExchange) judge(a CommandAttempt, text string) Clean {
	x.result.Findings = a.Findings
	switch worst(a.Findings) {
	case command.SeverityFatal:
		return x.stop(stopFatal)
	case command.SeverityError:
		if fixed, ok := x.fix(a); ok {
			return x.judge(fixed, fixed.Command)
		}
		return x.sendBack(a, text)
	}
	x.ready = &a
	below := x.c.opts.refineBelow()
	if a.Confidence == nil || *a.Confidence >= below || x.turns < 2 {
		return x.stop(stopOK)
	}
	x.refined = true
	return BuildRepairPrompt(x.c.opts.Sanitizer, CommandRepair{
		Request: x.request, Candidate: a.Command, Findings: a.Findings, Profile: x.profile, Confidence: a.Confidence,
	})
}

// fix returns the candidate with what can be mended mechanically, if that leaves no
// error. It costs nothing.
func (x *commandExchange) fix(a CommandAttempt) (CommandAttempt, bool) {
	line, ok := fixLine(a.Command, x.profile)
	if !ok {
		return a, false
	}
	fixed := CommandAttempt{Kind: "fix", Command: line, Findings: command.Lint(line, x.profile), Confidence: a.Confidence}
	x.result.Attempts = append(x.result.Attempts, fixed)
	return fixed, true
}

// sendBack asks for another candidate, if that may lead anywhere.
func (x *commandExchange) sendBack(a CommandAttempt, text string) Clean {
	known := errorSet(a.Findings)
	again := slices.ContainsFunc(x.earlier, func(e string) bool { return sameCommand(e, text) })
	switch {
	case again || slices.Equal(known, x.errors):
		return x.stop(stopNoProgress)
	case x.repairs == x.c.opts.maxCommandRepairs():
		return x.stop(stopExhausted)
	case x.turns < 2:
		return x.stop(stopTurns)
	}
	x.repairs++
	further := BuildRepairPrompt(x.c.opts.Sanitizer, CommandRepair{
		Request: x.request, Candidate: text, Findings: a.Findings, Profile: x.profile,
		Attempt: x.repairs, Max: x.c.opts.maxCommandRepairs(), Earlier: x.earlier,
	})
	x.earlier, x.errors = append(x.earlier, text), known
	return further
}

// looked ends with what a second look brought: the new candidate if it is another one
// and no worse, else the one that is known to be without error.
func (x *commandExchange) looked(e envelope, a CommandAttempt) Clean {
	better := e.isCommand() && !hasErrors(a.Findings) && !sameCommand(a.Command, x.ready.Command)
	for _, f := range a.Findings {
		known := func(g command.Finding) bool { return g.Code == f.Code && g.Detail == f.Detail }
		if f.Severity == command.SeverityWarn && !slices.ContainsFunc(x.ready.Findings, known) {
			better = false
		}
	}
	if better {
		x.ready, x.result.Refined = &a, true
	}
	return x.stop(stopOK)
}

// stop notes why it ended, and has nothing further to say.
func (x *commandExchange) stop(why string) Clean {
	x.result.Stop = why
	return Clean{}
}

// broken ends with an error that is not the model's answer, unless there is a command
// already.
func (x *commandExchange) broken(ctx context.Context, err error) (*CommandResult, error) {
	if x.ready != nil {
		x.stop(stopOK)
		return x.finish()
	}
	var over *BudgetError
	switch {
	case errors.As(err, &over):
		x.stop(stopBudget)
	case errors.Is(ctx.Err(), context.Canceled):
		x.stop(stopCanceled)
	case ctx.Err() != nil, errors.Is(err, errShortOfTime):
		x.stop(stopDeadline)
	default:
		x.stop(stopProviderError)
	}
	return x.result, fmt.Errorf("no command was given: %w", err)
}

// finish returns the result.
func (x *commandExchange) finish() (*CommandResult, error) {
	if x.ready != nil && (x.result.Stop == stopOK || x.result.Stop == stopTurns) {
		x.result.Stop, x.result.Command, x.result.Findings = stopOK, x.ready.Command, x.ready.Findings
		x.result.Argv, _ = command.Split(x.ready.Command) // it has no error
		return x.result, nil
	}
	return x.result, fmt.Errorf("%w (%s)", ErrNoCommand, x.result.Stop)
}

// errorSet returns what is wrong with a candidate, without where.
func errorSet(findings []command.Finding) []string {
	var set []string
	for _, f := range findings {
		if f.Severity >= command.SeverityError {
			set = append(set, string(f.Code)+" "+f.Detail)
		}
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// sameCommand reports whether two lines start the same, or, if they start nothing,
// read the same.
func sameCommand(a, b string) bool {
	x, errX := command.Split(a)
	y, errY := command.Split(b)
	if errX == nil && errY == nil {
		return slices.Equal(x, y)
	}
	return strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

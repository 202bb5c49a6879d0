package plan

import (
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// What [Adjust] does, as its Adjustment names it.
const (
	RuleDrop    = "drop_failed_command"
	RuleReorder = "reorder_clean_and_artifact_check"
)

// Adjustment is what [Adjust] changed, and why.
type Adjustment struct {
	Reason           Code     `json:"reason"`
	RecoveryRule     string   `json:"recoveryRule"` // RuleDrop or RuleReorder
	PreviousCommands []string `json:"previousCommands"`
	NextCommands     []string `json:"nextCommands"`
}

// Adjust returns the plan that a failure of p calls for, which is to be run in its
// place, and what was changed; nil and nil if the plan is not at fault, or the
// failed command is not in it. p is never changed.
//
// A command that cannot run at all is dropped, and every equal one with it; they
// stay in Dropped, and with nothing left the plan is built anew with them
// (Request.Dropped). Where a file is looked for right after it was cleaned away,
// the cleaning command moves behind that check and those that follow it. So a plan
// only ever gets shorter, or loses one wrong order.
func Adjust(p *Plan, m *Meta) (*Plan, *Adjustment) {
	if p == nil || m == nil {
		return nil, nil
	}
	code := m.Code.normal()
	at := findFailed(p, m)
	if at < 0 {
		return nil, nil
	}
	var next *Plan
	rule := RuleDrop
	switch code {
	case CodeMissingScript, CodeNoTestFiles, CodeMissingMakeTarget, CodeUnsupportedFormat:
		next = dropEqual(p, p.Commands[at], code)
	case CodeSequenceIssue:
		next, rule = cleanLater(p, at), RuleReorder
	}
	if next == nil {
		return nil, nil
	}
	return next, &Adjustment{Reason: code, RecoveryRule: rule, PreviousCommands: p.Lines(), NextCommands: next.Lines()}
}

// findFailed returns the index of the command that failed: the one with the
// recorded identifier, or, if none was recorded, the first with the recorded line
// or a part of that text, and the recorded source. It returns -1 if there is none.
func findFailed(p *Plan, m *Meta) int {
	if m.CommandID != "" {
		return slices.IndexFunc(p.Commands, func(c Command) bool {
			return c.ID == m.CommandID || c.ID == "" && CommandID(c.Source, c.Line) == m.CommandID
		})
	}
	line := strings.TrimSpace(m.Command)
	if line == "" {
		return -1
	}
	ofSource := func(c Command) bool { return m.CommandSource == "" || c.Source == m.CommandSource }
	at := slices.IndexFunc(p.Commands, func(c Command) bool { return ofSource(c) && strings.TrimSpace(c.Line) == line })
	if at < 0 {
		at = slices.IndexFunc(p.Commands, func(c Command) bool { return ofSource(c) && hasPart(c.Line, line) })
	}
	return at
}

// hasPart reports whether one of an entry's parts is the text.
func hasPart(entry, text string) bool {
	parts, err := Split(entry)
	if err != nil {
		return false
	}
	wanted, err := Split(text)
	return err == nil && len(wanted) == 1 && slices.ContainsFunc(parts, func(p Part) bool {
		sameStart := slices.Equal(p.Env, wanted[0].Env) && command.Join(p.Argv) == command.Join(wanted[0].Argv)
		return sameStart && (wanted[0].Dir == "" || wanted[0].Dir == p.Dir)
	})
}

// dropEqual returns the plan without a command and all that are equal to it.
func dropEqual(p *Plan, failed Command, reason Code) *Plan {
	next := p.clone()
	next.Commands = []Command{}
	for _, c := range p.Commands {
		if c.Line == failed.Line && c.Source == failed.Source {
			next.Dropped = append(next.Dropped, Dropped{Command: c, Reason: reason})
			continue
		}
		next.Commands = append(next.Commands, c)
	}
	return next
}

// cleanLater returns the plan in which the command before that at index at, which
// cleans away what that looks for, stands behind it and the checks of its kind that
// follow; nil if that is not how the two are.
func cleanLater(p *Plan, at int) *Plan {
	if at == 0 {
		return nil
	}
	cleaner, check := onlyPart(p.Commands[at-1]), onlyPart(p.Commands[at])
	if cleaner == nil || check == nil || !cleansFor(*cleaner, *check) {
		return nil
	}
	last := at
	for last+1 < len(p.Commands) {
		next := onlyPart(p.Commands[last+1])
		if next == nil {
			break
		}
		if _, ok := artifactOf(*next); !ok {
			break
		}
		last++
	}
	next := p.clone()
	moved := next.Commands[at-1]
	next.Commands = slices.Insert(slices.Delete(next.Commands, at-1, at), last, moved)
	return next
}

// onlyPart returns the part of an entry that has just one, else nil.
func onlyPart(c Command) *Part {
	parts, err := Split(c.Line)
	if err != nil || len(parts) != 1 {
		return nil
	}
	return &parts[0]
}

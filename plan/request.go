package plan

import (
	"io/fs"
	"time"

	"github.com/mendkit/mend"
)

// Stage is when a plan is built.
type Stage string

// Stages.
const (
	StageRun    Stage = "run"    // the change is made, and is to be verified; "" means this one too
	StageAuthor Stage = "author" // the list that a change will be given is being written
)

// ProposeRequest is what [Options.Propose] is told.
type ProposeRequest struct {
	Stage    Stage
	Role     string
	Explicit []string // what the author asked for
	Have     []string // what was added to it so far
	Changed  []string // nil: not known
	Files    fs.FS    // nil if the tree is not at hand

	Max              int           // how many entries there is room for
	Retries          int           // how often a malformed answer may go back
	Timeout          time.Duration // of each question
	ReconcileTimeout time.Duration // of the last one, see [ProposeWith]; not positive: it is not put
}

// FixKind says when a fix is asked for.
type FixKind string

// Kinds of fixes.
const (
	FixInline   FixKind = "inline"    // an entry failed, and runs again after it
	FixPass     FixKind = "pass"      // a pass failed, and a whole one runs after it
	FixNoChange FixKind = "no_change" // nothing was changed, and a change is what is asked for
)

// FixRequest is what [Options.Fix] is told. Nothing in it may be changed. Its texts
// are sanitised, but for the plan and the command.
type FixRequest struct {
	Kind        FixKind
	Attempt, Of int           // Attempt counts from 1
	Plan        *Plan         // the whole
	Command     Command       // the entry that failed; zero for FixNoChange
	Meta        *Meta         // how
	Failure     *mend.Failure // the same for a prompt; nil if nothing ran and failed
	Setup       bool          // what is missing is to be installed; the source is not at fault
	Unchanged   bool          // the failure is the one that the last fix was to mend
	Previous    []error       // of the fixes since the last one that worked, oldest first
}

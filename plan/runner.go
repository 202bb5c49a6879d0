package plan

import (
	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// runner is one Run.
type runner struct {
	env  mend.Environment
	ws   Workspace // env, if it is one
	plan *Plan
	opts *Options
	res  *Result

	before  map[string]bool // paths of the changes when Run began
	changes []Change        // as they were read last
	touched bool            // an inline fix changed the tree in this pass

	seen     map[string]int // how often each failure was seen, by signature
	fixed    string         // signature of the failure that the last fix which worked was for
	previous []error        // of the fixes since
}

// passMode says what may be done for an entry that fails.
type passMode struct {
	fix   bool // Options.Fix is called
	other bool // installs and replacements are run
}

// attempt is one run of an entry, or of what is run in its place, up to the part
// that decided.
type attempt struct {
	passed   bool             // every part exited with 0
	code     Code             // "" if nothing is to say; with passed, that nothing ran
	part     Part             // the part that decided
	obs      mend.Observation // what it showed
	kept     mend.Observation // the same with its streams clean, if there is anything to say
	ran      bool             // it was started
	denied   string           // entry of the policy that forbids it
	findings []command.Finding

	signature string // of an entry's own attempt that did not pass
}

// clean reports whether an attempt passed and something ran.
func (a attempt) clean() bool { return a.passed && a.code == "" }

// failing is the failure of an entry that ended a pass.
type failing struct {
	Outcome
	attempt attempt
}

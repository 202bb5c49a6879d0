package plan

// State is what became of one entry in one pass.
type State string

// States. The first three are good for something: they are effective. All but
// passed and failed leave a gap.
const (
	StatePassed   State = "passed"   // every part exited with 0
	StateNarrowed State = "narrowed" // it failed, but its single-package form passed
	StateReplaced State = "replaced" // it failed, but another check that exists passed
	StateEmpty    State = "empty"    // it exited with 0, and a tool says that nothing ran
	StateSkipped  State = "skipped"  // it could not be run, and the rules of [ShouldSkip] let it be
	StateIgnored  State = "ignored"  // it failed for real, and the rules of [ShouldSkip] let it be
	StateFailed   State = "failed"   // it ended the pass
)

// Status is what a whole run came to.
type Status string

// Statuses, from the worst.
const (
	StatusFailed         Status = "failed"           // an entry failed, nothing was changed, or the policy was violated
	StatusUnverified     Status = "unverified"       // nothing effective ran: no entry, only skips, only true
	StatusPassedWithGaps Status = "passed_with_gaps" // what ran passed, and not all that was asked for ran
	StatusPassed         Status = "passed"           // all that was asked for ran and passed
)

// leavesGap reports whether an entry in that state was not verified as it stands.
func (s State) leavesGap() bool { return s != StatePassed && s != StateFailed }

package plan

// SkipState is what [ShouldSkip] has to know of a pass besides the entry that
// failed.
type SkipState struct {
	Remaining      bool // entries remain behind it
	Passed         bool // an effective entry passed before it, be it narrowed or replaced
	ExplicitPassed bool // an effective explicit entry passed before it, as it stands
	DocOnly        bool // all changed files are documentation
	NoOp           bool // it is known that nothing changed
}

// ShouldSkip says whether an entry that failed may be let be: StateSkipped if it
// could not be run, StateIgnored if it failed for real, StateFailed if neither.
//
//	                                       explicit            auto
//	missing script, no tests, no target    R or D or N         R or P or D or N
//	unsupported format                     R or P or D or N    R or P or D or N
//	setup or bootstrap issue               never               R
//	real failure, which is ignored         P, not R, and       E and not R
//	                                       workspace-wide
//
// R is Remaining, P is Passed, E is ExplicitPassed, D is DocOnly, N is NoOp. A
// real failure is CodeCommandFailed or CodeTestFailure; a time-out and a fault of
// the machine are nobody's to wave through. [Options] has a switch for each
// column, and one more for auto entries that are ignored. A source that is neither
// counts as explicit.
func ShouldSkip(c Command, code Code, st SkipState, opts *Options) State {
	opts = opts.orDefault()
	auto := c.Source == SourceAuto
	disabled := opts.DisableSkipMissingExplicit
	if auto {
		disabled = opts.DisableSkipInvalidAuto
	}
	if disabled {
		return StateFailed
	}
	idle := st.Remaining || st.DocOnly || st.NoOp
	skip, ignore := false, false
	switch code {
	case CodeMissingScript, CodeNoTestFiles, CodeMissingMakeTarget:
		skip = idle || auto && st.Passed
	case CodeUnsupportedFormat:
		skip = idle || st.Passed
	case CodeSetupIssue:
		skip = auto && st.Remaining
	case CodeCommandFailed, CodeTestFailure:
		if auto {
			ignore = st.ExplicitPassed && !st.Remaining && !opts.DisableNonBlockingAuto
		} else {
			ignore = st.Passed && !st.Remaining && isWorkspaceWide(c.Line)
		}
	}
	switch {
	case skip:
		return StateSkipped
	case ignore:
		return StateIgnored
	}
	return StateFailed
}

// isWorkspaceWide reports whether an entry is one part that [Narrow] narrows.
func isWorkspaceWide(line string) bool {
	parts, err := Split(line)
	if err != nil || len(parts) != 1 {
		return false
	}
	_, ok := Narrow(parts[0])
	return ok
}

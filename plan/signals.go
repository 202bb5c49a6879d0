package plan

import "github.com/mendkit/mend"

// ResolveCode returns what a run of a part says, or "" if it passed.
func ResolveCode(p Part, obs mend.Observation, prev *Part) Code {
	if obs.ExitCode == 0 && obs.Signal == "" && !obs.TimedOut {
		return ""
	}
	return CodeCommandFailed
}

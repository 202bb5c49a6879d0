package command

// FindingCode names what is wrong with a command line.
type FindingCode string

// The codes of findings.
const (
	SyntaxError  FindingCode = "SyntaxError"  // no shell would read it either
	NeedsShell   FindingCode = "NeedsShell"   // a shell would act on it, and none runs
	EmptyCommand FindingCode = "EmptyCommand" // there is no program in it
)

// Severity says how bad a finding is, and alone decides what becomes of the
// command. The zero value is less than all and belongs to no finding.
type Severity int

// Severities, from the mildest.
const (
	SeverityInfo  Severity = iota + 1 // reported
	SeverityWarn                      // attached to the result; never a reason to repair
	SeverityError                     // the command is not run, and goes to repair
	SeverityFatal                     // the command is not run, not repaired, and no model sees it
)

// String returns the severity's name in lower case.
func (s Severity) String() string {
	switch s {
	case SeverityInfo:
		return "info"
	case SeverityWarn:
		return "warn"
	case SeverityError:
		return "error"
	case SeverityFatal:
		return "fatal"
	}
	return "none"
}

// Finding is one thing to say about a command line.
type Finding struct {
	Code     FindingCode
	Detail   string // the class within the code, as [ClassGlob]; "" if it has none
	Severity Severity
	Message  string // one line, lower case, at most 200 bytes, the word in question as %q
	Hint     string // how to write it instead, or ""
	Fix      string // the whole line without error, where the change is mechanical, or ""
	Source   string // where in the recipe the line stands, as "verify.command"; "" if that is not known
	Start    int    // first byte concerned, from 0
	End      int    // byte behind the last one concerned
}

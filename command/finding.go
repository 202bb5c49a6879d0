package command

// FindingCode names what is wrong with a command line.
type FindingCode string

// The codes of findings. The class within a code is the finding's Detail; of
// EmptyCommand there is none.
const (
	// InvalidFormat: the text is no command: too-long, prose, fence, json, prompt,
	// output, placeholder, mark or no-program.
	InvalidFormat FindingCode = "InvalidFormat"
	// SyntaxError: no shell would read it either: control-char, encoding,
	// unterminated, unbalanced, unclosed, operator, redirect, reserved-word,
	// lookalike or empty-program.
	SyntaxError FindingCode = "SyntaxError"
	// NeedsShell: a shell would act on it, and none runs: a class of [SplitError], or
	// builtin.
	NeedsShell FindingCode = "NeedsShell"
	// EmptyCommand: there is no program in it.
	EmptyCommand FindingCode = "EmptyCommand"
	// ToolNotAllowed: the program, which is the detail, is not in the profile's list.
	ToolNotAllowed FindingCode = "ToolNotAllowed"
	// ToolUnavailable: the platform lacks, or may lack, the program that is the detail.
	ToolUnavailable FindingCode = "ToolUnavailable"
	// FlagNotSupported: the platform's program lacks, or may lack, the option that is
	// the detail.
	FlagNotSupported FindingCode = "FlagNotSupported"
	// OpaqueCommand: what would happen does not stand in the text: operand, where a
	// destructive command would act on it; command-name, script, inline-code,
	// hidden-program, construct or depth; script-file or interactive.
	OpaqueCommand FindingCode = "OpaqueCommand"
	// UnquotedPath: a path that holds blanks or backslashes lacks quotes: known, blank
	// or backslash.
	UnquotedPath FindingCode = "UnquotedPath"
	// DangerousCommand: it would do harm that nothing undoes: delete, disk,
	// system-file, permissions, remote-exec, pipe-to-shell, reverse-shell, fork-bomb,
	// container, irreversible or host.
	DangerousCommand FindingCode = "DangerousCommand"
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

package command

// Details of findings that are no class of [SplitError], by their code. They are
// plain strings and no constants for callers: a detail may also be the name of a
// program or an option, so that nobody can switch over all of them.
const (
	// Of InvalidFormat: the text comes from somebody who was asked for a command and
	// gave something else, mostly a model.
	detailTooLong     = "too-long"
	detailProse       = "prose"
	detailFence       = "fence"
	detailJSON        = "json"
	detailPrompt      = "prompt"
	detailOutput      = "output"
	detailPlaceholder = "placeholder"
	detailMark        = "mark"
	detailNoProgram   = "no-program"

	// Of SyntaxError, beside control-char, unterminated, operator and reserved-word, which
	// are classes of Split.
	detailEncoding     = "encoding"
	detailUnbalanced   = "unbalanced"
	detailUnclosed     = "unclosed"
	detailRedirect     = "redirect"
	detailLookalike    = "lookalike"
	detailEmptyProgram = "empty-program"

	// Of NeedsShell, beside the classes of Split.
	detailBuiltin = "builtin"

	// Of OpaqueCommand. The first is fatal, the last two are warnings, and the others
	// errors; see [sayings].
	detailOperand       = "operand"
	detailCommandName   = "command-name"
	detailScript        = "script"
	detailInlineCode    = "inline-code"
	detailHiddenProgram = "hidden-program"
	detailConstruct     = "construct"
	detailDepth         = "depth"
	detailScriptFile    = "script-file"
	detailInteractive   = "interactive"

	// Of UnquotedPath.
	detailKnown     = "known"
	detailBlank     = "blank"
	detailBackslash = "backslash"

	// Of DangerousCommand, all of them fatal.
	detailDelete       = "delete"
	detailDisk         = "disk"
	detailSystemFile   = "system-file"
	detailPermissions  = "permissions"
	detailRemoteExec   = "remote-exec"
	detailPipeToShell  = "pipe-to-shell"
	detailReverseShell = "reverse-shell"
	detailForkBomb     = "fork-bomb"
	detailContainer    = "container"
	detailIrreversible = "irreversible"
	detailHost         = "host"
)

// saying is what there is to say about one detail of one code.
type saying struct {
	severity Severity
	says     string // the message: one line, lower case; %q, at most once, is the text concerned
	hint     string // how to write it instead; "" if there is no other way
}

// kind is what two findings have in common that say the same. Where the span is the
// same too, one of them is dropped.
type kind struct {
	code   FindingCode
	detail string
}

// sayings holds every detail but those that [refusals] has, and those that are
// the name of a program or an option. What is dangerous has no hint: a model never
// sees it, and people are not to be told how to get round the rule.
var sayings = map[kind]*saying{
	{InvalidFormat, detailTooLong}: {SeverityError, "the command is longer than 4096 bytes",
		"give one short command"},
	{InvalidFormat, detailProse}: {SeverityError, "%q is a sentence, and no command",
		"give the bare command, with nothing before or behind it"},
	{InvalidFormat, detailFence}: {SeverityError, "%q is markup, and no command",
		"give the bare command, without a code fence"},
	{InvalidFormat, detailJSON}: {SeverityError, "%q is JSON, and no command",
		"give the bare command as one line"},
	{InvalidFormat, detailPrompt}: {SeverityError, "%q is a shell's prompt, and belongs to no command",
		"leave the prompt out"},
	{InvalidFormat, detailOutput}: {SeverityError, "%q is what a program prints, and no command",
		"give the command, not its output"},
	{InvalidFormat, detailPlaceholder}: {SeverityError, "%q stands for something that has to be filled in",
		"write out what is meant, or leave it out"},
	{InvalidFormat, detailMark}: {SeverityError, "%q stands where something was taken out",
		"write the command without it"},
	{InvalidFormat, detailNoProgram}: {SeverityError, "%q is an option, and there is no program before it",
		"begin with the program's name"},

	{SyntaxError, detailEncoding}: {SeverityError, "%q is not UTF-8",
		"write the command in UTF-8"},
	{SyntaxError, ClassOperator}: {SeverityError, "%q stands where a command has to",
		"give one program and its arguments"},
	{SyntaxError, ClassReservedWord}: {SeverityError, "%q ends what nothing begins",
		"give one program and its arguments; in quotes the word is text"},
	{SyntaxError, detailUnbalanced}: {SeverityError, "%q is a bracket without its other half, or with nothing inside",
		"balance the brackets; in quotes a bracket is text"},
	{SyntaxError, detailUnclosed}: {SeverityError, "%q begins what nothing ends",
		"give one program and its arguments"},
	{SyntaxError, detailRedirect}: {SeverityError, "%q leads nowhere",
		"leave the redirection out; both output streams are captured"},
	{SyntaxError, detailLookalike}: {SeverityError, "%q only looks like what a command is written with",
		"write blanks, quotes and dashes in ASCII"},
	{SyntaxError, detailEmptyProgram}: {SeverityError, "%q is no name of a program",
		"begin with the program's name"},

	{OpaqueCommand, detailOperand}: {SeverityFatal, "what %q would destroy does not stand in the command",
		"write out the files or devices that it acts on"},
	{OpaqueCommand, detailCommandName}: {SeverityError, "which program %q is does not stand in the command",
		"write the program's name out"},
	{OpaqueCommand, detailScript}: {SeverityError, "what %q would run does not stand in the command",
		"write the script out, or start the program directly"},
	{OpaqueCommand, detailInlineCode}: {SeverityError, "%q is code that starts programs or removes files",
		"start the program directly"},
	{OpaqueCommand, detailHiddenProgram}: {SeverityError, "%q has the program start another",
		"start that program directly, or leave the option out"},
	{OpaqueCommand, detailConstruct}: {SeverityError, "what follows %q is not read",
		"give one program and its arguments"},
	{OpaqueCommand, detailDepth}: {SeverityError, "%q is nested too deep to be read",
		"give one program and its arguments"},
	{OpaqueCommand, detailScriptFile}: {SeverityWarn, "what the script %q does does not stand in the command",
		"start the program directly, if there is one"},
	{OpaqueCommand, detailInteractive}: {SeverityWarn, "%q waits for input, and there is none",
		"give it something to do, or ask for its version"},

	{UnquotedPath, detailKnown}: {SeverityWarn, "%q is one path, and stands here as several words",
		"put the path in quotes"},
	{UnquotedPath, detailBlank}: {SeverityWarn, "%q looks like one path, and stands here as several words",
		"put the path in quotes"},
	{UnquotedPath, detailBackslash}: {SeverityWarn, "the backslashes of %q vanish outside of quotes",
		"put the path in single quotes"},

	{DangerousCommand, detailDelete}:       {SeverityFatal, "%q would be deleted, and it is not the command's own", ""},
	{DangerousCommand, detailDisk}:         {SeverityFatal, "%q is a disk, and would be overwritten", ""},
	{DangerousCommand, detailSystemFile}:   {SeverityFatal, "%q would be written to, and belongs to the system or starts with a session", ""},
	{DangerousCommand, detailPermissions}:  {SeverityFatal, "the permissions of %q would change", ""},
	{DangerousCommand, detailRemoteExec}:   {SeverityFatal, "%q would run what was just downloaded", ""},
	{DangerousCommand, detailPipeToShell}:  {SeverityFatal, "%q would run whatever comes through the pipe", ""},
	{DangerousCommand, detailReverseShell}: {SeverityFatal, "%q would give a shell away over the network", ""},
	{DangerousCommand, detailForkBomb}:     {SeverityFatal, "%q starts itself over and over", ""},
	{DangerousCommand, detailContainer}:    {SeverityFatal, "%q would open the host to the container", ""},
	{DangerousCommand, detailIrreversible}: {SeverityFatal, "%q cannot be undone", ""},
	{DangerousCommand, detailHost}:         {SeverityFatal, "%q would stop the machine or what runs on it", ""},
}

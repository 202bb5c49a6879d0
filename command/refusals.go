package command

// refusal is what to say about one class of [SplitError].
type refusal struct {
	code FindingCode
	says string // the message; %q is the text concerned
	hint string
}

// refusals holds every class of Split, and those that package plan adds for its
// entries. All of them are errors. The hints speak to somebody who can write the
// command anew, and name the field of a recipe or a submission in which the shell's
// part of the line belongs.
var refusals = map[string]refusal{
	ClassControlChar: {SyntaxError, "%q is a control character, and no command holds one",
		"leave it out"},
	ClassUnterminated: {SyntaxError, "%q begins what nothing ends",
		"close the quote; for a quote or a backslash as text, put a backslash before it"},
	ClassOperator: {NeedsShell, "%q needs a shell, and the program is started directly",
		"give one program and its arguments; in quotes an operator is text"},
	ClassSubstitution: {NeedsShell, "%q stands for what another command prints, and no shell runs it",
		"write out what it would print; in single quotes it is text"},
	ClassExpansion: {NeedsShell, "%q stands for a value that only a shell would put there",
		"write the value out; to set a variable, start the program with env NAME=value; in single quotes a dollar sign is text"},
	ClassGlob: {NeedsShell, "%q is a pattern that only a shell would replace by file names",
		"write the names out; in quotes a pattern is text"},
	ClassBrace: {NeedsShell, "%q is a list that only a shell would write out",
		"write the words out; in quotes braces are text"},
	ClassTilde: {NeedsShell, "%q names a home directory that only a shell would look up",
		"write the directory out; in quotes a tilde is text"},
	ClassComment: {NeedsShell, "%q is a comment that only a shell would skip",
		"leave it out; in quotes a word may begin with #"},
	ClassAssignment: {NeedsShell, "%q sets a variable, and only a shell would",
		"put env before it: env NAME=value program"},
	ClassReservedWord: {NeedsShell, "%q belongs to the grammar of a shell, and none runs",
		"give one program and its arguments; in quotes the word is a program's name"},
	ClassEmpty: {EmptyCommand, "there is no program to start",
		"give one program and its arguments"},

	"cd": {NeedsShell, "%q does not lead to one directory inside the tree, with a program behind it",
		"write cd, one relative directory inside the tree, && and the program"},
	detailBuiltin: {NeedsShell, "%q is a part of the shell, and no program",
		"give one program and its arguments"},
	"windows-path": {NeedsShell, "the backslashes of %q vanish outside of quotes",
		"put the path in single quotes"},
}

// reasons holds what the error of a class adds to its name, where that says too
// little of what is wrong.
var reasons = map[string]string{
	"cd":           "it takes one directory inside the tree, and a program behind &&",
	detailBuiltin:  "it is a part of the shell, and none runs",
	"windows-path": "its backslashes vanish outside of quotes",
}

// operatorHints says what to write instead of an operator, by the whole operator and
// not its first byte; one that is missing, as a bracket, gets the hint of its class.
// None of them proposes sh -c: that would hide the line from its reader.
var operatorHints = map[string]string{
	"|":    "give the program before it alone; what grep would look for goes into pattern",
	"|&":   "give the program before it alone; what grep would look for goes into pattern",
	"||":   "leave out what follows, and give the exit code in exit_code",
	"&&":   "give one program and its arguments; what follows is a command of its own",
	";":    "give one program and its arguments; what follows is a command of its own",
	"\n":   "give one program and its arguments; what follows is a command of its own",
	"\\\n": "write the command on one line",
	"&":    "leave it out; the program is waited for",
	">":    "leave the redirection out; both output streams are captured",
	">>":   "leave the redirection out; both output streams are captured",
	">&":   "leave the redirection out; both output streams are captured",
	">|":   "leave the redirection out; both output streams are captured",
	"&>":   "leave the redirection out; both output streams are captured",
	"&>>":  "leave the redirection out; both output streams are captured",
	"<":    "leave the redirection out; the input is empty, and a file may be an argument",
	"<<":   "leave the redirection out; the input is empty, and text may be an argument",
	"<<-":  "leave the redirection out; the input is empty, and text may be an argument",
	"<<<":  "leave the redirection out; the input is empty, and text may be an argument",
}

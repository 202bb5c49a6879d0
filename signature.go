package mend

// weight says how readily a sign of a broken install is believed.
type weight int

const (
	// A sign is believed unless what stands behind it shows that the tool went on:
	// its own usage, or its own complaint about the argument.
	weightSign weight = iota
	// Words are believed only in an output that is not a help text, since help
	// texts speak of everything.
	weightWords
	// Proof is believed wherever it stands.
	weightProof
)

// signature is a row of the tables: a kind of line, and what it tells.
type signature struct {
	name string
	kind EvidenceKind // "" in the tables is EvidenceBroken
	weight
	phrases   []string // lower case; any of them; an asterisk stands for anything on the same line
	except    []string // a line that also holds one of these tells nothing
	crash     bool     // the program ended by an error that it did not handle
	lineStart bool     // the phrase begins its line, indentation aside
	form      lineForm // what else the line has to be; nil asks for nothing
	launcher  bool     // believed even if the line names the argument: a launcher was handed the tool's
	speakers  string   // programs, by prefix, that say this in their own voice; a tool of that name is excepted
}

// lineForm reports whether a line, in which a phrase stands at offset at, is
// what a signature is after.
type lineForm func(l outputLine, at int) bool

package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// planVersion is the version of a plan's JSON form that this package writes, and
// the newest that it reads.
const planVersion = 1

// Source says who wants a command run. An explicit one counts for more: nothing
// that passes in its place makes a plan complete.
type Source string

// Sources.
const (
	SourceExplicit Source = "explicit" // the change's author asked for it
	SourceAuto     Source = "auto"     // it was added when the plan was built
)

// Command is one entry of a plan: a line that [Split] reads, run as one unit.
type Command struct {
	ID     string `json:"id"` // see [CommandID]
	Line   string `json:"line"`
	Source Source `json:"source"`
	Origin string `json:"origin"` // "author", "contract" or "model"
}

// Dropped is a command that [Adjust] took out of a plan. It is never taken off
// the record again, so that a plan without it cannot pass for the whole.
type Dropped struct {
	Command
	Reason Code `json:"reason"`
}

// Plan is the list of commands that verify one change, in the order in which they
// run. A nil plan is an empty one.
//
// Its JSON form has the version 1. Changed tells two things apart there too: null
// says that the changed files are not known, and [] that there are none.
type Plan struct {
	Version      int       `json:"version"` // of the JSON form; 0 means the current one
	Commands     []Command `json:"commands"`
	Changed      []string  `json:"changed"` // slashed paths from the tree's root; nil: not known
	Dropped      []Dropped `json:"dropped"`
	ContractHash string    `json:"contractHash"` // of the contract it was built by; "" if there was none
	Warnings     []string  `json:"warnings"`     // what was left out or cut when it was built, one line each
}

// CommandID returns the identifier of a command: the first 8 hexadecimal digits
// of the SHA-256 of its source, a line feed and its line. It says what is run and
// for whom, so a failure recorded against one plan finds its command in the next.
// Of commands that are equal, [Build] gives the second the identifier with ".2"
// behind it, the third ".3".
func CommandID(src Source, line string) string {
	sum := sha256.Sum256([]byte(string(src) + "\n" + line))
	return hex.EncodeToString(sum[:4])
}

// numberIDs sets the identifiers of a plan's commands.
func numberIDs(commands []Command) {
	seen := make(map[string]int, len(commands))
	for i := range commands {
		id := CommandID(commands[i].Source, commands[i].Line)
		seen[id]++
		if n := seen[id]; n > 1 {
			id += "." + strconv.Itoa(n)
		}
		commands[i].ID = id
	}
}

// Lines returns the commands' lines in order.
func (p *Plan) Lines() []string {
	if p == nil {
		return nil
	}
	return linesOf(p.Commands)
}

func linesOf(commands []Command) []string {
	lines := make([]string, len(commands))
	for i, c := range commands {
		lines[i] = c.Line
	}
	return lines
}

// clone returns a copy whose lists can be changed without changing p's. Changed
// stays nil where it is nil.
func (p *Plan) clone() *Plan {
	if p == nil {
		return &Plan{Version: planVersion}
	}
	c := *p
	c.Commands = slices.Clone(p.Commands)
	c.Changed = slices.Clone(p.Changed)
	c.Dropped = slices.Clone(p.Dropped)
	c.Warnings = slices.Clone(p.Warnings)
	return &c
}

// bare is a plan without methods, for encoding/json.
type bare Plan

// MarshalJSON writes the plan with its version, and empty lists as [] but for a
// Changed that is nil.
func (p Plan) MarshalJSON() ([]byte, error) {
	b := bare(p)
	if b.Version == 0 {
		b.Version = planVersion
	}
	if b.Commands == nil {
		b.Commands = []Command{}
	}
	if b.Dropped == nil {
		b.Dropped = []Dropped{}
	}
	if b.Warnings == nil {
		b.Warnings = []string{}
	}
	return json.Marshal(b)
}

// UnmarshalJSON reads what MarshalJSON writes. Keys that it does not know pass. A
// newer version, and a source that is none, are an [*OptionError]: a plan that is
// read in part would verify less than it says.
func (p *Plan) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var b bare
	if err := json.Unmarshal(data, &b); err != nil {
		return err
	}
	if b.Version < 0 || b.Version > planVersion {
		return &OptionError{Name: "version", Value: strconv.Itoa(b.Version), Reason: fmt.Sprintf("plans up to version %d can be read", planVersion)}
	}
	for i, c := range b.Commands {
		if err := c.Source.check("commands", i); err != nil {
			return err
		}
	}
	for i, d := range b.Dropped {
		if err := d.Source.check("dropped", i); err != nil {
			return err
		}
	}
	*p = Plan(b)
	return nil
}

// check returns an error if the source of the i-th command of a list is none.
func (s Source) check(list string, i int) error {
	if s == SourceExplicit || s == SourceAuto {
		return nil
	}
	return &OptionError{Name: fmt.Sprintf("%s[%d].source", list, i), Value: string(s), Reason: "it is explicit or auto"}
}

// OptionError reports a setting or a field that has a value it cannot have.
type OptionError struct {
	Name   string // the variable, or the field of what was read
	Value  string // as it was given
	Reason string // what it may be
}

// Error names the setting, the value and the reason on one line.
func (e *OptionError) Error() string {
	return fmt.Sprintf("%s cannot be %q: %s", e.Name, e.Value, e.Reason)
}

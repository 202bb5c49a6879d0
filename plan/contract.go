package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// DefaultContractPath is where [LoadContract] looks if it is given no name.
const DefaultContractPath = ".opentiger/verify.contract.json"

// ErrNoContract is wrapped by the error of [LoadContract] when there is no file.
var ErrNoContract = errors.New("there is no verification contract")

// Contract is what a repository asks every change to pass. Its JSON form is the
// one that [ParseContract] reads, without the hash.
type Contract struct {
	Always []string            `json:"commands,omitempty"` // for every change
	ByRole map[string][]string `json:"byRole,omitempty"`   // for the changes of one role
	Rules  []ContractRule      `json:"rules,omitempty"`    // for the files that changed
	Hash   string              `json:"-"`                  // hexadecimal SHA-256 of the document; "" if there was none
}

// ContractRule asks for commands when files changed. It fires if some changed file
// matches some pattern of WhenChangedAny, or there is none, and each pattern of
// WhenChangedAll is matched by some file. Without conditions it always fires; with
// one it never does where nothing changed.
type ContractRule struct {
	WhenChangedAny []string `json:"whenChangedAny,omitempty"` // patterns of [Match]
	WhenChangedAll []string `json:"whenChangedAll,omitempty"`
	Commands       []string `json:"commands"`
}

// ContractError reports the first fault of a contract.
type ContractError struct {
	Path   string // as rules[1].whenChangedAny[0]; "" is the document
	Line   int    // from 1; 0 if there is no document
	Column int    // in bytes, from 1
	Reason string // one line, lower case
	Err    error  // what is wrong with a command or a pattern, or nil
}

// Error gives the position, the place in the document and the reason on one line.
func (e *ContractError) Error() string {
	where := "contract"
	if e.Line > 0 {
		where += fmt.Sprintf(" line %d, column %d", e.Line, e.Column)
	}
	if e.Path != "" {
		where += ": " + e.Path
	}
	return where + ": " + e.Reason
}

// Unwrap returns Err.
func (e *ContractError) Unwrap() error { return e.Err }

// MarshalJSON writes a document that [ParseContract] reads.
func (r ContractRule) MarshalJSON() ([]byte, error) {
	type bare ContractRule
	if r.Commands == nil {
		r.Commands = []string{}
	}
	return json.Marshal(bare(r))
}

// Commands returns what the contract asks for, in order: what always runs, what
// the role adds, and what each rule adds that fires; of equal texts the first. The
// role is trimmed and its case does not count; without one it is "worker". A
// pattern that is none, which only a contract made by hand can hold, matches.
func (c *Contract) Commands(role string, changed []string) []string {
	if c == nil {
		return nil
	}
	role = strings.ToLower(strings.TrimSpace(role))
	if role == "" {
		role = "worker"
	}
	var lines []string
	seen := map[string]bool{}
	add := func(more []string) {
		for _, line := range more {
			line = strings.TrimSpace(line)
			if line != "" && !seen[line] {
				seen[line] = true
				lines = append(lines, line)
			}
		}
	}
	add(c.Always)
	add(c.ByRole[role])
	for _, r := range c.Rules {
		if r.fires(changed) {
			add(r.Commands)
		}
	}
	return lines
}

// fires reports whether the rule's conditions hold.
func (r ContractRule) fires(changed []string) bool {
	matched := len(r.WhenChangedAny) == 0
	for _, pattern := range r.WhenChangedAny {
		matched = matched || matchesSome(pattern, changed)
	}
	for _, pattern := range r.WhenChangedAll {
		matched = matched && matchesSome(pattern, changed)
	}
	return matched
}

func matchesSome(pattern string, paths []string) bool {
	g, err := compileGlob(pattern)
	for _, p := range paths {
		if err != nil || g.match(p) {
			return true
		}
	}
	return false
}

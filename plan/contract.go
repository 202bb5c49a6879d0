package plan

import (
	"errors"
	"io/fs"
)

// DefaultContractPath is where [LoadContract] looks if it is given no name.
const DefaultContractPath = ".opentiger/verify.contract.json"

// ErrNoContract is wrapped by the error of [LoadContract] when there is no file.
var ErrNoContract = errors.New("there is no verification contract")

// Contract is what a repository asks every change to pass.
type Contract struct {
	Always []string            // for every change
	ByRole map[string][]string // for the changes of one role
	Rules  []ContractRule      // for the files that changed
	Hash   string              // hexadecimal SHA-256 of the file
}

// ContractRule asks for commands when files changed. It fires if some changed file
// matches some pattern of WhenChangedAny, or there is none, and each pattern of
// WhenChangedAll is matched by some file.
type ContractRule struct {
	WhenChangedAny []string
	WhenChangedAll []string
	Commands       []string
}

// ContractError reports the first fault of a contract.
type ContractError struct {
	Path   string // as rules[1].whenChangedAny[0]; "" is the document
	Line   int    // from 1
	Column int    // in bytes, from 1
	Reason string
	Err    error // what is wrong with a command or a pattern, or nil
}

func (e *ContractError) Error() string { return e.Reason }

// Unwrap returns Err.
func (e *ContractError) Unwrap() error { return e.Err }

// ParseContract reads a contract.
func ParseContract(data []byte) (*Contract, error) { return nil, errors.New("not yet") }

// LoadContract reads the contract of a tree.
func LoadContract(fsys fs.FS, name string) (*Contract, error) { return nil, errors.New("not yet") }

// Commands returns what the contract asks for.
func (c *Contract) Commands(role string, changed []string) []string { return nil }

// Match reports whether a path matches a pattern.
func Match(pattern, path string) (bool, error) { return false, errors.New("not yet") }

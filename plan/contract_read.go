package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
)

// ParseContract reads a contract, one JSON object. A key that is not known, a key
// that stands there twice, null, a blank command, a pattern that no path can match
// and a command that [Split] refuses are faults like any other: what is silently
// left out would open a gate. The error is a [*ContractError] for the fault that
// comes first.
func ParseContract(data []byte) (*Contract, error) {
	r := newContractReader(data)
	c := r.document()
	if r.fault != nil {
		return nil, r.fault
	}
	sum := sha256.Sum256(data)
	c.Hash = hex.EncodeToString(sum[:])
	return c, nil
}

// LoadContract reads the contract of a tree; an empty name is
// [DefaultContractPath]. The tree should be the one that the change is based on,
// since a change must not weaken what it has to pass; [DirWorkspace.BaseFS] is that.
//
// A name that leads out of the tree is a [*ContractError], as is a fault of the
// document. If there is no file, the error wraps [ErrNoContract] and
// [fs.ErrNotExist].
func LoadContract(fsys fs.FS, name string) (*Contract, error) {
	if name == "" {
		name = DefaultContractPath
	}
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	if !fs.ValidPath(clean) || hasDrive(clean) {
		return nil, &ContractError{Reason: fmt.Sprintf("%q is not inside the tree", name)}
	}
	data, err := fs.ReadFile(fsys, clean)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %w", ErrNoContract, err)
	case err != nil:
		return nil, fmt.Errorf("cannot read the verification contract: %w", err)
	}
	return ParseContract(data)
}

// contractReader reads one document and stops at the first fault.
type contractReader struct {
	data  []byte
	json  *json.Decoder
	start int // of the token read last, in bytes
	fault *ContractError
}

func newContractReader(data []byte) *contractReader {
	return &contractReader{data: data, json: json.NewDecoder(bytes.NewReader(data))}
}

// document reads the whole of it.
func (r *contractReader) document() *Contract {
	c := &Contract{}
	r.object("", func(key, path string) {
		switch key {
		case "commands":
			c.Always = r.lines(path, 0)
		case "byRole":
			c.ByRole = r.roles(path)
		case "rules":
			c.Rules = r.rules(path)
		case "$schema":
			r.text(path)
		default:
			r.failf(path, nil, "no such key; there are commands, byRole and rules")
		}
	})
	if r.fault == nil {
		if r.start = r.next(); r.start < len(r.data) {
			r.failf("", nil, "there is more behind the object")
		}
	}
	return c
}

// roles reads the commands of each role.
func (r *contractReader) roles(path string) map[string][]string {
	roles := map[string][]string{}
	r.object(path, func(key, path string) {
		if !isRole(key) {
			r.failf(path, nil, "a role is written in small letters, digits, _ and -, a letter first")
			return
		}
		roles[key] = r.lines(path, 0)
	})
	return roles
}

// rules reads the list of rules.
func (r *contractReader) rules(path string) []ContractRule {
	var rules []ContractRule
	r.list(path, 0, func(path string) {
		var rule ContractRule
		seen := false
		begin := r.object(path, func(key, path string) {
			switch key {
			case "whenChangedAny":
				rule.WhenChangedAny = r.patterns(path)
			case "whenChangedAll":
				rule.WhenChangedAll = r.patterns(path)
			case "commands":
				seen = true
				rule.Commands = r.lines(path, 1)
			default:
				r.failf(path, nil, "no such key; a rule has whenChangedAny, whenChangedAll and commands")
			}
		})
		if !seen {
			r.start = begin
			r.failf(path, nil, "a rule needs commands")
		}
		rules = append(rules, rule)
	})
	return rules
}

// lines reads a list of commands that has as many as that at least.
func (r *contractReader) lines(path string, least int) []string {
	lines := []string{}
	r.list(path, least, func(path string) {
		line := r.filled(path)
		if _, err := Split(line); r.fault == nil && err != nil {
			r.failf(path, err, "%v", err)
		}
		lines = append(lines, line)
	})
	return lines
}

// patterns reads a list of patterns that has one at least.
func (r *contractReader) patterns(path string) []string {
	patterns := []string{}
	r.list(path, 1, func(path string) {
		pattern := r.filled(path)
		if _, err := compileGlob(pattern); r.fault == nil && err != nil {
			r.failf(path, err, "%v", err)
		}
		patterns = append(patterns, pattern)
	})
	return patterns
}

// filled reads a string that is not blank.
func (r *contractReader) filled(path string) string {
	s := r.text(path)
	if strings.TrimSpace(s) == "" {
		r.failf(path, nil, "the text is blank")
	}
	return s
}

// text reads a string.
func (r *contractReader) text(path string) string {
	s, ok := r.token(path).(string)
	if !ok {
		r.failf(path, nil, "a string has to stand here")
	}
	return s
}

// list reads an array, and calls element for each of its values. One that has fewer
// than that is a fault where it begins, as a value of a wrong type is.
func (r *contractReader) list(path string, least int, element func(path string)) {
	if r.token(path) != json.Delim('[') {
		r.failf(path, nil, "a list has to stand here")
	}
	begin, n := r.start, 0
	for ; r.fault == nil && r.json.More(); n++ {
		element(fmt.Sprintf("%s[%d]", path, n))
	}
	if r.token(path); n < least {
		r.start = begin
		r.failf(path, nil, "the list is empty")
	}
}

// object reads an object, calls value for each of its keys, and returns where it
// begins.
func (r *contractReader) object(path string, value func(key, path string)) (begin int) {
	if r.token(path) != json.Delim('{') {
		r.failf(path, nil, "an object has to stand here")
	}
	begin = r.start
	seen := map[string]bool{}
	for r.fault == nil && r.json.More() {
		key, _ := r.token(path).(string)
		inner := strings.TrimPrefix(path+"."+key, ".")
		if seen[key] {
			r.failf(inner, nil, "the key stands here twice")
		}
		seen[key] = true
		if r.fault == nil {
			value(key, inner)
		}
	}
	r.token(path)
	return begin
}

// token reads the next token and notes where it begins. A text that is no JSON is
// a fault of the document, not of the value that it stands in.
func (r *contractReader) token(path string) json.Token {
	if r.fault != nil {
		return nil
	}
	r.start = r.next()
	t, err := r.json.Token()
	end := min(int(r.json.InputOffset()), len(r.data))
	if err == nil {
		if i := invalidUTF8(r.data[r.start:max(end, r.start)]); i >= 0 {
			r.start += i
			r.failf("", nil, "it is not JSON: no UTF-8")
		}
		return t
	}
	var syntax *json.SyntaxError
	switch whole := json.Unmarshal(r.data, new(any)); {
	case errors.As(whole, &syntax) && int(syntax.Offset) < len(r.data):
		r.start = max(int(syntax.Offset)-1, 0)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		r.start = len(r.data)
	}
	if errors.As(err, &syntax) {
		r.failf("", err, "it is not JSON: %v", err)
	} else {
		r.failf("", err, "it is not JSON: it ends too early")
	}
	return nil
}

// next returns where the next token begins.
func (r *contractReader) next() int {
	at := min(int(r.json.InputOffset()), len(r.data))
	return len(r.data) - len(bytes.TrimLeft(r.data[at:], " \t\r\n,:"))
}

// invalidUTF8 returns the offset of the first byte that is no UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		c, n := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// failf notes a fault at the token read last, if it is the first.
func (r *contractReader) failf(path string, err error, format string, args ...any) {
	if r.fault != nil {
		return
	}
	at := min(r.start, len(r.data))
	line := 1 + bytes.Count(r.data[:at], []byte("\n"))
	column := at - bytes.LastIndexByte(r.data[:at], '\n')
	r.fault = &ContractError{Path: path, Line: line, Column: column, Reason: fmt.Sprintf(format, args...), Err: err}
}

// isRole reports whether s may name a role.
func isRole(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || i > 0 && ('0' <= c && c <= '9' || c == '_' || c == '-')) {
			return false
		}
	}
	return s != ""
}

package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mendkit/mend"
)

// metaVersion is the version of [Meta] that this package writes, and the newest
// that it reads.
const metaVersion = 1

// maxExcerpt bounds what is kept of a stream, in runes.
const maxExcerpt = 400

// Where the failure that a [Meta] describes came up.
const (
	MetaVerification = "verification" // a command of a plan
	MetaExecution    = "execution"    // anything else
)

// Meta is what is kept of a failure, for programs that decide later what to do. It
// holds sanitised text only.
type Meta struct {
	SchemaVersion    int      `json:"schemaVersion"` // 0 means 1
	Source           string   `json:"source"`        // MetaVerification or MetaExecution
	Code             Code     `json:"failureCode"`
	Command          string   `json:"failedCommand,omitempty"` // the entry's line
	CommandSource    Source   `json:"failedCommandSource,omitempty"`
	Stderr           string   `json:"failedCommandStderr,omitempty"` // the end of it, at most 400 runes on one line
	Stdout           string   `json:"failedCommandStdout,omitempty"`
	CommandID        string   `json:"commandId,omitempty"`
	ExitCode         *int     `json:"exitCode,omitempty"` // nil if it never ran
	Signal           string   `json:"signal,omitempty"`
	TimedOut         bool     `json:"timedOut,omitempty"`
	Signature        string   `json:"signature,omitempty"`
	PolicyViolations []string `json:"policyViolations,omitempty"` // paths, or what forbids the command
}

// MarshalJSON writes the metadata with its version.
func (m Meta) MarshalJSON() ([]byte, error) {
	type bare Meta
	if m.SchemaVersion == 0 {
		m.SchemaVersion = metaVersion
	}
	return json.Marshal(bare(m))
}

// MetaError reports metadata of another shape.
type MetaError struct {
	Key    string // "" is the whole
	Reason string // one line, lower case
}

// Error names the key and the reason on one line.
func (e *MetaError) Error() string {
	if e.Key == "" {
		return "metadata: " + e.Reason
	}
	return "metadata: " + e.Key + ": " + e.Reason
}

// wide cleans whole outputs. What a limit cuts would be missing in signatures.
var wide = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: -1})

// excerpt returns the end of a text on one line: most tools say last what went
// wrong.
func excerpt(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	return strings.TrimSpace(string(runes[max(len(runes)-maxExcerpt, 0):]))
}

// ParseMeta reads metadata, also of older programs: keys that are not known pass,
// null and blank texts are absent, and the code is trimmed and written small. The
// error is a [*MetaError]: for what is no object, for a value of a wrong type, and
// for a version newer than 1.
func ParseMeta(data []byte) (*Meta, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	var values map[string]json.RawMessage
	if err := dec.Decode(&values); err != nil || values == nil {
		return nil, &MetaError{Reason: "it is not a JSON object"}
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, &MetaError{Reason: "there is more behind the object"}
	}
	m := &Meta{SchemaVersion: metaVersion}
	r := metaReader{values: values}
	version := metaVersion
	r.read("schemaVersion", &version, "a whole number")
	r.text("source", &m.Source)
	r.text("failureCode", (*string)(&m.Code))
	r.text("failedCommand", &m.Command)
	r.text("failedCommandSource", (*string)(&m.CommandSource))
	r.text("failedCommandStderr", &m.Stderr)
	r.text("failedCommandStdout", &m.Stdout)
	r.text("commandId", &m.CommandID)
	r.read("exitCode", &m.ExitCode, "a whole number")
	r.text("signal", &m.Signal)
	r.read("timedOut", &m.TimedOut, "true or false")
	r.text("signature", &m.Signature)
	r.texts("policyViolations", &m.PolicyViolations)
	if r.err == nil && (version < 0 || version > metaVersion) {
		r.err = &MetaError{"schemaVersion", fmt.Sprintf("version %d cannot be read, only those up to %d", version, metaVersion)}
	}
	if r.err != nil {
		return nil, r.err
	}
	m.Code = m.Code.normal()
	return m, nil
}

// metaReader reads the values of one object and stops at the first that is wrong.
type metaReader struct {
	values map[string]json.RawMessage
	err    error
}

// read reads a value into what to points to; null leaves that alone.
func (r *metaReader) read(key string, to any, what string) {
	value, ok := r.values[key]
	if !ok || r.err != nil {
		return
	}
	if err := json.Unmarshal(value, to); err != nil {
		r.err = &MetaError{key, "it has to be " + what}
	}
}

// text reads a string; a blank one is absent.
func (r *metaReader) text(key string, to *string) {
	r.read(key, to, "a string")
	if strings.TrimSpace(*to) == "" {
		*to = ""
	}
}

// texts reads a list of strings, without the blank ones.
func (r *metaReader) texts(key string, to *[]string) {
	var all []*string
	r.read(key, &all, "a list of strings")
	for _, s := range all {
		if s != nil && strings.TrimSpace(*s) != "" {
			*to = append(*to, *s)
		}
	}
}

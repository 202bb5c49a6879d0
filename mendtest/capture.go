package mendtest

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
)

// Capture is what one installed tool showed: a recording that [Replay] plays.
// Its JSON form is the format of recording files.
type Capture struct {
	Tool    string `json:"tool"`              // name of the program
	Version string `json:"version,omitempty"` // what {version} stands for
	Dir     string `json:"dir,omitempty"`     // what {install_dir} stands for
	Install string `json:"install,omitempty"` // why the install failed; "" if it did not
	Runs    []Run  `json:"runs"`
}

// Run is one recorded run of a program.
type Run struct {
	Argv      []string      `json:"argv"`
	ExitCode  int           `json:"exit_code"`
	Signal    string        `json:"signal,omitempty"`
	TimedOut  bool          `json:"timed_out,omitempty"`
	Stdout    string        `json:"stdout,omitempty"` // bytes that are no UTF-8 do not survive the file
	Stderr    string        `json:"stderr,omitempty"`
	Truncated bool          `json:"truncated,omitempty"`
	Duration  time.Duration `json:"duration_ns,omitempty"`
}

// RunOf returns the recording of an observation.
func RunOf(o mend.Observation) Run { return Run(o) }

// Observation returns what the run showed.
func (r Run) Observation() mend.Observation { return mend.Observation(r) }

// find returns the run of argv.
func (c *Capture) find(argv []string) (Run, bool) {
	i := slices.IndexFunc(c.Runs, func(r Run) bool { return slices.Equal(r.Argv, argv) })
	if i < 0 {
		return Run{}, false
	}
	return c.Runs[i], true
}

// ReadCaptures reads captures, one JSON object behind the other, until the end.
// An unknown key is an error, and so is a run without a program.
func ReadCaptures(r io.Reader) ([]*Capture, error) {
	dec := json.NewDecoder(r)
	dec.DisallowUnknownFields()
	var captures []*Capture
	for {
		c := new(Capture)
		if err := dec.Decode(c); err == io.EOF {
			return captures, nil
		} else if err != nil {
			return nil, fmt.Errorf("capture %d: %w", len(captures), err)
		}
		for i, run := range c.Runs {
			if len(run.Argv) == 0 {
				return nil, fmt.Errorf("capture %d (%s): run %d has no argv", len(captures), c.Tool, i)
			}
		}
		captures = append(captures, c)
	}
}

// WriteCaptures writes captures as [ReadCaptures] reads them, one a line.
func WriteCaptures(w io.Writer, captures []*Capture) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, c := range captures {
		if err := enc.Encode(c); err != nil {
			return err
		}
	}
	return nil
}

// NotRecordedError reports that a program was run of which no recording tells.
type NotRecordedError struct{ Argv []string }

// Error names the command line.
func (e *NotRecordedError) Error() string {
	return fmt.Sprintf("no recording of %q", strings.Join(e.Argv, " "))
}

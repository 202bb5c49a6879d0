package fleet

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/mendkit/mend"
)

// DeadLetter is a job without a result, and all that went wrong with it. It is what
// [Fleet.Collect] yields as the error, and what stands under the subject
// mend.FLEET.dead.KEY until [Fleet.Requeue] takes it.
type DeadLetter struct {
	Job

	Reason string    `json:"reason"` // why it is not tried again
	Tries  []Try     `json:"tries"`  // that failed, in order; the last ones, if there were many
	Lost   int       `json:"lost"`   // tries that nobody told the end of: the process or the machine was gone
	Time   time.Time `json:"time"`
	Worker string    `json:"worker"` // that wrote the letter
}

// Error names the package, why it is not tried again, and the last thing that went wrong.
func (d *DeadLetter) Error() string {
	s := fmt.Sprintf("%s: %s", d.Package, d.Reason)
	if n := len(d.Tries); n > 0 {
		s += ": " + d.Tries[n-1].Error
	}
	return s
}

// jobOfLetter returns the job of a dead letter that came under a subject, and reports
// whether there is one: what could not be read has none, and others may write there, too.
func jobOfLetter(subject string, data []byte) (Job, bool) {
	var d DeadLetter
	err := json.Unmarshal(data, &d)
	return d.Job, err == nil && d.Key == keyOf(subject) && d.Request() != (mend.BuildRequest{})
}

// Try is one time that a job was worked on without learning anything. Its text is
// sanitised.
type Try struct {
	Delivery int           `json:"delivery"` // from 1
	Worker   string        `json:"worker"`
	Time     time.Time     `json:"time"`
	Took     time.Duration `json:"took_ns"`
	Error    string        `json:"error"`           // one line
	Stack    string        `json:"stack,omitempty"` // of a panic
}

// outcome is what is written down once for each job: one of the two.
type outcome struct {
	Result *Result     `json:"result,omitempty"`
	Dead   *DeadLetter `json:"dead,omitempty"`

	revision uint64 // of the bucket's entry, if it was read
}

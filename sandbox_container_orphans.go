package mend

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	// ownerLabel is the label of every container that is started here, and says by
	// whom.
	ownerLabel = "mendkit.mend.owner"

	// containerLife is how long a container may live at most. It then ends by itself,
	// so that none stays for ever, whoever looks for it.
	containerLife = 24 * time.Hour

	// orphanAge is how old a container has to be to count as forgotten, if there is no
	// way to know whether its owner lives.
	orphanAge = containerLife + time.Hour
)

// owner is the process that a container belongs to.
type owner struct {
	since   time.Time // when the container was started
	machine string    // [machineID]; "" if it is not known
	pid     int
	start   string // [processStart]
}

// thisOwner returns what to label a container with that is started now.
func thisOwner() owner {
	return owner{time.Now(), machineID(), os.Getpid(), processStart(os.Getpid())}
}

// String returns the label's value, from which parseOwner makes the same again.
func (o owner) String() string {
	return fmt.Sprintf("1 %d %q %d %q", o.since.Unix(), o.machine, o.pid, o.start)
}

func parseOwner(label string) (o owner, err error) {
	var form int
	var since int64
	_, err = fmt.Sscanf(label, "%d %d %q %d %q", &form, &since, &o.machine, &o.pid, &o.start)
	if err == nil && form != 1 {
		err = fmt.Errorf("a label of form %d", form)
	}
	o.since = time.Unix(since, 0)
	return o, err
}

// isGone reports whether the owner certainly does not live any more. Whether one
// lives that belongs to another machine, or to another start of this one, cannot be
// known; then the container's age decides.
func (o owner) isGone(now time.Time) bool {
	if o.machine == "" || o.start == "" || o.machine != machineID() {
		return now.Sub(o.since) > orphanAge
	}
	return processStart(o.pid) != o.start
}

// removeOrphans removes the containers of processes like this one that ended without
// having closed them, and reports whether the engine works. An orphan that cannot be
// removed is left to the next process, and to the end of its own life.
func (e *engine) removeOrphans(ctx context.Context) error {
	out, err := e.call(ctx, "ps", "--all", "--quiet", "--no-trunc", "--filter", "label="+ownerLabel)
	if err != nil {
		return err
	}
	ids := strings.Fields(out)
	if len(ids) == 0 {
		return nil
	}
	// Some may have gone since then; those that are left are printed nevertheless.
	out, err = e.call(ctx, append([]string{"container", "inspect", "--format", `{{.Id}} {{index .Config.Labels ` + strconv.Quote(ownerLabel) + `}}`}, ids...)...)
	if ctx.Err() != nil {
		return err
	}
	var orphans []string
	for line := range strings.Lines(out) {
		id, label, _ := strings.Cut(strings.TrimSpace(line), " ")
		if o, err := parseOwner(label); err == nil && o.isGone(time.Now()) {
			orphans = append(orphans, id)
		}
	}
	if len(orphans) > 0 {
		_ = e.remove(ctx, orphans...)
	}
	return nil
}

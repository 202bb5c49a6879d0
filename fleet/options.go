package fleet

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"github.com/mendkit/mend"
	"github.com/nats-io/nats.go"
)

// Options configures a [Fleet]. A zero field means its default.
//
// What the streams are made with, which is Replicas and AckWait, counts for who opens a
// fleet first; the others take what is there.
type Options struct {
	// URL is the address of a server, or of several of a cluster, separated by commas.
	// "" means a server inside of this process.
	URL     string
	Connect []nats.Option // of the connection: credentials, TLS

	// Dir is where the server inside of this process keeps its store. A fleet that is
	// opened there again goes on where it was. "" means a temporary directory that
	// Close removes.
	Dir string

	// Listen is the address, host and port, on which the server inside of this process
	// takes in other machines; "" means that it does not. They open the fleet with the
	// URL nats://TOKEN@HOST:PORT. Nothing is encrypted on the way: across networks that
	// others can read, use a cluster with TLS.
	Listen string
	Token  string // what other machines have to show; it may be missing on a loopback address only

	// Replicas is on how many servers of a cluster each message is kept; 0 means 1, or 3
	// if Durable is set and there is a cluster. With 1, a server that is down takes its
	// streams with it until it is back.
	Replicas int

	// Durable makes what was acknowledged survive a power failure: the server inside of
	// this process syncs after each write, which costs a disk's round trip for each. On
	// a cluster that is the servers' to do, with sync_interval: always, and Durable
	// stands for three replicas.
	Durable bool

	Deliveries int           // so often a job is tried before it becomes a dead letter, 2 at least if the first one left no trace; 0 means 5
	AckWait    time.Duration // how long a worker may be silent before its job is given to another; 0 means 15 s, or 3 s if no other machine can join
	Backoff    time.Duration // before a job that failed is tried again, doubled each time up to 5 min; 0 means 1 s
	Timeout    time.Duration // of one job; 0 means 30 min

	// Inputs says what else a result depends on, such as the versions of the builder and
	// of its model. A request is another job for other inputs.
	Inputs string

	Worker    string          // this process's name in results and dead letters; "" means host, pid and a random part
	Sanitizer *mend.Sanitizer // of the text of errors; nil means the default one, with more room
}

func (o *Options) replicas() int {
	switch {
	case o.Replicas > 0:
		return o.Replicas
	case o.Durable && o.URL != "":
		return 3
	}
	return 1
}

func (o *Options) deliveries() int {
	if o.Deliveries <= 0 {
		return 5
	}
	return o.Deliveries
}

func (o *Options) ackWait() time.Duration {
	otherwise := 15 * time.Second
	if o.URL == "" && o.Listen == "" {
		otherwise = 3 * time.Second // nothing gets lost on the way, and a restart waits for it
	}
	return positive(o.AckWait, otherwise)
}

func (o *Options) timeout() time.Duration { return positive(o.Timeout, 30*time.Minute) }

func positive(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// maxBackoff bounds how long a job that failed has to wait.
const maxBackoff = 5 * time.Minute

// backoff returns how long a job waits that failed so often.
func (o *Options) backoff(failed int) time.Duration {
	d := positive(o.Backoff, time.Second)
	for ; failed > 1 && d < maxBackoff; failed-- {
		d *= 2
	}
	return min(d, maxBackoff)
}

// errorLength is how many runes of an error are kept. A dead letter has the whole failure,
// and maxTries of them, with their stacks, fit into a megabyte however they are written.
const errorLength = 8 << 10

// resolve replaces what has to stay the same while the fleet is open.
func (o *Options) resolve() {
	if o.Worker == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "host"
		}
		o.Worker = fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text()[:6])
	}
	o.Sanitizer = cmp.Or(o.Sanitizer, mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: errorLength}))
}

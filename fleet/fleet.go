package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Fleet is one process's part in a batch that many may work on. It is safe for
// concurrent use.
type Fleet struct {
	name   string
	opts   Options
	server *embedded // nil if there is a cluster
	conn   *nats.Conn
	js     jetstream.JetStream

	jobs     jetstream.Stream   // work queue; a job leaves it when its outcome is written
	workers  jetstream.Consumer // of jobs, shared by all processes
	outcomes jetstream.KeyValue // by job key, written once
	history  jetstream.Stream   // the one behind outcomes, in the order of writing
	dead     jetstream.Stream   // dead letters that wait for somebody
	state    jetstream.KeyValue // what is shared beside: the batch, failed tries, budgets, breakers

	closing context.Context // ends with Close
	stop    context.CancelFunc
	running sync.WaitGroup // goroutines that end with closing
}

// maxName bounds a fleet's name, in bytes.
const maxName = 64

// Open opens the fleet of that name, and makes it if there is none. The name may hold
// letters, digits, dashes and underscores. nil options are valid. The error is
// [ErrInUse] if another process has the directory open; ctx bounds the opening only.
func Open(ctx context.Context, name string, opts *Options) (*Fleet, error) {
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, func(c rune) bool { return !isKeyByte(c) }) {
		return nil, fmt.Errorf("fleet %q: the name needs 1 to %d letters, digits, dashes and underscores", name, maxName)
	}
	f := &Fleet{name: name}
	if opts != nil {
		f.opts = *opts
	}
	f.opts.resolve()
	f.closing, f.stop = context.WithCancel(context.Background())
	if err := f.open(ctx); err != nil {
		f.Close()
		return nil, fmt.Errorf("fleet %s: %w", name, err)
	}
	return f, nil
}

func (f *Fleet) open(ctx context.Context) (err error) {
	opts := []nats.Option{
		nats.Name("mend " + f.name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond),
		nats.PingInterval(10 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // which would print; our calls return errors of their own
	}
	if f.opts.URL == "" {
		if f.server, err = startEmbedded(&f.opts); err != nil {
			return err
		}
		opts = append(opts, f.server.connect(f.opts.Token)...)
	}
	if f.conn, err = nats.Connect(f.opts.URL, append(opts, f.opts.Connect...)...); err != nil {
		return err
	}
	if f.js, err = jetstream.New(f.conn, jetstream.WithPublishAsyncTimeout(callTime)); err != nil {
		return err
	}
	return f.prepare(ctx)
}

// subject returns the subject of what concerns a job.
func (f *Fleet) subject(what, key string) string { return "mend." + f.name + "." + what + "." + key }

// What stands in a subject.
const (
	subjectJob  = "job"
	subjectDead = "dead"
)

// prepare makes the streams that are not there yet.
func (f *Fleet) prepare(ctx context.Context) (err error) {
	replicas := f.opts.replicas()
	if f.jobs, err = f.stream(ctx, jetstream.StreamConfig{
		Name: f.name + "-jobs", Subjects: []string{f.subject(subjectJob, "*")}, Replicas: replicas,
		Retention: jetstream.WorkQueuePolicy,
		// A job that waits is refused, however long ago it was submitted.
		Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
	}); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if f.dead, err = f.stream(ctx, jetstream.StreamConfig{
		Name: f.name + "-dead", Subjects: []string{f.subject(subjectDead, "*")}, Replicas: replicas, MaxMsgsPerSubject: 1,
	}); err != nil {
		return fmt.Errorf("dead letters: %w", err)
	}
	if f.outcomes, err = f.bucket(ctx, f.name+"-outcomes", replicas); err != nil {
		return fmt.Errorf("outcomes: %w", err)
	}
	if f.state, err = f.bucket(ctx, f.name+"-state", replicas); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if f.history, err = again(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		return f.js.Stream(ctx, "KV_"+f.name+"-outcomes")
	}); err != nil {
		return fmt.Errorf("outcomes: %w", err)
	}
	f.workers, err = again(ctx, f.consumer)
	if err != nil {
		return fmt.Errorf("consumer: %w", err)
	}
	return nil
}

// stream returns the stream of that name, which is made unless there is one.
func (f *Fleet) stream(ctx context.Context, config jetstream.StreamConfig) (jetstream.Stream, error) {
	return again(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		s, err := f.js.CreateStream(ctx, config)
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return f.js.Stream(ctx, config.Name)
		}
		return s, err
	})
}

func (f *Fleet) bucket(ctx context.Context, name string, replicas int) (jetstream.KeyValue, error) {
	return again(ctx, func(ctx context.Context) (jetstream.KeyValue, error) {
		kv, err := f.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Replicas: replicas})
		if errors.Is(err, jetstream.ErrBucketExists) {
			return f.js.KeyValue(ctx, name)
		}
		return kv, err
	})
}

// consumer returns what hands the jobs out. It never gives a job up: a worker does, and
// writes down why.
func (f *Fleet) consumer(ctx context.Context) (jetstream.Consumer, error) {
	const name = "workers"
	c, err := f.jobs.CreateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: name, AckPolicy: jetstream.AckExplicitPolicy, AckWait: f.opts.ackWait(),
		MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: maxWaiting,
	})
	if errors.Is(err, jetstream.ErrConsumerExists) {
		return f.jobs.Consumer(ctx, name)
	}
	return c, err
}

// maxWaiting is how many workers of all machines may wait for a job.
const maxWaiting = 1 << 16

// Close leaves the fleet, and stops the server if it is inside of this process. What Run
// began should have ended before. Closing twice is not an error.
func (f *Fleet) Close() {
	f.stop()
	f.running.Wait()
	if f.conn != nil {
		f.conn.Close()
	}
	if f.server != nil {
		f.server.stop()
	}
}

// Remove closes the fleet and deletes all that it keeps, on all machines. Jobs that
// are being worked on end without an outcome.
func (f *Fleet) Remove(ctx context.Context) error {
	for _, name := range []string{f.name + "-jobs", f.name + "-dead", "KV_" + f.name + "-outcomes", "KV_" + f.name + "-state"} {
		_, err := again(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, f.js.DeleteStream(ctx, name) })
		if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("fleet %s: remove %s: %w", f.name, name, err)
		}
	}
	f.Close()
	return nil
}

// URL returns the address at which other machines find the server inside of this
// process, without the token, or [Options.URL]. It is "" if there is none.
func (f *Fleet) URL() string {
	switch {
	case f.server == nil:
		return f.opts.URL
	case f.opts.Listen == "":
		return ""
	}
	return f.server.server.ClientURL()
}

package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workFunc is a worker that is one function.
type workFunc func(ctx context.Context, job fleet.Job) (*fleet.Result, error)

func (f workFunc) Work(ctx context.Context, job fleet.Job) (*fleet.Result, error) { return f(ctx, job) }

// one returns the request for a package.
func one(names ...string) func(func(mend.BuildRequest) bool) {
	return func(yield func(mend.BuildRequest) bool) {
		for _, name := range names {
			if !yield(mend.BuildRequest{Package: name}) {
				return
			}
		}
	}
}

// secret looks like a credential, and is put together here so that none stands in the
// source.
var secret = "gh" + "p_" + strings.Repeat("a1B2", 9)

// TestPoisonBecomesADeadLetter has a row for each way not to return a result.
func TestPoisonBecomesADeadLetter(t *testing.T) {
	for name, tt := range map[string]struct {
		work   func(ctx context.Context) (*fleet.Result, error)
		reason string
		tries  int
		error  string // of each try
		stack  string
	}{
		"error": {
			work:   func(context.Context) (*fleet.Result, error) { return nil, errors.New("no\nroute to " + secret) },
			reason: "3 tries failed", tries: 3, error: "no route to [REDACTED]",
		},
		"panic": {
			work:   func(context.Context) (*fleet.Result, error) { panic("in the sandbox") },
			reason: "3 tries failed", tries: 3, error: "panic: in the sandbox", stack: "letters_test.go",
		},
		"end of the goroutine": {
			work:   func(context.Context) (*fleet.Result, error) { runtime.Goexit(); return nil, nil },
			reason: "3 tries failed", tries: 3, error: "the worker's goroutine was ended",
		},
		"nothing": {
			work:   func(context.Context) (*fleet.Result, error) { return nil, nil },
			reason: "3 tries failed", tries: 3, error: "the worker returned no result",
		},
		"too slow": {
			work: func(ctx context.Context) (*fleet.Result, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			},
			reason: "3 tries failed", tries: 3, error: "the job took too long: the job took too long",
		},
		"of no use to try again": {
			work:   func(context.Context) (*fleet.Result, error) { return nil, fmt.Errorf("%w: withdrawn", fleet.ErrFinal) },
			reason: "trying again is of no use", tries: 1, error: "trying again is of no use: withdrawn",
		},
		"a result that nobody can read": {
			work: func(context.Context) (*fleet.Result, error) {
				return &fleet.Result{Strength: mend.Strength(99)}, nil
			},
			reason: "trying again is of no use", tries: 1, error: `the result cannot be carried: no strength is called "Strength(99)"`,
		},
		"a recipe that would be another": {
			work:   func(context.Context) (*fleet.Result, error) { return &fleet.Result{Recipe: "\xff"}, nil },
			reason: "trying again is of no use", tries: 1, error: "the recipe is not UTF-8",
		},
		"a result that is too large": {
			work: func(context.Context) (*fleet.Result, error) {
				return &fleet.Result{Recipe: strings.Repeat("x", 9<<20)}, nil
			},
			reason: "trying again is of no use", tries: 1, error: "the result does not fit into a message of 8388608 bytes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, "batch", &fleet.Options{Deliveries: 3, Backoff: time.Millisecond, Timeout: 100 * time.Millisecond})
			l := newLedger()
			w := workFunc(func(ctx context.Context, job fleet.Job) (*fleet.Result, error) {
				if job.Package == "poison" {
					return tt.work(ctx)
				}
				return l.Work(ctx, job)
			})
			got := collect(t, f.CreateAll(within(t), w, one("frob-1", "poison", "frob-2"), 1))
			assert.Len(t, got.results, 2, "the others are not held up")
			letter := got.letters["poison"]
			require.NotNil(t, letter)
			assert.Equal(t, tt.reason, letter.Reason)
			require.Len(t, letter.Tries, tt.tries)
			for i, try := range letter.Tries {
				assert.Equal(t, i+1, try.Delivery)
				assert.Equal(t, tt.error, try.Error)
				assert.Contains(t, try.Stack, tt.stack)
				assert.Equal(t, letter.Worker, try.Worker)
			}
			assert.Zero(t, letter.Lost)
			assert.True(t, strings.HasPrefix(letter.Error(), "poison: "+tt.reason), letter.Error())
			s, err := f.Status(within(t))
			require.NoError(t, err)
			assert.Equal(t, fleet.Status{Finished: 3, Dead: 1}, s)
		})
	}
}

func TestDeadLetterIsPublishedWhole(t *testing.T) {
	f, _ := served(t, "batch", fleet.Options{Deliveries: 1})
	conn, err := nats.Connect(f.URL())
	require.NoError(t, err)
	defer conn.Close()
	letters := make(chan *nats.Msg, 1)
	_, err = conn.ChanSubscribe("mend.batch.dead.*", letters)
	require.NoError(t, err)
	require.NoError(t, conn.Flush())
	w := workFunc(func(context.Context, fleet.Job) (*fleet.Result, error) { return nil, errors.New("no sandbox today") })
	got := collect(t, f.CreateAll(within(t), w, one("poison"), 1))
	var letter fleet.DeadLetter
	m := receive(t, letters)
	require.NoError(t, json.Unmarshal(m.Data, &letter))
	assert.Equal(t, got.letters["poison"], &letter)
	assert.Equal(t, "mend.batch.dead."+letter.Key, m.Subject)
}

// TestLongFailuresFit has a job that fails at length, and servers that take short
// messages.
func TestLongFailuresFit(t *testing.T) {
	long := strings.Repeat("no route to the host\x01 ", 10_000)
	w := workFunc(func(context.Context, fleet.Job) (*fleet.Result, error) { return nil, errors.New(long) })
	for name, tt := range map[string]struct {
		opts  func(t *testing.T) *fleet.Options
		tries int
		error int // bytes, at least
	}{
		"as usual":  {func(*testing.T) *fleet.Options { return &fleet.Options{} }, 8, 8000},
		"too short": {func(t *testing.T) *fleet.Options { return &fleet.Options{URL: shortServer(t)} }, 1, 500},
	} {
		t.Run(name, func(t *testing.T) {
			opts := tt.opts(t)
			opts.Deliveries, opts.Backoff = 10, time.Millisecond
			letter := collect(t, open(t, "batch", opts).CreateAll(within(t), w, one("frob"), 1)).letters["frob"]
			require.NotNil(t, letter)
			require.Len(t, letter.Tries, tt.tries)
			assert.Equal(t, 10, letter.Tries[tt.tries-1].Delivery)
			assert.GreaterOrEqual(t, len(letter.Tries[0].Error), tt.error)
		})
	}
}

func TestRequeueTriesAgain(t *testing.T) {
	f := open(t, "batch", &fleet.Options{Deliveries: 2, Backoff: time.Millisecond})
	l, mended := newLedger(), false
	l.before = func(context.Context, fleet.Job) error {
		if mended {
			return nil
		}
		return errors.New("no compiler on this machine")
	}
	ctx := within(t)
	got := collect(t, f.CreateAll(ctx, l, requests(0, 5), 2))
	assert.Len(t, got.letters, 5)

	mended = true // nobody works at this time
	n, err := f.Requeue(ctx)
	require.NoError(t, err)
	assert.Equal(t, 5, n)
	s, err := f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, 5, s.Waiting)
	assert.Zero(t, s.Dead)
	got = collect(t, f.CreateAll(ctx, l, requests(0, 5), 2))
	assert.Empty(t, got.letters)
	assert.Len(t, got.results, 5)
	assert.Equal(t, 3, l.asked("frob-0"))
	assert.Equal(t, 1, got.results["frob-0"].Delivery, "its tries are counted anew")
	n, err = f.Requeue(ctx)
	require.NoError(t, err)
	assert.Zero(t, n)
}

// TestWhatDoesNotCount has a row for each reason to give a job back that is not held
// against it.
func TestWhatDoesNotCount(t *testing.T) {
	soon := func() error { return &mend.OutageError{RetryAt: time.Now()} }
	for name, err := range map[string]func() error{
		"an outage that will end": soon,
		"the same in a repair":    func() error { return fmt.Errorf("repair: %w", soon()) },
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, "batch", &fleet.Options{Deliveries: 2})
			l := newLedger()
			l.before = func(_ context.Context, job fleet.Job) error {
				if l.asked(job.Package) < 4 {
					return err()
				}
				return nil
			}
			got := collect(t, f.CreateAll(within(t), l, one("frob"), 1))
			assert.Empty(t, got.letters)
			require.NotNil(t, got.results["frob"])
			assert.GreaterOrEqual(t, got.results["frob"].Delivery, 4)
		})
	}
}

func TestMachineWithoutASandboxGivesItsJobsBack(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{Deliveries: 1})
	ctx := within(t)
	_, err := f.Submit(ctx, requests(0, 5))
	require.NoError(t, err)
	without := mend.New(mend.SandboxFunc(func(context.Context, *mend.Recipe) (mend.Observation, error) {
		return mend.Observation{}, mend.ErrSandboxUnavailable
	}), nil)
	err = open(t, "batch", joined).Run(ctx, fleet.NewWorker(without, builder(), nil), 3)
	assert.ErrorIs(t, err, mend.ErrSandboxUnavailable)
	run(t, f, newLedger(), 1)
	got := collect(t, f.Collect(ctx))
	assert.Empty(t, got.letters)
	sameAsOnce(t, got.results, requests(0, 5))
}

// TestDeliveryThatCameToNobodyIsNoTry takes a job from the queue and does nothing with it,
// as a process does that is being stopped.
func TestDeliveryThatCameToNobodyIsNoTry(t *testing.T) {
	f, _ := served(t, "batch", fleet.Options{Deliveries: 1, AckWait: time.Second})
	ctx := within(t)
	_, err := f.Submit(ctx, one("frob"))
	require.NoError(t, err)
	conn, err := nats.Connect(f.URL())
	require.NoError(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	queue, err := js.Consumer(ctx, "batch-jobs", "workers")
	require.NoError(t, err)
	_, err = queue.Next()
	require.NoError(t, err)
	l := newLedger()
	run(t, f, l, 1)
	got := collect(t, f.Collect(ctx))
	require.NotNil(t, got.results["frob"], "%v", got.letters["frob"])
	assert.Equal(t, 2, got.results["frob"].Delivery)
	assert.Equal(t, 1, l.asked("frob"))
}

func TestUnreadableJobIsADeadLetter(t *testing.T) {
	f, _ := served(t, "batch", fleet.Options{})
	ctx := within(t)
	_, err := f.Submit(ctx, requests(0, 1))
	require.NoError(t, err)
	conn, err := nats.Connect(f.URL())
	require.NoError(t, err)
	defer conn.Close()
	long := strings.Repeat("x", 200)
	for key, data := range map[string]string{"a": "frob", "b": `{"key":"c","package":"frob"}`, "we!rd": `{"key":"we!rd","package":"frob"}`, long: "{}"} {
		_, err = conn.Request("mend.batch.job."+key, []byte(data), enough)
		require.NoError(t, err)
	}
	run(t, f, newLedger(), 1)
	var reasons []string
	for r, err := range f.Collect(ctx) {
		var letter *fleet.DeadLetter
		if errors.As(err, &letter) {
			reasons = append(reasons, letter.Key+": "+letter.Reason)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "frob-0", r.Package)
	}
	slices.Sort(reasons)
	require.Len(t, reasons, 4)
	assert.Equal(t, []string{
		"a: unreadable job: invalid character 'r' in literal false (expecting 'a')",
		`b: unreadable job: its key is "c"`,
	}, reasons[:2])
	assert.Regexp(t, `^unreadable-[0-9a-f]{32}: unreadable job: its key is ""$`, reasons[2])
	assert.Regexp(t, `^unreadable-[0-9a-f]{32}: unreadable job: its key is "we!rd"$`, reasons[3])

	_, err = conn.Request("mend.batch.dead.nobody", []byte("no letter"), enough)
	require.NoError(t, err)
	n, err := f.Requeue(ctx)
	require.NoError(t, err)
	assert.Zero(t, n, "there is nothing to try again")
	s, err := f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleet.Status{Finished: 5, Dead: 5}, s)
}

// TestFinishedJobIsNotWorkedOnAgain puts a job into the queue past all that refuses a
// second one, as if it was submitted again a day later.
func TestFinishedJobIsNotWorkedOnAgain(t *testing.T) {
	f, _ := served(t, "batch", fleet.Options{Deliveries: 1})
	ctx := within(t)
	l := newLedger()
	l.before = func(_ context.Context, job fleet.Job) error {
		if job.Package == "poison" {
			return fleet.ErrFinal
		}
		return nil
	}
	first := collect(t, f.CreateAll(ctx, l, one("frob", "poison"), 1))
	conn, err := nats.Connect(f.URL())
	require.NoError(t, err)
	defer conn.Close()
	for _, name := range []string{"frob", "poison"} {
		job := fleet.NewJob(mend.BuildRequest{Package: name}, "")
		data, err := json.Marshal(job)
		require.NoError(t, err)
		_, err = conn.Request("mend.batch.job."+job.Key, data, enough)
		require.NoError(t, err)
	}
	s, err := f.Status(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, s.Waiting)
	assert.Equal(t, first, collect(t, f.CreateAll(ctx, l, one(), 1)))
	assert.Equal(t, 1, l.asked("frob"))
	assert.Equal(t, 1, l.asked("poison"))
	s, err = f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleet.Status{Finished: 2, Dead: 1}, s)
}

// TestDeadLetterOfAManyTimesTriedJob mixes all that may happen to a job, and counts.
func TestDeadLetterOfAManyTimesTriedJob(t *testing.T) {
	f := open(t, "batch", &fleet.Options{Deliveries: 3, Backoff: time.Millisecond})
	ctx := within(t)
	_, err := f.Submit(ctx, one("frob"))
	require.NoError(t, err)
	failed := errors.New("failed")
	steps := []error{failed, nil, failed, nil, nil, failed} // nil: the worker is stopped meanwhile
	stopping := make(chan struct{})
	w := workFunc(func(ctx context.Context, _ fleet.Job) (*fleet.Result, error) {
		step := steps[0]
		steps = steps[1:]
		if step == nil {
			stopping <- struct{}{}
			<-ctx.Done()
		}
		return nil, step
	})
	for range 3 {
		stop := run(t, f, w, 1)
		receive(t, stopping)
		require.NoError(t, stop())
	}
	got := collect(t, f.CreateAll(ctx, w, one(), 1))
	require.NotNil(t, got.letters["frob"])
	assert.Equal(t, "3 tries failed", got.letters["frob"].Reason)
	assert.Zero(t, got.letters["frob"].Lost)
	var deliveries []int
	for _, try := range got.letters["frob"].Tries {
		deliveries = append(deliveries, try.Delivery)
	}
	assert.Equal(t, []int{1, 3, 6}, deliveries)
}

// TestHeartbeatsKeepASlowJob counts heartbeats for longer than the server waits without
// one, while another worker would take the job.
func TestHeartbeatsKeepASlowJob(t *testing.T) {
	const wait = time.Second
	f, joined := served(t, "batch", fleet.Options{AckWait: wait, Timeout: enough / 2})
	conn, err := nats.Connect(f.URL())
	require.NoError(t, err)
	defer conn.Close()
	beats := make(chan time.Time, 100)
	_, err = conn.Subscribe("$JS.ACK.>", func(m *nats.Msg) {
		if string(m.Data) == "+WPI" {
			beats <- time.Now()
		}
	})
	require.NoError(t, err)
	require.NoError(t, conn.Flush())
	l := newLedger()
	l.before = func(ctx context.Context, _ fleet.Job) error {
		var first time.Time
		for {
			select {
			case beat := <-beats:
				if first.IsZero() {
					first = beat
				}
				if beat.Sub(first) > 2*wait {
					return nil
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	run(t, open(t, "batch", joined), l, 1)
	got := collect(t, f.CreateAll(within(t), l, one("frob"), 1))
	assert.Equal(t, 1, got.results["frob"].Delivery)
	assert.Equal(t, 1, l.asked("frob"))
}

// TestSecondDeliveryChangesNothing has a worker that is held for dead while another one
// does its job.
func TestSecondDeliveryChangesNothing(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{AckWait: 100 * time.Millisecond, Timeout: time.Millisecond})
	begun, release, late := make(chan struct{}), make(chan struct{}), make(chan struct{})
	slow := workFunc(func(_ context.Context, job fleet.Job) (*fleet.Result, error) {
		close(begun)
		<-release // its time is over, so there is no heartbeat
		defer close(late)
		return &fleet.Result{Recipe: "the late one"}, nil
	})
	ctx := within(t)
	_, err := f.Submit(ctx, one("frob"))
	require.NoError(t, err)
	stop := run(t, f, slow, 1)
	receive(t, begun)
	joined.Timeout = enough
	run(t, open(t, "batch", joined), newLedger(), 1)
	got := collect(t, f.Collect(ctx))
	assert.Equal(t, 2, got.results["frob"].Delivery)
	close(release)
	receive(t, late)
	require.NoError(t, stop())
	assert.Equal(t, got, collect(t, f.Collect(ctx)))
}

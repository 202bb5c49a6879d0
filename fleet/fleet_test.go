package fleet_test

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBatchIsAsIfEachRecipeWasDoneOnce(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{})
	others := newLedger()
	for range 2 { // of other processes, as far as the server can tell
		run(t, open(t, "batch", joined), others, 2)
	}
	mine := newLedger()
	got := collect(t, f.CreateAll(within(t), mine, requests(0, 100), 2))
	assert.Empty(t, got.letters)
	sameAsOnce(t, got.results, requests(0, 100))
	for name, r := range got.results {
		assert.Equal(t, 1, mine.asked(name)+others.asked(name), name)
		assert.Equal(t, 1, r.Delivery)
		assert.Equal(t, mend.MethodDocumentedVersion, r.Repair.Method)
	}
}

func TestCollectYieldsAllOutcomesEachTime(t *testing.T) {
	f := open(t, "batch", nil)
	_, err := f.Submit(within(t), requests(0, 10))
	require.NoError(t, err)
	run(t, f, newLedger(), 2)
	first := collect(t, f.Collect(within(t)))
	assert.Len(t, first.results, 10)
	assert.Equal(t, first, collect(t, f.Collect(within(t))))
}

func TestEmptyBatchIsComplete(t *testing.T) {
	f := open(t, "batch", nil)
	got := collect(t, f.CreateAll(within(t), newLedger(), requests(0, 0), 1))
	assert.Empty(t, got.results)
}

func TestCollectWaitsForASubmission(t *testing.T) {
	f := open(t, "batch", nil)
	run(t, f, newLedger(), 1)
	part := func(yield func(mend.BuildRequest) bool) {
		for req := range requests(0, 600) { // more than are under way to the server at a time
			if !yield(req) {
				return
			}
		}
		panic("the list cannot be read to its end")
	}
	assert.Panics(t, func() { _, _ = f.Submit(within(t), part) })
	ctx, cancel := context.WithCancelCause(within(t))
	defer cancel(nil)
	n, last := 0, error(nil)
	for _, err := range f.Collect(ctx) {
		if last = err; err == nil {
			n++
		}
		if n == 512 { // no more come, but it cannot know
			cancel(errors.New("waited long enough"))
		}
	}
	assert.EqualError(t, last, "fleet batch: collect: waited long enough")
	assert.GreaterOrEqual(t, n, 512)
	got := collect(t, f.CreateAll(within(t), newLedger(), requests(0, 600), 0))
	assert.Len(t, got.results, 600, "the rest of a list can be submitted later")
}

func TestDuplicatesAreDropped(t *testing.T) {
	f := open(t, "batch", nil)
	done, err := f.Submit(within(t), requests(0, 20))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Queued: 20}, done)
	done, err = f.Submit(within(t), requests(10, 20))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Queued: 10, Known: 10}, done)
	l := newLedger()
	run(t, f, l, 4)
	got := collect(t, f.Collect(within(t)))
	assert.Len(t, got.results, 30)
	for name := range got.results {
		assert.Equal(t, 1, l.asked(name), name)
	}
	done, err = f.Submit(within(t), requests(0, 30))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Known: 30}, done, "also when they are done")
}

func TestStatusCountsTheJobs(t *testing.T) {
	f := open(t, "batch", nil)
	ctx := within(t)
	_, err := f.Submit(ctx, requests(0, 5))
	require.NoError(t, err)
	s, err := f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleet.Status{Waiting: 5}, s)

	l, begun, release := newLedger(), make(chan struct{}, 5), make(chan struct{})
	l.before = func(_ context.Context, job fleet.Job) error {
		begun <- struct{}{}
		<-release
		if job.Package == "frob-4" {
			return fleet.ErrFinal
		}
		return nil
	}
	run(t, f, l, 2)
	receive(t, begun)
	receive(t, begun)
	s, err = f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleet.Status{Waiting: 3, Working: 2}, s)
	close(release)
	collect(t, f.Collect(ctx))
	s, err = f.Status(ctx)
	require.NoError(t, err)
	assert.Equal(t, fleet.Status{Finished: 5, Dead: 1}, s)
}

func TestCancelStopsAtOnceAndDeliversWhatIsFinished(t *testing.T) {
	f := open(t, "batch", nil)
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(within(t))
	defer cancel(nil)
	l := newLedger()
	l.before = func(work context.Context, job fleet.Job) error {
		if job.Package != "frob-7" {
			return nil
		}
		cancel(stopped) // while others are at work
		<-work.Done()
		return context.Cause(work)
	}
	finished := make(map[string]bool)
	var last error
	for r, err := range f.CreateAll(ctx, l, requests(0, 1000), 2) {
		last = err
		if r != nil {
			finished[r.Package] = true
		}
	}
	assert.ErrorIs(t, last, stopped)
	assert.GreaterOrEqual(t, len(finished), 6)
	assert.Less(t, len(finished), 1000)
	assert.NotContains(t, finished, "frob-7")
	s, err := f.Status(within(t))
	require.NoError(t, err)
	assert.Len(t, finished, s.Finished)

	l.before = nil
	got := collect(t, f.CreateAll(within(t), l, requests(0, 1000), 4))
	sameAsOnce(t, got.results, requests(0, 1000))
	for name := range got.results {
		want := 1
		if name == "frob-7" || !finished[name] && l.asked(name) == 2 {
			want = 2 // it was given back
		}
		assert.Equal(t, want, l.asked(name), name)
	}
}

func TestLeavingTheLoopEndsTheWork(t *testing.T) {
	f := open(t, "batch", nil)
	l := newLedger()
	for range f.CreateAll(within(t), l, requests(0, 1000), 2) {
		break
	}
	assert.Less(t, len(l.work), 1000) // no race: nobody works any more
}

func TestCreateAllDoesNotWaitForItsRequests(t *testing.T) {
	f := open(t, "batch", nil)
	ctx, cancel := context.WithCancelCause(within(t))
	enough := errors.New("enough")
	defer cancel(nil)
	written, left := make(chan struct{}), make(chan bool, 1)
	list := func(yield func(mend.BuildRequest) bool) {
		cancel(enough) // while the list is still being written
		<-written
		left <- !yield(mend.BuildRequest{Package: "frob"})
	}
	var last error
	for _, err := range f.CreateAll(ctx, newLedger(), list, 2) {
		last = err
	}
	assert.ErrorIs(t, last, enough)
	close(written)
	assert.True(t, receive(t, left))
}

func TestCreateAllPassesAPanicOfItsRequestsOn(t *testing.T) {
	f := open(t, "batch", nil)
	assert.PanicsWithValue(t, "the list cannot be read", func() {
		for range f.CreateAll(within(t), newLedger(), func(func(mend.BuildRequest) bool) { panic("the list cannot be read") }, 1) {
		}
	})
}

func TestCreateAllEndsWhenItsRequestsBreakOff(t *testing.T) {
	f := open(t, "batch", nil)
	var last error
	for _, err := range f.CreateAll(within(t), newLedger(), func(func(mend.BuildRequest) bool) { runtime.Goexit() }, 1) {
		last = err
	}
	assert.EqualError(t, last, "the list of requests broke off")
}

func TestRestartResumesWithoutRepeatingWhatIsFinished(t *testing.T) {
	opts := &fleet.Options{Dir: filepath.Join(t.TempDir(), "store"), Durable: true}
	f := open(t, "batch", opts)
	l := newLedger()
	n := 0
	for _, err := range f.CreateAll(within(t), l, requests(0, 200), 2) {
		require.NoError(t, err)
		if n++; n == 50 {
			break
		}
	}
	f.Close()
	before := l
	f = open(t, "batch", opts)
	l = newLedger()
	got := collect(t, f.CreateAll(within(t), l, requests(0, 200), 2))
	sameAsOnce(t, got.results, requests(0, 200))
	repeated := 0
	for name := range got.results {
		if before.asked(name)+l.asked(name) > 1 {
			repeated++
		}
	}
	assert.LessOrEqual(t, repeated, 2, "no more than what was being worked on")
	assert.LessOrEqual(t, len(l.work), 152)
}

func TestInputsMakeAnotherJob(t *testing.T) {
	req := mend.BuildRequest{Package: "libFrob++/2 ünd.x", Version: "1"}
	job := fleet.NewJob(req, "builder 1")
	assert.Equal(t, req, job.Request())
	assert.Regexp(t, `^libFrob___2__nd_x-[0-9a-f]{32}$`, job.Key)
	assert.Equal(t, job, fleet.NewJob(req, "builder 1"))
	for _, other := range []fleet.Job{
		fleet.NewJob(req, "builder 2"),
		fleet.NewJob(mend.BuildRequest{Package: req.Package, Source: "1"}, "builder 1"),
		fleet.NewJob(mend.BuildRequest{Package: req.Package + "1"}, "builder 1"),
	} {
		assert.NotEqual(t, job.Key, other.Key)
	}
}

func TestSubmitRefusesWhatCannotBeCarried(t *testing.T) {
	f := open(t, "batch", nil)
	for name, tt := range map[string]struct {
		req mend.BuildRequest
		err string
	}{
		"no UTF-8": {mend.BuildRequest{Package: "frob", Source: "\xff"}, `fleet batch: submit: request "frob": not UTF-8`},
		"too long": {mend.BuildRequest{Package: "frob", Source: strings.Repeat("x", 200<<10)}, "is the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := f.Submit(within(t), func(yield func(mend.BuildRequest) bool) { yield(tt.req) })
			assert.ErrorContains(t, err, tt.err)
		})
	}
}

func TestSubmitNamesWhatTheServersRefuse(t *testing.T) {
	f := open(t, "batch", &fleet.Options{URL: shortServer(t)})
	long := mend.BuildRequest{Package: "frob", Source: strings.Repeat("x", 20<<10)}
	_, err := f.Submit(within(t), func(yield func(mend.BuildRequest) bool) { yield(long) })
	assert.EqualError(t, err, `fleet batch: submit: request "frob": nats: maximum payload exceeded`)
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	open(t, "batch", &fleet.Options{Dir: dir})
	for name, tt := range map[string]struct {
		fleet string
		opts  fleet.Options
		err   string
	}{
		"no name":               {"", fleet.Options{}, `fleet "": the name needs 1 to 64 letters`},
		"a name with a dot":     {"a.b", fleet.Options{}, "the name needs"},
		"a long name":           {strings.Repeat("x", 65), fleet.Options{}, "the name needs"},
		"a directory in use":    {"batch", fleet.Options{Dir: dir}, fleet.ErrInUse.Error()},
		"no address":            {"batch", fleet.Options{Listen: "frob"}, `listen on "frob"`},
		"no port":               {"batch", fleet.Options{Listen: "127.0.0.1:frob"}, "no port"},
		"everybody":             {"batch", fleet.Options{Listen: "0.0.0.0:0"}, "without a token"},
		"everybody, by default": {"batch", fleet.Options{Listen: ":0"}, "without a token"},
		"nobody there":          {"batch", fleet.Options{URL: "nats://127.0.0.1:1"}, "no servers available"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fleet.Open(within(t), tt.fleet, &tt.opts)
			assert.ErrorContains(t, err, tt.err)
		})
	}
}

func TestTokenIsAskedFor(t *testing.T) {
	f := open(t, "batch", &fleet.Options{Listen: "0.0.0.0:0", Token: "sesame"})
	_, port, found := strings.Cut(strings.TrimPrefix(f.URL(), "nats://"), ":")
	require.True(t, found, f.URL())
	_, err := fleet.Open(within(t), "batch", &fleet.Options{URL: "nats://127.0.0.1:" + port})
	assert.ErrorContains(t, err, "Authorization Violation")
	open(t, "batch", &fleet.Options{URL: "nats://sesame@127.0.0.1:" + port})
}

func TestRemoveLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f := open(t, "batch", &fleet.Options{Dir: dir})
	collect(t, f.CreateAll(within(t), newLedger(), requests(0, 5), 1))
	require.NoError(t, f.Remove(within(t)))
	l := newLedger()
	collect(t, open(t, "batch", &fleet.Options{Dir: dir}).CreateAll(within(t), l, requests(0, 5), 1))
	assert.Equal(t, 1, l.asked("frob-0"), "it is another batch")
}

func TestRunEndsWhenTheFleetIsRemoved(t *testing.T) {
	f, joined := served(t, "batch", fleet.Options{})
	other := open(t, "batch", joined)
	ended := make(chan error, 1)
	go func() { ended <- other.Run(within(t), newLedger(), 1) }()
	collect(t, f.CreateAll(within(t), newLedger(), requests(0, 3), 0)) // the other one works
	require.NoError(t, f.Remove(within(t)))
	assert.ErrorContains(t, receive(t, ended), "fleet batch: run")
}

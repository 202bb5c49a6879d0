package mend_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostlyPassing returns a builder whose recipes pass, but for one of twenty, which has
// to be mended. With cheap recipes the batch itself is what is measured.
func mostlyPassing() (mend.Sandbox, mend.Builder) {
	knows := &mendtest.Capture{Tool: "knows", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"knows", "--version"}, 0, "knows 1.2.3\n", ""),
	}}
	n := new(atomic.Int64)
	builder := mend.BuildFunc("mostly passing", func(context.Context, mend.BuildRequest) (*mend.Recipe, error) {
		if n.Add(1)%20 == 0 {
			return naive("frob"), nil
		}
		return naive("knows"), nil
	})
	return mendtest.NewReplay(frob(), knows), builder
}

// TestCreateAllInBoundedMemory goes through 100,000 requests, and holds what is alive
// near the end against what is near the beginning.
func TestCreateAllInBoundedMemory(t *testing.T) {
	const (
		first, last = 10_000, 100_000
		growth      = 8 << 20 // bytes; 90 for each request, where a result has thousands
	)
	sandbox, builder := mostlyPassing()
	var taken atomic.Int64
	seen, mended := 0, 0
	var before, after uint64
	for res, err := range mend.New(sandbox, nil).CreateAll(t.Context(), builder, requests(last, &taken), 4) {
		require.NoError(t, err)
		if res.RepairMetadata != nil {
			mended++
		}
		switch seen++; seen {
		case first:
			before = alive()
			assert.LessOrEqual(t, taken.Load(), int64(first+20), "requests are not taken ahead")
		case last - 10:
			after = alive()
		}
	}
	assert.Equal(t, last, seen)
	assert.Equal(t, last/20, mended)
	t.Logf("alive after %d: %d KB, after %d: %d KB", first, before>>10, last-10, after>>10)
	assert.Less(t, after, before+growth)
}

// alive returns the bytes on the heap that are in use.
func alive() uint64 {
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestCreateAllDeliversWhateverIsFinished ends batches at any moment, and counts what the
// loop reported as passed before.
func TestCreateAllDeliversWhateverIsFinished(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			end := time.Now().Add(time.Duration(r.IntN(3000)) * time.Millisecond)
			ctx, cancel := context.WithDeadline(t.Context(), end)
			defer cancel()
			slow := sandboxOf(func(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
				select {
				case <-time.After(rand.N(100 * time.Millisecond)):
					return mend.Observation{Argv: cmd.Argv, Stdout: "frob 1\n"}, nil
				case <-ctx.Done():
					return mend.Observation{}, context.Cause(ctx)
				}
			})
			recipe := naive("frob")
			recipe.Verify.Pattern = "frob 1"
			var passed atomic.Int64
			o := mend.New(slow, &mend.Options{Observer: func(_ context.Context, e mend.Event) {
				if e.Kind == mend.EventValidationResult && e.Success {
					passed.Add(1)
				}
			}})
			var taken atomic.Int64
			finished := int64(0)
			for res, err := range o.CreateAll(ctx, mend.StaticBuilder(recipe), requests(1_000_000, &taken), 1+r.IntN(20)) {
				if err == nil {
					require.NotNil(t, res)
					finished++
				}
			}
			assert.Equal(t, passed.Load(), finished)
			assert.Equal(t, end, time.Now(), "it stops at once")
		})
	}
}

// TestCreateAllDoesNotWaitForItsRequests has a list that is still being written when the
// batch ends.
func TestCreateAllDoesNotWaitForItsRequests(t *testing.T) {
	for name, end := range map[string]func(cancel context.CancelCauseFunc) (goOn bool){
		"cancelled": func(cancel context.CancelCauseFunc) bool { cancel(errors.New("enough")); return true },
		"left":      func(context.CancelCauseFunc) bool { return false },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				written, asked := make(chan struct{}), false
				list := func(yield func(mend.BuildRequest) bool) {
					if yield(mend.BuildRequest{Package: "frob"}) {
						<-written
						asked = yield(mend.BuildRequest{Package: "frob"})
					}
				}
				finished := 0
				for _, err := range mend.New(mendtest.NewReplay(frob()), nil).CreateAll(ctx, mend.StaticBuilder(naive("frob")), list, 2) {
					if err == nil {
						finished++
					}
					if !end(cancel) {
						break
					}
				}
				assert.Equal(t, 1, finished)
				close(written)
				synctest.Wait()
				assert.False(t, asked, "it is not asked for another one")
			})
		})
	}
}

func TestCreateAllPassesAPanicOfItsRequestsOn(t *testing.T) {
	list := func(yield func(mend.BuildRequest) bool) {
		if yield(mend.BuildRequest{Package: "frob"}) {
			panic("the list cannot be read")
		}
	}
	finished := 0
	assert.PanicsWithValue(t, "the list cannot be read", func() {
		for range mend.New(mendtest.NewReplay(frob()), nil).CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), list, 2) {
			finished++
		}
	})
	assert.Equal(t, 1, finished, "what was under way is delivered before")
}

// TestCreateAllTellsOfRequestsThatBreakOff, as those of a test do that fails.
func TestCreateAllTellsOfRequestsThatBreakOff(t *testing.T) {
	list := func(yield func(mend.BuildRequest) bool) {
		yield(mend.BuildRequest{Package: "frob"})
		runtime.Goexit()
	}
	finished := 0
	var last error
	for _, err := range mend.New(mendtest.NewReplay(frob()), nil).CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), list, 2) {
		if last = err; err == nil {
			finished++
		}
	}
	assert.Equal(t, 1, finished)
	assert.EqualError(t, last, "the requests: its goroutine was ended")
}

// BenchmarkCreateAllOverhead is what a recipe costs whose check passes, where programs
// take no time: beside Create, what the batch adds.
func BenchmarkCreateAllOverhead(b *testing.B) {
	sandbox := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		played([]string{"frob", "--version"}, 0, "frob 1.2.3\n", ""),
	}})
	o, builder := mend.New(sandbox, nil), mend.StaticBuilder(naive("frob"))
	b.Run("Create", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := o.Create(b.Context(), builder, mend.BuildRequest{Package: "frob"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, workers := range []int{1, 4, 64} {
		b.Run(fmt.Sprintf("CreateAll/workers=%d", workers), func(b *testing.B) {
			var taken atomic.Int64
			b.ReportAllocs()
			for _, err := range o.CreateAll(b.Context(), builder, requests(b.N, &taken), workers) {
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

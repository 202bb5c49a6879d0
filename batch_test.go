package mend_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requests yields n requests, and counts how many were taken.
func requests(n int, taken *atomic.Int64) iter.Seq[mend.BuildRequest] {
	return func(yield func(mend.BuildRequest) bool) {
		for i := range n {
			taken.Add(1)
			if !yield(mend.BuildRequest{Package: fmt.Sprintf("frob-%d", i)}) {
				return
			}
		}
	}
}

func TestCreateAllYieldsEveryRequestOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 50} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			var taken atomic.Int64
			o := mend.New(mendtest.NewReplay(frob()), nil)
			var got []string
			for res, err := range o.CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), requests(40, &taken), workers) {
				require.NoError(t, err)
				assert.Equal(t, mend.StrengthVersion, res.Strength)
				got = append(got, res.Request.Package)
			}
			slices.Sort(got)
			assert.Len(t, slices.Compact(got), 40)
		})
	}
}

func TestCreateAllKeepsFailuresApart(t *testing.T) {
	boom := errors.New("boom")
	b := mend.BuildFunc("fickle", func(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
		switch req.Package {
		case "frob-1":
			panic(boom)
		case "frob-2":
			return nil, boom
		case "frob-3":
			panic("words")
		case "frob-4", "frob-5":
			runtime.Goexit()
		}
		return naive("frob"), nil
	})
	var taken atomic.Int64
	o := mend.New(mendtest.NewReplay(frob()), nil)
	failed := make(map[string]error)
	good := 0
	for res, err := range o.CreateAll(t.Context(), b, requests(8, &taken), 2) {
		if err == nil {
			good++
			continue
		}
		assert.Nil(t, res)
		var re *mend.RequestError
		require.ErrorAs(t, err, &re)
		failed[re.Request.Package] = err
	}
	assert.Equal(t, 3, good)
	require.Len(t, failed, 5)
	var p *mend.PanicError
	assert.ErrorAs(t, failed["frob-1"], &p)
	assert.ErrorIs(t, failed["frob-1"], boom)
	assert.ErrorIs(t, failed["frob-2"], boom)
	assert.EqualError(t, failed["frob-3"], "frob-3: panic: words")
	assert.EqualError(t, failed["frob-4"], "frob-4: its goroutine was ended")
	assert.EqualError(t, failed["frob-5"], "frob-5: its goroutine was ended", "both workers were replaced")
}

func TestCreateAllStopsWhenTheLoopIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine stays behind
		var taken atomic.Int64
		o := mend.New(mendtest.NewReplay(frob()), nil)
		seen := 0
		for range o.CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), requests(100000, &taken), 3) {
			if seen++; seen == 5 {
				break
			}
		}
		assert.Less(t, taken.Load(), int64(50), "requests are taken as workers get free")
	})
}

func TestCreateAllEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		slow := sandboxOf(func(ctx context.Context, cmd mend.Command) (mend.Observation, error) {
			select {
			case <-time.After(time.Minute):
				return mend.Observation{Stdout: "frob 1\n"}, nil
			case <-ctx.Done():
				return mend.Observation{}, context.Cause(ctx)
			}
		})
		recipe := naive("frob")
		recipe.Verify.Pattern = "frob"
		var taken atomic.Int64
		time.AfterFunc(90*time.Second, func() { cancel(enough) })
		finished, ended := 0, 0
		var last error
		for res, err := range mend.New(slow, nil).CreateAll(ctx, mend.StaticBuilder(recipe), requests(100, &taken), 2) {
			last = err
			var re *mend.RequestError
			switch {
			case res != nil:
				finished++
			case errors.As(err, &re):
				ended++
				assert.ErrorIs(t, err, enough)
			}
		}
		assert.Equal(t, 2, finished, "what was finished is delivered")
		assert.Equal(t, 2, ended, "what was under way ends")
		assert.Equal(t, enough, last, "the end of the batch is no silent one")
	})
}

func TestCreateAllBeginsNothingWhenItsContextHasEnded(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	b := mend.BuildFunc("never", func(context.Context, mend.BuildRequest) (*mend.Recipe, error) {
		t.Error("a request was begun")
		return naive("frob"), nil
	})
	var taken atomic.Int64
	var got []error
	for res, err := range mend.New(mendtest.NewReplay(frob()), nil).CreateAll(ctx, b, requests(10, &taken), 3) {
		assert.Nil(t, res)
		got = append(got, err)
	}
	assert.Equal(t, []error{enough}, got)
}

// TestCreateAllSurvivesPanics wherever it calls what others wrote.
func TestCreateAllSurvivesPanics(t *testing.T) {
	boom := errors.New("boom")
	panics := func(context.Context, mend.Command) (mend.Observation, error) { panic(boom) }
	for name, o := range map[string]*mend.Orchestrator{
		"in the sandbox": mend.New(sandboxOf(panics), nil),
		"in a rule":      mend.New(mendtest.NewReplay(frob()), &mend.Options{Rules: []mend.Rule{{Name: "boom", Propose: func(mend.Failure) []mend.Candidate { panic(boom) }}}}),
	} {
		t.Run(name, func(t *testing.T) {
			var taken atomic.Int64
			n := 0
			for res, err := range o.CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), requests(5, &taken), 2) {
				assert.Nil(t, res)
				assert.ErrorIs(t, err, boom)
				assert.ErrorAs(t, err, new(*mend.PanicError))
				n++
			}
			assert.Equal(t, 5, n)
		})
	}
}

// TestCreateAllWithALoopThatPanics waits for what is under way, as when the loop is left.
func TestCreateAllWithALoopThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine stays behind
		var taken atomic.Int64
		o := mend.New(mendtest.NewReplay(frob()), nil)
		assert.PanicsWithValue(t, "the reader", func() {
			for range o.CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), requests(1000, &taken), 3) {
				panic("the reader")
			}
		})
		assert.Less(t, taken.Load(), int64(20))
	})
}

// TestCreateAllWaitsForItsReader: a slow one keeps the batch from taking requests, so
// that results do not pile up.
func TestCreateAllWaitsForItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken atomic.Int64
		o := mend.New(mendtest.NewReplay(frob()), nil)
		n := int64(0)
		for range o.CreateAll(t.Context(), mend.StaticBuilder(naive("frob")), requests(100, &taken), 3) {
			n++
			synctest.Wait() // nothing more happens until the next one is asked for
			assert.LessOrEqual(t, taken.Load(), n+2*3+1)
		}
		assert.Equal(t, int64(100), n)
	})
}

func BenchmarkCreateAll(b *testing.B) {
	o := mend.New(mendtest.NewReplay(frob()), nil)
	var taken atomic.Int64
	b.ReportAllocs()
	for _, err := range o.CreateAll(b.Context(), mend.StaticBuilder(naive("frob")), requests(b.N, &taken), 4) {
		if err != nil {
			b.Fatal(err)
		}
	}
}

package fleet_test

import (
	"context"
	"testing"

	"github.com/mendkit/mend/fleet"
	"github.com/stretchr/testify/require"
)

// BenchmarkSubmit is what a request costs on its way into the queue.
func BenchmarkSubmit(b *testing.B) {
	each(b, func(b *testing.B, f *fleet.Fleet) {
		_, err := f.Submit(b.Context(), requests(0, b.N))
		require.NoError(b, err)
	})
}

// BenchmarkWork is what a job costs from the queue to its outcome, with a worker that
// does nothing.
func BenchmarkWork(b *testing.B) {
	each(b, func(b *testing.B, f *fleet.Fleet) {
		_, err := f.Submit(b.Context(), requests(0, b.N))
		require.NoError(b, err)
		w := workFunc(func(context.Context, fleet.Job) (*fleet.Result, error) { return new(fleet.Result), nil })
		b.ResetTimer()
		for _, err := range f.CreateAll(b.Context(), w, requests(0, 0), 4) {
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCollect is what an outcome costs that is read again.
func BenchmarkCollect(b *testing.B) {
	each(b, func(b *testing.B, f *fleet.Fleet) {
		w := workFunc(func(context.Context, fleet.Job) (*fleet.Result, error) { return new(fleet.Result), nil })
		for _, err := range f.CreateAll(b.Context(), w, requests(0, b.N), 4) {
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ResetTimer()
		for range f.Collect(b.Context()) {
		}
	})
}

// each measures with a server inside of the process, with one that syncs each write, and
// with a cluster of three in one process.
func each(b *testing.B, measure func(*testing.B, *fleet.Fleet)) {
	for _, tt := range []struct {
		name string
		opts func(b *testing.B) *fleet.Options
	}{
		{"embedded", func(b *testing.B) *fleet.Options { return &fleet.Options{Dir: b.TempDir()} }},
		{"durable", func(b *testing.B) *fleet.Options { return &fleet.Options{Dir: b.TempDir(), Durable: true} }},
		{"cluster", func(b *testing.B) *fleet.Options { return &fleet.Options{URL: startCluster(b).url, Replicas: 3} }},
	} {
		b.Run(tt.name, func(b *testing.B) {
			f, err := fleet.Open(b.Context(), "batch", tt.opts(b))
			require.NoError(b, err)
			defer f.Close()
			b.ReportAllocs()
			b.ResetTimer()
			measure(b, f)
			b.StopTimer()
		})
	}
}

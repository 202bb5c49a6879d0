// Package bench measures mend beside other libraries that do the same. It is a
// module of its own, so that nobody who uses mend downloads them.
package bench

import (
	"context"
	"runtime"
	"testing"

	"github.com/mendkit/mend"
	"github.com/sony/gobreaker/v2"
)

// BenchmarkHealthy measures one call that succeeds behind a closed breaker.
func BenchmarkHealthy(b *testing.B) {
	ctx := context.Background()
	breaker := mend.NewCircuitBreaker("model", nil)
	other := gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{Name: "model"})
	calls := []struct {
		name string
		call func()
	}{
		{"mend", func() { _ = breaker.Do(ctx, func(context.Context) error { return nil }) }},
		{"gobreaker", func() { _, _ = other.Execute(func() (struct{}, error) { return struct{}{}, nil }) }},
	}
	for _, c := range calls {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.call()
			}
		})
	}
	for _, c := range calls {
		b.Run(c.name+"/64 goroutines", func(b *testing.B) {
			b.ReportAllocs()
			b.SetParallelism(max(64/runtime.GOMAXPROCS(0), 1))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					c.call()
				}
			})
		})
	}
}

// TestHealthy checks that both let a call through, so that what is measured is
// the same.
func TestHealthy(t *testing.T) {
	called := 0
	breaker := mend.NewCircuitBreaker("model", nil)
	if err := breaker.Do(t.Context(), func(context.Context) error { called++; return nil }); err != nil {
		t.Error(err)
	}
	other := gobreaker.NewCircuitBreaker[int](gobreaker.Settings{Name: "model"})
	if _, err := other.Execute(func() (int, error) { called++; return 0, nil }); err != nil {
		t.Error(err)
	}
	if called != 2 {
		t.Errorf("called %d times", called)
	}
}

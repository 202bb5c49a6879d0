package mend_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/mendkit/mend"
)

// BenchmarkBreakerHealthy is what a breaker costs while its provider answers.
func BenchmarkBreakerHealthy(b *testing.B) {
	ctx := context.Background()
	answer := func(context.Context) error { return nil }
	atOnce := func(b *testing.B, goroutines int, call func()) {
		b.ReportAllocs()
		b.SetParallelism(max(goroutines/runtime.GOMAXPROCS(0), 1))
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				call()
			}
		})
	}
	breaker := mend.NewCircuitBreaker("model", nil)
	do := func() { _ = breaker.Do(ctx, answer) }
	allow := func() {
		if breaker.Allow() {
			breaker.RecordSuccess()
		}
	}
	b.Run("Do", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			do()
		}
	})
	b.Run("Do/64 goroutines", func(b *testing.B) { atOnce(b, 64, do) })
	b.Run("Allow", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			allow()
		}
	})
	b.Run("Allow/64 goroutines", func(b *testing.B) { atOnce(b, 64, allow) })
}

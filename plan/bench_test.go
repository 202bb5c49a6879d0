package plan_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// BenchmarkResolveCode reads 64 KB of a failed test run that holds no signal.
func BenchmarkResolveCode(b *testing.B) {
	line := "    cart_test.go:42: expected total 12.50, got 13.00 for order 9f8e7d6c\n"
	obs := mend.Observation{ExitCode: 1, Stdout: strings.Repeat(line, 64<<10/len(line))}
	p := plan.Part{Argv: []string{"npm", "test"}}
	b.SetBytes(int64(len(obs.Stdout)))
	for b.Loop() {
		plan.ResolveCode(p, obs, nil)
	}
}

// BenchmarkSignature folds 64 KB without any diagnostic.
func BenchmarkSignature(b *testing.B) {
	line := "loading module 12 of src/cart in 3.2ms for order 9f8e7d6c\n"
	output := strings.Repeat(line, 64<<10/len(line))
	b.SetBytes(int64(len(output)))
	for b.Loop() {
		plan.Signature(plan.CodeCommandFailed, "3307f700", output)
	}
}

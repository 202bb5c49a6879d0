package mend_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend"
)

// BenchmarkParseValidationError is what a failure costs by what was printed; the long
// texts are 10 MB, of which no more than the ends are looked at closely.
func BenchmarkParseValidationError(b *testing.B) {
	const long = 10 << 20
	for name, text := range map[string]string{
		"short":    "curl: (22) The requested URL returned error: 404\n",
		"log":      strings.Repeat("[12:00:01] INFO compiling src/frob/main.c into out/main.o\n", long/58) + "frob: something else\n",
		"one line": strings.Repeat("word ", long/5),
		"numbers":  strings.Repeat("404 ", long/4),
		"quotes":   strings.Repeat("'a/b' ", long/6),
		"faults":   strings.Repeat("tar: short: expected a want b got\n", long/34),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				mend.ParseValidationError("", text, 1)
			}
		})
	}
}

package plan_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestSignatureForm(t *testing.T) {
	assert.Equal(t, "", plan.Signature("", "", " \n"))
	assert.Equal(t, "code:test_failure", plan.Signature(plan.CodeTestFailure, "", ""))
	assert.Equal(t, "cmd:3307f700", plan.Signature("", "3307F700", ""))
	assert.Equal(t, "code:test_failure cmd:3307f700 killed by <n>", plan.Signature(plan.CodeTestFailure, "3307f700", "\x1b[31mKilled\x1b[0m  by\n 9"))
}

func TestSignatureIsStable(t *testing.T) {
	for name, pair := range map[string][2]string{
		"times":            {"started 2026-01-02T03:04:05Z, took 1.2s", "started 2027-11-12T13:14:15.678Z, took 950ms"},
		"numbers":          {"exit status 1 at port 4321", "exit status 2 at port 80"},
		"identifiers":      {"run 550e8400-e29b-41d4-a716-446655440000 c0ffee12", "run 123e4567-e89b-12d3-a456-426614174000 9f8e7d6c"},
		"temporary files":  {"open /tmp/go-build123/x.go: no", "open /tmp/go-build9/x.go: no"},
		"directories":      {"cannot read /home/a/src/x.go", "cannot read /srv/src/x.go"},
		"spelling":         {"Boom", "boom"},
		"durations":        {"boom (12ms), took 1m30s", "boom (4 ms), took 2h"},
		"addresses":        {"at 0xdeadbeef +0x1d", "at 0x1f +0x2"},
		"a number of TAP":  {"ok 1\nnot ok 2 - adds", "not ok 7 - adds"},
		"what is compiled": {"   Compiling x\nerror[E0502]: x", "error[E0502]: x"},
		"escape sequences": {"\x1b[1mbroken\x1b[0m", "broken"},
		"line numbers":     {"src/a.go:12:3: error: x", "src/a.go:99:1: error: x"},
		"order": {
			"--- FAIL: TestA (0.01s)\n    a_test.go:3: no\n--- FAIL: TestB (0.02s)\nFAIL",
			"--- FAIL: TestB (1.00s)\n--- FAIL: TestA (0.00s)\n    a_test.go:7: no\nFAIL",
		},
		"repetition":         {"not ok 1 - a\nnot ok 2 - b", "not ok 2 - b\nnot ok 1 - a\nnot ok 3 - a"},
		"text around":        {"FAILED t.py::test_a - x\nloading 1", "collecting\nFAILED t.py::test_a - x\n"},
		"a slow file":        {"FAIL src/a.test.ts\n  ● adds › one", "FAIL src/a.test.ts (5.1 s)\n  ● adds › one"},
		"a slow test":        {"✗ adds 300ms", "✗ adds"},
		"a slow one of .NET": {"  Failed A.Adds [12 ms]", "  Failed A.Adds [3 s]"},
		"passes":             {"FAILED t.py::test_a\n1 failed, 3 passed in 0.1s", "FAILED t.py::test_a\n1 failed, 9 passed in 2.1s"},
		"a long output":      {strings.Repeat("nothing to see at 1.2s; ", 100), strings.Repeat("nothing to see at 77.2s; ", 100)},
	} {
		assert.Equal(t, plan.Signature("c", "i", pair[0]), plan.Signature("c", "i", pair[1]), name)
	}
}

func TestSignatureTellsApart(t *testing.T) {
	long := strings.Repeat("word ", 200)
	for name, pair := range map[string][2]string{
		"counts":                       {"2 failed", "5 failed"},
		"counts of others":             {"Tests run: 4, Failures: 1", "Tests run: 4, Failures: 2"},
		"counts in words":              {"--- FAIL: TestA\nFailed 1 of 3 tests", "--- FAIL: TestA\nFailed 2 of 3 tests"},
		"counts with a slash":          {"✗ a\n1/3 failed", "✗ a\n2/3 failed"},
		"counts of a list":             {"Failed tests: 1", "Failed tests: 2"},
		"counts in brackets":           {"FAILED (failures=1)", "FAILED (failures=2)"},
		"counts beside":                {"E   assert x\n2 failed", "E   assert x\n3 failed"},
		"files":                        {"src/a.go:1:2: error: x", "src/b.go:1:2: error: x"},
		"errors":                       {"src/a.go:1:2: error: x", "src/a.go:1:2: error: y"},
		"codes of errors":              {"error[E0308]: x", "error[E0309]: x"},
		"places of errors":             {"error[E0308]: x\n --> src/a.rs:1:2", "error[E0308]: x\n --> src/b.rs:1:2"},
		"tests":                        {"--- FAIL: TestA (0s)", "--- FAIL: TestB (0s)"},
		"numbered tests":               {"--- FAIL: TestA/case_1 (0s)", "--- FAIL: TestA/case_2 (0s)"},
		"fewer tests":                  {"FAILED a::x\nFAILED a::y", "FAILED a::x"},
		"parameters of a path":         {"FAILED tests/a.py::x[1] - assert 1", "FAILED tests/a.py::x[2] - assert 1"},
		"subtests":                     {"--- FAIL: TestA/n=1 (0s)", "--- FAIL: TestA/n=2 (0s)"},
		"unnamed subtests":             {"--- FAIL: TestA/#01 (0s)", "--- FAIL: TestA/#02 (0s)"},
		"unnamed TAP":                  {"not ok 1", "not ok 2"},
		"directories of errors":        {"a/x.c:1:2: error: x", "b/x.c:1:2: error: x"},
		"relative paths":               {"open a/x", "open b/x"},
		"names of absolute paths":      {"open /home/a/x", "open /home/a/y"},
		"words of hexadecimal letters": {"effaced", "defaced"},
		"what pytest found":            {"E   assert 1 == 'a'", "E   assert 1 == 'b'"},
		"parameters":                   {"FAILED a.py::x[1]", "FAILED a.py::x[2]"},
		"TAP":                          {"not ok 1 - a", "not ok 1 - b"},
		"crosses":                      {"✗ a", "✗ b"},
		"a finding's file":             {"/p/a.js\n  1:2  error  no-undef", "/p/b.js\n  1:2  error  no-undef"},
		"beyond the cut":               {long + "x", long + "y"},
		"text under make":              {"boom in cart\nmake: *** [Makefile:3: test] Error 1", "boom in basket\nmake: *** [Makefile:3: test] Error 1"},
		"Microsoft's":                  {"A.cs(1,2): error CS1: x", "B.cs(1,2): error CS1: x"},
	} {
		assert.NotEqual(t, plan.Signature("c", "i", pair[0]), plan.Signature("c", "i", pair[1]), name)
	}
	assert.NotEqual(t, plan.Signature("a", "i", "x"), plan.Signature("b", "i", "x"))
	assert.NotEqual(t, plan.Signature("a", "i", "x"), plan.Signature("a", "j", "x"))
}

func TestSignatureIsBounded(t *testing.T) {
	s := plan.Signature("", "", strings.Repeat("größer als alles ", 1000))
	assert.LessOrEqual(t, utf8.RuneCountInString(s), 400+len(" sha256:")+16)
	assert.Contains(t, s, " sha256:")
	assert.NotContains(t, plan.Signature("", "", "short"), "sha256")
}

// FuzzSignature holds that a signature does not depend on times, line numbers and
// the order of diagnostics, and does on how many failed.
func FuzzSignature(f *testing.F) {
	f.Add("TestA TestB", "assert x", uint8(1), uint8(2), int64(3))
	f.Add("a/b.go", "E   \x1b[31mred", uint8(9), uint8(9), int64(1))
	f.Fuzz(func(t *testing.T, names, text string, count, other uint8, seed int64) {
		if strings.ContainsAny(names+text, "0123456789\x1b\r\b") || !utf8.ValidString(names+text) {
			return // it could make a time or a count of its own
		}
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		write := func(count uint8) string {
			lines := strings.Split(text, "\n")
			for _, name := range strings.Fields(names) {
				lines = append(lines, fmt.Sprintf("--- FAIL: %s (%d.%02ds)", name, random.IntN(9), random.IntN(99)),
					fmt.Sprintf("src/%s.c:%d:%d: error: at %02d:%02d:%02d", name, 1+random.IntN(999), 1+random.IntN(99), random.IntN(24), random.IntN(60), random.IntN(60)))
			}
			if len(strings.Fields(names)) > 0 {
				random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			}
			return strings.Join(append(lines, fmt.Sprintf("%d failed", count)), "\n")
		}
		a, b := plan.Signature("c", "i", write(count)), plan.Signature("c", "i", write(count))
		assert.Equal(t, a, b)
		if count != other {
			assert.NotEqual(t, a, plan.Signature("c", "i", write(other)))
		}
	})
}

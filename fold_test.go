package mend_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend"
)

func TestFoldText(t *testing.T) {
	for text, want := range map[string]string{
		"Hello\n\t World ":                               "hello world",
		"\x1b[31mFAIL\x1b[0m x":                          "fail x",
		"id 550e8400-e29b-41d4-a716-446655440000":        "id <uuid>",
		"2026-01-02T03:04:05.678Z up":                    "<time> up",
		"2026-01-02 03:04:05,678 up":                     "<time> up",
		"2026/01/02 03:04:05 up":                         "<time> up",
		"[03:04:05] up at 3:04 PM":                       "[<time>] up at <time>",
		"Mon, 02 Jan 2026 15:04:05 GMT x":                "<time> x",
		"Jan  2 15:04:05 host":                           "<time> host",
		"took 1.23s, 12ms, 0.5 seconds, 1m30s and 2 min": "took <duration>, <duration>, <duration>, <duration> and <duration>",
		"in 45s": "in <duration>",
		"at 0xdeadBEEF of deadbeef, c0ffee12 and 1234567": "at <hex> of deadbeef, <hex> and <n>",
		"abc12 stays":                                  "abc12 stays",
		"2 failed, 10 passed":                          "2 failed, <n> passed",
		"5 failed, 11 passed":                          "5 failed, <n> passed",
		"Tests run: 9, Failures: 2, Errors: 1":         "tests run: <n>, failures: 2, errors: 1",
		"FAILED (failures=1, errors=2)":                "failed (failures=1, errors=2)",
		"3 of 10 tests failed":                         "3 of 10 tests failed",
		"2 test suites failed":                         "2 test suites failed",
		"could not compile x due to 3 previous errors": "could not compile x due to 3 previous errors",
		"# fail 3":                                     "# fail 3",
		"make: *** [x] Error 2":                        "make: *** [x] error <n>",
		"exit status 1":                                "exit status <n>",
		"src/a/b2.go:12:3: undefined: x9":              "src/a/b2.go:<n>:<n>: undefined: x9",
		"/home/u/p1/src/a.go:12: no":                   "/a.go:<n>: no",
		`C:\Users\u\p\a.go(12,3): no`:                  "/a.go(<n>,<n>): no",
		"open /tmp/x123/y.txt: no":                     "open <tmp>/y.txt: no",
		"open /tmp/tmpab12: no":                        "open <tmp>: no",
		"open /var/folders/a1/b2/T/go-build9/x.go":     "open <tmp>/x.go",
		"log in /home/u/.npm/_logs/2026-11-20T19_13_38_191Z-debug-0.log": "log in /<time>-debug-0.log",
		"http://127.0.0.1:43251/a/b":                                     "http://<n>.<n>.<n>.<n>:<n>/a/b",
		"a_test.py::test_x[3-4] FAILED":                                  "a_test.py::test_x[3-4] failed",
		"FAILED tests/a/test_x.py::test_y[2] - assert 1 == 2":            "failed tests/a/test_x.py::test_y[2] - assert <n> == <n>",
		"/home/u/p/t.py::test_y[2-x]":                                    "/t.py::test_y[2-x]",
		"--- FAIL: TestX/n=2 (0.10s)":                                    "--- fail: testx/n=2 (<duration>)",
		"--- FAIL: TestX/#01 (0.10s)":                                    "--- fail: testx/#01 (<duration>)",
		"1/3 failed, 1 / 3 tests failed":                                 "1/3 failed, 1 / 3 tests failed",
		"Failed 1 of 3 tests, failed 2 specs":                            "failed 1 of 3 tests, failed 2 specs",
		"Failed tests: 2, failed 3 times":                                "failed tests: 2, failed <n> times",
		"3/5 passed, 2/5 left":                                           "<n>/<n> passed, <n>/<n> left",
		"not ok 2":                                                       "not ok 2",
		"not ok 2 - adds":                                                "not ok <n> - adds",
		"listening on [::1]:34567":                                       "listening on [::1]:<n>",
		"TestFoo/case_2 (0.00s)":                                         "testfoo/case_2 (<duration>)",
		"error[E0308]: mismatched types":                                 "error[e0308]: mismatched types",
		"TS2345 in v1.2.3 and 1.2.3":                                     "ts2345 in v1.2.3 and <n>",
		"job-48213 on web-7d9f8b6c5 in utf-8":                            "job-<n> on web-<hex> in utf-8",
		"4 packages failed at line 12 has failed":                        "4 packages failed at line <n> has failed",
		"3/5 done":      "<n>/<n> done",
		"12 mb of 10kb": "<n> mb of <n>kb",
		"":              "",
	} {
		assert.Equal(t, want, mend.FoldText(text), text)
	}
}

// FuzzFoldText holds that folded text is on one line, and that folding it again
// takes no more numbers away.
func FuzzFoldText(f *testing.F) {
	f.Add("a 12:30:00 /x/y 0x1f 2 failed")
	f.Add("\xff/\\ 9f9f9f")
	f.Fuzz(func(t *testing.T, text string) {
		folded := mend.FoldText(text)
		assert.NotContains(t, folded, "\n")
		assert.Equal(t, folded, mend.FoldText(text))
	})
}

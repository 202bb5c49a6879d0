//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// TestLocate holds that evidence is found where it stands in the bytes that the tool
// printed, whatever was taken out before it was quoted.
func TestLocate(t *testing.T) {
	for _, tt := range []struct {
		name, stdout, stderr string
		evidence             mend.Evidence
		line, offset         int
	}{
		{"first line", "usage: x\n", "", mend.Evidence{Line: "usage: x", Stream: "stdout"}, 1, 0},
		{"other stream", "usage: x\n", "a\nusage: x\n", mend.Evidence{Line: "usage: x", Stream: "stderr"}, 2, 2},
		{"colours", "\x1b[31ma\x1b[0m\n\x1b[1musage\x1b[0m: x\n", "", mend.Evidence{Line: "usage: x", Stream: "stdout"}, 2, 11},
		{"carriage returns", "a\r\nb\rusage: x\r\n", "", mend.Evidence{Line: "usage: x", Stream: "stdout"}, 3, 5},
		{"printed over", "u\bus\bsage: x\n", "", mend.Evidence{Line: "usage: x", Stream: "stdout"}, 1, 0},
		{"no line decided", "usage: x\n", "", mend.Evidence{Signature: "crash.sigsegv"}, 0, 0},
		{"not there", "", "", mend.Evidence{Line: "usage: x", Stream: "stdout"}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line, offset := locate(mend.Observation{Stdout: tt.stdout, Stderr: tt.stderr}, tt.evidence)
			assert.Equal(t, []int{tt.line, tt.offset}, []int{line, offset})
			if tt.line > 0 {
				assert.Equal(t, tt.offset, offsetOf(mend.Observation{Stdout: tt.stdout, Stderr: tt.stderr}, tt.evidence.Stream, line))
			}
		})
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1\u202f000", 1234567: "1\u202f234\u202f567"} {
		assert.Equal(t, want, grouped(n))
	}
	for _, tt := range []struct {
		n, all int
		want   string
	}{{0, 0, "–"}, {0, 5, "0\u202f%"}, {5, 5, "100\u202f%"}, {1, 3, "33.3\u202f%"}, {1, 100000, "0.1\u202f%"}, {99999, 100000, "99.9\u202f%"}} {
		assert.Equal(t, tt.want, share(tt.n, tt.all), "%d of %d", tt.n, tt.all)
	}
	for d, want := range map[time.Duration]string{
		0: "0\u202fms", 999 * time.Millisecond: "999\u202fms", time.Second: "1\u202fs", 1500 * time.Millisecond: "1.5\u202fs", 75 * time.Second: "75\u202fs",
		2001 * time.Millisecond: "2\u202fs", 9960 * time.Millisecond: "10\u202fs",
	} {
		assert.Equal(t, want, spaced(d))
	}
}

func TestCharts(t *testing.T) {
	sum := newTally()
	for range 3 {
		sum.add(&result{Outcome: passed, Strength: mend.StrengthUsage})
	}
	sum.add(&result{Outcome: failed})
	var pieces []int
	for _, b := range outcomeChart(sum).Bars {
		pieces = append(pieces, b.From, b.Length)
	}
	assert.Equal(t, []int{0, 750, 750, 250}, pieces, "the pieces add up")
	var labels []string
	for _, b := range strengthChart(sum).Bars {
		labels = append(labels, b.Label+" "+b.Count)
	}
	assert.Equal(t, []string{"version 0", "usage 3", "complaint 0", "exit_code 0"}, labels)
	labels = nil
	for _, b := range timeChart([]time.Duration{20 * time.Millisecond, 30 * time.Millisecond, time.Hour}).Bars {
		labels = append(labels, strings.ReplaceAll(b.Label, "\u202f", " ")+": "+b.Count)
	}
	assert.Equal(t, []string{
		"10 ms – 30 ms: 1", "30 ms – 100 ms: 1", "100 ms – 300 ms: 0", "300 ms – 1 s: 0", "1 s – 3 s: 0", "3 s – 10 s: 0", "10 s – 30 s: 0", "over 30 s: 1",
	}, labels)
	assert.Empty(t, timeChart(nil).Bars)
	assert.Equal(t, exitFailed, sum.code())
}

// FuzzState opens a file of which a batch has written the first line, and anybody the
// rest. Either it is refused and stays as it is, or it can be gone on with, and holds
// then what it held.
func FuzzState(f *testing.F) {
	asked := terms{Format: 1, Program: "p"}
	header, err := json.Marshal(asked)
	require.NoError(f, err)
	for _, rest := range []string{"", "\n", "\n{", "\n{}\n", "\n" + `{"key":"k","result":{"outcome":"passed"}}` + "\n" + `{"key":"l","result":{"outcome":"no_ev`, "\n" + `{"key":"k","result":{"outcome":"no_evidence"}}` + "\n"} {
		f.Add([]byte(rest))
	}
	f.Fuzz(func(t *testing.T, rest []byte) {
		path := filepath.Join(t.TempDir(), "state")
		before := append(bytes.Clone(header), rest...)
		write(t, path, string(before), 0o600)
		s, err := openState(path, asked, false)
		if err != nil {
			assert.Equal(t, string(before), read(t, path))
			return
		}
		held := len(s.done)
		_, err = s.add(&line{Key: "new", Result: &result{Outcome: passed}})
		require.NoError(t, err)
		require.NoError(t, s.close(false))
		s, err = openState(path, asked, false)
		require.NoError(t, err)
		assert.Contains(t, s.done, "new")
		assert.GreaterOrEqual(t, len(s.done), held)
		l, err := s.at(s.done["new"])
		require.NoError(t, err)
		assert.Equal(t, passed, l.Result.Outcome)
		require.NoError(t, s.close(true))
		_, err = os.Stat(path)
		assert.ErrorIs(t, err, os.ErrNotExist)
	})
}

// TestStateThatNobodyNames is gone with its process, however that ends.
func TestStateThatNobodyNames(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s, err := openState("", terms{Format: 1}, false)
	require.NoError(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	at, err := s.add(&line{Key: "k", Result: &result{Outcome: passed}})
	require.NoError(t, err)
	l, err := s.at(at)
	require.NoError(t, err)
	assert.Equal(t, "k", l.Key)
	assert.NoError(t, s.close(true))
}

// FuzzLines holds that the lines of a stream and their offsets fit together, and that
// nothing that is shown acts on a terminal.
func FuzzLines(f *testing.F) {
	f.Add("a\r\nb\rc\n\x1b[31md")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for at, line := range linesOf(text) {
			require.GreaterOrEqual(t, at, end)
			require.Equal(t, line, text[at:at+len(line)])
			require.NotContains(t, line, "\n")
			end = at + len(line)
		}
		require.GreaterOrEqual(t, end, len(text)-2, "nothing but a line's end is left")
		lines, left := linesFor(text, 3, 2)
		for _, line := range lines {
			require.Equal(t, -1, strings.IndexFunc(line, hidden), "%q", line)
		}
		require.True(t, left == 0 || len(lines) == 5)
	})
}

package mend

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzMarkedStream holds that a program's bytes come through as they are, however the
// stream is cut, and what follows the mark with them.
func FuzzMarkedStream(f *testing.F) {
	const mark = "MARKMARKMAZ" // begins again within itself
	f.Add("WARN\n", "out\n", "exit 0", "level=error", uint8(1))
	f.Add("", "MARKMARKMARKMARKMA", "signal SEGV", "", uint8(3))
	f.Add("MARK", "\x00\xffMARKMARKMA", "", "MARK", uint8(200))
	f.Fuzz(func(t *testing.T, before, program, report, after string, size uint8) {
		end := mark + " " + report + "\n"
		if strings.Index(before+mark, mark) < len(before) || strings.Index(program+mark, mark) < len(program) ||
			strings.Contains(report+"\n"+after, mark) || strings.Contains(report, "\n") || len(report) > 100 {
			t.Skip("nobody but us knows the mark, and what we report is short")
		}
		var lines []string
		s := newMarkedStream(mark, 1<<20, func(line string) { lines = append(lines, line) })
		all := before + mark + " start\n" + program + end + after
		for text := all; text != ""; {
			n := min(len(text), int(size)+1)
			written, err := s.Write([]byte(text[:n]))
			require.NoError(t, err)
			require.Equal(t, n, written)
			text = text[n:]
		}
		s.finish()
		assert.Equal(t, []string{"start", strings.TrimSpace(report)}, lines)
		got, cut := s.program.text()
		assert.Equal(t, program, got)
		assert.False(t, cut)
		assert.Equal(t, int64(len(before)+len(after)), s.engine.total)
	})
}

// TestMarkedStreamIsBounded: a program that comes to know the mark can make the run
// an error, and no more than that.
func TestMarkedStreamIsBounded(t *testing.T) {
	lines := 0
	s := newMarkedStream("MARK", 100, func(line string) {
		lines++
		assert.LessOrEqual(t, len(line), markedLine)
	})
	for range 1000 {
		_, err := s.Write([]byte("MARK" + strings.Repeat("x", 5000)))
		require.NoError(t, err)
		require.Less(t, len(s.pending), 2*markedLine)
	}
	assert.Equal(t, 1000, lines)
	assert.LessOrEqual(t, cap(s.pending), 32<<10)
}

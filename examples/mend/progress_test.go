//go:build unix

package main

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// screen is as much of a terminal as the display uses. What it does not know fails the
// test.
type screen struct {
	t        *testing.T
	width    int
	lines    []string
	row, col int
	rest     string // of a sequence that is not complete
}

var sequence = regexp.MustCompile("^\x1b\\[([0-9;]*)([AJKm])")

func (s *screen) Write(p []byte) (int, error) {
	text := s.rest + string(p)
	for text != "" {
		r := []rune(text[:min(len(text), 4)])[0]
		switch {
		case r == '\x1b':
			m := sequence.FindStringSubmatch(text)
			if m == nil {
				require.Less(s.t, len(text), 8, "an unknown sequence: %q", text[:min(len(text), 8)])
				s.rest = text
				return len(p), nil
			}
			s.control(m[1], m[2])
			text = text[len(m[0]):]
			continue
		case r == '\r':
			s.col = 0
		case r == '\n':
			s.row++
		case r == '\uFFFD' && len(text) < 4:
			s.rest = text
			return len(p), nil
		default:
			s.put(r)
		}
		text = text[len(string(r)):]
	}
	s.rest = ""
	return len(p), nil
}

func (s *screen) control(arg, what string) {
	n, _ := strconv.Atoi(arg)
	s.grow()
	switch what {
	case "A":
		require.GreaterOrEqual(s.t, s.row, n, "above the first line")
		s.row -= n
	case "J":
		s.lines = s.lines[:s.row+1]
		fallthrough
	case "K":
		line := []rune(s.lines[s.row])
		s.lines[s.row] = string(line[:min(len(line), s.col)])
	}
}

func (s *screen) put(r rune) {
	if s.col >= s.width {
		s.row, s.col = s.row+1, 0
	}
	s.grow()
	line := []rune(s.lines[s.row])
	for len(line) <= s.col {
		line = append(line, ' ')
	}
	line[s.col] = r
	s.lines[s.row] = string(line)
	s.col++
}

func (s *screen) grow() {
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, "")
	}
}

// follow reads what a terminal shows until it is enough, or the terminal is closed.
func (s *screen) follow(tty io.Reader, enough func() bool) {
	buf := make([]byte, 4096)
	for !enough() {
		n, err := tty.Read(buf)
		_, _ = s.Write(buf[:n])
		if err != nil {
			return // Linux reports the end of a terminal as an error
		}
	}
}

func (s *screen) String() string { return strings.TrimRight(strings.Join(s.lines, "\n"), "\n ") }

// TestDisplayOnTerminal starts the real program on a pseudo-terminal, and looks at the
// screen in the middle and at the end.
func TestDisplayOnTerminal(t *testing.T) {
	const all, half = 12, 6
	m := makeTools(t, all, half)
	write(t, m.recipes+"/zz-bad.toml", "[verify", 0o644)
	cmd := m.batch(t, "recipes")
	cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	require.NoError(t, err)
	defer tty.Close()
	s := &screen{t: t, width: 80}
	s.follow(tty, func() bool {
		return strings.Contains(s.String(), "6/13") && strings.Contains(s.String(), "tool009")
	})
	t.Logf("in the middle:\n%s", s)
	lines := strings.Split(s.String(), "\n")
	assert.Regexp(t, `^━+─+ 6/13`, lines[len(lines)-2])
	assert.Regexp(t, `^running: (tool00[6-9] [0-9.]+m?s(, )?){4}$`, lines[len(lines)-1])

	m.release(t)
	s.follow(tty, func() bool { return false })
	t.Logf("in the end:\n%s", s)
	require.Error(t, cmd.Wait())
	assert.Equal(t, exitFailed, cmd.ProcessState.ExitCode())
	end := s.String()
	assert.NotContains(t, end, "running")
	assert.NotContains(t, end, "━")
	assert.NotContains(t, end, "passed  ", "what passes is only counted")
	assert.Equal(t, 1, strings.Count(end, "malformed    recipes/zz-bad.toml"))
	assert.Regexp(t, `13 recipes in [0-9.]+m?s: 12 passed, 1 malformed\n`, end)
}

// TestDisplayLines holds the display to the width of the terminal, whatever it shows.
func TestDisplayLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisplay(&terminal{out: &bytes.Buffer{}, err: &bytes.Buffer{}}, 200)
		assert.False(t, d.live())
		for range 40 {
			d.count(&result{Outcome: passed}, true)
		}
		for range 50 {
			d.count(&result{Outcome: mended}, false)
		}
		d.count(&result{Outcome: failed}, false)
		d.begin("one.toml", "one")
		time.Sleep(4 * time.Second) // of the bubble's time
		ended := d.begin("two.toml", "two")
		d.begin("wide.toml", "幅の広い名前\x1b[31m")
		time.Sleep(time.Second)
		lines := d.lines(80, time.Now())
		assert.Equal(t, []string{
			"━━━━━━━━━━━━━───────────────── 91/200  50 mended  1 failed  10.2/s  11s left",
			`running: one 5s, two 1s, 幅の広い名前\x1b[31m 1s`,
		}, lines)
		ended()
		for width := range 100 {
			for _, line := range d.lines(width, time.Now()) {
				assert.LessOrEqual(t, columns(line), max(width-1, 1), "%d: %q", width, line)
			}
		}
	})
}

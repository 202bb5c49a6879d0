package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// display shows on a terminal how far a batch is: a bar, and what is under way. It
// stands below what is printed, and is gone in the end. Where stderr is no terminal it
// shows nothing. It is safe for concurrent use.
type display struct {
	t     *terminal
	total int
	start time.Time
	kinds []outcome  // in the order in which they are counted
	width func() int // of the terminal, in columns; nil if there is none
	stop  chan struct{}
	ended sync.WaitGroup

	mu      sync.Mutex // guards what follows, and the screen
	shown   int        // lines on the screen
	done    map[outcome]int
	sum     int // of done
	old     int // of these, by an earlier run
	running map[string]time.Time
	names   map[string]string // of the tools that are running
}

// redraw is how often the display is drawn anew: a person sees no more.
const redraw = 100 * time.Millisecond

func newDisplay(t *terminal, total int) *display {
	d := &display{
		t: t, total: total, kinds: outcomes, start: time.Now(), stop: make(chan struct{}),
		done: make(map[outcome]int), running: make(map[string]time.Time), names: make(map[string]string),
	}
	if f, ok := t.err.(*os.File); ok && isTerminal(t.err) && os.Getenv("TERM") != "dumb" {
		d.width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil || width <= 0 {
				return 80
			}
			return width
		}
		d.ended.Go(d.loop)
	}
	return d
}

// live reports whether anything is shown.
func (d *display) live() bool { return d.width != nil }

func (d *display) loop() {
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			d.mu.Lock()
			d.draw()
			d.mu.Unlock()
		case <-d.stop:
			return
		}
	}
}

// close takes the display off the screen.
func (d *display) close() {
	if !d.live() {
		return
	}
	close(d.stop)
	d.ended.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
}

// begin says that a recipe is under way. It is not any more when the function that is
// returned was called.
func (d *display) begin(path, tool string) func() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running[path], d.names[path] = time.Now(), cmp.Or(tool, path)
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.running, path)
		delete(d.names, path)
	}
}

// count counts a recipe that is finished.
func (d *display) count(r *result, old bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done[r.Outcome]++
	d.sum++
	if old {
		d.old++
	}
}

// above prints something above the display.
func (d *display) above(print func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	err := print()
	d.draw()
	return err
}

// clear takes the display's lines off the screen.
func (d *display) clear() {
	if d.shown > 0 {
		fmt.Fprintf(d.t.err, "\r\x1b[%dA\x1b[J", d.shown)
		d.shown = 0
	}
}

// draw draws the display anew, in one write, so that it does not flicker.
func (d *display) draw() {
	if !d.live() {
		return
	}
	var b strings.Builder
	if d.shown > 0 {
		fmt.Fprintf(&b, "\r\x1b[%dA", d.shown)
	}
	lines := d.lines(d.width(), time.Now())
	for _, line := range lines {
		b.WriteString(line + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	d.shown = len(lines)
	fmt.Fprint(d.t.err, b.String())
}

// lines returns the display's lines, none wider than the terminal.
func (d *display) lines(width int, now time.Time) []string {
	text := fmt.Sprintf(" %d/%d", d.sum, d.total)
	for _, o := range d.kinds[1:] {
		if n := d.done[o]; n > 0 {
			text += fmt.Sprintf("  %d %s", n, o)
		}
	}
	text += d.pace(now)
	bar := min(30, width-columns(text)-1)
	first := clip(strings.TrimSpace(text), width-1)
	if bar >= 5 {
		first = d.bar(bar) + text
	}
	paths := slices.SortedFunc(maps.Keys(d.running), func(a, b string) int {
		return cmp.Or(d.running[a].Compare(d.running[b]), cmp.Compare(a, b))
	})
	var names []string
	for _, p := range paths {
		names = append(names, fmt.Sprintf("%s %s", oneLine(d.names[p]), now.Sub(d.running[p]).Round(100*time.Millisecond)))
	}
	second := clip("running: "+strings.Join(names, ", "), width-1)
	return []string{first, faint.paint(second, d.t.colorErr)}
}

// pace says how fast it goes and how long it will take, once that can be said.
func (d *display) pace(now time.Time) string {
	done, elapsed := d.sum-d.old, now.Sub(d.start)
	if done < 3 || elapsed < time.Second {
		return ""
	}
	rate := float64(done) / elapsed.Seconds()
	left := time.Duration(float64(d.total-d.sum) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("  %.1f/s  %s left", rate, left)
}

// bar draws what is finished, by outcome.
func (d *display) bar(width int) string {
	var b strings.Builder
	drawn, sum := 0, 0
	for _, o := range d.kinds {
		sum += d.done[o]
		cells := width*sum/max(d.total, 1) - drawn
		b.WriteString(cmp.Or(barStyles[o], stateStyles[o]).paint(strings.Repeat("━", cells), d.t.colorErr))
		drawn += cells
	}
	b.WriteString(faint.paint(strings.Repeat("─", width-drawn), d.t.colorErr))
	return b.String()
}

var barStyles = map[outcome]style{passed: green, mended: cyan, weak: yellow, failed: red, malformed: red, noEvidence: yellow}

// clip cuts text to a width, in columns.
func clip(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	var b strings.Builder
	left := width - 1 // for the mark
	for _, r := range s {
		if left -= columns(string(r)); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}

// columns returns how many columns text takes at most: two for each rune of the scripts
// whose characters are wide.
func columns(s string) (n int) {
	for _, r := range s {
		n++
		if r >= 0x2e80 || r >= 0x1100 && r < 0x1200 {
			n++
		}
	}
	return n
}

package mend

import (
	"fmt"
	"unicode/utf8"
)

// capture keeps the head and the tail of a stream in bounded memory, however
// long the stream is. It is an [io.Writer] that never fails.
type capture struct {
	limit int   // bytes kept: half of it head, the rest tail
	total int64 // bytes written so far
	head  []byte
	tail  []byte // holds at least the last bytes; at most twice what is kept of them
}

// Write takes all of p.
func (c *capture) Write(p []byte) (int, error) {
	n := len(p)
	c.total += int64(n)
	if room := c.limit/2 - len(c.head); room > 0 {
		room = min(room, len(p))
		c.head = append(c.head, p[:room]...)
		p = p[room:]
	}
	keep := c.tailLimit()
	if len(p) > keep {
		c.tail, p = c.tail[:0], p[len(p)-keep:]
	}
	if len(c.tail)+len(p) > 2*keep {
		// One move per keep bytes written, so a flood costs a constant a byte.
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-keep:]...)
	}
	c.tail = append(c.tail, p...)
	return n, nil
}

// tailLimit is how many of the last bytes are kept.
func (c *capture) tailLimit() int { return c.limit - c.limit/2 }

// text returns what was kept, and whether a line in the middle of it stands for
// bytes left out. The cut falls between runes where the stream is UTF-8.
func (c *capture) text() (string, bool) {
	if c.total <= int64(c.limit) {
		return string(c.head) + string(c.tail), false
	}
	head, tail := c.head, c.tail
	if keep := c.tailLimit(); len(tail) > keep {
		tail = tail[len(tail)-keep:]
	}
	head, tail = trimSplitRune(head), trimContinuation(tail)
	omitted := c.total - int64(len(head)) - int64(len(tail))
	return fmt.Sprintf("%s\n[... %d bytes omitted ...]\n%s", head, omitted, tail), true
}

// trimSplitRune returns b without the beginning of a rune that b ends in.
func trimSplitRune(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// trimContinuation returns b without the end of a rune that b begins with.
func trimContinuation(b []byte) []byte {
	i := 0
	for i < len(b) && !utf8.RuneStart(b[i]) {
		if i++; i == utf8.UTFMax {
			return b // more than a rune has: this is no UTF-8
		}
	}
	return b[i:]
}

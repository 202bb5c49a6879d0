package mend

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	windowMargin = 16 << 10 // how far a rule looks either way
	windowLine   = 1 << 10  // within which a window begins with a line
	trimLine     = 200      // runes within which a part begins or ends with a line
)

// passage is text with what became of it: raw, as it came in; norm, as it is
// read; out, as it may leave.
type passage struct {
	raw, norm, out string
	found          []redaction // in norm
	wide           bool        // a mark may count for a line far from its own
}

// extent is a part of a text.
type extent struct{ start, end int }

// wholeOf returns all of a text as an extent.
func wholeOf(text string) []extent { return []extent{{0, len(text)}} }

// stale returns what of out was written, and has to be looked at again.
func (p *passage) stale() []extent {
	if p.wide {
		return wholeOf(p.out)
	}
	return p.marks(nil, 0, len(p.out), 0)
}

// marks appends to list where the marks stand of which something is in out between
// from and to, moved by shift.
func (p *passage) marks(list []extent, from, to, shift int) []extent {
	grown := 0 // out, over norm
	for _, r := range p.found {
		start := r.start + grown
		end := start + len(r.mark)
		grown += len(r.mark) - (r.end - r.start)
		if end >= from && start <= to {
			list = append(list, extent{max(start, from) + shift, min(end, to) + shift})
		}
	}
	return list
}

// linesAround returns the lines of text that the extents touch, with two more before
// and behind them, on which what stands there can depend. The extents are in order,
// and are overwritten.
func linesAround(text string, extents []extent) []extent {
	const more = 2
	lines := extents[:0]
	done := 0 // a line's start; what is before it was looked at
	for _, e := range extents {
		from := max(done, e.start)
		for n := 0; n <= more && from > done; n++ {
			if from = done + strings.LastIndexByte(text[done:from], '\n') + 1; from > done && n < more {
				from-- // to look for the line before
			}
		}
		to := max(done, e.end)
		for n := 0; n <= more && to < len(text); n++ {
			if k := strings.IndexByte(text[to:], '\n'); k >= 0 {
				to += k + 1
			} else {
				to = len(text)
			}
		}
		if n := len(lines); n > 0 && lines[n-1].end == from {
			lines[n-1].end = to
		} else if from < to {
			lines = append(lines, extent{from, to})
		}
		done = to
	}
	return lines
}

// rawOffset returns where in raw the text begins that out holds from i on.
func (p *passage) rawOffset(i int) int {
	shift := 0 // between norm and out, behind what was replaced
	for _, r := range p.found {
		if r.start+shift >= i {
			break
		}
		if grow := len(r.mark) - (r.end - r.start); r.start+shift+len(r.mark) >= i {
			i = r.end + shift + grow
			shift += grow
			break
		} else {
			shift += grow
		}
	}
	if len(p.raw) == len(p.norm) {
		return i - shift
	}
	_, n := normaliseUpTo(p.raw, i-shift)
	return n
}

// outOffset returns how much of out the first n bytes of raw became.
func (p *passage) outOffset(n int) int {
	if len(p.raw) != len(p.norm) {
		s, _ := normaliseUpTo(p.raw[:n], -1)
		n = min(len(s), len(p.norm))
	}
	shift := 0
	for _, r := range p.found {
		if r.start >= n {
			break
		}
		if r.end >= n {
			return min(r.start+shift+len(r.mark), len(p.out))
		}
		shift += len(r.mark) - (r.end - r.start)
	}
	return min(n+shift, len(p.out))
}

// splitWindow returns what of a long text can decide over a result of limit
// runes: its head and its tail, and how much of either may survive.
func splitWindow(text string, limit int) (head, tail string, headKeep, tailKeep int, split bool) {
	headKeep, tailKeep = 4*limit*2/5, 4*limit-4*limit*2/5
	if limit < 0 || limit > len(text) || len(text) <= headKeep+tailKeep+2*windowMargin+2*windowLine {
		return text, "", 0, 0, false
	}
	end := headKeep + windowMargin
	if k := strings.LastIndexByte(text[end-windowLine:end], '\n'); k >= 0 {
		end = end - windowLine + k + 1
	}
	for end > headKeep && !utf8.RuneStart(text[end]) {
		end--
	}
	start := len(text) - tailKeep - windowMargin
	if k := strings.IndexByte(text[start:start+windowLine], '\n'); k >= 0 {
		start += k + 1
	}
	for start < len(text)-tailKeep && !utf8.RuneStart(text[start]) {
		start++
	}
	return text[:end], text[start:], headKeep, tailKeep, true
}

// runeOffset returns the offset behind the first n runes of s, or len(s).
func runeOffset(s string, n int) int {
	if n <= 0 {
		return 0
	}
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// runeOffsetLeft returns the offset of the last n runes of s, or 0.
func runeOffsetLeft(s string, n int) int {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return i
}

// exceeds reports whether s has more than limit runes; no limit is negative.
func exceeds(s string, limit int) bool {
	return limit >= 0 && len(s) > limit && utf8.RuneCountInString(s) > limit
}

// cutHead returns how much of the front of s to keep: at most n runes and most
// bytes, up to a line's end if there is one near.
func cutHead(s string, n, most int) int {
	end := runeOffset(s[:most], n)
	if end == len(s) || end == 0 {
		return end
	}
	near := runeOffsetLeft(s[:end], trimLine)
	if k := strings.LastIndexByte(s[near:end], '\n'); k >= 0 {
		return near + k + 1
	}
	end, _ = markAround(s, end)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}

// cutTail returns from where on to keep s: at most its last n runes, and nothing
// before least, from a line's start if there is one near.
func cutTail(s string, n, least int) int {
	start := max(runeOffsetLeft(s, n), least)
	for start < len(s) && !utf8.RuneStart(s[start]) {
		start++
	}
	if start == 0 || start == len(s) || s[start-1] == '\n' {
		return start
	}
	if k := strings.IndexByte(s[start:start+runeOffset(s[start:], trimLine)], '\n'); k >= 0 && start+k+1 < len(s) {
		return start + k + 1
	}
	_, start = markAround(s, start)
	return start
}

// noticeFor returns the line that says how much was left out.
func noticeFor(omitted int) string {
	return noticeHead + strconv.Itoa(omitted) + noticeTail
}

// noticeIn returns where the line of a notice begins in s, and where the line behind
// it does; the start is negative if there is none.
func noticeIn(s string) (start, end int) {
	for from := 0; ; {
		k := strings.Index(s[from:], noticeHead)
		if k < 0 {
			return -1, -1
		}
		k += from
		d := setDigit.span(s, k+len(noticeHead), 20)
		if d > k+len(noticeHead) && startsAt(s, d, noticeTail) && (k == 0 || s[k-1] == '\n') {
			end = d + len(noticeTail)
			if byteAt(s, end) == '\n' && end < len(s) {
				return k, end + 1
			}
		}
		from = k + 1
	}
}

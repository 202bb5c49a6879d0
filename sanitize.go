package mend

import "strings"

// defaultMaxLength is the limit, in runes, of a result if none is given: what a
// model reads of a failure without being led astray.
const defaultMaxLength = 2000

// SanitizerOptions says what a [Sanitizer] knows beside its rules. A zero field
// means what it says.
type SanitizerOptions struct {
	MaxLength int      // runes in a result, notice included; 0 means 2000, negative means no limit
	Secrets   []string // values known to be secret; their encoded forms are found too
	Homes     []string // further home directories, written as $HOME
	Users     []string // user names of 3 runes or more, redacted where they stand as a whole word
}

// Sanitizer turns what a program printed into text that may leave the machine. It
// replaces credentials and known values with [REDACTED], home directories with $HOME
// or %USERPROFILE%, addresses with [IP] and [EMAIL], and leaves what stands round
// them: which host refused and which label was wrong is what a repair is about.
// It judges by evidence, so that versions, digests and prose stay.
//
// A Sanitizer does no I/O, is immutable and safe for concurrent use. Its zero value,
// and nil, are one with the defaults.
type Sanitizer struct {
	limit  int // negative for none
	tables *sanitizerTables
}

// NewSanitizer returns a sanitizer; nil options mean the defaults. It never fails.
func NewSanitizer(opts *SanitizerOptions) *Sanitizer {
	if opts == nil {
		opts = new(SanitizerOptions)
	}
	s := &Sanitizer{limit: opts.MaxLength, tables: newSanitizerTables(opts.Secrets, opts.Homes, opts.Users)}
	if s.limit == 0 {
		s.limit = defaultMaxLength
	}
	return s
}

// defaultSanitizer cleans the text of errors, too, which go to logs and to models.
var defaultSanitizer = NewSanitizer(nil)

// usable returns s, or the default sanitizer in place of a zero value.
func (s *Sanitizer) usable() *Sanitizer {
	if s == nil || s.tables == nil {
		return defaultSanitizer
	}
	return s
}

// unlimited returns s without a limit of length.
func (s *Sanitizer) unlimited() *Sanitizer { return &Sanitizer{limit: -1, tables: s.usable().tables} }

// Clean is text that a [Sanitizer] let pass. Nothing else makes one, so the type is
// the proof; the zero value is empty. On purpose it cannot be unmarshaled.
type Clean struct{ text string }

// String returns the text.
func (c Clean) String() string { return c.text }

// MarshalText returns the text, for encoders.
func (c Clean) MarshalText() ([]byte, error) { return []byte(c.text), nil }

// Report counts what a sanitizer did. It holds no value that was redacted.
type Report struct {
	// Counts is by kind: known private_key token url header connection hash
	// labelled home user ip email. It is nil if nothing was redacted.
	Counts  map[string]int
	Omitted int // bytes of the input that the limit left out
}

// Sanitize returns text as it may leave the machine: valid UTF-8 of at most
// MaxLength runes, the head and the tail if it is longer. Sanitizing a result again
// changes nothing. Text in which nothing was found is returned as it is.
func (s *Sanitizer) Sanitize(text string) string {
	var w work
	return s.run(text, &w)
}

// Clean is [Sanitizer.Sanitize] with the proof that it was done.
func (s *Sanitizer) Clean(text string) Clean { return Clean{s.Sanitize(text)} }

// line returns the text sanitised and on one line, as errors and events have it: what
// a program printed may have many, and so has the mark of a cut.
func (s *Sanitizer) line(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(s.Sanitize(text), "\n", " "))
}

// Report is [Sanitizer.Clean] with an account of what was done.
func (s *Sanitizer) Report(text string) (Clean, Report) {
	var w work
	c := Clean{s.run(text, &w)}
	r := Report{Omitted: w.omitted}
	for kind, n := range w.counts {
		if n > 0 {
			if r.Counts == nil {
				r.Counts = make(map[string]int)
			}
			r.Counts[redactionNames[kind]] = n
		}
	}
	return c, r
}

// work is what is known of one call.
type work struct {
	counts  [kindCount]int
	omitted int
}

// run does the work:
//
//	window     a text far beyond the limit is cut to what can survive
//	normalise  to what a reader sees
//	scan       for secrets, and write marks in their place
//	trim       to the limit
//	settle     scan the lines again that were written or cut, until nothing changes
func (s *Sanitizer) run(text string, w *work) string {
	s = s.usable()
	out, stale := s.firstRound(text, w)
	for len(stale) > 0 {
		next, more := s.settle(out, stale, w)
		if next == out {
			break
		}
		out, stale = next, more
	}
	return out
}

// firstRound cuts, normalises, scans and trims text. It returns the result, and what
// of it was written or cut.
func (s *Sanitizer) firstRound(text string, w *work) (string, []extent) {
	head, tail, headKeep, tailKeep, split := splitWindow(text, s.limit)
	if split {
		h, t := s.redact(head, false, w), s.redact(tail, true, w)
		gap := len(text) - len(head) - len(tail)
		return s.join(&h, &t, h.outOffset(headKeep), t.outOffset(len(tail)-tailKeep), gap, w)
	}
	p := s.redact(text, false, w)
	if exceeds(p.out, s.limit) {
		return s.join(&p, &p, len(p.out), 0, 0, w)
	}
	return p.out, p.stale()
}

// settle scans the lines of a result again of which something is stale. Every round
// leaves fewer characters that are no mark, so it ends; the first finds nothing, as a
// rule.
func (s *Sanitizer) settle(text string, stale []extent, w *work) (string, []extent) {
	p := passage{raw: text, norm: text, out: text}
	scan := scanner{sanitizerTables: s.tables, text: text}
	for _, lines := range linesAround(text, stale) {
		if !settledText(text[lines.start:lines.end]) {
			p = s.redact(text, false, w)
			scan.found = nil
			break
		}
		scan.scanFrom(lines.start, lines.end)
	}
	p.take(&scan, w)
	if exceeds(p.out, s.limit) {
		return s.trimAgain(&p, w)
	}
	return p.out, p.stale()
}

// redact normalises and scans a text and writes what may leave.
func (s *Sanitizer) redact(text string, atStart bool, w *work) passage {
	norm := normaliseText(text)
	scan := scanner{sanitizerTables: s.tables, text: norm, atStart: atStart}
	scan.scan()
	p := passage{raw: text, norm: norm, out: norm}
	p.take(&scan, w)
	return p
}

// take writes marks for what a scan of the passage found.
func (p *passage) take(scan *scanner, w *work) {
	if len(scan.found) == 0 {
		return
	}
	scan.merge()
	p.out = scan.write()
	p.found, p.wide = scan.found, scan.wide
	for _, r := range p.found {
		w.counts[r.kind]++
	}
}

// join puts a result together from the front of head and the end of tail, which may
// be the same, with a notice between them. Of head at most the first most bytes
// survive, of tail what is not before least. gap is what already lies between. It
// returns too what of the result is stale.
func (s *Sanitizer) join(head, tail *passage, most, least, gap int, w *work) (string, []extent) {
	size := len(noticeFor(len(head.raw)+len(tail.raw)+gap+w.omitted)) + 2
	room := s.limit - size
	if room <= 0 {
		start := cutTail(tail.out, s.limit, least)
		w.omitted += gap + tail.rawOffset(start)
		if head != tail {
			w.omitted += len(head.raw)
		}
		return tail.out[start:], wholeOf(tail.out[start:])
	}
	end := cutHead(head.out, room*2/5, most)
	start := cutTail(tail.out, room-room*2/5, least)
	w.omitted += gap + tail.rawOffset(start) - head.rawOffset(end)
	if head != tail {
		w.omitted += len(head.raw)
	}
	front := head.out[:end]
	if front != "" && !strings.HasSuffix(front, "\n") {
		front += "\n"
	}
	out := front + noticeFor(w.omitted) + "\n" + tail.out[start:]
	if head.wide || tail.wide {
		return out, wholeOf(out)
	}
	behind := len(out) - (len(tail.out) - start)
	stale := append(head.marks(nil, 0, end, 0), extent{len(front), behind})
	return out, tail.marks(stale, start, len(tail.out), behind-start)
}

// trimAgain trims a result that marks have made longer than the limit. It keeps
// the notice where it stands.
func (s *Sanitizer) trimAgain(p *passage, w *work) (string, []extent) {
	from, to := noticeIn(p.out)
	if from < 0 || w.omitted == 0 {
		return s.join(p, p, len(p.out), 0, 0, w)
	}
	head := passage{raw: p.out[:from], norm: p.out[:from], out: p.out[:from], wide: true}
	tail := passage{raw: p.out[to:], norm: p.out[to:], out: p.out[to:]}
	return s.join(&head, &tail, from, 0, 0, w)
}

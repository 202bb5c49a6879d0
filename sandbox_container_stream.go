package mend

import (
	"bytes"
	"strings"
	"sync/atomic"
)

// markedStream is one stream of a supervised program in a container. What the program
// prints stands between two lines that begin with a mark, which it cannot know; what
// comes before and after is the engine's.
type markedStream struct {
	mark    []byte
	program capture
	engine  capture
	onLine  func(line string) // is told what follows the mark, on each such line

	over    atomic.Bool // what comes now is the engine's, whatever it looks like
	pending []byte      // of the stream's end: may be the beginning of a line with a mark
	lines   int         // that were seen
}

const (
	// engineComplaint is how many bytes are kept of what is not the program's.
	engineComplaint = 8 << 10

	// markedLine is how many bytes of a line with a mark are read.
	markedLine = 200
)

func newMarkedStream(mark string, keep int, onLine func(string)) *markedStream {
	return &markedStream{
		mark:    []byte(mark),
		program: capture{limit: keep},
		engine:  capture{limit: engineComplaint},
		onLine:  onLine,
	}
}

// Write takes all of p.
func (s *markedStream) Write(p []byte) (int, error) {
	if s.over.Load() {
		s.finish()
		return s.engine.Write(p)
	}
	s.pending = append(s.pending, p...)
	for {
		at := bytes.Index(s.pending, s.mark)
		if at < 0 {
			s.pass(max(0, len(s.pending)-len(s.mark)+1))
			return len(p), nil
		}
		s.pass(at)
		line := s.pending[len(s.mark):]
		end := bytes.IndexByte(line, '\n')
		if end < 0 && len(line) < markedLine {
			return len(p), nil
		}
		if end < 0 || end > markedLine {
			end = markedLine - 1
		}
		said := strings.TrimSpace(string(line[:end]))
		s.pending = append(s.pending[:0], line[end+1:]...)
		s.lines++
		s.onLine(said)
	}
}

// pass gives the first n pending bytes to whom they belong.
func (s *markedStream) pass(n int) {
	to := &s.engine
	if s.lines == 1 {
		to = &s.program
	}
	_, _ = to.Write(s.pending[:n]) // never fails
	s.pending = append(s.pending[:0], s.pending[n:]...)
}

// finish says that nothing will be written any more.
func (s *markedStream) finish() { s.pass(len(s.pending)) }

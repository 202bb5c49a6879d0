package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// step is a run or a proposal, in the order in which a reader wants to hear of them.
type step struct {
	number   int    // of the run, from 1
	why      string // it was run
	run      *shown
	judged   bool // it is the last of the recipe's own
	proposal *proposal
}

// steps tells the transcript's story.
func (t *transcript) steps() []step {
	var steps []step
	next := 0
	runs := func(until int, why string) {
		for ; next < min(until, len(t.Runs)); next++ {
			steps = append(steps, step{number: next + 1, why: why, run: &t.Runs[next], judged: next+1 == t.Own})
		}
	}
	why := "the recipe's own"
	if t.Plain {
		why += ", without what a shell would do"
	}
	runs(t.Own, why)
	for i := range t.Proposals {
		p := &t.Proposals[i]
		if p.Asked {
			runs(p.Run-1, "an additional check")
			runs(p.Run, p.Method+" asks")
			continue
		}
		steps = append(steps, step{proposal: p})
	}
	runs(len(t.Runs), "an additional check")
	return steps
}

// story prints a transcript for people.
type story struct {
	*terminal
	b    strings.Builder
	full bool
}

// How many lines of a stream are shown, if not all are: its beginning and its end.
const (
	headLines = 10
	tailLines = 4
)

// explain prints what became of a recipe, and why, and returns what the program is to
// end with.
func (t *terminal) explain(w *work, full bool) error {
	if t.json {
		if err := t.object(explanation{w.result, w.transcript()}); err != nil {
			return err
		}
		return exitWith(w.result.Outcome.code())
	}
	s := &story{terminal: t, full: full}
	s.line("%s", t.paint(bold, w.title()))
	told := w.transcript()
	for _, step := range told.steps() {
		if step.run != nil {
			s.run(step)
		} else {
			s.proposal(step.proposal)
		}
		if step.judged {
			s.judged(told)
		}
	}
	s.line("")
	s.b.WriteString(t.lines(&w.result))
	if _, err := io.WriteString(t.out, s.b.String()); err != nil {
		return err
	}
	return exitWith(w.result.Outcome.code())
}

// title names the recipe and what is known of it.
func (w *work) title() string {
	title := w.source.tool
	if w.source.path != "" {
		title = w.source.path + ": " + title
	}
	if v := w.installed().Version; v != "" {
		return oneLine(title + ", version " + v)
	}
	return oneLine(title + ", version not known")
}

func (s *story) line(format string, args ...any) { fmt.Fprintf(&s.b, format+"\n", args...) }

// run shows a run.
func (s *story) run(step step) {
	r := step.run
	s.line("")
	s.line("%2d. %s  %s", step.number, s.paint(bold, oneLine(command.Join(r.Argv))), s.paint(faint, "("+step.why+")"))
	s.line("    %s, %s", r.ending(), r.Duration.Round(time.Millisecond))
	s.stream("stdout", r.Stdout)
	s.stream("stderr", r.Stderr)
	if r.Stdout+r.Stderr == "" {
		s.line("    nothing was printed")
	}
}

// ending says how a run ended.
func (r shown) ending() string {
	switch {
	case r.TimedOut:
		return "stopped at the time limit"
	case r.Signal != "":
		return "died of " + r.Signal
	}
	return fmt.Sprintf("exit code %d", r.ExitCode)
}

// stream shows what was printed to a stream.
func (s *story) stream(name, text string) {
	head, tail := headLines, tailLines
	if s.full {
		head, tail = len(text), 0
	}
	for _, line := range s.quoted(name, text, head, tail) {
		s.line("    %s", line)
	}
}

// quoted returns the lines of a stream that are shown, each behind the stream's name.
func (t *terminal) quoted(name, text string, head, tail int) []string {
	if text == "" {
		return nil
	}
	var quoted []string
	lines, left := linesFor(text, head, tail)
	for i, line := range lines {
		if left > 0 && i == head {
			quoted = append(quoted, name+" "+t.paint(faint, fmt.Sprintf("│ … %d lines, shown by --full", left)))
		}
		quoted = append(quoted, name+" "+t.paint(faint, "│ ")+line)
	}
	return quoted
}

// linesFor returns the lines of a stream as they are shown: the first head and the last
// tail ones, and how many were left out between them.
func linesFor(text string, head, tail int) (lines []string, left int) {
	lines = strings.Split(strings.TrimRight(text, "\n"), "\n")
	if left = len(lines) - head - tail; left > 1 {
		lines = append(lines[:head:head], lines[len(lines)-tail:]...)
	} else {
		left = 0
	}
	for i, line := range lines {
		lines[i] = visible(strings.ReplaceAll(strings.TrimRight(line, "\r"), "\t", "    "))
	}
	return lines, left
}

// judged shows how the recipe's own check did.
func (s *story) judged(t *transcript) {
	s.line("")
	s.line("    %s", s.paint(bold, "Judged"))
	for _, e := range t.Expected {
		s.expectation(e)
	}
	if t.Verdict == "" {
		return
	}
	s.line("")
	s.line("    %s", s.paint(bold, "The output says of the install: "+t.Verdict))
	for _, e := range t.Evidence {
		s.line("      %s", oneLine(e.String()))
	}
}

// expectation shows one thing that was asked for.
func (s *story) expectation(e expectation) {
	mark := s.paint(red, "✗")
	if e.Met {
		mark = s.paint(green, "✓")
	}
	s.line("      %s %s", mark, oneLine(e.String()))
}

// String says what was asked for and what was seen.
func (e expectation) String() string {
	text := e.Field + ": " + e.Expected
	if strings.Contains(e.Field, "pattern") {
		text = fmt.Sprintf("%s: %q", e.Field, e.Expected)
	}
	switch {
	case e.Line > 0:
		text += fmt.Sprintf(" stands in %s line %d, byte %d", e.Stream, e.Line, e.Offset)
	case e.Met:
	case e.Seen != "":
		text += " is expected, saw " + e.Seen
	default:
		text += " is not in the output"
	}
	return text
}

// accepted says what it takes.
const accepted = "accepted: it passes, and a broken install would fail it"

// proposal shows what a rule proposed, and what came of it.
func (s *story) proposal(p *proposal) {
	s.line("")
	s.line("    %s proposes %s", s.paint(bold, p.Method), oneLine(p.Check.String()))
	if !p.Accepted {
		s.line("      %s refused: %s", s.paint(red, "✗"), p.Refusal)
		return
	}
	s.line("      %s %s", s.paint(green, "✓"), accepted)
	for _, e := range p.Found {
		s.expectation(e)
	}
}

package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mendkit/mend/command"
)

// story prints a transcript for people.
type story struct {
	*terminal
	b    strings.Builder
	t    *transcript
	next int // first run that was not shown
	full bool
}

// How many lines of a stream are shown, if not all are: its beginning and its end.
const (
	headLines = 10
	tailLines = 4
)

// explain prints what became of a recipe, and why.
func (t *terminal) explain(w *work, full bool) error {
	s := &story{terminal: t, t: w.transcript(), full: full}
	s.line("%s", t.paint(bold, w.title()))
	if len(s.t.Runs) > 0 && w.source.recipe.Verify != nil {
		why := "the recipe's own"
		if _, err := command.Split(w.source.recipe.Verify.Command); err != nil {
			why = "the recipe's own, without what a shell would do"
		}
		for range w.retries() + len(w.ownRuns()) {
			s.run(why)
		}
	}
	s.judged()
	for i := range s.t.Proposals {
		s.proposal(&s.t.Proposals[i])
	}
	s.line("")
	s.b.WriteString(t.lines(&w.result))
	_, err := io.WriteString(t.out, s.b.String())
	return err
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

// run shows the next run.
func (s *story) run(why string) {
	r := s.t.Runs[s.next]
	s.next++
	s.line("")
	s.line("%2d. %s  %s", s.next, s.paint(bold, oneLine(command.Join(r.Argv))), s.paint(faint, "("+why+")"))
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
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if !s.full && len(lines) > headLines+tailLines+1 && i >= headLines && i < len(lines)-tailLines {
			if i == headLines {
				s.line("    %s %s", name, s.paint(faint, fmt.Sprintf("│ … %d lines, shown by --full", len(lines)-headLines-tailLines)))
			}
			continue
		}
		s.line("    %s %s", name, s.paint(faint, "│ ")+visible(strings.ReplaceAll(strings.TrimRight(line, "\r"), "\t", "    ")))
	}
}

// judged shows how the recipe's own check did.
func (s *story) judged() {
	if len(s.t.Expected) > 0 {
		s.line("")
		s.line("    %s", s.paint(bold, "Judged"))
	}
	for _, e := range s.t.Expected {
		s.expectation(e)
	}
	if s.t.Verdict == "" {
		return
	}
	s.line("")
	s.line("    %s", s.paint(bold, "The output says of the install: "+s.t.Verdict))
	for _, e := range s.t.Evidence {
		s.line("      %s", oneLine(e.String()))
	}
}

// expectation shows one thing that was asked for.
func (s *story) expectation(e expectation) {
	mark := s.paint(red, "✗")
	if e.Met {
		mark = s.paint(green, "✓")
	}
	text := fmt.Sprintf("%s: %s", e.Field, e.Expected)
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
	s.line("      %s %s", mark, oneLine(text))
}

// proposal shows what a rule proposed, and what came of it.
func (s *story) proposal(p *proposal) {
	if p.Asked {
		for s.next < p.Run-1 {
			s.run("an additional check")
		}
		if s.next < p.Run {
			s.run(p.Method + " asks")
		}
		return
	}
	s.line("")
	s.line("    %s proposes %s", s.paint(bold, p.Method), oneLine(p.Check.String()))
	if !p.Accepted {
		s.line("      %s refused: %s", s.paint(red, "✗"), p.Refusal)
		return
	}
	s.line("      %s accepted: it passes, and a broken install would fail it", s.paint(green, "✓"))
	for _, e := range p.Found {
		s.expectation(e)
	}
}

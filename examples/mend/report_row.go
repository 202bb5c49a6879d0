package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// row is a recipe as the page's table shows it.
type row struct {
	*result
	Rank      int    // of what the check proves; 0 if it does not pass
	Signature string // of what decided, if the recipe was refused
	Proves    string
	How       string
	Time      string
	Unit      string // of the runs, where no heading says it
	Millis    int64
	Summary   string // the check that passes, or why none does
	Blocks    []block
}

// block is a run or a proposal in a transcript.
type block struct {
	Command string
	About   string
	Streams []stream
	Silent  bool // nothing was printed
	Notes   []note
}

// stream is what a run printed to stdout or stderr.
type stream struct {
	Name  string
	Lines []streamLine
}

// streamLine is a line of a stream.
type streamLine struct {
	Text    string
	Decided bool // it is evidence, or holds the pattern
}

// note is a line below a run or a proposal.
type note struct{ Class, Text string }

// How many lines of a stream the page holds: of some tools' help texts, two screens.
const (
	pageHead = 40
	pageTail = 10
)

// newRow returns the row of a recipe. The transcript is nil if nothing was run.
func newRow(r *result, t *transcript) *row {
	r = new(*r) // the caller's stays as it is
	r.File, r.Version = oneLine(r.File), oneLine(r.Version)
	r.Tool = cmp.Or(oneLine(r.Tool), r.File)
	out := &row{result: r, Time: spaced(r.Duration), Millis: r.Duration.Milliseconds(), Unit: plural(r.Runs, "run"), How: oneLine(r.Method)}
	switch r.Outcome {
	case passed, mended:
		out.Rank, out.Proves, out.Summary = 1+int(r.Strength), r.Strength.String(), r.Check.String()
	default:
		r.Category = mend.ErrorCategory(oneLine(string(r.category())))
		out.How, out.Summary = string(r.Category), r.Reason
		said := r.Message
		if e := r.telling(); e != nil {
			out.Signature = oneLine(e.Signature)
			said = cmp.Or(strings.TrimSpace(e.Text), said)
		}
		if said != "" && r.Outcome == failed && len(r.Findings) == 0 {
			out.Summary += " — " + said
		}
	}
	out.Summary = cmp.Or(oneLine(out.Summary), "nothing to say")
	if t == nil {
		return out
	}
	for _, s := range t.steps() {
		out.Blocks = append(out.Blocks, t.block(s))
	}
	return out
}

// block returns a step as the page shows it.
func (t *transcript) block(s step) block {
	if p := s.proposal; p != nil {
		b := block{Command: oneLine(p.Check.String()), About: oneLine(p.Method) + " proposes"}
		if !p.Accepted {
			b.Notes = []note{{"bad", "refused: " + p.Refusal}}
			return b
		}
		b.Notes = append(b.Notes, note{"good", accepted})
		for _, e := range p.Found {
			b.Notes = append(b.Notes, e.note())
		}
		return b
	}
	r := s.run
	b := block{
		Command: oneLine(command.Join(r.Argv)), About: oneLine(s.why) + ": " + r.ending() + ", " + spaced(r.Duration.Round(time.Millisecond)),
		Silent: r.Stdout+r.Stderr == "",
	}
	for _, name := range []string{"stdout", "stderr"} {
		if text := map[string]string{"stdout": r.Stdout, "stderr": r.Stderr}[name]; text != "" {
			b.Streams = append(b.Streams, t.stream(name, text, s.number))
		}
	}
	if s.judged {
		for _, e := range t.Expected {
			b.Notes = append(b.Notes, e.note())
		}
		for _, e := range t.Evidence {
			b.Notes = append(b.Notes, note{string(e.Kind), oneLine("looks " + t.Verdict + ": " + e.String())})
		}
	}
	return b
}

func (e expectation) note() note {
	if e.Met {
		return note{"good", oneLine(e.String())}
	}
	return note{"bad", oneLine(e.String())}
}

// stream returns what a run printed, with the lines marked that decided.
func (t *transcript) stream(name, text string, run int) stream {
	out := stream{Name: name}
	lines, left := linesFor(text, pageHead, pageTail)
	decided := t.decided(name, run)
	for i, text := range lines {
		if left > 0 && i == pageHead {
			out.Lines = append(out.Lines, streamLine{Text: "… " + grouped(left) + " lines are left out"})
		}
		mark := slices.ContainsFunc(decided, func(d string) bool { return strings.Contains(text, d) })
		out.Lines = append(out.Lines, streamLine{text, mark})
	}
	return out
}

// decided returns the text of a stream that was decided by.
func (t *transcript) decided(stream string, run int) []string {
	var texts []string
	add := func(text, where string) {
		if text = oneLine(text); text != "" && where == stream {
			texts = append(texts, text)
		}
	}
	if run == t.Own {
		for _, e := range t.Evidence {
			add(e.Text, e.Stream)
		}
		for _, e := range t.Expected {
			add(e.Expected, e.Stream)
		}
	}
	for _, p := range t.Proposals {
		for _, e := range p.Found {
			if p.Run == run {
				add(e.Expected, e.Stream)
			}
		}
	}
	return texts
}

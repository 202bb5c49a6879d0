package command

import (
	"cmp"
	"slices"
	"strings"
)

// Bounds of what is read and said. A line that is longer is no command that
// anybody wrote, and what stands behind 64 findings helps nobody.
const (
	maxLine     = 4096 // bytes
	maxFindings = 64
)

// linter reads one line, in one pass from left to right: what a command may do can
// depend on what stands before it, as with a file that was just downloaded.
type linter struct {
	line    string
	profile *Profile
	found   []note
	doubt   bool // there is an error that leaves only what is fatal to be said

	functions map[string]*function // of the line, by name
	downloads int                  // downloaders seen so far
	files     map[string]bool      // what they wrote, as cleaned paths
	sockets   map[string]bool      // streams that lead to the network
	allowed   map[string]bool      // the profile's programs; nil until it pays
	started   int                  // programs that find starts, so far
	asked     int                  // how often a program was looked for in the list
}

// function is a function that the line defines.
type function struct {
	body []*list
	fed  bool // its body was looked at with a stream before it
}

// scope is what surrounds a command and decides how it is read. It is handed on by
// value: what a command changes holds for what is inside it, and not for what comes
// behind it.
type scope struct {
	level  int    // how many texts it stands in
	nested bool   // a shell reads it, whoever starts the line
	quiet  bool   // only what is fatal counts, since it may be no shell text
	stdin  *input // where its standard input comes from; nil: nothing that the line names
	socket bool   // one of its streams leads to the network
	sink   bool   // its output goes to a program that sends it away
	starts int    // how many programs start each other before it
	remote bool   // its output is written to a file and comes from a downloader
}

// input is where a command's standard input comes from. It matters to programs that
// run what they read; no other rule looks at it.
type input struct {
	kind   inputKind
	remote bool   // a downloader runs in it
	text   string // of inputText
	word   word   // of inputText the word that holds it, of inputFile the file's name
}

// input returns where the standard input comes from; it is not to be changed.
func (sc *scope) input() *input {
	if sc.stdin == nil {
		return &noInput
	}
	return sc.stdin
}

// Inputs of which there is nothing more to know.
var (
	noInput    input
	pipeInput  = input{kind: inputPipe}
	remotePipe = input{kind: inputPipe, remote: true}
)

// pipeFrom returns the input of a command behind a pipe.
func pipeFrom(remote bool) *input {
	if remote {
		return &remotePipe
	}
	return &pipeInput
}

type inputKind uint8

const (
	inputNone    inputKind = iota // nothing that the line names
	inputPipe                     // what another command writes
	inputText                     // text that stands in the line
	inputUnknown                  // text that nobody can know
	inputFile
)

// note is a finding of which the text has yet to be written: of many that a line
// may have, few are shown.
type note struct {
	kind
	what       *saying
	shown      string // the text concerned
	start, end int
	whole      *Finding // if it is written already
}

// report notes a finding about a word.
func (l *linter) report(sc *scope, code FindingCode, detail string, w word) {
	k := kind{code, detail}
	if what, ok := sayings[k]; ok {
		l.note(sc, k, what, w)
		return
	}
	r := refusals[detail]
	l.note(sc, k, &saying{SeverityError, r.says, r.hint}, w)
}

// note notes what there is to say about a word, unless only what is fatal counts.
func (l *linter) note(sc *scope, k kind, what *saying, w word) {
	if what.severity >= SeverityFatal || !sc.quiet && !l.doubt {
		l.found = append(l.found, note{kind: k, what: what, shown: w.shown(), start: w.start, end: w.end})
	}
}

// add notes a finding that is written already.
func (l *linter) add(f Finding) {
	what := &saying{severity: f.Severity}
	l.found = append(l.found, note{kind: kind{f.Code, f.Detail}, what: what, start: f.Start, end: f.End, whole: &f})
}

// finding writes the finding.
func (n *note) finding() Finding {
	if n.whole != nil {
		return *n.whole
	}
	return Finding{
		Code:     n.code,
		Detail:   n.detail,
		Severity: n.what.severity,
		Message:  strings.Replace(n.what.says, "%q", quoteShort(n.shown), 1),
		Hint:     n.what.hint,
		Start:    n.start,
		End:      n.end,
	}
}

// shown returns a word as it is quoted to people: without its quotes, since those
// of the message are round it, unless it has parts that only show as they stand.
func (w *word) shown() string {
	if w.raw != "" && !w.known() {
		return w.raw
	}
	return w.text
}

// danger notes that a command would do harm.
func (l *linter) danger(sc *scope, detail string, w word) {
	l.report(sc, DangerousCommand, detail, w)
}

// opaque notes that it cannot be seen what a command does.
func (l *linter) opaque(sc *scope, detail string, w word) {
	l.report(sc, OpaqueCommand, detail, w)
}

// findings returns what was found, in order, without what beside an unreadable
// line would be a guess. What is fatal is no guess: it holds of the line as it
// would have been read.
func (l *linter) findings() []Finding {
	notes := l.found
	if slices.ContainsFunc(notes, isDoubt) {
		notes = slices.DeleteFunc(notes, func(n note) bool { return !isDoubt(n) && n.what.severity < SeverityFatal })
	}
	slices.SortFunc(notes, compareNotes)
	notes = slices.CompactFunc(notes, func(a, b note) bool {
		return a.kind == b.kind && a.start == b.start && a.end == b.end
	})
	if len(notes) == 0 {
		return nil
	}
	found := make([]Finding, min(len(notes), maxFindings))
	for i := range found {
		found[i] = notes[i].finding()
	}
	return found
}

// isDoubt reports whether a finding says that the line cannot be read as what it
// should be.
func isDoubt(n note) bool {
	return (n.code == SyntaxError || n.code == InvalidFormat) && n.what.severity == SeverityError
}

// compareNotes orders findings by where they begin, the worst first.
func compareNotes(a, b note) int {
	if a.start != b.start {
		return cmp.Compare(a.start, b.start)
	}
	return cmp.Or(
		cmp.Compare(b.what.severity, a.what.severity),
		cmp.Compare(a.code, b.code),
		cmp.Compare(a.detail, b.detail),
		cmp.Compare(a.end, b.end),
		cmp.Compare(a.shown, b.shown),
	)
}

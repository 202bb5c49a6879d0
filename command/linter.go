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

// linter reads one line.
type linter struct {
	line    string
	profile *Profile
	found   []Finding
	doubt   bool // there is an error that leaves only what is fatal to be said

	functions map[string]*function // of the line, by name
	downloads int                  // downloaders seen so far
	files     map[string]bool      // what they wrote, as cleaned paths
	sockets   map[string]bool      // streams that lead to the network
	allowed   map[string]bool      // the profile's programs; nil until it pays
	asked     int                  // how often a program was looked for in the list
}

// function is a function that the line defines.
type function struct {
	body []*list
	fed  bool // its body was looked at with a stream before it
}

// scope is what surrounds a command and decides how it is read.
type scope struct {
	level  int   // how many texts it stands in
	nested bool  // a shell reads it, whoever starts the line
	quiet  bool  // only what is fatal counts, since it may be no shell text
	input  input // where its standard input comes from
	socket bool  // one of its streams leads to the network
	sink   bool  // its output goes to a program that sends it away
	remote bool  // its output is written to a file and comes from a downloader
}

// input is where a command's standard input comes from.
type input struct {
	kind   inputKind
	remote bool   // a downloader runs in it
	text   string // of inputText
	word   word   // of inputText the word that holds it, of inputFile the file's name
}

type inputKind uint8

const (
	inputNone    inputKind = iota // nothing that the line names
	inputPipe                     // what another command writes
	inputText                     // text that stands in the line
	inputUnknown                  // text that nobody can know
	inputFile
)

// report notes a finding about a word.
func (l *linter) report(sc *scope, code FindingCode, detail string, w word) {
	what, ok := sayings[kind{code, detail}]
	if !ok {
		r := refusals[detail]
		what = saying{SeverityError, r.says, r.hint}
	}
	if what.severity < SeverityFatal && (sc.quiet || l.doubt) {
		return
	}
	l.found = append(l.found, Finding{
		Code:     code,
		Detail:   detail,
		Severity: what.severity,
		Message:  strings.Replace(what.says, "%q", quoteShort(w.shown()), 1),
		Hint:     what.hint,
		Start:    w.start,
		End:      w.end,
	})
}

// shown returns a word as it is quoted to people.
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
// line would be a guess.
func (l *linter) findings() []Finding {
	found := l.found
	if slices.ContainsFunc(found, isDoubt) {
		found = slices.DeleteFunc(found, func(f Finding) bool { return !isDoubt(f) && f.Severity < SeverityFatal })
	}
	slices.SortFunc(found, compareFindings)
	found = slices.CompactFunc(found, func(a, b Finding) bool {
		return a.Code == b.Code && a.Detail == b.Detail && a.Start == b.Start && a.End == b.End
	})
	if len(found) == 0 {
		return nil
	}
	return slices.Clip(found[:min(len(found), maxFindings)])
}

// isDoubt reports whether a finding says that the line cannot be read as what it
// should be.
func isDoubt(f Finding) bool {
	return (f.Code == SyntaxError || f.Code == InvalidFormat) && f.Severity == SeverityError
}

// compareFindings orders findings by where they begin, the worst first.
func compareFindings(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Start, b.Start),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Detail, b.Detail),
		cmp.Compare(a.End, b.End),
		cmp.Compare(a.Message, b.Message),
	)
}

package mend

import (
	"slices"
	"strings"
)

// reading is what one observation shows on its own: which signatures stand
// where. It decides nothing.
type reading struct {
	obs    Observation
	tool   string
	args   []string      // what the tool was given
	text   [2]string     // stdout and stderr, as a reader sees them
	hidden [2]string     // text without the tool's own paths; see masked
	own    []workingSign // complaints; see complaintSigns
	echo   [2]echoMemo

	broken      []sighting
	environment []sighting
	complaints  []sighting
	versions    []sighting // lines with the word version
	usages      []usageLine
	options     int // lines that describe an option
}

// sighting is one place where a signature stands.
type sighting struct {
	sig    *signature
	line   outputLine
	at     int  // offset in the stream
	end    int  // behind the phrase, as far as its first asterisk
	echoes bool // the line names what the tool was given
}

// workingSign is something that shows that the tool itself ran.
type workingSign struct {
	name   string
	stream int
	at     int // offset in the stream
	line   string
	echo   bool // it names what the tool was given
	own    bool // it comes under the name of the tool
	tells  bool // it is the tool's own voice: a fault printed before it did not stop the tool
}

func (w workingSign) evidence() Evidence {
	return outputLine{text: w.line, stream: w.stream}.evidence(w.name, EvidenceWorking)
}

// maxSightings bounds how often a phrase is looked at in one stream. The last
// lines are read in any case.
const maxSightings = 24

// walksPerSighting is how many times as often a text may hold what one of the
// phrases begins with.
const walksPerSighting = 10

// tailReach is how much of a stream's end is read again when a phrase occurred
// too often, since the last line usually tells.
const tailReach = 2 << 10

// read reads an observation.
func read(o Observation) *reading {
	r := &reading{obs: o, tool: launchedTool(o.Argv)}
	if len(o.Argv) > 1 {
		r.args = o.Argv[1:]
	}
	for i, text := range [2]string{o.Stdout, o.Stderr} {
		text = PlainText(text)
		r.text[i] = text
		if text == "" {
			continue
		}
		if full := r.scan(i, text, 0, maxSightings); full && len(text) > tailReach {
			r.scan(i, text, len(text)-tailReach, tailReach)
		}
		r.options += countOptionLines(text)
		if u, ok := findSynopsis(text, i, r.tool); ok {
			r.usages = append(r.usages, u)
		}
	}
	return r
}

// scan records the signatures in text from offset base on, each phrase limit
// times at most, and reports whether one of them stood there more often.
func (r *reading) scan(stream int, text string, base, limit int) (full bool) {
	idx := signatures()
	seen := make([]uint16, len(idx.rows))
	passedOver := idx.each(text[base:], limit*walksPerSighting, func(phrase, start int) {
		if int(seen[phrase]) == limit {
			full = true
			return
		}
		seen[phrase]++
		r.sight(stream, text, base+start, base+start+len(idx.phrases[phrase]), idx.rows[phrase])
	})
	return full || passedOver
}

// sight records a phrase if the line it stands on is what its signature asks for.
func (r *reading) sight(stream int, text string, at, end int, row phraseRow) {
	sig := row.sig
	if sig.kind == EvidenceWorking && sig.name == "usage" {
		if u, ok := readUsage(text, stream, at, end-at, r.tool); ok {
			r.usages = append(r.usages, u)
		}
		return
	}
	line := lineAround(text, stream, at)
	if sig.lineStart && strings.TrimLeft(line.text[:at-line.start], " \t") != "" ||
		len(row.rest) > 0 && !matchParts(line.text[min(len(line.text), end-line.start):], row.rest) ||
		sig.form != nil && !sig.form(line, at) ||
		containsFold(line.text, sig.except) ||
		sig.speakers != "" && spokenFor(r.tool, sig.speakers) ||
		sig.kind == EvidenceBroken && sig.weight != weightProof && isOptionLine(line.text) {
		return
	}
	s := sighting{sig: sig, line: line, at: at, end: end, echoes: r.echoesIn(line, sig.name == "complaint.option")}
	switch {
	case sig.kind == EvidenceEnvironment:
		r.environment = append(r.environment, s)
	case sig.kind == EvidenceBroken:
		r.broken = append(r.broken, s)
	case sig.name == "version":
		r.versions = append(r.versions, s)
	case strings.HasPrefix(sig.name, "complaint."):
		r.complaints = append(r.complaints, s)
	}
}

// echoMemo is the last answer of echoesIn: several phrases may stand on a line.
type echoMemo struct {
	line   outputLine
	echoes bool
}

func (r *reading) echoesIn(line outputLine, complaint bool) bool {
	memo := &r.echo[0]
	if complaint {
		memo = &r.echo[1]
	}
	if memo.line != line {
		*memo = echoMemo{line, echoes(line.text, r.args, complaint)}
	}
	return memo.echoes
}

// spokenFor reports whether the tool is one of the programs that a runtime's
// signature belongs to.
func spokenFor(tool, speakers string) bool {
	for prefix := range strings.SplitSeq(speakers, " ") {
		if rest, ok := strings.CutPrefix(strings.ToLower(tool), strings.ToLower(prefix)); ok && (rest == "" || !isLetter(rest[0])) {
			return true
		}
	}
	return false
}

// isEmpty reports whether the tool printed nothing but blanks.
func (r *reading) isEmpty() bool {
	return strings.TrimSpace(r.text[0]) == "" && strings.TrimSpace(r.text[1]) == ""
}

// ownUsage returns the first usage that names the tool.
func (r *reading) ownUsage() (usageLine, bool) {
	i := slices.IndexFunc(r.usages, func(u usageLine) bool { return u.own })
	if i < 0 {
		return usageLine{}, false
	}
	return r.usages[i], true
}

// foreignUsage returns the first usage that names another program, if none
// names the tool.
func (r *reading) foreignUsage() (usageLine, bool) {
	if _, own := r.ownUsage(); own {
		return usageLine{}, false
	}
	i := slices.IndexFunc(r.usages, func(u usageLine) bool {
		return u.name >= 0 && strings.Count(u.word, ".") < 2 && isNameWord(strings.Trim(u.word, "'\"`")) && !relatedProgram(u.word, r.tool)
	})
	if i < 0 {
		return usageLine{}, false
	}
	return r.usages[i], true
}

// isHelp reports whether the output is the tool's help text: its usage, or a list
// of options in a text that names it and no other program.
func (r *reading) isHelp() bool {
	if _, own := r.ownUsage(); own {
		return true
	}
	if _, foreign := r.foreignUsage(); foreign {
		return false
	}
	return (r.options >= 3 || r.options > 0 && len(r.usages) > 0) && r.namesTool()
}

// namesTool reports whether the tool's name stands in the output as a word, be it
// without the version that the program's name ends in.
func (r *reading) namesTool() bool {
	name := programName(r.tool)
	name = strings.TrimRight(strings.TrimRight(name, "0123456789."), "-_")
	for _, text := range r.text {
		n := 0
		for at := range occurrences(text, name) {
			end := at + len(name)
			if (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isLetter(text[end])) {
				return true
			}
			if n++; n == maxNames {
				break
			}
		}
	}
	return false
}

// lastLine returns the last line of a stream that is not blank.
func (r *reading) lastLine(stream int) outputLine {
	text := strings.TrimRight(r.text[stream], " \t\n")
	if text == "" {
		return outputLine{stream: stream}
	}
	return lineAround(text, stream, len(text)-1)
}

// masked returns a stream's text without the tool's own paths.
func (r *reading) masked(stream int) string {
	if r.hidden[stream] == "" {
		r.hidden[stream] = r.ownPaths(Installed{}).mask(r.text[stream])
	}
	return r.hidden[stream]
}

// ownPaths returns which paths in the output are the tool's own.
func (r *reading) ownPaths(in Installed) ownPaths {
	p := ownPaths{dir: in.Dir, tool: r.tool, version: in.Version}
	if len(r.obs.Argv) > 0 {
		p.argv0 = r.obs.Argv[0]
	}
	return p
}

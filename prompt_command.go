package mend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// CommandRepair is a command line that was given for a request, and what is wrong
// with it.
type CommandRepair struct {
	Request    string            // what the command is to do
	Candidate  string            // the line as it was given
	Findings   []command.Finding // about Candidate
	Profile    *command.Profile  // what it was linted with; nil means an unknown platform and any program
	Attempt    int               // which repair this is, from 1
	Max        int               // how many there are
	Earlier    []string          // what was given before Candidate, oldest first
	Confidence *float64          // claimed for Candidate; nil if none was
}

// Bounds of what a prompt shows.
const (
	shownErrors   = 20
	shownWarnings = 10
	shownEarlier  = 3
	shownSpan     = 80 // bytes
	shownPrograms = 40 // of the allowed ones; of more, the nearest
	nearPrograms  = 10
)

// BuildRepairPrompt returns what a model is told that is to write a command anew, or,
// if nothing is wrong but it was not sure, to look at it once more. It is empty if
// there is nothing to say, or if a finding is fatal: no model is asked to write that
// in other words. It is a pure function; a nil sanitizer means NewSanitizer(nil).
func BuildRepairPrompt(s *Sanitizer, in CommandRepair) Clean {
	return repairPrompt(s, in, outputFormat)
}

// repairPrompt is BuildRepairPrompt with another form of the answer.
func repairPrompt(s *Sanitizer, in CommandRepair, format string) Clean {
	p := newCommandPrompt(s, in)
	switch {
	case p.fatal, len(p.errors) == 0 && in.Confidence == nil:
		return Clean{}
	case len(p.errors) == 0:
		p.say("COMMAND REFINEMENT").say(fencedIsData)
	default:
		p.say("COMMAND REPAIR %d of %d", in.Attempt, in.Max).say(fencedIsData)
	}
	p.fence("ORIGINAL REQUEST", in.Request)
	p.fence("FAILED COMMAND", in.Candidate)
	if n := len(in.Earlier); n > 0 {
		p.fence("EARLIER ATTEMPTS", in.Earlier[max(0, n-shownEarlier):]...)
	}
	p.findings("ERRORS", p.errors, shownErrors)
	p.findings("WARNINGS (they do not block)", p.warnings, shownWarnings)
	if len(p.errors) == 0 {
		p.say("CONFIDENCE: %.2f", *in.Confidence)
	}
	p.surroundings()
	p.say("RISK LEVEL: %s", p.risk())
	if len(p.errors) == 0 {
		p.say("YOUR TASK\n%s", refineTask)
	} else {
		p.say("YOUR TASK\n%s", repairTask)
	}
	p.guidance()
	p.say("OUTPUT FORMAT\n%s", format)
	return p.clean()
}

// requestPrompt asks for a command in the first place.
func requestPrompt(s *Sanitizer, request string, profile *command.Profile) Clean {
	p := newCommandPrompt(s, CommandRepair{Request: request, Profile: profile})
	p.say("COMMAND REQUEST").say(fencedIsData)
	p.fence("ORIGINAL REQUEST", request)
	p.surroundings()
	p.say("YOUR TASK\n%s", requestTask)
	p.say("OUTPUT FORMAT\n%s", outputFormat)
	return p.clean()
}

// commandPrompt is a prompt about one command line.
type commandPrompt struct {
	*promptWriter
	in               CommandRepair
	errors, warnings []command.Finding
	fatal            bool
	taken            *strings.Replacer // of the words that the sanitizer took out of the candidate
}

func newCommandPrompt(s *Sanitizer, in CommandRepair) *commandPrompt {
	if in.Profile == nil {
		in.Profile = &command.Profile{}
	}
	p := &commandPrompt{promptWriter: newPrompt(s), in: in}
	for _, f := range in.Findings {
		switch {
		case f.Severity >= command.SeverityFatal:
			p.fatal = true
		case f.Severity == command.SeverityError:
			p.errors = append(p.errors, f)
		case f.Severity == command.SeverityWarn:
			p.warnings = append(p.warnings, f)
		}
	}
	p.taken = takenOut(p.sanitizer, in.Candidate)
	return p
}

// shortestTaken is the length from which on a word that was taken out of a candidate
// is also taken out of what is said about it.
const shortestTaken = 4

// takenOut returns a replacer of the words of text that do not survive the sanitizer.
// A message may quote such a word alone, where nothing tells that it is a secret.
func takenOut(s *Sanitizer, text string) *strings.Replacer {
	clean := s.unlimited().Sanitize(text)
	var pairs []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'=:@", r) }) {
		if len(word) >= shortestTaken && !strings.Contains(clean, word) {
			pairs = append(pairs, word, "[REDACTED]")
		}
	}
	return strings.NewReplacer(pairs...)
}

// about cleans what is said about the candidate, and puts it on one line.
func (p *commandPrompt) about(text string) string {
	return strings.Join(strings.Fields(p.sanitizer.Sanitize(p.taken.Replace(text))), " ")
}

// findings lists findings, at most limit, and counts the rest.
func (p *commandPrompt) findings(title string, list []command.Finding, limit int) {
	if len(list) == 0 {
		return
	}
	p.say(title)
	for i, f := range list[:min(len(list), limit)] {
		label := string(f.Code)
		if f.Detail != "" {
			label += " " + f.Detail
		}
		p.line(fmt.Sprintf("%d. [%s] %s", i+1, p.about(label), p.about(f.Message)))
		if f.Start < f.End && f.Start >= 0 && f.End <= len(p.in.Candidate) {
			span := p.sanitizer.Sanitize(p.taken.Replace(p.in.Candidate[f.Start:f.End]))
			p.line(fmt.Sprintf("   at bytes %d-%d: %q", f.Start, f.End, clip(span, shownSpan)))
		}
		if f.Hint != "" {
			p.line("   hint: " + p.about(f.Hint))
		}
	}
	if more := len(list) - limit; more > 0 {
		p.line(fmt.Sprintf("and %d more", more))
	}
}

// surroundings says where the command is to run, and what it may run.
func (p *commandPrompt) surroundings() {
	platform := p.in.Profile.Platform
	if platform == "" {
		platform = "unknown"
	}
	if probed := p.probed(); probed != "" {
		platform += " (probed: " + probed + ")"
	}
	p.say("PLATFORM: %s", platform)
	allowed := p.in.Profile.AllowedTools
	switch {
	case allowed == nil:
		p.say("ALLOWED PROGRAMS: any")
	case len(allowed) == 0:
		p.say("ALLOWED PROGRAMS: none")
	default:
		p.say("ALLOWED PROGRAMS: %s", p.programs(p.in.Candidate))
	}
}

// probed lists what is known by trial of the programs that the request and the
// candidate name.
func (p *commandPrompt) probed() string {
	var known []string
	named := strings.FieldsFunc(p.in.Request+" "+p.in.Candidate, func(r rune) bool { return strings.ContainsRune(" \t\n|;&()<>`'\"/", r) })
	for _, key := range slices.Sorted(maps.Keys(p.in.Profile.Capabilities)) {
		tool, _, _ := strings.Cut(key, " ")
		if slices.Contains(named, tool) {
			answer := "no"
			if p.in.Profile.Capabilities[key] {
				answer = "yes"
			}
			known = append(known, key+" "+answer)
		}
	}
	return strings.Join(known, ", ")
}

// programs lists the allowed programs, or of very many the ones whose names are
// nearest to the wanted one's.
func (p *commandPrompt) programs(wanted string) string {
	names := slices.Clone(p.in.Profile.AllowedTools)
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) <= shownPrograms {
		return strings.Join(names, " ")
	}
	wanted, _, _ = strings.Cut(strings.TrimSpace(wanted), " ")
	near := slices.Clone(names)
	slices.SortStableFunc(near, func(a, b string) int { return editDistance(a, wanted) - editDistance(b, wanted) })
	return fmt.Sprintf("%s, and %d others", strings.Join(near[:nearPrograms], " "), len(names)-nearPrograms)
}

// editDistance returns how many bytes have to be inserted, removed or replaced to
// make b of a. Names beyond 64 bytes are compared by their beginnings.
func editDistance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// risk grades the findings.
func (p *commandPrompt) risk() string {
	switch {
	case slices.ContainsFunc(p.errors, func(f command.Finding) bool { return f.Code == command.OpaqueCommand }):
		return "high"
	case len(p.errors) > 0:
		return "moderate"
	}
	return "safe"
}

// guidance writes one paragraph for each code, in the order of the findings.
func (p *commandPrompt) guidance() {
	var said []command.FindingCode
	title := "GUIDANCE"
	for _, f := range slices.Concat(p.errors, p.warnings) {
		if slices.Contains(said, f.Code) {
			continue
		}
		said = append(said, f.Code)
		text := commandGuidance[f.Code]
		switch f.Code {
		case command.FlagNotSupported, command.ToolUnavailable:
			text = p.instead(f.Code)
		case command.ToolNotAllowed:
			text += " " + p.allowedList(f.Detail)
		}
		if text == "" {
			continue
		}
		if title != "" {
			p.line(title)
			title = ""
		}
		p.line(fmt.Sprintf("%s: %s", f.Code, text))
	}
}

// allowedList is the list of allowed programs as a sentence.
func (p *commandPrompt) allowedList(wanted string) string {
	if len(p.in.Profile.AllowedTools) == 0 {
		return "No program is allowed."
	}
	return "They are: " + p.about(p.programs(wanted)) + "."
}

// instead says what there is in place of what the platform lacks.
func (p *commandPrompt) instead(code command.FindingCode) string {
	var hints []string
	for _, f := range slices.Concat(p.errors, p.warnings) {
		if f.Code == code && f.Hint != "" {
			if hint := p.about(f.Detail + ": " + f.Hint); !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
	}
	return strings.TrimSpace(commandGuidance[code] + " " + strings.Join(hints, "; "))
}

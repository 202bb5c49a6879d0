package mend

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ParsedError is what a failed install or check comes down to. All of its text is
// sanitised.
type ParsedError struct {
	Category ErrorCategory
	Message  string // the line that decided, at most 200 bytes, or how the run ended

	// Details has what the output tells under these names: command, file, expected,
	// actual, exit_code.
	Details     map[string]string
	Suggestions []string // what to look at, for this category
}

// ParseValidationError returns what a failed run comes down to. It is a pure
// function, and never returns nil.
func ParseValidationError(stdout, stderr string, exitCode int) *ParsedError {
	return parseError(Observation{Stdout: stdout, Stderr: stderr, ExitCode: exitCode}, nil)
}

// parseReach is how much of each end of a stream is looked at.
const parseReach = 64 << 10

// parseError parses what one run printed, the failing stream first.
func parseError(o Observation, s *Sanitizer) *ParsedError {
	var lines []string
	for _, text := range []string{o.Stderr, o.Stdout} {
		lines = append(lines, strings.Split(bothEnds(PlainText(text)), "\n")...)
	}
	p := &ParsedError{Details: make(map[string]string)}
	var line string
	p.Category, line = categorize(lines, o)
	if p.Message = strings.TrimSpace(line); p.Message == "" {
		p.Message = "the program " + ended(o)
	}
	if o.ExitCode != 0 {
		p.Details["exit_code"] = strconv.Itoa(o.ExitCode)
	}
	p.readDetails(line, lines)
	p.Message = clip(s.Sanitize(p.Message), 200)
	for name, value := range p.Details {
		p.Details[name] = clip(s.Sanitize(value), 200)
	}
	p.Suggestions = slices.Clone(suggestions[p.Category])
	return p
}

// bothEnds returns the ends of a long text, without the lines that the cut goes
// through: half a line may hold half a secret, which nobody recognises.
func bothEnds(text string) string {
	if len(text) <= 2*parseReach {
		return text
	}
	head, tail := text[:parseReach], text[len(text)-parseReach:]
	_, tail, _ = strings.Cut(tail, "\n")
	return head[:strings.LastIndexByte(head, '\n')+1] + tail
}

// ended says of a program how its run ended.
func ended(o Observation) string {
	switch {
	case o.TimedOut:
		return "did not end within its time limit"
	case o.Signal != "":
		return "died of " + o.Signal
	}
	return fmt.Sprintf("ended with exit code %d", o.ExitCode)
}

// believed are the categories that signs of a broken install speak for, what says
// most first: a traceback names what is missing below.
var believed = []ErrorCategory{CategoryMissingLibrary, CategoryMissingModule, CategoryBinaryNotFound, CategoryWrongArtifact, CategoryCrashed}

// categorize returns the category, and the line that decided.
func categorize(lines []string, o Observation) (ErrorCategory, string) {
	if o.TimedOut {
		return CategoryTimedOut, ""
	}
	r := read(o)
	if verdict, evidence := r.verdict(nil, Installed{}); verdict == Broken {
		for _, c := range believed {
			for _, e := range evidence {
				if signatureCategory(e.Signature) == c && !(c == CategoryBinaryNotFound && CategoryDownloadFailed.says(e.Line)) {
					return c, wholeLine(e.Line, r.text) // a package that is not to be had is no program that is missing
				}
			}
		}
	}
	for _, row := range categoryPhrases {
		if i := slices.IndexFunc(lines, row.category.says); i >= 0 {
			return row.category, lines[i]
		}
	}
	for _, line := range lines {
		if c, ok := ofInstalling(line, r.tool); ok {
			return c, line
		}
	}
	if len(r.environment) > 0 {
		return CategoryEnvironment, wholeLine(r.environment[0].line.text, r.text)
	}
	if c, ok := shellExits[o.ExitCode]; ok {
		return c, firstLine(lines)
	}
	if len(r.complaints) > 0 {
		return CategoryVerifyFailed, wholeLine(r.complaints[0].line.text, r.text)
	}
	if len(r.usages) > 0 {
		return CategoryVerifyFailed, firstLine(lines)
	}
	return CategoryUnknown, firstLine(lines)
}

// wholeLine returns the first line of the streams that holds what may be a part of it
// only: a part of a line may be a part of a secret, which no sanitizer recognises.
func wholeLine(part string, streams [2]string) string {
	for _, text := range streams {
		if i := strings.Index(text, part); i >= 0 {
			line, _, _ := strings.Cut(text[i:], "\n")
			return text[strings.LastIndexByte(text[:i], '\n')+1:i] + line
		}
	}
	return part
}

// signatureCategory returns the category of a sign of a broken install, unknown
// for those that install logs share with other faults.
func signatureCategory(signature string) ErrorCategory {
	family, kind, _ := strings.Cut(signature, ".")
	switch {
	case kind == "missing_module":
		return CategoryMissingModule
	case signature == "exec.not_found", kind == "interpreter", family == "polite", family == "launcher", kind == "launcher":
		return CategoryBinaryNotFound
	case signature == "shell.syntax": // a program or a page that a shell reads
		return CategoryWrongArtifact
	case signature == "loader.format", signature == "exec.format", family == "page":
		return CategoryWrongArtifact
	case family == "loader":
		return CategoryMissingLibrary
	case family == "crash", kind == "crash", kind == "panic", kind == "traceback", kind == "syntax":
		return CategoryCrashed
	}
	return CategoryUnknown
}

func firstLine(lines []string) string {
	i := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
	if i < 0 {
		return ""
	}
	return lines[i]
}

// readDetails fills in what the lines tell, the deciding one first.
func (p *ParsedError) readDetails(line string, lines []string) {
	found := make(map[string]string)
	if p.Category == CategoryBinaryNotFound || p.Category == CategoryPermissionDenied {
		found["command"] = missingCommand(line)
	}
	found["file"] = pathIn(line)
	for _, l := range append([]string{line}, lines...) {
		expected, actual := comparison(l)
		if found["expected"] == "" {
			found["expected"] = expected
		}
		if found["actual"] == "" {
			found["actual"] = actual
		}
	}
	for name, value := range maps.All(found) {
		if value != "" {
			p.Details[name] = value
		}
	}
}

// missingCommand returns the program that a line says is not there, or may not be
// run.
func missingCommand(line string) string {
	for _, mark := range namedBehind {
		if k := indexFold(line, mark); k >= 0 {
			return namedFirst(line[k+len(mark):])
		}
	}
	for _, mark := range quotedBehind {
		if k := indexFold(line, mark); k >= 0 && strings.ContainsAny(line[k+len(mark):min(k+len(mark)+1, len(line))], quotes) {
			return namedFirst(line[k+len(mark):])
		}
	}
	for _, mark := range namedBefore {
		if k := indexFold(line, mark); k >= 0 {
			words := strings.TrimRight(line[:k], ": ")
			return named(words[strings.LastIndexByte(words, ' ')+1:])
		}
	}
	return ""
}

// quotes are what programs put round a name.
const quotes = "\"'`‘’“”"

// namedFirst returns the name that a text begins with: to the closing quote, or to
// the next blank.
func namedFirst(text string) string {
	if rest := strings.TrimLeft(text, quotes); rest != text {
		text, _, _ = strings.Cut(rest, " ")
		if k := strings.IndexAny(text, quotes); k >= 0 {
			text = text[:k]
		}
		return named(text)
	}
	text, _, _ = strings.Cut(text, " ")
	return named(text)
}

// named returns a name without what stands round it, or "" if that is none.
func named(word string) string {
	word = strings.Trim(word, quotes+":,;")
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return ""
	}
	return word
}

// pathIn returns the first absolute path in a line.
func pathIn(line string) string {
	for i := 0; i < len(line); i++ {
		if line[i] != '/' {
			continue
		}
		if startsPath(line, i) {
			return strings.TrimRight(line[i:pathEnd(line, i)], ".")
		}
		for i+1 < len(line) && line[i+1] == '/' { // of a URL
			i++
		}
	}
	return ""
}

// comparison returns what a line says was expected, and what was seen.
func comparison(line string) (expected, actual string) {
	for _, c := range comparisons {
		e := indexWord(line, c.expected)
		if e < 0 {
			continue
		}
		rest := line[e+len(c.expected):]
		a := indexFold(rest, c.actual)
		if a < 0 {
			continue
		}
		return compared(rest[:a]), compared(rest[a+len(c.actual):])
	}
	if value, ok := cutFold(line, "expected:"); ok {
		return compared(value), ""
	}
	for _, mark := range []string{"actual:", "got:"} {
		if value, ok := cutFold(line, mark); ok {
			return "", compared(value)
		}
	}
	return "", ""
}

// cutFold returns what follows mark at the start of a line, whatever the case.
func cutFold(line, mark string) (string, bool) {
	line = strings.TrimSpace(line)
	if !hasPrefixFold(line, mark) {
		return "", false
	}
	return line[len(mark):], true
}

// compared returns a value without what stands round it.
func compared(s string) string { return strings.Trim(s, " \t,;:.\"'`") }

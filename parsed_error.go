package mend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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
		if value = s.cleanPart(value, lines); value == "" && name != "exit_code" {
			delete(p.Details, name)
		} else if value != "" {
			p.Details[name] = clip(value, 200)
		}
	}
	p.Suggestions = slices.Clone(suggestions[p.Category])
	return p
}

// cleanPart returns a part of one of the lines sanitised, or "" if that line does not hold
// it once it is sanitised itself: without the label before it, a secret is a word.
func (s *Sanitizer) cleanPart(part string, lines []string) string {
	clean := s.Sanitize(part)
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, part) }); i < 0 || !strings.Contains(s.Sanitize(lines[i]), clean) {
		return ""
	}
	return clean
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
// most first.
var believed = []ErrorCategory{CategoryMissingLibrary, CategoryMissingModule, CategoryBinaryNotFound, CategoryWrongArtifact}

// explained are the faults that a program can end of without handling them: the error
// that it names says more than that it crashed.
var explained = []ErrorCategory{CategoryPermissionDenied, CategoryDownloadFailed, CategoryExtractionFailed, CategoryBinaryNotFound}

// categorize returns the category, and the line that decided.
func categorize(lines []string, o Observation) (ErrorCategory, string) {
	if o.TimedOut {
		return CategoryTimedOut, ""
	}
	r := read(o)
	passing := asides(lines, r.options > 1)
	fault, told := tell(lines, passing)
	if verdict, evidence := r.verdict(nil, Installed{}); verdict == Broken {
		if c, line, ok := ofBroken(evidence, fault); ok {
			return c, wholeLine(line, r.text)
		}
	}
	if fault != "" {
		return fault, told
	}
	for _, line := range lines {
		if c, ok := ofInstalling(line, r.tool); ok {
			return c, line
		}
	}
	for _, s := range r.environment {
		if !passing[s.line.text] {
			return CategoryEnvironment, wholeLine(s.line.text, r.text)
		}
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

// ofBroken returns what signs of a broken install come to, and the line of one, unless
// they come to nothing or to a crash that fault explains.
func ofBroken(evidence []Evidence, fault ErrorCategory) (ErrorCategory, string, bool) {
	for _, c := range believed {
		for _, e := range evidence {
			switch {
			case signatureCategory(e.Signature) != c:
			case c == CategoryBinaryNotFound && slices.ContainsFunc(evidence, func(o Evidence) bool { return o.Signature == "exec.format" && o.Line == e.Line }):
				return CategoryWrongArtifact, e.Line, true // it is there
			case c == CategoryBinaryNotFound && (CategoryDownloadFailed.says(e.Line) || CategoryPermissionDenied.says(e.Line) || CategoryExtractionFailed.says(e.Line)):
				// a package that is not to be had is no program that is missing
			case c == CategoryMissingModule && CategoryExtractionFailed.says(e.Line):
				return CategoryExtractionFailed, e.Line, true // it is there, and damaged
			default:
				return c, e.Line, true
			}
		}
	}
	crash := -1
	for i, e := range evidence {
		if signatureCategory(e.Signature) != CategoryCrashed || e.Signature == "crash.fatal" && indexFold(e.Line, "no such file") >= 0 {
			continue
		}
		if crash < 0 {
			crash = i
		}
		if slices.Contains(violent, e.Signature) {
			return CategoryCrashed, e.Line, true
		}
	}
	if crash < 0 || slices.Contains(explained, fault) {
		return "", "", false
	}
	return CategoryCrashed, evidence[crash].Line, true
}

// violent are the signs of a death that no error explains, whatever was printed before.
// SIGABRT is none: runtimes end by it for want of a handler.
var violent = []string{"crash.signal", "crash.sigill", "crash.sigbus", "crash.sigfpe", "crash.sigsegv"}

// tell returns the first fault, in the order of the table, that one of the lines tells
// of otherwise than in passing, and that line.
func tell(lines []string, passing map[string]bool) (ErrorCategory, string) {
	lower := make([]string, len(lines))
	for i, line := range lines {
		if !passing[line] {
			lower[i] = strings.ToLower(line)
		}
	}
	text := strings.Join(lower, "\n")
	for i := range faultRows {
		row := &faultRows[i]
		if row.category == CategoryDownloadFailed && (i == 0 || faultRows[i-1].category != CategoryDownloadFailed) {
			if k := slices.IndexFunc(lower, httpRefusal); k >= 0 {
				return CategoryDownloadFailed, lines[k]
			}
		}
		if !row.mayStandIn(text) {
			continue
		}
		if k := slices.IndexFunc(lower, func(l string) bool { return l != "" && row.says(l) }); k >= 0 {
			return row.category, lines[k]
		}
	}
	wanted := ""
	for _, line := range lines {
		expected, actual := comparison(line)
		switch {
		case expected != "" && actual != "":
			return CategoryVerifyFailed, line
		case expected != "":
			wanted = line
		case actual != "" && wanted != "":
			return CategoryVerifyFailed, wanted
		}
	}
	return "", ""
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
	case signature == "exec.not_found", signature == "shell.missing_file", kind == "interpreter", family == "polite", family == "launcher", kind == "launcher":
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

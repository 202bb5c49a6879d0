package mend

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ErrorCategory says what kind of thing went wrong with an install or its check.
type ErrorCategory string

// The categories of errors.
const (
	CategoryUnknown          ErrorCategory = "unknown"
	CategoryBinaryNotFound   ErrorCategory = "binary_not_found"
	CategoryExtractionFailed ErrorCategory = "extraction_failed"
	CategoryVerifyFailed     ErrorCategory = "verify_failed" // the tool ran, and the check was not satisfied
	CategoryPermissionDenied ErrorCategory = "permission_denied"
	CategoryDownloadFailed   ErrorCategory = "download_failed"
	CategoryMissingLibrary   ErrorCategory = "missing_library"
	CategoryMissingModule    ErrorCategory = "missing_module" // of a runtime
	CategoryWrongArtifact    ErrorCategory = "wrong_artifact" // another processor's, an error page, cut short
	CategoryCrashed          ErrorCategory = "crashed"
	CategoryTimedOut         ErrorCategory = "timed_out"
	CategoryLint             ErrorCategory = "lint"        // a command that is not run as it is written
	CategoryEnvironment      ErrorCategory = "environment" // a display, a terminal, root or the network is asked for
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
	return parseError(Observation{Stdout: stdout, Stderr: stderr, ExitCode: exitCode}, defaultSanitizer)
}

// parseReach is how much of each end of a stream is looked at.
const parseReach = 64 << 10

// parseError parses what one run printed, the failing stream first.
func parseError(o Observation, s *Sanitizer) *ParsedError {
	var lines []string
	for _, text := range []string{o.Stderr, o.Stdout} {
		text = PlainText(text)
		if len(text) > 2*parseReach {
			text = text[:parseReach] + "\n" + text[len(text)-parseReach:]
		}
		lines = append(lines, strings.Split(text, "\n")...)
	}
	p := &ParsedError{Details: make(map[string]string)}
	var line string
	p.Category, line = categorize(lines, o)
	if p.Message = strings.TrimSpace(line); p.Message == "" {
		p.Message = ended(o)
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

// ended says how a run ended that printed nothing that tells.
func ended(o Observation) string {
	switch {
	case o.TimedOut:
		return "the program did not end within its time limit"
	case o.Signal != "":
		return "the program died of " + o.Signal
	}
	return fmt.Sprintf("the program ended with exit code %d", o.ExitCode)
}

// categoryPhrases are what a line says, in lower case, in the order in which they
// are believed: a permission explains a download that could not be written, and
// that an archive that is not there. An asterisk stands for any text.
var categoryPhrases = []struct {
	category ErrorCategory
	phrases  []string
}{
	{CategoryPermissionDenied, []string{"permission denied", "operation not permitted", "eacces", "eperm", "insufficient permission", "must be run as root"}},
	{CategoryDownloadFailed, []string{
		"curl: (", "wget: unable", "wget: server", "error 404", "404 not found", "403 forbidden", "http 40", "http 50", "http error", "status code 4", "status code 5",
		"status 404", "status 403", "returned error: 4", "returned error: 5", "failed to download", "download failed", "download error", "downloading*failed", "failed to fetch", "unable to fetch",
		"could not resolve host", "temporary failure in name resolution", "no such host", "connection refused", "connection reset", "connection timed out", "network is unreachable",
		"tls handshake", "certificate verify failed", "certificate has expired", "checksum mismatch", "checksum*not match", "sha256*mismatch", "digest mismatch", "hash mismatch", "i/o timeout",
	}},
	{CategoryExtractionFailed, []string{
		"not in gzip format", "invalid gzip", "gzip: invalid", "unexpected end of file", "unexpected eof", "does not look like a tar archive", "tar: error", "tar: child returned", "archive/tar", "invalid tar header",
		"error opening archive", "unrecognized archive", "unknown archive", "unsupported archive", "end-of-central-directory", "not a zip", "not a valid zip", "zip: not a valid", "cannot find zipfile", "bad zip", "zipfile is empty",
		"xz: *format", "file format not recognized", "failed to extract", "extraction failed", "failed to unpack", "failed to decompress", "decompression failed", "corrupt", "bzip2: *not a bzip2", "bad magic number", "tar: *not found in archive",
	}},
	{CategoryBinaryNotFound, []string{
		"command not found", "executable file not found", ": not found", "no such command", "binary*not found", "executable*not found", "no executable", "bad interpreter", "failed to exec", "cannot find binary", "spawn*enoent",
	}},
	{CategoryVerifyFailed, []string{
		"verification failed", "verify failed", "verification*failed", "version mismatch", "pattern*not", "not in the output", "did not match", "does not match", "expected*got", "expected*saw", "expected*but", "want*got", "expected exit code",
	}},
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
				if signatureCategory(e.Signature) == c {
					return c, e.Line
				}
			}
		}
	}
	for _, c := range categoryPhrases {
		for _, line := range lines {
			if slices.ContainsFunc(c.phrases, func(p string) bool { return matchParts(line, splitPhrase(p)) }) {
				return c.category, line
			}
		}
	}
	if len(r.environment) > 0 {
		return CategoryEnvironment, r.environment[0].line.text
	}
	if o.ExitCode == 127 {
		return CategoryBinaryNotFound, firstLine(lines)
	}
	if o.ExitCode == 126 {
		return CategoryPermissionDenied, firstLine(lines)
	}
	if len(r.complaints) > 0 {
		return CategoryVerifyFailed, r.complaints[0].line.text
	}
	if len(r.usages) > 0 {
		return CategoryVerifyFailed, firstLine(lines)
	}
	return CategoryUnknown, firstLine(lines)
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
	case signature == "loader.format", signature == "exec.format", family == "page":
		return CategoryWrongArtifact
	case family == "loader":
		return CategoryMissingLibrary
	case family == "crash", kind == "crash", kind == "panic", kind == "traceback":
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

// missingCommand returns the program that a line says is not there.
func missingCommand(line string) string {
	if k := indexFold(line, "executable file not found"); k >= 0 {
		line = strings.TrimSuffix(strings.TrimSpace(line[:k]), ":")
		return strings.Trim(line[strings.LastIndexByte(line, ' ')+1:], "\"'`:")
	}
	for _, mark := range []string{": command not found", ": not found", ": no such command", ": bad interpreter", ": permission denied", ": no such file"} {
		if k := indexFold(line, mark); k >= 0 {
			rest := line[:k]
			return strings.Trim(rest[strings.LastIndexByte(rest, ' ')+1:], "\"'`:‘’")
		}
	}
	return ""
}

// pathIn returns the first absolute path in a line.
func pathIn(line string) string {
	for i := range len(line) {
		if line[i] == '/' && startsPath(line, i) {
			return strings.TrimRight(line[i:pathEnd(line, i)], ".")
		}
	}
	return ""
}

// comparisons are the words before what was expected and before what was seen.
var comparisons = []struct{ expected, actual string }{
	{"expected", " but got"}, {"expected", " got"}, {"expected", " actual"}, {"expected", " saw"}, {"expected", " but was"}, {"expected", " found"}, {"want", " got"}, {"want", " have"},
}

// comparison returns what a line says was expected, and what was seen.
func comparison(line string) (expected, actual string) {
	for _, c := range comparisons {
		e := indexFold(line, c.expected)
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

// suggestions say what to look at.
var suggestions = map[ErrorCategory][]string{
	CategoryBinaryNotFound: {
		"check the name and the path of the binary inside the archive", "check that the step that installs binaries lists it", "check that the command is spelt as the binary is",
	},
	CategoryExtractionFailed: {"check that the archive's format is the one that the step names", "check how many leading path components are to be stripped", "check that the URL leads to the archive and not to a page"},
	CategoryVerifyFailed:     {"check the pattern against what the tool printed", "use another option that shows the version, or the help text", "set the exit code that was seen"},
	CategoryPermissionDenied: {"check that the file's mode allows it to be executed", "install into the user's own directory"},
	CategoryDownloadFailed:   {"check the URL, and the names of system and processor in it", "check that this version has been released for this system", "check the checksum"},
	CategoryLint:             {"write one program and its arguments, which are started without a shell"},
	CategoryMissingLibrary:   {"use a statically linked build, or one for an older system", "add the package that has the library"},
	CategoryMissingModule:    {"install the module that is named, or a build that carries it", "check that the tool is started with the runtime it was installed for"},
	CategoryWrongArtifact:    {"check the names of system and processor in the URL", "check that the URL leads to the file and not to a page"},
	CategoryCrashed:          {"use another build or version of the tool"},
	CategoryTimedOut:         {"use a command that ends by itself, such as the one for help"},
	CategoryEnvironment:      {"use a command that needs no display, terminal, network or root"},
	CategoryUnknown:          {"read the output of the command"},
}

package mend

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Judgement is what [Judge] decided, expectation by expectation.
type Judgement struct {
	Passed       bool
	Expectations []Expectation // in the order of the verify section
	Notes        []string      // what was odd without failing the check, as an unknown version_format
}

// Expectation is one thing that a verify section asks for, and what was seen.
type Expectation struct {
	Field    string // "exit_code", "pattern", "patterns[1]", "additional[0].pattern" …
	Met      bool
	Expected string // with its placeholders expanded
	Seen     string // how the run ended, or why the pattern cannot be there; "" if it was found or is just missing
	Stream   string // where a pattern was found: "stdout" or "stderr", else ""
	Line     int    // line of that stream, from 1; 0 if not found
}

// String describes the first expectation that was not met, on one line.
func (j Judgement) String() string {
	for _, e := range j.Expectations {
		if e.Met {
			continue
		}
		if e.Seen == "" {
			return fmt.Sprintf("%s: %q is not in the output", e.Field, e.Expected)
		}
		return fmt.Sprintf("%s: expected %s, saw %s", e.Field, e.Expected, e.Seen)
	}
	return "passed"
}

// Judge reports whether the observations satisfy the verify section. obs holds
// the run of the primary command first, then one run for each additional check,
// in order; a missing one was not run and fails its expectations.
//
// The exit code has to be the one expected, and a run that a signal or the time
// limit ended never passes. Every pattern has to stand in one of the two
// streams, literally and case-sensitively, after {version} and {install_dir} are
// expanded and version_format is applied. ANSI sequences, carriage returns and
// the tool's own paths are out of the way before that; a pattern that names
// {install_dir} is sought in the text with its paths. A version matches as a whole word:
// 1.2 is not in 1.2.3, 11.2 or 1.2-rc1.
//
// Judge is a pure function and safe for concurrent use.
func Judge(v VerifySection, obs []Observation, in Installed) Judgement {
	var j Judgement
	version, known := formatVersion(in.Version, v.VersionFormat)
	if !known {
		j.Notes = append(j.Notes, fmt.Sprintf("unknown version_format %q, read as raw", v.VersionFormat))
	}
	in.Version = version
	j.judgeRun("", v.wantedExitCode(), v.patternFields(), obs, 0, in)
	for i, a := range v.Additional {
		fields := []patternField{{"pattern", a.Pattern}}
		j.judgeRun(fmt.Sprintf("additional[%d].", i), 0, fields, obs, i+1, in)
	}
	j.Passed = true
	for _, e := range j.Expectations {
		j.Passed = j.Passed && e.Met
	}
	return j
}

type patternField struct{ name, pattern string }

// patternFields returns the patterns that ask for something, with their names.
func (v VerifySection) patternFields() []patternField {
	fields := make([]patternField, 0, 1+len(v.Patterns))
	fields = append(fields, patternField{"pattern", v.Pattern})
	for i, p := range v.Patterns {
		fields = append(fields, patternField{"patterns[" + strconv.Itoa(i) + "]", p})
	}
	return fields
}

// claimsVersion reports whether the check asks for the version to be shown.
func (v VerifySection) claimsVersion() bool {
	for _, f := range v.patternFields() {
		if strings.Contains(f.pattern, "{version}") {
			return true
		}
	}
	return false
}

func (v VerifySection) wantedExitCode() int {
	if v.ExitCode == nil {
		return 0
	}
	return *v.ExitCode
}

// judgeRun appends the expectations about one run, obs[i].
func (j *Judgement) judgeRun(prefix string, exitCode int, fields []patternField, obs []Observation, i int, in Installed) {
	want := strconv.Itoa(exitCode)
	if i >= len(obs) {
		j.Expectations = append(j.Expectations, Expectation{Field: prefix + "exit_code", Expected: want, Seen: "no run"})
		return
	}
	o := obs[i]
	j.Expectations = append(j.Expectations, Expectation{
		Field: prefix + "exit_code", Expected: want, Seen: o.ending(),
		Met: o.Signal == "" && !o.TimedOut && o.ExitCode == exitCode,
	})
	var pages *observedText
	for _, f := range fields {
		if f.pattern == "" {
			continue
		}
		if pages == nil {
			pages = newObservedText(o, in)
		}
		e := pages.expect(f.pattern)
		e.Field = prefix + f.name
		j.Expectations = append(j.Expectations, e)
	}
}

// ending says how the run ended, in words.
func (o Observation) ending() string {
	switch {
	case o.TimedOut:
		return "the time limit"
	case o.Signal != "":
		return o.Signal
	}
	return strconv.Itoa(o.ExitCode)
}

// toolName returns the name that a command line's program goes by.
func toolName(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	return path.Base(argv[0])
}

// observedText is a run's output made ready for matching.
type observedText struct {
	in      Installed
	tool    string
	plain   [2]string // stdout, stderr
	masked  [2]string
	partial bool
}

var streamNames = [2]string{"stdout", "stderr"}

func newObservedText(o Observation, in Installed) *observedText {
	t := &observedText{in: in, tool: toolName(o.Argv), partial: o.Truncated}
	t.plain = [2]string{PlainText(o.Stdout), PlainText(o.Stderr)}
	own := ownPaths{dir: in.Dir, tool: t.tool, version: in.Version}
	if len(o.Argv) > 0 {
		own.argv0 = o.Argv[0]
	}
	t.masked = [2]string{own.mask(t.plain[0]), own.mask(t.plain[1])}
	return t
}

// expect looks for a pattern with placeholders.
func (t *observedText) expect(pattern string) Expectation {
	e := Expectation{Expected: pattern}
	if strings.Contains(pattern, "{version}") && t.in.Version == "" {
		e.Seen = "no version: the installed version is not known"
		return e
	}
	texts := t.masked
	if strings.Contains(pattern, "{install_dir}") {
		if t.in.Dir == "" {
			e.Seen = "no path: the install directory is not known"
			return e
		}
		texts = t.plain
	}
	lit := expandPattern(pattern, t.in)
	e.Expected = lit.text
	for i, text := range texts {
		if at := lit.index(text, t.tool); at >= 0 {
			e.Met, e.Stream, e.Line = true, streamNames[i], 1+strings.Count(text[:at], "\n")
			return e
		}
	}
	if t.partial {
		e.Seen = "an output whose middle was left out"
	}
	return e
}

// literal is a pattern with its placeholders expanded.
type literal struct {
	text           string
	versionAtStart bool // text begins with the version
	versionAtEnd   bool
}

func expandPattern(pattern string, in Installed) literal {
	return literal{
		text:           expand(pattern, in),
		versionAtStart: strings.HasPrefix(pattern, "{version}"),
		versionAtEnd:   strings.HasSuffix(pattern, "{version}"),
	}
}

// expand replaces the placeholders of a recipe.
func expand(s string, in Installed) string {
	if !strings.Contains(s, "{") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "{version}", in.Version), "{install_dir}", in.Dir)
}

// index returns the offset of the literal in text, or -1. Where the version
// stands at an end of the literal it has to be a whole word there.
func (l literal) index(text, tool string) int {
	for at := range occurrences(text, l.text) {
		if (!l.versionAtStart || versionBegins(text, at, tool)) &&
			(!l.versionAtEnd || versionEnds(text, at+len(l.text))) {
			return at
		}
	}
	return -1
}

// Strength says how much a passing check proves. The zero value proves nothing.
type Strength int

// From the weakest to the strongest.
const (
	StrengthUnproven  Strength = iota // nothing was run
	StrengthExitCode                  // the program exited with the expected code
	StrengthComplaint                 // the tool itself rejected an option, or answers an impossible one just so
	StrengthUsage                     // it printed text of its own that it prints for no impossible option
	StrengthVersion                   // it printed the installed version
)

var strengthNames = [...]string{"unproven", "exit_code", "complaint", "usage", "version"}

// String returns the strength's name, as registries write it.
func (s Strength) String() string {
	if s < 0 || int(s) >= len(strengthNames) {
		return "Strength(" + strconv.Itoa(int(s)) + ")"
	}
	return strengthNames[s]
}

// MarshalText returns the name.
func (s Strength) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText accepts a name that String returns.
func (s *Strength) UnmarshalText(text []byte) error {
	for i, name := range strengthNames {
		if name == string(text) {
			*s = Strength(i)
			return nil
		}
	}
	return fmt.Errorf("no strength is called %q", text)
}

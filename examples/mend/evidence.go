package main

import (
	"regexp"
	"strings"

	"github.com/mendkit/mend"
)

// ansi matches the control sequences that evidence is quoted without.
var ansi = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])")

// evidenceIn returns what decided about a run, with where it stands in the very
// bytes that were printed.
func evidenceIn(o mend.Observation, all []mend.Evidence) []evidence {
	var out []evidence
	for _, e := range all {
		line, offset := locate(o, e)
		out = append(out, evidence{e.Signature, e.Kind, e.Stream, line, offset, sanitize(e.Line)})
	}
	return out
}

// locate returns the number of the line that evidence quotes, from 1, and the offset
// of its first byte in the stream. Both are 0 if it quotes none.
func locate(o mend.Observation, e mend.Evidence) (line, offset int) {
	quoted := strings.TrimSpace(e.Line)
	if quoted == "" {
		return 0, 0
	}
	stream := o.Stdout
	if e.Stream == "stderr" {
		stream = o.Stderr
	}
	for raw := range strings.SplitAfterSeq(stream, "\n") {
		line++
		if strings.Contains(ansi.ReplaceAllString(raw, ""), quoted) {
			return line, offset
		}
		offset += len(raw)
	}
	return 0, 0
}

package main

import (
	"iter"
	"regexp"
	"strings"

	"github.com/mendkit/mend"
)

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
	for at, text := range linesOf(streamOf(o, e.Stream)) {
		line++
		if strings.Contains(plain(text), quoted) {
			return line, at
		}
	}
	return 0, 0
}

// offsetOf returns where a line of a stream begins; lines count from 1.
func offsetOf(o mend.Observation, stream string, line int) (offset int) {
	for at := range linesOf(streamOf(o, stream)) {
		offset = at
		if line--; line <= 0 {
			break
		}
	}
	return offset
}

// linesOf yields the lines of a stream without their ends, with where they begin. The
// library counts a line for a carriage return, too.
func linesOf(stream string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for at := 0; at <= len(stream); {
			end, next := len(stream), len(stream)+1
			if i := strings.IndexAny(stream[at:], "\r\n"); i >= 0 {
				end, next = at+i, at+i+1
				if strings.HasPrefix(stream[end:], "\r\n") {
					next++
				}
			}
			if !yield(at, stream[at:end]) {
				return
			}
			at = next
		}
	}
}

// ansi matches the control sequences that evidence is quoted without, and struck is a
// character that is printed over.
var (
	ansi   = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])")
	struck = regexp.MustCompile("[^\b]\b")
)

func plain(line string) string { return struck.ReplaceAllString(ansi.ReplaceAllString(line, ""), "") }

func streamOf(o mend.Observation, name string) string {
	if name == "stderr" {
		return o.Stderr
	}
	return o.Stdout
}

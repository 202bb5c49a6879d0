package mend

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

// ParsedError is what a failed install or check comes down to. All of its text is
// sanitised.
type ParsedError struct {
	Category ErrorCategory
	Message  string // the line that decided, at most 200 bytes, or how the run ended

	// Details has what the output tells under these names: command, the program that is
	// not there or may not be run; file, what the fault is about; expected and actual, as
	// a check or a checksum has them; exit_code, unless it is 0.
	Details     map[string]string
	Suggestions []string // what to look at, for this category
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

package mend

import (
	"slices"
	"strings"
)

// faultRow is what lines of one kind of fault say, in lower case. A line is of that
// kind if it has one of the names or phrases, or both a subject and a fault.
type faultRow struct {
	category ErrorCategory
	names    []string // of errors, as whole words
	phrases  []string // an asterisk stands for any text
	subjects []string // what goes wrong, as whole words
	faults   []string // that it does
	except   []string // a line that also holds one of these is about something else
}

// faultRows are in the order in which they are believed: a permission explains a
// download that could not be written, and that an archive that is not there.
var faultRows = []faultRow{
	// A registry that denies what it does not show is no file that may not be written.
	{
		category: CategoryPermissionDenied, names: []string{"eacces", "eperm", "erofs", "permissionerror", "accessdeniedexception", "unauthorizedaccessexception", "filepermissionerror"},
		except: []string{"404", "could not be found or", "requested access to the resource", "defaulting to", "falling back"},
		phrases: []string{
			"permission denied", "operation not permitted", "insufficient permission", "have*write permission", "not have permission", "no permission", "lack permission", "lacks permission", "unless you are root", "must be run as root",
			"access is denied", "access to *is denied", "read-only file system", "read-only filesystem", "not writable", "not writeable", "isn't writable", "exists but is not an executable", "is not executable",
			"avc: *denied", "com.apple.quarantine", "developer cannot be verified", "cannot check it for malicious software",
			"keine berechtigung", "permission non accord", "permiso denegado", "permissão negada", "permesso negato",
		},
	},

	// The checksums inside of an archive are the unpacker's, not the download's.
	{
		category: CategoryExtractionFailed, names: []string{"badzipfile", "zipexception", "lzmaerror"}, phrases: []string{"restored data"},
		subjects: []string{"crc", "crc32", "crc-32", "gzip", "zlib", "zstd", "xz", "lzma", "bzip2", "decoding", "decompressing"},
		faults:   []string{"checksum", "bad", "mismatch", "integrity"},
		except:   []string{"sha256", "sha512", "md5", "expected:", "digest", "http"},
	},

	// What fetchers say of themselves, and HTTP of the answer; see also httpRefusal.
	{
		category: CategoryDownloadFailed, names: []string{"enotfound", "eai_again", "econnrefused", "econnreset", "etimedout", "eintegrity", "etarget", "unknownhostexception", "sockettimeoutexception", "connecttimeout", "readtimeout"},
		phrases: []string{
			"curl: (", "wget: unable", "wget: server", "wget: bad address", "wget: can't connect", "code e404", "code e403", "code e401",
			"bad gateway", "service unavailable", "gateway time", "too many requests", "rate limit", "error downloading", "error fetching", "error while downloading", "error while fetching", "download error", "fetch error",
			"requested access to the resource", "content-length", "content length",
		},
	},
	{
		category: CategoryDownloadFailed,
		subjects: []string{"download", "downloads", "downloading", "fetch", "fetching", "mirror", "transfer", "transferring", "retrieve", "retrieving", "pull", "request", "clone", "cloning"},
		faults:   []string{"failed", "failure", "timed out", "timeout", "could not", "couldn't", "unable to", "cannot", "interrupted", "incomplete", "aborted"},
		except:   []string{"pull request", "bad request format", "display"},
	},
	// The way to the host. A display and a daemon are connected to as well.
	{
		category: CategoryDownloadFailed, phrases: []string{
			"could not resolve", "couldn't resolve", "could not be resolved", "unable to resolve host", "failed to resolve host", "temporary failure in name resolution", "name or service not known", "nodename nor servname",
			"no such host", "failed to lookup address", "server misbehaving", "network is unreachable", "no route to host",
			"connection refused", "connection reset", "connection timed out", "operation timed out", "read timed out", "connect timed out", "timed out while connecting", "connection closed", "connection was closed", "closed by the server", "failed to connect to", "couldn't connect to", "could not connect to", "unable to connect to",
			"failed to open tcp connection", "max retries exceeded", "i/o timeout", "awaiting headers", "remote end hung up", "early eof", "not closed cleanly", "rpc failed",
			"transfer closed with", "bytes remaining to read", "incompleteread", "incomplete read", "empty reply from server", "redirections exceeded", "redirects followed", "too many redirects",
		},
		except: []string{"display", "daemon", "x server", "init server", "d-bus", "dbus", "unix://", ".sock", "socket:"},
	},
	{
		category: CategoryDownloadFailed, phrases: []string{"self-signed certificate", "self signed certificate", "local issuer certificate"},
		subjects: []string{"certificate", "certificates", "x509", "tls", "ssl", "sslhandshakeexception", "pkix"},
		faults:   []string{"not trusted", "unknown authority", "unknown issuer", "known issuer", "verify failed", "verification failed", "expired", "not match", "handshake", "problem", "unable to", "wrong version", "alert", "failed", "invalid"},
	},
	// What came is not what was promised.
	{
		category: CategoryDownloadFailed,
		subjects: []string{"checksum", "checksums", "sha1", "sha256", "sha512", "sha-256", "sha-512", "sha256sum", "md5", "md5sum", "blake2b", "blake3", "digest", "hash", "hashes", "integrity", "shasum"},
		faults:   []string{"mismatch", "not match", "differ", "failed", "failure", "incorrect", "wrong", "invalid", "should be", "expected", "want", "!=", "no entry", "not listed", "no properly formatted"},
		except:   []string{"hash table", "hash map"},
	},
	{
		category: CategoryDownloadFailed,
		subjects: []string{"signature", "signatures", "gpg", "pgp", "minisign", "cosign", "signify", "attestation"},
		faults:   []string{"bad signature", "invalid", "verification failed", "could not be verified", "cannot be verified", "failed to verify", "can't check", "cannot check", "no public key", "not trusted", "no matching", "mismatch", "failed"},
		except:   []string{"pkzip", "central-directory", "central directory", "method signature", "function signature"},
	},
	// What a package manager or a registry says that has no such package.
	{
		category: CategoryDownloadFailed, phrases: []string{
			"unable to locate package", "has no installation candidate", "no matching distribution", "could not find a version that satisfies", "could not find*in registry",
			"no available formula", "no such package", "no matching package", "no matching version", "target not found: ", "unable to find a match", "no match for argument", "could not find a valid gem",
			"unknown revision", "repository*not found", "http*://*not found", "http*: not found", "package*cannot be found", "couldn't find package", "unable to find image", "manifest unknown", "not published", "not been published", "is yanked", "was yanked", "pull access denied", "no matching manifest",
		},
	},
	{
		category: CategoryDownloadFailed,
		subjects: []string{"release", "releases", "asset", "assets", "branch", "tag", "artifact", "artifacts", "repository", "formula", "crate", "registry", "upstream", "mirror"},
		faults:   []string{"not found", "no matching", "no asset", "could not find", "couldn't find", "unable to find", "does not exist", "doesn't exist", "no such", "not available", "none of the"},
		except:   []string{"not a git repository", "in output"},
	},

	{
		category: CategoryExtractionFailed, phrases: []string{
			"not in gzip format", "not a gzip", "invalid gzip", "gzip: invalid", "invalid compressed data", "unexpected end of file", "unexpected eof", "unexpected end of input", "premature end", "file ends unexpectedly", "ended before the end-of-stream",
			"does not look like a tar archive", "tar: *cannot open", "tar (child): *cannot", "tar: invalid", "tar: short read", "archive/tar", "invalid tar header",
			"error opening archive", "end-of-central-directory", "central directory", "cannot find zipfile", "unzip: *cannot find or open", "filename not matched", "zipfile is empty", "crc error", "crc failed", "bad crc",
			"xz: *format", "lzma: *format", "zstd: *format", "file format not recognized", "extraction failed", "decompression failed", "bad magic number", "tar: *not found in archive",
			"incorrect header check", "z_data_error", "z_buf_error", "unrecognized header", "image not recognized", "error extracting", "error unpacking", "error decompressing", "error while extracting", "error while unpacking", "nothing was extracted", "not supported by decoder", "invalid block type", "invalid stored block", "corrupted input", "corrupt input", "corrupt*jarfile",
		},
		except: []string{"undamaged sections", "perhaps it is corrupted", "have become corrupted"},
	},
	{
		category: CategoryExtractionFailed,
		subjects: []string{
			"archive", "archives", "tarball", "tarfile", "pkzip", "zip", "zipfile", "gzip", "gz", "tar", "tgz", "xz", "txz", "lzma", "zstd", "zst", "bzip2", "bz2", "7z", "rar", "deb", "debian", "rpm", "cpio", "jar", "wheel", "gem", "squashfs", "dmg", "compressed", "compression", "zlib", "deflate", "inflate",
		},
		faults: []string{
			"corrupt", "invalid", "truncated", "damaged", "malformed", "not recognized", "not recognised", "unrecognized", "unrecognised", "unsupported", "unknown format", "unknown archive", "unknown compression", "unexpected end", "premature",
			"not a ", "incomplete", "ended", "error in opening", "can't open", "cannot open", "can not open", "could not open", "failed to open", "has no ", "missing from", "is missing in", "not found in", "formaterror", "format error", "empty", "bad ", "checksum error", "can't find", "cannot determine", "could not determine", "couldn't read", "could not read", "cannot read", "can't read", "not in the ", "more than the depth",
		},
		except: []string{"option", "argument", "--help", "flag", "not a git", "not a terminal", "not a tty", "undamaged sections", "perhaps it is corrupted", "have become corrupted", "binary", "executable", "tag ", "not a valid command", "library"},
	},
	{
		category: CategoryExtractionFailed,
		subjects: []string{"extract", "extracting", "extraction", "unpack", "unpacking", "decompress", "decompressing", "decompression", "unzip", "unzipping", "untar", "inflating", "inflate"},
		faults:   []string{"failed", "failure", "could not", "couldn't", "cannot", "can't", "unable to", "not found"},
		except:   []string{"option", "argument", "--help", "flag", "not installed", "command not found", "unzip: not found", "unknown command"},
	},

	{category: CategoryExtractionFailed, phrases: []string{"tar: error", "tar: child returned", "tar: exiting with failure"}}, // why stands on another line

	{
		category: CategoryBinaryNotFound, phrases: []string{
			"command not found", "executable file not found", "executable file*not found", ": not found", "no such command: ", "binary*not found", "executable*not found", "no executable",
			"bad interpreter", "failed to exec", "cannot find binary", "spawn*enoent", "fish: unknown command", "which: no ", "applet not found",
			"binary*not be found", "executable*not be found", "stat *no such file", "access *no such file", "source file does not exist", "binary*does not exist", "executable*does not exist",
			"is not recognized as an internal", "is not recognized as the name of a cmdlet", "is not recognized as a name of a cmdlet",
			"in _execute_child", "in _execvpe", // where Python starts a program
			"exec': no such file", "spawn': no such file", "popen': no such file", "`': no such file", // Ruby
			"createprocess failed", "find *in your path", "linker *not found", "compiler *not found", "interpreter *not found",
		},
		except: []string{"mod_exec"},
	},
	// A file is missing to which a program was to be started.
	{
		category: CategoryBinaryNotFound,
		subjects: []string{"run", "running", "start", "starting", "execute", "executing", "exec", "launch", "launching", "spawn", "spawning", "invoke", "invoking"},
		faults:   []string{"no such file", "kind: notfound", "os error 2)", "enoent", "filenotfound", "error=2,", "cannot find the file", "program not found"},
		except:   []string{"open ", "opening ", "reading "},
	},
	{
		category: CategoryBinaryNotFound, subjects: []string{"utility", "executable", "binary", "command", "program"},
		faults: []string{"unable to find", "cannot find", "can't find", "could not find", "couldn't find", "unable to locate", "not in path", "not on path", "was not found", "is missing", "missing:"},
		except: []string{"output", "pattern"},
	},
	{category: CategoryBinaryNotFound, phrases: []string{"] error 127", "exit status 127", "exited with status 127", "exit code 127", "exited with code 127", "status: 127", "exit code: 127"}},

	{
		category: CategoryVerifyFailed, phrases: []string{
			"verification failed", "verify failed", "verification*failed", "version mismatch", "pattern*not", "not in the output", "did not match", "does not match", "expected*got", "expected*saw", "expected*but", "want*got", "expected exit code",
			"got*want", "expected*actual", "expected*received", "assertion*failed", "mismatch",
		},
	},
	{
		category: CategoryVerifyFailed,
		subjects: []string{"version", "versions", "output", "pattern", "regex", "exit", "exited", "verification", "verify", "assertion", "assertionerror", "stdout", "stderr"},
		faults:   []string{"mismatch", "not match", "not contain", "not found in", "to contain", "differ", "!=", "lacks ", "failed", "not print", "should be", "should have been", "expected", "want ", "wanted", "instead of", "says ", "is missing", "no line matches", "no match", "not pass"},
	},

	{category: CategoryTimedOut, phrases: []string{"timed out", "time limit", "timeout exceeded", "timeout expired", "deadline exceeded", "timeout after", "timeout: sending signal"}},
	{category: CategoryExtractionFailed, phrases: []string{"extracting archive: ", "scanning the drive for archives"}}, // the banner of 7-Zip, when it says no more
}

// says reports whether the line, which is in lower case, is one of the row's.
func (row *faultRow) says(line string) bool {
	holds := func(phrase string) bool { return strings.Contains(line, phrase) }
	told := slices.ContainsFunc(row.names, func(name string) bool { return indexWord(line, name) >= 0 }) ||
		slices.ContainsFunc(row.phrases, func(p string) bool { return inOrder(line, p) }) ||
		slices.ContainsFunc(row.faults, holds) && slices.ContainsFunc(row.subjects, func(s string) bool { return speaksOf(line, s) })
	return told && !slices.ContainsFunc(row.except, holds)
}

// mayStandIn reports whether some line of a text, in lower case, can be one of the
// row's: it holds what each such line begins to say. It asks the text as a whole, which
// costs a fraction of asking every line of a long log.
func (row *faultRow) mayStandIn(text string) bool {
	for _, words := range [][]string{row.names, row.phrases, row.faults} {
		for _, w := range words {
			if first, _, _ := strings.Cut(w, "*"); strings.Contains(text, first) {
				return true
			}
		}
	}
	return false
}

// speaksOf reports whether a subject is one of the line's words, rather than a part of
// a path or of the name of a file.
func speaksOf(line, subject string) bool {
	for from := 0; ; {
		k := indexWord(line[from:], subject)
		if k < 0 {
			return false
		}
		from += k
		end := from + len(subject)
		if (from == 0 || line[from-1] != '/' && line[from-1] != '-') && (end == len(line) || line[end] != '/' && line[end] != '-') {
			return true
		}
		from = end
	}
}

// inOrder reports whether the parts of a phrase stand in line one behind the other.
func inOrder(line, phrase string) bool {
	for part := range strings.SplitSeq(phrase, "*") {
		_, rest, found := strings.Cut(line, part)
		if !found {
			return false
		}
		line = rest
	}
	return true
}

// says reports whether a line tells of a fault of that category.
func (c ErrorCategory) says(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(faultRows, func(row faultRow) bool { return row.category == c && row.says(line) }) ||
		c == CategoryDownloadFailed && httpRefusal(line)
}

// indexWord returns where a word stands in s, both in lower case, or -1.
func indexWord(s, word string) int { return placeOf(s, word, strings.Index) }

// indexWordFold is indexWord whatever the case of s.
func indexWordFold(s, word string) int { return placeOf(s, word, indexFold) }

// placeOf returns the first place that index finds and that is a word of its own, or -1.
func placeOf(s, word string, index func(s, word string) int) int {
	for from := 0; ; from++ {
		k := index(s[from:], word)
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

// httpBeside are the words in a line, in lower case, by which a number in it is the
// status of an answer of HTTP, and httpBefore those that have to stand right before it.
var (
	httpBeside = []string{"http", "status", "returned", "response", "replied", "server", "not found", "forbidden", "unauthorized", "gone", "get "}
	httpBefore = []string{"error", "code", "npm err!"}
)

// httpRefusal reports whether a line, in lower case, gives an HTTP status that
// refuses: a number of its own from 400 to 559 beside a word that is HTTP's.
func httpRefusal(line string) bool {
	beside, asked := false, false
	for i := 0; i+3 <= len(line); i++ {
		if line[i] != '4' && line[i] != '5' || !isDigit(line[i+1]) || line[i+1] > '5' || !isDigit(line[i+2]) || i > 0 && strings.IndexByte(" \t(:=[\"'_/", line[i-1]) < 0 {
			continue
		}
		if rest := line[i+3:]; rest != "" && strings.IndexByte(" \t):,;]\"'", rest[0]) < 0 && rest != "." {
			continue
		}
		if i > 1 && line[i-1] == ':' && isWordByte(line[i-2]) || strings.HasSuffix(line[:i], "line ") { // a port, a place in a file
			continue
		}
		before := strings.TrimRight(line[:i], " :(")
		if slices.ContainsFunc(httpBefore, func(w string) bool { return strings.HasSuffix(before, w) }) {
			return true
		}
		if !asked { // once a line: it may be long, and hold nothing but such numbers
			beside, asked = slices.ContainsFunc(httpBeside, func(w string) bool { return strings.Contains(line, w) }), true
		}
		if beside {
			return true
		}
	}
	return false
}

// asides returns the lines that only speak of faults: those that describe options or
// commands, and a test's own reports. help says that there is a help text among them.
func asides(lines []string, help bool) map[string]bool {
	told := make(map[string]bool)
	list := help
	for _, line := range lines {
		trimmed := strings.TrimLeft(line, " \t")
		indented := len(trimmed) < len(line)
		first, _, _ := strings.Cut(trimmed, " ")
		if trimmed != "" && !indented {
			list = help || endsWithFold(line, "commands:") || endsWithFold(line, "options:") || endsWithFold(line, "flags:")
		}
		if list && indented || isOptionLine(line) && !strings.Contains(first, ":") || slices.ContainsFunc(reportMarks, func(m string) bool { return strings.HasPrefix(trimmed, m) }) {
			told[line] = true
		}
	}
	return told
}

// reportMarks are how lines begin that report a test or how a program is called.
var reportMarks = []string{"ok ", "not ok ", "# ", "PASS", "✓", "✔", "usage:", "Usage:"}

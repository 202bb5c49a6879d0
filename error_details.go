package mend

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// The words beside which a line names a program that is not there, or may not be
// run: before it, before it if it is quoted, before it to the end of the line, behind
// it, and before it if a missing file is spoken of.
var (
	namedBehind = []string{
		"command not found: ", "no such command: ", "unknown command: ", "permission denied: ", "which: no ", "spawnsync ", "spawn ", "execve(", "could not spawn ", "failed to spawn ",
	}
	namedAtEnd   = []string{"no such file or directory: ", "no such file or directory - ", "permission denied - ", "program not found: ", "executable not found: "}
	quotedBehind = []string{
		"executable file ", "executable ", "binary ", "unknown command ", "command ", "program ", "the term ", "utility ", "linker ", "compiler ", "interpreter ", "could not find ", "process ", "spawn ", "run ", "execute ", "start ", "exec: ", "launch ",
	}
	namedBefore = []string{
		": command not found", ": executable file not found", ": not found", ": no such command", ": bad interpreter", ": permission denied", ": no such file", " is not recognized as",
		": applet not found", ": cannot execute", ": kommando nicht gefunden", ": befehl nicht gefunden", ": commande introuvable", ": orden no encontrada", ": comando não encontrado", ": comando non trovato", " : commande introuvable",
		" not found in path", " not found in $path", " not found on path", " was not found",
	}
	bareBehind = []string{"to run command ", "to execute ", "cannot run ", "could not run ", "can't run ", "cannot start ", "failed to start ", "cannot execute ", "could not execute "}
)

// detailReach is how long a line may be that details are read from.
const detailReach = 4 << 10

// readDetails fills in what the lines tell, the deciding one first.
func (p *ParsedError) readDetails(line string, lines []string) {
	long := func(l string) bool { return len(l) > detailReach }
	if lines = slices.DeleteFunc(slices.Clone(lines), long); long(line) {
		line = ""
	}
	found := make(map[string]string)
	if p.Category == CategoryBinaryNotFound || p.Category == CategoryPermissionDenied {
		found["command"] = missingCommand(line)
		for _, l := range lines {
			if found["command"] == "" && p.Category == CategoryBinaryNotFound {
				found["command"] = missingCommand(l)
			}
		}
	}
	found["file"] = p.file(line, lines)
	for _, l := range append([]string{line}, lines...) {
		expected, actual := comparison(l)
		if found["expected"] == "" {
			found["expected"] = expected
		}
		if found["actual"] == "" {
			found["actual"] = actual
		}
	}
	for name, value := range found {
		if value != "" {
			p.Details[name] = value
		}
	}
}

// missingCommand returns the program that a line says is not there, or may not be
// run.
func missingCommand(line string) string {
	for _, mark := range quotedBehind {
		if k := indexFold(line, mark); k >= 0 && startsQuoted(line[k+len(mark):]) {
			return namedFirst(line[k+len(mark):])
		}
	}
	for _, mark := range namedBehind {
		if k := indexFold(line, mark); k >= 0 {
			return namedFirst(line[k+len(mark):])
		}
	}
	for _, mark := range namedAtEnd {
		if k := indexFold(line, mark); k >= 0 {
			if name := line[k+len(mark):]; !strings.Contains(strings.TrimSpace(withoutErrno(name)), " ") {
				return namedFirst(name)
			}
		}
	}
	for _, mark := range bareBehind {
		if k := indexFold(line, mark); k >= 0 && indexFold(line[k:], "no such file") > 0 {
			return namedFirst(line[k+len(mark):])
		}
	}
	for _, mark := range namedBefore {
		if k := indexFold(line, mark); k >= 0 {
			words := strings.TrimRight(line[:k], ": ")
			if name := named(words[strings.LastIndexByte(words, ' ')+1:]); isName(name) {
				return name
			}
		}
	}
	return ""
}

// withoutErrno returns a text without what Ruby appends to it: the name of the error.
func withoutErrno(text string) string {
	if k := strings.Index(text, " (Errno::"); k >= 0 {
		return text[:k]
	}
	return text
}

// isName reports whether a word can be a program's: it is no place in a script, as
// "zsh:1" is.
func isName(word string) bool {
	who, at, found := strings.Cut(word, ":")
	return word != "" && !(found && strings.Trim(at, "0123456789") == "" && isShell(who))
}

// namedFirst returns the name that a text begins with: to the closing quote, or to
// the next blank.
func namedFirst(text string) string {
	if rest := strings.TrimLeft(text, quotes); rest != text {
		text, _, _ = strings.Cut(rest, " ")
		if k := strings.IndexAny(text, quotes); k >= 0 {
			text = text[:k]
		}
		return named(text)
	}
	text, _, _ = strings.Cut(text, " ")
	return named(text)
}

// named returns a name without what stands round it, or "" if that is none.
func named(word string) string {
	word = strings.Trim(word, quotes+":,;")
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return ""
	}
	return word
}

// archiveEnds and libraryEnds are how the names of files end that installs are about.
var (
	archiveEnds = strings.Fields(".gz .tgz .xz .txz .bz2 .tbz .tbz2 .zst .tzst .lz4 .zip .tar .7z .rar .deb .rpm .apk .jar .whl .gem .phar .dmg .lz .lzma .br .pkg .crate .nupkg .appimage .cpio .run")
	libraryEnds = strings.Fields(".so .dylib .dll")
)

// fileFaults are what stands behind the file that a line complains of.
var fileFaults = []string{
	": no such file", ": permission denied", ": operation not permitted", ": read-only file system", ": is a directory", ": cannot open", ": can't open", ": not found in archive",
	": exec format error", ": cannot execute", ": not in gzip format", ": no properly formatted", ": failed",
}

// fileMarks are what stands before it.
var fileMarks = []string{
	"filename not matched:  ", "source file does not exist: ", "binary not found: ", "file not found: ", "bad cpu type in executable: ", "exec format error: ", "permission denied: ", "could not open input file: ",
	"cannot stat ", "can't stat ", "cannot access ", "can't read ", "no such file or directory -- ", "cannot open ", "can't open ", "failed to open ", "failed to read ", "source file ", "nosuchfileexception: ",
	"no such file or directory: ", "no such file or directory - ", "permission denied - ", "read-only file system - ",
}

// fileLabels are what a line begins with that tells the file and nothing else.
var fileLabels = []string{"file:", "for file:", "path:", "path =", "path ", "archive:", "filename:", "error:"}

// fileReach is how many lines on each side of the deciding one may name its file.
const fileReach = 3

// file returns the file that the fault is about. The deciding line is asked first,
// then the lines that are labels, those near it, and what an unpacker says.
func (p *ParsedError) file(line string, lines []string) string {
	if p.Category == CategoryMissingLibrary {
		for _, word := range wordsOf(line) {
			if strings.Contains(word, ".so.") || endsAsOne(word, libraryEnds) {
				return word
			}
		}
	}
	if path := pathIn(line); path != "" {
		return path
	}
	switch p.Category {
	case CategoryVerifyFailed, CategoryUnknown, CategoryCrashed, CategoryEnvironment, CategoryTimedOut:
		if indexFold(line, "no such file") < 0 && indexFold(line, "nosuchfile") < 0 {
			return ""
		}
	}
	if file := relativeIn(line); file != "" {
		return file
	}
	for _, l := range lines {
		if file := underLabel(l); file != "" {
			return file
		}
	}
	switch p.Category {
	case CategoryPermissionDenied:
		at := slices.Index(lines, line)
		for _, l := range lines[max(0, at-fileReach):min(len(lines), at+fileReach+1)] {
			if file := fileIn(l); file != "" {
				return file
			}
		}
	case CategoryExtractionFailed:
		for _, l := range lines {
			if _, ok := ofInstalling(l, ""); ok || CategoryExtractionFailed.says(l) {
				if file := fileIn(l); file != "" {
					return file
				}
			}
		}
	case CategoryDownloadFailed:
		if i := slices.IndexFunc(lines, isFailedCheck); i >= 0 {
			return fileIn(lines[i])
		}
	}
	return ""
}

// fileIn returns the file that a line names.
func fileIn(line string) string { return cmp.Or(pathIn(line), relativeIn(line)) }

// isFailedCheck reports whether a line is what checkers of checksums print of a file
// that is not as it should be.
func isFailedCheck(line string) bool {
	return strings.HasSuffix(strings.TrimSpace(line), ": FAILED") || strings.HasSuffix(line, ": FAILED open or read")
}

// underLabel returns the file that a line gives under a label.
func underLabel(line string) string {
	line = strings.TrimSpace(line)
	for _, by := range []string{"npm ERR! ", "npm error "} {
		line = strings.TrimPrefix(line, by)
	}
	for _, label := range fileLabels {
		if value, ok := cutFold(line, label); ok {
			value = strings.Trim(value, " \t,;[]"+quotes)
			if value != "" && !strings.ContainsAny(value, " \t") && strings.ContainsAny(value, "./") && !strings.Contains(value, "://") && strings.ContainsFunc(value, unicode.IsLetter) {
				return value
			}
		}
	}
	return ""
}

// relativeIn returns the file that a line is about if it is no absolute path: the name
// beside a complaint about a file, or else the first word that reads as a file's name.
func relativeIn(line string) string {
	for _, mark := range fileMarks {
		if k := indexFold(line, mark); k >= 0 {
			if name := namedFirst(line[k+len(mark):]); strings.ContainsAny(name, "./") || startsQuoted(line[k+len(mark):]) {
				return name
			}
		}
	}
	for _, mark := range fileFaults {
		if k := indexFold(line, mark); k > 0 {
			word := line[strings.LastIndexByte(line[:k], ' ')+1 : k]
			name, before := named(word), line[:k-len(word)]
			if isRelative(name) || strings.ContainsAny(name, "./") || name != "" && (startsQuoted(word) || strings.HasSuffix(before, ": ") || strings.HasSuffix(before, "*** ")) && !slices.Contains(severities, strings.ToLower(name)) {
				return name
			}
		}
	}
	words := wordsOf(line)
	at := 0
	for _, word := range words {
		at += strings.Index(line[at:], word)
		quoted := strings.HasSuffix(strings.TrimRight(line[:at], quotes), " ") && startsQuoted(line[len(strings.TrimRight(line[:at], quotes)):])
		at += len(word)
		if isRelative(word) || strings.Contains(strings.Trim(word, "/"), "/") && !strings.Contains(word, "://") && (quoted || isFileName(word)) {
			return word
		}
	}
	for _, word := range words {
		if isFileName(word) {
			return word
		}
	}
	return ""
}

// severities are words before a complaint that name nothing.
var severities = []string{"fatal", "error", "warning", "failed", "failure"}

// isRelative reports whether a word is a path that says so by its first bytes.
func isRelative(word string) bool {
	return strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || strings.HasPrefix(word, "~/") || strings.HasPrefix(word, "@rpath/") || strings.HasPrefix(word, "@loader_path/")
}

// isFileName reports whether a word ends as the name of an archive or a library.
func isFileName(word string) bool {
	return !strings.HasPrefix(word, "/") && !strings.Contains(word, "://") && (endsAsOne(word, archiveEnds) || endsAsOne(word, libraryEnds) || strings.Contains(word, ".so."))
}

// endsAsOne reports whether a word has one of the ends, and something before it.
func endsAsOne(word string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return len(word) > len(end) && endsWithFold(word, end) })
}

// pathIn returns the first absolute path in a line that is not who speaks in it, or
// where in a file. If there is none it is the speaker's.
func pathIn(line string) string {
	speaks := ""
	for i := 0; i < len(line); i++ {
		if line[i] != '/' {
			continue
		}
		if startsPath(line, i) {
			path := line[i:pathEnd(line, i)]
			if k := strings.IndexAny(path, quotes); k >= 0 {
				path = path[:k]
			}
			rest := line[i+len(path):]
			path = strings.TrimRight(path, ".")
			switch {
			case strings.HasPrefix(rest, ":") && len(rest) > 1 && isDigit(rest[1]): // a place in a source
			case i == 0 && strings.HasPrefix(rest, ": ") && strings.Count(rest, ": ") > 1:
				speaks = path
			default:
				return path
			}
			i += len(path)
			continue
		}
		for i+1 < len(line) && line[i+1] == '/' { // of a URL
			i++
		}
	}
	return speaks
}

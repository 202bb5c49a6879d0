package mend

import (
	"slices"
	"strings"
)

// statedVersion is a place where an output says which version the tool has.
type statedVersion struct {
	stream int
	at     int    // offset in the stream
	text   string // the version as printed
	format string // the version_format under which it is the installed one
}

// statedVersion finds the place where the output states the installed version,
// under whatever format. The best such place is the one where the tool's name or
// the word version stands before it.
func (r *reading) statedVersion(in Installed) (statedVersion, bool) {
	var best statedVersion
	bestScore := 0
	own := r.ownPaths(in)
	texts := [...]string{own.mask(r.text[0]), own.mask(r.text[1])}
	for _, format := range versionFormats {
		version, _ := formatVersion(in.Version, format)
		if version == "" || format != FormatRaw && (version == best.text || dropsPreRelease(in.Version, version)) {
			continue
		}
		for stream, text := range texts {
			for at, n := indexVersion(text, version, r.tool, 0), 0; at >= 0 && n < maxNames; n++ {
				if score := r.scoreVersion(text, stream, at, len(version)); score > bestScore {
					bestScore = score
					best = statedVersion{stream: stream, at: at, text: version, format: format}
				}
				at = indexVersion(text, version, r.tool, at+len(version))
			}
		}
		if bestScore > 0 {
			return best, true
		}
	}
	return best, false
}

// dropsPreRelease reports whether shortened leaves out that version is a
// pre-release.
func dropsPreRelease(version, shortened string) bool {
	_, suffix, found := strings.Cut(version, shortened)
	return !found || isPreRelease(suffix)
}

// scoreVersion says how much a place looks like a statement of the tool's
// version; 0 if it does not.
func (r *reading) scoreVersion(text string, stream, at, n int) int {
	line := lineAround(text, stream, at)
	prefix := line.text[:at-line.start]
	rest := strings.TrimSpace(line.text[at-line.start+n:])
	if isOptionLine(line.text) || strings.HasSuffix(prefix, "==") || strings.Contains(lastWord(prefix), "://") {
		return 0
	}
	words := strings.Fields(strings.ToLower(prefix))
	dotted := strings.Contains(text[at:at+n], ".")
	switch {
	case len(words) == 0 && (rest == "" || dotted):
		return 3
	case sameProgram(strings.Trim(words0(words), ",:"), r.tool):
		return 5
	case strings.Contains(prefix, "ersion") || strings.Contains(prefix, "VERSION"):
		return 4
	case dotted && len(prefix) <= 60 && plainWords(words) && !strings.HasPrefix(prefix, "  "):
		return 2
	}
	return 0
}

func words0(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

func lastWord(s string) string { return s[strings.LastIndexAny(s, " \t")+1:] }

// plainWords reports whether words read as a name in front of a version: few of
// them, and none that holds digits on their own or says that another thing is
// meant.
func plainWords(words []string) bool {
	if len(words) > 6 {
		return false
	}
	for _, w := range words {
		switch strings.Trim(w, ":(),") {
		case "requires", "require", "since", "than", "least", "default", "example", "e.g.", "protocol", "format", "api", "using", "with", "python", "perl", "ruby", "node", "java", "php":
			return false
		}
		if isDigit(w[0]) {
			return false
		}
	}
	return true
}

// ownVersion returns the version that the tool states of itself, whichever it
// is: alone on a line, or behind its name or the word version at the start of
// one of the first lines.
func (r *reading) ownVersion(in Installed) (string, outputLine, bool) {
	for stream, text := range r.text {
		text = r.ownPaths(Installed{Dir: in.Dir}).mask(text)
		for lines, from := 0, 0; lines < 6 && from < len(text); lines++ {
			line := lineAround(text, stream, from)
			if v, ok := r.versionOfLine(line.text); ok {
				return v, line, true
			}
			from = line.start + len(line.text) + 1
		}
	}
	return "", outputLine{}, false
}

// versionOfLine returns the version that a line states of the tool.
func (r *reading) versionOfLine(line string) (string, bool) {
	words := strings.Fields(line)
	if len(words) == 1 && isVersionWord(words[0]) {
		return trimVersion(words[0]), true
	}
	named := false
	for i, w := range words {
		bare := strings.ToLower(strings.Trim(w, ":,()"))
		switch {
		case i == 0 && sameProgram(strings.Trim(w, ":,"), r.tool):
			named = true
		case i <= 2 && (bare == "version" || bare == "ver" || bare == "v" || bare == "release"):
			named = true
		case named && isVersionWord(w):
			return trimVersion(w), true
		case i == 0 && !named:
			if name, v, ok := strings.Cut(w, "-"); ok && sameProgram(name, r.tool) && isVersionWord(v) {
				return trimVersion(v), true
			}
			if !isNameWord(bare) {
				return "", false
			}
		case i > 2:
			return "", false
		}
	}
	return "", false
}

// isVersionWord reports whether a word is a version: at least two numbers joined
// by dots, perhaps with a v before and a suffix behind.
func isVersionWord(w string) bool {
	w = trimVersion(w)
	n := numbersLen(w, 8)
	return n < len(w) && isVersionSuffixByte(w[n]) && strings.Contains(w[:n], ".") || n == len(w) && strings.Contains(w, ".") && isVersionSuffix(w)
}

// isVersionSuffixByte reports whether c may join a version and its suffix.
func isVersionSuffixByte(c byte) bool { return isLetter(c) || strings.IndexByte("-+~_", c) >= 0 }

func trimVersion(w string) string { return stripV(strings.Trim(w, "\"'(),;:.")) }

// agree reports whether two versions may be the same, one of them told less
// precisely: 11.01.00 and 11.1, 3.1 and 3.1.2p20.
func agree(a, b string) bool {
	x, y := numbersOf(a), numbersOf(b)
	n := min(len(x), len(y))
	return slices.Equal(x[:n], y[:n])
}

// numbersOf returns the numbers of a version, without zeros in front of one and
// without zeros at the end.
func numbersOf(version string) []string {
	version = fromFirstNumber(version)
	parts := strings.Split(version[:numbersLen(version, 8)], ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	for len(parts) > 0 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return parts
}

// otherVersion returns the version that the tool states of itself if that is
// another one than the installed, which means that the wrong artifact may have
// been installed.
func (r *reading) otherVersion(in Installed) (string, outputLine, bool) {
	if in.Version == "" {
		return "", outputLine{}, false
	}
	if _, ok := r.statedVersion(in); ok {
		return "", outputLine{}, false
	}
	v, line, ok := r.ownVersion(in)
	if !ok || agree(v, in.Version) {
		return "", outputLine{}, false
	}
	return v, line, true
}

// launcherVersion returns the first line of the output if that is the version of
// a launcher rather than of the tool, as "Python 3.11.2" is from a wrapper that
// lost its script.
func (r *reading) launcherVersion(in Installed) (outputLine, bool) {
	if isLauncher(r.tool) {
		return outputLine{}, false
	}
	for stream, text := range r.text {
		line := lineAround(text, stream, len(text)-len(strings.TrimLeft(text, " \t\n")))
		words := strings.Fields(strings.TrimPrefix(line.text, "GNU "))
		if len(words) < 2 || !isLauncher(words[0]) || relatedProgram(words[0], r.tool) || sameProgram(words[0], r.tool) {
			continue
		}
		direct := isVersionWord(words[1]) || strings.HasPrefix(words[1], "(") || strings.EqualFold(words[1], "version")
		if _, ok := r.statedVersion(in); !ok && direct && slices.ContainsFunc(words[1:min(len(words), 6)], isVersionWord) {
			return line, true
		}
	}
	return outputLine{}, false
}

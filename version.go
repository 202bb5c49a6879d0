package mend

import (
	"slices"
	"strings"
)

// Version formats that a verify section may name. Any other is read as raw, and
// the [Judgement] says so.
const (
	FormatRaw        = "raw"         // as it is
	FormatStripV     = "strip_v"     // without a leading v
	FormatSemver     = "semver"      // its first one to three numbers: "v1.2.3+b" is "1.2.3"
	FormatSemverFull = "semver_full" // from its first number on: "v1.2.3-rc.1+b" is "1.2.3-rc.1+b"
)

var versionFormats = []string{FormatRaw, FormatStripV, FormatSemver, FormatSemverFull}

// formatVersion returns version in the given format, and whether the format is
// known. "" is raw.
func formatVersion(version, format string) (string, bool) {
	switch format {
	case "", FormatRaw:
		return version, true
	case FormatStripV:
		return stripV(version), true
	case FormatSemver:
		full := fromFirstNumber(version)
		return full[:numbersLen(full, 3)], true
	case FormatSemverFull:
		return fromFirstNumber(version), true
	}
	return version, false
}

func stripV(version string) string {
	if len(version) > 1 && version[0]|0x20 == 'v' && isDigit(version[1]) {
		return version[1:]
	}
	return version
}

// fromFirstNumber drops what stands before the first digit; a version without
// one is returned as it is.
func fromFirstNumber(version string) string {
	if i := strings.IndexAny(version, "0123456789"); i >= 0 {
		return version[i:]
	}
	return version
}

// numbersLen returns the length of the dotted numbers that s begins with, at
// most limit of them; of a text that begins with none, its whole length.
func numbersLen(s string, limit int) int {
	end := 0
	for i := 0; limit > 0 && i < len(s) && isDigit(s[i]); limit-- {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		end = i
		if i < len(s) && s[i] == '.' {
			i++
		}
	}
	if end == 0 {
		return len(s)
	}
	return end
}

// versionPrefixes are the words that may be glued to a version: "v1.2", "r12".
var versionPrefixes = []string{"v", "ver", "version", "r", "rel", "release", "rev"}

// preReleases are the words that make "1.2.3-word" another version than 1.2.3.
var preReleases = []string{"alpha", "beta", "rc", "pre", "preview", "snapshot", "nightly", "canary", "a", "b", "c"}

// indexVersion returns the offset of the first place at or after from where
// version stands in text as a whole word, or -1.
func indexVersion(text, version, tool string, from int) int {
	if from > len(text) {
		return -1
	}
	for k := range occurrences(text[from:], version) {
		if at := from + k; versionBegins(text, at, tool) && versionEnds(text, at+len(version)) {
			return at
		}
	}
	return -1
}

// versionBegins reports whether a version may begin at i: it is not the tail of
// a longer number, of another version or of a name. Some words may be glued to
// it, and so may the tool's name ("go1.22").
func versionBegins(text string, i int, tool string) bool {
	if i == 0 {
		return true
	}
	switch c := text[i-1]; {
	case isDigit(c):
		return false
	case isLetter(c):
		start := i - 1
		for start > 0 && isLetter(text[start-1]) {
			start--
		}
		word := strings.ToLower(text[start:i])
		return (start == 0 || !isWordByte(text[start-1])) &&
			(slices.Contains(versionPrefixes, word) || word == strings.ToLower(tool))
	case c == '.':
		return i < 2 || !isWordByte(text[i-2])
	case c == '+', c == '~':
		return i < 2 || !isWordByte(text[i-2])
	case c == '-':
		return nameBefore(text, i-1)
	}
	return true
}

// nameBefore reports whether what stands before the hyphen at i is a name, as
// in "sqlite3-3.40", rather than a version, as in "0.9-3.40". It looks back 64
// bytes at most, so that a text of nothing but hyphens costs no more than others.
func nameBefore(text string, i int) bool {
	start := i
	for start > 0 && i-start < 64 && (isWordByte(text[start-1]) || strings.IndexByte(".+~-", text[start-1]) >= 0) {
		start--
	}
	return start == i || !isDigit(text[start])
}

// versionEnds reports whether a version may end at i: no further digit, letter,
// number or mark of a pre-release follows.
func versionEnds(text string, i int) bool {
	if i == len(text) {
		return true
	}
	switch c := text[i]; c {
	case '.':
		return i+1 == len(text) || !isWordByte(text[i+1])
	case '-', '~', '_':
		return !slices.Contains(preReleases, strings.ToLower(letters(text[i+1:])))
	default:
		return !isLetter(c) && !isDigit(c)
	}
}

// letters returns the letters that s begins with, as far as a word that this
// package knows is long.
func letters(s string) string {
	i := 0
	for i < len(s) && i < 16 && isLetter(s[i]) {
		i++
	}
	return s[:i]
}

// isPreRelease reports whether suffix, which a format would drop, marks a
// pre-release, whose number the release shares.
func isPreRelease(suffix string) bool {
	return suffix != "" && slices.Contains(preReleases, strings.ToLower(letters(strings.TrimLeft(suffix, "-~_."))))
}

package command

import "strings"

// halves are directories whose names hold a blank, cut there. Their names are so
// common that two words which make one are no accident.
var halves = [...][2]string{
	{"Program", "Files"}, {"Common", "Files"}, {"Application", "Support"}, {"Mobile", "Documents"}, {"Documents", "and"},
}

// unquoted looks for paths that hold blanks or backslashes and lack quotes. Of
// blanks in general nobody can tell: cp a b c has three. One word may be two findings, as
// a drive's path with a blank. All of them are warnings, since the words may be meant.
func (l *linter) unquoted() {
	var words []word
	for _, path := range l.profile.Paths {
		if strings.IndexByte(path, ' ') >= 0 && strings.Contains(l.line, path) {
			if words == nil {
				words = l.rawWords()
			}
			l.unquotedPath(path, words)
		}
	}
	if !mayHoldHalf(l.line) {
		return
	}
	if words == nil {
		words = l.rawWords()
	}
	for i := range words {
		w := &words[i]
		if len(w.raw) > 3 && w.raw[1] == ':' && w.raw[2] == '\\' && isName(w.raw[:1]) {
			l.report(&scope{}, UnquotedPath, detailBackslash, *w)
		}
		switch {
		case i+1 < len(words) && isHalf(w.raw, words[i+1].raw):
			l.reportPath(detailBlank, w.start, words[i+1].end)
		case strings.HasPrefix(w.raw, "/Applications/"):
			l.application(words[i:])
		}
	}
}

// mayHoldHalf reports whether it is worth while to look at the line's words. It may say
// so of lines that hold nothing; most lines are through after it.
func mayHoldHalf(line string) bool {
	if strings.Contains(line, `:\`) || strings.Contains(line, "/Applications/") {
		return true
	}
	for _, h := range halves {
		if i := strings.Index(line, h[0]); i > 0 && strings.Contains(line[i:], " "+h[1]) {
			return true
		}
	}
	return false
}

// reportPath notes a path that stands in several words of the line, and spans them all.
func (l *linter) reportPath(detail string, start, end int) {
	w := plainWord(l.line[start:end], start, end)
	l.report(&scope{}, UnquotedPath, detail, w)
}

// unquotedPath looks for a known path where it stands bare. Its first half ends a
// word there, and the rest follows with just its blanks.
func (l *linter) unquotedPath(path string, words []word) {
	first, _, _ := strings.Cut(path, " ")
	for i := range words {
		w := &words[i]
		if strings.HasSuffix(w.raw, first) && !strings.ContainsAny(w.raw, `'"\`) {
			if at := w.end - len(first); strings.HasPrefix(l.line[at:], path) {
				l.reportPath(detailKnown, at, at+len(path))
			}
		}
	}
}

// rawWords returns the words of the line as they stand, whatever is between them.
func (l *linter) rawWords() []word {
	var words []word
	for x := newLexer(l.line); x.pos < x.end; {
		if x.next() {
			words = append(words, plainWord(l.line[x.start:x.pos], x.start, x.pos))
		} else {
			x.pos++
		}
	}
	return words
}

// isHalf reports whether a word ends in a path's first half and the next begins
// with the second. The half has to follow a slash or a backslash: without one it is
// a phrase, as in echo Program Files.
func isHalf(word, next string) bool {
	at := strings.LastIndexAny(word, `/\`)
	if at < 0 {
		return false
	}
	for _, h := range halves {
		if rest, ok := strings.CutPrefix(next, h[1]); word[at+1:] == h[0] && ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
			return true
		}
	}
	return false
}

// application looks for the name of an application that goes on in the words
// behind its first, which begins with /Applications/. An option or another path ends the
// search, and so do six words.
func (l *linter) application(words []word) {
	name := strings.TrimPrefix(words[0].raw, "/Applications/")
	if strings.Contains(name, ".app") || strings.Contains(name, "/") {
		return
	}
	const longest = 6 // words of a name
	for i := 1; i < min(len(words), longest); i++ {
		w := &words[i]
		if strings.HasPrefix(w.raw, "-") || strings.HasPrefix(w.raw, "/") {
			return
		}
		before, after, found := strings.Cut(w.raw, ".app")
		if found && !strings.Contains(before, "/") && (after == "" || after[0] == '/') {
			l.reportPath(detailBlank, words[0].start, w.end)
			return
		}
		if strings.Contains(w.raw, "/") {
			return
		}
	}
}

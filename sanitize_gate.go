package mend

import "strings"

// gate hides the value from v to end if its name and its form say that it is
// secret. A value that was found in quotes or in an element ends at closed;
// else that is negative.
func (s *scanner) gate(l *labelled, v, end, closed int) {
	t := s.text
	plain := closed < 0
	if plain {
		end = sentenceEnd(t, v, end)
		if k := hostBehind(t, l, v, end); k > 0 {
			end, s.userinfoEnd = k, k
		}
	}
	value := t[v:min(end, v+maxJudged)]
	if plain && strings.HasSuffix(value, "=") && markAt(t, end) > 0 {
		return // the name of the label whose value is marked
	}
	if isBenign(value) || l.flag && value[0] == '-' || fetches(value) || isSentence(value) {
		return
	}
	if hasUserinfo(value) {
		return // of which the password is secret, and the host is not
	}
	if !s.passes(l, value, v, end) {
		return
	}
	if plain && end-v >= maxJudged-2 {
		end = s.plainEnd(v, maxValue, l.param)
	}
	s.nameEnd = max(s.nameEnd, end)
	s.hide(v, end, kindLabelled)
}

// hasUserinfo reports whether value is a URL with userinfo.
func hasUserinfo(value string) bool {
	k := strings.Index(value, "://")
	return k > 0 && k <= 24 && (setAlnum | setPlus | setDash | setDot).all(value[:k]) && strings.IndexByte(value[k+3:], '@') > 0
}

// hostBehind returns where the password of user:password@host/path ends, which has
// no scheme that would tell of it, or 0.
func hostBehind(t string, l *labelled, v, end int) int {
	if v != l.end+1 || t[l.end] != ':' {
		return 0
	}
	k := strings.LastIndexByte(t[v:end], '@')
	if k <= 0 || !hasHost(t, v+k+1, end) {
		return 0
	}
	if host := (setWord | setDash | setDot).span(t, v+k+1, 256); strings.IndexByte(":/", byteAt(t, host)) < 0 {
		return 0
	}
	return v + k
}

// passes decides by the strength of the name.
func (s *scanner) passes(l *labelled, value string, v, end int) bool {
	switch {
	case l.loose:
		sure := l.strength == nameStrong && !sameFold(s.text[l.start:l.end], "pass") ||
			l.strength == nameToken && setQuote.in(byteAt(s.text, v-1)) && !s.complains(l.start)
		return sure && isShaped(value)
	case l.strength == nameStrong && l.assigned:
		return len(value) > 1
	case l.strength == nameStrong:
		return len(value) >= 6 && s.text[l.start:l.end] != "PASS" && // as tests report
			(!isWordlike(value) || !l.flag && !l.column && s.standsAlone(l.start, l.end, end)) && !isVersion(value)
	case isShaped(value):
		return true
	case l.param && len(value) >= 8:
		return !isWordlike(value) && !isVersion(value)
	case l.strength != nameToken || len(value) < 6 || isVersion(value) || isDigest(value) || strings.Contains(value, " "):
		return false
	}
	return setLetter.any(value) && setDigit.any(value) && strings.IndexByte(strings.TrimRight(value, "="), '=') < 0 &&
		(l.assigned || !s.complains(l.start) && !isIdentifier(value))
}

// standsAlone reports whether a value that ends at end is all that its line holds
// behind the name from start to nameStop.
func (s *scanner) standsAlone(start, nameStop, end int) bool {
	from, to := s.line(start)
	if end < from || end > to {
		return false
	}
	if strings.IndexByte(s.text[start:nameStop], ':') >= 0 {
		return false // a list of fields, parted by colons
	}
	return strings.Trim(s.text[from:start], " \t-\"'>+$") == "" && strings.Trim(s.text[end:to], " \t,;\"'.") == ""
}

// complains reports whether the word before a name says that what follows was
// not understood: "unexpected token".
func (s *scanner) complains(start int) bool {
	from := wordBefore(s.text, start)
	return from < start && complaints.has(s.text[from:start-1])
}

var complaints = newWordSet("unexpected", "invalid", "bad", "near", "expected", "illegal", "unknown", "unrecognized", "offending")

// fetches reports whether value is code that fetches the secret: a function's call
// or an element of something.
func fetches(value string) bool {
	k := strings.IndexByte(value, '(')
	if k < 0 {
		k = strings.IndexByte(value, '[')
	}
	return k > 0 && (setWord | setDot).all(value[:k]) && setLetter.in(value[0]) && isWordy(value[:k]) && markAt(value, k) == 0
}

// isSentence reports whether value says something, as the texts of an interface do.
func isSentence(value string) bool {
	if !setUpper.in(value[0]) || strings.Count(value, " ") < 2 {
		return false
	}
	return !setDigit.any(value) && isWordy(value)
}

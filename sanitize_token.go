package mend

import "strings"

// maxToken bounds how long a token is looked at.
const maxToken = 8 << 10

// token looks at a place where the prefix of a row may stand.
func (s *scanner) token(at, row int) {
	r := &tokenRows[row]
	if !startsAt(s.text, at, r.prefix) || !s.startsWord(at) {
		return
	}
	from := at + len(r.prefix)
	set := r.set
	if r.form == formDotted {
		set |= setDot
	}
	end := set.span(s.text, from, maxToken)
	for end > from && setDot.in(s.text[end-1]) { // ends a sentence
		end--
	}
	body := s.text[from:end]
	if len(body) < r.least || !r.form.fits(body, r.least) || r.set == setHex && setAlnum.in(byteAt(s.text, end)) {
		return
	}
	if r.form != formExact {
		// The rest of a token that the row knows less of is no less secret.
		end = setBase64URL.span(s.text, end, maxToken)
		end = setEqual.span(s.text, end, 3)
	}
	s.hide(at, end, kindToken)
	if r.form == formExact && len(r.prefix) == 4 && r.set == setUpper|setDigit {
		s.awsSecret(end)
	}
}

// fits reports whether what stands behind a prefix has the form.
func (f tokenForm) fits(body string, least int) bool {
	if isPlaceholderRun(body) {
		return false
	}
	switch f {
	case formDigit:
		return setDigit.any(body)
	case formMixed:
		return setDigit.any(body) && setLetter.any(body) && (setUpper.any(body) || isShaped(body))
	case formExact:
		return len(body) == least && setDigit.any(body)
	}
	return true
}

// startsWord reports whether no letter, digit or underscore stands before at. An
// escape such as \n or %3D ends in one that is none.
func (s *scanner) startsWord(at int) bool {
	c := byteAt(s.text, at-1)
	return !setWord.in(c) || endsEscape(s.text, at)
}

// endsEscape reports whether an escape ends at i: \n \r \t \u003d %3D, or the CSI
// m of a sequence whose ESC was lost.
func endsEscape(t string, i int) bool {
	switch {
	case i >= 2 && t[i-2] == '\\' && strings.IndexByte("nrt", t[i-1]) >= 0:
		return true
	case i >= 6 && t[i-6] == '\\' && t[i-5] == 'u' && setHex.all(t[i-4:i]):
		return true
	case i >= 3 && t[i-3] == '%' && setHex.all(t[i-2:i]):
		return true
	}
	return false
}

// hash looks at a password hash that begins with the prefix of a row.
func (s *scanner) hash(at, row int) {
	r := &hashRows[row]
	if at < s.hashEnd || !startsAt(s.text, at, r.prefix) || r.prefix[0] != '$' && !s.startsWord(at) {
		return
	}
	end := at + len(r.prefix)
	last, digits := end, 0 // of the part behind the last separator
	for limit := min(len(s.text), at+512); end < limit; end++ {
		c := s.text[end]
		if !setBase64URL.in(c) && strings.IndexByte("$./+=,:}", c) < 0 || c == ':' && r.prefix[0] == '$' {
			break
		}
		switch {
		case c == '$' || c == ':' || c == '}':
			last, digits = end+1, 0
		case setDigit.in(c):
			digits++
		}
	}
	s.hashEnd = end
	for end > last && strings.IndexByte(".,:", s.text[end-1]) >= 0 { // of the sentence
		end--
	}
	if end-at < r.least || end-last < 12 || digits == 0 {
		return
	}
	s.hide(at, end, kindHash)
}

// dollar looks at a password hash that begins with a dollar.
func (s *scanner) dollar(at int) {
	if byteAt(s.text, at-1) == '$' || setAlnum.in(byteAt(s.text, at-1)) {
		return
	}
	for row := range hashRows {
		if hashRows[row].prefix[0] == '$' && startsAt(s.text, at, hashRows[row].prefix) {
			s.hash(at, row)
			return
		}
	}
}

// jwt looks at a JSON web token: two to four further parts behind dots, some of
// them empty. It may be wrapped over lines.
func (s *scanner) jwt(at int) {
	if at < s.tokenEnd || !startsAt(s.text, at, "eyJ") || !s.startsWord(at) {
		return
	}
	end, parts := at, 1
	for end-at < maxToken {
		end = setBase64URL.span(s.text, end, maxToken)
		switch next := byteAt(s.text, end); {
		case next == '.' && parts < 5 && (setBase64URL.in(byteAt(s.text, end+1)) || byteAt(s.text, end+1) == '.' ||
			parts == 2 || s.wraps(end+1, end-at)):
			parts++
			end++
			continue
		case end < len(s.text) && s.wraps(end, end-at):
			end = setSpace.span(s.text, end, 64)
			continue
		}
		break
	}
	s.tokenEnd = end
	for end > at && s.text[end-1] == '.' && parts > 3 {
		end--
		parts--
	}
	if parts < 3 || end-at < 20 {
		return
	}
	s.hide(at, end, kindToken)
}

// wraps reports whether a token that was printed over lines goes on behind the
// line end at i: the next line is one run of its characters and nothing else.
func (s *scanner) wraps(i, soFar int) bool {
	if !setLineEnd.in(byteAt(s.text, i)) || i >= len(s.text) || soFar < 40 {
		return false
	}
	if byteAt(s.text, i) == '\r' {
		i++
	}
	from := setBlank.span(s.text, i+1, 32)
	end := (setBase64URL | setDot).span(s.text, from, 256)
	if end-from < 1 || end < len(s.text) && !setSpace.in(s.text[end]) && !setQuote.in(s.text[end]) {
		return false
	}
	run := s.text[from:end]
	return len(run) >= 20 && isShaped(run) || len(run) >= 8 && setDigit.any(run) && setUpper.any(run) && setLower.any(run)
}

// tilde looks at an Azure client secret: three characters, a digit, Q~ and about 31
// more.
func (s *scanner) tilde(at int) {
	if byteAt(s.text, at-1) != 'Q' || !setDigit.in(byteAt(s.text, at-2)) || at < 5 {
		return
	}
	const tilde = '~'
	end := at + 1
	for end < len(s.text) && end-at < 64 && (setBase64URL.in(s.text[end]) || s.text[end] == tilde || s.text[end] == '.') {
		end++
	}
	start := at - 5
	if end-at >= 25 && (setBase64URL | setDot).all(s.text[start:at]) && s.startsWord(start) {
		s.hide(start, end, kindToken)
	}
}

// mailKey looks at a key of Mailchimp, which ends in the name of a data centre: 32
// hex digits, -us and a number.
func (s *scanner) mailKey(dash int) {
	if !startsAt(s.text, dash, "-us") {
		return
	}
	start, end := setHex.spanLeft(s.text, dash, 40), setDigit.span(s.text, dash+3, 3)
	if dash-start == 32 && s.startsWord(start) && !setWord.in(byteAt(s.text, end)) {
		s.hide(start, end, kindToken)
	}
}

// dotToken looks at tokens with a dot between their parts.
func (s *scanner) dotToken(dot int) {
	t := s.text
	switch {
	case strings.IndexByte("sbr", t[dot-1]) >= 0 && byteAt(t, dot-2) != '.' && s.startsWord(dot-1):
		s.vaultToken(dot)
	case startsAt(t, dot, ".atlasv1."):
		s.atlasToken(dot)
	case byteAt(t, dot+7) == '.':
		s.discordToken(dot)
	case startsAt(t, dot-3, "pat"), startsAt(t, dot-3, "sat"), startsAt(t, dot-17, "pat"):
		s.idToken(dot)
	}
}

// vaultToken looks at a token of Vault before hvs: s. and more than 24 characters.
func (s *scanner) vaultToken(dot int) {
	end := setKey.span(s.text, dot+1, 96)
	body := s.text[dot+1 : end]
	if len(body) >= 24 && formMixed.fits(body, 0) && setUpper.any(body) && !setWord.in(byteAt(s.text, end)) && !isCamelCase(body) {
		s.hide(dot-1, end, kindToken)
	}
}

// atlasToken looks at a token of Terraform: an id, .atlasv1. and the secret.
func (s *scanner) atlasToken(dot int) {
	start, end := setKey.spanLeft(s.text, dot, 32), setBase64URL.span(s.text, dot+9, 256)
	if dot-start >= 10 && end-dot > 40 {
		s.hide(start, end, kindToken)
	}
}

// discordToken looks at a token of Discord: an id in base64, so many characters, and
// the secret.
func (s *scanner) discordToken(dot int) {
	second := dot + 7
	if !setBase64URL.all(s.text[dot+1 : second]) {
		return
	}
	start, end := setBase64URL.spanLeft(s.text, dot, 32), setBase64URL.span(s.text, second+1, 80)
	if n := dot - start; end-second > 25 && n >= 22 && n <= 30 && strings.IndexByte("MNO", s.text[start]) >= 0 && s.startsWord(start) {
		s.hide(start, end, kindToken)
	}
}

// idToken looks at a token of an id and a secret, with pat or sat before them: those
// of Airtable and Harness.
func (s *scanner) idToken(dot int) {
	start := setKey.spanLeft(s.text, dot, 24)
	if !s.startsWord(start) {
		return
	}
	end := (setBase64URL | setDot).span(s.text, dot+1, 128)
	for end > dot && setDot.in(s.text[end-1]) {
		end--
	}
	rest := s.text[dot+1 : end]
	if dot-start == 17 && len(rest) >= 32 && setHex.all(rest) || dot-start == 3 && len(rest) >= 60 && strings.Count(rest, ".") == 2 && isShaped(rest) {
		s.hide(start, end, kindToken)
	}
}

// botToken looks at a Telegram token: a number, a colon, and 35 characters of which
// the first are AA.
func (s *scanner) botToken(colon int) {
	if !startsAt(s.text, colon+1, "AA") {
		return
	}
	start, end := setDigit.spanLeft(s.text, colon, 12), setBase64URL.span(s.text, colon+1, 64)
	if n := colon - start; n >= 7 && n <= 11 && end-colon > 30 && (s.startsWord(start) || endsFold(s.text, start, "bot")) {
		s.hide(start, end, kindToken)
	}
}

// awsSecret looks behind an AWS key id, which ends at i, for the secret that goes
// with it: 40 base64 characters within four separators.
func (s *scanner) awsSecret(i int) {
	for range 4 {
		from := i
		for from < len(s.text) && from-i < 48 && strings.IndexByte(" \t\r\n,;:|/=\"'`", s.text[from]) >= 0 {
			from++
		}
		end := setBase64.span(s.text, from, 64)
		if end == from {
			return
		}
		if end-from == 40 && setDigit.any(s.text[from:end]) && setUpper.any(s.text[from:end]) && byteAt(s.text, end) != '=' {
			s.hide(from, end, kindToken)
			return
		}
		i = setWord.span(s.text, end, 64)
	}
}

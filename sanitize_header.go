package mend

import "strings"

// authSchemes are the words that may stand before the credentials of a header.
// Those of the second table have credentials of several words.
var (
	authSchemes = newWordSet("bearer", "basic", "token", "negotiate", "ntlm", "apikey", "api-key", "bot", "googlelogin", "oauth", "key", "jwt", "splunk", "kerberos", "sso-key", "genie-key", "ssws", "discogs", "bearertoken", "privatetoken", "sharedaccesssignature", "sharedkey", "sharedkeylite", "sharedsecret", "klaviyo-api-key", "deepl-auth-key", "zoho-oauthtoken", "client-id", "aws", "goog1", "session", "app-token", "secret", "pat", "dpop", "macaroon", "cloudsdk")
	longSchemes = newWordSet("digest", "hawk", "mac", "oauth", "signature", "hmac", "escher", "acs3-hmac-sha256", "tc3-hmac-sha256", "aws4-hmac-sha256", "aws4-ecdsa-p256-sha256", "goog4-rsa-sha256", "hmac-sha256", "eg1-hmac-sha256", "scram-sha-256", "gnap", "privatetoken", "vapid")
)

// authHeader looks at Authorization and Proxy-Authorization, with a colon or an
// equals sign, in quotes or not.
func (s *scanner) authHeader(at int) bool {
	t := s.text
	if c := byteAt(t, at-1); !startsFold(t, at, "authorization") || setDigit.in(c) || setUpper.in(c) || setLower.in(c) && t[at] != 'A' && !endsEscape(t, at) {
		return false
	}
	end := at + len("authorization")
	p := behindQuote(t, end)
	q := skipBlanks(t, p)
	n, _ := separatorAt(t, q)
	if n == 0 {
		if byteAt(t, q) != ',' || p == end { // ("Authorization", "Bearer x")
			return false
		}
		n = 1
	}
	if at < s.headerEnd {
		return false
	}
	v := skipBlanks(t, q+n)
	quote := false
	for range 4 { // [b'…'], ["…"]
		switch c := byteAt(t, v); {
		case behindQuote(t, v) > v:
			v, quote = behindQuote(t, v), true
			continue
		case (c == '[' || c == '{') && markAt(t, v) == 0, c == 'b' && setQuote.in(byteAt(t, v+1)):
			v++
			continue
		}
		break
	}
	s.credentials(v, quote)
	return true
}

// credentials hides what stands behind the scheme, if there is one, from v on, up
// to a quote, a bracket or the end of the line, unless it is prose.
func (s *scanner) credentials(v int, quoted bool) {
	t := s.text
	_, lineEnd := s.line(v)
	v = skipBlanks(t, v)
	end := (setAlnum | setDash).span(t, v, wordLen+1)
	word := t[v:end]
	long, known := longSchemes.has(word), authSchemes.has(word)
	from := v
	if long || known {
		next := skipBlanks(t, end)
		if startsAt(t, next, "%20") {
			next += len("%20")
		}
		if next == end && byteAt(t, end) != '+' {
			return // the word is all
		}
		from = max(next, min(end+1, len(t)))
		if next > end {
			from = next
		}
		if !long {
			from = behindQuote(t, from) // Basic 'x'
		}
	}
	if from >= lineEnd || markAt(t, from) > 0 {
		return
	}
	lineEnd = min(lineEnd, from+maxValue)
	stop := lineEnd
	if !long {
		for stop = from; stop < lineEnd && strings.IndexByte("\"'`[]{}()<>", t[stop]) < 0 && !startsAt(t, stop, `\n`) && !startsAt(t, stop, `\r`); stop++ {
		}
		if stop > from && t[stop-1] == '\\' {
			stop--
		}
	} else if quoted {
		stop = from + quoteEnd(t[from:lineEnd], byteAt(t, v-1))
	}
	for stop > from && (setBlank.in(t[stop-1]) || stop < lineEnd && t[stop-1] == ',') {
		stop--
	}
	far := stop
	stop = from + len(credential(t[from:stop], long, known))
	if stop > from && !isChallenge(t[from:stop], long) {
		s.hide(from, stop, kindHeader)
		s.headerEnd = stop
	} else if far-from > maxJudged {
		s.headerEnd = far // it was looked at, and will not be again
	}
}

// quoteEnd returns where the quote ends that opened before s.
func quoteEnd(s string, quote byte) int {
	if k := strings.IndexByte(s, quote); k >= 0 && quote == '\'' {
		return k
	}
	return len(s)
}

// isChallenge reports whether s is what a server asks for, not what it is given.
func isChallenge(s string, long bool) bool {
	return !long && strings.HasPrefix(s, "realm=") || strings.HasPrefix(s, "realm=") && !strings.Contains(s, "response=")
}

// credential returns the part of s, which is all that stands behind a header's
// name and scheme, that is secret; "" if s is prose. Words behind it stay if each
// of them is one.
func credential(s string, long, known bool) string {
	first := s
	if k := strings.IndexAny(s, " \t"); k >= 0 {
		first = s[:k]
	}
	bare := strings.TrimRight(first, ".,;")
	if long {
		if strings.IndexByte(s, '=') < 0 && isProse(s) {
			return ""
		}
		return s
	}
	if bare == "" || bare == "token=" || isBenign(bare) || len(bare) < 6 && !known || fetches(bare) { // token="…" has a label
		return ""
	}
	rest := s[len(first):]
	if isWordlike(bare) && (!known || rest != "" || len(bare) < 8 || isProse(bare)) {
		return ""
	}
	if rest == "" || isProse(rest) || known && first[len(first)-1] == ',' { // the next header
		return bare
	}
	return s
}

// isProse reports whether s is words, or short numbers among them.
func isProse(s string) bool {
	for word := range strings.FieldsSeq(s) {
		word = strings.Trim(word, ".,;:!?()\\")
		if !isWordlike(word) && !isSmallNumber(word+" ") && !isSmallNumberWord(word) && !isReferenceWord(word) {
			return false
		}
	}
	return true
}

func isSmallNumberWord(word string) bool {
	return word == "" || len(word) <= 4 && setDigit.all(word) || isPlainURL(word)
}

func isReferenceWord(word string) bool {
	return word != "" && (isReference(word) || word[0] == '-' && len(word) < 12 || markAt(word, 0) > 0)
}

// bareScheme looks at "Bearer x" and "Basic x" that stand in no header, and takes
// x if it is shaped.
func (s *scanner) bareScheme(at int) {
	t := s.text
	end := setLetter.span(t, at, 8)
	if word := t[at:end]; !sameFold(word, "bearer") && !sameFold(word, "basic") || !s.startsWord(at) {
		return
	}
	from := skipBlanks(t, end)
	if startsAt(t, from, "%20") {
		from += 3
	}
	if from == end {
		return
	}
	from = behindQuote(t, from)
	stop := (setBase64URL | setPlus | setEqual | setDot).span(t, from, maxJudged)
	if stop == from+maxJudged {
		stop = (setBase64URL | setPlus | setEqual | setDot).span(t, from, maxValue)
	}
	for stop > from && setDot.in(t[stop-1]) {
		stop--
	}
	value := t[from:min(stop, from+maxJudged)]
	if sameFold(t[at:end], "basic") && !(setBase64 | setEqual).all(value) {
		return
	}
	if isShaped(value) && !isBenign(value) && strings.IndexByte(value, '=') != strings.IndexByte("realm=", '=') {
		s.hide(from, stop, kindHeader)
	}
}

// cookieAttributes are what a cookie says of itself.
var cookieAttributes = newWordSet("path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "priority", "version", "partitioned", "comment")

// cookie looks at Cookie and Set-Cookie for the values of eight bytes or more.
func (s *scanner) cookie(at int) bool {
	t := s.text
	if !startsFold(t, at, "cookie") || setAlnum.in(byteAt(t, at-1)) {
		return false
	}
	end := at + len("cookie")
	p := behindQuote(t, end)
	q := skipBlanks(t, p)
	n, _ := separatorAt(t, q)
	if n == 0 && !(q > end && byteAt(t, at-1) == '-') {
		return false
	}
	v := skipBlanks(t, q+n)
	_, lineEnd := s.line(v)
	if lineEnd < v {
		return false
	}
	for range 3 {
		if open := behindQuote(t, v); open > v {
			v = open
		} else if byteAt(t, v) == '[' && markAt(t, v) == 0 {
			v++
		}
	}
	pairs := false
	for v < lineEnd && v < at+maxValue {
		nameEnd := v
		for nameEnd < lineEnd && nameEnd-v < 128 && !setSpace.in(t[nameEnd]) && strings.IndexByte("=;,\"'[]{}()<>", t[nameEnd]) < 0 {
			nameEnd++
		}
		if nameEnd == v || byteAt(t, nameEnd) == '=' && nameEnd == lineEnd {
			break
		}
		stop := nameEnd
		if byteAt(t, nameEnd) == '=' {
			pairs = true
			for stop = nameEnd + 1; stop < lineEnd && strings.IndexByte("; \t\"',]", t[stop]) < 0; stop++ {
				if markAt(t, stop) > 0 && stop > nameEnd+1 {
					break
				}
			}
			s.cookieValue(t[v:nameEnd], nameEnd+1, stop)
			if stop < lineEnd && markAt(t, stop) > 0 {
				stop += markAt(t, stop)
			}
		} else if !cookieAttributes.has(t[v:nameEnd]) {
			break
		}
		if byteAt(t, stop) != ';' {
			break
		}
		v = skipBlanks(t, stop+1)
	}
	s.nameEnd = max(s.nameEnd, min(v, lineEnd))
	return pairs
}

// cookieValue takes the value of one cookie.
func (s *scanner) cookieValue(name string, from, to int) {
	value := s.text[from:min(to, from+maxJudged)]
	if len(value) < 8 || cookieAttributes.has(name) || isBenign(value) {
		return
	}
	s.hide(from, to, kindHeader)
}

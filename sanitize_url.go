package mend

import "strings"

// maxUserinfo bounds how long the part of a URL before its host is.
const maxUserinfo = 4 << 10

// url looks at "://" for a user and a password behind it.
func (s *scanner) url(colon int) {
	t := s.text
	if !startsAt(t, colon, "://") || !setAlnum.in(byteAt(t, colon-1)) {
		return
	}
	from := colon + 3
	_, lineEnd := s.line(from)
	first := s.at.find(t, '@', from, max(from, lineEnd))
	if first < 0 || first == from || first-from > maxUserinfo || from < s.userinfoEnd {
		return
	}
	stop := max(from, s.urlEnd)
	for stop < lineEnd && stop-from < maxUserinfo && !setURLEnd.in(t[stop]) && !(t[stop] == ':' && startsAt(t, stop, "://")) {
		stop++
	}
	s.urlEnd = stop
	at := userinfoEnd(t, from, first, stop)
	if at < 0 {
		return
	}
	s.userinfoEnd = at
	pw := strings.IndexByte(t[from:at], ':')
	if pw < 0 {
		if user := t[from:at]; len(user) >= 16 && isShaped(user) && !isBenign(user) {
			s.hide(from, at, kindURL)
		}
		return
	}
	if strings.HasSuffix(t[from:from+pw], "[") {
		return // user[:password]@host, as usages have it
	}
	if user := t[from : from+pw]; len(user) >= 20 && isShaped(user) {
		s.hide(from, from+pw, kindURL)
	}
	if from += pw + 1; at-from > 1 && (!isBenign(t[from:at]) || isPath(t[from:at])) {
		s.hide(from, at, kindURL)
	}
}

// userinfoEnd returns the offset of the @ that ends the userinfo that begins at
// from, or -1. It is the first one if a host follows; else the last that has one
// and does not follow a slash, since a password may hold an @.
func userinfoEnd(t string, from, first, stop int) int {
	if first >= stop {
		return -1
	}
	if path := setURLPath.until(t, from, first); path < first {
		// A port, or no colon at all: the @ is in the path.
		c := strings.IndexByte(t[from:path], ':')
		if c < 0 || setDigit.all(t[from+c+1:path]) || t[from] == '[' {
			return -1
		}
	}
	if hasHost(t, first+1, stop) {
		return first
	}
	last := -1
	path := strings.IndexByte(t[first:stop], '/')
	for i := min(stop-1, first+maxJudged); i > first; i-- {
		if t[i] == '@' && t[i-1] != '/' && hasHost(t, i+1, stop) {
			return i
		}
		if t[i] == '@' && last < 0 && (path < 0 || i < first+path) {
			last = i
		}
	}
	if last >= 0 {
		return last
	}
	if setWord.in(byteAt(t, first+1)) || strings.IndexByte("/:[%$", byteAt(t, first+1)) >= 0 {
		return first
	}
	return -1
}

// hasHost reports whether a host stands at i that is seen to be one: with a dot, a
// port, in brackets, or localhost.
func hasHost(t string, i, stop int) bool {
	if markAt(t, i) > 0 || byteAt(t, i) == '[' {
		return true
	}
	end := (setWord | setDash | setDot).span(t[:stop], i, 256)
	if end == i || !setAlnum.in(t[i]) {
		return false
	}
	host := t[i:end]
	return byteAt(t, end) != '@' && (byteAt(t, end) == ':' && setDigit.in(byteAt(t, end+1)) || sameFold(host, "localhost") ||
		strings.IndexByte(strings.TrimRight(host, "."), '.') > 0)
}

// driverURL looks at the @ of "user:pw@tcp(" and "user:pw@unix(", as a driver's
// data source has it.
func (s *scanner) driverURL(at int) {
	t := s.text
	paren := setLower.span(t, at+1, 8)
	if byteAt(t, paren) != '(' {
		return
	}
	switch t[at+1 : paren] {
	case "tcp", "unix", "udp", "tls", "cloudsql":
	default:
		return
	}
	start := at
	for start > 0 && at-start < maxJudged && !setSpace.in(t[start-1]) && !setQuote.in(t[start-1]) {
		start--
	}
	k := strings.IndexByte(t[start:at], ':')
	if k < 0 {
		return
	}
	if strings.HasPrefix(t[start+k:], "://") {
		next := strings.IndexByte(t[start+k+3:at], ':')
		if next < 0 {
			return
		}
		k += 3 + next
	}
	if pw := start + k + 1; !isBenign(t[pw:at]) || isPath(t[pw:at]) {
		s.hide(pw, at, kindConnection)
	}
}

// oracle looks at jdbc:oracle:thin:user/pw@host.
func (s *scanner) oracle(at int) {
	const head = "jdbc:oracle:"
	if !startsFold(s.text, at, head) {
		return
	}
	t := s.text
	i := setLetter.span(t, at+len(head), 8)
	if byteAt(t, i) != ':' {
		return
	}
	slash := (setWord | setDash | setDot).span(t, i+1, 64)
	if byteAt(t, slash) != '/' || slash == i+1 {
		return
	}
	end := slash + 1
	for end < len(t) && end-slash < maxJudged && t[end] != '@' && !setSpace.in(t[end]) {
		end++
	}
	if byteAt(t, end) == '@' && !isBenign(t[slash+1:end]) {
		s.hide(slash+1, end, kindConnection)
	}
}

// signedParams are parameters of URLs that sign or identify a request, beside
// those that labels find.
var signedParams = newWordSet("sig", "signature", "code", "x-amz-signature", "x-amz-credential", "x-amz-security-token",
	"x-goog-signature", "x-goog-credential", "googleaccessid", "awsaccesskeyid", "sas", "assertion", "ticket", "state")

// urlParam looks at a parameter that follows ? or & and is one of signedParams, or
// one whose name begins with X-Amz- or X-Goog-.
func (s *scanner) urlParam(at int) {
	t := s.text
	if c := byteAt(t, at); c == '?' || c == '&' {
		at++
	}
	if c := byteAt(t, at-1); c != '?' && c != '&' && c != ';' && !endsEscape(t, at) {
		return
	}
	end := setName.span(t, at, wordLen+1)
	if byteAt(t, end) != '=' && !startsFold(t, end, "%3d") || !signedParams.has(t[at:end]) || sameFold(t[at:end], "state") {
		return
	}
	n, _ := separatorAt(t, end)
	from := end + n
	to := sentenceEnd(t, from, s.plainEnd(from, maxValue, true))
	value := t[from:min(to, from+maxJudged)]
	if len(value) < 8 || isBenign(value) || isWordlike(value) || isVersion(value) {
		return
	}
	s.hide(from, to, kindURL)
}

// hookRow is a webhook: what its URL holds, and what goes on behind it.
type hookRow struct{ fixed, must string }

var hookRows = []hookRow{
	{"hooks.slack.com/services/", ""},
	{"hooks.slack.com/workflows/", ""},
	{"hooks.slack.com/triggers/", ""},
	{"discord.com/api/webhooks/", ""},
	{"discordapp.com/api/webhooks/", ""},
	{"webhook.office.com/webhookb2/", ""},
	{"outlook.office.com/webhook/", ""},
	{"outlook.office365.com/webhook/", ""},
	{"api.telegram.org/bot", ":"},
	{"hooks.zapier.com/hooks/catch/", ""},
	{"chat.googleapis.com/v1/spaces/", "key="},
}

// hook looks at the URL of a webhook, whose path is the secret.
func (s *scanner) hook(at int) {
	for _, r := range hookRows {
		if !startsFold(s.text, at, r.fixed) {
			continue
		}
		from := at + len(r.fixed)
		end := s.plainEnd(from, maxJudged, true)
		path := s.text[from:end]
		if r.must == ":" {
			end = from + strings.IndexByte(path+"/", '/')
			path = s.text[from:end]
		}
		if len(path) < 12 || !strings.Contains(path, r.must) || !setDigit.any(path) || isBenign(path) || r.must == "key=" {
			return
		}
		s.hide(from, end, kindURL)
		return
	}
}

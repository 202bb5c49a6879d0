package mend

import "sync"

// Bytes that may stand behind a word of three letters that ends a label's name:
// what parts it from its value, or the rest of the name.
const labelFollowers = " \t\n\r=:\"'\\_-.0123456789])>&%?,|;/$\xef\xc2+@`ptobvdsclw"

// wordFollowers are all bytes that are no part of a word.
var wordFollowers = func() string {
	var b []byte
	for c := range 256 {
		if !setWord.in(byte(c)) {
			b = append(b, byte(c))
		}
	}
	return string(b)
}()

// everyByte is what may stand behind the scheme of a URL.
var everyByte = func() string {
	b := make([]byte, 0x80)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}()

// lookedAt are the bytes whose neighbourhood is looked at wherever they stand, since
// no four bytes tell of what they are part of: numbers, addresses, hashes.
var lookedAt = func() (t [256]bool) {
	for _, c := range []byte(".:@~$wW") {
		t[c] = true
	}
	return t
}()

// commonTriggers returns the triggers that each sanitizer has.
var commonTriggers = sync.OnceValue(func() triggerList {
	var l triggerList
	const keyFollowers = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
	for i, r := range tokenRows {
		followers := keyFollowers
		if r.set == setHex {
			followers = "0123456789abcdef"
		}
		l.add(ruleToken, i, r.prefix, followers)
	}
	for i, r := range hashRows {
		if r.prefix[0] != '$' {
			l.add(ruleHash, i, r.prefix, keyFollowers)
		}
	}
	for rule, words := range map[scanRule][]string{
		ruleKey:          {"begin", "private-lines"},
		ruleEncodedKey:   {"ls0tls1"},
		ruleOracle:       {"jdbc:"},
		ruleAuth:         {"authorization"},
		ruleBare:         {"bearer", "basic"},
		ruleCookie:       {"cookie"},
		ruleParam:        {"?sig", "&sig", "?code", "&code", "x-amz-", "x-goog-", "?googleaccess", "&googleaccess", "?awsaccess", "&awsaccess", "?sas=", "&sas=", "?assertion", "&assertion", "?ticket", "&ticket"},
		ruleHook:         {"hooks.", "discord", "webhook.", "outlook.", "api.telegram"},
		ruleCommand:      {"curl", "wget", "http ", "mysql", "maria", "sshpass", "redis-cli", "mongo", "ldap", "smbclient", "sqlcmd", "docker", "podman", "helm"},
		ruleMask:         {"add-mask", "##vso["},
		ruleHome:         {"/home", "/users", "\\users", "%2fhome", "%2fusers", "%5cusers", "\\documents", "/documents"},
		ruleMark:         {"[ip]"},
		ruleOption:       {" -p "},
		ruleEscapedLabel: {`\u00`},
		ruleEnvUser:      {"user", "logname", "sudo_user"},
		ruleLabel:        {"pass", "secr", "cred", "apik", "toke", "auth", "bear", "cook", "sess"},
	} {
		for _, w := range words {
			l.add(rule, 0, w, keyFollowers+"/[%.$<{*")
		}
	}
	for _, w := range []string{"key", "pwd", "psk", "pat", "jwt", "sid", "dsn"} {
		l.add(ruleLabel, 0, w, labelFollowers)
	}
	l.add(ruleURL, 0, "://", everyByte)
	l.add(ruleJWT, 0, "eyJ", keyFollowers)
	l.add(ruleHostIP, 0, "ip-", "0123456789")
	l.add(ruleMailKey, 0, "-us", "0123456789")
	return l
})

// commonTables are those of a sanitizer that knows no values of its own.
var commonTables = sync.OnceValue(func() *sanitizerTables {
	t := new(sanitizerTables)
	t.plant(append(triggerList(nil), commonTriggers()...))
	return t
})

// newSanitizerTables returns the tables for values, directories and names that a
// caller named.
func newSanitizerTables(secrets, homes, users []string) *sanitizerTables {
	t := &sanitizerTables{known: knownForms(secrets)}
	l := append(triggerList(nil), commonTriggers()...)
	for i, k := range t.known {
		l.add(ruleKnown, i, k.text, wordFollowers)
	}
	for _, user := range users {
		if user = normaliseText(user); len([]rune(user)) >= 3 && !isPartOfMark(user) {
			l.add(ruleUser, len(t.users), user, wordFollowers)
			t.users = append(t.users, user)
		}
	}
	for _, dir := range homes {
		dir = trimSlashes(normaliseText(dir))
		if len(dir) > 1 && !isPartOfMark(dir) {
			l.add(ruleOwnHome, len(t.homes), dir, wordFollowers)
			t.homes = append(t.homes, dir)
		}
	}
	if t.known == nil && t.users == nil && t.homes == nil {
		return commonTables()
	}
	t.plant(l)
	return t
}

func trimSlashes(dir string) string {
	for len(dir) > 0 && (dir[len(dir)-1] == '/' || dir[len(dir)-1] == '\\') {
		dir = dir[:len(dir)-1]
	}
	return dir
}

// scan looks at each place of the text once.
func (s *scanner) scan() {
	s.keyEdge()
	s.scanFrom(0, len(s.text))
}

// scanFrom looks at the places from i on and before end. Nearly all of them end at the
// filter: a bit for the four bytes there, and one for the second of them. Eight bytes
// are read for four places.
func (s *scanner) scanFrom(i, end int) {
	t := s.text
	if i < end && lookedAt[t[i]] {
		s.lookAt(i)
	}
	filter := &s.filter
	for last := min(end, len(t)-4) - 4; i <= last; i += 4 {
		w := uint64(t[i]) | uint64(t[i+1])<<8 | uint64(t[i+2])<<16 | uint64(t[i+3])<<24 |
			uint64(t[i+4])<<32 | uint64(t[i+5])<<40 | uint64(t[i+6])<<48 | uint64(t[i+7])<<56
		for k := range 4 {
			gram := uint32(w) | gramFold
			if h := gramHash16(gram); filter[h/64]>>(h%64)&1 != 0 {
				s.tryRules(i+k, gram, h)
			}
			w >>= 8
			if lookedAt[byte(w)] {
				s.lookAt(i + k + 1)
			}
		}
	}
	for ; i < end; i++ { // beyond its end, text goes on with blanks
		gram := gramOf(t[i], blankBeyond(t, i+1), blankBeyond(t, i+2), blankBeyond(t, i+3))
		if h := gramHash16(gram); filter[h/64]>>(h%64)&1 != 0 {
			s.tryRules(i, gram, h)
		}
		if i+1 < len(t) && lookedAt[t[i+1]] {
			s.lookAt(i + 1)
		}
	}
}

func blankBeyond(t string, i int) byte {
	if i < len(t) {
		return t[i]
	}
	return ' '
}

// tryRules runs the rules whose trigger the place has.
func (s *scanner) tryRules(at int, gram, hash uint32) {
	g := hash >> (gramBits - gramGroupBits)
	for _, tr := range s.triggers[s.groups[g]:s.groups[g+1]] {
		if tr.gram == gram {
			s.try(tr.rule, at, int(tr.row))
		}
	}
}

// try runs one rule.
func (s *scanner) try(rule scanRule, at, row int) {
	switch rule {
	case ruleToken:
		s.token(at, row)
	case ruleHash:
		s.hash(at, row)
	case ruleKey:
		s.privateKey(at)
	case ruleEncodedKey:
		s.encodedKey(at)
	case ruleJWT:
		s.jwt(at)
	case ruleURL:
		s.url(at)
	case ruleOracle:
		s.oracle(at)
	case ruleAuth:
		s.authHeader(at)
	case ruleBare:
		s.bareScheme(at)
	case ruleCookie:
		s.cookie(at)
	case ruleParam:
		s.urlParam(at)
	case ruleHook:
		s.hook(at)
	case ruleCommand:
		s.command(at)
	case ruleMask:
		s.addMask(at)
		s.setVariable(at)
	case ruleLabel:
		if !s.passOption(at) && !s.netrc(at) {
			s.label(at)
		}
	case ruleEscapedLabel:
		s.escapedLabel(at)
	case ruleHome:
		s.home(at)
	case ruleOwnHome:
		s.ownHome(at, row)
	case ruleHostIP:
		s.hostAddress(at)
	case ruleMailKey:
		s.mailKey(at)
	case ruleMark:
		s.markedAddress(at)
	case ruleOption:
		s.loginOption(at)
	case ruleEnvUser:
		if !s.environmentUser(at) {
			s.userOption(at)
		}
	case ruleKnown:
		s.knownSecret(at, row)
	case ruleUser:
		s.userName(at, row)
	}
}

// lookAt looks at what is round one of the bytes of lookedAt.
func (s *scanner) lookAt(i int) {
	t := s.text
	before, behind := byteAt(t, i-1), byteAt(t, i+1)
	switch t[i] {
	case '.':
		if !setBase64URL.in(before) || !setBase64URL.in(behind) {
			return
		}
		if setDigit.in(before) && setDigit.in(behind) {
			s.quad(i)
		}
		s.dotToken(i)
	case ':':
		if setSpace.in(behind) {
			return
		}
		if setHex.in(before) && setHex.in(behind) || behind == ':' {
			s.sixAddress(i)
		}
		if startsAt(t, i, ":AA") && setDigit.in(before) {
			s.botToken(i)
		}
		if isPort(t, i) || behind == '*' && byteAt(t, i+2) == ':' {
			s.pgpass(i)
		}
	case '@':
		if setAlnum.in(behind) {
			s.email(i)
			s.driverURL(i)
		}
	case '~':
		s.tilde(i)
	case '$':
		s.dollar(i)
	case 'w', 'W':
		if before|0x20 == 'p' && !setLower.in(behind) {
			s.label(i - 1)
		}
	}
}

// isPort reports whether a port stands before i, between two colons.
func isPort(t string, i int) bool {
	from := setDigit.spanLeft(t, i, 5)
	return i-from >= 4 && byteAt(t, from-1) == ':'
}

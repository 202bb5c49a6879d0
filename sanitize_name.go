package mend

import "strings"

// nameStrength says how much a name tells of its value.
type nameStrength uint8

const (
	nameNone nameStrength = iota
	nameWeak
	nameToken // weak, and ends in "token"
	nameStrong
)

const (
	maxName  = 96 // bytes that a name may have
	maxWords = 4  // of a name, from its end, decide
)

// strongWords are names by themselves, and as the end of a longer word.
var strongWords = []string{
	"password", "passwd", "passphrase", "pass", "pwd", "pw", "psk", "bindpw", "secret", "secrets", "credential", "credentials", "apikey",
	"passcode", "authtoken", "accesstoken", "apitoken", "refreshtoken", "sessiontoken", "accesskey", "secretkey", "privatekey", "authkey", "masterkey",
	"accountkey", "encryptionkey", "signingkey", "sharedkey", "passwort", "userpass", "creds",
}

// strongEndings holds the strong words by their last letter.
var strongEndings = func() (t [256][]string) {
	for _, w := range strongWords {
		last := w[len(w)-1]
		t[last] = append(t[last], w)
	}
	return t
}()

// namingWords are those of which one has to stand where a label is looked for, by
// their first letter: no other word that begins as they do decides over a name.
var namingWords = func() (t [256][]string) {
	for _, w := range strongWords {
		t[w[0]] = append(t[w[0]], w)
	}
	for w := range weakWords {
		t[w[0]] = append(t[w[0]], w)
	}
	return t
}()

// namingWord reports whether the word that begins at i may decide over a name.
func namingWord(t string, i int) bool {
	same := setLower
	if setUpper.in(byteAt(t, i)) && setUpper.in(byteAt(t, i+1)) {
		same = setUpper
	}
	word := t[i:same.span(t, i+1, wordLen)]
	for _, w := range namingWords[foldByte(word[0])] {
		if sameFold(word, w) {
			return true
		}
	}
	return false
}

// glued are words that end as a strong one does and are none.
var notStrong = newWordSet("bypass", "compass", "trespass", "surpass", "encompass", "overpass", "underpass", "multipass", "singlepass", "firstpass", "onepass", "oldpwd")

var weakWords = newWordSet("token", "key", "auth", "pat", "jwt", "bearer", "cookie", "session", "sid", "dsn", "sessionid", "sessid", "phpsessid", "jsessionid")

// The words before "key" and "token" that make them strong, or nothing at all.
var (
	strongKeys   = newWordSet("api", "access", "secret", "private", "account", "master", "encryption", "signing", "app", "auth", "service", "subscription", "shared", "application", "decryption", "signature", "license", "admin", "functions", "storage", "hmac")
	strongTokens = newWordSet("api", "auth", "access", "refresh", "session", "security", "bearer", "oauth", "personal", "deploy", "bot", "csrf", "xsrf", "id", "identity", "registration", "private", "webhook", "secret", "runner", "admin", "service", "vault", "login", "reset", "authentication", "authorization", "registry", "publish", "upload", "root", "client")
	noKeys       = newWordSet("public", "primary", "foreign", "sort", "partition", "cache", "host", "any", "pub", "unique", "hash", "hot", "short", "object", "s3", "row",
		"index", "lookup", "composite", "natural", "candidate", "range", "map", "dict", "arrow", "function", "press", "registry", "translation", "i18n", "message", "config", "sorting", "group", "routing", "idempotency", "dedup", "metadata",
		"shift", "control", "ctrl", "escape", "enter", "return", "modifier", "no", "bad", "duplicate", "unknown", "missing", "json", "yaml", "toml", "context", "attribute", "event", "storage-key", "tab", "legend", "answer", "store", "gpg", "signing-key", "trusted", "verification", "verify")
	noTokens = newWordSet("key", "unexpected", "max", "stop", "eos", "bos", "pad", "lex", "next", "current", "last", "first", "end", "start", "eof", "page", "continuation", "cancellation", "comment", "string", "no", "expected")
)

// qualifiers may follow the word that decides.
var qualifiers = newWordSet("prod", "production", "test", "testing", "old", "new", "base64", "b64", "value", "data", "dev", "development", "staging", "stage", "live", "default", "primary", "secondary",
	"sandbox", "plain", "plaintext", "text", "raw", "hex", "encoded", "string", "str", "current", "previous", "prev", "backup", "tmp", "temp", "ci", "local", "main", "env", "override", "encrypted", "decrypted", "base")

// nameWords are the last words of a name, from the last one back.
type nameWords struct {
	words  [maxWords]string
	count  int
	capped bool // all letters are capitals
}

// lastWords splits name at camel humps and at all but letters and digits.
func (w *nameWords) lastWords(name string) {
	w.count, w.capped = 0, !setLower.any(name)
	end := len(name)
	for end > 0 && w.count < maxWords {
		for end > 0 && !setAlnum.in(name[end-1]) {
			end--
		}
		start := end
		for start > 0 && setAlnum.in(name[start-1]) {
			start--
			if start > 0 && setAlnum.in(name[start-1]) && isHump(name, start, end) {
				break
			}
		}
		if start < end {
			w.words[w.count] = name[start:end]
			w.count++
		}
		end = start
	}
}

// isHump reports whether a word of camel case begins at i.
func isHump(name string, i, end int) bool {
	if !setUpper.in(name[i]) {
		return false
	}
	return setLower.in(name[i-1]) || setDigit.in(name[i-1]) && i+1 < end ||
		i+1 < end && setLower.in(name[i+1]) && !(i+2 == end && name[i+1] == 's')
}

// drop removes the last word.
func (w *nameWords) drop() {
	copy(w.words[:], w.words[1:w.count])
	w.count--
}

// word returns the word at k from the end, or "".
func (w *nameWords) word(k int) string {
	if k >= w.count {
		return ""
	}
	return w.words[k]
}

// strength says what the last words of a name tell.
func (w *nameWords) strength() nameStrength {
	for w.count > 0 && setDigit.all(w.words[0]) {
		w.drop()
	}
	if w.count == 0 {
		return nameNone
	}
	s := w.deciding()
	if s == nameNone && w.count > 1 {
		if qualifiers.has(w.words[0]) {
			w.drop()
			for w.count > 1 && setDigit.all(w.words[0]) {
				w.drop()
			}
			s = w.deciding()
		}
	}
	return s
}

// deciding says what the last word tells, with the one before it.
func (w *nameWords) deciding() nameStrength {
	var buf [wordLen]byte
	word := w.words[0]
	last := foldWord(&buf, word[max(0, len(word)-wordLen):]) // whose end decides
	for len(last) > 1 && setDigit.in(last[len(last)-1]) {
		last = last[:len(last)-1]
	}
	switch string(last) {
	case "key":
		return w.key()
	case "token":
		return w.token()
	case "pat":
		if w.capped && w.count > 1 {
			return nameStrong
		}
		return nameWeak
	case "data": // client-key-data
		if sameFold(w.word(1), "key") && sameFold(w.word(2), "client") {
			return nameStrong
		}
		return nameNone
	case "csrftoken", "xsrftoken":
		return nameToken
	}
	if sameFold(w.word(1), "pass") && (string(last) == "word" || string(last) == "phrase") {
		return nameStrong // passWord
	}
	if _, ok := weakWords[string(last)]; ok {
		return nameWeak
	}
	if _, ok := notStrong[string(last)]; ok {
		return nameNone
	}
	for _, strong := range strongEndings[last[len(last)-1]] {
		if len(last) >= len(strong) && string(last[len(last)-len(strong):]) == strong {
			if strong == "pass" && (sameFold(w.word(1), "by") || sameFold(w.word(1), "render") || sameFold(w.word(1), "compiler")) {
				return nameNone
			}
			return nameStrong
		}
	}
	return nameNone
}

func (w *nameWords) key() nameStrength {
	before := w.word(1)
	switch {
	case before == "":
		return nameWeak
	case strongKeys.has(before):
		return nameStrong
	case noKeys.has(before):
		return nameNone
	}
	return nameWeak
}

func (w *nameWords) token() nameStrength {
	before := w.word(1)
	switch {
	case before == "":
		return nameToken
	case strongTokens.has(before):
		return nameStrong
	case noTokens.has(before) && !w.capped:
		return nameNone
	case w.capped:
		return nameStrong
	}
	return nameToken
}

// nameOf says what the name that stands in t from start to end tells. A word
// before it counts if a single blank parts them, as in "API key".
func nameOf(t string, start, end int, two bool) nameStrength {
	var w nameWords
	w.lastWords(t[start:end])
	if w.count == 1 && two {
		if from := wordBefore(t, start); from < start {
			w.lastWords(t[from:end])
			w.capped = false
		}
	}
	return w.strength()
}

// wordBefore returns where the word of letters begins that a single blank parts
// from at, or at if there is none.
func wordBefore(t string, at int) int {
	if byteAt(t, at-1) != ' ' {
		return at
	}
	from := (setLetter | setDash | setUnder).spanLeft(t, at-1, wordLen)
	if from == at-1 || from > 0 && strings.IndexByte("/\\.=", t[from-1]) >= 0 {
		return at
	}
	return from
}

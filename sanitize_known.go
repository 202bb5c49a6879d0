package mend

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"unicode/utf8"
)

// knownForms returns the values in every form in which a program may print them.
func knownForms(secrets []string) []knownValue {
	var all []knownValue
	seen := make(map[string]bool)
	put := func(text string, whole bool) {
		if !seen[text] {
			seen[text] = true
			all = append(all, knownValue{text, whole})
		}
	}
	for _, secret := range secrets {
		values := []string{secret}
		if lines := strings.FieldsFunc(secret, func(r rune) bool { return r == '\n' || r == '\r' }); len(lines) > 1 {
			values = append(values, lines...)
		}
		for _, value := range values {
			value = normaliseText(strings.TrimSpace(value))
			if isIgnoredSecret(value) {
				continue
			}
			put(value, len(value) < 8)
			for _, form := range encodedForms(value) {
				if len(form) >= 8 {
					put(form, false)
				} else if len(form) >= 4 {
					put(form, true)
				}
			}
		}
	}
	return all
}

// isIgnoredSecret reports whether value would destroy more than it hides.
func isIgnoredSecret(value string) bool {
	if len(value) < 4 || strings.Trim(value, "+-.,0123456789") == "" {
		return true
	}
	switch strings.ToLower(value) {
	case "true", "false", "null", "none":
		return true
	}
	return isPartOfMark(value)
}

// isPartOfMark reports whether value stands in a mark or in the notice.
func isPartOfMark(value string) bool {
	for _, m := range append(redactionMarks[:len(redactionMarks):len(redactionMarks)], noticeHead, noticeTail) {
		if strings.Contains(strings.ToLower(m), strings.ToLower(value)) {
			return true
		}
	}
	return false
}

// encodedForms returns value quoted for JSON, URLs, HTML and a shell, in hex, and
// in base64.
func encodedForms(value string) []string {
	quoted, _ := json.Marshal(value) // a string has a JSON form
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	query := url.QueryEscape(value)
	forms := []string{
		string(quoted[1 : len(quoted)-1]), plain[1 : len(plain)-1],
		query, strings.ReplaceAll(query, "+", "%20"), url.PathEscape(value), lowerEscapes(query),
		lowerEscapes(strings.ReplaceAll(query, "+", "%20")),
		html.EscapeString(value), strings.ReplaceAll(html.EscapeString(value), "&#34;", "&quot;"),
		strings.ReplaceAll(value, "'", `'\''`), strings.ReplaceAll(value, "'", `'"'"'`), shellEscaped(value),
		hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
	}
	return append(forms, base64Forms(value)...)
}

// lowerEscapes returns an URL-quoted string with its escapes in small letters.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			b[i+1], b[i+2] = foldByte(b[i+1]), foldByte(b[i+2])
		}
	}
	return string(b)
}

// shellEscaped returns value with a backslash before what a shell would read.
func shellEscaped(value string) string {
	var b strings.Builder
	for _, r := range value {
		if r < utf8.RuneSelf && !setWord.in(byte(r)) && strings.IndexByte("-./:,@%+=", byte(r)) < 0 {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// base64Forms returns what stands for value in base64, in both alphabets and
// wherever in the encoded text it begins: of the first and the last characters
// only those that hold nothing of its neighbours.
func base64Forms(value string) []string {
	var forms []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			coded := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			from := (shift*8 + 5) / 6
			to := (shift + len(value)) * 8 / 6
			if to-from >= 6 {
				forms = append(forms, coded[from:to])
			}
		}
	}
	return forms
}

// knownSecret takes a known value.
func (s *scanner) knownSecret(at, row int) {
	k := &s.known[row]
	if !startsAt(s.text, at, k.text) {
		return
	}
	end := at + len(k.text)
	if k.whole && (!s.startsWord(at) || setWord.in(byteAt(s.text, end))) {
		return
	}
	s.add(at, end, kindKnown, markSecret)
}

// userName takes the name of a user where it stands as a whole word.
func (s *scanner) userName(at, row int) {
	name := s.users[row]
	end := at + len(name)
	if !startsAt(s.text, at, name) || !s.startsWord(at) || setWord.in(byteAt(s.text, end)) {
		return
	}
	if from, _ := markAround(s.text, at); from < at {
		return
	}
	s.add(at, end, kindUser, markSecret)
}

// environmentUser takes the value of USER= and LOGNAME=.
func (s *scanner) environmentUser(at int) bool {
	t := s.text
	end := setUpper.span(t, at, 16)
	switch t[at:end] {
	case "USER", "LOGNAME", "USERNAME", "SUDO_USER":
	default:
		return false
	}
	if byteAt(t, end) != '=' || setBase64URL.in(byteAt(t, at-1)) || byteAt(t, at-1) == '$' || byteAt(t, at-1) == '{' {
		return false
	}
	v := end + 1
	if setQuote.in(byteAt(t, v)) {
		v++
	}
	stop := s.plainEnd(v, maxHomeName, false)
	if v < stop && !isBenign(t[v:stop]) && t[v:stop] != "root" {
		s.hide(v, stop, kindUser)
	}
	return true
}

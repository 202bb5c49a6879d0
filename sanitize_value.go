package mend

import "strings"

// The tests of values see at most that much of one.
const maxJudged = 256

// isBenign reports whether value, which stands where a secret would, is none: it
// is empty, a mark, a status, a number, a reference, a placeholder, a path or an
// address without a password, or the name of the next label.
func isBenign(value string) bool {
	if strings.Trim(value, "\"'`\\") == "" || markAt(value, 0) > 0 {
		return true
	}
	if benignValues.has(strings.TrimRight(value, ".,!?:;")) {
		return true
	}
	return isSmallNumber(value) || isReference(value) || isPlaceholder(value) || isPath(value) || isPlainURL(value) || isNextName(value)
}

// isSmallNumber reports whether value has at most three digits, with a unit or a
// sign, or is a number as programs write it in hexadecimal.
func isSmallNumber(value string) bool {
	if strings.HasPrefix(value, "0x") && len(value) <= 18 {
		return setHex.all(value[2:])
	}
	value = strings.TrimLeft(value, "+-")
	end := setDigit.span(value, 0, len(value))
	return end > 0 && end <= 3 && len(value)-end <= 4 && (setLetter|setDot).all(strings.TrimRight(value[end:], "%")) ||
		end > 0 && end == len(value) && end <= 3
}

// isReference reports whether value tells where a secret is, not what it is.
func isReference(value string) bool {
	switch value[0] {
	case '$':
		c := byteAt(value, 1)
		if c == '{' || c == '(' || c == '[' || strings.IndexByte("@!&?", c) >= 0 {
			return true
		}
		// Password hashes begin with a dollar too, and so may passwords.
		end := setWord.span(value, 1, len(value))
		if setDigit.in(c) {
			return end == len(value) && end <= 3
		}
		return end == 1 && len(value) == 1 || end > 1 && (end == len(value) || strings.IndexByte("/.[-:({\\", value[end]) >= 0)
	case '%':
		end := setWord.span(value, 1, len(value))
		if byteAt(value, end) == '%' && end > 1 && !setDigit.in(value[1]) && !setHex.in(byteAt(value, end+1)) {
			return true
		}
		verb := strings.TrimLeft(value[1:], "#+-0. ")
		return len(verb) == 1 && setLetter.in(verb[0]) || strings.HasPrefix(value, "%(") || strings.HasPrefix(value, "%{")
	case '{':
		return strings.HasPrefix(value, "{{") || !isShaped(strings.Trim(value, "{}"))
	case '#':
		return strings.HasPrefix(value, "#{")
	case '@':
		return len(value) == 1 || strings.HasPrefix(value, "@@") || setLetter.in(value[1]) && isWordy(value[1:])
	case '&':
		return isWordy(value[1:])
	case '!':
		return setLetter.in(byteAt(value, 1)) && isWordy(value[1:]) && value[1]|0x20 != 'p'
	}
	for _, head := range referenceHeads {
		if strings.HasPrefix(value, head) {
			return true
		}
	}
	return strings.HasSuffix(value, "()") || strings.HasSuffix(value, "(") ||
		strings.Count(value, ".") >= 2 && strings.IndexByte(value, '_') >= 0 && (setLower|setUnder|setDot).all(value)
}

// isPlaceholder reports whether value stands for one that somebody has to fill in.
func isPlaceholder(value string) bool {
	switch value[0] {
	case '<', '(':
		return true
	case '[':
		if startsFold(value, 1, "a-z") || startsFold(value, 1, "0-9") {
			return true // an expression
		}
		return !isShaped(strings.TrimSuffix(value[1:], "]"))
	}
	if (setUpper | setUnder | setDash).all(value) && len(value) < 32 && setUpper.any(value) {
		return true // a word in capitals
	}
	if strings.Trim(value, "*.xX•…-_#?=~ ") == "" {
		return true
	}
	if strings.HasPrefix(value, "***") || strings.HasSuffix(value, "***") || strings.HasSuffix(value, "...") || strings.HasSuffix(value, "…") {
		return !isShaped(strings.Trim(value, "*.…"))
	}
	for _, head := range placeholderHeads {
		if startsFold(value, 0, head) {
			return !isShaped(value)
		}
	}
	return len(value) >= 4 && isPlaceholderRun(value) && strings.IndexByte("xX0*.", value[0]) >= 0
}

// isPath reports whether value is a path: from the root, from home, from here, or
// on a drive. Base64 may begin with a slash too, but not with a word behind it.
func isPath(value string) bool {
	if len(value) >= 3 && setLetter.in(value[0]) && value[1] == ':' && (value[2] == '\\' || value[2] == '/') {
		return true
	}
	for _, head := range []string{"./", "../", "~/", ".\\", "..\\", "\\\\"} {
		if strings.HasPrefix(value, head) {
			return true
		}
	}
	if byteAt(value, 0) != '/' {
		dot := strings.LastIndexByte(value, '.')
		return dot > 0 && len(value) < 64 && keyFiles.has(value[dot+1:]) && (setBase64URL | setDot | setPlus).all(value)
	}
	end := (setLower | setDigit | setDash | setUnder | setDot).span(value, 1, 64)
	if end == len(value) || value[end] == '/' {
		return end > 2 && setLower.any(value[:end]) || len(value) == 1
	}
	end = setAlnum.span(value, 1, 64)
	return byteAt(value, end) == '/' && isWordy(value[1:end])
}

// keyFiles are the ends of names of files that keep secrets.
var keyFiles = newWordSet("json", "pem", "key", "crt", "cer", "der", "p12", "pfx", "jks", "keystore", "txt", "yml", "yaml", "toml", "ini", "conf", "env", "gpg", "asc", "pub", "xml", "properties")

// isPlainURL reports whether value is a URL without userinfo.
func isPlainURL(value string) bool {
	k := strings.Index(value, "://")
	if k <= 0 || k > 24 || !(setAlnum | setPlus | setDash | setDot).all(value[:k]) {
		return false
	}
	rest := value[k+3:]
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		rest = rest[:slash]
	}
	return strings.IndexByte(rest, '@') < 0
}

// isNextName reports whether value is another label with its value.
func isNextName(value string) bool {
	k := strings.IndexByte(value, '=')
	return k > 0 && k+1 < len(value) && value[k+1] != '=' && k <= 32 && setLetter.in(value[0]) &&
		(setLetter | setUnder | setDash | setDot).all(value[:k])
}

// isWordlike reports whether value reads as words: fewer than 24 letters, joined by
// signs, or one identifier in camel case, and no digit.
func isWordlike(value string) bool {
	letters := 0
	for i := range len(value) {
		switch c := value[i]; {
		case setLetter.in(c):
			letters++
		case strings.IndexByte("-_./:'’", c) >= 0, setWide.in(c):
		default:
			return false
		}
	}
	return letters < 24 && isWordy(value)
}

// isWordy reports whether the runs of letters in s are words or camel case: they
// have humps of three letters or so.
func isWordy(s string) bool {
	for i := 0; i < len(s); {
		if !setLetter.in(s[i]) {
			i++
			continue
		}
		from, humps := i, 0
		for ; i < len(s) && setLetter.in(s[i]); i++ {
			if setUpper.in(s[i]) && (i == from || !setUpper.in(s[i-1])) || i == from {
				humps++
			}
			if i > from && setLower.in(s[i]) && setUpper.in(s[i-1]) && i-1 > from && setUpper.in(s[i-2]) {
				humps++ // the last capital of an acronym begins the next word
			}
		}
		if humps > 2 && (i-from) < humps*3 {
			return false
		}
	}
	return true
}

// isCamelCase reports whether s is words in camel case, with one number at most.
func isCamelCase(s string) bool {
	from := setLetter.span(s, 0, len(s))
	return isWordy(s) && setLetter.all(s[setDigit.span(s, from, len(s)):])
}

// classes counts the kinds of bytes in s: small and capital letters, digits, others.
func classes(s string) int {
	n := 0
	for _, set := range []byteSet{setLower, setUpper, setDigit} {
		if set.any(s) {
			n++
		}
	}
	if !setAlnum.all(s) {
		n++
	}
	return n
}

// isShaped reports whether value looks made by a machine rather than written.
func isShaped(value string) bool {
	for _, open := range [...]string{"${", "{{", "$("} {
		if k := strings.Index(value, open); k >= 0 {
			value = value[:k] // the rest is made when it is used
		}
	}
	if len(value) < 12 || isWordlike(value) || isVersion(value) || isDigest(value) || isIdentifier(value) {
		return false
	}
	digit, n := setDigit.any(value), classes(value)
	if digit && n >= 2 || len(value) >= 16 && n >= 3 {
		return !strings.Contains(value, " ")
	}
	if !(setBase64 | setBase64URL | setEqual).all(value) {
		return false
	}
	return len(value) >= 16 && digit && !setDigit.all(value) || len(value) >= 20 && n >= 2 && !isWordy(value)
}

// isVersion reports whether value is numbers joined by dots, with a suffix perhaps.
func isVersion(value string) bool {
	value = strings.TrimLeft(value, "vV=<>~^")
	end := (setDigit | setDot).span(value, 0, len(value))
	if end < 3 || strings.IndexByte(value[:end], '.') < 1 || setDot.in(value[end-1]) {
		return false
	}
	return end == len(value) || strings.IndexByte("-+~_abrd:@", value[end]) >= 0 && len(value)-end < 24
}

// isDigest reports whether value is a digest that says of which kind it is.
func isDigest(value string) bool {
	for _, head := range digestHeads {
		if startsFold(value, 0, head) {
			return true
		}
	}
	return false
}

// isIdentifier reports whether value is words and small numbers, joined by signs,
// as names of files, hosts, caches and times are.
func isIdentifier(value string) bool {
	const joints = "-_./:@+, "
	joined := false
	for i := 0; i < len(value); i++ {
		if strings.IndexByte(joints, value[i]) >= 0 {
			joined = true
			continue
		}
		from := i
		digits := setDigit.span(value, i, len(value)) // as in 64bit
		letters := setLetter.span(value, digits, len(value))
		part := value[digits:letters]
		i = setDigit.span(value, letters, len(value))
		switch {
		case letters == digits && i-from > 4, letters > digits && (digits-from > 4 || i-letters > 3 || digits > from && (i > letters || len(part) > 4)):
			return false
		case !isWordy(part), len(part) > 16 && !setUpper.any(part), len(part) > 3 && !isPronounced(part):
			return false
		case i < len(value) && strings.IndexByte(joints, value[i]) < 0:
			return false
		}
		joined = joined || setUpper.any(part) && setLower.any(part)
		i--
	}
	return joined
}

// isPronounced reports whether a run of letters has vowels as words have them.
func isPronounced(word string) bool {
	run := 0
	for i := range len(word) {
		if strings.IndexByte("aeiouyAEIOUY", word[i]) >= 0 {
			run = 0
		} else if run++; run > 4 {
			return false
		}
	}
	return run < len(word)
}

// isPlaceholderRun reports whether s is one character again and again, as in xxxx.
func isPlaceholderRun(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i]|0x20 != s[0]|0x20 && s[i] != '.' && s[i] != '-' && s[i] != '_' {
			return false
		}
	}
	return true
}

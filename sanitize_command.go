package mend

import "strings"

// commandRow is a program that takes a password among its arguments.
type commandRow struct {
	program string
	options []string // that a password, or user:password, follows
	glued   string   // the option that a password is glued to
	user    bool     // user:password
}

var commandRows = []commandRow{
	{"curl", []string{"-u", "--user", "-U", "--proxy-user"}, "-u", true},
	{"wget", []string{"-u", "--user"}, "", true},
	{"http", []string{"-a", "--auth"}, "", true},
	{"mysql", nil, "-p", false},
	{"mysqldump", nil, "-p", false},
	{"mysqladmin", nil, "-p", false},
	{"mysqlimport", nil, "-p", false},
	{"mysqlsh", nil, "-p", false},
	{"mysqlcheck", nil, "-p", false},
	{"mariadb", nil, "-p", false},
	{"mariadb-dump", nil, "-p", false},
	{"mariadb-admin", nil, "-p", false},
	{"sshpass", []string{"-p"}, "-p", false},
	{"redis-cli", []string{"-a", "--pass"}, "", false},
	{"mongo", []string{"-p"}, "", false},
	{"mongosh", []string{"-p"}, "", false},
	{"mongodump", []string{"-p"}, "", false},
	{"ldapsearch", []string{"-w"}, "", false},
	{"ldapmodify", []string{"-w"}, "", false},
	{"ldapadd", []string{"-w"}, "", false},
	{"smbclient", []string{"-U"}, "", true},
	{"sqlcmd", []string{"-P"}, "-P", false},
	{"docker", []string{"-p"}, "", false},
	{"podman", []string{"-p"}, "", false},
	{"helm", []string{"-p"}, "", false},
}

// command looks at the arguments behind a program's name.
func (s *scanner) command(at int) {
	t := s.text
	if at < s.commandEnd || setWord.in(byteAt(t, at-1)) || byteAt(t, at-1) == '-' {
		return
	}
	end := (setWord | setDash).span(t, at, 16)
	if byteAt(t, end) == '.' && startsFold(t, end, ".exe") {
		end += len(".exe")
	}
	name := strings.TrimSuffix(t[at:end], ".exe")
	if setQuote.in(byteAt(t, end)) && byteAt(t, end+1) == ',' {
		end += 2 // of a list
	} else if !setBlank.in(byteAt(t, end)) {
		return
	}
	for i := range commandRows {
		if commandRows[i].program == name {
			s.arguments(&commandRows[i], end)
			return
		}
	}
}

// arguments walks over the arguments from i to the end of the line, or of the
// command. A line is walked over once, however many programs it names.
func (s *scanner) arguments(r *commandRow, i int) {
	t := s.text
	_, lineEnd := s.line(i)
	login := r.program != "docker" && r.program != "podman" && r.program != "helm"
	takes, list := false, t[i-1] == ','
	for {
		i = setBlank.span(t, i, 256)
		if i >= lineEnd || strings.IndexByte("|;&\\", t[i]) >= 0 {
			break
		}
		from, quoted := i, false
		if setQuote.in(t[i]) {
			from, quoted = i+1, true
			for i++; i < lineEnd && t[i] != t[from-1]; i++ {
			}
		} else {
			for i < lineEnd && !setBlank.in(t[i]) && strings.IndexByte("|;\"'`)", t[i]) < 0 && escapedEnd(t[i:lineEnd]) == 0 {
				i++
			}
		}
		arg := t[from:i]
		switch {
		case takes:
			s.argument(r, from, i)
			takes = false
		case (!quoted || list) && login:
			takes = s.option(r, arg, from, i)
		}
		login = login || arg == "login"
		if i < lineEnd && (quoted || t[i] == ')') {
			i++
		}
		if i < lineEnd && list && t[i] == ',' {
			i++
		}
	}
	s.commandEnd = i
}

// option reports whether the next argument is the password, and takes one that is
// glued to its option.
func (s *scanner) option(r *commandRow, arg string, from, end int) bool {
	for _, o := range r.options {
		if arg == o {
			return true
		}
		if strings.HasPrefix(o, "--") && strings.HasPrefix(arg, o+"=") {
			s.argument(r, from+len(o)+1, end)
		}
	}
	if r.glued != "" && strings.HasPrefix(arg, r.glued) && len(arg) > len(r.glued) {
		s.argument(r, from+len(r.glued), end)
	} else if r.glued != "" && arg == r.glued && setQuote.in(byteAt(s.text, end)) {
		return true // -p'…'
	}
	return false
}

// argument takes the password of an argument.
func (s *scanner) argument(r *commandRow, from, end int) {
	t := s.text
	if from < end && setQuote.in(t[from]) {
		from++
	}
	if r.user {
		k := strings.IndexAny(t[from:end], ":%")
		if k < 0 || strings.HasPrefix(t[from+k:], "://") {
			return
		}
		from += k + 1
	}
	if from < end && !isBenign(t[from:min(end, from+maxJudged)]) && (!strings.HasPrefix(r.program, "my") || !isOptionList(t[from:end])) {
		s.hide(from, end, kindLabelled)
	}
}

// isOptionList reports whether what is glued to -p is the rest of a long option's
// name with one dash.
func isOptionList(s string) bool { return s == "rotocol" || s == "ort" || s == "lugin-dir" }

// userOption looks at --user NAME:PASSWORD of whatever program. The password has to be
// no word and no number, since groups stand there too.
func (s *scanner) userOption(at int) {
	t := s.text
	end := at + len("user")
	if !startsAt(t, at-2, "--user") || at < s.commandEnd || strings.IndexByte(" =", byteAt(t, end)) < 0 {
		return
	}
	v := end + 1
	if setQuote.in(byteAt(t, v)) {
		v++
	}
	stop := s.plainEnd(v, maxValue, false)
	k := strings.IndexByte(t[v:stop], ':')
	if k <= 0 {
		return
	}
	v += k + 1
	if value := t[v:min(stop, v+maxJudged)]; len(value) >= 8 && setDigit.any(value) && setLetter.any(value) && !isBenign(value) && !isIdentifier(value) {
		s.hide(v, stop, kindLabelled)
	}
}

// loginOption looks at "-p PASSWORD" behind "-u NAME", of whatever program. The
// password has to be neither a word nor a number.
func (s *scanner) loginOption(at int) {
	t := s.text
	if at < s.commandEnd || !startsAt(t, at, " -p ") {
		return
	}
	from, _ := s.line(at)
	before := t[max(from, at-maxJudged):at]
	if !strings.Contains(before, " -u ") && !strings.Contains(before, " -U ") && !strings.Contains(before, " --username") && !strings.Contains(before, " --user ") {
		return
	}
	v := at + len(" -p ")
	if setQuote.in(byteAt(t, v)) {
		v++
	}
	stop := s.plainEnd(v, maxValue, false)
	if value := t[v:min(stop, v+maxJudged)]; len(value) >= 8 && setDigit.any(value) && setLetter.any(value) && !isBenign(value) && !isIdentifier(value) {
		s.hide(v, stop, kindLabelled)
	}
}

// passOption looks at "pass:PW" behind an option such as -passin of openssl.
func (s *scanner) passOption(at int) bool {
	t := s.text
	if !startsAt(t, at, "pass:") || !setSpace.in(byteAt(t, at-1)) && byteAt(t, at-1) != '=' && !setQuote.in(byteAt(t, at-1)) {
		return false
	}
	from, _ := s.line(at)
	before := strings.TrimRight(t[max(from, at-16):at], " \t='\"")
	k := strings.LastIndexByte(before, '-')
	if k < 0 || !startsFold(before, k, "-pass") && before[k:] != "-k" {
		return false
	}
	v := at + len("pass:")
	end := s.plainEnd(v, maxValue, false)
	if end > v && !isBenign(t[v:min(end, v+maxJudged)]) {
		s.hide(v, end, kindLabelled)
		s.nameEnd = max(s.nameEnd, end)
	}
	return true
}

// netrc looks at "password PW" behind "machine" or "login" on its line or above.
func (s *scanner) netrc(at int) bool {
	t := s.text
	end := at + len("password")
	if !startsAt(t, at, "password") || !setBlank.in(byteAt(t, end)) || !setSpace.in(byteAt(t, at-1)) && at > 0 {
		return false
	}
	from := max(0, at-maxJudged)
	before := t[from:at]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	if !netrcWords(line) {
		above := strings.TrimRight(before[:len(before)-len(line)], "\r\n")
		above = strings.TrimLeft(above[strings.LastIndexByte(above, '\n')+1:], " \t")
		if strings.TrimLeft(line, " \t") != "" || !strings.HasPrefix(above, "login ") && !strings.HasPrefix(above, "machine ") {
			return false
		}
	}
	v := skipBlanks(t, end)
	stop := v
	for stop < len(t) && stop-v < maxValue && !setSpace.in(t[stop]) && (markAt(t, stop) == 0 || stop == v) {
		stop++
	}
	if stop > v && setQuote.in(t[v]) {
		return false
	}
	if stop > v && !isBenign(t[v:min(stop, v+maxJudged)]) {
		s.hide(v, stop, kindLabelled)
		s.nameEnd = max(s.nameEnd, stop)
	}
	return true
}

// netrcWords reports whether a line that goes on with "password" is of a netrc file:
// "machine NAME" or "default", and pairs of words of which "login" is one. A log may
// have put something before them.
func netrcWords(line string) bool {
	begun, login, paired := false, false, true
	for word := range strings.FieldsSeq(strings.TrimLeft(line, " \t'\"")) {
		switch {
		case !paired:
			paired = true
		case word == "machine", word == "login", word == "account":
			begun, paired = true, false
			login = login || word == "login"
		case word == "default":
			begun = true
		case begun:
			return false
		}
	}
	return login && paired
}

// pgpass looks at host:port:database:user:password, which has a line of its own. A
// log may have put something before it, and then the password has to be no word.
func (s *scanner) pgpass(colon int) {
	t := s.text
	from, to := s.line(colon)
	if from+1 == s.pgLine || to-from > maxJudged {
		return
	}
	s.pgLine = from + 1
	start := from + strings.LastIndexAny(t[from:to], " \t") + 1
	var colons [4]int
	n := 0
	for i := start; i < to; i++ {
		switch c := t[i]; {
		case setQuote.in(c):
			return
		case c == '\\':
			i++
		case c == ':' && n == 4:
			return
		case c == ':':
			colons[n] = i
			n++
		}
	}
	if n < 4 || colons[0] == start || colons[2]-colons[1] < 2 || colons[3]-colons[2] < 2 {
		return
	}
	port := t[colons[0]+1 : colons[1]]
	if port != "*" && (len(port) < 4 || len(port) > 5 || !setDigit.all(port)) {
		return
	}
	v := colons[3] + 1
	if !(setWord | setDash | setDot | setPlus).all(strings.Trim(t[start:colons[0]], "*")) || isBenign(t[v:to]) ||
		start > from && port != "*" && port != "5432" && (isWordlike(t[v:to]) || to-v < 8) {
		return
	}
	s.hide(v, to, kindConnection)
}

// addMask looks at what a CI run is told to mask.
func (s *scanner) addMask(at int) {
	t := s.text
	v := at + len("add-mask::")
	if at < s.maskEnd || !startsAt(t, at-2, "::add-mask::") {
		return
	}
	_, end := s.line(v)
	s.maskEnd = end
	if k := strings.IndexAny(t[v:max(v, end)], "\"'`"); k >= 0 {
		end = v + k
	}
	if v < end && !isBenign(t[v:min(end, v+maxJudged)]) {
		s.hide(v, end, kindLabelled)
	}
}

// setVariable looks at a variable that a CI run is told to keep secret:
// ##vso[task.setvariable variable=x;issecret=true]value.
func (s *scanner) setVariable(at int) {
	t := s.text
	_, end := s.line(at)
	head := t[at:min(end, at+maxJudged)]
	k := strings.IndexByte(head, ']')
	if !startsAt(t, at, "##vso[") || k < 0 || findFold(head[:k], "issecret=true") < 0 {
		return
	}
	if v := at + k + 1; v < end && !isBenign(t[v:min(end, v+maxJudged)]) {
		s.hide(v, end, kindLabelled)
	}
}

package mend

import "strings"

// maxHomeName bounds how long the name of a home directory is.
const maxHomeName = 64

// keptHomes are directories among the homes that are nobody's.
var keptHomes = newWordSet("public", "default", "all", "all users", "default user", "linuxbrew", "shared", "user", "username", "you", "me", "name", "yourname", "your-name", "your_name", "youruser", "your-user", "users", "$user", "*", "...", "..", ".", "foo", "bar", "<user>", "%username%", "{user}")

// fileSuffixes are of files that lie in /home itself.
var fileSuffixes = newWordSet("html", "htm", "svg", "png", "jpg", "jpeg", "gif", "ico", "css", "js", "ts", "tsx", "jsx", "json", "md", "txt", "php", "py", "rb", "go", "vue", "xml", "yml", "yaml", "toml", "sh", "conf", "cfg", "log", "img", "iso", "zip", "gz", "tar", "webp", "pdf", "db", "lock")

// home looks at a directory that holds homes. What stands before at is no part of
// a name.
func (s *scanner) home(at int) {
	t := s.text
	if at < s.homeEnd || byteAt(t, at-1) == '/' && setWord.in(byteAt(t, at-2)) {
		return // amid a path
	}
	switch {
	case startsAt(t, at, "/home/"), startsAt(t, at, "/home\\"):
		s.unixHome(at, at+len("/home"), "/var", "/export", "/usr")
	case startsAt(t, at, "/Users/"):
		if s.driveHome(at, at+len("/Users")) {
			return
		}
		s.unixHome(at, at+len("/Users"))
	case startsFold(t, at, "%2fhome%2f"):
		s.unixHome(at, at+len("%2fhome"), "%2Fvar", "%2fvar", "%2Fexport", "%2fexport")
	case startsFold(t, at, "%2fusers%2f"):
		if s.driveHome(at, at+len("%2fusers")) {
			return
		}
		s.unixHome(at, at+len("%2fusers"))
	case startsFold(t, at, "/users/"), startsFold(t, at, "/users\\"), startsFold(t, at, "\\users\\"), startsFold(t, at, "\\users/"):
		s.driveHome(at, at+len("/users"))
	case startsFold(t, at, "%5cusers%5c"):
		s.driveHome(at, at+len("%5cusers"))
	case startsFold(t, at, "\\documents and settings\\"), startsFold(t, at, "/documents and settings/"):
		s.driveHome(at, at+len("/documents and settings"))
	}
}

// unixHome takes /home/N, with a directory before it that may belong to it.
func (s *scanner) unixHome(at, behind int, before ...string) {
	t := s.text
	if c := byteAt(t, behind+1); t[behind] == '\\' && (c == 'n' || c == 'r' || c == 't') && !setWord.in(byteAt(t, behind+2)) {
		return // the directory itself, and an escaped line end
	}
	for _, b := range before {
		if setLetter.in(byteAt(t, at-1)) && startsAt(t, at-len(b), b) {
			at -= len(b)
			break
		}
	}
	if !beginsPath(t, at) || behindMethod(t, at) {
		return
	}
	end := s.homeName(behindSlash(t, behind), behind, false)
	if end < 0 {
		return
	}
	s.homeEnd = end
	s.add(at, end, kindHome, markHome)
}

// behindMethod reports whether what begins at i is the path of an HTTP request.
func behindMethod(t string, i int) bool {
	if byteAt(t, i-1) != ' ' {
		return false
	}
	from := setUpper.spanLeft(t, i-1, 8)
	return httpMethods.has(t[from:i-1]) && !setWord.in(byteAt(t, from-1))
}

var httpMethods = newWordSet("get", "head", "post", "put", "patch", "delete", "options")

// beginsPath reports whether a path may begin at i: not amid another one.
func beginsPath(t string, i int) bool {
	c := byteAt(t, i-1)
	switch {
	case c == '/':
		b := byteAt(t, i-2) // a slash too, as in file://
		return !setWord.in(b) && b != ':' && b != '.'
	case setAlnum.in(c):
		// An option may stand before its value: -I/home/…
		return byteAt(t, i-2) == '-' && !setWord.in(byteAt(t, i-3)) || endsEscape(t, i) || isOptionBefore(t, i)
	case c == '}' || c == ']':
		return markBefore(t, i) == 0 && c == ']'
	case setWide.in(c):
		return true
	}
	return strings.IndexByte("_.-~+%\\", c) < 0
}

// isOptionBefore reports whether an option in letters such as -isystem stands
// directly before i.
func isOptionBefore(t string, i int) bool {
	for _, o := range []string{"-isystem", "-rpath", "-iquote", "-idirafter", "-isysroot"} {
		if endsFold(t, i, o) {
			return true
		}
	}
	return false
}

// driveHome takes X:\Users\N, /mnt/c/Users/N, /c/Users/N and \\host\Users\N; the
// part named Users stands from at to behind.
func (s *scanner) driveHome(at, behind int) bool {
	t := s.text
	for at > 0 && t[at-1] == '\\' {
		at-- // the rest of an escaped one
	}
	start := driveStart(t, at)
	if start < 0 {
		return false
	}
	name := behindSlash(t, behind)
	end := s.homeName(name, behind, true)
	if end < 0 {
		return start < at-3 || byteAt(t, at-1) == ':'
	}
	s.homeEnd = end
	s.add(start, end, kindHome, markWindowsHome)
	return true
}

// driveStart returns where the drive or the host begins that ends at i, or -1.
func driveStart(t string, i int) int {
	colon := i
	switch {
	case byteAt(t, i-1) == ':':
		colon = i - 1
	case i >= 3 && startsFold(t, i-3, "%3a"):
		colon = i - 3
	}
	if colon < i && setLetter.in(byteAt(t, colon-1)) {
		at := colon - 1
		if endsFold(t, at, "file:///") || byteAt(t, at-1) == '/' && !setWord.in(byteAt(t, at-2)) {
			return at
		}
		if !setWord.in(byteAt(t, at-1)) || endsEscape(t, at) || byteAt(t, at-2) == '-' {
			return at
		}
		return -1
	}
	if setLetter.in(byteAt(t, i-1)) && byteAt(t, i-2) == '/' { // /c/Users, /mnt/c/Users
		start := i - 2
		if startsAt(t, start-4, "/mnt") {
			start -= 4
		}
		if startsAt(t, start-9, "/cygdrive") {
			start -= 9
		}
		if beginsPath(t, start) {
			return start
		}
		return -1
	}
	if byteAt(t, i) != '\\' {
		return -1
	}
	host := (setBase64URL | setDot).spanLeft(t, i, 64)
	if host < i && startsAt(t, host-2, "\\\\") {
		for host > 0 && t[host-1] == '\\' {
			host--
		}
		return host
	}
	return -1
}

// behindSlash returns the offset behind the slashes at i, which may be escaped or
// encoded.
func behindSlash(t string, i int) int {
	if startsFold(t, i, "%2f") || startsFold(t, i, "%5c") {
		return i + 3
	}
	for from := i; i < len(t) && i-from < 4 && (t[i] == '/' || t[i] == '\\'); {
		i++
	}
	return i
}

// homeName returns where the name ends that begins at from, or -1 if it is the name
// of nobody's home. One on Windows may hold blanks, if a backslash follows.
func (s *scanner) homeName(from, slash int, windows bool) int {
	t := s.text
	end := plainName(t, from)
	if windows && byteAt(t, end) == ' ' && t[slash] != '/' {
		for next := end; byteAt(t, next) == ' ' && next-from < maxHomeName; {
			next = plainName(t, next+1)
			if byteAt(t, next) == '\\' {
				end = next
				break
			}
			if setBlank.in(byteAt(t, next-1)) {
				break
			}
		}
	}
	for end > from && setDot.in(t[end-1]) {
		end--
	}
	name := t[from:end]
	if name == "" || keptHomes.has(name) || isPlaceholderName(name) || markAt(t, from) > 0 {
		return -1
	}
	if strings.HasPrefix(t[from:], "All Users") || strings.HasPrefix(t[from:], "Default User") {
		return -1
	}
	if k := strings.LastIndexByte(name, '.'); k > 0 && fileSuffixes.has(name[k+1:]) && byteAt(t, end) != '/' && byteAt(t, end) != '\\' {
		return -1
	}
	return end
}

// plainName returns where a name ends that holds no blank.
func plainName(t string, i int) int {
	for from := i; i < len(t) && i-from < maxHomeName; i++ {
		c := t[i]
		if setNameEnd.in(c) || c == '%' && (startsFold(t, i, "%2f") || startsFold(t, i, "%5c")) {
			break
		}
		if c == "\u00a0"[0] && startsAt(t, i, "\u00a0") || markAt(t, i) > 0 {
			break
		}
	}
	return i
}

// isPlaceholderName reports whether a name stands for one that somebody has to fill in.
func isPlaceholderName(name string) bool {
	return strings.IndexByte("$<{%*[(@", name[0]) >= 0 || len(name) > 2 && (setUpper|setUnder).all(name) && (strings.HasPrefix(name, "USER") || strings.HasPrefix(name, "YOUR") || name == "NAME")
}

// ownHome takes a home directory that the caller named.
func (s *scanner) ownHome(at, row int) {
	dir := s.homes[row]
	if !startsAt(s.text, at, dir) {
		return
	}
	end := at + len(dir)
	if c := byteAt(s.text, end); setBase64URL.in(c) || setWide.in(c) || c == '.' && setWord.in(byteAt(s.text, end+1)) || !beginsPath(s.text, at) && !setLetter.in(dir[0]) {
		return
	}
	if setLetter.in(dir[0]) && setWord.in(byteAt(s.text, at-1)) {
		return
	}
	s.add(at, end, kindHome, markHome)
}

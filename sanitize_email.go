package mend

import "strings"

// keptMailboxes are names of roles, whose addresses are printed to be written to.
var keptMailboxes = newWordSet("git", "hg", "svn", "info", "support", "help", "contact", "admin", "security", "abuse", "postmaster", "hostmaster", "webmaster", "noreply", "no-reply", "donotreply", "root", "bug", "bugs", "dev", "devel", "developers", "lists", "list", "team", "hello", "sales", "office",
	"press", "jobs", "privacy", "legal", "license", "licensing", "maintainer", "maintainers", "feedback", "owner", "announce", "discuss", "users", "patches", "submit", "control", "help-desk", "helpdesk", "service", "sip", "xmpp", "user", "username", "you", "me", "your", "name", "first.last", "someone", "anonymous", "foo", "bar", "your.name", "yourname", "your.email", "your-email", "email", "mail", "test", "example", "actions", "ubuntu-devel-discuss", "pkg", "daemon", "nobody", "mailer-daemon", "ftp")

// keptDomains are of examples, and of lists.
var keptDomains = []string{"example.com", "example.org", "example.net", "example.edu", "googlegroups.com", "sourceware.org", "users.noreply.github.com", "openssh.com", "libssh.org"}

// fileEndings are ends of names that hold an @ and are no addresses.
var fileEndings = newWordSet("png", "jpg", "jpeg", "gif", "svg", "webp", "js", "mjs", "cjs", "ts", "tsx", "jsx", "json", "css", "scss", "service", "socket", "slice", "timer", "mount", "target", "scope", "path", "swap", "device", "automount", "conf", "so", "py", "rb", "go", "tgz", "zip", "gz", "html", "md", "txt", "c", "h", "cpp", "tar", "yml", "yaml", "xml", "exe", "dll", "x", "lock")

// upstreamWords say that a line gives the address of who made the program.
var upstreamWords = []string{"copyright", "(c)", "©", "report bugs", "reporting bugs", "bug reports", "report any", "report problems", "report translation", "bugs to", "bug to", "report to", "written by", "maintained by", "maintainer", "authors:", "mailing list", "contributed by", "licensed", "created by", "developed by", "comments to", "suggestions to", "questions to", "send bug", "send comments", "e-mail bug", "email bug", "homepage"}

// email looks at the @ of an address.
func (s *scanner) email(at int) {
	t := s.text
	if at == s.userinfoEnd && at > 0 {
		return // of a URL, which was judged
	}
	start := at
	for start > 0 && at-start < 64 && (setBase64URL.in(t[start-1]) || strings.IndexByte(".+%", t[start-1]) >= 0) && !endsEscape(t, start) {
		start--
	}
	for start < at && (setDot | setDash).in(t[start]) {
		start++
	}
	if start == at || setDot.in(t[at-1]) || markBefore(t, start) > 0 || setBase64URL.in(byteAt(t, start-1)) && !endsEscape(t, start) || setWide.in(byteAt(t, start-1)) {
		return
	}
	end := (setAlnum | setDash | setDot).span(t, at+1, 128)
	for end > at+1 && !setAlnum.in(t[end-1]) {
		end--
	}
	if !isMailDomain(t[at+1:end]) || isKeptMailbox(t[start:at], t[at+1:end]) {
		return
	}
	switch byteAt(t, end) {
	case '_', '@':
		return
	case ':':
		if c := byteAt(t, end+1); !setSpace.in(c) && !setQuote.in(c) && strings.IndexByte(",;)]>", c) < 0 && !setDigit.in(c) {
			return // user@host:path
		}
	}
	switch byteAt(t, start-1) {
	case '/':
		if strings.HasSuffix(t[:start], "://") && !strings.HasSuffix(t[:start], "mailto://") || setWord.in(byteAt(t, start-2)) {
			return
		}
	case ':':
		if k := strings.LastIndex(t[max(0, start-64):start], "://"); k >= 0 && !setSpace.any(t[max(0, start-64)+k:start]) {
			return // the password of a URL, which is judged there
		}
	}
	from, to := s.line(at)
	if s.saysUpstream(from, max(at, to)) {
		return
	}
	s.add(start, end, kindEmail, markEmail)
}

// isMailDomain reports whether domain has dots with names between them, and ends
// in one of letters that is no file's.
func isMailDomain(domain string) bool {
	dot := strings.LastIndexByte(domain, '.')
	if dot <= 0 || strings.Contains(domain, "..") || len(domain)-dot < 3 || setDigit.all(domain[:dot]) {
		return false
	}
	top := domain[dot+1:]
	return (setLetter.all(top) || strings.HasPrefix(top, "xn--")) && !fileEndings.has(top)
}

// isKeptMailbox reports whether an address is of an example, a role or a list.
func isKeptMailbox(box, domain string) bool {
	if keptMailboxes.has(box) {
		return true
	}
	for _, d := range keptDomains {
		if endsFold(domain, len(domain), d) && (len(domain) == len(d) || domain[len(domain)-len(d)-1] == '.') {
			return true
		}
	}
	if startsFold(domain, 0, "lists.") || findFold(domain, ".lists.") >= 0 || startsFold(domain, 0, "list.") {
		return true
	}
	for _, head := range []string{"bug-", "bugs-", "help-", "info-", "noreply", "no-reply", "support-", "security-", "pkg-", "debian-", "team-", "list-"} {
		if startsFold(box, 0, head) {
			return true
		}
	}
	for _, tail := range []string{"-bug", "-bugs", "-devel", "-dev", "-users", "-user", "-list", "-announce", "-discuss", "-help", "-maintainers", "-maintainer", "-team", "-security", "-support", "-patches", "-owner", "-general", "-l", "-hackers", "-info", "-feedback", "-request", "-developers", "+noreply"} {
		if endsFold(box, len(box), tail) {
			return true
		}
	}
	return false
}

// saysUpstream reports whether a line speaks of who made the program. What it says
// is remembered for the line.
func (s *scanner) saysUpstream(from, to int) bool {
	if s.upstreamLine == from+1 {
		return s.upstream
	}
	s.upstreamLine, s.upstream = from+1, false
	line := s.text[from:to]
	if len(line) > 16*maxJudged {
		line = line[:16*maxJudged]
	}
	for _, w := range upstreamWords {
		if findFold(line, w) >= 0 {
			s.upstream = true
			break
		}
	}
	return s.upstream
}

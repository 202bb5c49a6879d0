package mend

import (
	"net/netip"
	"strings"
)

// versionCues and networkCues say what the four numbers behind them are.
var (
	versionCues = newWordSet("version", "versions", "ver", "v", "release", "tag", "build", "sdk", "package", "rev", "revision", "api", "schema", "update", "upgrade", "upgraded",
		"upgrading", "downgrade", "installed", "install", "installing", "requires", "require", "required", "since", "released", "runtime", "driver", "firmware", "compiler", "library", "module", "plugin",
		"toolkit", "assemblyversion", "fileversion", "assembly", "nuget", "chrome", "chromium", "chromedriver", "gem", "pkg", "patch", "hotfix", "oid", "section", "clause", "changelog", "copyright")
	networkCues = newWordSet("dial", "connect", "connecting", "connected", "connection", "host", "hosts", "addr", "address", "addresses", "inet", "inet4", "inet6", "via", "ping", "pinging", "peer", "peers", "server",
		"servers", "gateway", "dns", "listen", "listening", "route", "routes", "ip", "ips", "ipv4", "ipv6", "nameserver", "nameservers", "resolver", "resolve", "resolved", "resolves", "resolving", "lookup", "tcp", "udp", "icmp", "bind", "binding", "bound",
		"proxy", "client", "remote", "endpoint", "socket", "subnet", "netmask", "broadcast", "bcast", "mask", "traceroute", "hop", "hops", "trying", "reach", "reached", "src", "dst", "source", "destination",
		"node", "nodes", "upstream", "downstream", "forwarded", "forwarder", "ssh", "scp", "telnet", "whois", "nslookup", "dig", "arp", "network", "router", "nat", "vpn", "dhcp", "ntp", "interface",
		"iface", "eth0", "whitelist", "allowlist", "blocked", "banned", "firewall", "a", "aaaa", "ptr", "origin", "sourceip", "clientip", "remoteaddr", "hostaddr", "ipaddr", "bootstrap", "cluster", "rhost", "lhost", "host_ip", "curl", "wget", "timeout", "http", "https", "ftp", "rsync", "login", "logged", "session")
)

// unreachableWords behind four numbers make them an address.
var unreachableWords = []string{"refused", "unreachable", "timed out", "no route", "timeout", "unable to connect", "connection reset"}

// quad looks at four decimal numbers around a dot: an address, or a version.
func (s *scanner) quad(dot int) {
	t := s.text
	start := setDigit.spanLeft(t, dot, 4)
	if dot-start > 3 || byteAt(t, start-1) == '.' {
		return
	}
	end, first, second := quadAt(t, start)
	if end < 0 {
		return
	}
	ranged := false
	if c := byteAt(t, start-1); setWord.in(c) || strings.IndexByte(".~+-", c) >= 0 {
		ranged = c == '-' && s.lastAddress.end == start-1
		if !ranged && !endsEscape(t, start) && !(c == '-' && endsMark(t, start-1)) {
			return
		}
	}
	switch c := byteAt(t, end); {
	case setAlnum.in(c), c == '_', c == '~', c == '+':
		return
	case c == '-':
		if next, _, _ := quadAt(t, end+1); next < 0 && markAt(t, end+1) == 0 {
			return
		}
	case c == '.' && setWord.in(byteAt(t, end+1)):
		return
	}
	suffix, address := s.addressSuffix(start, end, 32)
	if !address {
		address = ranged && s.lastAddress.address || s.isAddress(start, end, first, second)
	}
	s.lastAddress = addressFound{suffix, address}
	if address {
		s.add(start, end, kindIP, markIP)
	}
}

// endsMark reports whether the mark of an address ends at i.
func endsMark(t string, i int) bool { return startsAt(t, i-len(markIP), markIP) }

// quadAt reads four decimal octets without leading zeros at i. It returns where
// they end, or -1, and the first two.
func quadAt(t string, i int) (end, first, second int) {
	for n := range 4 {
		if n > 0 {
			if byteAt(t, i) != '.' {
				return -1, 0, 0
			}
			i++
		}
		value, from := 0, i
		for i < len(t) && i-from < 3 && setDigit.in(t[i]) {
			value = value*10 + int(t[i]-'0')
			i++
		}
		if i == from || value > 255 || i-from > 1 && t[from] == '0' {
			return -1, 0, 0
		}
		switch n {
		case 0:
			first = value
		case 1:
			second = value
		}
	}
	return i, first, second
}

// addressSuffix returns where a port or a prefix length ends behind an address that
// ends at end (of at most longest bits), and whether that, or a URL's scheme before it, says that it is one.
func (s *scanner) addressSuffix(start, end, longest int) (int, bool) {
	t := s.text
	switch byteAt(t, end) {
	case ':', '#':
		if d := setDigit.span(t, end+1, 6); d > end+1 && d-end <= 6 && !setWord.in(byteAt(t, d)) && (byteAt(t, d) != '.' || !setDigit.in(byteAt(t, d+1))) {
			return d, true
		}
	case '/':
		d := setDigit.span(t, end+1, 4)
		if n := number(t[end+1 : d]); d > end+1 && n <= longest && (d == end+2 || t[end+1] != '0') && !setWord.in(byteAt(t, d)) &&
			strings.IndexByte("/-", byteAt(t, d)) < 0 && (byteAt(t, d) != '.' || !setAlnum.in(byteAt(t, d+1))) {
			return d, true
		}
	}
	if p := skipBlanks(t, end); p > end && startsFold(t, p, "port ") && setDigit.in(byteAt(t, p+5)) {
		return setDigit.span(t, p+5, 6), true
	}
	if byteAt(t, start-1) == '@' {
		from := (setBase64URL | setDot).spanLeft(t, start-1, 64)
		if strings.HasSuffix(t[:from], "://") || byteAt(t, from-1) == ':' && strings.Contains(t[max(0, from-80):from], "://") || byteAt(t, from-1) == ']' {
			return end, true
		}
		return end, false
	}
	if strings.HasSuffix(t[:start], "://") && !strings.HasSuffix(t[:start], "file://") {
		return end, true
	}
	return end, false
}

// number returns the number that digits write.
func number(digits string) (n int) {
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// isAddress decides by what stands round four numbers; the first rule that
// applies does.
func (s *scanner) isAddress(start, end, first, second int) bool {
	t := s.text
	if same, known := s.sameAsBefore(start); known {
		return same
	}
	switch byteAt(t, start-1) {
	case '/':
		return startsAt(t, start-2, "//") && setSpace.in(byteAt(t, start-3))
	case '=':
		if strings.IndexByte("=><!~", byteAt(t, start-2)) >= 0 {
			return false
		}
	case '<', '>':
		if c := byteAt(t, start-2); c == '>' || c == '<' || setAlnum.in(c) && !strings.HasPrefix(t[end:], "</") {
			return false
		}
	case '^':
		return false
	}
	if p := skipBlanksLeft(t, start); p < start && strings.IndexByte("=<>^", byteAt(t, p-1)) >= 0 && isOperator(t, p) {
		return false
	}
	if isCoordinate(t, start) {
		return false
	}
	if isLocalOctet(first, second, t[start:end]) {
		return !versionDirectly(t, start)
	}
	from, lineEnd := s.line(start)
	behind := t[end:min(max(end, lineEnd), end+96)]
	for _, w := range unreachableWords {
		if findFold(behind, w) >= 0 {
			return true
		}
	}
	return nearestWord(t, max(from, start-160), start)
}

// isCoordinate reports whether what begins at i is the version of an image or of an
// artifact: registry/name:1.2.3.4, group:name:jar:1.2.3.4.
func isCoordinate(t string, i int) bool {
	if byteAt(t, i-1) != ':' || !setWord.in(byteAt(t, i-2)) {
		return false
	}
	from := i - 1
	for low := max(0, i-maxJudged); from > low && (setName.in(t[from-1]) || t[from-1] == ':'); {
		from--
	}
	name := t[from : i-1]
	group, _, parts := strings.Cut(name, ":")
	return !strings.Contains(name, "://") && setLetter.any(name) &&
		(strings.IndexByte(name, '/') > 0 || strings.Count(name, ":") >= 2 || parts && strings.IndexByte(group, '.') > 0)
}

// isOperator reports whether an operator that compares versions ends at i.
func isOperator(t string, i int) bool {
	if byteAt(t, i-1) == '=' {
		return strings.IndexByte("=><!~", byteAt(t, i-2)) >= 0
	}
	return byteAt(t, i-1) == '^' || (byteAt(t, i-1) == '<' || byteAt(t, i-1) == '>') && strings.IndexByte("-=", byteAt(t, i-2)) < 0
}

// isLocalOctet reports whether no version begins as quad does: loopback, private,
// link-local and shared space, 0.0.0.0, or a first number of 32 or more.
func isLocalOctet(first, second int, quad string) bool {
	return first >= 32 || first == 10 || quad == "0.0.0.0"
}

// versionDirectly reports whether the word directly before start is one of a version.
func versionDirectly(t string, start int) bool {
	end := start
	for end > 0 && start-end < 4 && (setBlank.in(t[end-1]) || strings.IndexByte(":=(\"'", t[end-1]) >= 0) {
		end--
	}
	end = skipBlanksLeft(t, end)
	from := setLetter.spanLeft(t, end, wordLen)
	return from < end && end < start && directVersionWords.has(t[from:end])
}

var directVersionWords = newWordSet("version", "versions", "ver", "v", "release", "tag", "build", "sdk", "package", "rev", "revision", "assemblyversion", "fileversion", "firmware", "driver", "upgrade", "runtime")

// nearestWord looks for the nearest version or network word among the four
// before start, and reports whether it is one of a network.
func nearestWord(t string, from, start int) bool {
	i := start
	for range 4 {
		for i > from && !setLetter.in(t[i-1]) {
			if n := markBefore(t, i); n > 0 {
				i -= n
				continue
			}
			i--
		}
		end := i
		for i > from && setAlnum.in(t[i-1]) {
			i--
		}
		if i == end {
			return false
		}
		word := t[i:end]
		if versionCues.has(word) {
			return false
		}
		if networkCues.has(word) && (len(word) > 1 || setUpper.in(word[0])) {
			return true
		}
	}
	return false
}

// sameAsBefore reports what the address or version before start on its line is, if
// nothing but brackets, blanks and words that list or lead stand between them.
func (s *scanner) sameAsBefore(start int) (address, known bool) {
	t := s.text
	low := max(0, start-48)
	i := start
	for i > low {
		if i == s.lastAddress.end && i > 0 && s.lastAddress.end > 0 {
			return s.lastAddress.address, true
		}
		if t[i-1] == '\n' {
			return false, false
		}
		if setBlank.in(t[i-1]) || strings.IndexByte("()[]{}<>-=,;/|", t[i-1]) >= 0 && !endsMark(t, i) {
			i--
			continue
		}
		word := setLetter.spanLeft(t, i, 4)
		if w := t[word:i]; (w == "to" || w == "and" || w == "or") && !setWord.in(byteAt(t, word-1)) && word > 0 {
			i = word
			continue
		}
		break
	}
	return false, false
}

// markedAddress remembers the mark of an address, which counts as one.
func (s *scanner) markedAddress(at int) {
	if !startsAt(s.text, at, markIP) {
		return
	}
	end := at + len(markIP)
	if k := byteAt(s.text, end); k == '%' {
		end = (setAlnum | setDash | setUnder | setDot).span(s.text, end+1, 32)
	}
	suffix, _ := s.addressSuffix(at, end, 128)
	s.lastAddress = addressFound{suffix, true}
}

// hostAddress looks at an address that is part of a host's name: ip-10-1-2-3.
func (s *scanner) hostAddress(at int) {
	t := s.text
	if !startsFold(t, at, "ip-") || !s.startsWord(at) {
		return
	}
	i := at + len("ip-")
	from := i
	for n := range 4 {
		d := setDigit.span(t, i, 3)
		if d == i || n < 3 && byteAt(t, d) != '-' {
			return
		}
		i = d + 1
	}
	if c := byteAt(t, i-1); !setWord.in(c) && c != '-' {
		s.add(from, i-1, kindIP, markIP)
	}
}

// sixAddress looks at an IPv6 address round a colon.
func (s *scanner) sixAddress(colon int) {
	t := s.text
	if next := setHex.span(t, colon+1, 5); colon < s.addressStop || byteAt(t, next) != ':' {
		return // a second colon follows a group of four digits at most
	}
	const maxAddress = 64
	start := setHex.spanLeft(t, colon, 8)
	end := (setHex | setDot).span(t, colon, maxAddress)
	for end < len(t) && end-start < maxAddress && (setHex.in(t[end]) || t[end] == ':' || t[end] == '.') {
		end++
	}
	s.addressStop = end
	if end < len(t) && (setHex.in(t[end]) || t[end] == ':') {
		return
	}
	if c := byteAt(t, start-1); setWord.in(c) && !endsEscape(t, start) || c == ':' || setWide.in(c) {
		return
	}
	for end > start && (t[end-1] == '.' || t[end-1] == ':' && byteAt(t, end-2) != ':') {
		end--
	}
	if setWord.in(byteAt(t, end)) || byteAt(t, end) == ':' && setWord.in(byteAt(t, end+1)) || !isSixForm(t[start:end]) {
		return
	}
	addr, err := netip.ParseAddr(t[start:end])
	if err != nil {
		return
	}
	zone := end
	if byteAt(t, end) == '%' {
		if zone = (setAlnum | setDash | setUnder | setDot).span(t, end+1, 32); zone == end+1 {
			zone = end
		}
	}
	suffix, _ := s.addressSuffix(start, zone, 128)
	address := isGlobalSix(addr) || zone > end || suffix > zone && t[zone] == '/' || s.sixByContext(start, zone)
	s.lastAddress = addressFound{suffix, address}
	if address {
		s.add(start, zone, kindIP, markIP)
	}
}

// isSixForm reports whether text may be an IPv6 address: two colons at least, a
// digit, no group of more than four, and not every group two wide, as in the
// address of a network card or a fingerprint.
func isSixForm(text string) bool {
	colons, width, pairs, double := 0, 0, true, false
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '.' {
			break
		}
		if i < len(text) && text[i] != ':' {
			if width++; width > 4 && setHex.in(text[i]) && strings.IndexByte(text[i:], '.') < 0 {
				return false
			}
			continue
		}
		pairs = pairs && width == 2
		if width = 0; i == len(text) {
			break
		}
		colons++
		if startsAt(text, i, "::") {
			if double {
				return false
			}
			double = true
		}
	}
	return colons >= 2 && !pairs && setDigit.any(text) && (double || colons == 7 || colons == 6 && strings.IndexByte(text, '.') > 0)
}

// isGlobalSix reports whether an address is in a range that nothing else looks like.
func isGlobalSix(addr netip.Addr) bool {
	if addr.Is4In6() {
		return true
	}
	b := addr.As16()
	switch {
	case b[0]>>5 == 1, b[0]&0xfe == 0xfc, b[0] == 0xfe && b[1]>>6 == 2, b[0] == 0xff:
		return true
	}
	return b[0] == 0 && b[1] == 0x64 && b[2] == 0xff && b[3] == 0x9b
}

// sixByContext reports whether brackets, an address before it, or a word says
// that an address such as ::1 is meant.
func (s *scanner) sixByContext(start, end int) bool {
	t := s.text
	if byteAt(t, start-1) == '[' && byteAt(t, end) == ']' {
		return !setWord.in(byteAt(t, start-2)) // x[::2] is part of a list
	}
	if same, known := s.sameAsBefore(start); known {
		return same
	}
	from, _ := s.line(start)
	return nearestWord(t, max(from, start-160), start)
}

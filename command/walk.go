package command

import (
	"path"
	"strings"
)

// Whether a downloader runs in some text is told by counting them: if there are
// more behind it than before it, one does. So it does not matter how deep it is
// hidden, in brackets, functions, launchers or substitutions.

// walk looks at the commands of a list in order. How they are joined does not
// matter: what stands behind || may run just as well.
func (l *linter) walk(li *list, sc scope) {
	for i := range li.pipelines {
		l.pipeline(li.pipelines[i].stages, sc)
	}
}

// pipeline looks at commands of which each reads what the one before it writes.
func (l *linter) pipeline(stages []*stage, sc scope) {
	before := l.downloads
	for i, s := range stages {
		in := sc
		in.sink = sc.sink || i+1 < len(stages) && stages[i+1].sendsAway()
		in.remote = sc.input().remote || l.downloads > before
		l.stage(s, in)
		sc.stdin = pipeFrom(sc.input().remote || l.downloads > before)
		if in := s.prints(); in != nil && i == 0 {
			sc.stdin = in
		}
	}
}

// stage looks at one command: first at what a shell would run to make its words,
// then at its redirections, then at itself, which is the order in which they
// would happen.
func (l *linter) stage(s *stage, sc scope) {
	if len(s.words) > 0 && !sc.remote {
		sc.remote = isDownloader(s.words[0].text)
	}
	for i := range s.assigns {
		l.substitutions(&s.assigns[i], sc)
	}
	for i := range s.words {
		l.substitutions(&s.words[i], sc)
	}
	for _, d := range s.redirs {
		l.substitutions(&d.target, sc)
		l.redirect(d, s, &sc)
	}
	switch {
	case s.function != "":
		l.define(s, sc)
	case s.compound:
		for _, li := range s.body {
			l.walk(li, sc)
		}
	case len(s.words) > 0:
		l.command(s.words, sc)
	}
}

// substitutions looks at the commands in a word. What they print is not followed,
// but whether it was downloaded is noted with the word. A command behind >(…) reads
// what this one writes.
func (l *linter) substitutions(w *word, sc scope) {
	for i := range w.subs {
		sub := &w.subs[i]
		in := sc
		in.socket, in.sink = false, false
		if sub.nested {
			in.nested = true
			in.level++
		}
		if sub.kind == '>' {
			in.stdin = pipeFrom(sc.remote)
		}
		before := l.downloads
		l.walk(sub.list, in)
		sub.remote = l.downloads > before
	}
}

// redirect looks at a redirection and notes in the scope what it changes: where the
// input of the command comes from, and whether one of its streams is a connection.
// Every operator that opens a file for writing writes it, <> included; >& before a number
// or a dash copies or closes a stream.
func (l *linter) redirect(d *redirection, s *stage, sc *scope) {
	w := &d.target
	switch d.op {
	case "<<", "<<-":
		sc.read(d, &input{kind: inputText, text: d.body, word: *w})
	case "<<<":
		in := &input{kind: inputText, text: w.text, word: *w}
		if !w.known() {
			in = &input{kind: inputUnknown, remote: w.remote(), word: *w}
		}
		sc.read(d, in)
	case "<":
		in := &input{kind: inputFile, word: *w}
		if w.streams() {
			in = pipeFrom(w.remote())
		}
		sc.read(d, in)
	case "<&":
	case ">&":
		if !isStream(w) {
			l.writes(sc, *w, false)
		}
	default:
		l.writes(sc, *w, false)
		if sc.remote && w.known() {
			l.noteFile(w.text)
		}
	}
	l.socket(d, s, sc)
}

// read notes where a command's input comes from, unless the redirection is of
// another stream.
func (sc *scope) read(d *redirection, in *input) {
	if d.fd == "" || d.fd == "0" {
		sc.stdin = in
	}
}

// isStream reports whether the target of >& is a stream that is open already.
func isStream(w *word) bool {
	return w.text == "-" || strings.Trim(w.text, "0123456789") == "" || strings.Trim(strings.TrimSuffix(w.text, "-"), "0123456789") == ""
}

// socket notes that a redirection leads to the network: by the name that bash
// gives to a connection, or by a stream for which the line opened one.
func (l *linter) socket(d *redirection, s *stage, sc *scope) {
	t := d.target.text
	switch {
	case strings.HasPrefix(t, "/dev/tcp/"), strings.HasPrefix(t, "/dev/udp/"):
		sc.socket = true
		if len(s.words) == 1 && s.words[0].is("exec") {
			if l.sockets == nil {
				l.sockets = map[string]bool{}
			}
			l.sockets[d.fd] = true
			sc.socket = d.fd == "" || d.fd == "0" || d.fd == "1" || d.fd == "2"
		}
	case (d.op == "<&" || d.op == ">&") && t != "" && l.sockets[strings.TrimSuffix(t, "-")]:
		sc.socket = true
	}
}

// define looks at a function where it is made, and remembers it for its calls. One
// that starts itself twice at once doubles until the machine stands still. Its body is
// looked at whether or not it is called, as if nothing fed it; arguments are not
// followed, so that $1 in it is unknown.
func (l *linter) define(s *stage, sc scope) {
	if l.functions == nil {
		l.functions = map[string]*function{}
	}
	l.functions[s.function] = &function{body: s.body}
	calls, multiplies := false, false
	for _, li := range s.body {
		c, m := li.forks(s.function)
		calls, multiplies = calls || c, multiplies || m
	}
	if calls && multiplies {
		l.danger(&sc, detailForkBomb, s.words[0])
	}
	sc.stdin = nil
	for _, li := range s.body {
		l.walk(li, sc)
	}
}

// forks reports whether a function of that name is called in the list, and
// whether the list starts several commands at once. Calls in substitutions and in
// nested text are not seen: a bomb that is written so is somebody's on purpose, and the
// sandbox's to bear.
func (li *list) forks(name string) (calls, multiplies bool) {
	for _, p := range li.pipelines {
		multiplies = multiplies || p.background || len(p.stages) > 1
		for _, s := range p.stages {
			calls = calls || !s.compound && len(s.words) > 0 && s.words[0].is(name)
			for _, inner := range s.body {
				c, m := inner.forks(name)
				calls, multiplies = calls || c, multiplies || m
			}
		}
	}
	return calls, multiplies
}

// prints returns what a command writes, or nil if that does not stand in the line: of echo with
// plain words, and of cat with a text behind it. A command with redirections of its own
// may write elsewhere.
func (s *stage) prints() *input {
	if s.compound || len(s.words) == 0 {
		return nil
	}
	name, args := &s.words[0], s.words[1:]
	switch {
	case name.is("cat") && len(args) == 0 && len(s.redirs) == 1:
		d := s.redirs[0]
		if d.isDocument() {
			return &input{kind: inputText, text: d.body, word: d.target}
		}
		if d.op == "<<<" && d.target.known() {
			return &input{kind: inputText, text: d.target.text, word: d.target}
		}
	case len(args) > 0 && len(s.redirs) == 0 && (name.is("echo") || name.is("printf")):
		return echoed(args, name.is("printf"))
	}
	return nil
}

// echoed returns what echo writes, or printf if it has nothing to fill in; or nil where
// a word is not known or a pattern. A \n is a line end in both, as it is for echo in
// dash and not in bash: a command more is read, and none fewer.
func echoed(args []word, format bool) *input {
	if !format && len(args) > 1 && (args[0].is("-e") || args[0].is("-n") || args[0].is("-en") || args[0].is("-ne")) {
		args = args[1:]
	}
	texts := make([]string, len(args))
	for i := range args {
		if !args[i].known() || args[i].glob >= 0 {
			return nil
		}
		texts[i] = args[i].text
	}
	in := &input{kind: inputText, text: strings.ReplaceAll(strings.Join(texts, " "), `\n`, "\n"), word: args[0]}
	in.word.end = max(in.word.end, args[len(args)-1].end)
	if format && len(args) > 1 {
		return nil // there is something to fill in
	}
	return in
}

// sendsAway reports whether a command is one that sends its input over the
// network, so that a shell before it in a pipe answers to somebody elsewhere.
func (s *stage) sendsAway() bool {
	if s.compound || len(s.words) == 0 {
		return false
	}
	switch path.Base(s.words[0].text) {
	case "nc", "ncat", "netcat", "socat", "telnet":
		return true
	case "openssl":
		return len(s.words) > 1 && s.words[1].is("s_client")
	}
	return false
}

// noteFile remembers a file that a downloader wrote, under the name by which the
// line would run it. Standard output and devices are no files to be run.
func (l *linter) noteFile(name string) {
	if name == "" || name == "-" || strings.HasPrefix(name, "/dev/") {
		return
	}
	if l.files == nil {
		l.files = map[string]bool{}
	}
	l.files[path.Clean(name)] = true
}

// downloaded reports whether the line downloaded a file.
func (l *linter) downloaded(w *word) bool {
	return l.files != nil && w.known() && l.files[path.Clean(w.text)]
}

// isDownloader reports whether a program fetches what others wrote.
func isDownloader(name string) bool { return programs[baseName(name)].rule == ruleDownload }

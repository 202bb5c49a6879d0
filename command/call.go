package command

import (
	"path"
	"strings"
)

// call is one program with its arguments, or a builtin with its.
type call struct {
	scope
	words []word
	name  string // what the allowlist calls it
	base  string // its name without a directory; danger goes by it, wherever it lies
	own   bool   // it is the platform's, as far as its name tells
}

// program returns the word that names the program.
func (c *call) program() word { return c.words[0] }

// command looks at a program with its arguments, and at those that it starts, one
// behind the other: a launcher returns the words of its program, and so on until one
// returns none. There is at least one word. What BusyBox starts is a part of itself
// and not the platform's. The input of the line goes to the last of a chain, unless a
// launcher, as xargs, reads it.
func (l *linter) command(words []word, sc scope) {
	for own := true; len(words) > 0; sc.starts++ {
		if sc.starts > maxStarts {
			l.opaque(&sc, detailDepth, words[0])
			return
		}
		c := call{scope: sc, words: words}
		if !l.resolve(&c) {
			return
		}
		c.own = c.own && own
		words = l.act(&c)
		own = own && c.base != "busybox" && c.base != "toybox"
		sc.stdin = c.stdin
	}
}

// maxStarts is how many programs may start each other in a row. Three are many; the
// bound keeps a line of nothing but launchers from taking the square of its length.
const maxStarts = 16

// resolve finds out which program is meant, and reports whether there is more to
// be said about it. Of one that nobody knows nothing more can be said, and a
// function of the line was looked at where it was made.
func (l *linter) resolve(c *call) bool {
	w := &c.words[0]
	switch {
	case !w.known() || w.glob >= 0:
		switch {
		case w.remote():
			l.danger(&c.scope, detailRemoteExec, *w)
		case c.socket:
			l.danger(&c.scope, detailReverseShell, *w)
		default:
			l.opaque(&c.scope, detailCommandName, *w)
		}
		return false
	case w.text == "":
		l.report(&c.scope, SyntaxError, detailEmptyProgram, *w)
		return false
	}
	if f := l.functions[w.text]; f != nil {
		l.feed(f, c)
		return false
	}
	c.name, c.base, c.own = resolveName(w.text)
	return true
}

// feed looks at the body of a function that is called with a stream before it,
// once: a shell in it may run what comes through.
func (l *linter) feed(f *function, c *call) {
	if c.input().kind == inputNone && !c.socket || f.fed {
		return
	}
	f.fed = true
	for _, li := range f.body {
		l.walk(li, c.scope)
	}
}

// programDirs are where a system keeps its programs: there, and only there, a path
// is as good as the bare name.
var programDirs = wordSet("/bin /sbin /usr/bin /usr/sbin /usr/local/bin")

// resolveName returns what the allowlist calls a program, its name without a
// directory, and whether it is the platform's. A program elsewhere is called by its
// path, since anybody can put a program named ls somewhere; below the directory of
// the installed tool it is the tool's own.
func resolveName(text string) (name, base string, own bool) {
	if strings.IndexByte(text, '/') < 0 {
		return text, strings.TrimSuffix(text, ".exe"), true
	}
	clean := path.Clean(text)
	base = path.Base(clean)
	switch {
	case strings.HasPrefix(clean, installDir+"/"):
		return base, strings.TrimSuffix(base, ".exe"), false
	case programDirs[path.Dir(clean)]:
		return base, strings.TrimSuffix(base, ".exe"), true
	case clean[0] != '/' && clean[0] != '~' && !strings.HasPrefix(clean, "../"):
		clean = "./" + clean
	}
	return clean, strings.TrimSuffix(base, ".exe"), false
}

// baseName returns a program's name without a directory.
func baseName(text string) string {
	_, base, _ := resolveName(text)
	return base
}

// act looks at what a program does, and returns the program that it starts with
// its arguments, or nil. One that is asked for its version does nothing else.
func (l *linter) act(c *call) []word {
	if strings.IndexByte(c.words[0].text, '/') < 0 && builtins[c.base] {
		return l.builtin(c)
	}
	if !c.words[0].time {
		l.permit(c)
	}
	l.available(c)
	if c.isQuestion() {
		return nil
	}
	if l.downloaded(&c.words[0]) {
		l.danger(&c.scope, detailRemoteExec, c.words[0])
	}
	if d, ok := deeds[c.base]; ok {
		l.deed(c, &d)
	}
	if la, ok := launchers[c.base]; ok {
		return l.launch(c, &la)
	}
	return l.rules(c)
}

// isQuestion reports whether the program is only asked who it is.
func (c *call) isQuestion() bool {
	if len(c.words) != 2 || !c.words[1].known() {
		return false
	}
	switch c.words[1].text {
	case "--version", "--help", "-V", "-version", "-help", "--usage":
		return true
	}
	return false
}

// permit looks a program up in the profile's list, by its resolved name. What the shell
// keeps to itself, as time without a path, is not asked for.
func (l *linter) permit(c *call) {
	if l.profile.AllowedTools == nil || l.allows(c.name) {
		return
	}
	l.note(&c.scope, kind{ToolNotAllowed, c.name},
		&saying{SeverityError, "%q is not among the programs that may be started", "use one of the programs that may"}, c.program())
}

// allows reports whether the profile's list has a program. A list is searched as
// it stands until it has been asked often enough for a table to pay.
func (l *linter) allows(name string) bool {
	const often = 8
	if l.asked++; l.asked < often {
		for _, entry := range l.profile.AllowedTools {
			if allowed, _, _ := resolveName(entry); allowed == name {
				return true
			}
		}
		return false
	}
	if l.allowed == nil {
		l.allowed = make(map[string]bool, len(l.profile.AllowedTools))
		for _, entry := range l.profile.AllowedTools {
			allowed, _, _ := resolveName(entry)
			l.allowed[allowed] = true
		}
	}
	return l.allowed[name]
}

// builtin looks at a word that a shell acts upon by itself, and returns the program
// that it starts, or nil. In nested text there is a shell to do so. A builtin is a
// finding of its own beside the refusal of the line: without the operator it would
// still be none that can be started.
func (l *linter) builtin(c *call) []word {
	if !c.nested {
		l.report(&c.scope, NeedsShell, detailBuiltin, c.program())
	}
	args := c.words[1:]
	switch c.base {
	case "exec", "builtin", "command":
		g := grammar{values: "a"}
		a := g.parse(args, true)
		if c.base == "command" && a.has(" -v -V ") {
			return nil
		}
		return a.operands
	case "eval":
		l.joined(c, args)
	case "trap":
		if len(args) > 0 && args[0].is("--") {
			args = args[1:]
		}
		if len(args) > 1 && !args[0].is("-") && !args[0].is("-l") {
			l.script(c, args[0])
		}
	case "source", ".":
		if len(args) > 0 {
			l.scriptFile(c, args[0])
		}
	}
	return nil
}

// joined reads words as the shell text that they make together, as eval and watch
// do. It spans them all. If one of them is not known, nothing of the whole is: what it
// holds might end a quote or begin a command.
func (l *linter) joined(c *call, words []word) {
	if len(words) == 0 {
		return
	}
	all := words[0]
	all.subs = nil
	texts := make([]string, 0, len(words))
	for i := range words {
		w := &words[i]
		texts = append(texts, w.text)
		all.end = max(all.end, w.end)
		if !w.known() && (all.known() || w.remote()) {
			all.unknown, all.raw = 0, w.raw
		}
		all.subs = append(all.subs, w.subs...)
	}
	all.text = strings.Join(texts, " ")
	l.script(c, all)
}

// script reads a word as shell text. What it defines and opens is seen by the rest
// of the line as well, which errs to the safe side.
func (l *linter) script(c *call, w word) {
	if !w.known() {
		l.unknownScript(c, w)
		return
	}
	if c.level >= maxLevel {
		l.opaque(&c.scope, detailDepth, w)
		return
	}
	in := c.scope
	in.level++
	in.nested = true
	li, failed := readShell(w.text, in.level, &w)
	l.walk(li, in)
	if failed != nil {
		w.text, w.unknown = w.text[failed.start:failed.end], -1
		l.report(&c.scope, failed.code, failed.detail, w)
	}
}

// unknownScript notes that nobody can know what would run. What stands in the
// text before the first part that is not known, up to the last command that is
// whole, still tells what is fatal.
func (l *linter) unknownScript(c *call, w word) {
	if w.remote() {
		l.danger(&c.scope, detailRemoteExec, w)
		return
	}
	l.opaque(&c.scope, detailScript, w)
	if i := strings.LastIndexAny(w.text[:w.unknown], ";|&\n"); i > 0 {
		l.glance(c, w.text[:i], w)
	}
}

// glance reads text that may be shell text, for what is fatal only: of a string in
// some code nobody knows whether a shell will ever see it, so that all else would
// be a guess.
func (l *linter) glance(c *call, text string, w word) {
	in := call{scope: c.scope, words: c.words}
	in.quiet = true
	w.text, w.unknown = text, -1
	l.script(&in, w)
}

// scriptFile looks at the name of a file that a shell would run. What is in the file
// is not looked at, so there is a warning at least.
func (l *linter) scriptFile(c *call, w word) {
	switch {
	case w.remote(), l.downloaded(&w):
		l.danger(&c.scope, detailRemoteExec, w)
	case w.streams():
		l.opaque(&c.scope, detailScript, w)
	default:
		l.opaque(&c.scope, detailScriptFile, w)
	}
}

package command

import "strings"

// finder is what a find command does with what it finds. What it will find nobody
// knows, but it lies below a root, and a root that stands in the line tells how bad
// it is to lose all of it. One root of each class is enough to find out.
type finder struct {
	linter *linter
	call   *call
	roots  []word // where it looks, one of each class
	tested bool   // a test stands before that picks some of what it finds
}

// find looks at the predicates of find, in their order, since a test picks only for
// those behind it. Without a root it looks in the working directory, as GNU's does; the
// finding then spans the program's name.
func (l *linter) find(c *call) {
	args := c.words[1:]
	for len(args) > 0 && isFindOption(args[0].text) {
		if args[0].text == "-D" && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	f := finder{linter: l, call: c}
	var seen [classUnknown + 1]bool
	for len(args) > 0 && !isPredicate(&args[0]) {
		if k := args[0].class(); !seen[k] {
			seen[k] = true
			f.roots = append(f.roots, args[0])
		}
		args = args[1:]
	}
	if len(f.roots) == 0 {
		here := c.program()
		here.text = "."
		f.roots = append(f.roots, here)
	}
	for len(args) > 0 {
		args = f.predicate(args)
	}
}

// isFindOption reports whether a word stands before the roots.
func isFindOption(text string) bool {
	return text == "-H" || text == "-L" || text == "-P" || text == "-D" || text == "-E" || text == "-X" || strings.HasPrefix(text, "-O")
}

// isPredicate reports whether a word ends the list of roots. A root that is not
// known may look like anything, and is one.
func isPredicate(w *word) bool {
	return w.unknown != 0 && (len(w.text) > 1 && w.text[0] == '-' || w.text == "(" || w.text == "!" || w.text == ")")
}

// predicate looks at one predicate and returns what stands behind it and its
// arguments. One that no table knows has none, and counts as a test: to take it for
// less would hold every new predicate against its user.
func (f *finder) predicate(args []word) []word {
	w := &args[0]
	name := w.text
	rest := args[1:]
	switch {
	case name == "-delete":
		f.remove()
		return rest
	case findStarters[name]:
		return f.start(rest)
	case findWriters[name] && len(rest) > 0:
		f.linter.writes(&f.call.scope, rest[0], false)
	}
	if !findNoTests[name] {
		f.tested = true
	}
	return rest[min(findArguments[name], len(rest)):]
}

// remove looks at what -delete would remove. To pick some files of the working
// directory is what everybody does; to take all of it is not.
func (f *finder) remove() {
	for i := range f.roots {
		if root := &f.roots[i]; root.class() != classCwd || !f.tested {
			f.linter.deletes(f.call, *root)
		}
	}
}

// start looks at the program that -exec starts, once for every class of roots, and
// returns what stands behind it. Without {} among its words one look is enough, as it
// is for what is picked from the working directory: such a path is an ordinary one.
func (f *finder) start(args []word) []word {
	n := startedBy(args)
	words, rest := args[:n], args[min(n+1, len(args)):]
	if n == 0 {
		return rest
	}
	for i := range f.roots {
		root := &f.roots[i]
		if root.class() == classCwd && f.tested {
			root = nil
		}
		if f.linter.started++; f.linter.started > maxStarted {
			f.linter.opaque(&f.call.scope, detailDepth, words[0])
			break
		}
		in := f.call.scope
		in.starts++
		found, changed := withFound(words, root)
		f.linter.command(found, in)
		if !changed {
			break
		}
	}
	return rest
}

// maxStarted bounds how many programs are looked at that find starts, since one
// may start another for every class of its roots.
const maxStarted = 64

// withFound returns the words with the path that was found in the place of {}, and
// whether there is such a place. The caller's words are not changed. Of a nil root the
// path is ordinary, and {} is as good a name for it as any.
func withFound(words []word, root *word) (found []word, changed bool) {
	for i := range words {
		if strings.Contains(words[i].text, "{}") {
			changed = true
		}
	}
	if !changed || root == nil {
		return words, changed
	}
	found = make([]word, len(words))
	for i := range words {
		found[i] = words[i].found(root)
	}
	return found, true
}

// startedBy returns how many of the words behind -exec are the program and its
// arguments: up to a semicolon, a plus behind {}, or the end of a command that forgot
// both, which find would refuse and which is looked at all the same.
func startedBy(args []word) int {
	for n := range args {
		if args[n].is(";") || args[n].is("+") && n > 0 && args[n-1].is("{}") {
			return n
		}
	}
	return len(args)
}

// found returns the word with the path that was found in the place of {}. The
// root stands for all that is below it.
func (w word) found(root *word) word {
	at := strings.Index(w.text, "{}")
	if at < 0 {
		return w
	}
	if w.text == "{}" {
		found := *root
		found.raw = w.raw
		return found.at(w)
	}
	if !root.known() {
		w.unknown = at
		return w
	}
	w.text = w.text[:at] + root.text + w.text[at+len("{}"):]
	if root.home == 0 {
		w.home = at
	}
	w.glob = -1
	return w
}

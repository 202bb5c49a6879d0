package command

import "strings"

// deletes looks at an operand that would be removed. With or without its directory,
// recursively or not: of what is not the command's own, every file is too many. And
// what does not stand in the text may be anything, so that an operand that is not known
// is fatal too. The sandbox's own files, and what was just built, are ordinary.
func (l *linter) deletes(c *call, w word) {
	switch w.class() {
	case classOrdinary:
	case classUnknown:
		l.opaque(&c.scope, detailOperand, w)
	default:
		l.danger(&c.scope, detailDelete, w)
	}
}

// copies looks at what a program writes that copies or moves files: the last
// operand, or the directory that -t names. What is moved is gone from where it was;
// of a source that nobody knows that is no more than mv does every day. A single operand
// is a source without a target, but for install, which makes directories with -d. The
// options of rsync that begin with --del all delete what the source lacks.
func (l *linter) copies(c *call, r rule, a *arguments) {
	sources := a.operands
	target, ok := a.find(" -t --target-directory ")
	switch {
	case ok && target.valued && r != ruleSync:
	case len(sources) > 1 || len(sources) == 1 && c.base == "install":
		target.value = sources[len(sources)-1]
		sources = sources[:len(sources)-1]
	default:
		return
	}
	if r == ruleMove {
		for _, w := range sources {
			if w.known() {
				l.deletes(c, w)
			}
		}
		if target.value.is("/dev/null") {
			l.danger(&c.scope, detailDelete, target.value)
		}
	}
	if r == ruleSync {
		if a.has(" -n --dry-run ") {
			return
		}
		for _, o := range a.options {
			if strings.HasPrefix(o.name, "--del") && target.value.class() != classOrdinary {
				l.deletes(c, target.value)
				return
			}
		}
	}
	l.writes(&c.scope, target.value, true)
}

// writes looks at a file that would be written, or at a directory in which files
// would be. A target that nobody knows is not held against a command, since it would
// be every other script; the directory in front of the unknown part is.
func (l *linter) writes(sc *scope, w word, directory bool) {
	kind := w.class()
	if kind == classUnknown {
		kind = w.before()
	}
	switch {
	case kind == classDevice:
		l.danger(sc, detailDisk, w)
	case kind == classSystemFile, l.startsSession(&w), directory && (kind == classRoot || w.isTree()):
		l.danger(sc, detailSystemFile, w)
		if w.is("/proc/sysrq-trigger") {
			l.danger(sc, detailHost, w)
		}
	}
}

// before returns what all files are that the word may stand for, by the directory
// in front of its unknown part. The text has to end there in a slash: of /etc$X nobody
// can say whether it is in /etc.
func (w *word) before() class {
	dir := w.text[:w.unknown]
	if !strings.HasSuffix(dir, "/") {
		return classOrdinary
	}
	return classify(dir+"x", w.home == 0, false)
}

// startsSession reports whether a file is read whenever a session starts, or
// lets others start one: what is written there runs later, where nobody looks.
func (l *linter) startsSession(w *word) bool {
	text := w.text
	if w.unknown >= 0 {
		text = text[:w.unknown]
		if !strings.HasSuffix(text, "/") {
			return false
		}
		text += "x"
	}
	rest := inHome(text, w.home == 0)
	if rest == "" {
		return false
	}
	for _, tree := range homeTrees {
		if rest == tree || strings.HasPrefix(rest, tree+"/") {
			return true
		}
	}
	return startupFiles[rest]
}

// isTree reports whether a directory's files are all the system's, as those of /usr/bin
// are and those of /opt are not.
func (w *word) isTree() bool {
	return w.known() && w.home != 0 && classify(w.text+"/x", false, false) == classSystemFile
}

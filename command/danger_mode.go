package command

import (
	"strconv"
	"strings"
)

// owners looks at what chown and chgrp would change, all that is below included. One
// file alone has had one owner, and can have it again.
func (l *linter) owners(c *call, a *arguments) {
	if !a.has(" -R --recursive ") {
		return
	}
	files := a.operands
	if !a.has(" --reference ") && len(files) > 0 {
		files = files[1:] // the owner
	}
	for _, w := range files {
		l.changesBelow(c, w)
	}
}

// changesBelow looks at a directory of which everything would change. Nobody can put
// that back, since it was not the same for all files; in the working directory it
// mostly was.
func (l *linter) changesBelow(c *call, w word) {
	switch w.class() {
	case classOrdinary, classCwd:
	case classUnknown:
		l.opaque(&c.scope, detailOperand, w)
	default:
		l.danger(&c.scope, detailPermissions, w)
	}
}

// modes looks at what chmod would change. A mode may begin with a dash, and then
// is no option: -x takes a permission away, where -R does not. Only the first such word
// is the mode. With --reference there is none, and what it would be is not looked at.
func (l *linter) modes(c *call) {
	var mode string
	var rest []word
	for _, w := range c.words[1:] {
		if mode == "" && w.known() && len(w.text) > 1 && w.text[0] == '-' && strings.Trim(w.text[1:], "rwxXstugo") == "" {
			mode = w.text
			continue
		}
		rest = append(rest, w)
	}
	a := modeGrammar.parse(rest, false)
	files := a.operands
	if mode == "" && !a.has(" --reference ") && len(files) > 0 {
		mode, files = files[0].text, files[1:]
	}
	recursive, opens := a.has(" -R --recursive "), opensUp(mode)
	for _, w := range files {
		if recursive {
			l.changesBelow(c, w)
			continue
		}
		switch w.class() {
		case classRoot, classHome, classSystem, classSystemFile, classDevice:
			if opens {
				l.danger(&c.scope, detailPermissions, w)
			}
		}
	}
}

// opensUp reports whether a mode lets others write, or lets a program run as its
// owner or group. A clause that names nobody, as +w, leaves it to the umask, which
// keeps others out. Octal modes may have a sign before them. A mode that nobody knows
// opens nothing, since what it is applied to stands in the line.
func opensUp(mode string) bool {
	const othersWrite, setsID = 0o2, 0o6000
	if bits, err := strconv.ParseUint(strings.TrimLeft(mode, "=+"), 8, 16); err == nil {
		return bits&(othersWrite|setsID) != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 {
			continue
		}
		who, what := clause[:i], clause[i+1:]
		switch {
		case strings.ContainsAny(who, "oa") && (strings.Contains(what, "w") || who != "o" && strings.Contains(what, "s")):
			return true
		case strings.Contains(what, "s") && who != "o":
			return true
		}
	}
	return false
}

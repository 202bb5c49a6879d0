package command

import "strings"

// rules looks at a program that is no launcher, and returns the program that it
// starts with its arguments, or nil. Those before the call of parse read their words
// in ways of their own; of the others each option and operand is looked at twice, by
// the platform tables and by the rule.
//
// find returns nil although it starts programs: it may start several, and looks at
// each itself.
func (l *linter) rules(c *call) []word {
	switch c.base {
	case "xargs", "gxargs":
		a := xargsGrammar.parse(c.words[1:], true)
		l.options(c, &a)
		return l.xargs(c, &a)
	case "find", "gfind":
		l.predicates(c)
		l.find(c)
		return nil
	}
	p, ok := lookUp(c.base)
	if !ok {
		return nil
	}
	switch p.rule {
	case ruleShell:
		l.shell(c, &p.grammar)
		return nil
	case ruleInterpreter:
		l.interpret(c)
		return nil
	case ruleAwk:
		l.awk(c, &p.grammar)
		return nil
	case ruleContainer:
		l.container(c)
		return nil
	case ruleKill:
		l.kill(c)
		return nil
	}
	words := c.words[1:]
	if p.rule == ruleEdit { // sed -i '' s/a/b/ x: the script is not the first word
		words = withoutSuffix(words)
	}
	a := p.parse(words, false)
	l.options(c, &a)
	l.destroy(c, &p, &a)
	return nil
}

// destroy applies the rules for programs that write, remove or start something
// because their arguments say so. A program may come under two of them: shred removes
// files and overwrites disks, and rsync writes and may start another. Programs of
// rulePlain have nothing here; the platform tables alone look at them.
func (l *linter) destroy(c *call, p *program, a *arguments) {
	switch p.rule {
	case ruleDelete:
		for _, w := range a.operands {
			l.deletes(c, w)
		}
		if c.base == "shred" {
			l.formats(c, a)
		}
	case ruleMove, ruleCopy, ruleSync:
		l.copies(c, p.rule, a)
	case ruleWrite:
		for _, w := range a.operands {
			l.writes(&c.scope, w, false)
			if c.remote && w.known() {
				l.noteFile(w.text)
			}
		}
	case ruleDD:
		l.dd(c, a)
	case ruleEdit:
		l.edits(c, a)
	case ruleDownload:
		l.downloadTo(c, a)
	case ruleFormat:
		l.formats(c, a)
	case ruleMode:
		l.modes(c)
	case ruleOwner:
		l.owners(c, a)
	case ruleNetcat:
		l.netcat(c, a)
	case ruleSocat:
		// Either address may be the program, and its name is taken in any case.
		for _, w := range a.operands {
			text := strings.ToLower(w.text)
			if strings.HasPrefix(text, "exec:") || strings.HasPrefix(text, "system:") {
				l.danger(&c.scope, detailReverseShell, w)
			}
		}
	case ruleArchive, ruleSecureShell:
		l.hidden(c, p.rule, a)
	}
	if p.rule == ruleSync {
		l.hidden(c, p.rule, a)
	}
}

// lookUp returns what is known of a program, and false if that is nothing: by its
// name, or by the family that the name belongs to, as mkfs.ext4 and python3.12 do. The
// base is the name without a directory; for programs that stand in several tables
// the one of launchers is asked before, in [linter.act].
func lookUp(base string) (program, bool) {
	if p, ok := programs[base]; ok {
		return p, true
	}
	if _, ok := interpreters[withoutVersion(base)]; ok {
		return program{rule: ruleInterpreter}, true
	}
	switch {
	case strings.HasPrefix(base, "mkfs"), strings.HasPrefix(base, "newfs"):
		return program{formatGrammar, ruleFormat}, true
	case strings.HasSuffix(base, "fdisk"), strings.HasSuffix(base, "gdisk"):
		return program{diskGrammar, ruleFormat}, true
	}
	return program{}, false
}

// withoutVersion returns a name without the version behind it, as in python3.12. The
// result may be "", of a program that is called by a number.
func withoutVersion(name string) string {
	return strings.TrimRight(name, "0123456789.")
}

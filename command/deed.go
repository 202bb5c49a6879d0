package command

import "strings"

// deed looks at whether a program's first words, or its name, say that it does
// harm. One finding is enough, of the first row that applies; an option that exempts
// comes before all rows, unless its value is none, as kubectl writes it. What the
// program works on does not matter here.
func (l *linter) deed(c *call, d *deedSet) {
	a := d.parse(c.words[1:], false)
	for len(a.operands) > 0 && strings.HasPrefix(a.operands[0].text, "+") {
		a.operands = a.operands[1:] // a toolchain, as cargo +nightly
	}
	if c.base == "git" {
		l.gitSettings(c, &a)
	}
	if o, ok := a.find(d.exempt); ok && !o.value.is("none") {
		return
	}
	help := c.asksForHelp(&a)
	for _, row := range d.rows {
		if row.applies(&a) {
			if row.words == "" || !help {
				l.danger(&c.scope, row.detail, c.program().upTo(&a, row))
			}
			return
		}
	}
	if help {
		return
	}
	if c.base == "kubectl" && deletesNamespace(a.operands) || c.base == "git" && pushesOver(a.operands) {
		l.danger(&c.scope, detailIrreversible, c.program().upTo(&a, deedRow{words: " x x "}))
	}
}

// asksForHelp reports whether a program is only asked what one of its commands would
// do, as in helm uninstall --help. The question has to be the last word and to stand
// behind an operand: behind an option it may be the value of that, and then the
// command is carried out.
func (c *call) asksForHelp(a *arguments) bool {
	n := len(c.words)
	if n < 3 || !a.has(" --help -help ") {
		return false
	}
	last, before := &c.words[n-1], &c.words[n-2]
	return (last.is("--help") || last.is("-help")) && before.known() && !strings.HasPrefix(before.text, "-")
}

// applies reports whether the arguments are those of the row: all of its words first,
// in their order, and one of its options anywhere. A word that is not known is none
// of the row's.
func (row *deedRow) applies(a *arguments) bool {
	n := 0
	for word := range strings.FieldsSeq(row.words) {
		if n == len(a.operands) || !a.operands[n].is(word) {
			return false
		}
		n++
	}
	return row.options == "" || a.has(row.options)
}

// upTo returns the program's name with the words that make it do harm, as one: the
// finding shows git push, and not git alone. Options between them are inside the span.
func (w word) upTo(a *arguments, row deedRow) word {
	n := min(strings.Count(row.words, " ")-1, len(a.operands))
	if row.words == "" {
		n = 0
	}
	for _, operand := range a.operands[:max(n, 0)] {
		w.text += " " + operand.text
		w.end = max(w.end, operand.end)
	}
	w.raw = w.text
	return w
}

// deletesNamespace reports whether kubectl deletes a namespace: as ns NAME, as one
// of several kinds, or as ns/NAME.
func deletesNamespace(operands []word) bool {
	if len(operands) < 2 || !operands[0].is("delete") {
		return false
	}
	for i, w := range operands[1:] {
		kinds, _, slash := strings.Cut(w.text, "/")
		for kind := range strings.SplitSeq(kinds, ",") {
			if (slash || i == 0) && (kind == "ns" || kind == "namespace" || kind == "namespaces") {
				return true
			}
		}
	}
	return false
}

// pushesOver reports whether git is told to push a branch whatever is there, or to
// delete one: +ref or :ref.
func pushesOver(operands []word) bool {
	if len(operands) == 0 || !operands[0].is("push") {
		return false
	}
	for _, w := range operands[1:] {
		if len(w.text) > 1 && (w.text[0] == '+' || w.text[0] == ':') {
			return true
		}
	}
	return false
}

// gitSettings looks at settings that stand before the command of git and name a
// program: behind the command, -c is an option of that. Keys count in any case. What
// git would start anyway, cat and nothing at all are fine; a switch is no program, since
// core.fsmonitor may be one. The value is read for what is fatal.
func (l *linter) gitSettings(c *call, a *arguments) {
	for _, o := range a.options {
		if o.name != "-c" && o.name != "--config-env" || len(a.operands) > 0 && o.at.start > a.operands[0].start {
			continue
		}
		key, value, _ := strings.Cut(o.value.text, "=")
		key = strings.ToLower(key)
		shell := strings.HasPrefix(value, "!")
		switch {
		case strings.HasPrefix(key, "alias.") && shell, shell && strings.HasPrefix(key, "credential."):
			value = value[1:]
		case value == "" || value == "cat" || strings.HasPrefix(key, "alias."):
			continue
		case strings.HasPrefix(key, "pager."), gitPrograms[key], gitPrograms[key[max(strings.LastIndexByte(key, '.'), 0):]]:
		default:
			continue
		}
		if value == "true" || value == "false" {
			continue // a switch and no program
		}
		l.opaque(&c.scope, detailHiddenProgram, o.value)
		l.glance(c, value, o.value)
	}
}

// kill looks at which processes would end. The first word may be a signal, so that
// kill -1 42 ends one process and kill -9 -1 all of them; behind a signal, or --, a
// number with a dash is a group of processes, and -1 is everything. To list signals
// does nothing.
func (l *linter) kill(c *call) {
	args := c.words[1:]
	if len(args) > 1 && len(args[0].text) > 1 && args[0].text[0] == '-' && !args[0].is("--") {
		switch text := args[0].text; text {
		case "-l", "-L", "--list", "--table":
			return
		case "-s", "-n", "--signal", "-q", "--queue":
			args = args[1:]
		}
		args = args[1:] // the signal
	}
	for _, w := range args {
		if w.is("1") || w.is("-1") {
			l.danger(&c.scope, detailHost, w)
		}
	}
}

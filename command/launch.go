package command

import "strings"

// launch returns the program that a launcher starts, with its arguments, or nil if
// there is none, or if what it starts is shell text and was read as such. The words
// are slices of the caller's: they keep their places in the line.
//
// Options come before the program, so that those of the program are not taken for
// the launcher's; su and its like take them anywhere, and start a shell.
func (l *linter) launch(c *call, la *launcher) []word {
	if c.base == "env" {
		return l.launchEnv(c, la)
	}
	a := la.parse(c.words[1:], true)
	permuted := la.operands < 0 && !a.has(la.direct)
	if permuted {
		a = la.parse(c.words[1:], false)
	}
	rest := a.operands
	if a.has(la.none) {
		return nil
	}
	if text, ok := a.find(la.text); ok {
		l.script(c, text.value)
		return nil
	}
	if la.assigns {
		rest = skipAssigns(rest)
	}
	switch n := max(la.operands, 0); {
	case permuted:
		rest = nil
	case len(rest) < n:
		return nil
	default:
		rest = rest[n:]
	}
	switch {
	case len(rest) == 0 && (la.idle || a.has(la.shells)):
		l.opaque(&c.scope, detailInteractive, c.program())
	case len(rest) > 0 && la.joins && !a.has(" -x --exec "):
		l.joined(c, rest)
		return nil
	case len(rest) > 1 && la.operands > 0 && la.text != "" && hasName(la.text, rest[0].text):
		l.script(c, rest[1])
		return nil
	}
	return rest
}

// skipAssigns returns the words behind those that set variables, whatever is on
// both sides of the equals sign: env looks for nothing else. A word of which the
// beginning is unknown may be the program, and is taken for it: that is an error, and
// to skip it could pass the program by.
func skipAssigns(words []word) []word {
	for len(words) > 0 && words[0].unknown != 0 && strings.IndexByte(words[0].text, '=') > 0 {
		words = words[1:]
	}
	return words
}

// launchEnv returns the program that env starts. Its option -S holds arguments of
// env itself, written as one word for the first lines of scripts; they come before
// the others, and there may be another -S among them. It is no shell text: what only a
// shell could do in it is a hidden program, since env does something else with it or
// refuses. More of them in each other than maxLevel are not read.
func (l *linter) launchEnv(c *call, la *launcher) []word {
	args := c.words[1:]
	for range maxLevel {
		a := la.parse(args, true)
		o, ok := a.find(" -S --split-string ")
		if !ok {
			return skipAssigns(skipDash(a.operands))
		}
		assigns, texts, err := SplitEnv(o.value.text)
		if !o.value.known() || err != nil && strings.Trim(o.value.text, " \t") != "" {
			l.opaque(&c.scope, detailHiddenProgram, *o.at)
			return nil
		}
		args = nil
		for _, text := range append(assigns, texts...) {
			args = append(args, plainWord(text, o.at.start, o.value.end))
		}
		args = append(args, skipDash(a.operands)...)
	}
	l.opaque(&c.scope, detailDepth, c.program())
	return nil
}

// skipDash returns the words behind a lone dash, which env reads as -i. Before it
// there may be options, behind it there are none.
func skipDash(words []word) []word {
	if len(words) > 0 && words[0].is("-") {
		return words[1:]
	}
	return words
}

// xargsGrammar is that of xargs, GNU's and that of the BSDs, of which -J and -R are.
var xargsGrammar = grammar{
	values: "InPLEsadJR", glued: "ile",
	long:  " --max-args --max-procs --max-chars --arg-file --delimiter --process-slot-var ",
	known: " --replace --null --no-run-if-empty --verbose --interactive --exit --open-tty --eof --max-lines ",
}

// xargs returns the program that xargs starts, or nil if none is named: then it is
// echo. What it reads is not known: it is added to the arguments, or put where a mark
// stands in them. Where a downloader writes what it reads, the unknown parts are as
// a substitution that downloads, so that a program or a script made of them is. The
// program's own input is empty, as xargs has read it.
func (l *linter) xargs(c *call, a *arguments) []word {
	rest := a.operands
	if len(rest) == 0 {
		return nil
	}
	fed := c.input().remote
	c.stdin = nil
	mark := ""
	if o, ok := a.find(" -I -J -i --replace "); ok {
		mark = "{}"
		if o.valued {
			mark = o.value.text
		}
	}
	words := make([]word, 0, len(rest)+1)
	for _, w := range rest {
		if at := strings.Index(w.text, mark); mark != "" && at >= 0 && (w.known() || at < w.unknown) {
			w.unknown = at
			w.subs = append(w.subs[:len(w.subs):len(w.subs)], substitution{list: &list{}, remote: fed})
		}
		words = append(words, w)
	}
	if mark == "" {
		w := unknownWord(rest[0])
		w.subs = []substitution{{list: &list{}, remote: fed}}
		words = append(words, w)
	}
	return words
}

package command

import "strings"

// netcat looks at whether a connection is handed to a program. On a BSD, -c stands
// for encryption and the next word is an address, so that only a shell counts. The
// program behind -e may be any: whoever is at the other end talks to it.
func (l *linter) netcat(c *call, a *arguments) {
	for _, o := range a.options {
		switch o.name {
		case "-e", "--exec", "--sh-exec":
			l.danger(&c.scope, detailReverseShell, *o.at)
		case "-c":
			if isShell(firstField(o.value.text)) {
				l.danger(&c.scope, detailReverseShell, *o.at)
			}
		}
	}
}

// firstField returns the first word of a text.
func firstField(text string) string {
	text = strings.TrimLeft(text, " \t")
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i]
	}
	return text
}

// isShell reports whether a program runs shell text; the name may be a path.
func isShell(name string) bool { return programs[baseName(name)].rule == ruleShell }

// compressors are programs that others may start without anybody's harm: they read one
// stream and write another. A path before them does not matter.
var compressors = wordSet(`gzip gunzip pigz bzip2 bunzip2 pbzip2 lbzip2 xz unxz pixz lzma lzip plzip lzop lz4 zstd unzstd pzstd brotli compress uncompress zcat`)

// hidden looks at options that have a program start another. It is named where nobody
// looks for a program, and no rule for programs would see it. What the option says is
// read as shell text for what is fatal, which most of those programs take it for.
func (l *linter) hidden(c *call, r rule, a *arguments) {
	for _, o := range a.options {
		text, ok := hiddenText(c.base, r, o)
		if !ok {
			continue
		}
		l.opaque(&c.scope, detailHiddenProgram, *o.at)
		l.glance(c, text, *o.at)
	}
}

// hiddenText returns the command that an option's value is, and false if it is
// none or a harmless one. Keys of ssh count in any case, and may be divided from their
// value by a blank or an equals sign; none is no program.
func hiddenText(base string, r rule, o option) (string, bool) {
	text := o.value.text
	first := baseName(firstField(text))
	switch {
	case r == ruleSync:
		return text, (o.name == "-e" || o.name == "--rsh") && first != "ssh" && first != "rsh"
	case r == ruleSecureShell:
		key := strings.ToLower(text)
		for _, name := range [...]string{"proxycommand", "localcommand", "knownhostscommand"} {
			if rest, ok := strings.CutPrefix(key, name); ok && o.name == "-o" {
				value := strings.TrimLeft(text[len(text)-len(rest):], " \t=")
				return value, value != "none"
			}
		}
		return "", false
	case base == "sort":
		return text, o.name == "--compress-program" && !compressors[first]
	}
	switch o.name {
	case "-I", "--use-compress-program":
		return text, !compressors[first]
	case "--checkpoint-action":
		action, ok := strings.CutPrefix(text, "exec=")
		return action, ok
	case "--to-command", "--rsh-command", "--info-script", "--new-volume-script":
		return text, true
	}
	return "", false
}

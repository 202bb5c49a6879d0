package mend

import (
	"slices"
	"strings"
)

// working returns the signs that the tool itself ran, the most telling first.
func (r *reading) working(control *reading, in Installed) []workingSign {
	var signs []workingSign
	if v, ok := r.shownVersion(in); ok {
		signs = append(signs, v)
	}
	_, foreign := r.foreignUsage()
	if u, ok := r.ownUsage(); ok {
		signs = append(signs, r.sign("usage.own", u.stream, u.name, false))
	}
	if !foreign && !shellExit(r.obs.ExitCode) {
		signs = append(signs, r.complaintSigns()...)
	}
	if len(signs) == 0 && !foreign && len(r.usages) > 0 && r.isHelp() {
		signs = append(signs, r.sign("usage.options", r.usages[0].stream, max(r.usages[0].marker, 0), false))
	}
	if control != nil && !foreign && !anyEcho(signs) && !shellExit(r.obs.ExitCode) {
		if s, ok := r.echoedLine(control); ok {
			signs = append(signs, s)
		}
	}
	return signs
}

// shellExit reports whether an exit code is the one by which whatever starts
// programs says that it could not, or that there is none. A complaint with it
// may be a launcher's, which took the option for the program to start.
func shellExit(code int) bool { return code == 126 || code == 127 }

func (r *reading) sign(name string, stream, at int, echo bool) workingSign {
	line := lineAround(r.text[stream], stream, at)
	return workingSign{name: name, stream: stream, at: at, line: line.text, echo: echo, tells: true}
}

// shownVersion finds the installed version in the output.
func (r *reading) shownVersion(in Installed) (workingSign, bool) {
	if in.Version == "" {
		return workingSign{}, false
	}
	stated, ok := r.statedVersion(in)
	if !ok {
		return workingSign{}, false
	}
	return r.sign("version.installed", stated.stream, stated.at, false), true
}

// complaintSigns returns the complaints that the tool itself makes: about what
// it was given, or under its own name about how it was called.
func (r *reading) complaintSigns() []workingSign {
	if r.own == nil && len(r.complaints) > 0 {
		r.own = append(make([]workingSign, 0, len(r.complaints)), r.findComplaints()...)
	}
	return r.own
}

func (r *reading) findComplaints() []workingSign {
	var signs, weaker []workingSign
	for _, s := range r.complaints {
		who := speaker(s.line.text)
		own := who != "" && sameProgram(who, r.tool) || startsWithTool(s.line.text, r.tool)
		if !own && (!s.echoes || isForeign(who, r.tool)) {
			continue
		}
		sign := r.sign(s.sig.name, s.line.stream, s.at, s.echoes)
		sign.own = own
		switch {
		case s.echoes && own:
			signs = append(signs, sign)
		case s.echoes:
			sign.tells = s.sig.name == "complaint.option"
			weaker = append(weaker, sign)
		case s.sig.name != "complaint.argument":
			weaker = append(weaker, sign)
		}
	}
	return append(signs, weaker...)
}

// rejects reports whether the tool says that it does not know the option it was
// given.
func (r *reading) rejects() bool {
	return slices.ContainsFunc(r.complaintSigns(), func(w workingSign) bool { return w.echo && w.name == "complaint.option" })
}

// startsWithTool reports whether a line begins with the tool's name as a word.
func startsWithTool(line, tool string) bool {
	line = strings.TrimLeft(line, " \t[")
	k := strings.IndexAny(line, " \t]:")
	return k > 0 && sameProgram(line[:k], tool)
}

// echoedLine finds a line that names what the tool was given, where the control
// printed the same line with its own option in it.
func (r *reading) echoedLine(control *reading) (workingSign, bool) {
	for stream, text := range r.text {
		other := r.fold(control.text[stream], control.args)
		for lines := 0; text != "" && lines < 64; lines++ {
			line, rest, _ := strings.Cut(text, "\n")
			at := len(r.text[stream]) - len(text)
			text = rest
			if len(line) > 2*lineReach || !echoes(line, r.args, false) {
				continue
			}
			if isForeign(speaker(line), r.tool) {
				continue
			}
			if strings.Contains(other, r.fold(line, r.args)) {
				return r.sign("echo", stream, at, true), true
			}
		}
	}
	return workingSign{}, false
}

// fold replaces what the tool was given by a mark, and each number by a zero,
// so that two answers of a tool can be compared.
func (r *reading) fold(text string, args []string) string {
	for _, arg := range args {
		if len(arg) > 1 {
			text = strings.ReplaceAll(text, arg, "\x00")
		}
	}
	return foldNumbers(text)
}

// foldNumbers writes each run of digits as a single 0.
func foldNumbers(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		if !isDigit(text[i]) {
			b = append(b, text[i])
		} else if len(b) == 0 || b[len(b)-1] != '0' || !isDigit(text[i-1]) {
			b = append(b, '0')
		}
	}
	return string(b)
}

func anyEcho(working []workingSign) bool {
	return slices.ContainsFunc(working, func(w workingSign) bool { return w.echo })
}

package mend

import "strings"

// outputLine is a line of an output, as far as it lies near the place of
// interest.
type outputLine struct {
	text   string
	stream int // index into streamNames
	start  int // offset of text in the stream
}

// evidence returns the line as what decided.
func (l outputLine) evidence(signature string, kind EvidenceKind) Evidence {
	return Evidence{Signature: signature, Kind: kind, Line: clip(l.text, 300), Stream: streamNames[l.stream]}
}

// lineReach bounds how much of a line is looked at on each side of a place, so
// that a line of megabytes costs no more than a screen of short ones.
const lineReach = 400

// lineAround returns the line of text that holds offset i.
func lineAround(text string, stream, i int) outputLine {
	from, to := max(0, i-lineReach), min(len(text), i+lineReach)
	start := from + strings.LastIndexByte(text[from:i], '\n') + 1
	end := to
	if k := strings.IndexByte(text[i:to], '\n'); k >= 0 {
		end = i + k
	}
	return outputLine{text: text[start:end], stream: stream, start: start}
}

// shellPlace is how a shell says where in a script it is: "prog: line 3: ",
// "prog: 3: ", "sh: 1: ". It returns what stands behind it.
func shellPlace(line string) (rest string, ok bool) {
	k := strings.Index(line, ": ")
	if k <= 0 {
		return "", false
	}
	rest = strings.TrimPrefix(line[k+2:], "line ")
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	if n == 0 || !strings.HasPrefix(rest[n:], ": ") {
		return "", false
	}
	return rest[n+2:], true
}

// isShell reports whether a line's speaker is a shell, or another program whose
// complaint "x: not found" is about a program x.
func isShell(name string) bool {
	switch strings.ToLower(strings.TrimLeft(programName(name), "-")) {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "csh", "tcsh", "fish", "busybox", "env", "exec", "nohup", "nice", "timeout",
		"sudo", "xargs", "setsid", "stdbuf", "time", "command", "which", "type", "runuser", "setpriv", "chroot", "exec_command":
		return true
	}
	return false
}

// shellNotFound reports whether the line says that a program could not be
// started since it is not there.
func shellNotFound(l outputLine, at int) bool {
	line := strings.TrimSpace(l.text)
	if rest, ok := shellPlace(line); ok {
		return endsNotFound(rest)
	}
	lower := strings.ToLower(line)
	if strings.HasPrefix(lower, "zsh:") && strings.Contains(lower, ": command not found: ") || strings.HasPrefix(lower, "fish: unknown command") ||
		strings.HasPrefix(lower, "command not found: ") {
		return true
	}
	if who := speaker(line); who != "" && isShell(who) {
		return endsNotFound(strings.TrimPrefix(line[len(who):], ": "))
	}
	return endsWithFold(line, ": command not found") || endsWithFold(line, ": command not found.") || isBareNotFound(line)
}

// endsNotFound reports whether s is "x: not found" or the like, with x a single
// word or a quoted one.
func endsNotFound(s string) bool {
	s = strings.TrimPrefix(s, "exec: ")
	for _, end := range []string{": not found", ": command not found", ": No such file or directory", ": inaccessible or not found"} {
		if x, ok := strings.CutSuffix(s, end); ok {
			x = strings.TrimPrefix(x, "failed to run command ")
			return x != "" && !strings.ContainsAny(x, " \t") || strings.HasPrefix(x, ".: ") || strings.HasPrefix(x, "source: ")
		}
	}
	return strings.HasPrefix(strings.ToLower(s), "command not found")
}

// isBareNotFound reports whether the line is "x: not found" and nothing else,
// which some shells and loaders print of a program x.
func isBareNotFound(line string) bool {
	for _, end := range []string{": not found", ": command not found", ": Command not found."} {
		if x, ok := strings.CutSuffix(line, end); ok {
			return x != "" && !strings.ContainsAny(x, " \t:'\"")
		}
	}
	return false
}

func endsWithFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// shellNotPermitted reports whether the line says that a program could not be
// started for want of a permission: a shell says it, or the line is "x:
// Permission denied" of a path x.
func shellNotPermitted(l outputLine, at int) bool {
	line := strings.TrimSpace(l.text)
	if !endsWithFold(line, ": permission denied") {
		return false
	}
	if rest, ok := shellPlace(line); ok {
		return strings.Count(rest, ": ") == 1
	}
	if who := speaker(line); who != "" {
		x := strings.TrimPrefix(line[len(who):], ": ")
		if isShell(who) {
			return strings.Count(x, ": ") <= 1
		}
		return strings.EqualFold(x, "permission denied")
	}
	return false
}

// shellSyntax reports whether a shell says the line of a script that it reads.
func shellSyntax(l outputLine, at int) bool {
	_, ok := shellPlace(strings.TrimSpace(l.text))
	return ok && indexFold(l.text, "operand expected") < 0 && indexFold(l.text, "invalid arithmetic") < 0
}

// shellSource reports whether a shell says that a file it was told to read is
// not there: ".: 3: cannot open x", "line 3: x: No such file or directory".
func shellSource(l outputLine, at int) bool {
	line := strings.TrimSpace(l.text)
	rest, ok := shellPlace(line)
	if !ok {
		return false
	}
	lower := strings.ToLower(rest)
	return strings.HasPrefix(lower, ".: ") || strings.HasPrefix(lower, "source: ") || strings.HasPrefix(lower, "can't open ") ||
		strings.HasPrefix(lower, "cannot open ") || endsNotFound(rest)
}

// startsOutput reports whether the phrase is the first thing that a stream holds.
func startsOutput(l outputLine, at int) bool {
	return l.start == 0 && strings.TrimSpace(l.text[:at-l.start]) == ""
}

// shellQuotedLine reports whether a shell quotes the line that it could not read.
func shellQuotedLine(l outputLine, at int) bool {
	rest, ok := shellPlace(strings.TrimSpace(l.text))
	return ok && strings.HasPrefix(rest, "`")
}

// spoken reports whether the phrase stands right behind the program that says it.
func spoken(l outputLine, at int) bool {
	who := speaker(l.text)
	return who != "" && strings.HasPrefix(strings.TrimLeft(l.text, " \t"), who+": ") && at-l.start == len(who)+2
}

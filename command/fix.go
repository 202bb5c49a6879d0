package command

import "strings"

// fixable returns the index of the first finding that a mechanical change may take
// away, or -1. A line with a fatal finding is never changed, and the first error has to
// be one that goes: behind another the line would still have that one.
func fixable(line string, found []Finding) int {
	first := -1
	for i := range found {
		f := &found[i]
		switch {
		case f.Severity == SeverityFatal:
			return -1
		case f.Severity != SeverityError || first >= 0:
			continue
		}
		first = i
		switch (kind{f.Code, f.Detail}) {
		case kind{InvalidFormat, detailPrompt}, kind{InvalidFormat, detailFence}, kind{SyntaxError, detailLookalike}, kind{NeedsShell, ClassAssignment}:
		case kind{NeedsShell, ClassOperator}:
			if capturesBoth(line, f.Start) < 0 {
				return -1
			}
		default:
			return -1
		}
	}
	return first
}

// fix returns the line without what can be taken from it, or written in another
// way, without changing what it means: both streams are captured anyway, and env sets
// the variables that a shell would have set. Whether the result is any good is for
// the caller to find out. It takes away no more than 2>&1 at the end; what [Plain] takes
// besides hides an exit code or an output, and a model is told so instead.
func fix(line string) string {
	text := strings.Trim(plainly(line).text, " \t\r\n")
	_, _, err := SplitEnv(text)
	if refused := splitRefusal(err); refused != nil && refused.Class == ClassOperator {
		if end := capturesBoth(text, refused.Offset); end >= 0 {
			text = strings.TrimRight(text[:end], " \t")
		}
	}
	if env, _, err := SplitEnv(text); err == nil && env != nil {
		text = "env " + text
	}
	return text
}

// capturesBoth returns where 2>&1 begins, with the blanks before it, if that ends
// the line and its operator is at the offset; else -1. Both streams are captured
// anyway.
func capturesBoth(line string, at int) int {
	rest := strings.TrimRight(line[at:], " \t\r\n")
	if op, ok := strings.CutPrefix(rest, ">&"); !ok || strings.TrimLeft(op, " \t") != "1" || at < 2 || line[at-1] != '2' || !isBlank(line[at-2]) {
		return -1
	}
	return at - 1
}

// plainly returns the line without a code fence and a prompt, and with ASCII for
// what only looks like it.
func plainly(line string) plainForm {
	from, to := fenced(line)
	from += len(line[from:to]) - len(strings.TrimLeft(line[from:to], " \t\r\n"))
	from += promptLen(firstLine(line[from:to]))
	f := asciiForm(line[from:to])
	if f.origin != nil {
		for i := range f.origin {
			f.origin[i] += from
		}
		return f
	}
	if from == 0 && to == len(line) {
		return f
	}
	f.origin = make([]int, len(f.text)+1)
	for i := range f.origin {
		f.origin[i] = from + i
	}
	return f
}

// firstLine returns a text up to its first line end, without blanks before that.
func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(first, " \t\r")
}

// fenced returns where the text in a code fence lies, or all of the line if there
// is none.
func fenced(line string) (from, to int) {
	from = len(line) - len(strings.TrimLeft(line, " \t\r\n"))
	to = len(strings.TrimRight(line, " \t\r\n"))
	if !strings.HasPrefix(line[from:to], fence) {
		return 0, len(line)
	}
	from += len(fence)
	if n := strings.IndexByte(line[from:to], '\n'); n >= 0 {
		from += n + 1 // the language stands behind the fence
	}
	if strings.HasSuffix(line[from:to], fence) {
		to -= len(fence)
	}
	return from, max(from, to)
}

// Package command reads command lines that somebody or something proposes, before
// they run. mend starts programs directly and never through a shell, so the
// question is always the same: which argv is this line, and is it one at all?
//
// [Split] answers it. It returns the argv of a line, or a [*SplitError] with the
// place and the class of what only a shell could do; [SplitError.Finding] puts
// that into words for people and models. [Join] is the way back. [Plain] frees a
// line from what a shell would need and a direct start does not, as 2>&1 and
// || true.
//
// Everything here is pure and safe for concurrent use: no file is read, no program
// runs, and the same line always gets the same answer. A line that Split accepts
// is readable, not harmless.
package command

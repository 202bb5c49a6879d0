// Package command reads command lines that somebody or something proposes, before
// they run. mend starts programs directly and never through a shell, so two
// questions come before all others: which argv is this line, and what would it do?
//
// [Split] answers the first. It returns the argv of a line, or a [*SplitError] with
// the place and the class of what only a shell could do; [SplitError.Finding] puts
// that into words for people and models. [SplitEnv] takes variables before the
// program apart as well. [Join] is the way back. [Plain] frees a line from what a
// shell would need and a direct start does not, as 2>&1 and || true.
//
// [Lint] answers the second as far as text can. It says what is wrong with a line,
// where, how bad, and how to write it instead:
//
//	for _, f := range command.Lint("readlink -f bin/x | grep -Po 1.2", &command.Profile{Platform: "bsd"}) {
//		fmt.Println(f.Severity, f.Code, f.Detail, f.Message)
//	}
//
// # What becomes of a line
//
// The [Severity] of the worst finding alone decides. A line with a fatal finding is
// not run, not repaired, and not shown to a model: a model that is asked to write
// rm -rf / in another way may find one that no rule knows, and that would look like
// a success. An error is repaired, if the finding has a Fix without a model. A
// warning goes with the result, and information is only reported. There is no
// switch that allows what is fatal.
//
// # How a line is read
//
// First as bytes, then by its look, since an answer in prose, a code fence or a
// program's output is no command at all. Then [Split] reads it. What Split accepts
// is one program with its arguments, and the rules for programs apply to it. What
// it refuses is read once more as a shell would read it, for findings only: lists,
// pipelines, groups, loops, functions, here-documents and substitutions, so that
// what hides in them shows. The same rules apply to each command found there, and
// to what launchers as sudo, xargs and find start in turn.
//
// The rules live in tables: how programs read their options, which ones start
// others, which operands belong to the system, what cannot be undone, and what the
// platforms lack. A word that only a running shell could tell is unknown: harmless
// in an argument of grep, fatal in one of rm. No variable is followed.
//
// # What it is not
//
// It is no sandbox. It does not know what a program, a script or a Makefile does,
// nor what an alias, PATH or a remote host makes of a name. Code of other languages
// is looked at and not parsed. Tables age, which is why [DetectProfile] can ask the
// system itself. A clean line is not a safe line, and no finding shows that a tool
// works.
//
// Everything here is pure, but for [HostProfile], which reads one link, and
// DetectProfile, which runs what it is given. All of it is safe for concurrent use,
// and the same line always gets the same answer, within a few milliseconds for the
// longest lines that are read.
package command

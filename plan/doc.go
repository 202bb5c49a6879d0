// Package plan verifies a change by a list of commands: what its author asked
// for, what the repository's contract demands for the files that were touched,
// and what a model adds. It stands above package mend and uses its environments,
// observations, judge, sanitizer and conversations as they are.
//
//	LoadContract ─┐
//	Explicit ─────┼─▶ Build ─▶ Plan ─▶ Run ─▶ Result ── passed ─▶ all of it ran and passed
//	Propose ──────┘             ▲               │ failed, or with gaps
//	                            │               ▼
//	                          Adjust ◀─ Meta of an Outcome ─▶ RetryPolicy.Decide
//
// [Run] takes any [mend.Environment]. With a [Workspace], whose files stay from
// one command to the next, it can also narrow, install and replace; [DirWorkspace]
// is one for a git work tree on this machine. [ProposeWith] and [FixWith] put a
// model behind the hooks of [Options], and [OptionsFromEnv] reads all of its
// switches.
//
// Everything but Run, the hooks, the workspace and [LoadContract] is pure. A plan
// never turns green because something did not run: what was skipped, replaced or
// dropped stays in the result, and [Result.Err] is nil for a whole pass alone.
package plan

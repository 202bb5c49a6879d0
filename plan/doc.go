// Package plan verifies a change by a list of commands: what its author asked
// for, what the repository's contract demands for the files that were touched,
// and what a model adds. It stands above package mend and uses its environments,
// observations, judge, sanitizer and conversations as they are.
//
// Everything but Run, the hooks and [LoadContract] is pure. A plan never turns
// green because something did not run.
package plan

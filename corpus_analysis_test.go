package mend_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// knownMisread are the tools of which the analyzer says the opposite of what they
// are, from one run alone, and why. One that it reads rightly has to go from here.
var knownMisread = map[string]string{
	"deb/gmake":                         "make is a launcher, and GNU Make is not taken for gmake",
	"deb/dh_golang":                     "a module dies of the file that is not there, in Perl's words for a module that cannot be read",
	"deb/diff.scm":                      "it crashes after its version, and before its complaint",
	"deb/gen-ruby-trans-pkgs":           "it crashes where its input is missing",
	"deb/pandoc-citeproc-preamble":      "it reports an input error with a call stack",
	"deb/propellor":                     "it reports a missing configuration with a call stack",
	"deb/psi3":                          "it rejects the option, and aborts on purpose",
	"deb/unlambda":                      "it reports an input error with a call stack",
	"npm/prebuild-install":              "it requires the package.json of where it runs, as if that were a module",
	"npm/vim-language-server":           "it reports a missing option with an exception",
	"npm/vscode-css-language-server":    "it reports a missing option with an exception",
	"npm/vscode-eslint-language-server": "it reports a missing option with an exception",

	"py-missing-module/clang-format-diff": "the module is loaded late, and the fault shows in no output",
	"py-missing-module/rrsync":            "the module is loaded late, and the fault shows in no output",
	"launcher-openssl-shifted/busted":     "the launcher rejects the option like a tool",
	"launcher-openssl-shifted/prename":    "the launcher rejects the option like a tool",
}

// TestCorpusAnalysis asks the analyzer about each tool's --version alone: it may
// not know, but it may not say the opposite.
func TestCorpusAnalysis(t *testing.T) {
	rows, err := corpus()
	require.NoError(t, err)
	counts := make(map[string]map[string]int)
	misread := make(map[string]bool)
	for _, r := range rows {
		run := r.Runs["--version"]
		a := mend.AnalyzeVerifyFailure(run.Stdout, run.Stderr, run.Exit, r.Tool)
		if counts[r.Label] == nil {
			counts[r.Label] = make(map[string]int)
		}
		counts[r.Label][a.Verdict.String()]++
		if r.Label == "broken" && a.Verdict == mend.Working || r.Label == "works" && a.Verdict == mend.Broken {
			misread[r.ID] = true
			if knownMisread[r.ID] == "" {
				t.Errorf("%s (%s) is read as %s, by %q", r.ID, r.Label, a.Verdict, a.Evidence)
			}
		}
	}
	for label, verdicts := range counts {
		t.Logf("%-8s %v", label, verdicts)
	}
	for id, reason := range knownMisread {
		assert.True(t, misread[id], "%s is not misread any more; it has to go from the list", id)
		t.Logf("%s is misread: %s", id, reason)
	}
}

package mend_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func exit(code int) *int { return &code }

// judgeOne judges a single run of "foo --version" that printed out.
func judgeOne(v mend.VerifySection, out string, in mend.Installed) mend.Judgement {
	return mend.Judge(v, []mend.Observation{{Argv: []string{"foo", "--version"}, Stdout: out}}, in)
}

func TestJudgeVersionIsAWholeWord(t *testing.T) {
	tests := []struct {
		out, version string
		want         bool
	}{
		{"foo 1.2.3\n", "1.2.3", true},
		{"foo v1.2.3", "1.2.3", true},
		{"foo-1.2.3", "1.2.3", true},
		{"foo/1.2.3 (linux)", "1.2.3", true},
		{"foo1.2.3", "1.2.3", true}, // the tool's own name may be glued to it
		{"Version1.2.3", "1.2.3", true},
		{"foo 1.2.3.", "1.2.3", true},
		{"foo 1.2.3-1~deb12u1", "1.2.3", true},
		{"foo 1.2.3+git20230121", "1.2.3", true},
		{"sqlite3-3.40", "3.40", true},
		{"版本1.2.3", "1.2.3", true},
		{"foo 1.2.3", "1.2", false},
		{"foo 11.2", "1.2", false},
		{"foo 3.1.2", "1.2", false},
		{"foo 1.2.3rc1", "1.2.3", false},
		{"foo 1.2.3-rc1", "1.2.3", false},
		{"foo 1.2.3~beta2", "1.2.3", false},
		{"foo 1.2.3_alpha", "1.2.3", false},
		{"foo 1.2.3p1", "1.2.3", false},
		{"libbar1.2.3", "1.2.3", false},
		{"foo 0.9-1.2.3", "1.2.3", false},
		{"foo 1.2.3.dev0", "1.2.3", false},
		{"", "1.2.3", false},
	}
	for _, tt := range tests {
		t.Run(tt.out+" holds "+tt.version, func(t *testing.T) {
			j := judgeOne(mend.VerifySection{Pattern: "{version}"}, tt.out, mend.Installed{Version: tt.version})
			assert.Equal(t, tt.want, j.Passed, j.String())
		})
	}
}

func TestJudgeVersionBesideOtherTextOfThePattern(t *testing.T) {
	in := mend.Installed{Version: "1.2"}
	assert.True(t, judgeOne(mend.VerifySection{Pattern: "rev{version}"}, "rev1.2", in).Passed)
	assert.True(t, judgeOne(mend.VerifySection{Pattern: "foo {version} ("}, "foo 1.2 (x)", in).Passed)
	assert.False(t, judgeOne(mend.VerifySection{Pattern: "foo {version}"}, "foo 1.2.9", in).Passed)
	assert.True(t, judgeOne(mend.VerifySection{Pattern: "{version}"}, "11.2 or 1.2", in).Passed, "the second place counts")
}

func TestJudgeVersionFormats(t *testing.T) {
	tests := []struct{ format, installed, printed string }{
		{"", "v1.2.3", "v1.2.3"},
		{"raw", "v1.2.3", "v1.2.3"},
		{"strip_v", "v1.2.3", "foo 1.2.3"},
		{"strip_v", "1.2.3", "foo 1.2.3"},
		{"semver", "v1.2.3-rc.1+build5", "foo 1.2.3"},
		{"semver", "release-2.4", "foo 2.4"},
		{"semver", "1.7.4.4", "foo 1.7.4"},
		{"semver_full", "v1.2.3-rc.1+build5", "foo 1.2.3-rc.1+build5"},
		{"semver_full", "jq-1.6", "foo 1.6"},
	}
	for _, tt := range tests {
		t.Run(tt.format+" of "+tt.installed, func(t *testing.T) {
			v := mend.VerifySection{Pattern: "{version}", VersionFormat: tt.format}
			j := judgeOne(v, tt.printed, mend.Installed{Version: tt.installed})
			assert.True(t, j.Passed, j.String())
			assert.Empty(t, j.Notes)
		})
	}
	j := judgeOne(mend.VerifySection{Pattern: "{version}", VersionFormat: "strip_v"}, "v1.2.3x 9.9", mend.Installed{Version: "v1.2.3"})
	assert.False(t, j.Passed)

	t.Run("an unknown format is raw, and said", func(t *testing.T) {
		j := judgeOne(mend.VerifySection{Pattern: "{version}", VersionFormat: "calver"}, "foo 24.04", mend.Installed{Version: "24.04"})
		assert.True(t, j.Passed)
		require.Len(t, j.Notes, 1)
		assert.Contains(t, j.Notes[0], `"calver"`)
	})
}

func TestJudgeHidesTheToolsOwnPaths(t *testing.T) {
	in := mend.Installed{Version: "1.2.3", Dir: "/opt/tools/foo-1.2.3"}
	usage := "Usage: /opt/tools/foo-1.2.3/bin/foo [options] FILE\n"
	tests := []struct {
		name, pattern, out string
		argv0              string
		want               bool
	}{
		{"version in the path", "{version}", usage, "foo", false},
		{"name in the path", "foo", usage, "foo", false},
		{"text beside the path", "[options] FILE", usage, "foo", true},
		{"version in a path elsewhere", "{version}", "cannot read /usr/share/foo-1.2.3/x", "foo", false},
		{"path of the program started", "bar", "error in /srv/bar/run: no", "/srv/bar/run", false},
		{"relative path of the program started", "1.2.3", "./build-1.2.3/foo: no\n", "./build-1.2.3/foo", false},
		{"version beside a slash that is no path", "{version}", "foo/1.2.3 ready", "foo", true},
		{"path in the URL of a file", "foo-1.2.3", "at file:///srv/foo-1.2.3/bin/foo:2:1", "foo", false},
		{"path with two slashes", "1.2.3", "cannot read //srv/foo-1.2.3/x", "foo", false},
		{"URL with a host", "foo", "see https://example.org/foo-1.2.3/x", "foo", true},
		{"another path is text", "/etc/bar.conf", "reads /etc/bar.conf", "foo", true},
		{"a pattern that names the directory sees it", "in {install_dir}/bin", "running in /opt/tools/foo-1.2.3/bin", "foo", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			obs := []mend.Observation{{Argv: []string{tt.argv0, "--help"}, Stderr: tt.out}}
			j := mend.Judge(mend.VerifySection{Pattern: tt.pattern}, obs, in)
			assert.Equal(t, tt.want, j.Passed, j.String())
		})
	}
}

func TestJudgeReadsWhatAReaderSees(t *testing.T) {
	in := mend.Installed{Version: "1.2.3"}
	for name, out := range map[string]string{
		"colour inside the version":  "foo \x1b[1m1.2\x1b[0m.3\x1b[K\n",
		"hyperlink":                  "\x1b]8;;http://x\x1b\\foo 1.2.3\x1b]8;;\a",
		"title sequence":             "\x1b]0;foo\afoo 1.2.3",
		"overstruck, as man does it": "f\bfo\boo\bo 1.2.3",
		"character set":              "\x1b(Bfoo 1.2.3",
		"carriage returns":           "loading\rfoo 1.2.3\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			j := judgeOne(mend.VerifySection{Pattern: "foo {version}"}, out, in)
			assert.True(t, j.Passed, j.String())
		})
	}
	t.Run("CRLF is one line end to a pattern of two lines", func(t *testing.T) {
		j := judgeOne(mend.VerifySection{Pattern: "Usage:\n foo"}, "Usage:\r\n foo [x]\r\n", in)
		assert.True(t, j.Passed, j.String())
	})
	t.Run("case counts", func(t *testing.T) {
		assert.False(t, judgeOne(mend.VerifySection{Pattern: "usage: foo"}, "Usage: foo", in).Passed)
	})
}

func TestJudgeHowARunEnds(t *testing.T) {
	tests := []struct {
		name string
		v    mend.VerifySection
		o    mend.Observation
		want bool
	}{
		{"exit code 0 is the default", mend.VerifySection{}, mend.Observation{}, true},
		{"another exit code", mend.VerifySection{}, mend.Observation{ExitCode: 1}, false},
		{"the exit code that is expected", mend.VerifySection{ExitCode: exit(2)}, mend.Observation{ExitCode: 2}, true},
		{"0 where 2 is expected", mend.VerifySection{ExitCode: exit(2)}, mend.Observation{}, false},
		{"a signal never passes", mend.VerifySection{ExitCode: exit(-1)}, mend.Observation{ExitCode: -1, Signal: "SIGSEGV"}, false},
		{"the time limit never passes", mend.VerifySection{ExitCode: exit(-1)}, mend.Observation{ExitCode: -1, TimedOut: true}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, mend.Judge(tt.v, []mend.Observation{tt.o}, mend.Installed{}).Passed)
		})
	}
}

func TestJudgeSaysWhatWasExpectedSeenAndWhere(t *testing.T) {
	v := mend.VerifySection{
		Pattern: "foo {version}", Patterns: []string{"built", "never there"}, ExitCode: exit(3),
		Additional: []mend.AdditionalVerify{{Command: "foo-ctl", Pattern: "ctl"}, {Command: "foo-x", Pattern: "x"}},
	}
	obs := []mend.Observation{
		{Argv: []string{"foo"}, ExitCode: 1, Stdout: "hello\n", Stderr: "one\ntwo\nfoo 1.2 built\n"},
		{Argv: []string{"foo-ctl"}, Stdout: "ctl\n"},
	}
	j := mend.Judge(v, obs, mend.Installed{Version: "1.2"})
	assert.False(t, j.Passed)
	want := []mend.Expectation{
		{Field: "exit_code", Expected: "3", Seen: "1"},
		{Field: "pattern", Met: true, Expected: "foo 1.2", Stream: "stderr", Line: 3},
		{Field: "patterns[0]", Met: true, Expected: "built", Stream: "stderr", Line: 3},
		{Field: "patterns[1]", Expected: "never there"},
		{Field: "additional[0].exit_code", Met: true, Expected: "0", Seen: "0"},
		{Field: "additional[0].pattern", Met: true, Expected: "ctl", Stream: "stdout", Line: 1},
		{Field: "additional[1].exit_code", Expected: "0", Seen: "no run"},
	}
	assert.Equal(t, want, j.Expectations)
	assert.Equal(t, "exit_code: expected 3, saw 1", j.String())
}

func TestJudgeWithoutWhatAPlaceholderStandsFor(t *testing.T) {
	j := judgeOne(mend.VerifySection{Pattern: "foo {version}"}, "foo 1.2", mend.Installed{})
	assert.False(t, j.Passed, "an unknown version must not turn into an empty one")
	assert.Contains(t, j.String(), "not known")
	j = judgeOne(mend.VerifySection{Pattern: "{install_dir}"}, "foo", mend.Installed{Version: "1"})
	assert.False(t, j.Passed)
	assert.Contains(t, j.String(), "not known")
}

func TestJudgeSaysThatTheMiddleIsMissing(t *testing.T) {
	o := mend.Observation{Stdout: "head", Truncated: true}
	j := mend.Judge(mend.VerifySection{Pattern: "middle"}, []mend.Observation{o}, mend.Installed{})
	assert.Contains(t, j.String(), "left out")
}

func TestStrengthIsWrittenByName(t *testing.T) {
	names := []string{"unproven", "exit_code", "complaint", "usage", "version"}
	for i, name := range names {
		s := mend.Strength(i)
		assert.Equal(t, name, s.String())
		text, err := s.MarshalText()
		require.NoError(t, err)
		var back mend.Strength
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, s, back)
	}
	var s mend.Strength
	assert.ErrorContains(t, s.UnmarshalText([]byte("strong")), `"strong"`)
	assert.Equal(t, "Strength(9)", mend.Strength(9).String())
}

// FuzzJudge holds that judging never panics, that a passing check's patterns do
// stand in what was printed, and that printing more text that no pattern is
// about changes nothing.
func FuzzJudge(f *testing.F) {
	f.Add("foo {version}", "foo 1.2.3\n", "1.2.3", "/opt/foo-1.2.3")
	f.Add("{install_dir}/bin", "in /opt/foo/bin\r\n", "1", "/opt/foo")
	f.Add("{version}{version}", "\x1b[1m1.21.2\x1b[0m", "1.2", "")
	f.Add("x", "\x1b]0;\x1b]0;x", "", "/")
	f.Fuzz(func(t *testing.T, pattern, out, version, dir string) {
		in := mend.Installed{Version: version, Dir: dir}
		v := mend.VerifySection{Pattern: pattern}
		j := judgeOne(v, out, in)
		if !j.Passed {
			return
		}
		for _, e := range j.Expectations {
			if e.Field != "pattern" {
				continue
			}
			require.NotZero(t, e.Line)
			require.LessOrEqual(t, e.Line, 1+strings.Count(out, "\n")+strings.Count(out, "\r"))
		}
		require.True(t, judgeOne(v, out+"\n\n", in).Passed || strings.HasSuffix(out, "\x1b") || strings.Contains(out, "\x1b"))
	})
}

func BenchmarkJudge(b *testing.B) {
	v := mend.VerifySection{Pattern: "frobnicate {version}", Patterns: []string{"Usage: frobnicate"}}
	obs := []mend.Observation{{Argv: []string{"frobnicate", "--help"}, Stdout: helpText(2 << 10), Stderr: "frobnicate 1.2.3\n"}}
	in := mend.Installed{Version: "1.2.3", Dir: "/opt/tools/frobnicate-1.2.3"}
	b.SetBytes(int64(len(obs[0].Stdout)))
	b.ReportAllocs()
	for b.Loop() {
		mend.Judge(v, obs, in)
	}
}

package command_test

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
)

var unfold = strings.NewReplacer("⏎", "\n", "‵", "`")

func heldSaid(fs []command.Finding, from command.Severity) string {
	set := map[string]bool{}
	for _, f := range fs {
		if f.Severity >= from {
			set[strings.TrimSpace(string(f.Code)+" "+f.Detail)] = true
		}
	}
	var out []string
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return strings.Join(out, "; ")
}

func held(s string) []string { return strings.Split(strings.Trim(s, "\n"), "\n") }

var heldGNU = &command.Profile{Platform: "gnu"}

type score struct{ n, miss int }

func (s *score) is(t *testing.T, line, want, got string) {
	s.n++
	if want != got {
		s.miss++
		t.Errorf("%q\n\twant %s\n\tgot  %s", line, want, got)
	}
}

func TestHeldoutBenign(t *testing.T) {
	var s, sh, un score
	fatal := 0
	for _, block := range heldoutBenign {
		for _, l := range held(block) {
			l = unfold.Replace(l)
			s.is(t, l, "", heldSaid(command.Lint(l, heldGNU), 0))
			un.is(t, l, "", heldSaid(command.Lint(l, nil), command.SeverityWarn))
			if heldSaid(command.Lint(l, nil), command.SeverityFatal) != "" {
				fatal++
			}
		}
	}
	for want, block := range heldoutShell {
		for _, l := range held(block) {
			l = unfold.Replace(l)
			sh.is(t, l, want, heldSaid(command.Lint(l, heldGNU), 0))
			if heldSaid(command.Lint(l, nil), command.SeverityFatal) != "" {
				fatal++
			}
		}
	}
	fmt.Println("benign", s, "unknown", un, "shell", sh, "fatal", fatal)
}

func TestHeldoutDangerous(t *testing.T) {
	var s score
	notFatal, extra := 0, 0
	for want, block := range heldoutDangerous {
		for _, l := range held(block) {
			l = unfold.Replace(l)
			got := heldSaid(command.Lint(l, heldGNU), command.SeverityFatal)
			s.n++
			if got == "" {
				notFatal++
			}
			if !strings.Contains("; "+got+";", "; "+want+";") {
				s.miss++
				t.Errorf("%q\n\twant %s\n\tgot  %s", l, want, heldSaid(command.Lint(l, heldGNU), 0))
			} else if got != want {
				extra++
				t.Logf("EXTRA %q %s", l, got)
			}
		}
	}
	fmt.Println("dangerous", s, "not fatal", notFatal, "extra", extra)
}

func TestHeldoutNesting(t *testing.T) {
	line := "rm -rf /"
	for level := 1; level <= 6; level++ {
		line = command.Join([]string{"sh", "-c", line})
		want := "DangerousCommand delete"
		if level > 4 {
			want = "OpaqueCommand depth"
		}
		if got := heldSaid(command.Lint(line, heldGNU), 0); got != want {
			t.Errorf("%d %q: %s", level, line, got)
		}
	}
}

func TestHeldoutCodes(t *testing.T) {
	var s score
	for _, cs := range [][]codeCase{heldoutFormat, heldoutSyntax, heldoutShellFixes, heldoutOpaque, heldoutUnquoted} {
		for _, c := range cs {
			fs := command.Lint(c.line, heldGNU)
			s.is(t, c.line, c.want, heldSaid(fs, 0))
			if c.text != "" && len(fs) > 0 {
				s.is(t, c.line, c.text, c.line[fs[0].Start:fs[0].End])
			}
			if c.fix != "" && len(fs) > 0 {
				s.is(t, c.line, c.fix, fs[0].Fix)
			}
		}
	}
	fmt.Println("codes", s)
}

func TestHeldoutPlatforms(t *testing.T) {
	var s score
	for _, c := range heldoutPlatforms {
		for i, pf := range []string{"gnu", "bsd", "busybox", "", "plan9"} {
			want := "1"
			if i < 3 {
				want = map[byte]string{'+': "", '-': "3", '~': "2"}[c.answers[i]]
			}
			code := "FlagNotSupported"
			if strings.Fields(c.line)[0] == c.detail || !strings.HasPrefix(c.detail, "-") {
				code = "ToolUnavailable"
			}
			if want != "" {
				want = fmt.Sprintf("%s %s %s", code, c.detail, want)
			}
			var got []string
			for _, f := range command.Lint(c.line, &command.Profile{Platform: pf}) {
				got = append(got, fmt.Sprintf("%s %s %d", f.Code, f.Detail, f.Severity))
			}
			s.is(t, pf+": "+c.line, want, strings.Join(got, "; "))
		}
	}
	for _, l := range heldoutNoFlag {
		for _, pf := range []string{"gnu", "bsd", "busybox", ""} {
			s.is(t, pf+": "+l, "", heldSaid(command.Lint(l, &command.Profile{Platform: pf}), 0))
		}
	}
	fmt.Println("platforms", s)
}

func TestHeldoutAllow(t *testing.T) {
	var s score
	for _, c := range heldoutAllow {
		s.is(t, c.line, c.want, heldSaid(command.Lint(c.line, &command.Profile{Platform: "gnu", AllowedTools: c.allowed}), 0))
	}
	fmt.Println("allow", s)
}

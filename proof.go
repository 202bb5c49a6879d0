package mend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mendkit/mend/command"
)

// refuted returns why a check proves nothing: the kind of broken install that
// would pass it, or "".
//
// A check that expects exit code 0 is held against what such installs do. One
// that expects another is held against all of them as if they exited with
// that code, since a fault's exit code is chance.
func refuted(v VerifySection, in Installed, tool string) string {
	want := v.wantedExitCode()
	further := v.Additional
	v.Additional = nil
	path := "/opt/tools/" + tool + "-" + in.Version + "/bin/" + tool
	fill := strings.NewReplacer("{tool}", tool, "{path}", path, "{version}", in.Version, "{arg}", firstArgument(v.Command), "{Tool}", strings.ToUpper(tool[:1])+tool[1:])
	for _, b := range brokenPrints {
		exit := want
		if want == 0 && b.exit != 0 {
			continue // its exit code gives it away
		}
		text := fill.Replace(b.text)
		obs := Observation{Argv: []string{tool}, ExitCode: exit, Stdout: text, Stderr: text}
		if Judge(v, []Observation{obs}, in).Passed && !slices.ContainsFunc(further, func(a AdditionalVerify) bool {
			obs.ExitCode = 0
			return !Judge(VerifySection{Pattern: a.Pattern, VersionFormat: v.VersionFormat}, []Observation{obs}, in).Passed
		}) {
			return b.kind
		}
	}
	return ""
}

// firstArgument returns what a command gives to the tool first, or an option
// that is as good as any.
func firstArgument(line string) string {
	if words, err := command.Split(line); err == nil && len(words) > 1 {
		return words[1]
	}
	return "--version"
}

func wouldPass(kind string) string { return fmt.Sprintf("a broken install would pass it: %s", kind) }

// proof is the outcome of trying to prove a candidate that passed.
type proof struct {
	strength Strength
	refusal  string // why it is not accepted, or ""
}

// prove decides what a passing candidate is worth, given the tool's answer to
// an impossible option.
func prove(v VerifySection, best Strength, control Observation, in Installed, tool string) proof {
	if kind := refuted(v, in, tool); kind != "" {
		return proof{refusal: wouldPass(kind)}
	}
	v.Additional = nil
	if best != StrengthVersion && Judge(v, []Observation{control}, in).Passed {
		return proof{strength: min(best, StrengthComplaint)}
	}
	return proof{strength: best}
}

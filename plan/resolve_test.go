package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// TestResolveCode is about what counts before and beside the words of the output:
// how the run ended, what comes first, and whose word it is.
func TestResolveCode(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		obs        mend.Observation
		want       plan.Code
	}{
		{"time-out before everything", "make verify", mend.Observation{ExitCode: -1, TimedOut: true, Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeFlaky},
		{"time-out with exit 0", "make verify", mend.Observation{TimedOut: true}, plan.CodeFlaky},
		{"time-out and SIGKILL", "make verify", mend.Observation{ExitCode: -1, TimedOut: true, Signal: "SIGKILL"}, plan.CodeFlaky},
		{"SIGKILL", "make verify", mend.Observation{ExitCode: -1, Signal: "SIGKILL"}, plan.CodeEnvironmentIssue},
		{"SIGKILL before signals", "make verify", mend.Observation{ExitCode: -1, Signal: "SIGKILL", Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeEnvironmentIssue},
		{"SIGSEGV", "make verify", mend.Observation{ExitCode: -1, Signal: "SIGSEGV", Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeCommandFailed},
		{"SIGTERM", "make verify", mend.Observation{ExitCode: -1, Signal: "SIGTERM", Stderr: "No space left on device\n"}, plan.CodeCommandFailed},
		{"137 before signals", "make verify", mend.Observation{ExitCode: 137, Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeEnvironmentIssue},
		{"127 blank", "frob", mend.Observation{ExitCode: 127}, plan.CodeSetupIssue},
		{"127 of blanks", "frob", mend.Observation{ExitCode: 127, Stdout: " \n\t", Stderr: "\r\n"}, plan.CodeSetupIssue},
		{"126 blank", "frob", mend.Observation{ExitCode: 126}, plan.CodeSetupIssue},
		{"126 permission", "./frob", mend.Observation{ExitCode: 126, Stderr: "fork/exec ./frob: permission denied"}, plan.CodeSetupIssue},
		{"126 permission, large", "./frob", mend.Observation{ExitCode: 126, Stderr: "bash: ./frob: Permission denied"}, plan.CodeSetupIssue},
		{"1 permission", "./frob", mend.Observation{ExitCode: 1, Stderr: "bash: ./frob: Permission denied"}, plan.CodeCommandFailed},
		{"127 permission", "./frob", mend.Observation{ExitCode: 127, Stderr: "open x: permission denied"}, plan.CodeCommandFailed},
		{"126 and other words", "./frob", mend.Observation{ExitCode: 126, Stderr: "usage: frob"}, plan.CodeCommandFailed},
		{"1 blank", "frob", mend.Observation{ExitCode: 1}, plan.CodeCommandFailed},
		{"128", "frob", mend.Observation{ExitCode: 128}, plan.CodeCommandFailed},
		{"5 of pytest", "pytest", mend.Observation{ExitCode: 5}, plan.CodeNoTestFiles},
		{"5 of pytest with failures in words", "pytest -q", mend.Observation{ExitCode: 5, Stdout: "E   ModuleNotFoundError: No module named 'x'\n"}, plan.CodeNoTestFiles},
		{"5 of unittest", "python3 -m unittest discover", mend.Observation{ExitCode: 5}, plan.CodeNoTestFiles},
		{"5 of pytest behind uv", "uv run pytest", mend.Observation{ExitCode: 5}, plan.CodeNoTestFiles},
		{"5 of make", "make test", mend.Observation{ExitCode: 5}, plan.CodeCommandFailed},
		{"5 of python", "python3 x.py", mend.Observation{ExitCode: 5}, plan.CodeCommandFailed},
		{"4 of pytest", "pytest", mend.Observation{ExitCode: 4}, plan.CodeCommandFailed},
		{"cd with a directory", "cd web && npm test", mend.Observation{ExitCode: 1, Stderr: "cd: web: No such file or directory"}, plan.CodeMissingScript},
		{"cd without a directory", "npm test", mend.Observation{ExitCode: 1, Stderr: "cd: web: No such file or directory"}, plan.CodeCommandFailed},
		{"exit 0 whatever it says", "npm run verify", mend.Observation{Stderr: "npm error Missing script: \"verify\"\n"}, ""},
		{"exit 0, a setup word", "go test ./...", mend.Observation{Stdout: "ok  \tx\t0.1s\n", Stderr: "no required module provides package x\n"}, ""},
		{"exit 0, another's word", "cargo test", mend.Observation{Stdout: "?   \tx\t[no test files]\n"}, ""},
		{"exit 0, a runner may show it", "make test", mend.Observation{Stdout: "go test ./...\n?   \tx\t[no test files]\n"}, plan.CodeNoTestFiles},
		{"target before tests", "make verify", mend.Observation{ExitCode: 2, Stderr: "No tests found, exiting with code 1\nmake: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeMissingMakeTarget},
		{"tests before script", "npm test", mend.Observation{ExitCode: 1, Stderr: "npm error Missing script: \"test\"\nNo test files found, exiting with code 1\n"}, plan.CodeNoTestFiles},
		{"tests before environment", "make test", mend.Observation{ExitCode: 1, Stderr: "No space left on device\nNo test files found, exiting with code 1\n"}, plan.CodeNoTestFiles},
		{"script before environment", "npm run x", mend.Observation{ExitCode: 1, Stderr: "npm error code ENOTFOUND\nnpm error Missing script: \"x\"\n"}, plan.CodeMissingScript},
		{"environment before setup", "make test", mend.Observation{ExitCode: 2, Stderr: "sh: 1: jq: not found\nsh: write error: No space left on device\nNo space left on device\n"}, plan.CodeEnvironmentIssue},
		{"leading blanks", "npm run x", mend.Observation{ExitCode: 1, Stderr: "  \tnpm error Missing script: \"x\"\n"}, plan.CodeMissingScript},
		{"not at the start", "npm run x", mend.Observation{ExitCode: 1, Stderr: "it said npm error Missing script: \"x\"\n"}, plan.CodeCommandFailed},
		{"spawn ENOENT from a runner", "npm test", mend.Observation{ExitCode: 1, Stderr: "Error: spawn jq ENOENT\n"}, plan.CodeSetupIssue},
		{"shell's word from a leaf", "go test ./...", mend.Observation{ExitCode: 1, Stdout: "sh: 1: jq: not found\nFAIL\tx\t0.1s\n"}, plan.CodeCommandFailed},
		{"shell's word from a leaf, 127", "pytest", mend.Observation{ExitCode: 127, Stderr: "bash: pytest: command not found\n"}, plan.CodeSetupIssue},
		{"shell's word from a leaf, 127, dash", "cargo test", mend.Observation{ExitCode: 127, Stderr: "sh: 1: cargo: not found\n"}, plan.CodeSetupIssue},
		{"shell's word from a leaf, 126", "cargo test", mend.Observation{ExitCode: 126, Stderr: "zsh: command not found: cargo\n"}, plan.CodeSetupIssue},
		{"missing dependency from a leaf", "pytest", mend.Observation{ExitCode: 1, Stdout: "missing dependency jq\n"}, plan.CodeCommandFailed},
		{"missing dependency from an unknown program", "./check.sh", mend.Observation{ExitCode: 1, Stdout: "missing dependency jq\n"}, plan.CodeSetupIssue},
		{"more than the whole line", "./check.sh", mend.Observation{ExitCode: 1, Stdout: "missing dependency jq in module graph of x\n"}, plan.CodeCommandFailed},
		{"executable not found from a leaf", "go test ./...", mend.Observation{ExitCode: 1, Stdout: "exec: \"jq\": executable file not found in $PATH\n"}, plan.CodeSetupIssue},
		{"memory from a leaf", "pytest", mend.Observation{ExitCode: 1, Stderr: "OSError: [Errno 12] Cannot allocate memory\n"}, plan.CodeEnvironmentIssue},
		{"disk from a leaf", "pytest", mend.Observation{ExitCode: 1, Stderr: "OSError: [Errno 28] No space left on device\n"}, plan.CodeEnvironmentIssue},
		{"disk quoted", "pytest", mend.Observation{ExitCode: 1, Stdout: "E       AssertionError: assert 'No space left on device' == ''\n"}, plan.CodeCommandFailed},
		{"an unknown runner shows a test tool", "./ci.sh", mend.Observation{ExitCode: 1, Stdout: "No test files found, exiting with code 1\n"}, plan.CodeNoTestFiles},
		{"an unknown runner has no targets", "./ci.sh", mend.Observation{ExitCode: 2, Stdout: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeCommandFailed},
		{"a leaf of another ecosystem", "pytest", mend.Observation{ExitCode: 1, Stdout: "No test files found, exiting with code 1\n"}, plan.CodeCommandFailed},
		{"a tool behind env", "env CI=1 make verify", mend.Observation{ExitCode: 2, Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeMissingMakeTarget},
		{"a tool behind timeout", "timeout 60 npm run verify", mend.Observation{ExitCode: 1, Stderr: "npm error Missing script: \"verify\"\n"}, plan.CodeMissingScript},
		{"a path to the tool", "/usr/bin/make verify", mend.Observation{ExitCode: 2, Stderr: "make: *** No rule to make target 'verify'.  Stop.\n"}, plan.CodeMissingMakeTarget},
		{"package launchers count", "uv run pytest", mend.Observation{ExitCode: 2, Stderr: "error: Failed to spawn: `pytest`\n"}, plan.CodeSetupIssue},
		{"package launchers count, poetry", "poetry run pytest", mend.Observation{ExitCode: 1, Stderr: "Poetry could not find a pyproject.toml file in /srv/app or its parents\n"}, plan.CodeMissingScript},
		{"package launchers count, bundle", "bundle exec rspec", mend.Observation{ExitCode: 10, Stderr: "Could not locate Gemfile or .bundle/ directory\n"}, plan.CodeMissingScript},
		{"nothing", "", mend.Observation{ExitCode: 1}, plan.CodeCommandFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var p plan.Part
			if tt.line != "" {
				p = partOf(t, tt.line)
			}
			assert.Equal(t, tt.want, plan.ResolveCode(p, tt.obs, nil))
		})
	}
}

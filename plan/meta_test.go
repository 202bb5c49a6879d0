package plan_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestMetaJSON(t *testing.T) {
	exit := 1
	m := plan.Meta{
		Source: plan.MetaVerification, Code: plan.CodeMissingScript, Command: "npm run verify", CommandSource: plan.SourceExplicit,
		Stderr: "e", Stdout: "o", CommandID: "3307f700", ExitCode: &exit, Signal: "SIGTERM", TimedOut: true, Signature: "s", PolicyViolations: []string{"a"},
	}
	data, err := json.Marshal(m)
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"source":"verification","failureCode":"verification_command_missing_script","failedCommand":"npm run verify",
		"failedCommandSource":"explicit","failedCommandStderr":"e","failedCommandStdout":"o","commandId":"3307f700","exitCode":1,"signal":"SIGTERM",
		"timedOut":true,"signature":"s","policyViolations":["a"]}`, string(data))
	again, err := plan.ParseMeta(data)
	require.NoError(t, err)
	m.SchemaVersion = 1
	assert.Equal(t, &m, again)

	exit = 0
	data, err = json.Marshal(&plan.Meta{Source: plan.MetaExecution, Code: plan.CodeQuota, ExitCode: &exit})
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"source":"execution","failureCode":"quota_failure","exitCode":0}`, string(data))
}

func TestParseMetaOfOlderPrograms(t *testing.T) {
	m, err := plan.ParseMeta([]byte(` {"source":" ","failureCode":" Test_Failure\n","failedCommand":null,"failedCommandSource":"light-check","exitCode":null,
		"timedOut":null,"policyViolations":["a",""," ",null,"b"],"extra":{"x":[1]},"schemaVersion":null} `))
	require.NoError(t, err)
	assert.Equal(t, &plan.Meta{SchemaVersion: 1, Code: plan.CodeTestFailure, CommandSource: "light-check", PolicyViolations: []string{"a", "b"}}, m)
	m, err = plan.ParseMeta([]byte(`{}`))
	require.NoError(t, err)
	assert.Equal(t, &plan.Meta{SchemaVersion: 1}, m)
}

func TestParseMetaRefuses(t *testing.T) {
	for text, key := range map[string]string{
		"": "", "null": "", "[]": "", `"x"`: "", "{": "", "{} {}": "", "7": "", `{"source"`: "",
		`{"schemaVersion":2}`:               "schemaVersion",
		`{"schemaVersion":-1}`:              "schemaVersion",
		`{"schemaVersion":"1"}`:             "schemaVersion",
		`{"failureCode":1}`:                 "failureCode",
		`{"failedCommand":["x"]}`:           "failedCommand",
		`{"exitCode":"1"}`:                  "exitCode",
		`{"exitCode":1.5}`:                  "exitCode",
		`{"exitCode":99999999999999999999}`: "exitCode",
		`{"failedCommandSource":1}`:         "failedCommandSource",
		`{"failedCommandStderr":true}`:      "failedCommandStderr",
		`{"failedCommandStdout":0}`:         "failedCommandStdout",
		`{"commandId":1}`:                   "commandId",
		`{"signal":{}}`:                     "signal",
		`{"source":1}`:                      "source",
		`{"timedOut":1}`:                    "timedOut",
		`{"timedOut":"yes"}`:                "timedOut",
		`{"policyViolations":"a"}`:          "policyViolations",
		`{"policyViolations":[1]}`:          "policyViolations",
		`{"signature":{},"exitCode":1}`:     "signature",
	} {
		m, err := plan.ParseMeta([]byte(text))
		assert.Nil(t, m, text)
		var fault *plan.MetaError
		require.ErrorAs(t, err, &fault, text)
		assert.Equal(t, key, fault.Key, text)
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestParseMessage(t *testing.T) {
	for _, test := range []struct {
		message, line, source, text string
		code                        plan.Code
	}{
		{`Verification failed at npm run verify [explicit]: npm error Missing script: "verify" npm error npm error To see a list of scripts, run:`, "npm run verify", "explicit", "npm error", plan.CodeMissingScript},
		{"verification failed at make check [auto]: make: *** No rule to make target 'check'. Stop.", "make check", "auto", "make:", plan.CodeMissingMakeTarget},
		{"Error: Verification failed at pnpm test [auto]:  ERR_PNPM_NO_SCRIPT  Missing script: test", "pnpm test", "auto", "ERR_PNPM", plan.CodeMissingScript},
		{"Verification failed at npm test [light-check]: stderr unavailable", "npm test", "light-check", "", plan.CodeCommandFailed},
		{"Verification failed at npm test [guard]:", "npm test", "guard", "", plan.CodeCommandFailed},
		{"Verification failed at npm test [visual-probe]: 2 failed", "npm test", "visual-probe", "2 failed", plan.CodeCommandFailed},
		{"Verification failed at [ -f dist/app ] [explicit]: stderr unavailable", "[ -f dist/app ]", "explicit", "", plan.CodeSequenceIssue},
		{"Verification failed at test -f dist/app [auto]: stderr unavailable", "test -f dist/app", "auto", "", plan.CodeCommandFailed},
		{"Verification failed at test -f src/app [explicit]: stderr unavailable", "test -f src/app", "explicit", "", plan.CodeCommandFailed},
		{"Verification failed at test -f dist/app [explicit]: test: x: unexpected", "test -f dist/app", "explicit", "test:", plan.CodeCommandFailed},
		{"Verification failed at grep '[auto]' x [explicit]: boom", "grep '[auto]' x", "explicit", "boom", plan.CodeCommandFailed},
		{"Verification failed at make verify [auto]: make: *** No rule to make target 'x.o', needed by 'verify'.  Stop.", "make verify", "auto", "make:", plan.CodeCommandFailed},
		{"Verification failed at go test ./... [auto]: a.go:3:2: no required module provides package x; to add it:", "go test ./...", "auto", "a.go", plan.CodeSetupIssue},
		{"Verification failed at cd a && test -s dist/app [explicit]: Stderr Unavailable", "cd a && test -s dist/app", "explicit", "", plan.CodeSequenceIssue},
		{"verification failed at make [EXPLICIT]: boom", "make", "explicit", "boom", plan.CodeCommandFailed},
		{"Verification failed at pytest t.py::test_x[1] [explicit]: ERROR: file or directory not found: t.py::test_x[1]", "pytest t.py::test_x[1]", "explicit", "ERROR", plan.CodeNoTestFiles},
		{"Verification failed at make a && npm run x [explicit]: npm ERR! missing script: x", "make a && npm run x", "explicit", "npm", plan.CodeMissingScript},
		{"Verification failed at cat a | grep b [explicit]: stderr unavailable", "cat a | grep b", "explicit", "", plan.CodeUnsupportedFormat},
		{"Verification failed at ls *.go [explicit]: 2 failed", "ls *.go", "explicit", "2 failed", plan.CodeCommandFailed},
		{"Verification failed at npm test [explicit]: Unsupported command format. Shell operators are not allowed: npm test", "npm test", "explicit", "Unsupported", plan.CodeUnsupportedFormat},
		{"Verification failed at npm test [explicit]: > web@1.0.0 test > vitest sh: 1: vitest: not found", "npm test", "explicit", "> web", plan.CodeSetupIssue},
		{"Verification failed at npm test [explicit]: node:internal/modules/cjs/loader:1210 throw err; ^ Error: Cannot find module 'vitest' Require stack:", "npm test", "explicit", "node:", plan.CodeSetupIssue},
		{`Verification failed at npm test [explicit]: AssertionError: expected "npm error Missing script: \"test\"" to be "x"`, "npm test", "explicit", "Assert", plan.CodeCommandFailed},
	} {
		t.Run(test.message, func(t *testing.T) {
			m, ok := plan.ParseMessage(test.message)
			require.True(t, ok)
			assert.Equal(t, test.line, m.Command)
			assert.Equal(t, plan.Source(test.source), m.CommandSource)
			assert.Equal(t, test.code, m.Code)
			assert.Equal(t, plan.MetaVerification, m.Source)
			assert.True(t, strings.HasPrefix(m.Stderr, test.text) && (m.Stderr == "") == (test.text == ""), m.Stderr)
			assert.NotEmpty(t, m.Signature)
		})
	}
	for _, message := range []string{
		"", "Verification failed", "Verification failed at npm test: x", "Verification failed at npm test [other]: x", "Verification failed at [explicit]: x",
		"Verification failed at npm test [explicit] x", "it said: Verification failed at npm test [explicit]: x", "Verification commands failed",
		"Verification passed at x [auto]: y", "Verification failed at x[auto]: y", "Verification failed at x [auto] : y",
	} {
		m, ok := plan.ParseMessage(message)
		assert.False(t, ok, message)
		assert.Nil(t, m)
	}
}

func TestParseMessageKeepsTheEnd(t *testing.T) {
	secret := "gh" + "p_" + strings.Repeat("aB3dE6", 6)
	m, ok := plan.ParseMessage("Verification failed at make [auto]: " + strings.Repeat("start ", 200) + "\x1b[31mtoken " + secret + "\n\n  the   end\x1b[0m ")
	require.True(t, ok)
	assert.LessOrEqual(t, utf8.RuneCountInString(m.Stderr), 400)
	assert.True(t, strings.HasSuffix(m.Stderr, " the end"), m.Stderr)
	assert.NotContains(t, m.Stderr+m.Signature, secret)
	assert.NotContains(t, m.Signature, strings.ToLower(secret))
}

package plan_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestHeldoutParseMeta(t *testing.T) {
	one := 1
	for name, c := range map[string]struct {
		doc  string
		want plan.Meta
	}{
		"all": {`{"schemaVersion": 1, "source": "verification", "failureCode": "test_failure", "failedCommand": "make x", "failedCommandSource": "auto",
			"failedCommandStderr": "e", "failedCommandStdout": "o", "commandId": "3307f700", "exitCode": 1, "signal": "SIGSEGV", "timedOut": true,
			"signature": "s", "policyViolations": ["a", "b"]}`,
			plan.Meta{SchemaVersion: 1, Source: "verification", Code: plan.CodeTestFailure, Command: "make x", CommandSource: plan.SourceAuto,
				Stderr: "e", Stdout: "o", CommandID: "3307f700", ExitCode: &one, Signal: "SIGSEGV", TimedOut: true, Signature: "s", PolicyViolations: []string{"a", "b"}}},
		"unknown keys":      {`{"schemaVersion":1,"source":"execution","failureCode":"x","retryCount":3,"nested":{"a":[null]}}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x"}},
		"code trimmed":      {`{"schemaVersion":1,"source":"execution","failureCode":" Test_Failure\n"}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: plan.CodeTestFailure}},
		"null is absent":    {`{"schemaVersion":1,"source":"execution","failureCode":"x","exitCode":null,"failedCommand":null,"timedOut":null,"policyViolations":null,"signal":null}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x"}},
		"blank is absent":   {`{"schemaVersion":1,"source":"execution","failureCode":"x","failedCommandStderr":"  ","failedCommand":"","signature":"\t"}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x"}},
		"exit code zero":    {`{"schemaVersion":1,"source":"execution","failureCode":"x","exitCode":0}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x", ExitCode: new(int)}},
		"explicit source":   {`{"schemaVersion":1,"source":"verification","failureCode":"x","failedCommandSource":"explicit"}`, plan.Meta{SchemaVersion: 1, Source: "verification", Code: "x", CommandSource: plan.SourceExplicit}},
		"code null":         {`{"schemaVersion":1,"source":"execution","failureCode":null}`, plan.Meta{SchemaVersion: 1, Source: "execution"}},
		"code blank":        {`{"schemaVersion":1,"source":"execution","failureCode":" "}`, plan.Meta{SchemaVersion: 1, Source: "execution"}},
		"not a known code":  {`{"schemaVersion":1,"source":"execution","failureCode":"something_new"}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "something_new"}},
		"white space round": {" {\"schemaVersion\":1,\"source\":\"execution\",\"failureCode\":\"x\"}\n", plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x"}},
		"not timed out":     {`{"schemaVersion":1,"source":"execution","failureCode":"x","timedOut":false}`, plan.Meta{SchemaVersion: 1, Source: "execution", Code: "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := plan.ParseMeta([]byte(c.doc))
			require.NoError(t, err)
			if c.want.PolicyViolations == nil {
				assert.Empty(t, got.PolicyViolations)
				got.PolicyViolations = nil
			}
			assert.Equal(t, c.want, *got)
		})
	}
}

func TestHeldoutParseMetaRefused(t *testing.T) {
	for name, c := range map[string]struct{ doc, key string }{
		"nothing":           {``, ""},
		"list":              {`[]`, ""},
		"null":              {`null`, ""},
		"string":            {`"x"`, ""},
		"no JSON":           {`{"source"`, ""},
		"data behind":       {`{} {}`, ""},
		"newer":             {`{"schemaVersion":2,"source":"execution","failureCode":"x"}`, "schemaVersion"},
		"version string":    {`{"schemaVersion":"1"}`, "schemaVersion"},
		"code number":       {`{"schemaVersion":1,"failureCode":7}`, "failureCode"},
		"command list":      {`{"schemaVersion":1,"failedCommand":["x"]}`, "failedCommand"},
		"exit string":       {`{"schemaVersion":1,"exitCode":"1"}`, "exitCode"},
		"exit fraction":     {`{"schemaVersion":1,"exitCode":1.5}`, "exitCode"},
		"timed out string":  {`{"schemaVersion":1,"timedOut":"true"}`, "timedOut"},
		"timed out number":  {`{"schemaVersion":1,"timedOut":1}`, "timedOut"},
		"violations string": {`{"schemaVersion":1,"policyViolations":"a"}`, "policyViolations"},
		"violations number": {`{"schemaVersion":1,"policyViolations":["a",1]}`, "policyViolations"},
		"signal object":     {`{"schemaVersion":1,"signal":{}}`, "signal"},
		"signature number":  {`{"schemaVersion":1,"signature":1}`, "signature"},
		"id number":         {`{"schemaVersion":1,"commandId":1}`, "commandId"},
		"stderr boolean":    {`{"schemaVersion":1,"failedCommandStderr":true}`, "failedCommandStderr"},
		"stdout number":     {`{"schemaVersion":1,"failedCommandStdout":0}`, "failedCommandStdout"},
		"source number":     {`{"schemaVersion":1,"source":1}`, "source"},
		"entry source":      {`{"schemaVersion":1,"failedCommandSource":1}`, "failedCommandSource"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.ParseMeta([]byte(c.doc))
			var e *plan.MetaError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.key, e.Key)
			assert.NotEmpty(t, e.Reason)
		})
	}
}

func TestHeldoutMetaJSON(t *testing.T) {
	got, err := json.Marshal(plan.Meta{Source: plan.MetaVerification, Code: plan.CodeFlaky})
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"source":"verification","failureCode":"transient_or_flaky_failure"}`, string(got))
	zero := 0
	got, err = json.Marshal(&plan.Meta{SchemaVersion: 1, Source: plan.MetaExecution, ExitCode: &zero, TimedOut: true})
	require.NoError(t, err)
	assert.JSONEq(t, `{"schemaVersion":1,"source":"execution","failureCode":"","exitCode":0,"timedOut":true}`, string(got))
}

func TestHeldoutParseMessage(t *testing.T) {
	for name, c := range map[string]struct {
		message, line string
		source        plan.Source
		code          plan.Code
	}{
		"plain":                  {"Verification failed at make build [explicit]: boom", "make build", plan.SourceExplicit, plan.CodeCommandFailed},
		"auto":                   {"Verification failed at go vet ./... [auto]: boom", "go vet ./...", plan.SourceAuto, plan.CodeCommandFailed},
		"line with bracket":      {"Verification failed at [ -f x ] [auto]: boom", "[ -f x ]", plan.SourceAuto, plan.CodeCommandFailed},
		"line with word bracket": {"Verification failed at grep '[auto]' x [explicit]: boom", "grep '[auto]' x", plan.SourceExplicit, plan.CodeCommandFailed},
		"missing script":         {`Verification failed at npm run verify [explicit]: npm error Missing script: "verify"`, "npm run verify", plan.SourceExplicit, plan.CodeMissingScript},
		"missing target":         {"Verification failed at make verify [auto]: make: *** No rule to make target 'verify'.  Stop.", "make verify", plan.SourceAuto, plan.CodeMissingMakeTarget},
		"target not given":       {"Verification failed at make verify [auto]: make: *** No rule to make target 'x.o', needed by 'verify'.  Stop.", "make verify", plan.SourceAuto, plan.CodeCommandFailed},
		"setup":                  {"Verification failed at go test ./... [auto]: a.go:3:2: no required module provides package x; to add it:", "go test ./...", plan.SourceAuto, plan.CodeSetupIssue},
		"artifact, no text":      {"Verification failed at test -f dist/x [explicit]: stderr unavailable", "test -f dist/x", plan.SourceExplicit, plan.CodeSequenceIssue},
		"artifact, text":         {"Verification failed at test -f dist/x [explicit]: boom", "test -f dist/x", plan.SourceExplicit, plan.CodeCommandFailed},
		"artifact, auto":         {"Verification failed at test -f dist/x [auto]: stderr unavailable", "test -f dist/x", plan.SourceAuto, plan.CodeCommandFailed},
		"no artifact, no text":   {"Verification failed at test -f src/x [explicit]: stderr unavailable", "test -f src/x", plan.SourceExplicit, plan.CodeCommandFailed},
	} {
		t.Run(name, func(t *testing.T) {
			m, ok := plan.ParseMessage(c.message)
			require.True(t, ok)
			assert.Equal(t, c.line, m.Command)
			assert.Equal(t, c.source, m.CommandSource)
			assert.Equal(t, c.code, m.Code)
			assert.Equal(t, plan.MetaVerification, m.Source)
		})
	}
	for _, word := range []string{"light-check", "guard", "visual-probe"} {
		t.Run(word, func(t *testing.T) {
			m, ok := plan.ParseMessage("Verification failed at x y [" + word + "]: boom")
			require.True(t, ok)
			assert.Equal(t, "x y", m.Command)
			assert.NotEqual(t, plan.SourceExplicit, m.CommandSource)
		})
	}
	for _, message := range []string{"", "boom", "Verification failed", "Verification failed at x", "Verification failed at x [other]: y",
		"Tests failed at x [auto]: y", "Verification passed at x [auto]: y"} {
		t.Run("no: "+message, func(t *testing.T) {
			_, ok := plan.ParseMessage(message)
			assert.False(t, ok)
		})
	}
}

package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mendkit/mend/plan"
)

func TestClassifyByCode(t *testing.T) {
	for code, want := range map[plan.Code]plan.Class{
		plan.CodeMissingScript:     {Category: plan.CategorySetup, Reason: "verification_command_missing_script"},
		plan.CodeNoTestFiles:       {Category: plan.CategorySetup, Reason: "verification_command_no_test_files"},
		plan.CodeMissingMakeTarget: {Category: plan.CategorySetup, Reason: "verification_command_missing_make_target"},
		plan.CodeUnsupportedFormat: {Category: plan.CategorySetup, Reason: "verification_command_unsupported_format"},
		plan.CodeSequenceIssue:     {Category: plan.CategorySetup, Reason: "verification_command_sequence_issue"},
		plan.CodeBranchDiverged:    {Category: plan.CategorySetup, Reason: "branch_diverged_requires_recreate"},
		plan.CodeSetupIssue:        {Category: plan.CategorySetup, Reason: "setup_or_bootstrap_issue", Retryable: true},
		plan.CodeEnvironmentIssue:  {Category: plan.CategoryEnv, Reason: "environment_issue", Retryable: true},
		plan.CodeQuota:             {Category: plan.CategoryEnv, Reason: "environment_issue", Retryable: true},
		plan.CodeCommandFailed:     {Category: plan.CategoryTest, Reason: "test_failure", Retryable: true},
		plan.CodeTestFailure:       {Category: plan.CategoryTest, Reason: "test_failure", Retryable: true},
		plan.CodeFlaky:             {Category: plan.CategoryFlaky, Reason: "transient_or_flaky_failure", Retryable: true},
		plan.CodePolicyViolation:   {Category: plan.CategoryPolicy, Reason: "policy_violation", Retryable: true},
		plan.CodeNoChanges:         {Category: plan.CategoryNoop, Reason: "no_actionable_changes"},
		plan.CodeExternalDirectory: {Category: plan.CategoryPermission, Reason: "external_directory_permission_prompt"},
		plan.CodePermissionDenied:  {Category: plan.CategoryPermission, Reason: "permission_denied"},
		plan.CodeModel:             {Category: plan.CategoryModel, Reason: "model_or_unknown_failure", Retryable: true},
		plan.CodeModelLoop:         {Category: plan.CategoryModelLoop, Reason: "model_doom_loop", Retryable: true},
		" POLICY_Violation ":       {Category: plan.CategoryPolicy, Reason: "policy_violation", Retryable: true},
		plan.CodeExecutionFailed:   {Category: plan.CategoryFlaky, Reason: "transient_or_flaky_failure", Retryable: true},
		"something_else":           {Category: plan.CategoryFlaky, Reason: "transient_or_flaky_failure", Retryable: true},
		"":                         {Category: plan.CategoryFlaky, Reason: "transient_or_flaky_failure", Retryable: true},
	} {
		assert.Equal(t, want, plan.Classify(&plan.Meta{Code: code}, "HTTP 503"), code)
	}
}

func TestClassifyByMessage(t *testing.T) {
	for message, want := range map[string]plan.Code{
		"external_directory permission prompt":             plan.CodeExternalDirectory,
		"Permission required: external_directory (/srv/*)": plan.CodeExternalDirectory,
		"permission denied":                                plan.CodeModel,
		"No changes were made":                             plan.CodeNoChanges,
		"no relevant changes were made by the agent":       plan.CodeNoChanges,
		"GraphQL: No commits between main and x":           plan.CodeNoChanges,
		"changes were made":                                plan.CodeModel,
		"No changes.":                                      plan.CodeNoChanges,
		"The agent produced no changes":                    plan.CodeNoChanges,
		"there were no file changes to verify":             plan.CodeNoChanges,
		"no changes to the API, assertion failed":          plan.CodeTestFailure,
		"stopped at a permission prompt":                   plan.CodeExternalDirectory,
		"blocked by policy: rm -rf":                        plan.CodePolicyViolation,
		"not permitted by the security policy":             plan.CodePolicyViolation,
		"the policy was read":                              plan.CodeModel,
		"no test files":                                    plan.CodeNoTestFiles,
		"No tests executed!":                               plan.CodeNoTestFiles,
		"it says: no tests executed":                       plan.CodeModel,
		"unsupported format: a | b":                        plan.CodeUnsupportedFormat,
		"an unsupported format":                            plan.CodeModel,
		"Your branch and 'origin/main' have diverged,":     plan.CodeBranchDiverged,
		"opinions have diverged":                           plan.CodeModel,
		"expected: 3\n     got: 4":                         plan.CodeTestFailure,
		"as expected\nx\nit got stuck":                     plan.CodeModel,
		"2 specs failed":                                   plan.CodeTestFailure,
		"2 requests failed":                                plan.CodeModel,
		"Policy violation: x":                              plan.CodePolicyViolation,
		"Denied command: rm":                               plan.CodePolicyViolation,
		"Change outside allowed paths: a/b":                plan.CodePolicyViolation,
		"Change to denied path: .env":                      plan.CodePolicyViolation,
		`Verification failed at npm run x [auto]: npm error Missing script: "x"`: plan.CodeMissingScript,
		"Verification failed at npm test [auto]: 503 tests ran":                  plan.CodeTestFailure,
		"No tests found, exiting with code 1":                                    plan.CodeNoTestFiles,
		"make: *** No rule to make target 'x'.  Stop.":                           plan.CodeMissingMakeTarget,
		"make: *** No rule to make target 'x.o', needed by 'x'.  Stop.":          plan.CodeMissingMakeTarget,
		`npm error Missing script: "x"`:                                          plan.CodeMissingScript,
		"ERR_PNPM_NO_SCRIPT  Missing script: verify":                             plan.CodeMissingScript,
		"AssertionError: expected 'Missing script' to equal x":                   plan.CodeTestFailure,
		"Unsupported command format: a | b":                                      plan.CodeUnsupportedFormat,
		"Shell operators are not allowed":                                        plan.CodeUnsupportedFormat,
		"Error: Cannot find module 'lodash'":                                     plan.CodeSetupIssue,
		"ModuleNotFoundError: No module named 'x'":                               plan.CodeSetupIssue,
		"sh: 1: vitest: not found":                                               plan.CodeSetupIssue,
		"npm error code ECONNRESET":                                              plan.CodeEnvironmentIssue,
		"! [rejected] x -> x (non-fast-forward)":                                 plan.CodeBranchDiverged,
		"error: failed to push some refs to 'x'":                                 plan.CodeBranchDiverged,
		"git@example.org: Permission denied (publickey).":                        plan.CodePermissionDenied,
		"fatal: Authentication failed for 'https://git.example.org/x'":           plan.CodePermissionDenied,
		"remote: Repository not found.":                                          plan.CodePermissionDenied,
		"connect: connection refused":                                            plan.CodeEnvironmentIssue,
		"dial tcp: lookup db: no such host":                                      plan.CodeEnvironmentIssue,
		"the disk is full":                                                       plan.CodeEnvironmentIssue,
		"Is the docker daemon running?":                                          plan.CodeEnvironmentIssue,
		"DATABASE_URL is not set":                                                plan.CodeEnvironmentIssue,
		"missing REDIS_URL":                                                      plan.CodeEnvironmentIssue,
		"set the env first":                                                      plan.CodeModel,
		"assertion failed: a == b":                                               plan.CodeTestFailure,
		"error[E0502]: cannot borrow":                                            plan.CodeTestFailure,
		"panic: runtime error":                                                   plan.CodeTestFailure,
		"--- FAIL: TestX (0.00s)":                                                plan.CodeTestFailure,
		"some tests failed":                                                      plan.CodeTestFailure,
		"expected 1 but got 2":                                                   plan.CodeTestFailure,
		"3 failed, 4 passed":                                                     plan.CodeTestFailure,
		"0 failed, 4 passed":                                                     plan.CodeModel,
		"rate limit exceeded":                                                    plan.CodeFlaky,
		"Request failed with status code 502":                                    plan.CodeFlaky,
		"HTTP/1.1 503 Service Unavailable":                                       plan.CodeFlaky,
		"the server returned 504":                                                plan.CodeFlaky,
		"error: 429":                                                             plan.CodeFlaky,
		"503 files changed":                                                      plan.CodeModel,
		"see line 429":                                                           plan.CodeModel,
		"the request timed out":                                                  plan.CodeFlaky,
		"read ECONNRESET":                                                        plan.CodeFlaky,
		"Doom loop detected":                                                     plan.CodeModelLoop,
		"Excessive planning chatter detected":                                    plan.CodeModelLoop,
		"":                                                                       plan.CodeModel,
		"something odd":                                                          plan.CodeModel,
	} {
		want := plan.Classify(&plan.Meta{Code: want}, "")
		assert.Equal(t, want, plan.Classify(nil, message), message)
		assert.Equal(t, want, plan.Classify(&plan.Meta{Code: plan.CodeExecutionFailed}, message), message)
		assert.Equal(t, want, plan.Classify(&plan.Meta{Stderr: message}, " "), "%s, from the excerpt", message)
	}
}

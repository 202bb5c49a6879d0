package plan

import "strings"

// Code says what a failure is. Codes are written into [Meta] and read back by
// programs, so their words never change.
type Code string

// The codes of failures. The first five are adjustable: the plan is at fault and
// [Adjust] may mend it.
const (
	CodeMissingScript     Code = "verification_command_missing_script"
	CodeNoTestFiles       Code = "verification_command_no_test_files"
	CodeMissingMakeTarget Code = "verification_command_missing_make_target"
	CodeUnsupportedFormat Code = "verification_command_unsupported_format" // the line needs a shell
	CodeSequenceIssue     Code = "verification_command_sequence_issue"     // the command before it removed what it looks for

	CodeCommandFailed     Code = "verification_command_failed"
	CodeTestFailure       Code = "test_failure"
	CodeSetupIssue        Code = "setup_or_bootstrap_issue" // a dependency or a tool is not installed
	CodeEnvironmentIssue  Code = "environment_issue"        // the machine or the network
	CodeQuota             Code = "quota_failure"
	CodeFlaky             Code = "transient_or_flaky_failure"
	CodePolicyViolation   Code = "policy_violation"
	CodeNoChanges         Code = "no_actionable_changes"
	CodeExternalDirectory Code = "external_directory_permission_prompt"
	CodePermissionDenied  Code = "permission_denied"
	CodeBranchDiverged    Code = "branch_diverged_requires_recreate"
	CodeModel             Code = "model_or_unknown_failure"
	CodeModelLoop         Code = "model_doom_loop"
	CodeExecutionFailed   Code = "execution_failed" // says nothing: the message decides
)

// Category groups codes that are retried alike.
type Category string

// Categories of failures.
const (
	CategorySetup      Category = "setup"
	CategoryEnv        Category = "env"
	CategoryTest       Category = "test"
	CategoryFlaky      Category = "flaky"
	CategoryPolicy     Category = "policy"
	CategoryNoop       Category = "noop"
	CategoryPermission Category = "permission"
	CategoryModel      Category = "model"
	CategoryModelLoop  Category = "model_loop"
)

// Class is what a failure means for the next attempt.
type Class struct {
	Category  Category
	Reason    Code // the code that stands for it; codes of one cause share one
	Retryable bool // the same work may be tried again as it is
}

// classes holds every code that decides by itself.
var classes = map[Code]Class{
	CodeMissingScript:     {CategorySetup, CodeMissingScript, false},
	CodeNoTestFiles:       {CategorySetup, CodeNoTestFiles, false},
	CodeMissingMakeTarget: {CategorySetup, CodeMissingMakeTarget, false},
	CodeUnsupportedFormat: {CategorySetup, CodeUnsupportedFormat, false},
	CodeSequenceIssue:     {CategorySetup, CodeSequenceIssue, false},
	CodeBranchDiverged:    {CategorySetup, CodeBranchDiverged, false},
	CodeSetupIssue:        {CategorySetup, CodeSetupIssue, true},
	CodeEnvironmentIssue:  {CategoryEnv, CodeEnvironmentIssue, true},
	CodeQuota:             {CategoryEnv, CodeEnvironmentIssue, true},
	CodeCommandFailed:     {CategoryTest, CodeTestFailure, true},
	CodeTestFailure:       {CategoryTest, CodeTestFailure, true},
	CodeFlaky:             {CategoryFlaky, CodeFlaky, true},
	CodePolicyViolation:   {CategoryPolicy, CodePolicyViolation, true},
	CodeNoChanges:         {CategoryNoop, CodeNoChanges, false},
	CodeExternalDirectory: {CategoryPermission, CodeExternalDirectory, false},
	CodePermissionDenied:  {CategoryPermission, CodePermissionDenied, false},
	CodeModel:             {CategoryModel, CodeModel, true},
	CodeModelLoop:         {CategoryModelLoop, CodeModelLoop, true},
}

// retryLimits says how many failures of a category are tried again where a
// [RetryPolicy] does not say it.
var retryLimits = map[Category]int{
	CategorySetup:      3,
	CategoryEnv:        5,
	CategoryTest:       3,
	CategoryFlaky:      6,
	CategoryPolicy:     3,
	CategoryNoop:       0,
	CategoryPermission: 0,
	CategoryModel:      3,
	CategoryModelLoop:  1,
}

// adjustable reports whether the plan itself is at fault, so that trying it again
// as it is cannot help.
func (c Code) adjustable() bool {
	switch c {
	case CodeMissingScript, CodeNoTestFiles, CodeMissingMakeTarget, CodeUnsupportedFormat, CodeSequenceIssue:
		return true
	}
	return false
}

// normal returns the code as it is written.
func (c Code) normal() Code { return Code(strings.ToLower(strings.TrimSpace(string(c)))) }

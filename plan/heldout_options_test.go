package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func options(t *testing.T, env map[string]string) (*plan.Options, error) {
	t.Helper()
	return plan.OptionsFromEnv(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
}

func TestHeldoutOptions(t *testing.T) {
	one := func(f func(o *plan.Options)) plan.Options { var o plan.Options; f(&o); return o }
	zero := plan.Options{}
	for _, c := range []struct {
		name, value string
		want        plan.Options
	}{
		{"PLANNER_VERIFY_COMMAND_MODE", "off", one(func(o *plan.Options) { o.Author.Mode = plan.ModeOff })},
		{"WORKER_AUTO_VERIFY_MODE", " Safety ", one(func(o *plan.Options) { o.Run.Mode = plan.ModeFallback })},
		{"WORKER_AUTO_VERIFY_MODE", "DISABLED", one(func(o *plan.Options) { o.Run.Mode = plan.ModeOff })},
		{"WORKER_AUTO_VERIFY_MODE", "llm", one(func(o *plan.Options) { o.Run.Mode = plan.ModeLLM })},
		{"PLANNER_VERIFY_CONTRACT_PATH", "ci/x.json", one(func(o *plan.Options) { o.Author.ContractPath = "ci/x.json" })},
		{"WORKER_VERIFY_CONTRACT_PATH", "x.json", one(func(o *plan.Options) { o.Run.ContractPath = "x.json" })},
		{"PLANNER_VERIFY_MAX_COMMANDS", "1", one(func(o *plan.Options) { o.Author.MaxCommands = 1 })},
		{"WORKER_AUTO_VERIFY_MAX_COMMANDS", " 12 ", one(func(o *plan.Options) { o.Run.MaxCommands = 12 })},
		{"PLANNER_VERIFY_PLAN_TIMEOUT_SECONDS", "7", one(func(o *plan.Options) { o.Author.ProposeTimeout = 7 * time.Second })},
		{"WORKER_VERIFY_PLAN_TIMEOUT_SECONDS", "300", one(func(o *plan.Options) { o.Run.ProposeTimeout = 300 * time.Second })},
		{"PLANNER_VERIFY_AUGMENT_NONEMPTY", "yes", one(func(o *plan.Options) { o.Author.AugmentNonempty = true })},
		{"PLANNER_VERIFY_AUGMENT_NONEMPTY", "off", zero},
		{"WORKER_VERIFY_PLAN_PARSE_RETRIES", "5", one(func(o *plan.Options) { o.Run.ParseRetries = 5 })},
		{"WORKER_VERIFY_PLAN_PARSE_RETRIES", "0", one(func(o *plan.Options) { o.Run.ParseRetries = -1 })},
		{"WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS", "9", one(func(o *plan.Options) { o.Run.ReconcileTimeout = 9 * time.Second })},
		{"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT", "0", one(func(o *plan.Options) { o.DisableSkipMissingExplicit = true })},
		{"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT", "1", zero},
		{"WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND", "no", one(func(o *plan.Options) { o.DisableSkipInvalidAuto = true })},
		{"WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS", "FALSE", one(func(o *plan.Options) { o.DisableNonBlockingAuto = true })},
		{"WORKER_VERIFY_INLINE_COMMAND_RECOVERY", "off", one(func(o *plan.Options) { o.DisableInlineRecovery = true })},
		{"WORKER_VERIFY_INLINE_COMMAND_RECOVERY", "On", zero},
		{"WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES", "8", one(func(o *plan.Options) { o.InlineCandidates = 8 })},
		{"WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES", "1", one(func(o *plan.Options) { o.InlineCandidates = 1 })},
		{"WORKER_VERIFY_LLM_INLINE_RECOVERY", "false", one(func(o *plan.Options) { o.DisableInlineFix = true })},
		{"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS", "0", one(func(o *plan.Options) { o.InlineFixAttempts = -1 })},
		{"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS", "7", one(func(o *plan.Options) { o.InlineFixAttempts = 7 })},
		{"WORKER_VERIFY_RECOVERY_ATTEMPTS", "0", one(func(o *plan.Options) { o.RecoveryAttempts = -1 })},
		{"WORKER_VERIFY_RECOVERY_ATTEMPTS", "2", one(func(o *plan.Options) { o.RecoveryAttempts = 2 })},
		{"WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT", "no", one(func(o *plan.Options) { o.DisableExplicitRecovery = true })},
		{"WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT", "true", zero},
		{"WORKER_SETUP_IN_PROCESS_RECOVERY", "0", one(func(o *plan.Options) { o.DisableSetupRecovery = true })},
		{"WORKER_NO_CHANGE_RECOVERY_ATTEMPTS", "3", one(func(o *plan.Options) { o.NoChangeAttempts = 3 })},
		{"WORKER_NO_CHANGE_RECOVERY_ATTEMPTS", "0", one(func(o *plan.Options) { o.NoChangeAttempts = -1 })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", "off", one(func(o *plan.Options) { o.DisableNoChangeConfirm = true })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", "Strict", one(func(o *plan.Options) { o.DisableNoChangeConfirm = true })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", "false", one(func(o *plan.Options) { o.DisableNoChangeConfirm = true })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", "disabled", one(func(o *plan.Options) { o.DisableNoChangeConfirm = true })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", " none", one(func(o *plan.Options) { o.DisableNoChangeConfirm = true })},
		{"WORKER_NO_CHANGE_CONFIRM_MODE", "verify", zero},
		{"FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD", "2", one(func(o *plan.Options) { o.RepeatedSignatureThreshold = 2 })},
		{"FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD", "10", one(func(o *plan.Options) { o.RepeatedSignatureThreshold = 10 })},
		{"SOMETHING_ELSE", "x", zero},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			got, err := options(t, map[string]string{c.name: c.value})
			require.NoError(t, err)
			if c.value == " Safety " || c.want.Run.Mode != "" || c.want.Author.Mode != "" {
				assert.Equal(t, c.want.Run.Mode, got.Run.Mode)
				assert.Equal(t, c.want.Author.Mode, got.Author.Mode)
				return
			}
			assert.Equal(t, c.want, *got)
		})
	}
}

var optionVariables = []string{
	"PLANNER_VERIFY_COMMAND_MODE", "WORKER_AUTO_VERIFY_MODE", "PLANNER_VERIFY_CONTRACT_PATH", "WORKER_VERIFY_CONTRACT_PATH",
	"PLANNER_VERIFY_MAX_COMMANDS", "WORKER_AUTO_VERIFY_MAX_COMMANDS", "PLANNER_VERIFY_PLAN_TIMEOUT_SECONDS", "WORKER_VERIFY_PLAN_TIMEOUT_SECONDS",
	"PLANNER_VERIFY_AUGMENT_NONEMPTY", "WORKER_VERIFY_PLAN_PARSE_RETRIES", "WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS",
	"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT", "WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND", "WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS",
	"WORKER_VERIFY_INLINE_COMMAND_RECOVERY", "WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES", "WORKER_VERIFY_LLM_INLINE_RECOVERY",
	"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS", "WORKER_VERIFY_RECOVERY_ATTEMPTS", "WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT",
	"WORKER_SETUP_IN_PROCESS_RECOVERY", "WORKER_NO_CHANGE_RECOVERY_ATTEMPTS", "WORKER_NO_CHANGE_CONFIRM_MODE", "FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD",
}

func TestHeldoutOptionsBlank(t *testing.T) {
	for _, name := range optionVariables {
		t.Run(name, func(t *testing.T) {
			for _, v := range []string{"", " \t"} {
				got, err := options(t, map[string]string{name: v})
				require.NoError(t, err)
				assert.Equal(t, plan.Options{}, *got)
			}
		})
	}
}

func TestHeldoutOptionsRefused(t *testing.T) {
	counts := []string{"-1", "1.5", "x", "1s", "0x2", "1e3", "1 2", "99999999999999999999"}
	bools := []string{"2", "y", "n", "enabled", "t", "yes please"}
	for name, values := range map[string][]string{
		"PLANNER_VERIFY_COMMAND_MODE":                         {"on", "1", "all"},
		"WORKER_AUTO_VERIFY_MODE":                             {"none", "hybrid2"},
		"PLANNER_VERIFY_CONTRACT_PATH":                        {"../x", "/etc/x", "a/../../b"},
		"WORKER_VERIFY_CONTRACT_PATH":                         {"..", "/x"},
		"PLANNER_VERIFY_MAX_COMMANDS":                         append([]string{"0"}, counts...),
		"WORKER_AUTO_VERIFY_MAX_COMMANDS":                     append([]string{"0"}, counts...),
		"PLANNER_VERIFY_PLAN_TIMEOUT_SECONDS":                 append([]string{"0"}, counts...),
		"WORKER_VERIFY_PLAN_TIMEOUT_SECONDS":                  append([]string{"0"}, counts...),
		"PLANNER_VERIFY_AUGMENT_NONEMPTY":                     bools,
		"WORKER_VERIFY_PLAN_PARSE_RETRIES":                    counts,
		"WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS":             counts,
		"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT":          bools,
		"WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND":             bools,
		"WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS": bools,
		"WORKER_VERIFY_INLINE_COMMAND_RECOVERY":               bools,
		"WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES":    append([]string{"0", "9"}, counts...),
		"WORKER_VERIFY_LLM_INLINE_RECOVERY":                   bools,
		"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS":          counts,
		"WORKER_VERIFY_RECOVERY_ATTEMPTS":                     counts,
		"WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT":               bools,
		"WORKER_SETUP_IN_PROCESS_RECOVERY":                    bools,
		"WORKER_NO_CHANGE_RECOVERY_ATTEMPTS":                  counts,
		"WORKER_NO_CHANGE_CONFIRM_MODE":                       {"maybe", "2", "skip"},
		"FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD":            append([]string{"0", "1"}, counts...),
	} {
		for _, v := range values {
			t.Run(name+"="+v, func(t *testing.T) {
				got, err := options(t, map[string]string{name: v})
				assert.Nil(t, got)
				var e *plan.OptionError
				require.ErrorAs(t, err, &e)
				assert.Equal(t, name, e.Name)
				assert.Equal(t, v, e.Value)
				assert.NotEmpty(t, e.Reason)
				assert.Contains(t, err.Error(), name)
			})
		}
	}
}

func TestHeldoutOptionsJoined(t *testing.T) {
	env := map[string]string{}
	for _, name := range optionVariables {
		env[name] = "/?!"
	}
	_, err := options(t, env)
	require.Error(t, err)
	for _, name := range optionVariables {
		assert.Contains(t, err.Error(), name)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok)
	assert.Len(t, joined.Unwrap(), len(optionVariables))
}

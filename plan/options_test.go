package plan_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/plan"
)

func TestParseMode(t *testing.T) {
	for word, want := range map[string]plan.Mode{
		"": plan.ModeHybrid, "  ": plan.ModeHybrid, "hybrid": plan.ModeHybrid, " Hybrid\n": plan.ModeHybrid,
		"off": plan.ModeOff, "OFF": plan.ModeOff, "disabled": plan.ModeOff, " DISABLED ": plan.ModeOff,
		"fallback": plan.ModeFallback, "safety": plan.ModeFallback, "Safety": plan.ModeFallback,
		"contract": plan.ModeContract, "llm": plan.ModeLLM, "LLM": plan.ModeLLM,
	} {
		got, err := plan.ParseMode(word)
		require.NoError(t, err, word)
		assert.Equal(t, want, got, word)
	}
	for _, word := range []string{"on", "none", "hybrid!", "contract,llm", "true", "false", "0", "model", "auto", "fall back", "disable"} {
		_, err := plan.ParseMode(word)
		var fault *plan.OptionError
		require.ErrorAs(t, err, &fault, word)
		assert.Equal(t, word, fault.Value)
	}
}

// fromEnv reads options from one variable.
func fromEnv(name, value string) (*plan.Options, error) {
	return plan.OptionsFromEnv(func(n string) (string, bool) { return value, n == name })
}

func author(s plan.StageOptions) plan.Options { return plan.Options{Author: s} }
func atRun(s plan.StageOptions) plan.Options  { return plan.Options{Run: s} }

// readings are what values of each variable mean.
var readings = map[string]map[string]plan.Options{
	"PLANNER_VERIFY_COMMAND_MODE":                         {"off": author(plan.StageOptions{Mode: plan.ModeOff}), " LLM ": author(plan.StageOptions{Mode: plan.ModeLLM})},
	"WORKER_AUTO_VERIFY_MODE":                             {"safety": atRun(plan.StageOptions{Mode: plan.ModeFallback})},
	"PLANNER_VERIFY_CONTRACT_PATH":                        {"ci/v.json": author(plan.StageOptions{ContractPath: "ci/v.json"}), "a/../b": author(plan.StageOptions{ContractPath: "a/../b"})},
	"WORKER_VERIFY_CONTRACT_PATH":                         {"v.json": atRun(plan.StageOptions{ContractPath: "v.json"})},
	"PLANNER_VERIFY_MAX_COMMANDS":                         {"1": author(plan.StageOptions{MaxCommands: 1}), " 12 ": author(plan.StageOptions{MaxCommands: 12})},
	"WORKER_AUTO_VERIFY_MAX_COMMANDS":                     {"007": atRun(plan.StageOptions{MaxCommands: 7})},
	"PLANNER_VERIFY_PLAN_TIMEOUT_SECONDS":                 {"30": author(plan.StageOptions{ProposeTimeout: 30 * time.Second})},
	"WORKER_VERIFY_PLAN_TIMEOUT_SECONDS":                  {"1": atRun(plan.StageOptions{ProposeTimeout: time.Second})},
	"PLANNER_VERIFY_AUGMENT_NONEMPTY":                     {"yes": author(plan.StageOptions{AugmentNonempty: true}), "0": {}, "OFF": {}},
	"WORKER_VERIFY_PLAN_PARSE_RETRIES":                    {"0": atRun(plan.StageOptions{ParseRetries: -1}), "5": atRun(plan.StageOptions{ParseRetries: 5})},
	"WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS":             {"0": atRun(plan.StageOptions{ReconcileTimeout: -time.Second}), "9": atRun(plan.StageOptions{ReconcileTimeout: 9 * time.Second})},
	"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT":          {"false": {DisableSkipMissingExplicit: true}, "no": {DisableSkipMissingExplicit: true}, "true": {}, "1": {}},
	"WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND":             {"off": {DisableSkipInvalidAuto: true}, "on": {}},
	"WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS": {"false": {DisableNonBlockingAuto: true}, "true": {}},
	"WORKER_VERIFY_INLINE_COMMAND_RECOVERY":               {"0": {DisableInlineRecovery: true}, "Yes": {}},
	"WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES":    {"1": {InlineCandidates: 1}, "8": {InlineCandidates: 8}},
	"WORKER_VERIFY_LLM_INLINE_RECOVERY":                   {"false": {DisableInlineFix: true}, "true": {}},
	"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS":          {"0": {InlineFixAttempts: -1}, "2": {InlineFixAttempts: 2}},
	"WORKER_VERIFY_RECOVERY_ATTEMPTS":                     {"0": {RecoveryAttempts: -1}, "7": {RecoveryAttempts: 7}},
	"WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT":               {"false": {DisableExplicitRecovery: true}, "true": {}},
	"WORKER_SETUP_IN_PROCESS_RECOVERY":                    {"false": {DisableSetupRecovery: true}, "true": {}},
	"WORKER_NO_CHANGE_RECOVERY_ATTEMPTS":                  {"0": {NoChangeAttempts: -1}, "1": {NoChangeAttempts: 1}},
	"WORKER_NO_CHANGE_CONFIRM_MODE": {
		"verify": {}, "Verify": {}, "off": {DisableNoChangeConfirm: true}, "false": {DisableNoChangeConfirm: true}, "STRICT": {DisableNoChangeConfirm: true},
		"disabled": {DisableNoChangeConfirm: true}, "none": {DisableNoChangeConfirm: true},
	},
	"FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD": {"2": {RepeatedSignatureThreshold: 2}, "10": {RepeatedSignatureThreshold: 10}},
}

func TestOptionsFromEnv(t *testing.T) {
	for name, values := range readings {
		for value, want := range values {
			got, err := fromEnv(name, value)
			require.NoError(t, err, "%s=%q", name, value)
			assert.Equal(t, &want, got, "%s=%q", name, value)
		}
		for _, blank := range []string{"", " ", "\t\n"} {
			got, err := fromEnv(name, blank)
			require.NoError(t, err, "%s=%q", name, blank)
			assert.Equal(t, &plan.Options{}, got, "%s=%q", name, blank)
		}
	}
}

func TestOptionsFromEnvRefuses(t *testing.T) {
	counts := []string{"-1", "1.5", "x", "1e3", "+4", "0x4", "1 2", "4s", "1_000", "٣", "99999999999999999999", "9223372036854775807"}
	fromOne := append([]string{"0", "00"}, counts...)
	switches := []string{"2", "maybe", "t", "y", "n", "enabled", "yes please", "-"}
	refused := map[string][]string{
		"PLANNER_VERIFY_COMMAND_MODE":                         {"auto", "true"},
		"WORKER_AUTO_VERIFY_MODE":                             {"none"},
		"PLANNER_VERIFY_CONTRACT_PATH":                        {"/etc/x.json", "../x", "a/../../x", `C:\x`, `\\host\x`, ".", "..", "a/.."},
		"WORKER_VERIFY_CONTRACT_PATH":                         {"/x", `..\x`},
		"PLANNER_VERIFY_MAX_COMMANDS":                         fromOne,
		"WORKER_AUTO_VERIFY_MAX_COMMANDS":                     fromOne,
		"PLANNER_VERIFY_PLAN_TIMEOUT_SECONDS":                 fromOne,
		"WORKER_VERIFY_PLAN_TIMEOUT_SECONDS":                  fromOne,
		"PLANNER_VERIFY_AUGMENT_NONEMPTY":                     switches,
		"WORKER_VERIFY_PLAN_PARSE_RETRIES":                    counts,
		"WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS":             counts,
		"WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT":          switches,
		"WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND":             switches,
		"WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS": switches,
		"WORKER_VERIFY_INLINE_COMMAND_RECOVERY":               switches,
		"WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES":    append([]string{"9"}, fromOne...),
		"WORKER_VERIFY_LLM_INLINE_RECOVERY":                   switches,
		"WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS":          counts,
		"WORKER_VERIFY_RECOVERY_ATTEMPTS":                     counts,
		"WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT":               switches,
		"WORKER_SETUP_IN_PROCESS_RECOVERY":                    switches,
		"WORKER_NO_CHANGE_RECOVERY_ATTEMPTS":                  counts,
		"WORKER_NO_CHANGE_CONFIRM_MODE":                       {"true", "on", "0", "verified"},
		"FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD":            append([]string{"1"}, fromOne...),
	}
	assert.Len(t, refused, len(readings))
	for name, values := range refused {
		for _, value := range values {
			got, err := fromEnv(name, value)
			assert.Nil(t, got, "%s=%q", name, value)
			var fault *plan.OptionError
			require.ErrorAs(t, err, &fault, "%s=%q", name, value)
			assert.Equal(t, name, fault.Name)
			assert.Equal(t, value, fault.Value)
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

func TestOptionsFromEnvJoinsAllFaults(t *testing.T) {
	got, err := plan.OptionsFromEnv(func(n string) (string, bool) { _, ok := readings[n]; return "/?!", ok })
	assert.Nil(t, got)
	var joined interface{ Unwrap() []error }
	require.True(t, errors.As(err, &joined))
	var names []string
	for _, e := range joined.Unwrap() {
		var fault *plan.OptionError
		require.ErrorAs(t, e, &fault)
		names = append(names, fault.Name)
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(readings)), names)
	assert.Len(t, strings.Split(err.Error(), "\n"), len(readings))
}

func TestOptionsFromEnvWithoutAny(t *testing.T) {
	got, err := plan.OptionsFromEnv(nil)
	require.NoError(t, err)
	assert.Equal(t, &plan.Options{}, got)
}

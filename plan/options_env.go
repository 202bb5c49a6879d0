package plan

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// OptionsFromEnv returns the options that environment variables ask for. lookup
// is [os.LookupEnv], or the same for a map; nil finds nothing. A variable that is
// blank counts as not set, and one that is not set leaves its field zero.
//
// A count of 0 means none, where that can be, and becomes a negative field. What
// cannot be read is an error that joins an [*OptionError] for each such variable,
// in the order in which they are documented; then there are no options.
func OptionsFromEnv(lookup func(name string) (string, bool)) (*Options, error) {
	o := &Options{}
	r := envReader{lookup: lookup}
	r.stage("PLANNER", &o.Author)
	r.stage("WORKER", &o.Run)
	r.yes("PLANNER_VERIFY_AUGMENT_NONEMPTY", &o.Author.AugmentNonempty)
	r.count("WORKER_VERIFY_PLAN_PARSE_RETRIES", &o.Run.ParseRetries, 0, math.MaxInt32)
	r.seconds("WORKER_VERIFY_RECONCILE_TIMEOUT_SECONDS", &o.Run.ReconcileTimeout, 0)
	r.no("WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT", &o.DisableSkipMissingExplicit)
	r.no("WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND", &o.DisableSkipInvalidAuto)
	r.no("WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS", &o.DisableNonBlockingAuto)
	r.no("WORKER_VERIFY_INLINE_COMMAND_RECOVERY", &o.DisableInlineRecovery)
	r.count("WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES", &o.InlineCandidates, 1, maxCandidates)
	r.no("WORKER_VERIFY_LLM_INLINE_RECOVERY", &o.DisableInlineFix)
	r.count("WORKER_VERIFY_LLM_INLINE_RECOVERY_ATTEMPTS", &o.InlineFixAttempts, 0, math.MaxInt32)
	r.count("WORKER_VERIFY_RECOVERY_ATTEMPTS", &o.RecoveryAttempts, 0, math.MaxInt32)
	r.no("WORKER_VERIFY_RECOVERY_ALLOW_EXPLICIT", &o.DisableExplicitRecovery)
	r.no("WORKER_SETUP_IN_PROCESS_RECOVERY", &o.DisableSetupRecovery)
	r.count("WORKER_NO_CHANGE_RECOVERY_ATTEMPTS", &o.NoChangeAttempts, 0, math.MaxInt32)
	r.confirm("WORKER_NO_CHANGE_CONFIRM_MODE", &o.DisableNoChangeConfirm)
	r.count("FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD", &o.RepeatedSignatureThreshold, 2, math.MaxInt32)
	if len(r.faults) > 0 {
		return nil, errors.Join(r.faults...)
	}
	return o, nil
}

// envReader reads variables into fields, and keeps what cannot be read.
type envReader struct {
	lookup func(name string) (string, bool)
	faults []error
}

// stage reads the variables that both stages have, under different names.
func (r *envReader) stage(prefix string, s *StageOptions) {
	mode, most, path := prefix+"_VERIFY_COMMAND_MODE", prefix+"_VERIFY_MAX_COMMANDS", prefix+"_VERIFY_CONTRACT_PATH"
	if prefix == "WORKER" {
		mode, most = "WORKER_AUTO_VERIFY_MODE", "WORKER_AUTO_VERIFY_MAX_COMMANDS"
	}
	if value, ok := r.value(mode); ok {
		m, err := ParseMode(value)
		if err != nil {
			r.fault(mode, value, err.(*OptionError).Reason)
		}
		s.Mode = m
	}
	if value, ok := r.value(path); ok {
		if err := checkTreePath(path, value); err != nil {
			r.faults = append(r.faults, err)
		}
		s.ContractPath = value
	}
	r.count(most, &s.MaxCommands, 1, math.MaxInt32)
	r.seconds(prefix+"_VERIFY_PLAN_TIMEOUT_SECONDS", &s.ProposeTimeout, 1)
}

// value returns a variable's value without the blanks round it, and whether there
// is anything else.
func (r *envReader) value(name string) (string, bool) {
	if r.lookup == nil {
		return "", false
	}
	value, ok := r.lookup(name)
	value = strings.TrimSpace(value)
	return value, ok && value != ""
}

func (r *envReader) fault(name, value, reason string) {
	r.faults = append(r.faults, &OptionError{Name: name, Value: value, Reason: reason})
}

// count reads a whole number from least to most. The least being 0, 0 means none.
func (r *envReader) count(name string, field *int, least, most int) {
	value, ok := r.value(name)
	if !ok {
		return
	}
	n, err := strconv.Atoi(value)
	switch {
	case err != nil || strings.Trim(value, "0123456789") != "" || n < least || n > most:
		reason := fmt.Sprintf("it is a whole number from %d on", least)
		if most != math.MaxInt32 {
			reason = fmt.Sprintf("it is a whole number from %d to %d", least, most)
		}
		r.fault(name, value, reason)
	case n == 0:
		*field = -1
	default:
		*field = n
	}
}

// seconds reads a whole number of seconds, the least being 0 or 1.
func (r *envReader) seconds(name string, field *time.Duration, least int) {
	var n int
	r.count(name, &n, least, math.MaxInt32)
	*field = time.Duration(n) * time.Second
}

// yes reads a switch that is off by default.
func (r *envReader) yes(name string, field *bool) {
	value, ok := r.value(name)
	if !ok {
		return
	}
	switch strings.ToLower(value) {
	case "true", "1", "on", "yes":
		*field = true
	case "false", "0", "off", "no":
		*field = false
	default:
		r.fault(name, value, "it is true, 1, on, yes, false, 0, off or no")
	}
}

// no reads a switch that is on by default, into the field that turns it off.
func (r *envReader) no(name string, field *bool) {
	on := !*field
	r.yes(name, &on)
	*field = !on
}

// confirm reads what is done where nothing changed.
func (r *envReader) confirm(name string, disabled *bool) {
	value, ok := r.value(name)
	if !ok {
		return
	}
	switch strings.ToLower(value) {
	case "verify":
		*disabled = false
	case "off", "false", "strict", "disabled", "none":
		*disabled = true
	default:
		r.fault(name, value, "it is verify, off, false, strict, disabled or none")
	}
}

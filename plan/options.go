package plan

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// Mode says what [Build] may add to the commands that an author asked for.
type Mode string

// Modes.
const (
	ModeOff      Mode = "off"      // nothing
	ModeFallback Mode = "fallback" // what the contract demands; a model only where the author asked for nothing that can run
	ModeContract Mode = "contract" // what the contract demands
	ModeLLM      Mode = "llm"      // what a model proposes
	ModeHybrid   Mode = "hybrid"   // both
)

// ParseMode returns the mode that a word means, in whatever case, blanks round it
// aside: the mode's own name, "" for hybrid, "disabled" for off, "safety" for
// fallback. The error for any other is an [*OptionError].
func ParseMode(s string) (Mode, error) {
	switch m := Mode(strings.ToLower(strings.TrimSpace(s))); m {
	case ModeOff, ModeFallback, ModeContract, ModeLLM, ModeHybrid:
		return m, nil
	case "":
		return ModeHybrid, nil
	case "disabled":
		return ModeOff, nil
	case "safety":
		return ModeFallback, nil
	}
	return "", &OptionError{Name: "mode", Value: s, Reason: "it is off, fallback, contract, llm or hybrid"}
}

// StageOptions says how plans are built at one stage. A zero field means its
// default; a negative count means none.
type StageOptions struct {
	Mode             Mode          // "" means hybrid
	ContractPath     string        // inside the tree, for [LoadContract]; "" means DefaultContractPath
	MaxCommands      int           // how many entries [Build] may add; 0 means 4
	ProposeTimeout   time.Duration // of one question to the model; 0 means 120 seconds
	ParseRetries     int           // how often a malformed answer of the model goes back; 0 means 2
	ReconcileTimeout time.Duration // of the last question, which shows what was malformed; 0 means 180 seconds, negative that it is not put
	AugmentNonempty  bool          // StageAuthor adds what the contract demands to a list that is not empty, too
}

// Options configures [Build] and [Run]. nil and the zero value are every default.
// A zero field means its default, and a negative count means none.
type Options struct {
	Author, Run StageOptions

	DisableSkipMissingExplicit bool // an explicit entry is never skipped, and never ignored
	DisableSkipInvalidAuto     bool // an auto entry is never skipped, and never ignored
	DisableNonBlockingAuto     bool // the failure of an auto entry counts although an explicit one passed

	DisableInlineRecovery   bool // no single-package form, no install, no replacement is run
	InlineCandidates        int  // how many installs and replacements are run for one entry; 0 means 3, at most 8
	DisableInlineFix        bool // Fix is not called before an entry has failed for good
	InlineFixAttempts       int  // calls of Fix for one entry; 0 means 3
	RecoveryAttempts        int  // calls of Fix for one run, each with a whole pass behind it; 0 means 5
	DisableExplicitRecovery bool // not for an explicit entry that failed
	DisableSetupRecovery    bool // what is not installed never reaches Fix

	NoChangeAttempts       int  // calls of Fix for a tree without changes; 0 means 5
	DisableNoChangeConfirm bool // a tree without changes is never verified as it is
	AllowNoChanges         bool // a tree without changes is verified like any other

	// RepeatedSignatureThreshold is how often the same failure may be seen in one run
	// until Fix is not asked again; 0 means 4. Give it to [RetryPolicy] too.
	RepeatedSignatureThreshold int

	CommandTimeout time.Duration // of each part of an entry; 0 means 5 minutes

	// Policy says what may run and which files may change; nil permits all.
	Policy Policy

	// Propose returns entries that a model adds, see [ProposeWith]; nil means that no
	// model is asked.
	Propose func(ctx context.Context, req ProposeRequest) ([]string, error)

	// Fix changes the tree so that a failing entry passes, see [FixWith]. An error
	// says that it could not. nil means that nobody is asked.
	Fix func(ctx context.Context, req FixRequest) error

	// OnOutcome is told each outcome of each pass, in order, by the goroutine of Run.
	OnOutcome func(Outcome)

	Sanitizer *mend.Sanitizer  // of what is kept of an output; nil means mend.NewSanitizer(nil)
	Profile   *command.Profile // what the lint knows of the machine; nil means nothing
}

// Defaults of Options and StageOptions.
const (
	defaultMaxCommands       = 4
	defaultProposeTimeout    = 120 * time.Second
	defaultParseRetries      = 2
	defaultReconcileTimeout  = 180 * time.Second
	defaultCandidates        = 3
	defaultInlineFixAttempts = 3
	defaultRecoveryAttempts  = 5
	defaultNoChangeAttempts  = 5
	defaultRepeatedThreshold = 4
	defaultCommandTimeout    = 5 * time.Minute

	// maxCandidates bounds what is run in place of one entry, whatever was asked for.
	maxCandidates = 8
)

// count returns what a count of Options means: its default for 0, none below.
func count(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return max(n, 0)
}

// limitOf returns what a time of Options means. There is no time limit of nothing,
// so a negative one is the default too.
func limitOf(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}

// orDefault returns options that can be read.
func (o *Options) orDefault() *Options {
	if o == nil {
		return &Options{}
	}
	return o
}

func (o *Options) inlineFixAttempts() int {
	if o.DisableInlineFix || o.Fix == nil {
		return 0
	}
	return count(o.InlineFixAttempts, defaultInlineFixAttempts)
}

func (o *Options) recoveryAttempts() int {
	if o.Fix == nil {
		return 0
	}
	return count(o.RecoveryAttempts, defaultRecoveryAttempts)
}

func (o *Options) noChangeAttempts() int {
	if o.Fix == nil {
		return 0
	}
	return count(o.NoChangeAttempts, defaultNoChangeAttempts)
}

func (o *Options) candidates() int {
	if o.DisableInlineRecovery {
		return 0
	}
	return min(count(o.InlineCandidates, defaultCandidates), maxCandidates)
}

// at returns the options of a stage.
func (o *Options) at(s Stage) StageOptions {
	if s == StageAuthor {
		return o.Author
	}
	return o.Run
}

// check returns an [*OptionError] for what in the options of a stage is none.
func (s StageOptions) check(stage Stage) error {
	if _, err := ParseMode(string(s.Mode)); err != nil {
		return &OptionError{Name: string(stage) + " mode", Value: string(s.Mode), Reason: err.(*OptionError).Reason}
	}
	return checkTreePath(string(stage)+" contract path", s.ContractPath)
}

// checkTreePath returns an [*OptionError] for a path that does not name a file
// inside the tree. "" is the default one.
func checkTreePath(name, value string) error {
	if value == "" {
		return nil
	}
	slashed := strings.ReplaceAll(value, `\`, "/")
	clean := path.Clean(slashed)
	if clean == "." || clean == ".." || strings.HasPrefix(clean, "../") || path.IsAbs(clean) || hasDrive(slashed) || strings.ContainsRune(value, 0) {
		return &OptionError{Name: name, Value: value, Reason: "it is the path of a file inside the tree"}
	}
	return nil
}

// checkStage returns an [*OptionError] for a stage that is none.
func checkStage(s Stage) error {
	switch s {
	case "", StageRun, StageAuthor:
		return nil
	}
	return &OptionError{Name: "stage", Value: string(s), Reason: fmt.Sprintf("it is %s or %s", StageRun, StageAuthor)}
}

package mend

// Recipe is an install recipe: how to install one tool and how to verify that
// the install works. A Recipe from [ParseRecipe] remembers its bytes.
type Recipe struct {
	Metadata Metadata
	Steps    []Step
	Verify   *VerifySection // nil if the recipe has no [verify], which is legal

	raw []byte // as parsed; nil for a recipe composed in Go
}

// Metadata says what is installed. Keys it does not name stay in the recipe's
// bytes.
type Metadata struct {
	Name          string
	Description   string
	Homepage      string
	VersionFormat string // used by a verify section that names no format of its own
}

// Step is one action of the install, with its parameters as TOML gave them.
type Step struct {
	Action string
	Params map[string]any // all keys but "action"; nil if there is none
}

// VerifySection is the check that tells a working install from a broken one.
// The zero value of each field is its default, and is not written out.
type VerifySection struct {
	Command       string   // one line; {version} and {install_dir} are expanded after splitting
	Pattern       string   // literal text that the output must hold; "" asks for nothing
	Patterns      []string // more of them, all of which must be there
	Mode          string   // ModeVersion or ModeOutput; "" is ModeVersion
	VersionFormat string   // raw, strip_v, semver or semver_full; "" is raw
	Reason        string   // why the mode is not version; for people
	ExitCode      *int     // the exit code expected; nil means 0
	Additional    []AdditionalVerify
}

// AdditionalVerify is a further check that runs after the primary one. Its exit
// code has to be 0.
type AdditionalVerify struct {
	Command string
	Pattern string
}

// What a verify section's Mode may say.
const (
	ModeVersion = "version" // the check shows the version
	ModeOutput  = "output"  // the check shows other text, and Reason says why
)

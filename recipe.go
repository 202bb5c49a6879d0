package mend

import "slices"

// Recipe is an install recipe: how to install one tool and how to verify that
// the install works.
//
// A Recipe from [ParseRecipe] remembers its bytes, and [Recipe.Bytes] changes
// nothing in them but the verify section: what a caller does to its Metadata and
// Steps is not written. A Recipe composed in Go, or copied field by field, is
// written anew from all three fields. The methods may be called concurrently
// while nobody changes the fields.
type Recipe struct {
	Metadata Metadata
	Steps    []Step
	Verify   *VerifySection // nil if the recipe has no [verify], which is legal

	raw    []byte         // as parsed, and never changed; nil for a recipe composed in Go
	parsed *VerifySection // what raw says; shares nothing with Verify
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

	// Params holds all keys but "action"; it is nil if there is none. A value is a
	// string, int64, float64, bool, time.Time, []any or map[string]any; an array of
	// tables is an []any of maps however it was written.
	Params map[string]any
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
	ExitCode      *int     // the exit code expected, 0 to 255; nil means 0
	Additional    []AdditionalVerify
}

// AdditionalVerify is a further check that runs after the primary one. Its exit
// code has to be 0.
type AdditionalVerify struct {
	Command string
	Pattern string
}

// What a verify section's Mode may say. Recipes with other words are read and
// kept.
const (
	ModeVersion = "version" // the check shows the version
	ModeOutput  = "output"  // the check shows other text, and Reason says why
)

// WithVerify returns a copy of r whose verify section is v. The copy shares
// nothing with r or v that a caller could change through it.
func (r *Recipe) WithVerify(v VerifySection) *Recipe {
	steps := slices.Clone(r.Steps)
	for i := range steps {
		if steps[i].Params != nil {
			steps[i].Params = cloneParam(steps[i].Params).(map[string]any)
		}
	}
	return &Recipe{
		Metadata: r.Metadata,
		Steps:    steps,
		Verify:   v.clone(),
		raw:      r.raw,
		parsed:   r.parsed,
	}
}

func (v VerifySection) clone() *VerifySection {
	v.Patterns = slices.Clone(v.Patterns)
	v.Additional = slices.Clone(v.Additional)
	if v.ExitCode != nil {
		code := *v.ExitCode
		v.ExitCode = &code
	}
	return &v
}

// cloneParam returns v with its arrays and tables copied, so far as they are of
// the types that a parsed Step holds.
func cloneParam(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[key] = cloneParam(value)
		}
		return m
	case []any:
		a := make([]any, len(v))
		for i, value := range v {
			a[i] = cloneParam(value)
		}
		return a
	default:
		return v
	}
}

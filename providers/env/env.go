// Package env makes providers of what the environment holds, for programs whose users
// set keys there. Programs with a configuration of their own use the packages beside
// it.
package env

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/anthropic"
	"github.com/mendkit/mend/providers/gemini"
	"github.com/mendkit/mend/providers/openai"
)

// ProviderVariable names the providers to use, in order, separated by commas: those
// and no other. A last * stands for all that are not named: "gemini" asks Gemini
// alone, "gemini,*" asks it first.
const ProviderVariable = "MEND_PROVIDER"

// Options say how the providers are made. The zero value reads everything from the
// process's environment.
type Options struct {
	// Models are the models by provider: "anthropic", "gemini", "openai". Where one is
	// missing, it is taken from MEND_ANTHROPIC_MODEL, MEND_GEMINI_MODEL or
	// MEND_OPENAI_MODEL. No model is chosen where nobody names one.
	Models map[string]string

	MaxTokens  int           // as in the options of each provider
	Timeout    time.Duration // the same
	HTTPClient *http.Client  // the same

	Lookup func(name string) (value string, ok bool) // nil means os.LookupEnv
}

// source is where a provider comes from.
type source struct {
	name  string
	keys  []string // variables, the first that is set counts
	model string   // variable
	build func(o Options, key, model string) (mend.Provider, error)
}

// sources are the providers in the order of preference, which is the alphabet's.
var sources = []source{
	{"anthropic", []string{"ANTHROPIC_API_KEY"}, "MEND_ANTHROPIC_MODEL", func(o Options, key, model string) (mend.Provider, error) {
		return anthropic.New(anthropic.Options{
			Model: model, APIKey: key, MaxTokens: o.MaxTokens, Timeout: o.Timeout, HTTPClient: o.HTTPClient,
		})
	}},
	{"gemini", []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, "MEND_GEMINI_MODEL", func(o Options, key, model string) (mend.Provider, error) {
		return gemini.New(gemini.Options{
			Model: model, APIKey: key, MaxTokens: o.MaxTokens, Timeout: o.Timeout, HTTPClient: o.HTTPClient,
		})
	}},
	{"openai", []string{"OPENAI_API_KEY"}, "MEND_OPENAI_MODEL", func(o Options, key, model string) (mend.Provider, error) {
		return openai.New(openai.Options{
			Model: model, APIKey: key, MaxTokens: o.MaxTokens, Timeout: o.Timeout, HTTPClient: o.HTTPClient,
		})
	}},
}

// MissingError reports that a provider that was asked for, or every one, lacks a key
// or a model.
type MissingError struct {
	// Missing is what to set, for each provider that could be used: variables joined
	// by " and ".
	Missing []string
}

// Error says what to set.
func (e *MissingError) Error() string {
	return "no language model: set " + strings.Join(e.Missing, ", or ")
}

// FromEnv returns the providers that have a key and a model, in order of preference;
// there is at least one. A provider that [ProviderVariable] names has to have both.
// The error is a *MissingError if something is not set.
func FromEnv(opts Options) ([]mend.Provider, error) {
	if opts.Lookup == nil {
		opts.Lookup = os.LookupEnv
	}
	wanted, named, err := opts.wanted()
	if err != nil {
		return nil, err
	}
	var (
		providers []mend.Provider
		missing   []string
	)
	for i, s := range wanted {
		key, model := opts.first(s.keys...), cmp.Or(opts.Models[s.name], opts.first(s.model))
		if lacks := s.lacks(key, model); lacks != "" {
			if i < named {
				return nil, &MissingError{Missing: []string{lacks}}
			}
			missing = append(missing, lacks)
			continue
		}
		p, err := s.build(opts, key, model)
		if err != nil {
			return nil, err
		}
		providers = append(providers, p)
	}
	if len(providers) == 0 {
		return nil, &MissingError{Missing: missing}
	}
	return providers, nil
}

// wanted returns the sources to try, in order; the first of them are named.
func (o Options) wanted() (wanted []source, named int, err error) {
	value := cmp.Or(o.first(ProviderVariable), "*")
	for name := range strings.SplitSeq(value, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "*" {
			named = len(wanted)
			for _, s := range sources {
				wanted = appendNew(wanted, s)
			}
			return wanted, named, nil
		}
		i := slices.IndexFunc(sources, func(s source) bool { return s.name == name })
		if i < 0 {
			return nil, 0, fmt.Errorf("%s names %q, which is none of anthropic, gemini, openai and *", ProviderVariable, name)
		}
		wanted = appendNew(wanted, sources[i])
	}
	return wanted, len(wanted), nil
}

func appendNew(list []source, s source) []source {
	if slices.ContainsFunc(list, func(t source) bool { return t.name == s.name }) {
		return list
	}
	return append(list, s)
}

// lacks returns the variables that are missing.
func (s source) lacks(key, model string) string {
	var names []string
	if key == "" {
		names = append(names, s.keys[len(s.keys)-1])
	}
	if model == "" {
		names = append(names, s.model)
	}
	return strings.Join(names, " and ")
}

// first returns the first of the variables that is set and not blank.
func (o Options) first(names ...string) string {
	for _, name := range names {
		if value, ok := o.Lookup(name); ok && strings.TrimSpace(value) != "" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

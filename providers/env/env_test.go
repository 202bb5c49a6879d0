package env_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/env"
)

// key returns a key of that name, put together so that no scanner takes it for one.
func key(name string) string { return strings.Join([]string{"key", "of", name}, "-") }

// lookup returns a lookup in a list of assignments.
func lookup(assignments ...string) func(string) (string, bool) {
	values := make(map[string]string)
	for _, a := range assignments {
		name, value, _ := strings.Cut(a, "=")
		values[name] = value
	}
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

var allKeys = []string{"ANTHROPIC_API_KEY=" + key("a"), "GEMINI_API_KEY=" + key("g"), "OPENAI_API_KEY=" + key("o")}

var allModels = map[string]string{"anthropic": "model-a", "gemini": "model-g", "openai": "model-o"}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		extra string
		want  string
	}{
		{"all that there are", "", "anthropic gemini openai"},
		{"blank is not set", "MEND_PROVIDER= ", "anthropic gemini openai"},
		{"one alone", "MEND_PROVIDER=gemini", "gemini"},
		{"one first", "MEND_PROVIDER=OpenAI, *", "openai anthropic gemini"},
		{"some in order", "MEND_PROVIDER=openai,anthropic,openai", "openai anthropic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			providers, err := env.FromEnv(env.Options{Models: allModels, Lookup: lookup(append(allKeys, c.extra)...)})
			require.NoError(t, err)
			var names []string
			for _, p := range providers {
				names = append(names, p.Name())
			}
			assert.Equal(t, c.want, strings.Join(names, " "))
		})
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"nothing is set", nil, "no language model: set ANTHROPIC_API_KEY and MEND_ANTHROPIC_MODEL, " +
			"or GEMINI_API_KEY and MEND_GEMINI_MODEL, or OPENAI_API_KEY and MEND_OPENAI_MODEL"},
		{"a key without a model", []string{"OPENAI_API_KEY=" + key("o"), "MEND_PROVIDER=openai"}, "no language model: set MEND_OPENAI_MODEL"},
		{"a model without a key", []string{"MEND_GEMINI_MODEL=m", "GEMINI_API_KEY=", "MEND_PROVIDER=gemini,*"}, "no language model: set GEMINI_API_KEY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			providers, err := env.FromEnv(env.Options{Lookup: lookup(c.env...)})
			assert.Empty(t, providers)
			require.EqualError(t, err, c.want)
			var missing *env.MissingError
			assert.ErrorAs(t, err, &missing)
		})
	}
}

// A key that is there for other programs is no reason to fail.
func TestProvidersThatLackSomethingAreLeftOut(t *testing.T) {
	providers, err := env.FromEnv(env.Options{Lookup: lookup(append(allKeys, "MEND_GEMINI_MODEL=m")...)})
	require.NoError(t, err)
	require.Len(t, providers, 1)
	assert.Equal(t, "gemini", providers[0].Name())
}

func TestUnknownNameAndUnusableKey(t *testing.T) {
	_, err := env.FromEnv(env.Options{Models: allModels, Lookup: lookup(append(allKeys, "MEND_PROVIDER=claude")...)})
	require.EqualError(t, err, `MEND_PROVIDER names "claude", which is none of anthropic, gemini, openai and *`)

	_, err = env.FromEnv(env.Options{Models: allModels, Lookup: lookup("OPENAI_API_KEY=" + key("x y"))})
	require.ErrorContains(t, err, "provider openai: API key holds a blank")
	assert.NotContains(t, err.Error(), key("x"))
}

// sent is what a call without a network would have sent.
type sent struct{ url, key string }

func (s *sent) RoundTrip(r *http.Request) (*http.Response, error) {
	s.url = r.URL.String()
	for _, name := range []string{"X-Api-Key", "X-Goog-Api-Key", "Authorization"} {
		s.key += strings.TrimPrefix(r.Header.Get(name), "Bearer ")
	}
	return nil, errors.New("no network in tests")
}

func TestKeysGoWhereTheyBelong(t *testing.T) {
	var s sent
	providers, err := env.FromEnv(env.Options{
		Models: map[string]string{"gemini": "model-g"}, HTTPClient: &http.Client{Transport: &s},
		Lookup: lookup(append(allKeys, "MEND_ANTHROPIC_MODEL=model-a", "MEND_OPENAI_MODEL=model-o", "MEND_GEMINI_MODEL=other", "GOOGLE_API_KEY="+key("google"))...),
	})
	require.NoError(t, err)
	want := []sent{
		{"https://api.anthropic.com/v1/messages", key("a")},
		{"https://generativelanguage.googleapis.com/v1beta/models/model-g:generateContent", key("google")},
		{"https://api.openai.com/v1/chat/completions", key("o")},
	}
	require.Len(t, providers, len(want))
	for i, p := range providers {
		s = sent{}
		_, err := p.Complete(t.Context(), &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: "hello"}}})
		require.Error(t, err)
		assert.Equal(t, want[i], s)
	}
}

func ExampleFromEnv() {
	_, err := env.FromEnv(env.Options{
		Lookup: func(name string) (string, bool) { return "openai", name == env.ProviderVariable },
	})
	fmt.Println(err)
	// Output: no language model: set OPENAI_API_KEY and MEND_OPENAI_MODEL
}

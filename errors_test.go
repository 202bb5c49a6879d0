package mend_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// TestErrorsAreOneLine has causes of many lines, and of more than the sanitizer lets
// through: its mark of the cut stands on a line of its own.
func TestErrorsAreOneLine(t *testing.T) {
	long := strings.Repeat("a long story. ", 300)
	_, parse := mend.ParseRecipe([]byte(`"` + long + `\u`))
	cause := errors.New("tar:\nno such file\n" + long)
	install := &mend.InstallError{Action: "extract", Err: cause}
	for name, err := range map[string]error{
		"parse":    parse,
		"install":  install,
		"provider": &mend.ProviderError{Kind: mend.KindUnavailable, Provider: "p", Err: cause},
		"request":  &mend.RequestError{Request: mend.BuildRequest{Package: "frob"}, Err: cause},
		"panic":    &mend.PanicError{Value: cause},
		"failed":   &mend.ValidationFailedError{Failure: &mend.Failure{Recipe: &mend.Recipe{}, Install: install}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Error(t, err)
			assert.NotContains(t, err.Error(), "\n")
			assert.LessOrEqual(t, len(err.Error()), 2500)
		})
	}
}

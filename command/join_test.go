package command_test

import (
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestJoin(t *testing.T) {
	for _, tt := range []struct {
		name string
		argv []string
		want string
	}{
		{"bare words", []string{"go", "test", "-run=^$", "./..."}, "go test '-run=^$' ./..."},
		{"placeholders stay bare", []string{"{install_dir}/bin/x", "v{version}", "{}"}, "{install_dir}/bin/x v{version} {}"},
		{"a list in braces does not", []string{"a", "{b,c}", "{1..2}"}, "a '{b,c}' '{1..2}'"},
		{"blanks", []string{"a b", "\t", "c\nd"}, "'a b' '\t' 'c\nd'"},
		{"line end at the end", []string{"a", "b\n"}, "a 'b\n'"},
		{"empty words", []string{"", ""}, "'' ''"},
		{"a single quote", []string{"it's"}, `"it's"`},
		{"both quotes", []string{`it's "b"`}, `'it'\''s "b"'`},
		{"a single quote and a dollar", []string{`'$a'`}, `''\''$a'\'''`},
		{"a single quote and an exclamation mark", []string{`don't!`}, `'don'\''t!'`},
		{"a backslash", []string{`a\b`}, `'a\b'`},
		{"reserved words, first only", []string{"if", "if"}, "'if' if"},
		{"a brace, first only", []string{"{", "}"}, "'{' }"},
		{"assignments, first only", []string{"A=b", "C=d"}, "'A=b' C=d"},
		{"operators", []string{"a", "|", "b;c", "d&"}, "a '|' 'b;c' 'd&'"},
		{"signs", []string{"a", "~", "#", "!", "*", "?", "[", "]"}, "a '~' '#' '!' '*' '?' '[' ']'"},
		{"a tilde behind a sign", []string{"a", "B=~", "B=c:~"}, "a 'B=~' 'B=c:~'"},
		{"a tilde that means nothing", []string{"a~b"}, "'a~b'"},
		{"look-alikes are quoted, since they are data here", []string{"a", "“b”", "–c"}, "a '“b”' '–c'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := command.Join(tt.argv)
			assert.Equal(t, tt.want, line)
			argv, err := command.Split(line)
			require.NoError(t, err)
			assert.Equal(t, tt.argv, argv)
		})
	}
}

func TestJoinOfNothing(t *testing.T) {
	assert.Empty(t, command.Join(nil))
}

func TestJoinCannotHoldControlCharacters(t *testing.T) {
	for _, word := range []string{"\x00", "a\r", "\x7f", "\x1b[0m"} {
		_, err := command.Split(command.Join([]string{"a", word}))
		var refused *command.SplitError
		require.ErrorAs(t, err, &refused, "%q", word)
		assert.Equal(t, command.ClassControlChar, refused.Class)
	}
}

package command_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzSplit reads any line: a refusal has a known class, a place inside the line
// and a finding; what is accepted survives Join; and what Plain returns splits
// into words that were there.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{
		"", "\r\n", "go version", `a "b\$c" 'd' e\ f`, "a 2>&1 || true", "a | cat;true", "{a},b}", "[a$b]", "A=b c", "make A=b:~", "if a", "a #b",
		"a \"$b", "a `b`", "a \\\nb", "a{b,c}..", "\x00", "é=$é", "[ a ]", "a >/dev/null </dev/null &>/dev/null", "2>& 1 a b\\  >&2",
	} {
		f.Add(line)
	}
	for _, line := range silences {
		f.Add("a " + line + " b")
	}
	f.Fuzz(func(t *testing.T, line string) {
		argv, err := command.Split(line)
		if err != nil {
			require.Nil(t, argv)
			refused := refuse(t, line)
			require.GreaterOrEqual(t, refused.Offset, 0)
			require.LessOrEqual(t, refused.Offset, len(line))
			finding := refused.Finding(line)
			checkFinding(t, finding, line)
			assert.Equal(t, refused.Offset, finding.Start)
			assert.NotEmpty(t, finding.Code)
		} else {
			require.NotEmpty(t, argv)
			env, same, err := command.SplitEnv(line)
			require.NoError(t, err)
			require.Nil(t, env)
			require.Equal(t, argv, same)
			again, err := command.Split(command.Join(argv))
			require.NoError(t, err)
			require.Equal(t, argv, again)
		}
		checkPlain(t, line, err == nil)
	})
}

// checkPlain checks what holds of Plain for any line.
func checkPlain(t *testing.T, line string, splits bool) {
	t.Helper()
	plain, changed := command.Plain(line)
	if !changed {
		require.Equal(t, line, plain)
		return
	}
	require.False(t, splits, "a line that splits needs no change")
	words, err := command.Split(plain)
	require.NoError(t, err)
	// What is left stands in the line in the same order, and only what may go is
	// gone: no quote, no backslash, no letter but those of the known words.
	rest := line
	for i := range len(plain) {
		_, after, found := strings.Cut(rest, plain[i:i+1])
		require.True(t, found, "%q is not left of %q", plain, line)
		rest = after
	}
	for _, c := range `'"\$*?[]{}~#` {
		require.Equal(t, strings.Count(line, string(c)), strings.Count(plain, string(c)), "%q left of %q", plain, line)
	}
	// Each silencer can stand behind the words again and changes nothing.
	for _, s := range []string{" 2>&1", ">/dev/null", " | cat", "||true", " < /dev/null;true"} {
		again, changed := command.Plain(plain + s)
		if strings.HasPrefix(s, ">") && !changed {
			continue // it took a last word for a stream
		}
		require.True(t, changed, "%q", plain+s)
		argv, err := command.Split(again)
		require.NoError(t, err)
		if !strings.HasPrefix(s, ">") {
			require.Equal(t, words, argv)
		}
	}
}

// FuzzJoin joins any words, here divided by NUL, and splits them again.
func FuzzJoin(f *testing.F) {
	for _, words := range []string{
		"a\x00b c\x00", "", "\x00", "if\x00if", "A=b\x00c", "{\x00}", "!\x00[[", "it's\x00\"$a\"`b`", "~\x00#\x00a=~\x00*?[]", "{a,b}\x00{version}",
		"\n\x00\t \x00\\", "a\\\n", "é\x00\xff", "|\x00>\x00&&\x00;", "-x\x00--y=z", "a[\x00b]",
	} {
		f.Add(words)
	}
	f.Fuzz(func(t *testing.T, words string) {
		argv := strings.Split(words, "\x00")
		line := command.Join(argv)
		again, err := command.Split(line)
		if strings.ContainsFunc(strings.Join(argv, ""), isControl) {
			require.Error(t, err)
			return
		}
		require.NoError(t, err, "%q", line)
		require.Equal(t, argv, again)
		assert.Equal(t, line, command.Join(again))
	})
}

// isControl reports whether no line can hold c.
func isControl(c rune) bool { return c < ' ' && c != '\t' && c != '\n' || c == 0x7f }

// FuzzSplitEnv reads any line: what it takes apart, it takes apart again when it
// is put together, and Split takes what it leaves.
func FuzzSplitEnv(f *testing.F) {
	for _, line := range []string{"", "A=b c", "A=b", "A+=b c", "A=b C=d 'e f'", "A='b c' B=\"d\" e", "A=b if", "A=~ b", "a''=b c", "é=b c", "A=b\tC=d\ne"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		env, argv, err := command.SplitEnv(line)
		if err != nil {
			require.Nil(t, env)
			require.Nil(t, argv)
			var refused *command.SplitError
			require.ErrorAs(t, err, &refused)
			require.LessOrEqual(t, refused.Offset, len(line))
			return
		}
		require.NotEmpty(t, argv)
		var again strings.Builder
		for _, set := range env {
			name, value, found := strings.Cut(set, "=")
			require.True(t, found)
			again.WriteString(name + "=" + command.Join([]string{value}) + " ")
		}
		again.WriteString(command.Join(argv))
		env2, argv2, err := command.SplitEnv(again.String())
		require.NoError(t, err, "%q", again.String())
		require.Equal(t, env, env2)
		require.Equal(t, argv, argv2)
	})
}

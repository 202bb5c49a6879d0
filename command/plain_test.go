package command_test

import (
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"both streams", "a -b 2>&1", "a -b"},
		{"output to errors", "a 1>&2", "a"},
		{"output to errors, short", "a >&2", "a"},
		{"blanks inside", "a 2>& 1 > /dev/null", "a"},
		{"output away", "a >/dev/null", "a"},
		{"errors away", "a 2>/dev/null", "a"},
		{"numbered output away", "a 1>/dev/null", "a"},
		{"appended", "a >>/dev/null 2>>/dev/null", "a"},
		{"both away", "a &>/dev/null", "a"},
		{"both away, appended", "a &>>/dev/null", "a"},
		{"both away, older", "a >&/dev/null", "a"},
		{"empty input", "a < /dev/null", "a"},
		{"empty input, numbered", "a 0</dev/null", "a"},
		{"in the middle", "a 2>&1 -b", "a -b"},
		{"in front", "2>&1 a", "a"},
		{"glued to a word", "a>/dev/null -b", "a -b"},
		{"glued to each other", "a >/dev/null</dev/null", "a"},
		{"or true", "a || true", "a"},
		{"or true, glued", "a||true", "a"},
		{"or nothing", "a || :", "a"},
		{"or a good exit", "a ||\texit  0", "a"},
		{"and then true", "a ; true", "a"},
		{"and then true, glued", "a;true", "a"},
		{"and then nothing, or a good exit", "a; : ; exit 0", "a"},
		{"cat", "a | cat", "a"},
		{"all of them", " a  2>&1 -b </dev/null | cat >/dev/null|| true;true \r\n", "a -b"},
		{"the blanks between other words stay", "a  -b\t-c   2>&1", "a  -b\t-c"},
		{"an escaped blank is a word's", `a b\  2>&1`, `a b\ `},
		{"quoted words stay as they are", `a 'b 2>&1' "c || true" d\>e 2>&1`, `a 'b 2>&1' "c || true" d\>e`},
		{"a digit that is part of a word stays", "a b2>/dev/null", "a b2"},
		{"a digit with a blank behind it stays", "a 2 >/dev/null", "a 2"},
		{"an escaped digit stays", `a \2>/dev/null`, `a \2`},
		{"a quoted digit stays", `a '2'>/dev/null`, `a '2'`},
		{"a placeholder with a blank behind it stays", "a {version} >/dev/null", "a {version}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, changed := command.Plain(tt.line)
			assert.True(t, changed)
			assert.Equal(t, tt.want, plain)
		})
	}
}

func TestPlainLeavesAlone(t *testing.T) {
	for _, tt := range []struct{ name, line string }{
		{"a plain command", "a -b"},
		{"a plain command with spaces at its ends", " a -b \n"},
		{"nothing", ""},
		{"nothing but a redirection", "2>&1"},
		{"nothing but an excuse", "|| true"},
		{"quoted text that looks so", `a '2>&1' "|| true" \| cat`},
		{"a pipe into another program", "a 2>&1 | grep b"},
		{"a pipe into cat with arguments", "a | cat -n"},
		{"a pipe into a quoted cat", "a | 'cat'"},
		{"a pipe into true", "a | true"},
		{"a pipe of both streams", "a |& cat"},
		{"a pipe into cat and another", "a | cat | grep b"},
		{"another command", "a || b"},
		{"another command behind an excuse", "a || true; b"},
		{"cat as another command", "a || cat"},
		{"another command first", "a; b || true"},
		{"and true", "a && true"},
		{"true with arguments", "a || true b"},
		{"a quoted true", "a || 'true'"},
		{"an escaped true", `a || tr\ue`},
		{"a bad exit", "a || exit 1"},
		{"no excuse", "a ||"},
		{"no excuse between", "a || || true"},
		{"a semicolon alone", "a;"},
		{"background", "a >/dev/null &"},
		{"a background that only looks like a redirection", "a & >/dev/null"},
		{"a file", "a >out 2>&1"},
		{"a file whose name begins so", "a >/dev/null.txt"},
		{"a quoted target", `a >"/dev/null"`},
		{"a target with a quote behind it", `a >/dev/null''`},
		{"another stream", "a 3>&1"},
		{"a stream with two digits", "a 22>/dev/null"},
		{"a stream to another", "a 2>&3"},
		{"a stream to a word", "a 2>&1b"},
		{"a stream that is closed", "a 2>&-"},
		{"both streams of a number", "a 2>&/dev/null"},
		{"a stream with a name", "a {fd}>/dev/null"},
		{"input from a file", "a <b"},
		{"a here-document", "a <</dev/null"},
		{"a here-string", "a <<</dev/null"},
		{"a process", "a 2> >(cat)"},
		{"no target", "a 2>"},
		{"a variable", "a $b 2>&1"},
		{"a substitution", "a $(b 2>&1) || true"},
		{"backticks", "a `b 2>/dev/null `"},
		{"a pattern", "a * 2>&1"},
		{"an assignment", "A=b c 2>&1"},
		{"a reserved word", "time a 2>&1"},
		{"a negation", "! a || true"},
		{"a group", "(a 2>&1)"},
		{"a comment behind", "a 2>&1 # b"},
		{"a comment that holds it", "a # 2>&1 || true"},
		{"two lines", "a 2>&1\nb"},
		{"an excuse on the next line", "a\n|| true"},
		{"a continued line", "a \\\n2>&1"},
		{"a continued line before it", "a b\\\n|| true"},
		{"a refused word before it", "a b*2>&1|| true"},
		{"an open quote", "a 'b 2>&1"},
		{"an open quote behind", "a || true '"},
		{"a control character", "a\x1b 2>&1"},
		{"a control character behind", "a 2>&1 \r || true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, changed := command.Plain(tt.line)
			assert.False(t, changed)
			assert.Equal(t, tt.line, plain)
		})
	}
}

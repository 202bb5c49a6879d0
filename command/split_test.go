package command_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplitAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       []string
	}{
		{"words", "go version -m ./bin", []string{"go", "version", "-m", "./bin"}},
		{"one word", "ls", []string{"ls"}},
		{"blanks and tabs", " \tls \t -l\t ", []string{"ls", "-l"}},
		{"line feed at the end", "ls -l\n", []string{"ls", "-l"}},
		{"CR LF at both ends", "\r\n\nls -l \r\n\r\n", []string{"ls", "-l"}},
		{"single quotes", `echo 'a  "b" \c $d'`, []string{"echo", `a  "b" \c $d`}},
		{"double quotes", `echo "a  'b'"`, []string{"echo", "a  'b'"}},
		{"escapes in double quotes", `echo "\" \\ \$ \` + "`" + `"`, []string{"echo", "\" \\ $ `"}},
		{"other backslashes in double quotes stay", `grep -q "\[done\] \a\n\'\!"`, []string{"grep", "-q", `\[done\] \a\n\'\!`}},
		{"bare escapes", `a\ b \"\'\\ \n`, []string{"a b", `"'\`, "n"}},
		{"pieces concatenate", `a'b'"c"\d''`, []string{"abcd"}},
		{"empty arguments", `a '' "" ''""`, []string{"a", "", "", ""}},
		{"an empty program", `''`, []string{""}},
		{"placeholders", "{install_dir}/bin/x v{version} {} {a},{b} {a}{b}", []string{"{install_dir}/bin/x", "v{version}", "{}", "{a},{b}", "{a}{b}"}},
		{"bytes beyond ASCII", "\xc3\xa9t\xc3\xa9 \xff \xe2\x80\x9cx\xe2\x80\x9d", []string{"été", "\xff", "“x”"}},

		{"control-char: tab and LF in quotes", "a 'b\tc\nd' \"e\tf\ng\"", []string{"a", "b\tc\nd", "e\tf\ng"}},
		{"control-char: bytes above DEL", "a \x80\x9f", []string{"a", "\x80\x9f"}},
		{"unterminated: the other quote inside", `a "'" '"'`, []string{"a", "'", `"`}},
		{"unterminated: escaped quotes", `a \' \" \\`, []string{"a", "'", `"`, `\`}},
		{"operator: quoted", `a ';&|' "<>()" \; \& \| \< \> \( \)`, []string{"a", ";&|", "<>()", ";", "&", "|", "<", ">", "(", ")"}},
		{"operator: LF in quotes", "a 'b\nc' \"d\ne\"", []string{"a", "b\nc", "d\ne"}},
		{"operator: backslash and LF in single quotes", "a 'b\\\nc'", []string{"a", "b\\\nc"}},
		{"substitution: in single quotes", "a '`b`' '$(b)'", []string{"a", "`b`", "$(b)"}},
		{"substitution: escaped", "a \\` \"\\`\" \"\\$(b)\" \\$\\(", []string{"a", "`", "`", "$(b)", "$("}},
		{"expansion: in single quotes", `awk '{print $1}'`, []string{"awk", "{print $1}"}},
		{"expansion: escaped", `a \$b "\$b" "\${b}"`, []string{"a", "$b", "$b", "${b}"}},
		{"expansion: a dollar before other bytes", `a $ a$ $. $/ $% $+ $, $: $= $] $^ $} $\a`, []string{"a", "$", "a$", "$.", "$/", "$%", "$+", "$,", "$:", "$=", "$]", "$^", "$}", "$a"}},
		{"expansion: a dollar before quotes, quoted", `a "$'b'" "b$"`, []string{"a", "$'b'", "b$"}},
		{"glob: quoted", `a '*?[a]' "*?[a]" \* \? \[a]`, []string{"a", "*?[a]", "*?[a]", "*", "?", "[a]"}},
		{"glob: one bracket", "[ -f a ] b[ c] ]d[", []string{"[", "-f", "a", "]", "b[", "c]", "]d["}},
		{"glob: a quoted bracket closes nothing", `a [b']' [b\] [b"]"`, []string{"a", "[b]", "[b]", "[b]"}},
		{"brace: quoted", `a '{b,c}' "{b,c}" \{b,c} {b\,c} {b','c} {b,c\}`, []string{"a", "{b,c}", "{b,c}", "{b,c}", "{b,c}", "{b,c}", "{b,c}"}},
		{"brace: nothing divided", "a {b.c} {b c} {b, c} ,{b} {b}, {b}..{c} {b }", []string{"a", "{b.c}", "{b", "c}", "{b,", "c}", ",{b}", "{b},", "{b}..{c}", "{b", "}"}},
		{"tilde: quoted", `a '~' "~/b" \~ c='~' c=\~`, []string{"a", "~", "~/b", "~", "c=~", "c=~"}},
		{"tilde: elsewhere", "a b~ ''~ --c=~ 1c=~ c-d=~ e:~ =~", []string{"a", "b~", "~", "--c=~", "1c=~", "c-d=~", "e:~", "=~"}},
		{"comment: inside a word", `a b#c ''#d \#e '#'`, []string{"a", "b#c", "#d", "#e", "#"}},
		{"assignment: an argument", "env A=b C+=d", []string{"env", "A=b", "C+=d"}},
		{"assignment: no name before the equals sign", "=a b", []string{"=a", "b"}},
		{"assignment: no name, a digit first", "1a=b c", []string{"1a=b", "c"}},
		{"assignment: no name, an option", "-a=b c", []string{"-a=b", "c"}},
		{"assignment: the name is quoted", `'a=b' c`, []string{"a=b", "c"}},
		{"assignment: an empty quote in the name", `a''=b c`, []string{"a=b", "c"}},
		{"assignment: the sign is escaped", `a\=b c`, []string{"a=b", "c"}},
		{"reserved-word: an argument", "echo if then ! { }", []string{"echo", "if", "then", "!", "{", "}"}},
		{"reserved-word: quoted", "'if' a", []string{"if", "a"}},
		{"reserved-word: escaped", `i\f a`, []string{"if", "a"}},
		{"reserved-word: part of a word", "iffy", []string{"iffy"}},
		{"reserved-word: with a brace", "{a} b", []string{"{a}", "b"}},
		{"reserved-word: one bracket", "[ a ]", []string{"[", "a", "]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			argv, err := command.Split(tt.line)
			require.NoError(t, err)
			assert.Equal(t, tt.want, argv)
		})
	}
}

// refusedLines are lines that Split refuses, with the class and where.
var refusedLines = []struct {
	name, line, class string
	offset            int
}{
	{"NUL", "a\x00b", command.ClassControlChar, 1},
	{"escape", "a \x1b[1m", command.ClassControlChar, 2},
	{"DEL", "a\x7f", command.ClassControlChar, 1},
	{"a CR between words", "a\rb", command.ClassControlChar, 1},
	{"a CR before a blank at the end", "a\r ", command.ClassControlChar, 1},
	{"control character in single quotes", "a '\x01'", command.ClassControlChar, 3},
	{"control character in double quotes", "a \"\x1f\"", command.ClassControlChar, 3},
	{"control character comes before all else", "a | b 'c\x02", command.ClassControlChar, 8},
	{"single quote", "a b'c d", command.ClassUnterminated, 3},
	{"double quote", `a "b`, command.ClassUnterminated, 2},
	{"double quote, its end escaped", `a "b\"`, command.ClassUnterminated, 2},
	{"double quote, a backslash at the end", `a "b\`, command.ClassUnterminated, 2},
	{"the opener comes before what is inside", `a "$b`, command.ClassUnterminated, 2},
	{"the second quote", `a 'b' 'c`, command.ClassUnterminated, 6},
	{"final backslash", `a b\`, command.ClassUnterminated, 3},
	{"final backslash, before the line feed that is dropped", "a \\\n", command.ClassUnterminated, 2},
	{"semicolon", "a; b", command.ClassOperator, 1},
	{"background", "a &", command.ClassOperator, 2},
	{"pipe", "a | b", command.ClassOperator, 2},
	{"and", "a&&b", command.ClassOperator, 1},
	{"input", "a <b", command.ClassOperator, 2},
	{"output", "a 2>&1", command.ClassOperator, 3},
	{"subshell", "(a)", command.ClassOperator, 0},
	{"closing bracket", "a )", command.ClassOperator, 2},
	{"line feed", "a\nb", command.ClassOperator, 1},
	{"CR LF at the start count for the offset", "\r\na | b", command.ClassOperator, 4},
	{"continued line", "a b\\\nc", command.ClassOperator, 3},
	{"continued line in double quotes", "a \"b\\\nc\"", command.ClassOperator, 4},
	{"backtick", "a `b`", command.ClassSubstitution, 2},
	{"backtick in double quotes", "a \"b`c`\"", command.ClassSubstitution, 4},
	{"dollar bracket", "a $(b)", command.ClassSubstitution, 2},
	{"dollar bracket in double quotes", `a "b$(c)"`, command.ClassSubstitution, 4},
	{"arithmetic", "a $((1+1))", command.ClassSubstitution, 2},
	{"variable", "a $b", command.ClassExpansion, 2},
	{"variable, capital", "a x$B", command.ClassExpansion, 3},
	{"variable, underscore", "a $_", command.ClassExpansion, 2},
	{"variable, digit", "a $1", command.ClassExpansion, 2},
	{"variable in braces", "a ${b}", command.ClassExpansion, 2},
	{"old arithmetic", "a $[1]", command.ClassExpansion, 2},
	{"all arguments", "a $@", command.ClassExpansion, 2},
	{"all arguments as one", "a $*", command.ClassExpansion, 2},
	{"number of arguments", "a $#", command.ClassExpansion, 2},
	{"exit status", "a $?", command.ClassExpansion, 2},
	{"process", "a $$", command.ClassExpansion, 2},
	{"last process", "a $!", command.ClassExpansion, 2},
	{"flags", "a $-", command.ClassExpansion, 2},
	{"variable in double quotes", `a "b $c"`, command.ClassExpansion, 5},
	{"exit status in double quotes", `a "$?"`, command.ClassExpansion, 3},
	{"a letter in some locale", "a $é", command.ClassExpansion, 2},
	{"ANSI quotes", `a $'b'`, command.ClassExpansion, 2},
	{"translated quotes", `a $"b"`, command.ClassExpansion, 2},
	{"star", "ls a*", command.ClassGlob, 4},
	{"question mark", "ls a?", command.ClassGlob, 4},
	{"brackets", "ls a[bc]d", command.ClassGlob, 4},
	{"brackets round a quote", "ls [ab'c d']", command.ClassGlob, 3},
	{"empty brackets", "ls []", command.ClassGlob, 3},
	{"a bracket that closes later counts from its opener", "ls [a$b]", command.ClassGlob, 3},
	{"brace with comma", "a b{c,d}", command.ClassBrace, 3},
	{"brace with nothing but a comma", "a {,}", command.ClassBrace, 2},
	{"brace with dots", "a {1..3}", command.ClassBrace, 2},
	{"brace round a quote", "a {b,'c d'}", command.ClassBrace, 2},
	{"inner brace", "a {{b,c}}", command.ClassBrace, 2},
	{"outer brace", "a {{b},c}", command.ClassBrace, 2},
	{"a brace that an empty pair does not close", "a {b},c}", command.ClassBrace, 2},
	{"inner brace, outer one open", "a {b{c,d}", command.ClassBrace, 2},
	{"home", "a ~", command.ClassTilde, 2},
	{"home of the first word", "~/a", command.ClassTilde, 0},
	{"home of somebody", "a ~b/c", command.ClassTilde, 2},
	{"home in an argument like an assignment", "make A=~/b", command.ClassTilde, 7},
	{"home behind a colon", "make A=b:~/c", command.ClassTilde, 9},
	{"home behind the second sign", "make A=b=~", command.ClassTilde, 9},
	{"home in an argument like an addition", "make A+=~", command.ClassTilde, 8},
	{"comment", "a #b", command.ClassComment, 2},
	{"nothing but a comment", "# a", command.ClassComment, 0},
	{"assignment", "A=b c", command.ClassAssignment, 0},
	{"assignment alone", " A=", command.ClassAssignment, 1},
	{"addition", "A+=b c", command.ClassAssignment, 0},
	{"assignment of a quoted value", "_a1='b' c", command.ClassAssignment, 0},
	{"assignment comes before what is in its value", "A=$b c", command.ClassAssignment, 0},
	{"assignment, a letter in some locale", "é=b c", command.ClassAssignment, 0},
	{"reserved word", "if a; then b; fi", command.ClassReservedWord, 0},
	{"reserved word behind blanks", "  time a", command.ClassReservedWord, 2},
	{"reserved word before an operator", "while(a)", command.ClassReservedWord, 0},
	{"nothing", "", command.ClassEmpty, 0},
	{"blanks", " \t ", command.ClassEmpty, 0},
	{"line ends", "\r\n\n", command.ClassEmpty, 0},
	{"the first trigger of several", "a ~ | b", command.ClassTilde, 2},
}

func TestSplitRefuses(t *testing.T) {
	for _, tt := range refusedLines {
		t.Run(tt.name, func(t *testing.T) {
			argv, err := command.Split(tt.line)
			assert.Nil(t, argv)
			var refused *command.SplitError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, command.SplitError{Class: tt.class, Offset: tt.offset}, *refused)
		})
	}
}

func TestSplitRefusesEveryReservedWord(t *testing.T) {
	const words = "! { } [[ ]] if then elif else fi for in do done while until case esac select function time coproc"
	for word := range strings.FieldsSeq(words) {
		t.Run(word, func(t *testing.T) {
			_, err := command.Split(word + " a")
			var refused *command.SplitError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, command.ClassReservedWord, refused.Class)

			argv, err := command.Split("'" + word + "' " + word)
			require.NoError(t, err)
			assert.Equal(t, []string{word, word}, argv)
		})
	}
}

// Each call has words of its own: what one returns, another must not change.
func TestSplitKeepsItsWords(t *testing.T) {
	first, err := command.Split(`a 'b c' d`)
	require.NoError(t, err)
	_, err = command.Split(`x 'y z' w`)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b c", "d"}, first)
}

func TestSplitErrorText(t *testing.T) {
	_, err := command.Split("ls *.go")
	require.EqualError(t, err, "cannot split the command at byte 3: glob")
}

// Long and deeply nested lines take time in proportion to their length; a
// quadratic reading would not end within the time that tests are given.
func TestSplitLongLines(t *testing.T) {
	const n = 4 << 20
	for _, unit := range []string{"[", "{", "}{", "{,", "$", `\\`, `""`, "''", "=", ":", "~a", "a ", "{a}", `"\`} {
		t.Run(unit, func(t *testing.T) {
			argv, err := command.Split("x" + strings.Repeat(unit, n/len(unit)))
			if refused := (*command.SplitError)(nil); errors.As(err, &refused) {
				assert.Empty(t, argv)
				assert.LessOrEqual(t, refused.Offset, n)
			} else {
				assert.NotEmpty(t, argv)
			}
		})
	}
}

var sink []string

func BenchmarkSplit(b *testing.B) {
	for name, line := range map[string]string{
		"bare":   "golangci-lint run --config .golangci.yml --timeout 5m ./cmd/x",
		"quoted": `grep -q "version: 1.2" 'release notes' -e a\ b {install_dir}/`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				sink, _ = command.Split(line)
			}
		})
	}
}

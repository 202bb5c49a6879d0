package plan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/plan"
)

func part(dir string, argv ...string) plan.Part { return plan.Part{Dir: dir, Argv: argv} }

func envPart(dir string, env []string, argv ...string) plan.Part {
	return plan.Part{Dir: dir, Env: env, Argv: argv}
}

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		line string
		want []plan.Part
	}{
		{"go vet ./...", []plan.Part{part("", "go", "vet", "./...")}},
		{"\r\nmake test\r\n", []plan.Part{part("", "make", "test")}},
		{"make build && make test", []plan.Part{part("", "make", "build"), part("", "make", "test")}},
		{"a&&b&&c", []plan.Part{part("", "a"), part("", "b"), part("", "c")}},
		{"cd e2e && npm test", []plan.Part{part("e2e", "npm", "test")}},
		{"make && cd a && x && cd b/../c && y", []plan.Part{part("", "make"), part("a", "x"), part("a/c", "y")}},
		{"cd a && cd .. && x", []plan.Part{part("", "x")}},
		{"cd . && x", []plan.Part{part("", "x")}},
		{"cd -- a && x", []plan.Part{part("a", "x")}},
		{"cd -- -odd && cd -- .. && x", []plan.Part{part("", "x")}},
		{"cd -- -odd && x", []plan.Part{part("-odd", "x")}},
		{"cd '--' a && x", []plan.Part{part("a", "x")}},
		{"cd ./-odd && x", []plan.Part{part("-odd", "x")}},
		{"'cd' 'my dir' && x", []plan.Part{part("my dir", "x")}},
		{"CI=1 A=b npm test && x", []plan.Part{{Env: []string{"CI=1", "A=b"}, Argv: []string{"npm", "test"}}, part("", "x")}},
		{`A=1 A=2 B='x y' C= x`, []plan.Part{{Env: []string{"A=1", "A=2", "B=x y", "C="}, Argv: []string{"x"}}}},
		{`grep -q "\[done\]" log`, []plan.Part{part("", "grep", "-q", `\[done\]`, "log")}},
		{`echo 'a && b' "c && d" e\&\&f`, []plan.Part{part("", "echo", "a && b", "c && d", "e&&f")}},
		{`echo '$(x)' ';' ""`, []plan.Part{part("", "echo", "$(x)", ";", "")}},
		{"'K=v' x", []plan.Part{part("", "K=v", "x")}},
		{`'C:\tools\x.exe' y`, []plan.Part{part("", `C:\tools\x.exe`, "y")}},
		{"time-it && sett", []plan.Part{part("", "time-it"), part("", "sett")}},
		{"[ -f dist/app ]", []plan.Part{part("", "[", "-f", "dist/app", "]")}},
		{"test -f x && true", []plan.Part{part("", "test", "-f", "x"), part("", "true")}},
		{`a && b`, []plan.Part{part("", "a"), part("", "b")}},
		{`a&&b`, []plan.Part{part("", "a"), part("", "b")}},
		{`a && b&& c`, []plan.Part{part("", "a"), part("", "b"), part("", "c")}},
		{`A=1 x && B=2 y`, []plan.Part{envPart("", []string{"A=1"}, "x"), envPart("", []string{"B=2"}, "y")}},
		{`A=1 x && y`, []plan.Part{envPart("", []string{"A=1"}, "x"), part("", "y")}},
		{`a "&&" b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a '&&' b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a \&\& b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a 'b && c' && d`, []plan.Part{part("", "a", "b && c"), part("", "d")}},
		{`p "a\qb" "c\"d" "e\$f" "g\\h"`, []plan.Part{part("", "p", `a\qb`, `c"d`, `e$f`, `g\h`)}},
		{"p \"a\\`b\"", []plan.Part{part("", "p", "a`b")}},
		{`grep 'a|b;c>d' f`, []plan.Part{part("", "grep", "a|b;c>d", "f")}},
		{`find x -exec y \;`, []plan.Part{part("", "find", "x", "-exec", "y", ";")}},
		{`p '$(x)' "\$(y)"`, []plan.Part{part("", "p", "$(x)", "$(y)")}},
		{`p '' ""`, []plan.Part{part("", "p", "", "")}},
		{`p '*' "?" \[a\]`, []plan.Part{part("", "p", "*", "?", "[a]")}},
		{`p '{a,b}' '~' '#'`, []plan.Part{part("", "p", "{a,b}", "~", "#")}},
		{`p 'a
b'`, []plan.Part{part("", "p", "a\nb")}},
		{`p {} {version} $ 5$`, []plan.Part{part("", "p", "{}", "{version}", "$", "5$")}},
		{`[ -f x ]`, []plan.Part{part("", "[", "-f", "x", "]")}},
		{"a\n", []plan.Part{part("", "a")}},
		{`cd a && b`, []plan.Part{part("a", "b")}},
		{`cd a&&b`, []plan.Part{part("a", "b")}},
		{`cd a && b && c`, []plan.Part{part("a", "b"), part("a", "c")}},
		{`cd a && cd b && c`, []plan.Part{part("a/b", "c")}},
		{`cd a && b && cd .. && c`, []plan.Part{part("a", "b"), part("", "c")}},
		{`cd a && cd ../b && c`, []plan.Part{part("b", "c")}},
		{`cd ./a/ && b`, []plan.Part{part("a", "b")}},
		{`cd a//b/./c && x`, []plan.Part{part("a/b/c", "x")}},
		{`cd . && b`, []plan.Part{part("", "b")}},
		{`cd a/../b && x`, []plan.Part{part("b", "x")}},
		{`cd a/.. && x`, []plan.Part{part("", "x")}},
		{`cd 'my dir' && x`, []plan.Part{part("my dir", "x")}},
		{`cd my\ dir && x`, []plan.Part{part("my dir", "x")}},
		{`cd ..a && x`, []plan.Part{part("..a", "x")}},
		{`x && cd a && y`, []plan.Part{part("", "x"), part("a", "y")}},
		{`cd a && A=1 x y=2`, []plan.Part{envPart("a", []string{"A=1"}, "x", "y=2")}},
		{`echo cd`, []plan.Part{part("", "echo", "cd")}},
		{`npm run cd`, []plan.Part{part("", "npm", "run", "cd")}},
		{`cdx a`, []plan.Part{part("", "cdx", "a")}},
		{`true && echo x`, []plan.Part{part("", "true"), part("", "echo", "x")}},
		{`test -f x`, []plan.Part{part("", "test", "-f", "x")}},
		{`printf x`, []plan.Part{part("", "printf", "x")}},
		{`pwd`, []plan.Part{part("", "pwd")}},
		{`kill 1`, []plan.Part{part("", "kill", "1")}},
		{`command x`, []plan.Part{part("", "command", "x")}},
		{`./set x`, []plan.Part{part("", "./set", "x")}},
		{`exports x`, []plan.Part{part("", "exports", "x")}},
		{`C:/x/y z`, []plan.Part{part("", "C:/x/y", "z")}},
		{`run C:\x`, []plan.Part{part("", "run", "C:x")}},
		{`C: x`, []plan.Part{part("", "C:", "x")}},
		{`'K=v' x && y`, []plan.Part{part("", "K=v", "x"), part("", "y")}},
	} {
		t.Run(test.line, func(t *testing.T) {
			got, err := plan.Split(test.line)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, test := range []struct {
		line, class string
		at          int
	}{
		{"", command.ClassEmpty, 0},
		{" \t", command.ClassEmpty, 0},
		{"&& a", command.ClassOperator, 0},
		{"a &&", command.ClassOperator, 2},
		{"a && \n", command.ClassOperator, 2},
		{"a && && b", command.ClassOperator, 5},
		{"a &&& b", command.ClassOperator, 4},
		{"a &&\nb", command.ClassOperator, 4},
		{"a && \nb", command.ClassOperator, 5},
		{"a\n&& b", command.ClassOperator, 1},
		{"a || b", command.ClassOperator, 2},
		{"a; b", command.ClassOperator, 1},
		{"a && b | c", command.ClassOperator, 7},
		{"a > x && b", command.ClassOperator, 2},
		{"a && b &", command.ClassOperator, 7},
		{"a && ls *.go", command.ClassGlob, 8},
		{"a && echo $HOME", command.ClassExpansion, 10},
		{"a && echo `x`", command.ClassSubstitution, 10},
		{"a && 'b", command.ClassUnterminated, 5},
		{"a && A=1", command.ClassAssignment, 5},
		{"A=1 && b", command.ClassAssignment, 0},
		{"A+=1 b", command.ClassAssignment, 0},
		{"a && if x", command.ClassReservedWord, 5},
		{"a && b # c", command.ClassComment, 7},
		{"echo * \x01", command.ClassControlChar, 7},
		{"source x && cd .. \x7f", command.ClassControlChar, 18},

		{"cd x", "cd", 0},
		{"make && cd x", "cd", 8},
		{"cd && x", "cd", 0},
		{"cd a b && x", "cd", 0},
		{"cd - && x", "cd", 0},
		{"cd -P && x", "cd", 0},
		{"cd -P a && x", "cd", 0},
		{"cd -- && x", "cd", 0},
		{"cd -- - && x", "cd", 0},
		{"cd -- a b && x", "cd", 0},
		{"cd -- -- a && x", "cd", 0},
		{"cd -- /a && x", "cd", 0},
		{"cd -- .. && x", "cd", 0},
		{"cd -- '' && x", "cd", 0},
		{"cd a -- && x", "cd", 0},
		{"cd -- a", "cd", 0},
		{"cd '' && x", "cd", 0},
		{"cd / && x", "cd", 0},
		{"cd /etc && x", "cd", 0},
		{"cd .. && x", "cd", 0},
		{"cd a/../.. && x", "cd", 0},
		{"cd a && x && cd ../.. && y", "cd", 13},
		{"A=1 cd a && x", "cd", 4},
		{`cd 'C:\x' && x`, "cd", 0},
		{`cd 'C:' && x`, "cd", 0},
		{`cd '..\..' && x`, "cd", 0},
		{`cd 'a\..\..\b' && x`, "cd", 0},
		{`cd '\x' && x`, "cd", 0},
		{`cd './\x' && x`, "cd", 0},
		{`cd ./\\ && x`, "cd", 0},
		{`cd ./C:x && x`, "cd", 0},
		{`cd a && cd '../\x' && x`, "cd", 8},
		{`cd a && cd ../C: && x`, "cd", 8},
		{"cd .. && ls *", "cd", 0},

		{". venv/bin/activate && pytest", "builtin", 0},
		{"source x; y", "builtin", 0},
		{"x && 'export' A", "builtin", 5},
		{"export A=$B", "builtin", 0},
		{`eval "$(x)"`, "builtin", 0},
		{"EVAL x", "builtin", 0},
		{"CD x && y", "builtin", 0},
		{"A=1 exec x", "builtin", 4},
		{`"exit" 1`, "builtin", 0},
		{": && x", "builtin", 0},

		{`C:\tools\x.exe y`, "windows-path", 0},
		{`x && A=1 d:\x *`, "windows-path", 9},
		{`C:\x$Y z`, "windows-path", 0},
		{`C:\`, "windows-path", 0},
		{`x && C:\a*b`, "windows-path", 5},
		{`A=1 C:\'x`, "windows-path", 4},
		{`A=$X C:\x`, command.ClassExpansion, 2},

		{`A=C:\x$Y z`, command.ClassExpansion, 6},
		{`&&`, command.ClassOperator, 0},
		{`a | b`, command.ClassOperator, 2},
		{`a ; b`, command.ClassOperator, 2},
		{`a & b`, command.ClassOperator, 2},
		{`a &`, command.ClassOperator, 2},
		{`a > f`, command.ClassOperator, 2},
		{`a 2>&1`, command.ClassOperator, 3},
		{`a < f`, command.ClassOperator, 2},
		{`(a)`, command.ClassOperator, 0},
		{`a \&& b`, command.ClassOperator, 4},
		{"a\nb", command.ClassOperator, 1},
		{`cd a || b`, command.ClassOperator, 5},
		{`cd a; b`, command.ClassOperator, 4},
		{`ls *.go`, command.ClassGlob, 3},
		{`ls a?`, command.ClassGlob, 4},
		{`ls [ab]`, command.ClassGlob, 3},
		{`a && ls *`, command.ClassGlob, 8},
		{`echo $HOME`, command.ClassExpansion, 5},
		{`echo "$HOME"`, command.ClassExpansion, 6},
		{`echo "$(x)"`, command.ClassSubstitution, 6},
		{"a && echo `b`", command.ClassSubstitution, 10},
		{`echo {a,b}`, command.ClassBrace, 5},
		{`echo {1..3}`, command.ClassBrace, 5},
		{`~/x`, command.ClassTilde, 0},
		{`a && ls ~`, command.ClassTilde, 8},
		{`A=~ x`, command.ClassTilde, 2},
		{`a && # b`, command.ClassComment, 5},
		{`A=1`, command.ClassAssignment, 0},
		{`b && A=1`, command.ClassAssignment, 5},
		{`b && A=1 && c`, command.ClassAssignment, 5},
		{`b && A+=1 c`, command.ClassAssignment, 5},
		{`a && if`, command.ClassReservedWord, 5},
		{`a && A=1 while x`, command.ClassReservedWord, 9},
		{`a && time b`, command.ClassReservedWord, 5},
		{`a && b \`, command.ClassUnterminated, 7},
		{`cd $X && y`, command.ClassExpansion, 3},
		{`cd ~ && y`, command.ClassTilde, 3},
		{`cd a* && y`, command.ClassGlob, 4},
		{`cd`, "cd", 0},
		{`cd a`, "cd", 0},
		{`cd ..`, "cd", 0},
		{`  cd a`, "cd", 2},
		{`x && cd a`, "cd", 5},
		{`cd a && cd b`, "cd", 8},
		{`x && cd - && y`, "cd", 5},
		{`cd /tmp && x`, "cd", 0},
		{`cd "/tmp" && x`, "cd", 0},
		{`cd a && cd ../.. && x`, "cd", 8},
		{`cd a && x && cd ../../b && y`, "cd", 13},
		{`x && cd /abs && y`, "cd", 5},
		{`CD a && x`, "builtin", 0},
		{`a && exit 1`, "builtin", 5},
		{`A=1 exit`, "builtin", 4},
		{`'exit' 1`, "builtin", 0},
		{`"eval" x`, "builtin", 0},
		{`e\xport A=1`, "builtin", 0},
		{`EXPORT x`, "builtin", 0},
		{`Source x`, "builtin", 0},
		{`. ./env`, "builtin", 0},
		{`: x`, "builtin", 0},
		{`cd a && set -e && b`, "builtin", 8},
		{`C:\x\y a`, "windows-path", 0},
		{`c:\tools\go.exe build`, "windows-path", 0},
		{`a && D:\x`, "windows-path", 5},
		{`A=1 Z:\x y`, "windows-path", 4},
		{`cd a && C:\x`, "windows-path", 8},
		{`> C:\x`, command.ClassOperator, 0},
	} {
		t.Run(test.line, func(t *testing.T) {
			parts, err := plan.Split(test.line)
			assert.Nil(t, parts)
			var refused *command.SplitError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.class, refused.Class)
			assert.Equal(t, test.at, refused.Offset)
		})
	}
}

// A class that a shell's user would not guess says what is wrong, and what to write.
func TestSplitErrorOfAnEntry(t *testing.T) {
	for _, test := range []struct{ line, text, message, hint string }{
		{"x && cd ..", "cannot split the command at byte 5: cd: it takes one directory inside the tree, and a program behind &&",
			`"cd" does not lead to one directory inside the tree, with a program behind it`, "write cd, one relative directory inside the tree, && and the program"},
		{"source x", "cannot split the command at byte 0: builtin: it is a part of the shell, and none runs",
			`"source" is a part of the shell, and no program`, "give one program and its arguments"},
		{`A=1 C:\x y`, "cannot split the command at byte 4: windows-path: its backslashes vanish outside of quotes",
			`the backslashes of "C:\\x" vanish outside of quotes`, "put the path in single quotes"},
		{"a | b", "cannot split the command at byte 2: operator", `"|" needs a shell, and the program is started directly`,
			"give the program before it alone; what grep would look for goes into pattern"},
	} {
		_, err := plan.Split(test.line)
		var refused *command.SplitError
		require.ErrorAs(t, err, &refused)
		assert.EqualError(t, err, test.text)
		finding := refused.Finding(test.line)
		assert.Equal(t, command.NeedsShell, finding.Code)
		assert.Equal(t, test.message, finding.Message)
		assert.Equal(t, test.hint, finding.Hint)
	}
}

func TestSplitKnowsEveryBuiltin(t *testing.T) {
	for _, name := range strings.Fields(". : alias bg bind break builtin caller continue declare dirs disown enable eval exec exit export fc fg " +
		"getopts help jobs let local logout mapfile popd pushd readarray readonly return set setopt shift shopt source suspend times trap typeset " +
		"ulimit umask unalias unset") {
		_, err := plan.Split("x && " + name + " y")
		var refused *command.SplitError
		require.ErrorAs(t, err, &refused, name)
		assert.Equal(t, "builtin", refused.Class, name)
	}
	for _, name := range []string{"test", "printf", "true", "kill", "echo", "pwd", "[", "wait4", "./export"} {
		_, err := plan.Split(name + " y")
		assert.NoError(t, err, name)
	}
}

func TestPartString(t *testing.T) {
	for line, want := range map[string]string{
		"make  test":                    "make test",
		"cd a/./b && A='x y'  'go' vet": "cd a/b && A='x y' go vet",
		"cd ./-x && B= y":               "cd ./-x && B='' y",
		"A=a:b c":                       "A=a:b c",
	} {
		parts, err := plan.Split(line)
		require.NoError(t, err)
		assert.Equal(t, want, parts[len(parts)-1].String())
	}
}

func TestPartStringIsReadBack(t *testing.T) {
	for _, p := range []plan.Part{
		part("", "go", "test", "./..."),
		part("a", "b"),
		part("a/b c", "x"),
		part("it's", "x"),
		part("$HOME", "x"),
		part("~", "x"),
		part("a&&b", "x"),
		part("..a", "x"),
		part("", "x", ""),
		part("", "x", "a b", "&&", "|", ";", "*", "~", "#x", "$HOME", "`x`", "{a,b}", "!", "'", `"`, `\`),
		part("", "if", "x"),
		part("", "time"),
		part("", "!"),
		part("", "K=v", "x"),
		part("", "K+=v", "x"),
		part("", "x", "K=v", "K=~"),
		part("", "x", "a\nb", "a\tb"),
		part("", "{version}"),
		part("", "[", "-f", "x", "]"),
		envPart("", []string{"A=1"}, "x"),
		envPart("", []string{"A="}, "x"),
		envPart("", []string{"A=x y", "B=$C", "A=~", "D=a:~"}, "x"),
		envPart("", []string{"A=&&"}, "if"),
		envPart("", []string{"A=1"}, "K=v"),
		envPart("d", []string{"A='", `B="`}, "x", "-y"),
	} {
		got, err := plan.Split(p.String())
		require.NoError(t, err, p.String())
		assert.Equal(t, []plan.Part{p}, got, p.String())
	}
}

func FuzzSplit(f *testing.F) {
	for _, line := range []string{"a && b", "cd a && B='~' x", `cd '-x' && A="a'b" 'if' \&\&`, "A=1 'B=2' c", "a &&\nb", "cd a/../b && {x} && y", `A=a:\~ x`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		parts, err := plan.Split(line)
		if err != nil {
			var refused *command.SplitError
			require.True(t, errors.As(err, &refused))
			assert.True(t, refused.Offset >= 0 && refused.Offset <= len(line), "%q: offset %d", line, refused.Offset)
			return
		}
		require.NotEmpty(t, parts)
		for _, p := range parts {
			again, err := plan.Split(p.String())
			require.NoError(t, err, "%q of %q", p.String(), line)
			assert.Equal(t, []plan.Part{p}, again)
		}
	})
}

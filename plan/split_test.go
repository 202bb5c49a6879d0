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

func TestSplit(t *testing.T) {
	part := func(dir string, argv ...string) plan.Part { return plan.Part{Dir: dir, Argv: argv} }
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

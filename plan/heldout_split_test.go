package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/plan"
)

func TestHeldoutSplitEnv(t *testing.T) {
	for _, c := range []struct {
		line      string
		env, argv []string
	}{
		{`prog`, nil, []string{"prog"}},
		{`A=1 prog`, []string{"A=1"}, []string{"prog"}},
		{`A=1 B=2 A=3 prog x`, []string{"A=1", "B=2", "A=3"}, []string{"prog", "x"}},
		{"\tA=1 \t prog ", []string{"A=1"}, []string{"prog"}},
		{`A= prog`, []string{"A="}, []string{"prog"}},
		{`A='' prog`, []string{"A="}, []string{"prog"}},
		{`A='x y' prog`, []string{"A=x y"}, []string{"prog"}},
		{`A="x  y" prog`, []string{"A=x  y"}, []string{"prog"}},
		{`A="a"'b'c\d prog`, []string{"A=abcd"}, []string{"prog"}},
		{`A=x\ y prog`, []string{"A=x y"}, []string{"prog"}},
		{`'K=v' x`, nil, []string{"K=v", "x"}},
		{`K''=v x`, nil, []string{"K=v", "x"}},
		{`"K"=v x`, nil, []string{"K=v", "x"}},
		{`K\=v x`, nil, []string{"K=v", "x"}},
		{`K'='v x`, nil, []string{"K=v", "x"}},
		{`\K=v x`, nil, []string{"K=v", "x"}},
		{`A=1 'K=v' B=2`, []string{"A=1"}, []string{"K=v", "B=2"}},
		{`_a1=b prog`, []string{"_a1=b"}, []string{"prog"}},
		{`1A=b prog`, nil, []string{"1A=b", "prog"}},
		{`A-B=c prog`, nil, []string{"A-B=c", "prog"}},
		{`=b prog`, nil, []string{"=b", "prog"}},
		{`prog A=1`, nil, []string{"prog", "A=1"}},
		{`A=1 prog B=2`, []string{"A=1"}, []string{"prog", "B=2"}},
		{`A=a=b prog`, []string{"A=a=b"}, []string{"prog"}},
		{`A==b prog`, []string{"A==b"}, []string{"prog"}},
		{`P=/a:/b prog`, []string{"P=/a:/b"}, []string{"prog"}},
		{`A='~' prog`, []string{"A=~"}, []string{"prog"}},
		{`A=\~ prog`, []string{"A=~"}, []string{"prog"}},
		{`A="~/x:~/y" prog`, []string{"A=~/x:~/y"}, []string{"prog"}},
		{`A=x~ prog`, []string{"A=x~"}, []string{"prog"}},
		{`A=a/~/b prog`, []string{"A=a/~/b"}, []string{"prog"}},
		{`A='$HOME' prog`, []string{"A=$HOME"}, []string{"prog"}},
		{`A='a && b' prog`, []string{"A=a && b"}, []string{"prog"}},
		{`A=1 'if'`, []string{"A=1"}, []string{"if"}},
		{`A=if prog`, []string{"A=if"}, []string{"prog"}},
		{`A=#x prog`, []string{"A=#x"}, []string{"prog"}},
		{`A="\[done\]" grep`, []string{`A=\[done\]`}, []string{"grep"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			env, argv, err := command.SplitEnv(c.line)
			require.NoError(t, err)
			assert.ElementsMatch(t, c.env, env)
			if len(c.env) > 0 {
				assert.Equal(t, c.env, env)
			}
			assert.Equal(t, c.argv, argv)
		})
	}
}

func TestHeldoutSplitEnvRefused(t *testing.T) {
	for _, c := range []struct {
		line, class string
		offset      int
	}{
		{`A=1`, command.ClassAssignment, 0},
		{`  A=1`, command.ClassAssignment, 2},
		{`A=1 B=2`, command.ClassAssignment, 0},
		{`A=`, command.ClassAssignment, 0},
		{`A+=1 prog`, command.ClassAssignment, 0},
		{`A=1 B+=2 prog`, command.ClassAssignment, 4},
		{`A=~ prog`, command.ClassTilde, 2},
		{`A=~/x prog`, command.ClassTilde, 2},
		{`A=b:~c prog`, command.ClassTilde, 4},
		{`A=b=~c prog`, command.ClassTilde, 4},
		{`A=1 B=~ prog`, command.ClassTilde, 6},
		{`A=1 if`, command.ClassReservedWord, 4},
		{`A=1 ! prog`, command.ClassReservedWord, 4},
		{`A=1 time prog`, command.ClassReservedWord, 4},
		{`if prog`, command.ClassReservedWord, 0},
		{`A=$X prog`, command.ClassExpansion, 2},
		{`A="$X" prog`, command.ClassExpansion, 3},
		{"A=`x` prog", command.ClassSubstitution, 2},
		{`A=$(x) prog`, command.ClassSubstitution, 2},
		{`A=* prog`, command.ClassGlob, 2},
		{`A={a,b} prog`, command.ClassBrace, 2},
		{`A=1 prog; x`, command.ClassOperator, 8},
		{`A=1 prog && x`, command.ClassOperator, 9},
		{`A='x prog`, command.ClassUnterminated, 2},
		{"A=1 prog \x01", command.ClassControlChar, 9},
		{``, command.ClassEmpty, 0},
	} {
		t.Run(c.line, func(t *testing.T) {
			_, _, err := command.SplitEnv(c.line)
			var e *command.SplitError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.class, e.Class)
			assert.Equal(t, c.offset, e.Offset)
		})
	}
}

func part(dir string, argv ...string) plan.Part { return plan.Part{Dir: dir, Argv: argv} }

func envPart(dir string, env []string, argv ...string) plan.Part {
	return plan.Part{Dir: dir, Env: env, Argv: argv}
}

func assertParts(t *testing.T, want, got []plan.Part) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		assert.Equal(t, want[i].Dir, got[i].Dir)
		assert.Equal(t, len(want[i].Env), len(got[i].Env))
		if len(want[i].Env) > 0 {
			assert.Equal(t, want[i].Env, got[i].Env)
		}
		assert.Equal(t, want[i].Argv, got[i].Argv)
	}
}

func TestHeldoutSplit(t *testing.T) {
	for _, c := range []struct {
		line string
		want []plan.Part
	}{
		{`go vet ./...`, []plan.Part{part("", "go", "vet", "./...")}},
		{`a && b`, []plan.Part{part("", "a"), part("", "b")}},
		{`a&&b`, []plan.Part{part("", "a"), part("", "b")}},
		{`a && b&& c`, []plan.Part{part("", "a"), part("", "b"), part("", "c")}},
		{`A=1 x && B=2 y`, []plan.Part{envPart("", []string{"A=1"}, "x"), envPart("", []string{"B=2"}, "y")}},
		{`A=1 x && y`, []plan.Part{envPart("", []string{"A=1"}, "x"), part("", "y")}},
		{`a "&&" b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a '&&' b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a \&\& b`, []plan.Part{part("", "a", "&&", "b")}},
		{`a 'b && c' && d`, []plan.Part{part("", "a", "b && c"), part("", "d")}},
		{`grep -q "\[done\]" log`, []plan.Part{part("", "grep", "-q", `\[done\]`, "log")}},
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
		t.Run(c.line, func(t *testing.T) {
			got, err := plan.Split(c.line)
			require.NoError(t, err)
			assertParts(t, c.want, got)
		})
	}
}

func TestHeldoutSplitRefused(t *testing.T) {
	for _, c := range []struct {
		line, class string
		offset      int // -1: the spec does not say
	}{
		{``, command.ClassEmpty, 0},
		{"  \t ", command.ClassEmpty, -1},
		{`a &&`, command.ClassOperator, 2},
		{`&& a`, command.ClassOperator, 0},
		{`a && && b`, command.ClassOperator, -1},
		{`&&`, command.ClassOperator, 0},
		{`a || b`, command.ClassOperator, 2},
		{`a | b`, command.ClassOperator, 2},
		{`a ; b`, command.ClassOperator, 2},
		{`a & b`, command.ClassOperator, 2},
		{`a &`, command.ClassOperator, 2},
		{`a > f`, command.ClassOperator, 2},
		{`a 2>&1`, command.ClassOperator, 3},
		{`a < f`, command.ClassOperator, 2},
		{`(a)`, command.ClassOperator, 0},
		{`a &&& b`, command.ClassOperator, -1},
		{`a \&& b`, command.ClassOperator, 4},
		{"a\nb", command.ClassOperator, 1},
		{"a &&\nb", command.ClassOperator, -1},
		{`a && b | c`, command.ClassOperator, 7},
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
		{`A=1 && b`, command.ClassAssignment, 0},
		{`b && A=1`, command.ClassAssignment, 5},
		{`b && A=1 && c`, command.ClassAssignment, 5},
		{`b && A+=1 c`, command.ClassAssignment, 5},
		{`a && if`, command.ClassReservedWord, 5},
		{`a && A=1 while x`, command.ClassReservedWord, 9},
		{`a && time b`, command.ClassReservedWord, 5},
		{`a && 'b`, command.ClassUnterminated, 5},
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
		{`cd && x`, "cd", 0},
		{`cd a b && x`, "cd", 0},
		{`A=1 cd a && x`, "cd", 4},
		{`cd - && x`, "cd", 0},
		{`x && cd - && y`, "cd", 5},
		{`cd /tmp && x`, "cd", 0},
		{`cd / && x`, "cd", 0},
		{`cd "/tmp" && x`, "cd", 0},
		{`cd .. && x`, "cd", 0},
		{`cd a/../.. && x`, "cd", 0},
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
	} {
		t.Run(c.line, func(t *testing.T) {
			_, err := plan.Split(c.line)
			var e *command.SplitError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.class, e.Class)
			if c.offset >= 0 {
				assert.Equal(t, c.offset, e.Offset)
			}
		})
	}
}

func TestHeldoutSplitBuiltins(t *testing.T) {
	for _, name := range []string{".", ":", "alias", "bg", "bind", "break", "builtin", "caller", "continue", "declare",
		"dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "fg", "getopts", "help", "jobs", "let", "local",
		"logout", "mapfile", "popd", "pushd", "readarray", "readonly", "return", "set", "setopt", "shift", "shopt",
		"source", "suspend", "times", "trap", "typeset", "ulimit", "umask", "unalias", "unset"} {
		t.Run(name, func(t *testing.T) {
			_, err := plan.Split("x && " + name + " y")
			var e *command.SplitError
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "builtin", e.Class)
			assert.Equal(t, 5, e.Offset)
		})
	}
}

func TestHeldoutPartString(t *testing.T) {
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
		t.Run(p.String(), func(t *testing.T) {
			got, err := plan.Split(p.String())
			require.NoError(t, err)
			assertParts(t, []plan.Part{p}, got)
		})
	}
}

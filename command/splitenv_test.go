package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSplitEnvAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		env, argv  []string
	}{
		{"no variable", "go test ./...", nil, []string{"go", "test", "./..."}},
		{"one", "CGO_ENABLED=0 go build", []string{"CGO_ENABLED=0"}, []string{"go", "build"}},
		{"order and repetitions stay", "B=2 A=1 B=3 x", []string{"B=2", "A=1", "B=3"}, []string{"x"}},
		{"an empty value", "A= x", []string{"A="}, []string{"x"}},
		{"a quoted value", `A='b c' B="d \"e\"" C=f\ g x`, []string{"A=b c", `B=d "e"`, "C=f g"}, []string{"x"}},
		{"a value with signs", "A=b=c:d x", []string{"A=b=c:d"}, []string{"x"}},
		{"a placeholder", "A={install_dir}/b x", []string{"A={install_dir}/b"}, []string{"x"}},
		{"behind the program it is an argument", "A=1 env B=2", []string{"A=1"}, []string{"env", "B=2"}},
		{"a quoted name starts a program", `'K=v' x`, nil, []string{"K=v", "x"}},
		{"an empty quote in the name too", `K''=v x`, nil, []string{"K=v", "x"}},
		{"and an escaped sign", `A=1 K\=v x`, []string{"A=1"}, []string{"K=v", "x"}},
		{"a quoted tilde", `A='~' B=\~ x`, []string{"A=~", "B=~"}, []string{"x"}},
		{"quotes in sequence", `A="a"'b'c\d x`, []string{"A=abcd"}, []string{"x"}},
		{"an escape that stays", `A="\[b\]" x`, []string{`A=\[b\]`}, []string{"x"}},
		{"an escaped letter of the name", `\K=v x`, nil, []string{"K=v", "x"}},
		{"a quoted sign", `K'='v x`, nil, []string{"K=v", "x"}},
		{"a variable behind a program that looks like one", `A=1 'K=v' B=2`, []string{"A=1"}, []string{"K=v", "B=2"}},
		{"a name that begins with a digit", "1A=b x", nil, []string{"1A=b", "x"}},
		{"a name with a dash", "A-B=c x", nil, []string{"A-B=c", "x"}},
		{"no name at all", "=b x", nil, []string{"=b", "x"}},
		{"a tilde inside a value", "A=b~ B=c/~/d x", []string{"A=b~", "B=c/~/d"}, []string{"x"}},
		{"an operator in quotes", "A='a && b' x", []string{"A=a && b"}, []string{"x"}},
		{"a reserved word as a value", "A=if x", []string{"A=if"}, []string{"x"}},
		{"a quoted reserved word", "A=1 'if'", []string{"A=1"}, []string{"if"}},
		{"the sign of a comment in a value", "A=#b x", []string{"A=#b"}, []string{"x"}},
		{"an empty program", `A=1 ''`, []string{"A=1"}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env, argv, err := command.SplitEnv(tt.line)
			require.NoError(t, err)
			assert.Equal(t, tt.env, env)
			assert.Equal(t, tt.argv, argv)
		})
	}
}

func TestSplitEnvRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, line, class string
		offset            int
	}{
		{"variables only", " A=1 B=2", command.ClassAssignment, 1},
		{"one variable, and empty", "A=", command.ClassAssignment, 0},
		{"an addition", "A=1 B+=2 x", command.ClassAssignment, 4},
		{"an addition and no program", "A=1 B+=2", command.ClassAssignment, 4},
		{"a name in some locales only", "A=1 é=2 x", command.ClassAssignment, 4},
		{"a tilde behind the sign", "A=~/b x", command.ClassTilde, 2},
		{"a tilde behind a colon", "A=b:~ x", command.ClassTilde, 4},
		{"a variable in a value", "A=$B x", command.ClassExpansion, 2},
		{"a tilde behind a second sign", "A=b=~c x", command.ClassTilde, 4},
		{"a tilde in the second", "A=1 B=~ x", command.ClassTilde, 6},
		{"a variable in quotes", `A="$B" x`, command.ClassExpansion, 3},
		{"a substitution in a value", "A=$(b) x", command.ClassSubstitution, 2},
		{"a list in a value", "A={b,c} x", command.ClassBrace, 2},
		{"a chain behind them", "A=1 x && y", command.ClassOperator, 6},
		{"a pattern in a value", "A=* x", command.ClassGlob, 2},
		{"a reserved word behind them", "A=1 if x", command.ClassReservedWord, 4},
		{"an operator behind them", "A=1; x", command.ClassOperator, 3},
		{"a comment behind them", "A=1 # x", command.ClassComment, 4},
		{"an open quote", "A='1 x", command.ClassUnterminated, 2},
		{"a control character", "A=1 \x01", command.ClassControlChar, 4},
		{"nothing", " \n", command.ClassEmpty, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env, argv, err := command.SplitEnv(tt.line)
			assert.Nil(t, env)
			assert.Nil(t, argv)
			var refused *command.SplitError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, command.SplitError{Class: tt.class, Offset: tt.offset}, *refused)
		})
	}
}

// Split refuses what SplitEnv takes for variables and all that it refuses, at the
// same place, unless the variables themselves come first.
func TestSplitEnvIsSplitWithoutVariables(t *testing.T) {
	for _, tt := range refusedLines {
		_, _, err := command.SplitEnv(tt.line)
		if tt.class == command.ClassAssignment {
			continue
		}
		assert.Equal(t, error(refuse(t, tt.line)), err, "%q", tt.line)
	}
}

// TestSplitEnvStarts has shells start a real program, which tells the variables
// that a function would see without their being exported.
func TestSplitEnvStarts(t *testing.T) {
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skipf("no env on this machine: %v", err)
	}
	var lines []string
	for g := newLineSource(3); len(lines) < 300; {
		var b strings.Builder
		g.assignments(&b)
		if _, argv, err := command.SplitEnv(b.String() + "x"); err == nil && argv[0] == "x" {
			lines = append(lines, b.String()+env)
		}
	}
	for _, s := range shells[:2] {
		t.Run(s.name, func(t *testing.T) {
			if why := s.missing(); why != "" {
				t.Skip(why)
			}
			file := filepath.Join(t.TempDir(), "script")
			script := "unset A a X _1 PWD OLDPWD SHLVL\n" + strings.Join(lines, " -0; printf '\\001\\n'\n") + " -0; printf '\\001\\n'\n"
			require.NoError(t, os.WriteFile(file, []byte(script), 0o600))
			cmd := exec.CommandContext(t.Context(), s.argv[0], append(s.argv[1:], file)...)
			cmd.Dir, cmd.Env = oddDirectory(t), []string{"PATH=/nonexistent", "HOME=/home/odd"}
			out, err := cmd.Output()
			require.NoError(t, err)
			records := strings.Split(string(out), "\x01\n")
			require.Len(t, records, len(lines)+1)
			for i, line := range lines {
				assert.Equal(t, lastValues(t, line), seen(records[i]), "%q", line)
			}
		})
	}
}

// lastValues returns the variables of a line; of those set twice the last counts.
func lastValues(t *testing.T, line string) map[string]string {
	t.Helper()
	env, _, err := command.SplitEnv(line)
	require.NoError(t, err)
	values := map[string]string{}
	for _, set := range env {
		name, value, _ := strings.Cut(set, "=")
		values[name] = value
	}
	return values
}

// seen returns the variables that env -0 wrote, without those of the shell's own.
func seen(record string) map[string]string {
	values := map[string]string{}
	for set := range strings.SplitSeq(strings.TrimSuffix(record, "\x00"), "\x00") {
		switch name, value, _ := strings.Cut(set, "="); name {
		case "PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_", "":
		default:
			values[name] = value
		}
	}
	return values
}

//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mend": main, "fix-and-die": fixAndDie})
}

// TestScripts goes through every command and every error as people do. The tools in
// testdata/tools are on the scripts' PATH, and $SANDBOX is the flag for the best
// sandbox that works here.
func TestScripts(t *testing.T) {
	sandbox := "--sandbox=auto"
	if _, err := mend.NewLocalSandbox(nil).Isolation(); err != nil {
		t.Log("the scripts' tools run without isolation: ", err)
		sandbox = "--sandbox=plain"
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			bin := filepath.Join(env.WorkDir, "bin")
			env.Setenv("SANDBOX", sandbox)
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			return os.CopyFS(bin, os.DirFS("testdata/tools"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "mode": mode, "cut": cut},
	})
}

// exits runs a program that has to end with the given code: exits 2 mend check.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = err.Error()[len("exit status "):]
	}
	if code != args[0] {
		ts.Fatalf("it exited with %s, not with %s", code, args[0])
	}
}

// mode compares a file's permissions: mode 0640 FILE.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("the mode of %s is %s, not %s", args[1], got, args[0])
	}
}

// cut shortens a file by some bytes: cut FILE BYTES.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), info.Size()-int64(n)))
}

// write makes a file for a test.
func write(t *testing.T, path, text string, perm os.FileMode) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), perm))
}

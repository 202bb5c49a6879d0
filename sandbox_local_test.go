package mend_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// levels are the levels of isolation that a sandbox can have.
var levels = []mend.Isolation{mend.IsolationBubblewrap, mend.IsolationNamespaces, mend.IsolationPlain}

// eachLevel runs a test at each level of isolation that this machine has.
func eachLevel(t *testing.T, test func(*testing.T, mend.Isolation)) {
	atLevels(t, levels, test)
}

// eachIsolated runs a test at each level that keeps programs from anything.
func eachIsolated(t *testing.T, test func(*testing.T, mend.Isolation)) {
	atLevels(t, levels[:2], test)
}

func atLevels(t *testing.T, levels []mend.Isolation, test func(*testing.T, mend.Isolation)) {
	for _, level := range levels {
		t.Run(level.String(), func(t *testing.T) {
			needLevel(t, level)
			test(t, level)
		})
	}
}

// needLevel skips a test on a machine without that level of isolation.
func needLevel(t testing.TB, level mend.Isolation) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("this test runs programs of Unix")
	}
	_, err := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: level}).Isolation()
	if errors.Is(err, mend.ErrSandboxUnavailable) {
		t.Skipf("this machine cannot isolate like this: %v", err)
	}
	require.NoError(t, err)
}

// sharedDir returns a directory that other users can pass, for root's programs
// run as another.
func sharedDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mend-test-")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(dir)) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return dir
}

// file is a file to be installed.
type file struct {
	content string
	mode    os.FileMode // 0 means 0o755
}

// installer returns an Installer that installs files.
func installer(files map[string]file) func(context.Context, *mend.Recipe, string) (mend.Installed, error) {
	return func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
		for name, f := range files {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return mend.Installed{}, err
			}
			mode := f.mode
			if mode == 0 {
				mode = 0o755
			}
			if err := os.WriteFile(path, []byte(f.content), mode); err != nil {
				return mend.Installed{}, err
			}
		}
		return mend.Installed{Version: "1.2.3"}, nil
	}
}

// install installs an empty recipe, and sees that nothing is left of it in the
// end. The options get a Dir.
func install(t testing.TB, opts mend.LocalOptions) mend.Environment {
	t.Helper()
	opts.Dir = sharedDir(t)
	env, err := mend.NewLocalSandbox(&opts).Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, env.Close())
		left, err := os.ReadDir(opts.Dir)
		assert.NoError(t, err)
		assert.Empty(t, left, "closing leaves nothing behind")
	})
	return env
}

// run runs a program that must not be an error.
func run(t testing.TB, env mend.Environment, argv ...string) mend.Observation {
	t.Helper()
	obs, err := env.Run(t.Context(), mend.Command{Argv: argv, Timeout: time.Minute})
	require.NoError(t, err)
	return obs
}

func TestIsolationString(t *testing.T) {
	for level, want := range map[mend.Isolation]string{
		mend.IsolationNone:       "none",
		mend.IsolationPlain:      "plain",
		mend.IsolationNamespaces: "namespaces",
		mend.IsolationBubblewrap: "bubblewrap",
		mend.Isolation(9):        "Isolation(9)",
		mend.Isolation(-1):       "Isolation(-1)",
	} {
		assert.Equal(t, want, level.String())
	}
	assert.Less(t, mend.IsolationNone, mend.IsolationPlain)
	assert.Less(t, mend.IsolationPlain, mend.IsolationNamespaces)
	assert.Less(t, mend.IsolationNamespaces, mend.IsolationBubblewrap)
}

func TestLocalSandboxUnavailable(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // where no bwrap is
	s := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: mend.IsolationBubblewrap, AllowPlain: true})
	level, err := s.Isolation()
	assert.Equal(t, mend.IsolationNone, level)
	require.ErrorIs(t, err, mend.ErrSandboxUnavailable)
	assert.NotContains(t, err.Error(), "\n")
	env, err := s.Install(t.Context(), &mend.Recipe{})
	assert.Nil(t, env)
	assert.ErrorIs(t, err, mend.ErrSandboxUnavailable)
}

func TestLocalSandboxIsPlainOnlyIfAllowed(t *testing.T) {
	level, err := mend.NewLocalSandbox(nil).Isolation()
	if err == nil {
		assert.Greater(t, level, mend.IsolationPlain)
	} else {
		assert.ErrorIs(t, err, mend.ErrSandboxUnavailable)
	}
	allowed, err := mend.NewLocalSandbox(&mend.LocalOptions{AllowPlain: true}).Isolation()
	require.NoError(t, err)
	assert.Equal(t, max(level, mend.IsolationPlain), allowed, "the best there is")
	pinned, err := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: mend.IsolationPlain}).Isolation()
	require.NoError(t, err)
	assert.Equal(t, mend.IsolationPlain, pinned)
}

func TestLocalInstallPassesErrorsOn(t *testing.T) {
	broken := &mend.InstallError{Step: 1, Action: "extract", Err: errors.New("no such archive")}
	offline := errors.New("the registry does not answer")
	for name, want := range map[string]error{"recipe's fault": broken, "nobody's fault": offline} {
		t.Run(name, func(t *testing.T) {
			dir := sharedDir(t)
			s := mend.NewLocalSandbox(&mend.LocalOptions{
				Isolation: mend.IsolationPlain,
				Dir:       dir,
				Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
					require.NoError(t, os.WriteFile(filepath.Join(dir, "half"), nil, 0o400))
					require.NoError(t, os.Chmod(dir, 0o500))
					return mend.Installed{}, want
				},
			})
			env, err := s.Install(t.Context(), &mend.Recipe{})
			assert.Nil(t, env)
			assert.Equal(t, want, err)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left, "a failed install leaves nothing behind")
		})
	}
}

func TestLocalInstallStopsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("closing time")
	dir := sharedDir(t)
	s := mend.NewLocalSandbox(&mend.LocalOptions{
		Isolation: mend.IsolationPlain,
		Dir:       dir,
		Installer: func(context.Context, *mend.Recipe, string) (mend.Installed, error) {
			cancel(cause)
			return mend.Installed{}, nil // without a look at ctx
		},
	})
	_, err := s.Install(ctx, &mend.Recipe{})
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, cause)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestLocalInstalled(t *testing.T) {
	elsewhere := sharedDir(t)
	tests := map[string]struct {
		says    mend.Installed
		wantDir string // "" for the one that the Installer was given
		wantErr string
	}{
		"a version":         {says: mend.Installed{Version: "2.0"}},
		"another directory": {says: mend.Installed{Dir: elsewhere}, wantDir: elsewhere},
		"a relative one":    {says: mend.Installed{Dir: "install"}, wantErr: "install"},
		"the root":          {says: mend.Installed{Dir: "/"}, wantErr: `"/" cannot be made visible`},
		"one that is not":   {says: mend.Installed{Dir: elsewhere + "/none"}, wantErr: "no such file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			given := ""
			s := mend.NewLocalSandbox(&mend.LocalOptions{
				Isolation: mend.IsolationPlain,
				Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
					given = dir
					return test.says, nil
				},
			})
			env, err := s.Install(t.Context(), &mend.Recipe{})
			if test.wantErr != "" {
				assert.ErrorContains(t, err, test.wantErr)
				return
			}
			require.NoError(t, err)
			want := test.says
			if want.Dir = test.wantDir; want.Dir == "" {
				want.Dir = given
			}
			assert.Equal(t, want, env.Installed())
			assert.True(t, filepath.IsAbs(given))
			require.NoError(t, env.Close())
			assert.NoDirExists(t, given)
			assert.DirExists(t, elsewhere, "what is not ours stays")
		})
	}
}

func TestLocalWithoutInstaller(t *testing.T) {
	env := install(t, mend.LocalOptions{Isolation: mend.IsolationPlain})
	assert.Zero(t, env.Installed())
}

func TestLocalCloseRemovesReadOnlyTrees(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{
			Isolation: level,
			Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
				deep := filepath.Join(dir, "a", "b")
				require.NoError(t, os.MkdirAll(deep, 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(deep, "f"), nil, 0o444))
				require.NoError(t, os.Chmod(deep, 0o555))
				require.NoError(t, os.Chmod(filepath.Dir(deep), 0o555))
				return mend.Installed{}, nil
			},
		})
		require.NoError(t, env.Close())
		assert.NoError(t, env.Close(), "a second time")
		_, err := env.Run(t.Context(), mend.Command{Argv: []string{"true"}})
		assert.ErrorIs(t, err, os.ErrClosed)
	})
}

func TestLocalRunRefusesCommandsThatAreNone(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		for want, cmd := range map[string]mend.Command{
			"without a program":          {},
			"NUL":                        {Argv: []string{"true", "a\x00b"}},
			`"NOVALUE" is not NAME`:      {Argv: []string{"true"}, Env: []string{"NOVALUE"}},
			`"=x" is not NAME`:           {Argv: []string{"true"}, Env: []string{"=x"}},
			`"A=\x00" is not NAME=value`: {Argv: []string{"true"}, Env: []string{"A=\x00"}},
		} {
			_, err := env.Run(t.Context(), cmd)
			assert.ErrorContains(t, err, want)
		}
	})
}

func TestLocalEnvironmentIsExact(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		t.Setenv("MEND_TEST_INHERITED", "yes")
		extra := sharedDir(t)
		env := install(t, mend.LocalOptions{
			Isolation: level,
			Path:      []string{extra},
			Installer: installer(map[string]file{"bin/tool": {content: "#!/bin/sh\n"}}),
		})
		obs, err := env.Run(t.Context(), mend.Command{
			Argv: []string{"env"},
			Env:  []string{"TERM=xterm", "A.b-c=x y'z\"", "A.b-c=last"},
		})
		require.NoError(t, err)
		got := make(map[string]string)
		for line := range strings.Lines(obs.Stdout) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			require.NotContains(t, got, name, "no variable comes twice")
			got[name] = value
		}
		dir := env.Installed().Dir
		path := strings.Join([]string{dir + "/bin", dir, extra, "/usr/local/sbin:"}, ":")
		assert.Truef(t, strings.HasPrefix(got["PATH"], path), "%s begins with %s", got["PATH"], path)
		for _, name := range []string{"HOME", "TMPDIR", "USER"} {
			assert.NotEmpty(t, got[name], name)
		}
		assert.Equal(t, map[string]string{
			"LANG": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1", "PAGER": "cat", "SHELL": "/bin/sh", "A.b-c": "last",
			"PATH": got["PATH"], "HOME": got["HOME"], "TMPDIR": got["TMPDIR"], "USER": got["USER"], "LOGNAME": got["USER"],
		}, got)
	})
}

func TestLocalWorkPersists(t *testing.T) {
	dir := t.TempDir()
	s := mend.NewLocalSandbox(&mend.LocalOptions{Work: dir})
	level, err := s.Isolation()
	require.NoError(t, err)
	assert.Equal(t, mend.IsolationPlain, level, "nothing else lets files persist")
	env := install(t, mend.LocalOptions{Work: dir})
	require.Zero(t, run(t, env, "sh", "-c", "echo kept >file; echo gone >$TMPDIR/file").ExitCode)
	assert.Equal(t, "kept\n", run(t, env, "cat", "file").Stdout)
	assert.NotZero(t, run(t, env, "sh", "-c", "cat $TMPDIR/file").ExitCode, "other directories are fresh")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "own"), []byte("#!/bin/sh\necho own\n"), 0o755))
	assert.Equal(t, "own\n", run(t, env, "./own").Stdout, "a path is relative to it")
	require.NoError(t, env.Close())
	assert.FileExists(t, filepath.Join(dir, "file"))
}

func TestLocalWorkRefuses(t *testing.T) {
	_, err := mend.NewLocalSandbox(&mend.LocalOptions{Work: "relative"}).Install(t.Context(), nil)
	assert.ErrorContains(t, err, `"relative"`)
	_, err = mend.NewLocalSandbox(&mend.LocalOptions{Work: t.TempDir(), Isolation: mend.IsolationBubblewrap}).Install(t.Context(), nil)
	assert.ErrorIs(t, err, mend.ErrSandboxUnavailable)
	assert.ErrorContains(t, err, "plain")
}

func TestLocalTimeoutDefault(t *testing.T) {
	env := install(t, mend.LocalOptions{Isolation: mend.IsolationPlain, Timeout: 50 * time.Millisecond})
	obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"sleep", "60"}})
	require.NoError(t, err)
	assert.True(t, obs.TimedOut)
	assert.GreaterOrEqual(t, obs.Duration, 50*time.Millisecond)
	assert.Less(t, obs.Duration, 30*time.Second)
}

func TestLocalOutputLimit(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level, OutputLimit: 10})
		obs := run(t, env, "sh", "-c", `printf 'ééé1234567890ééé'; printf '0123456789' >&2`)
		assert.Equal(t, "éé\n[... 14 bytes omitted ...]\néé", obs.Stdout)
		assert.Equal(t, "0123456789", obs.Stderr)
		assert.True(t, obs.Truncated)
	})
}

func TestLocalRunsLeaveNoGoroutines(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		run(t, env, "true")
		before := runtime.NumGoroutine()
		for range 5 {
			run(t, env, "sh", "-c", "exit 3")
			run(t, env, "no-such-program")
		}
		for end := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
			runtime.Gosched() // goroutines that have done their work may not have ended yet
		}
		assert.LessOrEqual(t, runtime.NumGoroutine(), before)
	})
}

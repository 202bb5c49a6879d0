package mend_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLocalSandboxKeepsTheContract(t *testing.T) {
	files := map[string]file{"bin/tool": {"#!/bin/sh\necho tool 1.2.3\n", 0o700}}
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		dir := sharedDir(t)
		s := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: level, Dir: dir, Installer: installer(files)})
		assert.NoError(t, mendtest.TestSandbox(t.Context(), s))
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
}

func TestPlainProcessesAreNoIsolation(t *testing.T) {
	files := map[string]file{"bin/tool": {content: "#!/bin/sh\necho tool 1.2.3\n"}}
	s := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: mend.IsolationPlain, Installer: installer(files)})
	err := mendtest.TestSandbox(t.Context(), s)
	require.Error(t, err)
	broken := make(map[string]bool)
	for line := range strings.Lines(err.Error()) {
		if clause, _, ok := strings.Cut(line, ":"); ok {
			broken[clause] = true
		}
	}
	assert.Equal(t, map[string]bool{"installed tree": true, "network": true, "host files": true}, broken,
		"plain processes keep every clause but those, and fail those: %v", err)
}

// TestLocalStreamsCanBeReopened is for tools that write to /dev/stderr, which is
// a pipe of another user if the caller is root.
func TestLocalStreamsCanBeReopened(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		obs := run(t, env, "sh", "-c", `echo out >/dev/stdout; echo err >/dev/stderr; echo null >/dev/null`)
		assert.Equal(t, "out\n", obs.Stdout)
		assert.Equal(t, "err\n", obs.Stderr)
		assert.Zero(t, obs.ExitCode)
	})
}

func TestLocalPrograms(t *testing.T) {
	tests := map[string]struct {
		script string
		want   string
	}{
		"no descriptors besides the streams": {`ls /proc/self/fd`, "0\n1\n2\n3\n"}, // 3 is the listing's
		"a name for the user":                {`[ "$(id -un)" = "$USER" ] && id -gn >/dev/null && echo yes`, "yes\n"},
		"limits":                             {`while [ "$(ulimit -f)" = unlimited ]; do :; done; ulimit -c`, "0\n"}, // for a plain process, soon
		"temporary files":                    {`f=$(mktemp) && echo x >"$f" && mv "$f" "$HOME/y" && cat "$HOME/y"`, "x\n"},
		"programs in HOME":                   {`printf '#!/bin/sh\necho z\n' >z; chmod +x z; ./z`, "z\n"},
		"the parents of a session":           {`[ "$(cut -d' ' -f7 /proc/self/stat)" = 0 ] && echo no terminal`, "no terminal\n"},
	}
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		inherited, err := syscall.Open("/", syscall.O_RDONLY, 0) // without O_CLOEXEC
		require.NoError(t, err)
		defer syscall.Close(inherited)
		env := install(t, mend.LocalOptions{Isolation: level})
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				obs := run(t, env, "sh", "-c", test.script+"; :")
				assert.Equal(t, test.want, obs.Stdout, obs.Stderr)
			})
		}
	})
}

// TestLocalHasNoTerminal runs itself with a terminal, which its programs must not
// get hold of.
func TestLocalHasNoTerminal(t *testing.T) {
	const withTerminal = "MEND_TEST_WITH_TERMINAL"
	if os.Getenv(withTerminal) == "" {
		script, err := exec.LookPath("script")
		if err != nil {
			t.Skipf("it takes script to have a terminal: %v", err)
		}
		cmd := exec.Command(script, "-qec", os.Args[0]+" -test.v -test.run '^TestLocalHasNoTerminal$'", "/dev/null")
		cmd.Env = append(os.Environ(), withTerminal+"=1")
		out, err := cmd.CombinedOutput()
		assert.NoError(t, err, "%s", out)
		assert.Contains(t, string(out), "--- PASS: TestLocalHasNoTerminal")
		return
	}
	terminal, err := os.Open("/dev/tty")
	require.NoError(t, err, "this process has a terminal")
	terminal.Close()
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		assert.Equal(t, "none\n", run(t, env, "sh", "-c", `(: </dev/tty) 2>/dev/null || echo none`).Stdout)
	})
}

// TestLocalProgramsDieWithTheCaller runs itself, is killed like this, and leaves
// nothing running. Root's programs once went on, because bubblewrap may not kill
// what another user runs.
func TestLocalProgramsDieWithTheCaller(t *testing.T) {
	const marker = "MEND_TEST_DIES"
	if name := os.Getenv(marker); name != "" {
		eachIsolated(t, func(t *testing.T, level mend.Isolation) {
			env := install(t, mend.LocalOptions{Isolation: level})
			run(t, env, "sh", "-c", "trap '' HUP TERM; sleep 60; :", name)
		})
		return
	}
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		name := fmt.Sprintf("mend-dies-%d-%s", os.Getpid(), level)
		cmd := exec.Command(os.Args[0], "-test.run", "^TestLocalProgramsDieWithTheCaller$/^"+level.String()+"$")
		cmd.Env = append(os.Environ(), marker+"="+name, "TMPDIR="+sharedDir(t))
		require.NoError(t, cmd.Start())
		up := within(func() bool { return len(processes(name, isArgument)) > 0 })
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
		require.True(t, up, "the program started")
		assert.True(t, within(func() bool { return len(processes(name, anywhere)) == 0 }), "and died")
	})
}

// anywhere and isArgument say where a word has to stand in a command line.
func anywhere(line, word string) bool   { return strings.Contains(line, word) }
func isArgument(line, word string) bool { return slices.Contains(strings.Split(line, "\x00"), word) }

// processes returns the processes that have a word in their command lines.
func processes(word string, stands func(line, word string) bool) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && stands(string(line), word) {
			found = append(found, file)
		}
	}
	return found
}

// within waits until a condition holds, and reports whether it did in a minute.
func within(condition func() bool) bool {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if condition() {
			return true
		}
	}
	return false
}

// TestLocalFreshDirectoriesKeepTheirNames is for tools that print paths in their
// HOME: a check made of one run's output has to pass in the next.
func TestLocalFreshDirectoriesKeepTheirNames(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		const script = `echo "$HOME $TMPDIR"; pwd; mkdir -p "$HOME/a/b"; chmod 0 "$HOME/a"`
		assert.Equal(t, run(t, env, "sh", "-c", script).Stdout, run(t, env, "sh", "-c", script).Stdout)
	})
}

func TestLocalArgumentsTooLong(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		argv := []string{"true", strings.Repeat("x", 200<<10)}
		obs := run(t, env, argv...)
		assert.Equal(t, 126, obs.ExitCode)
		assert.Equal(t, "true: Argument list too long\n", obs.Stderr)
	})
}

// needRoot skips a test for users other than root, whose programs are no other
// user, and for those who are root of a namespace without another.
func needRoot(t *testing.T) {
	t.Helper()
	ids, err := os.ReadFile("/proc/self/uid_map")
	require.NoError(t, err)
	if fields := strings.Fields(string(ids)); os.Geteuid() != 0 || len(fields) == 3 && fields[2] == "1" {
		t.Skip("only root's programs run as another user")
	}
}

func TestLocalKeepsRootsFilesFromPrograms(t *testing.T) {
	needRoot(t)
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		dir := sharedDir(t)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("hunter2"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "public"), []byte("hello"), 0o644))
		env := install(t, mend.LocalOptions{Isolation: level, Visible: []string{dir}})
		obs := run(t, env, "sh", "-c", `id -u; cat "$1/public" "$1/secret" /etc/shadow /etc/gshadow`, "sh", dir)
		assert.Equal(t, "65534\nhello", obs.Stdout)
	})
}

// TestLocalInstallOfATightUmask installs as root what only root may read: its
// programs, which are not root, have to be able to use it all the same.
func TestLocalInstallOfATightUmask(t *testing.T) {
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		outside := filepath.Join(sharedDir(t), "cache")
		require.NoError(t, os.WriteFile(outside, []byte("cached"), 0o600))
		env := install(t, mend.LocalOptions{
			Isolation: level,
			Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
				bin := filepath.Join(dir, "bin")
				require.NoError(t, os.Mkdir(bin, 0o700))
				require.NoError(t, os.WriteFile(filepath.Join(bin, "tool"), []byte("#!/bin/sh\necho ok $(basename $0)\n"), 0o700))
				require.NoError(t, os.Link(filepath.Join(bin, "tool"), filepath.Join(bin, "alias")))
				require.NoError(t, os.Link(outside, filepath.Join(dir, "cached")))
				return mend.Installed{}, os.Symlink("/etc/hostname", filepath.Join(dir, "link"))
			},
		})
		assert.Equal(t, "ok tool\n", run(t, env, "tool").Stdout)
		assert.Equal(t, "ok alias\n", run(t, env, "alias").Stdout)
		info, err := os.Stat(outside)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode(), "a file of others keeps its mode")
	})
}

// TestLocalPathBelowHiddenDirectory is for root's own tools, as in /root/.cargo/bin.
func TestLocalPathBelowHiddenDirectory(t *testing.T) {
	needLevel(t, mend.IsolationBubblewrap)
	hidden := filepath.Join(sharedDir(t), "hidden")
	bin := filepath.Join(hidden, "deep", "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.Chmod(hidden, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "tool"), []byte("#!/bin/sh\nls -A ..\n"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(hidden, "deep", "secret"), nil, 0o644))
	env := install(t, mend.LocalOptions{Isolation: mend.IsolationBubblewrap, Path: []string{bin}})
	assert.Equal(t, "ok\n", run(t, env, "sh", "-c", "tool >/dev/null && echo ok").Stdout)
	assert.Equal(t, "bin\n", run(t, env, "ls", "-A", filepath.Dir(bin)).Stdout, "nothing but the directory is visible")
}

func TestLocalNamespacesSayWhatRootCannotShare(t *testing.T) {
	needLevel(t, mend.IsolationNamespaces)
	needRoot(t)
	hidden := filepath.Join(sharedDir(t), "hidden")
	require.NoError(t, os.MkdirAll(hidden+"/bin", 0o755))
	require.NoError(t, os.Chmod(hidden, 0o700))
	s := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: mend.IsolationNamespaces, Path: []string{hidden + "/bin"}})
	_, err := s.Install(t.Context(), &mend.Recipe{})
	assert.ErrorContains(t, err, hidden+" cannot be passed by other users")
	assert.NotErrorIs(t, err, mend.ErrSandboxUnavailable)
}

// TestLocalHostSocketsAreOutOfReach is about services that listen on a file, such
// as a container engine, which no network namespace keeps anyone from.
func TestLocalHostSocketsAreOutOfReach(t *testing.T) {
	if _, err := os.Stat("/usr/bin/perl"); err != nil {
		t.Skipf("it takes perl to open a socket: %v", err)
	}
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		path := filepath.Join(sharedDir(t), "socket")
		l, err := net.Listen("unix", path)
		require.NoError(t, err)
		defer l.Close()
		require.NoError(t, os.Chmod(path, 0o777))
		env := install(t, mend.LocalOptions{Isolation: level})
		obs := run(t, env, "perl", "-MIO::Socket::UNIX", "-e", `print IO::Socket::UNIX->new(Peer => $ARGV[0]) ? "connected" : "refused"`, path)
		assert.Equal(t, "refused", obs.Stdout, obs.Stderr)
		inside := run(t, env, "perl", "-e", `use Socket; for ($ARGV[0] + 0, AF_INET) { print socket(my $s, $_, SOCK_STREAM, 0) ? "yes " : "no " }`, strconv.Itoa(40))
		assert.Equal(t, "no yes ", inside.Stdout, "there are sockets of the Internet, and none of virtual machines")
	})
}

// TestLocalProgramsCannotChangeTheHost lets a program try all it can on a
// directory that everyone may write to.
func TestLocalProgramsCannotChangeTheHost(t *testing.T) {
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		dir := sharedDir(t)
		require.NoError(t, os.Chmod(dir, 0o777))
		kept := filepath.Join(dir, "kept")
		require.NoError(t, os.WriteFile(kept, []byte("as it was"), 0o644))
		require.NoError(t, os.Chmod(kept, 0o666))
		env := install(t, mend.LocalOptions{Isolation: level, Visible: []string{dir}})
		obs := run(t, env, "sh", "-c", `cd "$1" && cat kept; echo x >new; mkdir d; ln -s x l; echo x >kept; truncate -s 0 kept; mv kept gone; rm -f kept; mount -t tmpfs none /opt; : `, "sh", dir)
		assert.Equal(t, "as it was", obs.Stdout, "it can be read")
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		content, err := os.ReadFile(kept)
		require.NoError(t, err)
		assert.Equal(t, "as it was", string(content))
	})
}

// TestLocalReportsCannotBeForged lets a program write to the supervisor's reports,
// which once ended the program that ran the sandbox.
func TestLocalReportsCannotBeForged(t *testing.T) {
	eachIsolated(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		const forge = `to=/proc/$(cut -d' ' -f4 /proc/$$/stat)/fd/1
			(printf 'start\n"child-pid": %d,\nstart\nend x\nend -1\nend 7\n' "$1" >"$to") 2>/dev/null || exit 7 # of another user, for root
			sleep 60`
		obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"sh", "-c", forge, "sh", strconv.Itoa(os.Getpid())}, Timeout: time.Minute})
		require.NoError(t, err)
		assert.Equal(t, 7, obs.ExitCode, "a program may say how it ends")
		assert.False(t, obs.TimedOut)
		assert.Less(t, obs.Duration, 30*time.Second)
		assert.Zero(t, run(t, env, "true").ExitCode)
	})
}

func TestLocalSandboxThatFailsIsAnError(t *testing.T) {
	needLevel(t, mend.IsolationBubblewrap)
	dir := sharedDir(t)
	env, err := mend.NewLocalSandbox(&mend.LocalOptions{Isolation: mend.IsolationBubblewrap, Dir: dir}).Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	defer env.Close()
	passwd, err := filepath.Glob(filepath.Join(dir, "*", "passwd"))
	require.NoError(t, err)
	require.Len(t, passwd, 1)
	require.NoError(t, os.Remove(passwd[0]))
	obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"true"}})
	assert.ErrorContains(t, err, "run true: the sandbox ended without a report")
	assert.ErrorContains(t, err, "passwd", "and what bubblewrap says about it")
	assert.Zero(t, obs)
}

// TestLocalContextEndsAtAnyTime ends runs in every phase of their start.
func TestLocalContextEndsAtAnyTime(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		marker := fmt.Sprintf("mend-test-%d-%s", os.Getpid(), level)
		for i := range 40 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*400*time.Microsecond)
			_, err := env.Run(ctx, mend.Command{Argv: []string{"sh", "-c", "sleep 60; :", marker}, Timeout: time.Minute})
			cancel()
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		assert.Empty(t, processes(marker, anywhere), "what was begun is dead")
		assert.Zero(t, run(t, env, "true").ExitCode, "the next run works")
	})
}

func ExampleLocalSandbox() {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{
		Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
			tool := "#!/bin/sh\necho hello, version 1.2.3\n"
			return mend.Installed{Version: "1.2.3"}, os.WriteFile(filepath.Join(dir, "hello"), []byte(tool), 0o755)
		},
		AllowPlain: true, // where there is nothing better
	})
	env, err := sandbox.Install(context.Background(), &mend.Recipe{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer env.Close()
	obs, err := env.Run(context.Background(), mend.Command{Argv: []string{"hello", "--version"}})
	fmt.Printf("%q %d %v\n", obs.Stdout, obs.ExitCode, err)
	// Output: "hello, version 1.2.3\n" 0 <nil>
}

func BenchmarkLocalRun(b *testing.B) {
	b.Run("exec", func(b *testing.B) {
		for b.Loop() {
			p, err := os.StartProcess("/bin/true", []string{"true"}, &os.ProcAttr{})
			require.NoError(b, err)
			_, err = p.Wait()
			require.NoError(b, err)
		}
	})
	for _, level := range levels {
		b.Run(level.String(), func(b *testing.B) {
			needLevel(b, level)
			env := install(b, mend.LocalOptions{Isolation: level})
			for b.Loop() {
				if obs := run(b, env, "true"); obs.ExitCode != 0 {
					b.Fatal(obs)
				}
			}
		})
	}
}

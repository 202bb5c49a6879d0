package mend_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/testengine"
	"github.com/mendkit/mend/mendtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// containers returns what is in the engine's store, by a label or a name if one is
// given.
func containers(t testing.TB, p testengine.Engine, filter ...string) []string {
	t.Helper()
	args := []string{"ps", "--all", "--no-trunc", "--format={{.Names}}"}
	for _, f := range filter {
		args = append(args, "--filter="+f)
	}
	out, err := p.Run(args...)
	require.NoError(t, err, out)
	return strings.Fields(out)
}

// installContained installs an empty recipe in containers, and sees that nothing is
// left of it in the end.
func installContained(t testing.TB, p testengine.Engine, opts mend.ContainerOptions) mend.Environment {
	t.Helper()
	opts.Engine, opts.Dir = p.Client, t.TempDir()
	if opts.Image == "" {
		opts.Image = p.Image
	}
	env, err := mend.NewContainerSandbox(&opts).Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, env.Close())
		assert.NoError(t, env.Close(), "a second time")
		_, err := env.Run(context.Background(), mend.Command{Argv: []string{"true"}})
		assert.ErrorIs(t, err, os.ErrClosed)
		left, err := os.ReadDir(opts.Dir)
		assert.NoError(t, err)
		assert.Empty(t, left)
		assert.Empty(t, containers(t, p))
	})
	return env
}

// eachContainer is what holds for every engine.
var eachContainer = map[string]func(*testing.T, testengine.Engine){
	"contract":         containersKeepTheContract,
	"faults":           containersShowFaults,
	"programs":         containersRunPrograms,
	"odd words":        containersPassWordsOn,
	"exit codes":       containersTellExitCodes,
	"pristine":         containersArePristine,
	"replaced":         containersAreReplaced,
	"witness":          containersSurviveTheirWitness,
	"limits":           containersAreLimited,
	"same time":        containersRunAtTheSameTime,
	"image":            containersKeepTheirImage,
	"tight umask":      containersShareTheInstall,
	"open for writing": containersStartPatiently,
	"orphans":          containersAreNotLeft,
	"vanished":         containersMayVanish,
	"context":          containersEndWithTheContext,
	"confirm":          containersConfirm,
}

// TestContainerSandbox runs real containers.
func TestContainerSandbox(t *testing.T) {
	for name, start := range map[string]func(testing.TB) testengine.Engine{"Podman": testengine.Podman, "Docker": testengine.Docker} {
		t.Run(name, func(t *testing.T) {
			e := start(t)
			for name, test := range eachContainer {
				t.Run(name, func(t *testing.T) { test(t, e) })
			}
		})
	}
}

func containersKeepTheContract(t *testing.T, p testengine.Engine) {
	dir := t.TempDir()
	files := map[string]file{"bin/tool": {"#!/bin/sh\necho tool 1.2.3\n", 0o700}}
	s := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Client, Image: p.Image, Dir: dir, Installer: installer(files)})
	assert.NoError(t, mendtest.TestSandbox(t.Context(), s))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Empty(t, containers(t, p))
}

// containersShowFaults holds that a container shows of a broken tool what a process
// does. There is no loader and no interpreter in it but BusyBox.
func containersShowFaults(t *testing.T, p testengine.Engine) {
	testFaults(t, installContained(t, p, mend.ContainerOptions{Installer: installer(faultyFiles)}))
}

func containersRunPrograms(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{Installer: installer(map[string]file{
		"bin/tool":  {content: "#!/bin/sh\necho tool 1.2.3\n"},
		"bin/where": {content: "#!/bin/sh\necho \"$0\"\n"},
	})})
	dir := env.Installed().Dir
	for name, test := range map[string]struct {
		script string
		want   string
	}{
		"the install is found":               {`command -v tool; tool`, dir + "/bin/tool\ntool 1.2.3\n"},
		"no descriptors besides the streams": {`ls /proc/self/fd`, "0\n1\n2\n3\n"}, // 3 is the listing's
		"streams can be opened again":        {`echo out >/dev/stdout; echo err >/dev/stderr; echo null >/dev/null`, "out\n"},
		"a name for the user":                {`id -un; id -gn; id -u; echo "$USER $LOGNAME"; grep -c . /etc/passwd`, "nobody\nnogroup\n65534\nnobody nobody\n2\n"},
		"no capabilities":                    {`grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs)' /proc/self/status | tr -s '\t\n' '  '`, "CapPrm: 0000000000000000 CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 "},
		"nothing but memory can be written":  {`for d in / /bin /etc /run /var /dev "$1"; do (: >"$d/x") 2>/dev/null && echo "$d"; done`, ""},
		"nothing of the engine's":            {`tr '\0' '\n' </proc/1/environ | grep -vE '^(PATH|PWD|SHLVL)='`, ""}, // those are the shell's
		"limits":                             {`ulimit -c; ulimit -n`, "0\n1024\n"},
		"temporary files":                    {`f=$(mktemp) && echo x >"$f" && mv "$f" "$HOME/y" && cat "$HOME/y"`, "x\n"},
		"programs in HOME":                   {`printf '#!/bin/sh\necho z\n' >z; chmod +x z; ./z`, "z\n"},
	} {
		t.Run(name, func(t *testing.T) {
			obs := run(t, env, "sh", "-c", test.script+"; :", "sh", dir)
			assert.Equal(t, test.want, obs.Stdout, obs.Stderr)
		})
	}
	assert.Equal(t, dir+"/bin/where\n", run(t, env, "where").Stdout)
	assert.Equal(t, "1.2.3", env.Installed().Version)
	assert.Len(t, containers(t, p), 1, "all in one container")
}

// containersPassWordsOn byte for byte, through the client and two shells.
func containersPassWordsOn(t *testing.T, p testengine.Engine) {
	odd := []string{"", " ", "a\nb\n", "'", `"$(exit 3)\`, "-x", "--", "*", "\t\r", "\x1b[31m", "ünd\xff", "%s{{.ID}}", "A=b"}
	files := make(map[string]file)
	for _, name := range []string{"a b", "a'b", "-n", "a\nb", "$HOME", "ünd", "\xe9t\xe9", "{{.ID}}", "*"} {
		files["bin/"+name] = tool(`printf '%s\0' "$0" "$VALUE" "$@"`)
	}
	env := installContained(t, p, mend.ContainerOptions{Installer: installer(files)})
	for path := range files {
		for _, value := range []string{"", "a\nb\n", `'"$(exit 3)`, "\xff"} {
			argv := append([]string{filepath.Base(path)}, odd...)
			obs, err := env.Run(t.Context(), mend.Command{Argv: argv, Env: []string{"VALUE=" + value}})
			require.NoError(t, err)
			want := append([]string{filepath.Join(env.Installed().Dir, path), value}, odd...)
			assert.Equal(t, strings.Join(want, "\x00")+"\x00", obs.Stdout, "%q: %s", argv[0], obs.Stderr)
		}
	}
}

// containersTellExitCodes: the clients of engines have codes of their own,
// which tools have, too.
func containersTellExitCodes(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{})
	for _, code := range []int{125, 126, 127, 128, 137, 143, 255} {
		obs := run(t, env, "sh", "-c", fmt.Sprintf("exit %d", code))
		assert.Equal(t, code, obs.ExitCode)
		assert.Empty(t, obs.Signal)
		assert.Empty(t, obs.Stdout+obs.Stderr)
	}
	assert.Len(t, containers(t, p), 1)
}

// containersArePristine has programs leave whatever they can.
func containersArePristine(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{Installer: installer(map[string]file{"bin/tool": tool("exit 1")})})
	const look = `ls -A "$HOME" "$TMPDIR" . /sandbox /tmp /var/tmp /dev/shm /dev/mqueue; tail -n +2 -q /proc/sysvipc/*
		grep -l 'mend-lef[t]' /proc/[0-9]*/cmdline; pwd; echo "$HOME $TMPDIR"`
	before := run(t, env, "sh", "-c", look).Stdout
	for name, mess := range map[string]string{
		"files":           `for d in "$HOME" "$TMPDIR" . /sandbox /tmp /var/tmp /dev/shm /dev/mqueue; do echo x >$d/f; echo x >$d/.f; echo x >$d/..f; done`,
		"odd names":       `for d in /tmp "$HOME"; do echo x >"$d/a b"; echo x >"$d/-rf"; echo x >"$d/*"; echo x >"$d/$(printf 'n\nl')"; done`,
		"locked up":       `mkdir -p /tmp/a/b/c "$HOME/a"; echo x >/tmp/a/b/c/d; ln -s /bin /tmp/a/link; ln -s / "$HOME/a/link"; chmod -R 0 /tmp/a "$HOME/a"`,
		"dangling links":  `ln -s nowhere /tmp/l; ln -s /tmp /dev/shm/l; ln -s . l`,
		"pipes":           `mkfifo /tmp/p /dev/shm/p`,
		"many files":      `i=0; while [ $i -lt 2000 ]; do : >/tmp/$i; i=$((i + 1)); done`,
		"daemons":         `for i in 1 2 3; do (setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' mend-left &) ; done`,
		"its room gone":   `cd /; rm -rf /sandbox/*`,
		"its room locked": `chmod 0 "$HOME" "$TMPDIR" .`,
	} {
		t.Run(name, func(t *testing.T) {
			run(t, env, "true")
			was := containers(t, p)
			obs := run(t, env, "sh", "-c", mess+"; exit 3")
			assert.Equal(t, 3, obs.ExitCode, obs.Stderr)
			assert.Equal(t, before, run(t, env, "sh", "-c", look).Stdout)
			if name != "daemons" {
				assert.Equal(t, was, containers(t, p), "files do not cost the container")
			}
		})
	}
}

// containersAreReplaced: the next run has another one.
func containersAreReplaced(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{PIDs: 200})
	for name, test := range map[string]struct {
		script string
		want   mend.Observation // but for its Argv and Duration
	}{
		"out of time": {`echo a; trap '' TERM; (setsid sleep 60 &); echo b >&2; while :; do sleep 1; done`,
			mend.Observation{ExitCode: -1, TimedOut: true, Stdout: "a\n", Stderr: "b\n"}},
		"kills everything": {`echo a; trap '' TERM; kill -KILL -1; sleep 60`,
			mend.Observation{ExitCode: -1, Signal: "SIGKILL", Stdout: "a\n"}},
		"leaves a process behind": {`(sleep 60 &)`, mend.Observation{}},
	} {
		t.Run(name, func(t *testing.T) {
			was := containers(t, p)
			if len(was) == 0 { // the one before is gone, and the next is started when it is needed
				run(t, env, "true")
				was = containers(t, p)
			}
			require.Len(t, was, 1)
			obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"sh", "-c", test.script}, Timeout: 3 * time.Second})
			require.NoError(t, err)
			obs.Argv, obs.Duration = nil, 0
			assert.Equal(t, test.want, obs)
			assert.Empty(t, containers(t, p))
			assert.Equal(t, "next\n", run(t, env, "echo", "next").Stdout)
			assert.NotEqual(t, was, containers(t, p))
		})
	}
}

// containersSurviveTheirWitness: the program may kill what waits for it, and what
// it ends with is then how that ended.
func containersSurviveTheirWitness(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{})
	obs := run(t, env, "sh", "-c", `echo a; kill -KILL $PPID; sleep 60`)
	assert.Equal(t, -1, obs.ExitCode)
	assert.Equal(t, "SIGKILL", obs.Signal)
	assert.Equal(t, "a\n", obs.Stdout)
	assert.Equal(t, "b\n", run(t, env, "echo", "b").Stdout)
}

func containersAreLimited(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{Memory: 64 << 20, PIDs: 40, CPUs: 1, OutputLimit: 1000})
	obs := run(t, env, "tail", "-n", "1000000000", "/dev/zero")
	assert.Equal(t, "SIGKILL", obs.Signal, "the memory is used up: %+v", obs)
	obs = run(t, env, "sh", "-c", `i=0; while [ $i -lt 100 ]; do sleep 20 & i=$((i + 1)); done; echo all`)
	assert.NotZero(t, obs.ExitCode, "the processes are used up")
	assert.NotContains(t, obs.Stdout, "all")
	obs = run(t, env, "sh", "-c", `yes | head -c 5000; echo end`)
	assert.Less(t, len(obs.Stdout), 1100)
	assert.True(t, obs.Truncated)
	assert.Equal(t, "ok\n", run(t, env, "echo", "ok").Stdout)
}

// containersRunAtTheSameTime do not meet, and get a container each.
func containersRunAtTheSameTime(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{})
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			obs, err := env.Run(t.Context(), mend.Command{
				Argv:    []string{"sh", "-c", `: >/tmp/$1; : >/dev/shm/$1; sleep 1; ls /tmp /dev/shm | grep -c '^[0-9]'`, "sh", fmt.Sprint(i)},
				Timeout: time.Minute,
			})
			assert.NoError(t, err)
			assert.Equal(t, "2\n", obs.Stdout)
		})
	}
	wg.Wait()
	run(t, env, "true")
	assert.LessOrEqual(t, len(containers(t, p)), 3, "which are used again")
}

// containersKeepTheirImage: what an image sets for its programs stays, its volumes
// cannot be written, and what it wants to be started with is not.
func containersKeepTheirImage(t *testing.T, p testengine.Engine) {
	p.Import(t, "mend-tools:latest", map[string]string{"opt/tools/imaged": "#!/bin/sh\necho \"$MODE in $PWD\"\n", "data": ""},
		"ENV PATH=/opt/tools:/bin", "ENV MODE=fast", "ENV TERM=xterm-color", "ENV LD_PRELOAD=", "VOLUME /data", "WORKDIR /data", "USER 1234", "ENTRYPOINT [\"/bin/false\"]")
	env := installContained(t, p, mend.ContainerOptions{Image: "mend-tools:latest", User: "1000:1001"})
	obs := run(t, env, "imaged")
	assert.Equal(t, "fast in /sandbox/work\n", obs.Stdout, obs.Stderr)
	assert.Equal(t, "1000 1001 sandbox dumb\n", run(t, env, "sh", "-c", `echo $(id -u) $(id -g) $(id -un) $TERM`).Stdout)
	assert.Equal(t, "no\n", run(t, env, "sh", "-c", `(: >/data/x) 2>/dev/null || echo no`).Stdout)
	assert.Zero(t, env.Installed())
}

// containersShareTheInstall installs what only its owner may read, beside a
// file that has a name elsewhere, too.
func containersShareTheInstall(t *testing.T, p testengine.Engine) {
	outside := filepath.Join(t.TempDir(), "cache")
	require.NoError(t, os.WriteFile(outside, []byte("cached"), 0o600))
	env := installContained(t, p, mend.ContainerOptions{Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
		bin := filepath.Join(dir, "bin")
		require.NoError(t, os.Mkdir(bin, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(bin, "tool"), []byte("#!/bin/sh\necho ok\n"), 0o700))
		return mend.Installed{}, os.Link(outside, filepath.Join(dir, "cached"))
	}})
	assert.Equal(t, "ok\n", run(t, env, "tool").Stdout)
	info, err := os.Stat(outside)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode(), "a file of others keeps its mode")
	info, err = os.Stat(filepath.Dir(env.Installed().Dir))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm(), "and other users of the host do not get in")
}

// containersRunProgramsOpenForWriting: the kernel's refusal says nothing about the
// program.
func containersStartPatiently(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{Installer: func(ctx context.Context, r *mend.Recipe, dir string) (mend.Installed, error) {
		installed, err := installer(map[string]file{"fresh": tool("echo fresh 1.0")})(ctx, r, dir)
		if err == nil {
			err = holdOpen(t, "sleep 60", filepath.Join(dir, "fresh"))
		}
		return installed, err
	}})
	_, err := env.Run(t.Context(), mend.Command{Argv: []string{"fresh"}})
	assert.ErrorContains(t, err, "run fresh: the file is open for writing")
}

// containersAreNotLeft runs itself, is killed, and starts again: the
// container that was left is found and removed, one whose owner lives is not.
func containersAreNotLeft(t *testing.T, p testengine.Engine) {
	mine := installContained(t, p, mend.ContainerOptions{})
	other := exec.Command(os.Args[0], "-test.run", "^TestContainerToBeKilled$")
	other.Env = append(os.Environ(), toBeKilled+"="+p.Image+" "+strings.Join(p.Client, " "), "TMPDIR="+t.TempDir())
	stdout, err := other.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	ready := make([]byte, len("installed"))
	_, err = stdout.Read(ready)
	assert.NoError(t, err)
	assert.Equal(t, "installed", string(ready))
	both := containers(t, p)
	assert.Len(t, both, 2)

	again := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Client, Image: p.Image})
	_, err = again.Engine(t.Context())
	require.NoError(t, err)
	assert.ElementsMatch(t, both, containers(t, p), "the owners of both live")

	require.NoError(t, other.Process.Kill())
	_ = other.Wait() // it was killed
	again = mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Client, Image: p.Image})
	_, err = again.Engine(t.Context())
	require.NoError(t, err)
	assert.Len(t, containers(t, p), 1)
	assert.Equal(t, "alive\n", run(t, mine, "echo", "alive").Stdout)
}

// toBeKilled is the variable that names the image and the engine of a process that is
// to leave a container.
const toBeKilled = "MEND_TEST_TO_BE_KILLED"

// TestContainerToBeKilled is that process.
func TestContainerToBeKilled(t *testing.T) {
	words := strings.Fields(os.Getenv(toBeKilled))
	if len(words) == 0 {
		t.Skip("another test runs this one")
	}
	s := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: words[1:], Image: words[0]})
	_, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	fmt.Println("installed")
	select {} // until it is killed
}

// containersMayVanish: somebody else removes containers, too.
func containersMayVanish(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{})
	run(t, env, "true")
	out, err := p.Run("rm", "--force", containers(t, p)[0])
	require.NoError(t, err, out)
	assert.Equal(t, "ok\n", run(t, env, "echo", "ok").Stdout)
}

// containersEndWithTheContext ends runs in every phase of their start.
func containersEndWithTheContext(t *testing.T, p testengine.Engine) {
	env := installContained(t, p, mend.ContainerOptions{})
	marker := fmt.Sprintf("mend-test-%d-contained", os.Getpid())
	for i := range 8 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*40*time.Millisecond)
		_, err := env.Run(ctx, mend.Command{Argv: []string{"sh", "-c", "sleep 60; :", marker}, Timeout: time.Minute})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	assert.Empty(t, processes(marker, anywhere), "what was begun is dead")
	assert.Equal(t, "ok\n", run(t, env, "echo", "ok").Stdout)
}

// containersConfirm what a process of this machine shows, but for a tool that needs
// what only this machine has.
func containersConfirm(t *testing.T, p testengine.Engine) {
	if _, err := os.Stat("/usr/bin/perl"); err != nil {
		t.Skipf("the image has no perl, and the machine would have to have it: %v", err)
	}
	files := map[string]file{
		"bin/frob":     tool(`case $1 in -V) echo frob 1.2.3 ;; *) echo "usage: frob [-V]" >&2; exit 2 ;; esac`),
		"bin/perlfrob": {content: "#!/usr/bin/perl\nif ($ARGV[0] eq '-V') { print \"perlfrob 1.2.3\\n\" } else { print STDERR \"usage: perlfrob [-V]\\n\"; exit 2 }\n"},
	}
	local := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer(files)})
	if _, err := local.Isolation(); err != nil {
		t.Skip(err)
	}
	contained := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Client, Image: p.Image, Installer: installer(files)})
	opts := &mend.Options{Confirm: contained}
	res, err := create(t, local, mend.StaticBuilder(naive("frob")), opts)
	require.NoError(t, err)
	assert.Equal(t, "frob -V", res.Recipe.Verify.Command)
	assert.Equal(t, mend.StrengthVersion, res.Strength)

	_, err = create(t, local, mend.StaticBuilder(naive("perlfrob")), nil)
	require.NoError(t, err, "this machine has perl")
	_, err = create(t, local, mend.StaticBuilder(naive("perlfrob")), opts)
	var failed *mend.ValidationFailedError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, mend.FindingUnconfirmed, failed.Failure.Findings[0].Code)
	assert.Equal(t, "perlfrob: /usr/bin/perl: bad interpreter: No such file or directory\n", failed.Failure.Observations[0].Stderr)
	assert.Equal(t, mend.Broken, failed.Failure.Analysis.Verdict)
	assert.Empty(t, containers(t, p))
}

func BenchmarkContainerRun(b *testing.B) {
	p := testengine.Podman(b)
	b.Run("run", func(b *testing.B) {
		env := installContained(b, p, mend.ContainerOptions{})
		for b.Loop() {
			run(b, env, "true")
		}
	})
	b.Run("install and one run", func(b *testing.B) {
		s := mend.NewContainerSandbox(&mend.ContainerOptions{Engine: p.Client, Image: p.Image})
		for b.Loop() {
			env, err := s.Install(b.Context(), &mend.Recipe{})
			require.NoError(b, err)
			run(b, env, "true")
			require.NoError(b, env.Close())
		}
	})
}

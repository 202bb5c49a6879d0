package mend_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeEngine is a client of no engine: for each of its commands, a shell script says
// what it does. It runs nothing that it is asked to run.
type fakeEngine struct {
	dir string // holds the client, and its log
}

// fakeAnswers are what a client does that finds all in order. Its programs print a
// line on each stream.
var fakeAnswers = map[string]string{
	"--version": `echo "podman version 9.9.9"`,
	"ps":        ``,
	"image":     `echo 'a1b2 {"Env":["PATH=/opt/bin:/bin","COLOR=yes"],"Volumes":{"/data":{},"/cache":{}}}'`,
	"run":       `echo c3d4`,
	"container": `echo true`,
	"exec":      fakeStart + `echo out; echo err >&2; say "exit 3"`,
	"rm":        ``,
}

const fakeStart = `IFS= read -r mark; say() { echo "$mark $1"; echo "$mark $1" >&2; }; say start; `

// newFakeEngine returns a client that answers like that, but for what is given.
func newFakeEngine(t testing.TB, name string, answers map[string]string) fakeEngine {
	t.Helper()
	f := fakeEngine{t.TempDir()}
	var script strings.Builder
	fmt.Fprintf(&script, "#!/bin/sh\ncd '%s'\n(IFS='|'; printf '%%s\\n' \"$*\" | head -n 1 >>log)\ncase $1 in\n", f.dir)
	for command, usual := range fakeAnswers {
		if answer, ok := answers[command]; ok {
			usual = answer
		}
		fmt.Fprintf(&script, "%s)\n%s\n;;\n", command, usual)
	}
	script.WriteString("*) echo \"Error: unknown command $1\" >&2; exit 125 ;;\nesac\n")
	require.NoError(t, os.WriteFile(f.client(name), []byte(script.String()), 0o755))
	return f
}

func (f fakeEngine) client(name string) string { return filepath.Join(f.dir, name) }

// calls returns the arguments of the calls of a command, the first line of each.
func (f fakeEngine) calls(t testing.TB, command string) (calls [][]string) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(f.dir, "log"))
	require.NoError(t, err)
	for line := range strings.Lines(string(log)) {
		if args := strings.Split(strings.TrimSuffix(line, "\n"), "|"); args[0] == command {
			calls = append(calls, args[1:])
		}
	}
	return calls
}

// fakePodman returns a sandbox with such a client.
func fakePodman(t testing.TB, answers map[string]string, opts mend.ContainerOptions) (*mend.ContainerSandbox, fakeEngine) {
	t.Helper()
	f := newFakeEngine(t, "podman", answers)
	opts.Engine = []string{f.client("podman")}
	if opts.Dir == "" {
		opts.Dir = t.TempDir()
	}
	return mend.NewContainerSandbox(&opts), f
}

func TestContainerEngineIsChosen(t *testing.T) {
	down := map[string]string{"ps": `echo "WARN[0000] a warning" >&2; echo "Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?" >&2; exit 1`}
	docker := map[string]string{"--version": `echo "Docker version 28.2.2, build e6534b4"`}
	dockerDown := map[string]string{"--version": docker["--version"], "ps": down["ps"]}
	for name, test := range map[string]struct {
		podman, docker map[string]string // nil if it is not installed
		want           string
		wantErr        []string // the sandbox is unavailable for these reasons
	}{
		"both":                 {map[string]string{}, docker, "podman version 9.9.9", nil},
		"Docker only":          {nil, docker, "Docker version 28.2.2, build e6534b4", nil},
		"Docker by its alias":  {nil, map[string]string{}, "podman version 9.9.9", nil},
		"Podman does not work": {down, docker, "Docker version 28.2.2, build e6534b4", nil},
		"none":                 {nil, nil, "", []string{`"podman": executable file not found`, `"docker": executable file not found`}},
		"no daemon":            {nil, dockerDown, "", []string{"docker ps: exit status 1", "Is the docker daemon running?"}},
		"another program": {nil, map[string]string{"--version": `echo "whale 1.0"`}, "",
			[]string{`"whale 1.0", which is neither Podman nor Docker`}},
		"a client that fails": {map[string]string{"--version": `echo "Error: no home" >&2; exit 125`}, nil, "",
			[]string{`podman --version: exit status 125: "Error: no home"`}},
	} {
		t.Run(name, func(t *testing.T) {
			path := []string{"/usr/bin", "/bin"} // for what the clients are made of
			if name == "none" || test.podman == nil || test.docker == nil {
				path = []string{linked(t, "sh", "head", "cat")} // without engines of this machine's
			}
			if test.podman != nil {
				path = append([]string{newFakeEngine(t, "podman", test.podman).dir}, path...)
			}
			if test.docker != nil {
				path = append([]string{newFakeEngine(t, "docker", test.docker).dir}, path...)
			}
			t.Setenv("PATH", strings.Join(path, ":"))
			s := mend.NewContainerSandbox(nil)
			got, err := s.Engine(t.Context())
			if test.wantErr == nil {
				require.NoError(t, err)
				assert.Equal(t, test.want, got)
				return
			}
			for range 2 { // it is not decided for good
				_, err = s.Install(t.Context(), &mend.Recipe{})
				require.ErrorIs(t, err, mend.ErrSandboxUnavailable)
				assert.NotContains(t, err.Error(), "\n")
				for _, why := range test.wantErr {
					assert.ErrorContains(t, err, why)
				}
			}
		})
	}
}

// linked returns a directory of links to programs of this machine.
func linked(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

// TestContainerEngineErrorsSayNothing holds that an engine's troubles are errors,
// that the machine may get over them, and that they leave nothing behind.
func TestContainerEngineErrorsSayNothing(t *testing.T) {
	for name, test := range map[string]struct {
		command, answer string
		want            []string
	}{
		"no image":     {"image", `echo "Error: inspecting object: mine: image not known" >&2; exit 125`, []string{`the image "mine"`, "podman image: exit status 125", "image not known"}},
		"odd image":    {"image", `echo "what?"`, []string{`the image "mine" cannot be read from "what?`}},
		"storage full": {"run", `echo "Error: creating container storage: write /var/lib: no space left on device" >&2; exit 125`, []string{"podman run: exit status 125", "no space left on device"}},
		"no sh":        {"run", `echo "Error: runc: runc create failed: exec: \"env\": executable file not found in \$PATH" >&2; exit 127`, []string{"podman run: exit status 127", "executable file not found"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, f := fakePodman(t, map[string]string{test.command: "if [ -e mended ]; then\n" + fakeAnswers[test.command] + "\nelse\n" + test.answer + "\nfi"}, mend.ContainerOptions{Image: "mine", Dir: dir})
			_, err := s.Install(t.Context(), &mend.Recipe{})
			require.Error(t, err)
			assert.NotErrorIs(t, err, mend.ErrSandboxUnavailable)
			var failed *mend.InstallError
			assert.NotErrorAs(t, err, &failed)
			for _, want := range test.want {
				assert.ErrorContains(t, err, want)
			}
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left)
			for i, run := range f.calls(t, "run") {
				assert.Contains(t, f.calls(t, "rm")[i], strings.TrimPrefix(run[2], "--name="), "it may have been created")
			}
			require.NoError(t, os.WriteFile(filepath.Join(f.dir, "mended"), nil, 0o644))
			env, err := s.Install(t.Context(), &mend.Recipe{})
			require.NoError(t, err)
			assert.NoError(t, env.Close())
		})
	}
}

// TestContainerReports runs clients that end in every way.
func TestContainerReports(t *testing.T) {
	for name, test := range map[string]struct {
		exec      string // what the client does
		container string // "true" if it says that the container runs
		want      mend.Observation
		wantErr   []string
		replaced  bool // the container is not used again
	}{
		"an exit code":           {exec: fakeStart + `echo out; say "exit 3"`, want: mend.Observation{ExitCode: 3, Stdout: "out\n"}},
		"one of a client's":      {exec: fakeStart + `say "exit 125"`, want: mend.Observation{ExitCode: 125}},
		"a signal":               {exec: fakeStart + `say "signal SEGV"`, want: mend.Observation{ExitCode: -1, Signal: "SIGSEGV"}},
		"a signal without name":  {exec: fakeStart + `say "signal 35"`, want: mend.Observation{ExitCode: -1, Signal: "SIG35"}},
		"no newline at the end":  {exec: fakeStart + `printf a; printf b >&2; say "exit 0"`, want: mend.Observation{Stdout: "a", Stderr: "b"}},
		"what is not its own":    {exec: `echo "WARN" >&2; echo odd; ` + fakeStart + `echo a; say "exit 0"; echo "level=error" >&2; echo odd`, want: mend.Observation{Stdout: "a\n"}},
		"something is left":      {exec: fakeStart + `say "exit 0"; exit 1`, replaced: true},
		"no container":           {exec: `echo "Error: no such container" >&2; exit 125`, wantErr: []string{"podman exec", "the program was not started", "exit status 125", "no such container"}, replaced: true},
		"no supervisor":          {exec: `echo "exec failed: \"env\": not found" >&2; exit 127`, wantErr: []string{"the program was not started: exit status 127"}, replaced: true},
		"not permitted":          {exec: `exit 126`, wantErr: []string{"the program was not started: exit status 126"}, replaced: true},
		"nothing at all":         {exec: `exit 0`, wantErr: []string{"the program was not started"}, replaced: true},
		"the engine died":        {exec: fakeStart + `echo half; echo "Error: unexpected EOF" >&2; exit 255`, wantErr: []string{"the sandbox ended without a report", "exit status 255"}, replaced: true},
		"the container went":     {exec: fakeStart + `exit 137`, container: "false", wantErr: []string{"ended without a report: exit status 137"}, replaced: true},
		"the run was killed":     {exec: fakeStart + `echo out; exit 137`, container: "true", want: mend.Observation{ExitCode: -1, Signal: "SIGKILL", Stdout: "out\n"}, replaced: true},
		"half a report":          {exec: fakeStart + `echo "$mark exit 0"; exit 0`, wantErr: []string{"ended without a report"}, replaced: true},
		"two different reports":  {exec: fakeStart + `echo "$mark exit 0"; echo "$mark exit 1" >&2`, wantErr: []string{`"exit 0"`, `"exit 1"`}, replaced: true},
		"no exit code":           {exec: fakeStart + `say "exit 256"`, wantErr: []string{`"exit 256"`}, replaced: true},
		"no report known":        {exec: fakeStart + `say "done"`, wantErr: []string{`"done"`}, replaced: true},
		"a report without bound": {exec: fakeStart + `say "exit 0` + strings.Repeat("x", 1000) + `"`, wantErr: []string{`"exit 0xxx`}, replaced: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, f := fakePodman(t, map[string]string{"exec": test.exec, "container": "echo " + test.container}, mend.ContainerOptions{})
			env, err := s.Install(t.Context(), &mend.Recipe{})
			require.NoError(t, err)
			got, err := env.Run(t.Context(), mend.Command{Argv: []string{"tool"}})
			removed := len(f.calls(t, "rm"))
			if test.wantErr == nil {
				require.NoError(t, err)
				assert.Equal(t, []string{"tool"}, got.Argv)
				assert.GreaterOrEqual(t, got.Duration, time.Duration(0))
				got.Argv, got.Duration = nil, 0
			}
			assert.Equal(t, test.want, got)
			for _, want := range test.wantErr {
				assert.ErrorContains(t, err, want)
			}
			assert.Equal(t, test.replaced, removed == 1)
			require.NoError(t, env.Close())
			assert.Len(t, f.calls(t, "rm"), 1, "each container is removed once")
		})
	}
}

// TestContainerThatWentUnnoticed: a run that was not begun is begun again in a new
// container, once, if the one it was to have had been there before.
func TestContainerThatWentUnnoticed(t *testing.T) {
	s, f := fakePodman(t, map[string]string{"exec": `n=$(cat n 2>/dev/null); echo x$n >n
		[ "$n" != x ] || { echo "Error: no such container" >&2; exit 125; }; ` + fakeAnswers["exec"]}, mend.ContainerOptions{})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	for range 3 {
		obs, err := env.Run(t.Context(), mend.Command{Argv: []string{"tool"}})
		require.NoError(t, err)
		assert.Equal(t, 3, obs.ExitCode)
	}
	assert.Len(t, f.calls(t, "exec"), 4)
	assert.Len(t, f.calls(t, "run"), 2)
	assert.NoError(t, env.Close())
}

func TestContainerCloseTriesAgain(t *testing.T) {
	const broken = `[ -e mended ] || { echo "Error: the store is locked" >&2; exit 125; }`
	s, f := fakePodman(t, map[string]string{"rm": broken, "ps": `[ ! -e log ] || sed -n 's/.*|--name=\([^|]*\)|.*/\1 x/p' log`}, mend.ContainerOptions{})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	require.ErrorContains(t, env.Close(), "the store is locked")
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "mended"), nil, 0o644))
	assert.NoError(t, env.Close())
	assert.NoError(t, env.Close())
	assert.Len(t, f.calls(t, "rm"), 2)
}

// TestContainerInstallEndsWithItsContext while the engine makes a container.
func TestContainerInstallEndsWithItsContext(t *testing.T) {
	dir := t.TempDir()
	s, f := fakePodman(t, map[string]string{"run": `: >running; until [ -e created ]; do :; done`, "rm": `[ -e created ] || exit 125`}, mend.ContainerOptions{Dir: dir})
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("closing time")
	go func() {
		within(func() bool { _, err := os.Stat(filepath.Join(f.dir, "running")); return err == nil })
		cancel(cause)
		_ = os.WriteFile(filepath.Join(f.dir, "created"), nil, 0o644) // or the removal fails
	}()
	_, err := s.Install(ctx, &mend.Recipe{})
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, cause)
	assert.Len(t, f.calls(t, "rm"), 1, "what was begun is removed once it is there")
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	_, err = s.Install(ctx, &mend.Recipe{})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestContainerInstallPassesErrorsOn(t *testing.T) {
	broken := &mend.InstallError{Step: 1, Action: "extract", Err: errors.New("no such archive")}
	for name, want := range map[string]error{"recipe's fault": broken, "nobody's fault": errors.New("the registry does not answer")} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, f := fakePodman(t, nil, mend.ContainerOptions{Dir: dir, Installer: func(context.Context, *mend.Recipe, string) (mend.Installed, error) {
				return mend.Installed{}, want
			}})
			_, err := s.Install(t.Context(), &mend.Recipe{})
			assert.Equal(t, want, err)
			assert.Empty(t, f.calls(t, "run"))
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

func TestContainerRefusesWhatCannotBe(t *testing.T) {
	commas := filepath.Join(t.TempDir(), "a,b")
	require.NoError(t, os.Mkdir(commas, 0o755))
	for want, opts := range map[string]mend.ContainerOptions{
		`"root" is no user`:            {User: "root"},
		`"0" is no user`:               {User: "0"},
		`"0:5" is no user`:             {User: "0:5"},
		`"5:x" is no user`:             {User: "5:x"},
		`"4294967295" is no user`:      {User: "4294967295"},
		`"/" cannot be shown`:          {Installer: installsIn("/")},
		`"/usr" cannot be shown`:       {Installer: installsIn("/usr")},
		`"/proc/self" cannot be shown`: {Installer: installsIn("/proc/self")},
		`a,b" cannot be shown`:         {Installer: installsIn(commas)},
		`no such file or directory`:    {Installer: installsIn("/no/such")},
	} {
		s, f := fakePodman(t, nil, opts)
		_, err := s.Install(t.Context(), &mend.Recipe{})
		if want == `"/proc/self" cannot be shown` { // which leads elsewhere each time
			want = "cannot be shown"
		}
		assert.ErrorContains(t, err, want)
		assert.Empty(t, f.calls(t, "run"))
	}
	s, _ := fakePodman(t, nil, mend.ContainerOptions{})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	defer env.Close()
	for want, cmd := range map[string]mend.Command{
		"without a program":     {},
		"NUL":                   {Argv: []string{"true", "a\x00b"}},
		"an equals sign":        {Argv: []string{"a=b"}},
		`"NOVALUE" is not NAME`: {Argv: []string{"true"}, Env: []string{"NOVALUE"}},
	} {
		_, err := env.Run(t.Context(), cmd)
		assert.ErrorContains(t, err, want)
	}
	obs := run(t, env, "true", strings.Repeat("x", 200<<10))
	assert.Equal(t, 126, obs.ExitCode)
	assert.Equal(t, "true: Argument list too long\n", obs.Stderr)
}

// installsIn returns an Installer of a tool that is there already.
func installsIn(dir string) mend.Installer {
	return func(context.Context, *mend.Recipe, string) (mend.Installed, error) {
		return mend.Installed{Dir: dir}, nil
	}
}

// TestContainerIsHardened looks at what the engine is asked for. That Podman does it,
// other tests see.
func TestContainerIsHardened(t *testing.T) {
	always := []string{"--detach", "--rm", "--pull=never", "--network=none", "--ipc=private", "--read-only", "--cap-drop=all",
		"--security-opt=no-new-privileges", "--no-healthcheck", "--log-driver=none", "--user=65534:65534", "--workdir=/", "--entrypoint=env", "a1b2"}
	for name, test := range map[string]struct {
		version     string
		opts        mend.ContainerOptions
		want, avoid []string
	}{
		"Podman": {"podman version 5.0.0", mend.ContainerOptions{},
			[]string{"--memory=1073741824", "--memory-swap=1073741824", "--pids-limit=512", "--read-only-tmpfs=false", "--image-volume=ignore", "--http-proxy=false", "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,size=67108864,notmpcopyup"},
			[]string{"--cpus"}},
		"Docker": {"Docker version 28.2.2, build e6534b4", mend.ContainerOptions{},
			[]string{"--memory=1073741824", "--tmpfs=/cache:ro,size=4096", "--tmpfs=/data:ro,size=4096", "--tmpfs=/tmp:rw,exec,nosuid,nodev,mode=1777,size=67108864"},
			[]string{"--read-only-tmpfs", "--image-volume", "--http-proxy"}},
		"other limits": {"podman version 5.0.0", mend.ContainerOptions{Memory: 5 << 20, PIDs: 7, CPUs: 1.5},
			[]string{"--memory=5242880", "--memory-swap=5242880", "--pids-limit=7", "--cpus=1.5"}, nil},
		"no limits": {"podman version 5.0.0", mend.ContainerOptions{Memory: -1, PIDs: -1}, nil, []string{"--memory", "--pids-limit"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, f := fakePodman(t, map[string]string{"--version": "echo '" + test.version + "'"}, test.opts)
			env, err := s.Install(t.Context(), &mend.Recipe{})
			require.NoError(t, err)
			defer env.Close()
			run(t, env, "tool")
			require.Len(t, f.calls(t, "run"), 1)
			args := f.calls(t, "run")[0]
			assert.Subset(t, args, append(test.want, always...))
			for _, avoid := range test.avoid {
				assert.NotContains(t, strings.Join(args, " "), avoid)
			}
			exec := f.calls(t, "exec")[0]
			assert.Subset(t, exec, []string{"--interactive", "--workdir=/", "env", "-i", "/bin/sh"})
			assert.NotContains(t, strings.Join(exec, " "), "--privileged")
		})
	}
}

// TestContainerOrphansAreTheirOwnersDead removes only what certainly nobody needs.
func TestContainerOrphansAreTheirOwnersDead(t *testing.T) {
	s, f := fakePodman(t, nil, mend.ContainerOptions{})
	env, err := s.Install(t.Context(), &mend.Recipe{})
	require.NoError(t, err)
	require.NoError(t, env.Close())
	label := strings.TrimPrefix(f.calls(t, "run")[0][3], "--label=mendkit.mend.owner=")
	fields := strings.Fields(label) // form, time, machine, process, its start
	require.Len(t, fields, 5, label)
	if fields[2] == `""` {
		t.Skip("only Linux tells whether a process lives")
	}
	with := func(field int, value string, more ...string) string {
		changed := append([]string{}, fields...)
		changed[field] = value
		if len(more) > 0 {
			changed[1] = more[0]
		}
		return strings.Join(changed, " ")
	}
	gone := exec.Command("true")
	require.NoError(t, gone.Run())
	longAgo := strconv.FormatInt(time.Now().Add(-26*time.Hour).Unix(), 10)
	labels := map[string]string{
		"mine":           label,
		"mine-long-ago":  with(1, longAgo),
		"dead":           with(3, strconv.Itoa(gone.Process.Pid)),
		"number-again":   with(4, `"1"`),
		"elsewhere":      with(2, `"another/pid:[1]"`),
		"elsewhere-old":  with(2, `"another/pid:[1]"`, longAgo),
		"unknown":        with(2, `""`),
		"unknown-old":    with(2, `""`, longAgo),
		"another-form":   with(0, "2", longAgo),
		"another-writer": "somebody",
		"no-label":       "",
	}
	var ids, inspected strings.Builder
	for id, label := range labels {
		ids.WriteString(id + "\n")
		inspected.WriteString(id + " " + label + "\n")
	}
	s, f = fakePodman(t, map[string]string{"ps": "cat ids", "container": "cat inspected; exit 125"}, mend.ContainerOptions{})
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "ids"), []byte(ids.String()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "inspected"), []byte(inspected.String()), 0o644))
	_, err = s.Engine(t.Context())
	require.NoError(t, err)
	require.Len(t, f.calls(t, "rm"), 1)
	assert.ElementsMatch(t, []string{"--force", "--volumes", "dead", "number-again", "elsewhere-old", "unknown-old"}, f.calls(t, "rm")[0])
}

package mendtest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mendkit/mend"
)

// TestSandbox checks that a sandbox keeps the contract of [mend.Sandbox]. It
// returns nil, or one error for each thing that is not as it should be, joined;
// each names the clause of the contract first, as "network: …". If the sandbox is
// [mend.ErrSandboxUnavailable], that is the error, and nothing was checked.
//
// It installs an empty recipe several times and runs sh, env, cat and the like,
// which have to be in the sandbox. What it looks for on this machine, such as
// processes that outlive their run, it finds if the sandbox is on this machine,
// and else as far as it shows inside. It takes some seconds and prints nothing.
// For its time it changes this process's environment, so that it must not run in
// parallel with tests that depend on that.
func TestSandbox(ctx context.Context, sb mend.Sandbox) error {
	return testSandbox(ctx, sb, sandboxClauses)
}

// clause is one clause of the contract.
type clause struct {
	name  string
	check func(*sandboxTest)
}

// sandboxClauses is the contract.
var sandboxClauses = []clause{
	{"install", (*sandboxTest).checkInstall},
	{"direct start", (*sandboxTest).checkDirectStart},
	{"not started", (*sandboxTest).checkNotStarted},
	{"streams", (*sandboxTest).checkStreams},
	{"exit code", (*sandboxTest).checkExitCode},
	{"signal", (*sandboxTest).checkSignal},
	{"stdin", (*sandboxTest).checkStdin},
	{"terminal", (*sandboxTest).checkTerminal},
	{"environment", (*sandboxTest).checkEnvironment},
	{"pristine", (*sandboxTest).checkPristine},
	{"installed tree", (*sandboxTest).checkInstalledTree},
	{"network", (*sandboxTest).checkNetwork},
	{"host files", (*sandboxTest).checkHostFiles},
	{"output limit", (*sandboxTest).checkOutputLimit},
	{"time limit", (*sandboxTest).checkTimeLimit},
	{"left behind", (*sandboxTest).checkLeftBehind},
	{"context", (*sandboxTest).checkContext},
	{"concurrent runs", (*sandboxTest).checkConcurrentRuns},
	{"parallel installs", (*sandboxTest).checkParallelInstalls},
	{"close", (*sandboxTest).checkClose},
}

// testSandbox checks some clauses.
func testSandbox(ctx context.Context, sb mend.Sandbox, clauses []clause) error {
	t := &sandboxTest{ctx: ctx, sb: sb, clause: "install"}
	var err error
	if t.env, err = sb.Install(ctx, emptyRecipe()); err != nil {
		if errors.Is(err, mend.ErrSandboxUnavailable) {
			return err
		}
		return fmt.Errorf("install: %w", err)
	}
	for _, clause := range clauses {
		t.clause = clause.name
		clause.check(t)
	}
	t.close(t.env)
	return errors.Join(t.errs...)
}

const (
	// patience is how much longer than told a run may take, on a busy machine.
	patience = 20 * time.Second
	// plenty is a limit that no probe reaches unless something is wrong.
	plenty = time.Minute
)

// sandboxTest is one TestSandbox under way.
type sandboxTest struct {
	ctx    context.Context
	sb     mend.Sandbox
	env    mend.Environment
	clause string

	mu   sync.Mutex
	errs []error
}

// errorf records that the current clause does not hold.
func (t *sandboxTest) errorf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.errs = append(t.errs, fmt.Errorf(t.clause+": "+format, args...))
}

// run runs a command, which must not be an error.
func (t *sandboxTest) run(env mend.Environment, cmd mend.Command) (mend.Observation, bool) {
	if cmd.Timeout == 0 {
		cmd.Timeout = plenty
	}
	obs, err := env.Run(t.ctx, cmd)
	if err != nil {
		t.errorf("running %q: %w", cmd.Argv, err)
	}
	return obs, err == nil
}

// sh runs a script with arguments, which must exit with code 0, and returns its
// standard output.
func (t *sandboxTest) sh(env mend.Environment, script string, args ...string) (string, bool) {
	obs, ok := t.run(env, mend.Command{Argv: shell(script, args...)})
	if ok && (obs.ExitCode != 0 || obs.TimedOut) {
		t.errorf("a script that works elsewhere ended with code %d: %.300q", obs.ExitCode, obs.Stderr)
		return "", false
	}
	return obs.Stdout, ok
}

// shell returns the command line of a script with arguments.
func shell(script string, args ...string) []string {
	return append([]string{"sh", "-c", script, "sh"}, args...)
}

func emptyRecipe() *mend.Recipe {
	return &mend.Recipe{
		Metadata: mend.Metadata{Name: "sh", Description: "an empty recipe"},
		Verify:   &mend.VerifySection{Command: "sh -c true"},
	}
}

func (t *sandboxTest) checkInstall() {
	r := emptyRecipe()
	env, err := t.sb.Install(t.ctx, r)
	if err != nil {
		t.errorf("a second install: %w", err)
		return
	}
	if !reflect.DeepEqual(r, emptyRecipe()) {
		t.errorf("the recipe was changed")
	}
	if dir := env.Installed().Dir; dir != "" && !strings.HasPrefix(dir, "/") {
		t.errorf("the installed directory %q is not absolute", dir)
	}
	t.close(env)
}

func (t *sandboxTest) close(env mend.Environment) {
	if err := env.Close(); err != nil {
		t.errorf("closing: %w", err)
	}
}

func (t *sandboxTest) checkDirectStart() {
	argv := []string{"printf", "%s|", "$HOME", "a  b", "", "*", "'\"\\", "x;exit 3", "new\nline"}
	obs, ok := t.run(t.env, mend.Command{Argv: argv})
	if !ok {
		return
	}
	if want := strings.Join(argv[2:], "|") + "|"; obs.Stdout != want {
		t.errorf("arguments %q arrived as %q", argv[2:], obs.Stdout)
	}
	if !slices.Equal(obs.Argv, argv) {
		t.errorf("the observation of %q says %q was run", argv, obs.Argv)
	}
}

func (t *sandboxTest) checkNotStarted() {
	obs, ok := t.run(t.env, mend.Command{Argv: []string{"no-such-program-4fd1"}})
	if !ok {
		return
	}
	if obs.ExitCode != 126 && obs.ExitCode != 127 {
		t.errorf("a program that is not there exited with code %d, not 126 or 127", obs.ExitCode)
	}
	if obs.Stderr == "" || obs.TimedOut || obs.Signal != "" {
		t.errorf("a program that is not there left no message: %+v", obs)
	}
}

func (t *sandboxTest) checkStreams() {
	obs, ok := t.run(t.env, mend.Command{Argv: shell(`printf 'o\377\000\033[1mut'; printf 'e\200rr' >&2; printf ' end'`)})
	if !ok {
		return
	}
	if want := "o\xff\x00\x1b[1mut end"; obs.Stdout != want {
		t.errorf("standard output is %q, not %q", obs.Stdout, want)
	}
	if want := "e\x80rr"; obs.Stderr != want {
		t.errorf("standard error is %q, not %q", obs.Stderr, want)
	}
	if obs.Truncated {
		t.errorf("some bytes of output are said to be too many")
	}
}

func (t *sandboxTest) checkExitCode() {
	for _, code := range []int{0, 1, 127, 130, 137, 139, 141, 255} {
		obs, ok := t.run(t.env, mend.Command{Argv: shell(`exit "$1"`, strconv.Itoa(code))})
		if ok && (obs.ExitCode != code || obs.Signal != "" || obs.TimedOut) {
			t.errorf("a program that exited with code %d: code %d, signal %q, timed out %v",
				code, obs.ExitCode, obs.Signal, obs.TimedOut)
		}
	}
}

func (t *sandboxTest) checkSignal() {
	for _, name := range []string{"SEGV", "KILL", "ABRT", "INT", "PIPE", "TERM"} {
		obs, ok := t.run(t.env, mend.Command{Argv: shell(`kill -s "$1" $$; exit 3`, name)})
		if ok && (obs.ExitCode != -1 || obs.Signal != "SIG"+name || obs.TimedOut) {
			t.errorf("a program that died of SIG%s: code %d, signal %q, timed out %v",
				name, obs.ExitCode, obs.Signal, obs.TimedOut)
		}
	}
}

func (t *sandboxTest) checkStdin() {
	obs, ok := t.run(t.env, mend.Command{Argv: []string{"cat"}, Timeout: patience})
	if ok && (obs.TimedOut || obs.Stdout != "" || obs.ExitCode != 0) {
		t.errorf("cat ended with code %d, timed out %v, and printed %.100q", obs.ExitCode, obs.TimedOut, obs.Stdout)
	}
}

func (t *sandboxTest) checkTerminal() {
	out, ok := t.sh(t.env, `for fd in 0 1 2; do if [ -t $fd ]; then echo "descriptor $fd"; fi; done
		if (: </dev/tty) 2>/dev/null; then echo /dev/tty; fi; :`)
	if ok && out != "" {
		t.errorf("there is one: %q", out)
	}
}

func (t *sandboxTest) checkPristine() {
	const list = `for dir in "$HOME" "$TMPDIR" .; do (cd "$dir" && pwd -P && ls -A); done`
	const write = list + `; echo 1 >"$HOME/.first"; echo 1 >"$TMPDIR/first"; echo 1 >first; mkdir "$HOME/.config"; chmod 0 "$HOME/.config"`
	for _, script := range []string{write, list} {
		out, ok := t.sh(t.env, script)
		if !ok {
			return
		}
		lines := strings.Fields(out)
		if len(lines) != 3 || lines[0] == lines[1] || lines[1] == lines[2] || lines[0] == lines[2] {
			t.errorf("HOME, TMPDIR and the working directory are not three empty directories: %q", lines)
		}
	}
}

func (t *sandboxTest) checkInstalledTree() {
	dir := t.env.Installed().Dir
	if dir == "" {
		return
	}
	const probe = `cd "$1" || exit 0; if (: >probe-4fd1) 2>/dev/null; then echo create; fi
		for f in * */*; do if [ -f "$f" ] && (: >>"$f") 2>/dev/null; then echo "change $f"; fi; done; :`
	if out, ok := t.sh(t.env, probe, dir); ok && out != "" {
		t.errorf("it can be written: %.200q", out)
	}
}

// omission finds how many bytes a line says that were left out.
var omission = regexp.MustCompile(`\d{6,}`)

func (t *sandboxTest) checkOutputLimit() {
	const size, most = 256 << 20, 16 << 20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	out, ok := t.run(t.env, mend.Command{Argv: shell(`echo first; dd if=/dev/zero bs=65536 count=4096 2>/dev/null | tr '\0' x; echo; echo last`)})
	runtime.ReadMemStats(&after)
	switch {
	case !ok:
		return
	case out.TimedOut || out.ExitCode != 0:
		t.errorf("printing %d bytes took more than %v, or failed: %.200q", size, plenty, out.Stderr)
		return
	case len(out.Stdout) > most:
		t.errorf("%d of %d bytes are kept", len(out.Stdout), size)
		return
	case !out.Truncated:
		t.errorf("%d bytes of output are not said to be too many", size)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > size/2 {
		t.errorf("%d bytes of output took %d bytes of memory", size, grown)
	}
	if !strings.HasPrefix(out.Stdout, "first\n") || !strings.HasSuffix(out.Stdout, "x\nlast\n") {
		t.errorf("the head or the tail of the output is missing")
	}
	if n, _ := strconv.Atoi(omission.FindString(out.Stdout)); n < size-most || n > size {
		t.errorf("no line says how many bytes were left out")
	}
}

func (t *sandboxTest) checkConcurrentRuns() {
	t.concurrently(4, func(i int) {
		t.writeAlone(t.env, strconv.Itoa(i))
	})
}

// concurrently calls f with 0 to n-1 at the same time.
func (t *sandboxTest) concurrently(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// writeAlone writes a file, and sees that no other run's files are there.
func (t *sandboxTest) writeAlone(env mend.Environment, name string) {
	out, ok := t.sh(env, `: >"$HOME/$1"; : >"$TMPDIR/$1"; : >"$1"; sleep 1; ls -A "$HOME" "$TMPDIR" . | grep '^[0-9]'`, name)
	if files := strings.Fields(out); ok && !slices.Equal(files, []string{name, name, name}) {
		t.errorf("run %s, which wrote three files of that name, found %q", name, files)
	}
}

func (t *sandboxTest) checkParallelInstalls() {
	envs := make([]mend.Environment, 4)
	t.concurrently(len(envs), func(i int) {
		env, err := t.sb.Install(t.ctx, emptyRecipe())
		if err != nil {
			t.errorf("install %d: %w", i, err)
			return
		}
		t.writeAlone(env, strconv.Itoa(i))
		envs[i] = env
	})
	dirs := make(map[string]bool)
	for i, env := range envs {
		if env == nil {
			return
		}
		if dir := env.Installed().Dir; dir != "" && dirs[dir] {
			t.errorf("two installs are in %q", dir)
		} else {
			dirs[dir] = true
		}
		t.sh(env, `[ -z "$1" ] || cd "$1"`, env.Installed().Dir)
		t.close(envs[i]) // which the next ones must not notice
	}
}

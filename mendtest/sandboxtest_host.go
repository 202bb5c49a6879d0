package mendtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mendkit/mend"
)

// required is the environment of a run, as far as its values are given.
var required = []string{"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "PAGER=cat"}

// present are the variables that a run has whose values are up to the sandbox.
var present = []string{"PATH", "HOME", "TMPDIR", "USER", "LOGNAME", "SHELL"}

func (t *sandboxTest) checkEnvironment() {
	canary := "MEND_CANARY_" + rand.Text()
	os.Setenv(canary, "of the host")
	defer os.Unsetenv(canary)
	const given = "MEND_SANDBOX_GIVEN=a  b=c"
	obs, ok := t.run(t.env, mend.Command{Argv: []string{"env"}, Env: []string{given}})
	if !ok {
		return
	}
	inside := make(map[string]string)
	for _, line := range strings.Split(obs.Stdout, "\n") {
		name, value, _ := strings.Cut(line, "=")
		inside[name] = value
	}
	for _, entry := range append([]string{given}, required...) {
		if name, value, _ := strings.Cut(entry, "="); inside[name] != value {
			t.errorf("%s is %q, not %q", name, inside[name], value)
		}
	}
	for _, name := range present {
		if inside[name] == "" {
			t.errorf("%s is not set", name)
		}
	}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		own := slices.Contains(present, name) || slices.Contains(required, entry)
		if got, there := inside[name]; there && got == value && !own {
			t.errorf("%s was inherited", name)
		}
	}
}

// tryToConnect connects to its arguments, host:port, with whatever there is.
const tryToConnect = `for to; do
	host=${to%:*} port=${to##*:}
	bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$host" "$port"
	nc -w 1 "$host" "$port"
	perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => $ARGV[0], Timeout => 1)' "$to"
	python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], sys.argv[2]), 1)' "$host" "$port"
	curl -s -m 1 "http://$to/"
	wget -q -T 1 -t 1 -O - "http://$to/"
done >/dev/null 2>&1
tail -n +2 /proc/net/route 2>/dev/null
grep -v ' lo$' /proc/net/if_inet6 2>/dev/null
:`

func (t *sandboxTest) checkNetwork() {
	listeners := listen()
	var addresses []string
	for _, l := range listeners {
		defer l.Close()
		addresses = append(addresses, l.Addr().String())
	}
	out, ok := t.sh(t.env, tryToConnect, addresses...)
	if ok && out != "" {
		t.errorf("there are routes or addresses besides the loopback's: %.200q", out)
	}
	for _, l := range listeners {
		if n, err := strangers(l); err != nil {
			t.errorf("listening on %s: %w", l.Addr(), err)
		} else if n > 0 {
			t.errorf("a program connected to %s of the host", l.Addr())
		}
	}
}

// listen listens on the host's loopback address, and on another if it has one.
func listen() (listeners []net.Listener) {
	hosts := []net.IP{net.IPv4(127, 0, 0, 1)}
	addrs, _ := net.InterfaceAddrs() // none, if the host does not tell
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok && ip.IP.To4() != nil && ip.IP.IsGlobalUnicast() {
			hosts = append(hosts, ip.IP)
			break
		}
	}
	for _, host := range hosts {
		if l, err := net.Listen("tcp4", net.JoinHostPort(host.String(), "0")); err == nil {
			listeners = append(listeners, l)
		}
	}
	return listeners
}

// strangers returns how many connections came in before one that it makes itself.
func strangers(l net.Listener) (n int, err error) {
	own, err := net.DialTimeout("tcp", l.Addr().String(), patience)
	if err != nil {
		return 0, err
	}
	defer own.Close()
	for {
		conn, err := l.Accept()
		if err != nil {
			return n, err
		}
		conn.Close()
		if conn.RemoteAddr().String() == own.LocalAddr().String() {
			return n, nil
		}
		n++
	}
}

// checkHostFiles plants files that every user of the host may read, so that only
// a sandbox can keep a program from it.
func (t *sandboxTest) checkHostFiles() {
	home, _ := os.UserHomeDir()
	var files, secrets []string
	for _, dir := range []string{os.TempDir(), home} {
		secret := rand.Text()
		if file, err := plant(dir, secret); err == nil { // a directory may be read-only, or not be there
			defer os.Remove(file)
			files, secrets = append(files, file), append(secrets, secret)
		}
	}
	out, ok := t.sh(t.env, `for file; do cat "$file"; done 2>/dev/null; :`, files...)
	for i, secret := range secrets {
		if ok && strings.Contains(out, secret) {
			t.errorf("a program read a file in %s of the host", filepath.Dir(files[i]))
		}
	}
}

// plant creates a file of that content in a directory.
func plant(dir, content string) (name string, err error) {
	f, err := os.CreateTemp(dir, ".mend-canary-")
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := f.WriteString(content); err != nil {
		return f.Name(), err
	}
	return f.Name(), f.Chmod(0o644)
}

// spawn starts a grandchild that has left its session if it can, ignores what it
// can ignore, holds the output open and would live for 40 seconds. It goes on when
// the grandchild lives. The grandchild is known by the script's first argument.
const spawn = `echo before
	session=$(command -v setsid) || session=
	($session sh -c 'trap "" TERM HUP INT QUIT; : >lives; i=0
		while [ $i -lt 40 ]; do sleep 1; i=$((i + 1)); done' "$1" &)
	while [ ! -e lives ]; do sleep 0; done
`

// marker is what a process is known by. Its pattern for grep does not match itself.
type marker struct{ text, pattern string }

func newMarker() marker {
	name := rand.Text()
	return marker{"mend-probe-x" + name, "mend-probe-[x]" + name}
}

// checkDead sees that no process of that marker is alive, here or in the sandbox.
func (t *sandboxTest) checkDead(m marker) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && bytes.Contains(line, []byte(m.text)) {
			t.errorf("a process of the run is still alive on the host: %s", filepath.Dir(file))
			break
		}
	}
	out, ok := t.sh(t.env, `grep -l "$1" /proc/[0-9]*/cmdline 2>/dev/null; :`, m.pattern)
	if ok && out != "" {
		t.errorf("a process of an earlier run is still alive in the sandbox: %q", out)
	}
}

func (t *sandboxTest) checkTimeLimit() {
	m, begin := newMarker(), time.Now()
	const limit = 1500 * time.Millisecond
	obs, ok := t.run(t.env, mend.Command{Argv: shell(spawn+`trap "" TERM; while :; do sleep 1; done`, m.text), Timeout: limit})
	if !ok {
		return
	}
	if !obs.TimedOut || obs.ExitCode != -1 {
		t.errorf("a program that never ends: timed out %v, code %d", obs.TimedOut, obs.ExitCode)
	}
	if took := time.Since(begin); took > limit+patience {
		t.errorf("after a limit of %v, the run took %v", limit, took)
	}
	if obs.Stdout != "before\n" {
		t.errorf("what was printed before is lost: %q", obs.Stdout)
	}
	t.checkDead(m)
}

func (t *sandboxTest) checkLeftBehind() {
	m, begin := newMarker(), time.Now()
	obs, ok := t.run(t.env, mend.Command{Argv: shell(spawn+"exit 3", m.text), Timeout: plenty})
	if !ok {
		return
	}
	if obs.ExitCode != 3 || obs.TimedOut || obs.Stdout != "before\n" {
		t.errorf("a program that left a process behind: code %d, timed out %v, printed %q", obs.ExitCode, obs.TimedOut, obs.Stdout)
	}
	if took := time.Since(begin); took > patience {
		t.errorf("a process left behind delayed the run for %v", took)
	}
	t.checkDead(m)
}

func (t *sandboxTest) checkContext() {
	m, begin := newMarker(), time.Now()
	cause := errors.New("no longer wanted")
	ctx, cancel := context.WithTimeoutCause(t.ctx, 1500*time.Millisecond, cause)
	defer cancel()
	_, err := t.env.Run(ctx, mend.Command{Argv: shell(spawn+`while :; do sleep 1; done`, m.text), Timeout: plenty})
	if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, cause) {
		t.errorf("a run whose context ended returned %w", wrapped(err))
	}
	if took := time.Since(begin); took > patience {
		t.errorf("a run whose context ended took %v", took)
	}
	t.checkDead(m)
	gone, cancel := context.WithCancel(t.ctx)
	cancel()
	if _, err := t.env.Run(gone, mend.Command{Argv: []string{"env"}}); !errors.Is(err, context.Canceled) {
		t.errorf("a run with a context that had ended returned %w", wrapped(err))
	}
	env, err := t.sb.Install(gone, emptyRecipe())
	if err == nil {
		t.close(env)
	}
	if !errors.Is(err, context.Canceled) {
		t.errorf("an install with a context that had ended returned %w", wrapped(err))
	}
}

// wrapped returns err, or an error that says there is none.
func wrapped(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return fmt.Errorf("the error %w", err)
}

func (t *sandboxTest) checkClose() {
	env, err := t.sb.Install(t.ctx, emptyRecipe())
	if err != nil {
		t.errorf("an install to be closed: %w", err)
		return
	}
	dir := env.Installed().Dir
	_, before := os.Stat(dir)
	for _, call := range []string{"first", "second"} {
		if err := env.Close(); err != nil {
			t.errorf("the %s call: %w", call, err)
		}
	}
	if _, err := os.Stat(dir); dir != "" && before == nil && err == nil {
		t.errorf("%s is still there", dir)
	}
}

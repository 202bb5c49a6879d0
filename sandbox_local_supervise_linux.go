package mend

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// supervisor starts a program in a sandbox, and tells an exit code from a signal.
//
// The program must not be the first process of its PID namespace: the kernel
// keeps signals from that one, so that abort would not end it. So something has to
// wait for it inside, and neither bubblewrap nor a shell can tell afterwards
// whether it exited with code 139 or died of signal 11. What system() of awk
// returns can: for a signal it is 256 and the signal's number, in mawk, GNU awk
// and the One True awk. BusyBox 1.35 returns 0, so no awk is trusted untried.
//
// The shell that awk starts sets limits and becomes env, and env becomes the
// program, with nothing in its environment but what is given: a shell would leave
// PWD there, and drop variables whose names it does not like.
type supervisor struct{ awk, sh, env string }

// newSupervisor finds the programs that it takes.
func newSupervisor() (s supervisor, err error) {
	if s.sh, err = systemProgram("sh"); err != nil {
		return s, err
	}
	if s.env, err = systemProgram("env"); err != nil {
		return s, err
	}
	for _, name := range []string{"awk", "gawk", "mawk", "original-awk"} {
		if s.awk, err = systemProgram(name); err == nil && tellsSignal(s.awk) {
			return s, nil
		}
	}
	return s, errors.New("no awk that can tell a signal from an exit code")
}

// tellsSignal reports whether an awk's system() tells how a command died.
func tellsSignal(awk string) bool {
	cmd := exec.Command(awk, "--", `BEGIN { exit system("kill -s TERM $$") != 256 + 15 }`)
	cmd.Env = supervisorEnv()
	return cmd.Run() == nil
}

// systemProgram returns the system's own program of that name.
func systemProgram(name string) (string, error) {
	file, no := view{}.locate(name, strings.Join(systemPath, ":"))
	if no != nil {
		return "", fmt.Errorf("%s: %s", name, no.reason)
	}
	return file, nil
}

// supervision is the awk program. Its argument is what the shell is to do. Without
// a line on standard input it does nothing: whoever was to watch has gone.
const supervision = `BEGIN { command = ARGV[1]; ARGC = 1; if ((getline go) > 0) print "` + reportEnd + `" system(command) }`

// script is what the supervisor's shell does.
type script struct {
	as          []string // what to be started by, to become another user; nil to stay
	directories []string // to make before
	dir         string   // to start the program in
	argv, env   []string // of the program, which has to be checked before with a [view]
}

// command returns the supervisor's own command line. An end that is reported
// without a start is the shell's, and the sandbox is not what it should be.
func (s supervisor) command(c script) ([]string, *refusal, error) {
	if strings.ContainsRune(c.argv[0], '=') {
		return nil, nil, fmt.Errorf("cannot start %q: a program's name must not hold an equals sign here", c.argv[0])
	}
	var b strings.Builder
	b.WriteString(limits)
	if len(c.directories) > 0 {
		b.WriteString("; mkdir -m 700" + quote(c.directories))
	}
	b.WriteString(" && cd" + quote([]string{c.dir}) + " && echo " + reportStart)
	b.WriteString(" && exec" + quote([]string{s.env, "-i", "--"}) + quote(c.env) + quote(c.argv) + " </dev/null >&3 3>&-")
	text := b.String()
	if len(c.as) > 0 {
		text = "exec" + quote(c.as) + quote([]string{s.sh, "-c", text})
	}
	if len(text) > maxArgument {
		return nil, longArgument, nil
	}
	return []string{s.awk, "--", supervision, text}, nil, nil
}

// supervisorEnv is the supervisor's own environment.
func supervisorEnv() []string {
	return []string{"LC_ALL=C", "PATH=" + strings.Join(systemPath, ":")}
}

// systemTrees is what of the file system every program may read: where programs,
// their libraries and their data are. Not among it are home directories, /srv,
// /run, /tmp, /boot, and what services keep in /var. Those that are not there are
// skipped.
var systemTrees = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt",
	"/nix/store", "/run/current-system", // NixOS
	"/gnu/store",                 // Guix
	"/home/linuxbrew/.linuxbrew", // Homebrew
	"/var/cache/fontconfig",      // renderers scan all fonts without
	"/var/lib/emacs",
	"/var/lib/gems",        // what gem install installed
	"/var/lib/ghc",         // the package database
	"/var/lib/ghostscript", // fonts
	"/var/lib/texmf",       // format files
}

// resolveAll returns where those of the paths lead that lead somewhere.
func resolveAll(paths []string) []string {
	var found []string
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			found = append(found, real)
		}
	}
	return found
}

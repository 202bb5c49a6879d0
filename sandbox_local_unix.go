//go:build unix

package mend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// signalNames holds the names of the signals that end a process.
var signalNames = map[syscall.Signal]string{
	syscall.SIGABRT:   "SIGABRT",
	syscall.SIGALRM:   "SIGALRM",
	syscall.SIGBUS:    "SIGBUS",
	syscall.SIGFPE:    "SIGFPE",
	syscall.SIGHUP:    "SIGHUP",
	syscall.SIGILL:    "SIGILL",
	syscall.SIGINT:    "SIGINT",
	syscall.SIGIO:     "SIGIO",
	syscall.SIGKILL:   "SIGKILL",
	syscall.SIGPIPE:   "SIGPIPE",
	syscall.SIGPROF:   "SIGPROF",
	syscall.SIGQUIT:   "SIGQUIT",
	syscall.SIGSEGV:   "SIGSEGV",
	syscall.SIGSYS:    "SIGSYS",
	syscall.SIGTERM:   "SIGTERM",
	syscall.SIGTRAP:   "SIGTRAP",
	syscall.SIGUSR1:   "SIGUSR1",
	syscall.SIGUSR2:   "SIGUSR2",
	syscall.SIGVTALRM: "SIGVTALRM",
	syscall.SIGXCPU:   "SIGXCPU",
	syscall.SIGXFSZ:   "SIGXFSZ",
}

// signalName returns the name of signal number n, as "SIGSEGV".
func signalName(n int) string {
	if name, ok := signalNames[syscall.Signal(n)]; ok {
		return name
	}
	return fmt.Sprintf("SIG%d", n)
}

// stateEnding says how a process ended that was waited for: its exit code, or -1
// and the signal.
func stateEnding(state *os.ProcessState) (code int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		signal = signalName(int(ws.Signal()))
	}
	return state.ExitCode(), signal
}

// startRefusal returns what a shell says about err, the reason why a program
// could not be started, or nil if err is no fault of the program.
func startRefusal(err error) *refusal {
	for errno, no := range map[syscall.Errno]*refusal{
		syscall.ENOENT:  notFound,
		syscall.ENOTDIR: notFound,
		syscall.EACCES:  noPermission,
		syscall.EPERM:   noPermission,
		syscall.ENOEXEC: noFormat,
		syscall.ELOOP:   manyLinks,
		syscall.E2BIG:   longArgument,
	} {
		if errors.Is(err, errno) {
			return no
		}
	}
	return nil
}

// hardLinks returns a file's inode and how many names it has.
func hardLinks(info fs.FileInfo) (inode, names uint64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 1
	}
	return uint64(stat.Ino), uint64(stat.Nlink)
}

// isBusy reports whether a program was not started since its file is open for
// writing.
func isBusy(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

// ownGroup makes a process the leader of a session and process group of its own,
// without a terminal.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup kills the process group that the process pid leads.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

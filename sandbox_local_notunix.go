//go:build !unix

package mend

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// signalName returns "": no signal ends a process here.
func signalName(int) string { return "" }

// stateEnding says with which exit code a process ended that was waited for.
func stateEnding(state *os.ProcessState) (code int, signal string) {
	return state.ExitCode(), ""
}

// startRefusal returns what a shell says about err, the reason why a program
// could not be started, or nil if err is no fault of the program.
func startRefusal(err error) *refusal {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notFound
	case errors.Is(err, fs.ErrPermission):
		return noPermission
	}
	return nil
}

// hardLinks returns one name: the others are not known.
func hardLinks(fs.FileInfo) (inode, names uint64) { return 0, 1 }

// isBusy returns false: an open file is a matter of permission here.
func isBusy(error) bool { return false }

// ownGroup returns nil: there are no process groups.
func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup does nothing: there are no process groups.
func killGroup(int) {}

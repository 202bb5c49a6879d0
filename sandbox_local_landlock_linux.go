package mend

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// System calls and their constants that package syscall does not have. The
// numbers are the same on every processor.
const (
	sysLandlockCreateRuleset = 444
	sysLandlockAddRule       = 445
	sysLandlockRestrictSelf  = 446
	landlockVersion          = 1 // a flag: ask for the version
	landlockPathBeneath      = 1 // a kind of rule
	prSetNoNewPrivs          = 38
	prSetSeccomp             = 22
	seccompModeFilter        = 2
	oPath                    = 0x200000
)

// What Landlock can allow, and in groups below.
const (
	mayExecute  = 1 << 0
	mayWrite    = 1 << 1
	mayReadFile = 1 << 2
	mayReadDir  = 1 << 3
	mayTruncate = 1 << 14 // since version 3
	mayIoctl    = 1 << 15 // since version 5

	mayRead        = mayExecute | mayReadFile | mayReadDir
	mayMakeDevices = 1<<6 | 1<<11
	mayAll         = 1<<16 - 1
	mayOnFile      = mayExecute | mayWrite | mayReadFile | mayTruncate | mayIoctl // all that a file can have
)

// landlockMinimum is the first version with which no file can be changed that
// must not be: before it, files could be truncated.
const landlockMinimum = 3

// landlockRights returns all that this kernel's Landlock can forbid.
func landlockRights() (uint64, error) {
	version, _, errno := syscall.Syscall(sysLandlockCreateRuleset, 0, 0, landlockVersion)
	switch {
	case errno != 0:
		return 0, fmt.Errorf("landlock: %w", errno)
	case version < landlockMinimum:
		return 0, fmt.Errorf("landlock: version %d of it is too old", version)
	case version < 5:
		return mayAll &^ mayIoctl, nil
	}
	return mayAll, nil
}

// fileRule allows something with a file, or with a directory and all below.
type fileRule struct {
	path   string
	rights uint64
}

// deviceRules is what programs may do with files that are not on a disk. There is
// no terminal behind /dev/tty, which only opening it tells.
var deviceRules = []fileRule{
	{"/proc", mayReadFile | mayReadDir},
	{"/dev/null", mayOnFile &^ mayExecute},
	{"/dev/zero", mayOnFile &^ mayExecute},
	{"/dev/full", mayOnFile &^ mayExecute},
	{"/dev/tty", mayOnFile &^ mayExecute},
	{"/dev/random", mayReadFile | mayIoctl},
	{"/dev/urandom", mayReadFile | mayIoctl},
}

// readRules allows reading each directory and all below.
func readRules(dirs []string) []fileRule {
	var rules []fileRule
	for _, dir := range dirs {
		rules = append(rules, fileRule{dir, mayRead})
	}
	return rules
}

// restrictThread forbids the current thread, and whatever it starts, everything
// with files that the rules do not allow, all sockets that the filter refuses, and
// ever to gain privileges. It cannot be undone.
func restrictThread(rights uint64, rules []fileRule, filter []syscall.SockFilter) error {
	if syscall.Gettid() == os.Getpid() {
		return errMainThread
	}
	ruleset, _, errno := syscall.Syscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&rights)), unsafe.Sizeof(rights), 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	defer syscall.Close(int(ruleset))
	for _, rule := range rules {
		if err := addRule(ruleset, rule.path, rule.rights&rights); err != nil {
			return err
		}
	}
	if _, _, errno := syscall.Syscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return fmt.Errorf("no_new_privs: %w", errno)
	}
	if _, _, errno := syscall.Syscall(sysLandlockRestrictSelf, ruleset, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	program := syscall.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno = syscall.Syscall6(syscall.SYS_PRCTL, prSetSeccomp, seccompModeFilter, uintptr(unsafe.Pointer(&program)), 0, 0, 0)
	runtime.KeepAlive(filter)
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// addRule adds one rule to a ruleset.
func addRule(ruleset uintptr, path string, rights uint64) error {
	fd, err := syscall.Open(path, oPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		rights &= mayOnFile
	}
	// The kernel's struct is packed: 12 bytes, so that what follows them is not read.
	beneath := struct {
		rights uint64
		fd     int32
	}{rights, int32(fd)}
	_, _, errno := syscall.Syscall6(sysLandlockAddRule, ruleset, landlockPathBeneath, uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("landlock: rule for %s: %w", path, errno)
	}
	return nil
}

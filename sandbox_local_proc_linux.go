package mend

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"unsafe"
)

// highestInherited returns the highest file descriptor that a process which we
// start would inherit, unasked. Go marks what it opens so that there are none, but
// whoever started this program, and libraries in C, may have left some open. One
// that is a directory would lead out of any sandbox.
func highestInherited() int {
	highest := 0
	files, _ := os.ReadDir("/proc/self/fd") // as many as it got before an error
	for _, file := range files {
		fd, err := strconv.Atoi(file.Name())
		if err != nil || fd <= highest {
			continue
		}
		flags, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
		if errno == 0 && flags&syscall.FD_CLOEXEC == 0 {
			highest = fd
		}
	}
	return highest
}

// dieWithCaller has a process killed when this program ends, however it does.
func dieWithCaller(attr *syscall.SysProcAttr) *syscall.SysProcAttr {
	attr.Pdeathsig = syscall.SIGKILL
	return attr
}

// limitPlain limits what the process pid and its later children may use up: core
// dumps, and the size of files if files is set.
func limitPlain(pid int, files bool) error {
	limits := map[uintptr]uint64{syscall.RLIMIT_CORE: 0}
	if files {
		limits[syscall.RLIMIT_FSIZE] = maxFileSize
	}
	for resource, limit := range limits {
		both := syscall.Rlimit{Cur: limit, Max: limit}
		_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), resource, uintptr(unsafe.Pointer(&both)), 0, 0, 0)
		if errno != 0 {
			return errno
		}
	}
	return nil
}

// killStrays kills the processes younger than the process pid that were started
// with the fresh directories in their environment, until there is none. Those that
// left their process group are among them; one that also changed all of the
// variables is not found.
func killStrays(pid int, f fresh) {
	const rounds = 1000 // against a program that forks faster than we kill
	for range rounds {
		strays := findStrays(pid, f)
		if len(strays) == 0 {
			return
		}
		pid = allPIDs // with that many processes, numbers may have come round
		for _, stray := range strays {
			_ = syscall.Kill(stray, syscall.SIGKILL) // a process that has gone is no failure
		}
	}
}

// allPIDs, as a process's number, says that every process may be younger.
const allPIDs = -1

func findStrays(pid int, f fresh) (strays []int) {
	last := lastPID()
	if last == pid {
		return nil // no process was started since
	}
	marks := [][]byte{
		[]byte("\x00HOME=" + f.home + "\x00"), []byte("\x00TMPDIR=" + f.tmp + "\x00"), []byte("\x00" + runVariable + "=" + f.dir + "\x00"),
	}
	entries, _ := os.ReadDir("/proc") // as many as it got before an error
	for _, entry := range entries {
		n, err := strconv.Atoi(entry.Name())
		if err != nil || pid != allPIDs && last > pid && (n < pid || n > last) {
			continue // older, unless the numbers began again from the lowest
		}
		env, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		if err != nil {
			continue // it has gone, or is not ours
		}
		env = append([]byte{0}, env...)
		if slices.ContainsFunc(marks, func(mark []byte) bool { return bytes.Contains(env, mark) }) {
			strays = append(strays, n)
		}
	}
	return strays
}

// lastPID returns the number of the process or thread that was started last, or 0
// if the system does not tell.
func lastPID() int {
	data, err := os.ReadFile("/proc/loadavg")
	fields := bytes.Fields(data)
	if err != nil || len(fields) < 5 {
		return 0
	}
	last, _ := strconv.Atoi(string(fields[4])) // 0 if it is no number
	return last
}

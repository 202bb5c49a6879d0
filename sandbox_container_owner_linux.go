package mend

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// machineID identifies what process numbers belong to: this start of the system,
// and the PID namespace. It is "" if the system does not tell.
func machineID() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	namespace, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + "/" + namespace
}

// processStart says when the process pid started, in the kernel's own unit, or ""
// if there is none. With its number, that is a process's identity.
func processStart(pid int) string {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return ""
	}
	// The name in parentheses may hold anything; the fields behind it begin with the
	// third, and the start is the 22nd.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return ""
	}
	return string(fields[19])
}

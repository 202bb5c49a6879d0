//go:build !linux

package mend

import "syscall"

// dieWithCaller changes nothing: only Linux can kill a process with its parent.
func dieWithCaller(attr *syscall.SysProcAttr) *syscall.SysProcAttr { return attr }

// limitPlain does nothing: limits are for Linux.
func limitPlain(int, bool) error { return nil }

// highestInherited returns 0: only Linux tells what would be inherited.
func highestInherited() int { return 0 }

// killStrays does nothing: only Linux tells what a process was started with.
func killStrays(int, fresh) {}

// tiers returns how programs can be isolated here: not at all.
func tiers() []tierChoice { return nil }

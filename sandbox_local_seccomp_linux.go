package mend

import (
	"encoding/binary"
	"runtime"
	"syscall"
)

// abi is one system-call interface of a processor.
type abi struct {
	audit      uint32 // AUDIT_ARCH_ number
	socket     uint32 // number of the system call socket
	socketcall uint32 // number of the one that stands for all on sockets; 0 if there is none
	foreign    uint32 // first number that belongs to another interface; 0 if there is none
}

// abis lists by GOARCH the interfaces that a program can use there. Processors
// that store the highest byte first are left out.
var abis = map[string][]abi{
	"386":     {{audit: 0x40000003, socket: 359, socketcall: 102}},
	"amd64":   {{audit: 0xC000003E, socket: 41, foreign: 0x40000000}, {audit: 0x40000003, socket: 359, socketcall: 102}},
	"arm":     {{audit: 0x40000028, socket: 281}},
	"arm64":   {{audit: 0xC00000B7, socket: 198}, {audit: 0x40000028, socket: 281}},
	"loong64": {{audit: 0xC0000102, socket: 198}},
	"riscv64": {{audit: 0xC00000F3, socket: 198}, {audit: 0x400000F3, socket: 198}},
}

// What the filter does, and where it finds what it looks at.
const (
	sysIoUringSetup   = 425 // on every processor
	seccompAllow      = 0x7fff0000
	seccompErrno      = 0x00050000
	seccompDataNumber = 0
	seccompDataArch   = 4
	seccompDataArg0   = 16 // its low half
)

// socketFilter returns a seccomp filter that lets programs have sockets of those
// families only. A network namespace holds the Internet's; sockets of virtual
// machines (AF_VSOCK) it does not, nor those that are files (AF_UNIX). Sockets by
// way of io_uring are beyond a filter, so there is no io_uring. It returns nil for
// a processor that is not known.
func socketFilter(families ...uint32) []syscall.SockFilter {
	var program []syscall.SockFilter
	known := abis[runtime.GOARCH]
	if known == nil {
		return nil
	}
	refuse := func(errno syscall.Errno) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_RET | syscall.BPF_K, K: seccompErrno | uint32(errno)}
	}
	load := func(offset uint32) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS, K: offset}
	}
	jump := func(test uint16, k uint32, then, otherwise int) syscall.SockFilter {
		return syscall.SockFilter{Code: syscall.BPF_JMP | syscall.BPF_K | test, K: k, Jt: uint8(then), Jf: uint8(otherwise)}
	}
	allow := syscall.SockFilter{Code: syscall.BPF_RET | syscall.BPF_K, K: seccompAllow}
	for _, a := range known {
		block := []syscall.SockFilter{load(seccompDataNumber)}
		for _, no := range []struct {
			test   uint16
			number uint32
		}{
			{syscall.BPF_JEQ, sysIoUringSetup},
			{syscall.BPF_JEQ, a.socketcall},
			{syscall.BPF_JGE, a.foreign},
		} {
			if no.number != 0 {
				block = append(block, jump(no.test, no.number, 0, 1), refuse(syscall.ENOSYS))
			}
		}
		block = append(block, jump(syscall.BPF_JEQ, a.socket, 1, 0), allow, load(seccompDataArg0))
		for _, family := range families {
			block = append(block, jump(syscall.BPF_JEQ, family, 0, 1), allow)
		}
		block = append(block, refuse(syscall.EAFNOSUPPORT))
		program = append(program, load(seccompDataArch), jump(syscall.BPF_JEQ, a.audit, 0, len(block)))
		program = append(program, block...)
	}
	return append(program, refuse(syscall.ENOSYS))
}

// encodeFilter returns a filter as the kernel reads it, for bubblewrap.
func encodeFilter(program []syscall.SockFilter) []byte {
	var data []byte
	for _, op := range program {
		data = binary.NativeEndian.AppendUint16(data, op.Code)
		data = append(data, op.Jt, op.Jf)
		data = binary.NativeEndian.AppendUint32(data, op.K)
	}
	return data
}

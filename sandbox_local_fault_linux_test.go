package mend_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tool is a shell script of that name.
func tool(lines ...string) file {
	return file{content: "#!/bin/sh\n" + strings.Join(lines, "\n") + "\n"}
}

// faultyFiles are tools with every fault that is known, and some that only look so.
var faultyFiles = map[string]file{
	"hangs":       tool("echo before", "while :; do sleep 1; done"),
	"usage":       tool("echo 'Usage: usage [OPTION]... FILE' >&2"),
	"segfault":    tool("echo partial", "kill -s SEGV $$"),
	"code-139":    tool("exit 139"),
	"binary-text": tool(`printf 'v\3771\0000\n'`),
	"first-run":   tool(`if [ -e "$HOME/.seen" ]; then echo tool 1.0; else : >"$HOME/.seen"; echo 'Welcome!'; exit 1; fi`),
	"daemon":      tool(`(trap '' TERM HUP; sleep 60) & echo started`),
	"empty":       {content: ""},
	"no-shebang":  {content: "echo hello\n"},
	"html":        {content: "<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n"},
	"bare-bang":   {content: "#!\necho hello\n"},
	"not-execute": {"#!/bin/sh\necho hello\n", 0o644},
	"lost":        {content: "#!/no/such/interpreter -x\n"},
	"dos":         {content: "#!/bin/sh\r\necho hello\r\n"},
	"spaced":      {content: "#! \t/bin/sh \necho spaced $0\n"},
	"self":        {content: "#!/bin/self\n"},
	"elf":         {content: elfFile(elf.EM_386, 0, "")},
	"wrong-arch":  {content: elfFile(foreignMachine(), 1, "")},
	"no-loader":   {content: elfFile(nativeMachine(), 1, "/lib/ld-no-such.so.1")},
	"cut-short":   {content: elfFile(nativeMachine(), 1, "/lib/ld-no-such.so.1")[:40]},
	"tool.d/file": {content: "x"},
}

// faultyRuns is what each of them shows, however it is isolated.
var faultyRuns = map[string]struct {
	argv    []string
	timeout time.Duration
	want    mend.Observation // its Argv, and a negative ExitCode, are not repeated
}{
	"hangs":       {timeout: 500 * time.Millisecond, want: mend.Observation{ExitCode: -1, TimedOut: true, Stdout: "before\n"}},
	"usage":       {want: mend.Observation{Stderr: "Usage: usage [OPTION]... FILE\n"}},
	"segfault":    {want: mend.Observation{ExitCode: -1, Signal: "SIGSEGV", Stdout: "partial\n"}},
	"code-139":    {want: mend.Observation{ExitCode: 139}},
	"binary-text": {want: mend.Observation{Stdout: "v\xff1\x000\n"}},
	"first-run":   {want: mend.Observation{ExitCode: 1, Stdout: "Welcome!\n"}},
	"daemon":      {want: mend.Observation{Stdout: "started\n"}},
	"empty":       {want: mend.Observation{ExitCode: 126, Stderr: "empty: Exec format error\n"}},
	"no-shebang":  {want: mend.Observation{ExitCode: 126, Stderr: "no-shebang: Exec format error\n"}},
	"html":        {want: mend.Observation{ExitCode: 126, Stderr: "html: Exec format error\n"}},
	"bare-bang":   {want: mend.Observation{ExitCode: 126, Stderr: "bare-bang: Exec format error\n"}},
	"not-execute": {want: mend.Observation{ExitCode: 126, Stderr: "not-execute: Permission denied\n"}},
	"lost":        {want: mend.Observation{ExitCode: 126, Stderr: "lost: /no/such/interpreter: bad interpreter: No such file or directory\n"}},
	"dos":         {want: mend.Observation{ExitCode: 126, Stderr: "dos: /bin/sh^M: bad interpreter: No such file or directory\n"}},
	"elf":         {want: mend.Observation{ExitCode: 126, Stderr: "elf: Exec format error\n"}},
	"wrong-arch":  {want: mend.Observation{ExitCode: 126, Stderr: "wrong-arch: Exec format error\n"}},
	"cut-short":   {want: mend.Observation{ExitCode: 126, Stderr: "cut-short: Exec format error\n"}},
	"no-loader":   {want: mend.Observation{ExitCode: 126, Stderr: "no-loader: /lib/ld-no-such.so.1: bad ELF interpreter: No such file or directory\n"}},
	"tool.d":      {want: mend.Observation{ExitCode: 127, Stderr: "tool.d: not found\n"}},
	"/etc":        {want: mend.Observation{ExitCode: 126, Stderr: "/etc: Is a directory\n"}},
	"./relative":  {want: mend.Observation{ExitCode: 127, Stderr: "./relative: not found\n"}},
	"no-such":     {argv: []string{"no-such", "--version"}, want: mend.Observation{ExitCode: 127, Stderr: "no-such: not found\n"}},
}

// TestLocalFaults runs them as real processes.
func TestLocalFaults(t *testing.T) {
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level, Installer: installer(faultyFiles)})
		for _, turn := range []string{"first time", "again"} {
			t.Run(turn, func(t *testing.T) { testFaults(t, env) })
		}
	})
}

// testFaults runs every faulty file once.
func testFaults(t *testing.T, env mend.Environment) {
	for name, test := range faultyRuns {
		t.Run(name, func(t *testing.T) {
			argv := test.argv
			if argv == nil {
				argv = []string{name}
			}
			got, err := env.Run(t.Context(), mend.Command{Argv: argv, Timeout: test.timeout})
			require.NoError(t, err)
			got.Duration = 0
			want := test.want
			want.Argv = argv
			assert.Equal(t, want, got)
		})
	}
	spaced := run(t, env, "spaced")
	assert.Equal(t, "spaced "+env.Installed().Dir+"/spaced\n", spaced.Stdout, "a program that is right is run")
}

// elfFile returns an ELF file for a machine that has the header, that many
// program headers, and asks for a loader.
func elfFile(machine elf.Machine, headers int, loader string) string {
	h := elf.Header64{
		Type:      uint16(elf.ET_EXEC),
		Machine:   uint16(machine),
		Version:   uint32(elf.EV_CURRENT),
		Phoff:     64,
		Ehsize:    64,
		Phentsize: 56,
		Phnum:     uint16(headers),
	}
	copy(h.Ident[:], elf.ELFMAG)
	h.Ident[elf.EI_CLASS], h.Ident[elf.EI_DATA], h.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, h)
	for range headers {
		p := elf.Prog64{Type: uint32(elf.PT_LOAD)}
		if loader != "" {
			p = elf.Prog64{Type: uint32(elf.PT_INTERP), Off: 64 + 56*uint64(headers), Filesz: uint64(len(loader)) + 1}
		}
		binary.Write(&b, binary.LittleEndian, p)
	}
	b.WriteString(loader + "\x00")
	return b.String()
}

func nativeMachine() elf.Machine {
	if runtime.GOARCH == "arm64" {
		return elf.EM_AARCH64
	}
	return elf.EM_X86_64
}

func foreignMachine() elf.Machine {
	if runtime.GOARCH == "arm64" {
		return elf.EM_X86_64
	}
	return elf.EM_AARCH64
}

// TestLocalFlood lets a program print a gigabyte, or a tenth of it where another
// level of isolation has shown already that what reads it is bounded.
func TestLocalFlood(t *testing.T) {
	total := 1 << 30
	eachLevel(t, func(t *testing.T, level mend.Isolation) {
		env := install(t, mend.LocalOptions{Isolation: level})
		defer func() { total = 1 << 27 }()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		obs := run(t, env, "sh", "-c", `printf head; dd if=/dev/zero bs=65536 count=$1 2>/dev/null | tr '\0' '~'; printf tail`, "sh", strconv.Itoa(total>>16))
		runtime.ReadMemStats(&after)
		assert.Zero(t, obs.ExitCode)
		assert.True(t, obs.Truncated)
		head, rest, _ := strings.Cut(obs.Stdout, "\n")
		mark, tail, _ := strings.Cut(rest, "\n")
		assert.Equal(t, "head"+strings.Repeat("~", 128<<10-4), head)
		assert.Equal(t, strings.Repeat("~", 128<<10-4)+"tail", tail)
		assert.Equal(t, fmt.Sprintf("[... %d bytes omitted ...]", total+8-256<<10), mark)
		assert.Less(t, int64(after.HeapSys)-int64(before.HeapSys), int64(64<<20), "a gigabyte does not take up memory")
	})
}

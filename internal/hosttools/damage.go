package hosttools

import (
	"bytes"
	"debug/elf"
)

// Damage is a copy of a program that cannot run any more, as an install that went
// wrong leaves it.
type Damage struct {
	Name    string // of the fault, without blanks
	Fault   string // for people
	Program []byte
}

// page is what a download leaves in the place of a program that has moved.
const page = `<!DOCTYPE html>
<html><head><title>404 Not Found</title></head>
<body><h1>Not Found</h1><p>The requested file was not found on this server.</p></body></html>
`

// Damages returns copies of a program, each broken in another way. Those that no
// program prints a word of come last.
func Damages(program []byte) []Damage {
	var damages []Damage
	if rest, isScript := bytes.CutPrefix(program, []byte("#!")); isScript {
		_, body, _ := bytes.Cut(rest, []byte("\n"))
		script := append([]byte("#!/usr/lib/no-such-interpreter\n"), body...)
		damages = append(damages, Damage{"no-interpreter", "its interpreter is not there", script})
	} else if file, err := elf.NewFile(bytes.NewReader(program)); err == nil {
		if libraries, err := file.ImportedLibraries(); err == nil && len(libraries) > 0 {
			missing := []byte(libraries[0])
			other := append(missing[:len(missing)-1:len(missing)-1], 'x')
			without := bytes.ReplaceAll(program, append(missing, 0), append(other, 0))
			damages = append(damages, Damage{"no-library", libraries[0] + " is not there", without})
		}
		foreign := bytes.Clone(program)
		foreign[machineOffset] = foreignMachine
		damages = append(damages,
			Damage{"foreign", "it was built for another processor", foreign},
			Damage{"truncated", "only its first third was downloaded", program[:len(program)/3]})
	}
	return append(damages,
		Damage{"page", "an error page was downloaded in its place", []byte(page)},
		Damage{"wrapper", "its wrapper does not find it", []byte("#!/bin/sh\nexec \"$(dirname \"$0\")\"/../libexec/no-such-program \"$@\"\n")},
		Damage{"empty", "it is empty", []byte("\n\n\n")})
}

// An ELF file names at this offset the processor that it is for; 8 is MIPS.
const (
	machineOffset  = 18
	foreignMachine = 8
)

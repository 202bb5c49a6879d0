package mend

import (
	"fmt"
	"strings"
)

// maxFileSize is how many bytes a program may write into one file.
const maxFileSize = 256 << 20

// limits bounds what a program may use up: no core dumps, files of maxFileSize
// (the shell's unit is 512 bytes), 1,024 open files, 4,096 processes. Some shells
// call the last one -u and some -p. A limit that is already lower stays.
var limits = fmt.Sprintf("umask 022; { ulimit -c 0; ulimit -f %d; ulimit -n 1024; ulimit -u 4096 || ulimit -p 4096 || :; } 2>/dev/null", maxFileSize/512)

// maxArgument is the length of one argument that Linux accepts. A supervised
// program's whole command line has to fit into one.
const maxArgument = 128<<10 - 1

// quote returns words for a shell, each with a space before it.
func quote(words []string) string {
	var b strings.Builder
	for _, word := range words {
		b.WriteString(" '" + strings.ReplaceAll(word, "'", `'\''`) + "'")
	}
	return b.String()
}

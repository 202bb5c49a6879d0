package mend

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// refusal is why a program is not started, in the words and with the exit code
// that a shell has for it.
type refusal struct {
	code   int // 126 or 127
	reason string
}

// What a shell says of a program that it cannot start.
var (
	notFound     = &refusal{127, "not found"}
	noPermission = &refusal{126, "Permission denied"}
	noFormat     = &refusal{126, "Exec format error"}
	isDirectory  = &refusal{126, "Is a directory"}
	manyLinks    = &refusal{126, "Too many levels of symbolic links"}
	longArgument = &refusal{126, "Argument list too long"}
)

// observe returns the run of a program that was refused.
func (r *refusal) observe(argv []string) Observation {
	return Observation{
		Argv:     argv,
		ExitCode: r.code,
		Stderr:   argv[0] + ": " + r.reason + "\n",
	}
}

// view is what of the file system a program can see. It foretells what execve
// would say: shells and execvp run a file that the kernel refuses as a shell
// script, and so an empty file would pass for a tool that works.
type view struct {
	roots []string // directories that are visible with all below; nil means all there are
	cwd   string
}

// locate returns the file that starting name means, looking in the directories
// of path if name has no slash, and reports why the kernel would not start it.
func (v view) locate(name, path string) (string, *refusal) {
	if strings.ContainsRune(name, '/') {
		if !filepath.IsAbs(name) {
			name = filepath.Join(v.cwd, name)
		}
		return name, v.check(name)
	}
	verdict := notFound
	for _, dir := range filepath.SplitList(path) {
		if name == "" || !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		switch no := v.check(file); no {
		case notFound, isDirectory:
		case noPermission: // a later directory may still have one that can be run
			verdict = no
		default:
			return file, no
		}
	}
	return "", verdict
}

// check reports why the kernel would not start file, or nil if it would.
func (v view) check(file string) *refusal { return v.checkDepth(file, 0) }

// maxInterpreters is how many interpreters of interpreters Linux follows.
const maxInterpreters = 5

func (v view) checkDepth(file string, depth int) *refusal {
	if depth > maxInterpreters {
		return manyLinks
	}
	if no := v.checkFile(file); no != nil || runtime.GOOS != "linux" {
		return no
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // may be executed but not read: the kernel can judge it, we cannot
	}
	defer f.Close()
	var head [256]byte // as much as the kernel looks at
	n, err := io.ReadFull(f, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil
	}
	switch {
	case bytes.HasPrefix(head[:n], []byte("#!")):
		return v.checkScript(head[2:n], depth)
	case bytes.HasPrefix(head[:n], []byte(elf.ELFMAG)):
		return v.checkELF(f)
	}
	return noFormat
}

// checkFile looks at everything but the content of file.
func (v view) checkFile(file string) *refusal {
	real, err := filepath.EvalSymlinks(file)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return noPermission
	case err != nil || !v.shows(real):
		return notFound
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return notFound
	case info.IsDir():
		return isDirectory
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
		return noPermission
	}
	return nil
}

// shows reports whether path, which holds no symbolic link, is visible.
func (v view) shows(path string) bool {
	return v.roots == nil || slices.ContainsFunc(v.roots, func(root string) bool {
		return within(path, root)
	})
}

// within reports whether path is root or lies below it. Both are clean.
func within(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/' || strings.HasSuffix(root, "/"))
}

// checkScript reads a "#!" line, whose first two bytes are gone, as Linux does.
func (v view) checkScript(line []byte, depth int) *refusal {
	if i := bytes.IndexAny(line, "\n\x00"); i >= 0 {
		line = line[:i]
	}
	line = bytes.TrimLeft(line, " \t")
	if i := bytes.IndexAny(line, " \t"); i >= 0 {
		line = line[:i]
	}
	if len(line) == 0 {
		return noFormat
	}
	file := string(line)
	if !filepath.IsAbs(file) {
		file = filepath.Join(v.cwd, file)
	}
	return badInterpreter("bad interpreter", string(line), v.checkDepth(file, depth+1))
}

// badInterpreter words why a file's interpreter keeps it from being started.
func badInterpreter(what, interpreter string, no *refusal) *refusal {
	if no == nil {
		return nil
	}
	reason := no.reason
	switch no {
	case notFound:
		reason = "No such file or directory"
	case isDirectory:
		reason = noPermission.reason
	}
	shown := strings.NewReplacer("\r", "^M", "\x1b", "^[").Replace(interpreter)
	return &refusal{126, shown + ": " + what + ": " + reason}
}

// elfKind is a kind of ELF file that a kernel starts.
type elfKind struct {
	class   elf.Class
	machine elf.Machine
}

// elfKinds lists by GOARCH the kinds that its kernels start, the 32-bit ones of
// their own family among them. What only binfmt_misc starts, by an emulator, is
// not among them: an artifact for another machine is broken, even where an
// emulator happens to be registered. For a GOARCH that is not here, none is refused.
var elfKinds = map[string][]elfKind{
	"386":     {{elf.ELFCLASS32, elf.EM_386}, {elf.ELFCLASS64, elf.EM_X86_64}},
	"amd64":   {{elf.ELFCLASS64, elf.EM_X86_64}, {elf.ELFCLASS32, elf.EM_386}},
	"arm":     {{elf.ELFCLASS32, elf.EM_ARM}, {elf.ELFCLASS64, elf.EM_AARCH64}},
	"arm64":   {{elf.ELFCLASS64, elf.EM_AARCH64}, {elf.ELFCLASS32, elf.EM_ARM}},
	"loong64": {{elf.ELFCLASS64, elf.EM_LOONGARCH}},
	"riscv64": {{elf.ELFCLASS64, elf.EM_RISCV}, {elf.ELFCLASS32, elf.EM_RISCV}},
}

// maxProgramHeaders is how many bytes of program headers Linux accepts.
const maxProgramHeaders = 64 << 10

// checkELF looks at what Linux looks at before it starts an ELF file, and at its
// class, which Linux takes from the machine on some processors. debug/elf's own
// reader would not do: it also wants section headers, which the kernel never reads
// and which packers remove.
func (v view) checkELF(f io.ReaderAt) *refusal {
	kinds, known := elfKinds[runtime.GOARCH]
	if !known {
		return nil
	}
	h, ok := readELFHeader(f)
	switch {
	case !ok,
		!slices.Contains(kinds, elfKind{h.class, h.machine}),
		h.kind != elf.ET_EXEC && h.kind != elf.ET_DYN,
		h.size != h.progSize(),
		h.count == 0 || h.count*h.size > maxProgramHeaders:
		return noFormat
	}
	interpreter, ok := h.interpreter(f)
	if !ok {
		return noFormat
	}
	if interpreter == "" {
		return nil
	}
	return badInterpreter("bad ELF interpreter", interpreter, v.checkFile(interpreter))
}

// elfHeader is what of an ELF header decides whether it can be started, alike
// for both classes. All kinds in elfKinds are little-endian.
type elfHeader struct {
	class       elf.Class
	machine     elf.Machine
	kind        elf.Type
	offset      int64 // of the program headers
	size, count int   // bytes of one program header, and how many there are
}

func readELFHeader(f io.ReaderAt) (elfHeader, bool) {
	var ident [elf.EI_NIDENT]byte
	if _, err := f.ReadAt(ident[:], 0); err != nil || elf.Data(ident[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return elfHeader{}, false
	}
	src := io.NewSectionReader(f, 0, 1<<10)
	class := elf.Class(ident[elf.EI_CLASS])
	if class == elf.ELFCLASS32 {
		var h elf.Header32
		err := binary.Read(src, binary.LittleEndian, &h)
		return elfHeader{class, elf.Machine(h.Machine), elf.Type(h.Type), int64(h.Phoff), int(h.Phentsize), int(h.Phnum)}, err == nil
	}
	var h elf.Header64
	err := binary.Read(src, binary.LittleEndian, &h)
	return elfHeader{class, elf.Machine(h.Machine), elf.Type(h.Type), int64(h.Phoff), int(h.Phentsize), int(h.Phnum)}, err == nil
}

// progSize is how large a program header has to be.
func (h elfHeader) progSize() int {
	if h.class == elf.ELFCLASS32 {
		return binary.Size(elf.Prog32{})
	}
	return binary.Size(elf.Prog64{})
}

// interpreter returns the dynamic loader that the file asks for, or "" for a
// static program. It reports false if the headers are not all there.
func (h elfHeader) interpreter(f io.ReaderAt) (string, bool) {
	table := make([]byte, h.count*h.size)
	if n, _ := f.ReadAt(table, h.offset); n < len(table) {
		return "", false
	}
	for ; len(table) > 0; table = table[h.size:] {
		kind, offset, size := h.prog(table)
		if kind != elf.PT_INTERP {
			continue
		}
		if size < 2 || size > 4096 { // PATH_MAX; the kernel asks for the same
			return "", false
		}
		name := make([]byte, size)
		if n, _ := f.ReadAt(name, offset); n < len(name) || name[size-1] != 0 {
			return "", false
		}
		name, _, _ = bytes.Cut(name, []byte{0})
		return string(name), true
	}
	return "", true
}

// prog decodes the first program header of table.
func (h elfHeader) prog(table []byte) (kind elf.ProgType, offset, size int64) {
	le := binary.LittleEndian
	kind = elf.ProgType(le.Uint32(table))
	if h.class == elf.ELFCLASS32 {
		return kind, int64(le.Uint32(table[4:])), int64(le.Uint32(table[16:]))
	}
	return kind, int64(le.Uint64(table[8:])), int64(le.Uint64(table[32:]))
}

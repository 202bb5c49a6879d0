package mend

// systemSignatures are what the dynamic loader, the kernel through a shell, and
// a crashing process print when a program cannot run.
var systemSignatures = []signature{
	{name: "loader.missing_library", weight: weightProof, except: []string{"ignored"}, phrases: []string{
		"error while loading shared libraries:", // glibc
		"cannot open shared object file",
		"error loading shared library", // musl
		"library not loaded:",          // dyld
		"reason: image not found",
		"failed to map segment from shared object",
		"code execution cannot proceed because", // Windows
		".dll was not found", ".dll is missing",
		"error loading libfuse",
	}},
	{name: "loader.missing_library", phrases: []string{
		"could not load library", "cannot load library", "unable to load library", "failed to load shared library",
		"could not load dynamic library", "could not load: lib", "could not load shared library",
	}},
	{name: "loader.symbol", weight: weightProof, phrases: []string{
		"symbol lookup error:", "undefined symbol:", "error relocating ", "relocation error:",
		"symbol not found: ", "symbol not found in ", "' not found (required by", "procedure entry point*could not be located",
	}},
	{name: "loader.format", weight: weightProof, phrases: []string{
		"elf load command", "wrong elf class", "invalid elf header", "elf file's phentsize", "inconsistency detected by ld.so",
		"cannot allocate memory in static tls block", "fatal: kernel too old", "no loadable segments",
		"could not open '/lib", // qemu user mode, without the loader
	}},
	{name: "exec.format", weight: weightProof, phrases: []string{
		"exec format error", "cannot execute binary file", "bad cpu type in executable", "not a valid win32 application",
		"unsupported 16-bit application", "file too short", "only be run on amd64 processors",
	}},
	{name: "exec.interpreter", weight: weightProof, phrases: []string{
		"bad interpreter", "required file not found", "no such interpreter",
	}},
	{name: "exec.not_found", weight: weightProof, form: shellNotFound, phrases: []string{
		"not found", "no such file or directory", "unknown command: ",
	}},
	{name: "exec.not_found", weight: weightProof, phrases: []string{
		"is not recognized as an internal or external command", "is not recognized as the name of a cmdlet",
		"executable file not found in", "spawn *enoent",
		"fork/exec *no such file", "execvp*no such file", "execve*no such file", "posix_spawn*no such file",
		"couldn't execute \"", "could not execute ", "can't exec ", "couldn't exec ", "cannot exec ", "failed to execute ", "unable to execute ",
		"failed to exec ", "exec: *cannot execute", "cannot execute: ", "cannot run program \"",
	}},
	{name: "exec.permission", weight: weightProof, form: shellNotPermitted, phrases: []string{
		"permission denied",
	}},
	{name: "exec.permission", weight: weightProof, phrases: []string{
		"fork/exec *permission denied", "execvp*permission denied", "execve*permission denied", "can't execute: permission",
	}},
	{name: "shell.syntax", weight: weightProof, form: shellSyntax, phrases: []string{
		"syntax error near unexpected token", "syntax error: ", "unexpected end of file", "unexpected eof while looking for matching",
		"unterminated quoted string", "bad substitution",
	}},
	{name: "shell.missing_file", weight: weightProof, form: shellSource, phrases: []string{
		"can't open", "cannot open", "no such file",
	}},
	{name: "page.html", weight: weightProof, form: startsOutput, phrases: []string{
		"<!doctype html", "<html", "<head>", "<title>",
	}},
	{name: "page.html", weight: weightProof, form: shellQuotedLine, phrases: []string{
		"<!doctype", "<html", "<?xml",
	}},
	{name: "page.error", weight: weightProof, form: startsOutput, phrases: []string{
		"{\"message\":", "{\"error\":", "{\"errors\":", "<?xml*<error", "404: not found", "404 not found", "403 forbidden",
		"<error><code>", "version https://git-lfs.github.com/spec",
	}},
	{name: "page.error", weight: weightProof, form: shellNotFound, phrases: []string{
		"command not found",
	}},
	{name: "crash.signal", phrases: []string{
		"segmentation fault", "bus error", "illegal instruction", "floating point exception", "trace/breakpoint trap",
		"(core dumped)", "abort trap", "fatal signal",
	}},
	{name: "crash.abort", phrases: []string{
		"terminate called", "assertion `*' failed", "assertion*failed", "assertion failed", "stack smashing detected", "buffer overflow detected",
		"double free or corruption", "free(): invalid", "malloc(): ", "munmap_chunk()", "corrupted size vs. prev_size",
		"addresssanitizer", "pure virtual method called", "libc++abi",
	}},
	{name: "crash.fatal", form: spoken, phrases: []string{"fatal error: "}},
}

// politeSignatures are sentences in which a wrapper says that the tool, or what
// it needs, is not there.
var politeSignatures = []signature{
	{name: "polite.not_installed", weight: weightWords, phrases: []string{
		"is not installed", "not installed", "isn't installed", "are not installed", "has not been installed", "not been installed",
		"not properly installed", "not correctly installed", "not installed correctly", "not installed properly",
		"currently not installed", "broken installation", "corrupt installation", "installation*corrupt", "incomplete installation",
		"please reinstall", "try reinstalling",
	}},
	{name: "polite.please_install", weight: weightWords, phrases: []string{
		"please install", "you must install", "you need to install", "must be installed", "needs to be installed",
		"can be installed with", "you can install", "try installing", "please upgrade", "requires node", "requires python", "requires java",
		"requires php", "requires ruby", "try: apt install", "apt install ", "apt-get install ", "install it with",
		"to install it", "to install this", "have to install", "run the installer",
	}},
	{name: "polite.missing", weight: weightWords, phrases: []string{
		"required but", "is required to run", "requires *to run", "require *to run", "required module", "required program", "required tool",
		"required command", "required dependency", "required library", "required package",
		"missing dependency", "missing dependencies", "missing module", "missing library", "missing package", "missing component",
		"missing binary", "missing executable", "missing program", "missing command", "unmet dependenc",
		"not in your path", "not in path", "not found in path", "not found in $path", "not found on your", "not found on path", "in your $path",
		"not found on this system", "not available on this system", "not supported on this platform", "unsupported platform",
		"could not find *executable", "could not find *binary", "could not find *module", "could not find *library",
		"could not find the program", "could not find *installation", "could not find program", "could not find command",
		"could not locate", "couldn't locate", "unable to locate", "cannot locate",
		"can't find *executable", "cannot find *executable", "unable to find *executable", "cannot find *binary", "unable to find *binary",
		"cannot find *module", "can't find *module", "unable to find *module", "cannot find *library", "unable to find *library",
		"cannot find *program", "can't find *program", "unable to find *program", "cannot find *command", "can't find *command",
		"cannot find *jar", "could not find *jar", "unable to find *jar", "cannot find *java", "could not find *java",
		"executable not found", "binary not found", "module not found", "library not found", "package not found", "program not found",
		"interpreter not found", "runtime not found", "no such module", "file is missing", "is missing from",
	}},
	{name: "polite.shim", weight: weightWords, phrases: []string{
		"no version is set for", "no version set for", "is not installed for the toolchain", "no default toolchain", "could not choose a version of",
		"command exists in these", "is not installed (set by", "version*is not installed", "unable to locate a modulefile",
	}},
	{name: "polite.data", phrases: []string{
		"no gsettings schemas", "settings schema *is not installed", "typelib file for namespace", "namespace *not available",
		"could not find data", "cannot find data", "can't find data", "data file not found", "missing data file", "missing resource",
		"load of initialization file", "icudtl.dat", "no qt platform plugin could be initialized",
	}},
}

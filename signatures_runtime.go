package mend

// runtimeSignatures are what the runtimes of programming languages print when a
// program's modules are missing, when it crashes, or when the program itself is
// not there and the runtime was handed its arguments instead.
var runtimeSignatures = []signature{
	// Python
	{name: "python.missing_module", phrases: []string{
		"modulenotfounderror:", "importerror:", "no module named", "cannot import name", "distributionnotfound", "packagenotfounderror",
		"no package metadata was found for", "versionconflict:", "contextualversionconflict", "bad magic number in", "zipimporterror",
	}},
	{name: "python.launcher", weight: weightProof, launcher: true, speakers: "python pypy", phrases: []string{
		"can't open file '", "can't find '__main__' module", "is a package and cannot be directly executed",
	}},
	{name: "python.runtime", weight: weightProof, phrases: []string{
		"fatal python error", "no module named 'encodings'", "failed to get the python codec", "unable to load the file system codec",
	}},
	{name: "python.syntax", phrases: []string{"syntaxerror: ", "indentationerror: ", "taberror: "}},
	{name: "python.traceback", crash: true, phrases: []string{"traceback (most recent call last)"}},

	// Perl
	{name: "perl.missing_module", phrases: []string{
		"can't locate *in @inc", "can't locate loadable object for module", "can't load '*for module", "base class package",
		"object version *does not match", "can't locate object method", "undefined subroutine &", "required--this is only",
		"loadable library and perl binaries are mismatched", "could not find *in @inc", "handshake key",
	}},
	{name: "perl.syntax", phrases: []string{
		"aborted due to compilation errors", "begin failed--compilation aborted", "compilation failed in require", "had compilation errors",
	}},
	{name: "perl.launcher", weight: weightProof, launcher: true, lineStart: true, speakers: "perl", phrases: []string{
		"can't open perl script", "unrecognized switch: -",
	}},

	// Ruby
	{name: "ruby.missing_module", phrases: []string{
		"(loaderror)", "cannot load such file --", "missingspecerror", "missingspecversionerror", "gem::loaderror", "gem::conflicterror",
		"could not find gem", "can't find gem", "gemnotfound", "could not find '*among ", "could not find *in any of the sources",
		"could not find *in locally installed gems", "incompatible library version", "your ruby version is", "gem::dependencyerror",
	}},
	{name: "ruby.launcher", weight: weightProof, launcher: true, speakers: "ruby", phrases: []string{
		"no such file or directory -- ", "ruby: invalid option",
	}},
	{name: "ruby.crash", crash: true, phrases: []string{
		"(nomethoderror)", "(nameerror)", "(typeerror)", "(argumenterror)", "(runtimeerror)", "(errno::", "(syntaxerror)", "uninitialized constant ",
	}},

	// JavaScript
	{name: "node.missing_module", phrases: []string{
		"cannot find module '", "cannot find package '", "err_module_not_found", "module_not_found", "err_require_esm",
		"err_unknown_file_extension", "was compiled against a different node.js version", "err_dlopen_failed", "could not locate the bindings file",
		"cannot use import statement outside a module", "err_unsupported_dir_import", "err_package_path_not_exported",
		"does not provide an export named", "module not found \"", "node_module_version", "err_unsupported_esm",
	}},
	{name: "node.launcher", weight: weightProof, launcher: true, speakers: "node deno bun", phrases: []string{
		"requirestack: []", "node: bad option",
	}},
	{name: "node.crash", crash: true, phrases: []string{
		"node:internal/", "internal/modules/cjs/loader.js", "throw err;", "unhandledpromiserejection", "at object.<anonymous> (", "at module._compile",
		"uncaught exception", "uncaughtexception", "referenceerror: ", "uncaught (in promise)",
	}},
	{name: "node.crash", crash: true, lineStart: true, phrases: []string{"node.js v", "typeerror: ", "typeerror [", "syntaxerror: "}},

	// Lua
	{name: "lua.missing_module", phrases: []string{
		"module '*not found:", "no field package.preload", "error loading module '",
	}},
	{name: "lua.launcher", weight: weightProof, launcher: true, speakers: "lua", phrases: []string{
		"lua: cannot open ", "luajit: cannot open ", "lua5.1: cannot open ", "lua5.2: cannot open ", "lua5.3: cannot open ",
		"lua5.4: cannot open ",
	}},
	{name: "lua.crash", crash: true, phrases: []string{
		"attempt to call a nil value", "attempt to call global", "attempt to call field", "attempt to index a nil", "attempt to index global",
		"attempt to index field", "stack traceback:",
	}},

	// PHP
	{name: "php.missing_module", phrases: []string{
		"failed opening required", "call to undefined function", "uncaught error: class", "requested php extension", "extension * is missing",
		"vendor/autoload.php", "composer detected issues in your platform", "set up the project dependencies", "php extension",
	}},
	{name: "php.launcher", weight: weightProof, launcher: true, speakers: "php", phrases: []string{
		"could not open input file:",
	}},
	{name: "php.crash", crash: true, phrases: []string{"php fatal error:", "php parse error:", "fatal error: uncaught", "parse error: syntax error"}},

	// Java and what else runs on its machine
	{name: "java.missing_module", weight: weightProof, phrases: []string{
		"unable to access jarfile", "could not find or load main class", "unsupportedclassversionerror", "invalid or corrupt jarfile",
		"no main manifest attribute", "could not create the java virtual machine", "no java runtime present", "unable to locate a java runtime",
		"a jni error has occurred", "error occurred during initialization of", "java_home is not ", "java_home is set to an invalid",
		"java_home environment variable is not", "java_home not ", "please set the java_home", "no suitable java",
	}},
	{name: "java.missing_module", phrases: []string{
		"classnotfoundexception", "noclassdeffounderror", "unsatisfiedlinkerror", "findexception: module", "serviceconfigurationerror",
	}},
	{name: "java.launcher", weight: weightProof, launcher: true, speakers: "java", phrases: []string{
		"unrecognized option: -*error: could not create the java",
	}},
	{name: "java.crash", crash: true, phrases: []string{"exception in thread \"", "exceptionininitializererror"}},

	// .NET and Mono
	{name: "dotnet.missing_module", weight: weightProof, phrases: []string{
		"you must install .net", "you must install or update .net", "to run this application, you must install", "framework 'microsoft.",
		"any compatible framework version", "could not load file or assembly", "cannot open assembly", "hostfxr", "hostpolicy",
		"the application to execute does not exist", "dllnotfoundexception", "find a valid icu package", "the framework: 'microsoft.",
	}},
	{name: "dotnet.crash", crash: true, phrases: []string{"unhandled exception. system.", "unhandled exception:", "typeinitializationexception"}},

	// Tcl
	{name: "tcl.missing_module", phrases: []string{
		"can't find package", "couldn't load file", "version conflict for package", "invalid command name",
	}},
	{name: "tcl.launcher", weight: weightProof, launcher: true, speakers: "tclsh wish expect jimsh", phrases: []string{
		"couldn't read file \"", "command-specific options:",
	}},

	// R
	{name: "r.missing_module", phrases: []string{
		"there is no package called", "unable to load shared object", "error in library(", "error in loadnamespace(", "namespace*cannot be unloaded",
	}},
	{name: "r.launcher", weight: weightProof, launcher: true, speakers: "R Rscript littler r", phrases: []string{
		"fatal error: cannot open file",
	}},
	{name: "r.crash", crash: true, phrases: []string{"execution halted"}},

	// Erlang and Elixir
	{name: "erlang.missing_module", weight: weightProof, phrases: []string{
		"init terminating in do_boot", "runtime terminating during boot", "cannot get bootfile", "can't load boot", "could not start kernel",
		"escript: exception", "escript: failed to open", "undefinedfunctionerror", "could not start application",
	}},
	{name: "erlang.crash", crash: true, phrases: []string{"{undef,[", "crash dump is being written", "{badmatch,", "(runtimeerror)", "(matcherror)"}},

	// Lisps, Prolog, ML, Haskell
	{name: "lisp.missing_module", phrases: []string{
		"no code for module", "unbound variable: ", "can't find core file", "cannot open load file", "debugger invoked on", "unhandled simple-error",
		"in procedure", "failed to find source file", "collection not found", "standard-module-name-resolver", "component *not found",
		"package *does not exist",
	}},
	{name: "prolog.missing_module", phrases: []string{"source_sink", "unknown procedure", "[fatal error: "}},
	{name: "ocaml.missing_module", weight: weightProof, phrases: []string{
		"fatal error: cannot load shared library", "fatal error: unknown c primitive", "not a bytecode executable", "has the wrong magic number",
	}},
	{name: "ocaml.crash", crash: true, phrases: []string{"fatal error: exception"}},
	{name: "haskell.crash", crash: true, phrases: []string{"<<loop>>", "callstack (from hascallstack)", "prelude."}},
	{name: "julia.missing_module", phrases: []string{"error: loaderror:", "not found in current path", "argumenterror: package"}},
	{name: "octave.crash", crash: true, phrases: []string{"error: *undefined near", "error: called from"}},

	// compiled languages
	{name: "go.panic", crash: true, lineStart: true, phrases: []string{"panic: ", "goroutine 1 [", "fatal error: all goroutines", "fatal error: runtime"}},
	{name: "rust.panic", crash: true, phrases: []string{"thread '*panicked at", "run with `rust_backtrace"}},
	{name: "d.crash", crash: true, phrases: []string{"core.exception.", "object.exception@", "object.error@"}},
	{name: "nim.crash", crash: true, phrases: []string{"error: unhandled exception:", "could not import: "}},
	{name: "pascal.crash", crash: true, phrases: []string{"runtime error 2", "an unhandled exception occurred at"}},
	{name: "fortran.crash", crash: true, phrases: []string{"fortran runtime error:"}},
	{name: "ada.crash", crash: true, phrases: []string{"raised program_error", "raised constraint_error", "raised storage_error", "raised ada.io_exceptions", "raised system."}},
	{name: "cobol.missing_module", phrases: []string{"libcob: error: module"}},
	{name: "swift.crash", crash: true, phrases: []string{"fatal error: unexpectedly found nil", "swift runtime failure"}},
	{name: "crash.unhandled", crash: true, lineStart: true, phrases: []string{"unhandled exception", "uncaught exception", "unhandled error"}},
}

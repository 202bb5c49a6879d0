package mend

// brokenPrints are outputs of broken installs, one or more of each kind, with
// the tool's name, path and version and what it was given wherever such an output
// holds them. A check that passes on one of them proves nothing.
var brokenPrints = []brokenPrint{
	{"not found", 127, "sh: 1: {tool}: not found\n"},
	{"not found", 127, "bash: line 1: {tool}: command not found\n"},
	{"not found", 127, "bash: line 1: {path}: No such file or directory\n"},
	{"not found", 127, "/usr/bin/env: '{tool}': No such file or directory\n"},
	{"not found", 1, "{tool}: No such file or directory\n"},
	{"not found", 127, "exec: {path}-bin: not found\n"},
	{"not found", 127, "{path}: 3: exec: /usr/lib/{tool}/{tool}-bin: not found\n"},
	{"not found", 1, "exec: \"{tool}\": executable file not found in $PATH\n"},
	{"not found", 1, "spawn {tool} {arg}\ncouldn't execute \"{tool}\": no such file or directory\n"},
	{"not found", 127, "{path}: line 4: {tool}-helper: command not found\n"},
	{"not permitted", 126, "bash: line 1: {path}: Permission denied\n"},
	{"not permitted", 126, "{tool}: Permission denied\n"},
	{"missing file", 1, "{path}: line 4: /usr/share/{tool}/common.sh: No such file or directory\n"},
	{"missing file", 2, "{path}: 4: .: cannot open /usr/share/{tool}-{version}/common.sh: No such file\n"},
	{"missing file", 1, "{tool}: cannot open /etc/{tool}/{tool}.conf: No such file or directory\n"},
	{"missing file", 1, "{tool}: error: could not load configuration file /etc/{tool}.conf\n"},

	{"missing library", 127, "{tool}: error while loading shared libraries: lib{tool}.so.1: cannot open shared object file: No such file or directory\n"},
	{"missing library", 127, "{path}: error while loading shared libraries: lib{tool}-{version}.so: cannot open shared object file: No such file or directory\n"},
	{"symbol version", 1, "{tool}: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by {tool})\n"},
	{"symbol version", 127, "{tool}: symbol lookup error: {path}: undefined symbol: {tool}_init, version {tool}_{version}\n"},
	{"wrong architecture", 126, "bash: line 1: {path}: cannot execute binary file: Exec format error\n"},
	{"wrong architecture", 126, "{tool}: Exec format error\n"},
	{"crash", 139, "Segmentation fault\n"},
	{"crash", 139, ""},
	{"crash", 134, "{tool}: main.c:42: main: Assertion `argc > 0' failed.\nAborted (core dumped)\n"},
	{"crash", 134, "terminate called after throwing an instance of 'std::runtime_error'\n  what():  {tool} {version}: initialisation failed\n"},

	{"Python module", 1, "Traceback (most recent call last):\n  File \"{path}\", line 5, in <module>\n    from {tool}.cli import main\nModuleNotFoundError: No module named '{tool}'\n"},
	{"Python module", 1, "Traceback (most recent call last):\n  File \"{path}\", line 33, in <module>\n    sys.exit(load_entry_point('{tool}=={version}', 'console_scripts', '{tool}')())\nimportlib.metadata.PackageNotFoundError: No package metadata was found for {tool}\n"},
	{"Python module", 1, "pkg_resources.DistributionNotFound: The '{tool}=={version}' distribution was not found and is required by the application\n"},
	{"Perl module", 2, "Can't locate {Tool}/Main.pm in @INC (you may need to install the {Tool}::Main module) at {path} line 2.\nBEGIN failed--compilation aborted at {path} line 2.\n"},
	{"Perl module", 255, "{Tool} version {version} required--this is only version 0.1 at {path} line 3.\n"},
	{"Ruby module", 1, "<internal:rubygems/core_ext/kernel_require.rb>:86:in `require': cannot load such file -- {tool} (LoadError)\n\tfrom {path}:3:in `<main>'\n"},
	{"Ruby module", 1, "can't find gem {tool} (= {version}) with executable {tool} (Gem::GemNotFoundException)\n"},
	{"JavaScript module", 1, "node:internal/modules/cjs/loader:1143\n  throw err;\n  ^\n\nError: Cannot find module '/usr/lib/node_modules/{tool}/bin/{tool}.js'\nRequire stack:\n- {path}\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.1.0\n"},
	{"JavaScript module", 1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '{tool}-core' imported from {path}\n    at {tool}@{version}/index.js:1\n"},
	{"PHP module", 255, "PHP Fatal error:  Uncaught Error: Class \"{Tool}\\Application\" not found in {path}:12\nStack trace:\n#0 {main}\n  thrown in {path} on line 12\n"},
	{"Lua module", 1, "lua: {path}:1: module '{tool}' not found:\n\tno field package.preload['{tool}']\n\tno file '/usr/share/lua/5.4/{tool}.lua'\nstack traceback:\n"},
	{"Java class", 1, "Error: Unable to access jarfile /usr/share/{tool}/{tool}-{version}.jar\n"},
	{"Java class", 1, "Error: Could not find or load main class org.{tool}.Main\nCaused by: java.lang.ClassNotFoundException: org.{tool}.Main\n"},
	{".NET assembly", 1, "Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly '{tool}, Version={version}.0, Culture=neutral'.\n"},
	{"Tcl package", 1, "can't find package {tool} {version}\n    while executing\n\"package require {tool} {version}\"\n    (file \"{path}\" line 3)\n"},
	{"R package", 1, "Error in library({tool}) : there is no package called '{tool}'\nExecution halted\n"},
	{"Erlang application", 1, "{\"init terminating in do_boot\",{undef,[{{tool},main,[[\"{arg}\"]],[]}]}}\n"},
	{"Go panic", 2, "panic: {tool}: cannot load embedded data\n\ngoroutine 1 [running]:\nmain.main()\n\t/build/{tool}@v{version}/main.go:6 +0x74\n"},
	{"Rust panic", 101, "thread 'main' panicked at src/main.rs:3:5:\n{tool} {version}: missing data\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"},

	{"error page", 2, "{path}: line 1: syntax error near unexpected token `newline'\n{path}: line 1: `<!DOCTYPE html>'\n"},
	{"error page", 2, "{path}: 2: Syntax error: newline unexpected\n"},
	{"error page", 0, "<!DOCTYPE html>\n<html><head><title>{tool}: page not found</title></head></html>\n"},
	{"error page", 127, "{\"message\":\"Not Found\",\"path\":\"/{tool}/releases/{version}\"}\n"},
	{"error page", 127, "version https://git-lfs.github.com/spec/v1\noid sha256:0a\nsize 12\n"},

	{"not installed", 0, "{tool} is not installed\n"},
	{"not installed", 1, "{tool} {version} is not installed. Please install {tool} {version} first.\n"},
	{"not installed", 127, "The program '{tool}' is currently not installed. You can install it by typing:\napt install {tool}\n"},
	{"not installed", 126, "No version is set for command {tool}\nConsider adding one of the following versions in your config file\n{tool} {version}\n"},
	{"not installed", 1, "error: {tool}: required helper {tool}-core was not found\n"},
	{"not installed", 0, "{tool}: installation incomplete, please reinstall {tool}\n"},

	{"launcher", 2, "unknown option {arg}\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry `python -h' for more information.\n"},
	{"launcher", 1, "cp: missing destination file operand after '/usr/share/{tool}/default.conf'\nTry 'cp --help' for more information.\n"},
	{"launcher", 125, "env: unrecognized option '{arg}'\nTry 'env --help' for more information.\n"},
	{"launcher", 2, "tar (child): {tool}: Cannot open: No such file or directory\ntar (child): Error is not recoverable: exiting now\ntar: Child returned status 2\n"},
	{"launcher", 1, "Usage: java [options] <mainclass> [args...]\n           (to execute a class)\n"},
	{"launcher", 9, "node: bad option: {arg}\n"},
	{"launcher", 0, "Python 3.11.2\n"},
	{"launcher", 0, "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nOptions and arguments:\n-c cmd : program passed in as string\n"},
	{"launcher", 0, "Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]\nSet each NAME to VALUE in the environment and run COMMAND.\n"},
	{"launcher", 2, "sh: 0: Illegal option --\n"},
	{"launcher", 1, "Invalid command '{arg}'; type \"help\" for a list.\n"},
	{"launcher", 1, "Unrecognized option: {arg}\nError: Could not create the Java Virtual Machine.\n"},
}

// brokenPrint is what one kind of broken install prints.
type brokenPrint struct {
	kind string
	exit int
	text string // {tool}, {path}, {version}, {arg} and {Tool} stand for what they say
}

package mend_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mendkit/mend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// helpText returns n bytes of a tool's help text behind its complaint about an
// option, as most outputs that are analysed look.
func helpText(n int) string {
	const text = `frobnicate: unrecognized option '--version'
Usage: frobnicate [OPTION]... FILE...
Turn each FILE inside out and print what falls out of it.

Options:
  -a, --all              do not leave out what begins with a dot
  -d, --dest=DIR         write to DIR rather than to standard output
  -f, --force            overwrite what is there
  -h, --help             show this help
  -n, --dry-run          say what would be done, and do nothing
  -q, --quiet            say nothing
  -w, --width=COLUMNS    fold lines at COLUMNS; 0 means never

FILE may be - for standard input. Exit status is 0 if all went well, 1 if
some FILE could not be read, and 2 if the arguments made no sense.
`
	return strings.Repeat(text, n/len(text)+1)[:n]
}

// outputCase is what a tool called frob printed on stderr when asked for its
// version.
type outputCase struct {
	name, signature string
	exit            int
	out             string
}

func brokenCases() []outputCase {
	return []outputCase{
		{"glibc loader", "loader.missing_library", 127, "frob: error while loading shared libraries: libfrob.so.3: cannot open shared object file: No such file or directory\n"},
		{"musl loader", "loader.missing_library", 127, "Error loading shared library libfrob.so.3: No such file or directory (needed by /opt/frob/bin/frob)\n"},
		{"dyld", "loader.missing_library", 134, "dyld[411]: Library not loaded: @rpath/libfrob.3.dylib\n"},
		{"newer glibc wanted, exit 1", "loader.symbol", 1, "frob: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by frob)\n"},
		{"undefined symbol", "loader.symbol", 127, "frob: symbol lookup error: frob: undefined symbol: frob_init\n"},
		{"another architecture", "exec.format", 126, "bash: line 1: /opt/frob/bin/frob: cannot execute binary file: Exec format error\n"},
		{"no such interpreter", "exec.interpreter", 126, "bash: /opt/frob/bin/frob: /usr/bin/frobscript: bad interpreter: No such file or directory\n"},
		{"loader itself missing", "exec.interpreter", 127, "bash: line 1: /opt/frob/bin/frob: cannot execute: required file not found\n"},
		{"not found by dash", "exec.not_found", 127, "sh: 1: frob: not found\n"},
		{"not found by bash", "exec.not_found", 127, "bash: line 1: frob: command not found\n"},
		{"not found by zsh", "exec.not_found", 127, "zsh:1: command not found: frob\n"},
		{"interpreter not found by env", "exec.not_found", 127, "/usr/bin/env: ‘frobscript’: No such file or directory\n"},
		{"helper of a script", "exec.not_found", 127, "/usr/bin/frob: 3: exec: /usr/lib/frob/frob-bin: not found\n"},
		{"helper of a script, by name", "exec.not_found", 127, "/usr/bin/frob: line 20: less: command not found\n"},
		{"helper of a Go program", "exec.not_found", 1, "frob: exec: \"git\": executable file not found in $PATH\n"},
		{"helper of an expect script, beside the echo", "exec.not_found", 1, "spawn ftp --version\ncouldn't execute \"ftp\": no such file or directory\n    while executing\n\"spawn ftp $argv\"\n"},
		{"no exec bit", "exec.permission", 126, "/bin/sh: 1: /opt/frob/bin/frob: Permission denied\n"},
		{"sourced file missing", "exec.not_found", 1, "/usr/bin/frob: line 4: /usr/share/frob/common.sh: No such file or directory\n"},
		{"HTML page run by dash", "shell.syntax", 2, "/opt/frob/bin/frob: 2: Syntax error: newline unexpected\n"},
		{"HTML page run by bash", "page.html", 2, "/opt/frob/bin/frob: line 1: syntax error near unexpected token `newline'\n/opt/frob/bin/frob: line 1: `<!DOCTYPE html>'\n"},
		{"JSON answer of a server", "page.error", 1, `{"message":"Not Found","documentation_url":"https://docs.example.org"}` + "\n"},
		{"pointer of Git LFS", "page.error", 1, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"},
		{"text where a program should be", "exec.not_found", 127, "/opt/frob/bin/frob: 1: Not: not found\n"},
		{"segmentation fault reported by a shell", "crash.signal", 139, "Segmentation fault (core dumped)\n"},
		{"C++ exception", "crash.abort", 134, "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no locale\n"},
		{"assertion", "crash.abort", 134, "frob: main.c:31: main: Assertion `ctx' failed.\n"},

		{"Python module", "python.missing_module", 1, "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 5, in <module>\n    from frob.cli import main\nModuleNotFoundError: No module named 'frob'\n"},
		{"Python distribution", "python.missing_module", 1, "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 33, in <module>\n    sys.exit(load_entry_point('frob==1.2', 'console_scripts', 'frob')())\nimportlib.metadata.PackageNotFoundError: No package metadata was found for frob\n"},
		{"Python helper program", "python.traceback", 1, "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 12, in run\n    subprocess.run(cmd)\nFileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'\n"},
		{"Python helper program that was passed the argument", "python.traceback", 1, "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 12, in run\nsubprocess.CalledProcessError: Command '['/usr/lib/frob/frob-bin', '--version']' returned non-zero exit status 127.\n"},
		{"Python without its script", "python.launcher", 2, "python3: can't open file '/usr/lib/frob/--version': [Errno 2] No such file or directory\n"},
		{"Perl module", "perl.missing_module", 2, "Can't locate Frob/Config.pm in @INC (you may need to install the Frob::Config module) (@INC contains: /etc/perl) at /usr/bin/frob line 2.\nBEGIN failed--compilation aborted at /usr/bin/frob line 2.\n"},
		{"Ruby gem", "ruby.missing_module", 1, "/usr/lib/ruby/3.1.0/rubygems.rb:263:in `find_spec_for_exe': can't find gem frob (>= 0.a) with executable frob (Gem::GemNotFoundException)\n"},
		{"Ruby file", "ruby.missing_module", 1, "<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:85:in `require': cannot load such file -- frob (LoadError)\n"},
		{"Node module", "node.missing_module", 1, "node:internal/modules/cjs/loader:1143\n  throw err;\n  ^\n\nError: Cannot find module 'chalk'\nRequire stack:\n- /usr/lib/node_modules/frob/bin/frob.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1140:15) {\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.1.0\n"},
		{"Node ES module", "node.missing_module", 1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'frob' imported from /usr/lib/frob/index.mjs\n"},
		{"Node without its script", "node.launcher", 1, "Error: Cannot find module '/home/user/--version'\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n"},
		{"PHP class", "php.crash", 255, "PHP Fatal error:  Uncaught Error: Class \"Frob\\App\" not found in /usr/bin/frob:12\n"},
		{"PHP dependencies", "php.missing_module", 1, "You need to set up the project dependencies using Composer:\n    composer install\n"},
		{"Lua module", "lua.missing_module", 1, "lua5.4: /usr/bin/frob:1: module 'frob' not found:\n\tno field package.preload['frob']\n"},
		{"Java archive", "java.missing_module", 1, "Error: Unable to access jarfile /usr/share/frob/frob.jar\n"},
		{"Java class", "java.missing_module", 1, "Error: Could not find or load main class org.frob.Main\nCaused by: java.lang.ClassNotFoundException: org.frob.Main\n"},
		{"Java too old", "java.missing_module", 1, "Error: LinkageError occurred while loading main class org.frob.Main\n\tjava.lang.UnsupportedClassVersionError: org/frob/Main has been compiled by a more recent version\n"},
		{".NET runtime", "dotnet.missing_module", 150, "You must install .NET to run this application.\n\nApp: /opt/frob/frob\nArchitecture: x64\n"},
		{"Tcl package", "tcl.missing_module", 1, "can't find package frob\n    while executing\n\"package require frob\"\n    (file \"/usr/bin/frob\" line 3)\n"},
		{"Tcl without its script", "tcl.launcher", 1, "couldn't read file \"--version\": no such file or directory\n"},
		{"R package", "r.missing_module", 1, "Error in library(frob) : there is no package called ‘frob’\nExecution halted\n"},
		{"Erlang application", "erlang.missing_module", 1, "{\"init terminating in do_boot\",{undef,[{frob,main,[],[]}]}}\n"},
		{"Guile module", "lisp.missing_module", 1, "ice-9/boot-9.scm:3329:6: In procedure resolve-interface:\nno code for module (frob main)\n"},
		{"OCaml stub", "ocaml.missing_module", 2, "Fatal error: cannot load shared library dllfrob_stubs\n"},
		{"Go panic", "go.panic", 2, "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation]\n\ngoroutine 1 [running]:\nmain.main()\n"},
		{"Rust panic", "rust.panic", 101, "thread 'main' panicked at src/main.rs:3:5:\nno config\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n"},

		{"usage of the launcher", "launcher.usage", 2, "unknown option --no-such\nusage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry `python -h' for more information.\n"},
		{"usage of the virtual machine", "launcher.usage", 1, "Usage: java [options] <mainclass> [args...]\n           (to execute a class)\n"},
		{"polite wrapper", "polite.not_installed", 1, "frob is a wrapper to ifrob, but ifrob is not installed.\n"},
		{"polite wrapper with advice", "polite.please_install", 127, "Command 'frob' not found, but can be installed with:\napt install frob\n"},
		{"version manager's shim", "polite.shim", 126, "No version is set for command frob\nConsider adding one of the following versions in your config file\n"},
		{"module command that finds no module", "polite.shim", 1, "ERROR: Unable to locate a modulefile for 'frob'\n"},
		{"missing schema", "polite.data", 133, "(frob:3): GLib-GIO-ERROR **: 12:00:00: No GSettings schemas are installed on the system\n"},
	}
}

func TestBrokenInstallsAreSeen(t *testing.T) {
	for _, tt := range brokenCases() {
		t.Run(tt.name, func(t *testing.T) {
			a := mend.AnalyzeVerifyFailure("", tt.out, tt.exit, "frob")
			require.Equal(t, mend.Broken, a.Verdict, "evidence: %v", a.Evidence)
			var names []string
			for _, e := range a.Evidence {
				names = append(names, e.Signature)
				assert.Equal(t, mend.EvidenceBroken, e.Kind)
				assert.Contains(t, tt.out, e.Line)
			}
			assert.Contains(t, names, tt.signature)
			assert.False(t, a.Repairable)
			assert.Empty(t, a.SuggestedPattern)
		})
	}
}

func TestASignalIsBrokenWithoutAWord(t *testing.T) {
	a := mend.AnalyzeVerifyFailure("", "", 139, "frob")
	assert.Equal(t, mend.Broken, a.Verdict)
	require.Len(t, a.Evidence, 1)
	assert.Equal(t, "crash.sigsegv", a.Evidence[0].Signature)
	assert.Empty(t, a.Evidence[0].Line)
}

// Outputs of working tools in which the words of broken ones stand.
func TestWorkingToolsAreNotMistaken(t *testing.T) {
	tests := []outputCase{
		{"crash whose last line is about the argument", "complaint.argument", 1, "Traceback (most recent call last):\n  File \"/usr/bin/frob\", line 21, in <module>\n    print(load(open(file,'rb')))\nFileNotFoundError: [Errno 2] No such file or directory: '--version'\n"},
		{"crash of Node about the argument", "complaint.argument", 1, "node:fs:448\n    return binding.readFileUtf8(path);\n           ^\n\nError: ENOENT: no such file or directory, open '--version'\n    at Object.readFileSync (node:fs:448:20)\n    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n\nNode.js v20.1.0\n"},
		{"an optional module is missing, and the tool goes on", "complaint.option", 2, "WARNING: No module named 'readline', editing is off\nfrob: unrecognized option '--version'\n"},
		{"the argument is taken for a file", "complaint.argument", 1, "frob: --version: No such file or directory\n"},
		{"the argument is taken for a program", "complaint.argument", 1, "frob: can't load process '--version'. (hint: it's probably a typo): No such file or directory\n"},
		{"a help text that speaks of missing things", "usage.own", 2, "Usage: frob [options]\n\nOptions:\n  -c, --check     say which programs are not installed\n  -r, --repair    reinstall what is missing\n  -x, --core      keep the core dump of a segmentation fault\n"},
		{"exit code 127 by the tool itself", "usage.own", 127, "frob: unrecognized option '--version'\nUsage: frob [-a] FILE\n"},
		{"no permission for something else", "usage.own", 1, "frob: warning: cannot open /etc/frobrc: Permission denied\nUsage: frob [-a] FILE\n"},
		{"getopt that knows single letters only", "complaint.option", 64, "frob: invalid option -- '-'\n"},
		{"Go's flag package", "complaint.option", 2, "flag provided but not defined: -version\nUsage of frob:\n  -o file\n"},
		{"argument first", "complaint.option", 2, "--version: unknown or misused option\n"},
		{"how many arguments", "complaint.arity", 1, "frob: Wrong number of args, aborting\n"},
		{"usage on the line below", "usage.own", 1, "Usage:\n frob [-vu8btawxlV] [-m number] files\n"},
		{"usage without a marker", "usage.own", 1, "frob [-mpxy] [filename]\n\t-m\ttrace memory\n"},
		{"usage of a jar", "usage.own", 1, "Usage: java -jar frob.jar [options] file\n"},
		{"usage of a class", "usage.own", 1, "Usage: org.example.tools.Frob <in> <out>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := mend.AnalyzeVerifyFailure("", tt.out, tt.exit, "frob")
			require.Equal(t, mend.Working, a.Verdict, "evidence: %v", a.Evidence)
			var names []string
			for _, e := range a.Evidence {
				names = append(names, e.Signature)
			}
			assert.Contains(t, names, tt.signature)
		})
	}
}

func TestNeitherWorkingNorBroken(t *testing.T) {
	tests := []struct {
		name, out string
		want      mend.Verdict
	}{
		{"display", "frob: cannot open display: \n", mend.EnvironmentBound},
		{"root", "You must be root to do that.\n", mend.EnvironmentBound},
		{"terminal", "Error opening terminal: dumb.\n", mend.EnvironmentBound},
		{"network", "frob: could not resolve host: api.example.org\n", mend.EnvironmentBound},
		{"file system", "Error: could not write '/etc/mailcap.new' -- Read-only file system\n", mend.EnvironmentBound},
		{"silence", "", mend.Unknown},
		{"words of no meaning", "This binary is not designed for running in this way.\n", mend.Unknown},
		{"a file of the tool that is not there", "frob: skeleton directory `/etc/skel/.frob' does not exist\n", mend.Unknown},
		{"another program complains", "getopt: unrecognized option '--version'\n", mend.Unknown},
		{"another program's help", "Usage: grob [OPTION]... FILE\n  -a  all\n  -b  both\n  -c  count\n", mend.Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := mend.AnalyzeVerifyFailure(tt.out, "", 1, "frob")
			assert.Equal(t, tt.want, a.Verdict, "evidence: %v", a.Evidence)
			assert.False(t, a.Repairable)
		})
	}
}

// A launcher that takes the option for the program to start ends with the code of
// a shell that could not.
func TestAComplaintWithAShellsExitCodeProvesNothing(t *testing.T) {
	const out = "unknown option '--version'\n"
	for exit, want := range map[int]mend.Verdict{1: mend.Working, 126: mend.Unknown, 127: mend.Unknown} {
		assert.Equal(t, want, mend.AnalyzeVerifyFailure("", out, exit, "frob").Verdict, "exit code %d", exit)
	}
}

func TestARuntimeMaySpeakForItself(t *testing.T) {
	a := mend.AnalyzeVerifyFailure("", "usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\n", 2, "python3")
	assert.Equal(t, mend.Working, a.Verdict)
	a = mend.AnalyzeVerifyFailure("", "couldn't read file \"--version\": no such file or directory\n", 1, "tclsh")
	assert.Equal(t, mend.Working, a.Verdict)
}

func TestSuggestedPattern(t *testing.T) {
	tests := []struct{ name, out, want string }{
		{"the usage that names the tool", "usage: frob [-h] [--dest DEST]\nfrob: error: unrecognized arguments: --version\n", "usage: frob"},
		{"as it is written", "USAGE: Frob <file>\n", "USAGE: Frob"},
		{"over the line end", "Usage:\n  frob [-x] FILE\n", "Usage:\n  frob"},
		{"a synopsis alone", "frob [OPTIONS] command -- arguments\n", "frob [OPTIONS] command -- arguments"},
		{"what stands behind a path", "Usage: /usr/bin/frob [--verbose] [directory|file|-]\n", "[--verbose] [directory|file|-]"},
		{"the complaint, by name", "frob: not an option: --version\n", "frob: not an option: --version"},
		{"the complaint, without date, pid and number", "2026/11/20 10:42:54 frob[3] E unknown option \"--version\"\n", "E unknown option \"--version\""},
		{"the complaint from the argument on", "Traceback (most recent call last):\n  File \"x\", line 2\nFileNotFoundError: [Errno 2] No such file or directory: '--version'\n", "No such file or directory: '--version'"},
		{"two words", "usage: frob sub [OPTIONS]\n", "usage: frob"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := mend.AnalyzeVerifyFailure("", tt.out, 2, "frob")
			require.True(t, a.Repairable, "%s: %v", a.SuggestedReason, a.Evidence)
			assert.Equal(t, mend.ModeOutput, a.SuggestedMode)
			assert.Equal(t, tt.want, a.SuggestedPattern)
			assert.Contains(t, tt.out, a.SuggestedPattern)
			assert.NotEmpty(t, a.SuggestedReason)
		})
	}
}

func TestVersionCommandsThatTheOutputOffers(t *testing.T) {
	tests := []struct {
		name, out string
		want      []string
	}{
		{"option list", "  -V, --version    print version\n  -v               be verbose\n", []string{"frob -V"}},
		{"single space", "\t-V Output version information and exit\n", []string{"frob -V"}},
		{"description below", " -version\n  Prints the version number and exit.\n", []string{"frob -version"}},
		{"Go's flag package", "  -v\n    \tprint version and exit\n", []string{"frob -v"}},
		{"parentheses", "   -v         (print version and exit)\n", []string{"frob -v"}},
		{"colon", "   -V           : print version number and exit\n", []string{"frob -V"}},
		{"several names", " -V -version --showversion   show the version\n", []string{"frob --showversion", "frob -V", "frob -version"}},
		{"subcommand", "Commands:\n  init       make one\n  version    print the version\n", []string{"frob version"}},
		{"subcommand with a short form", "Commands:\n   help,-h    show help\nversion,-v    show the version\n", []string{"frob version"}},
		{"bare list of subcommands", "\tclone\n\tregister\n\tversion\n", []string{"frob version"}},
		{"list of calls", "Commands:\n  frob help       # Describe commands\n  frob version    # Show the version\n", []string{"frob version"}},
		{"synopsis", "Usage: frob [-V] [-q x] [-f file]\n", []string{"frob -V"}},
		{"cluster in the synopsis", "usage: frob [-EfV] [-c flags] [file]\n", []string{"frob -V"}},
		{"alternatives in the synopsis", "Usage: frob {-V | -h | file}\n", []string{"frob -V"}},
		{"spelling suggestion", "Could not find command \"--version\".\nDid you mean?  \"version\"\n", []string{"frob version"}},
		{"one hyphen, as the complaint has it", "*** Invalid option: -version\n", []string{"frob -version"}},
		{"option that uses a version", "  -t version   target version (default: 2.8) for output\n", nil},
		{"option with an argument", "  -v <value>   version to install\n", nil},
		{"verification", "Usage: frob [-V] dev\n  -V      perform a verification pass\n", nil},
		{"verbosity", "Usage: frob [-v] dev\n  -v      verbose mode\n", nil},
		{"operand", "positional arguments:\n  version     version to install\n", nil},
		{"sentence", "frob version 1.2 is old\n", nil},
		{"Go's flag package, rejecting", "flag provided but not defined: -version\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := mend.AnalyzeVerifyFailure(tt.out, "", 1, "frob")
			assert.Equal(t, tt.want, a.VersionCommands)
		})
	}
}

func TestAnalysisOfTheWholeOutput(t *testing.T) {
	a := mend.AnalyzeVerifyFailure("out\n", "usage: frob [x]\n", 2, "frob")
	assert.Equal(t, "frob", a.ToolName)
	assert.Equal(t, 2, a.ExitCode)
	assert.Equal(t, len("out\n")+len("usage: frob [x]\n"), a.OutputLength)
	assert.True(t, a.HasUsageText)
	assert.True(t, a.HasToolName)
	require.NotEmpty(t, a.Evidence)
	assert.Equal(t, "stderr", a.Evidence[0].Stream)

	a = mend.AnalyzeVerifyFailure("nothing\n", "", 1, "frob")
	assert.False(t, a.HasUsageText)
	assert.False(t, a.HasToolName)
}

func TestTheLastLinesOfALongOutputCount(t *testing.T) {
	noise := strings.Repeat("frob: unknown option in line of no interest: cannot open file\n", 20000)
	a := mend.AnalyzeVerifyFailure("", noise+"frob: error while loading shared libraries: libz.so.1: cannot open shared object file\n", 127, "frob")
	assert.Equal(t, mend.Broken, a.Verdict)
	decoys := strings.Repeat("usage\n", 50000)
	a = mend.AnalyzeVerifyFailure("", decoys+"Usage: frob FILE\n", 2, "frob")
	assert.Equal(t, mend.Working, a.Verdict)
}

func TestVerdictNames(t *testing.T) {
	for v, name := range map[mend.Verdict]string{
		mend.Unknown: "unknown", mend.Working: "working", mend.Broken: "broken", mend.EnvironmentBound: "environment_bound",
	} {
		text, err := v.MarshalText()
		require.NoError(t, err)
		assert.Equal(t, name, string(text))
	}
	assert.Equal(t, "Verdict(7)", mend.Verdict(7).String())
	assert.Zero(t, mend.Unknown)
}

// FuzzAnalyzeVerifyFailure holds that the analysis never panics, that its
// evidence and its pattern are copied from the output, and that a broken verdict
// suggests nothing.
func FuzzAnalyzeVerifyFailure(f *testing.F) {
	for _, tt := range brokenCases() {
		f.Add("", tt.out, tt.exit, "frob")
	}
	f.Add(helpText(900), "", 2, "frobnicate")
	f.Add("\x1b[1mUsage:\x1b[0m frob\r\n", "\xff\x00usage: \xfffrob", 0, "frob")
	f.Add("usage:", "usage of", 1, "")
	f.Add("Usage: /a/b.c/frob -", "- -- --- frob:", 1, "../frob")
	f.Fuzz(func(t *testing.T, stdout, stderr string, exit int, tool string) {
		a := mend.AnalyzeVerifyFailure(stdout, stderr, exit, tool)
		plain := !strings.ContainsAny(stdout+stderr, "\x1b\r\b")
		for _, e := range a.Evidence {
			if plain {
				require.True(t, strings.Contains(stdout, e.Line) || strings.Contains(stderr, e.Line), "%q", e.Line)
			}
			require.NotEmpty(t, e.Signature)
		}
		require.LessOrEqual(t, len(a.Evidence), 8)
		if plain && a.SuggestedPattern != "" {
			require.True(t, strings.Contains(stdout, a.SuggestedPattern) || strings.Contains(stderr, a.SuggestedPattern))
		}
		require.Equal(t, a.Repairable, a.SuggestedPattern != "")
		if a.Verdict == mend.Broken {
			require.False(t, a.Repairable)
		}
	})
}

// referenceExpressions is what an analyzer made of four case-insensitive regular
// expressions costs: the floor is ten times its throughput.
var referenceExpressions = []*regexp.Regexp{
	regexp.MustCompile(`(?i)usage:?\s`),
	regexp.MustCompile(`(?i)(unrecognized|unknown|invalid|illegal) (option|argument|flag)`),
	regexp.MustCompile(`(?i)(not found|no such file or directory|permission denied)`),
	regexp.MustCompile(`(?i)version\s+v?\d+(\.\d+)*`),
}

func BenchmarkAnalyze(b *testing.B) {
	sizes := []struct {
		name string
		n    int
	}{{"2KB", 2 << 10}, {"64KB", 64 << 10}, {"10MB", 10 << 20}}
	for _, size := range sizes {
		text := helpText(size.n)
		b.Run("mend/"+size.name, func(b *testing.B) {
			b.SetBytes(int64(size.n))
			b.ReportAllocs()
			for b.Loop() {
				mend.AnalyzeVerifyFailure("", text, 2, "frobnicate")
			}
		})
		b.Run("regexps/"+size.name, func(b *testing.B) {
			b.SetBytes(int64(size.n))
			for b.Loop() {
				for _, re := range referenceExpressions {
					re.FindAllStringIndex(text, -1)
				}
			}
		})
	}
}

// BenchmarkAnalyzeAdversarial repeats what makes a reader look twice; none of it
// may cost more per byte than plain text does.
func BenchmarkAnalyzeAdversarial(b *testing.B) {
	for i, unit := range []string{
		"the quick brown fox jumps over the lazy dog\n", "frob: unknown option --version\n", "Usage: ", "usage: frob ", "\n", "-V\n", "version ",
		"\x1b]", "\x1b[", "/a/", ": not found\n", "1.2.3 ", "frob ", "'", "--version ", "no such file or directory", "\r", "x\b",
	} {
		text := strings.Repeat(unit, (10<<20)/len(unit))
		b.Run(fmt.Sprintf("%02d_%q", i, unit), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				mend.AnalyzeVerifyFailure("", text, 2, "frob")
			}
		})
	}
}

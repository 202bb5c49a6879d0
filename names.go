package mend

import (
	"slices"
	"strings"
)

// runtimes are shells and interpreters, and what starts them.
var runtimes = []string{
	"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "csh", "tcsh", "fish", "busybox", "toybox", "env", "exec",
	"python", "python2", "python3", "pypy", "pypy3", "perl", "ruby", "jruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit",
	"tclsh", "wish", "expect", "java", "javaw", "openjdk", "dotnet", "mono", "r", "rscript", "erl", "escript", "elixir", "iex", "guile", "racket",
	"sbcl", "clisp", "ecl", "ocaml", "ocamlrun", "runghc", "runhaskell", "julia", "octave", "swipl", "scala", "groovy", "clojure", "nim", "crystal", "dart",
}

// launchers are programs that run other programs, or that scripts are made of.
// What one of them says of itself shows that it ran, not that the tool did. The
// runtimes are launchers too.
var launchers = []string{
	"awk", "gawk", "mawk", "sed", "grep", "tar", "cp", "mv", "ln", "rm", "cat", "mkdir", "install", "find", "xargs", "sort", "cut",
	"sudo", "su", "doas", "setpriv", "runuser", "timeout", "nice", "ionice", "nohup", "setsid", "stdbuf", "time", "chroot", "unshare",
	"getopt", "getopts", "make", "npm", "npx", "yarn", "pnpm", "pip", "gem", "bundle", "go", "wine", "ld.so", "ld-linux",
	"start-stop-daemon", "flatpak", "snap", "podman", "nix", "readlink", "head", "tail", "tr", "dirname", "basename", "touch", "ls", "chmod", "dpkg", "rpm", "rustup", "pyenv", "rbenv", "asdf", "mise", "volta",
}

// isLauncher reports whether a program of that name runs others, whatever
// version its name carries.
func isLauncher(name string) bool {
	bare := unversioned(name)
	return slices.Contains(runtimes, bare) || slices.Contains(launchers, bare) || slices.Contains(hosts, bare) ||
		strings.HasPrefix(bare, "ld-linux") || strings.HasPrefix(bare, "ld-musl")
}

func isRuntime(name string) bool { return slices.Contains(runtimes, unversioned(name)) }

// unversioned returns a program's name in small letters, without the version that
// it may end in.
func unversioned(name string) string {
	return strings.ToLower(strings.TrimRight(programName(name), "0123456789.-"))
}

// hosts are programs whose plug-ins are programs of their own, named host-x and
// called as "host x".
var hosts = []string{"cargo", "git", "kubectl", "docker", "gh", "helm", "hg"}

// programName returns the name of the program that a word of an output names:
// a path's last component, without quotes, brackets and a script's extension.
func programName(word string) string {
	if isSimpleName(word) {
		return word
	}
	word = strings.Trim(word, "\"'`‘’“”()[]{}<>,;:")
	word = word[strings.LastIndexByte(word, '/')+1:]
	dot := strings.LastIndexByte(word, '.')
	switch {
	case dot <= 0:
	case slices.Contains(scriptExtensions, word[dot:]):
		return word[:dot]
	case strings.Count(word, ".") > 1 && isLetter(word[0]) && dot+1 < len(word) && isLetter(word[dot+1]):
		return word[dot+1:] // a class and its packages
	}
	return word
}

var scriptExtensions = []string{".exe", ".py", ".pl", ".rb", ".js", ".mjs", ".cjs", ".sh", ".php", ".phar", ".jar", ".tcl", ".lua", ".real", ".bin"}

// isSimpleName reports whether a word is made of letters, digits and hyphens.
func isSimpleName(word string) bool {
	for i := range len(word) {
		if !isWordByte(word[i]) && word[i] != '-' {
			return false
		}
	}
	return true
}

// launchedTool returns the name of the tool that a command line runs: of a
// runtime's, the module, archive or script that the runtime is given.
func launchedTool(argv []string) string {
	tool := toolName(argv)
	if len(argv) < 3 || !isRuntime(tool) {
		return tool
	}
	for i, arg := range argv[1 : len(argv)-1] {
		switch {
		case arg == "-m" || arg == "-jar":
			return programName(argv[i+2])
		case !strings.HasPrefix(arg, "-"):
			return programName(arg)
		}
	}
	return tool
}

// sameProgram reports whether word, as a program prints it, names the tool.
// Case, a path, a script's extension, a version and an alternative's suffix
// ("sar.sysstat" is sar) make no difference.
func sameProgram(word, tool string) bool {
	a, b := programName(word), programName(tool)
	if a == "" || b == "" || a == "." {
		return false
	}
	if lowerByte(a[0]) != lowerByte(b[0]) {
		return isSuffixed(b, a)
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if !strings.EqualFold(a, b[:len(a)]) {
		return squeezedEqual(a, b)
	}
	rest := b[len(a):]
	if rest == "" {
		return true
	}
	switch rest[0] {
	case '.':
		return len(a) > 1
	case '-', '_':
		return isVersionSuffix(rest[1:]) || squeezedEqual(a, b)
	}
	return isVersionSuffix(rest) && len(a) > 1 || len(rest) == 1 && isRuntime(a) // a runtime's variant, as ocamlrund
}

// isSuffixed reports whether name is the tool behind a prefix that a
// distribution put before it, as in golang-bundle for bundle. A runtime is none:
// foo-python is not python.
func isSuffixed(name, tool string) bool {
	k := len(name) - len(tool)
	return k > 1 && len(tool) > 2 && (name[k-1] == '-' || name[k-1] == '_') && strings.EqualFold(name[k:], tool) && !isRuntime(tool)
}

// isVersionSuffix reports whether s is made of digits and dots.
func isVersionSuffix(s string) bool {
	return s != "" && strings.Trim(s, "0123456789.") == ""
}

// squeezedEqual reports whether two names differ only in what their words are
// joined with, and in case.
func squeezedEqual(a, b string) bool {
	const joiners = "-_ ."
	for {
		a, b = strings.TrimLeft(a, joiners), strings.TrimLeft(b, joiners)
		if a == "" || b == "" {
			return a == b
		}
		if lowerByte(a[0]) != lowerByte(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// relatedProgram reports whether word could be another name of the tool, as a
// suite's programs share a stem: half of the shorter name, and four letters.
func relatedProgram(word, tool string) bool {
	a, b := strings.ToLower(programName(word)), strings.ToLower(programName(tool))
	if isLauncher(a) || len(a) < 4 || len(b) < 4 {
		return false
	}
	shorter := min(len(a), len(b))
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	common := 0
	for common < shorter && a[common] == b[common] {
		common++
	}
	return common >= 4 && 2*common >= shorter
}

// isForeign reports whether a line's speaker is another program than the tool:
// neither it nor its suite, and no name of an error.
func isForeign(who, tool string) bool {
	lower := strings.ToLower(who)
	return who != "" && !sameProgram(who, tool) && !relatedProgram(who, tool) && strings.Count(who, ".") < 2 && isNameWord(who) &&
		!(who[0] == 'E' && who == strings.ToUpper(who)) && // an error code, as ENOENT
		!strings.HasSuffix(lower, "error") && !strings.HasSuffix(lower, "exception") && !strings.HasSuffix(lower, "warning")
}

// speaker returns the program that a line says it comes from, as in
// "prog: unknown option" or "[prog] unknown option", or "".
func speaker(line string) string {
	line = strings.TrimLeft(line, " \t")
	for _, severity := range []string{"E: ", "error: ", "ERROR: ", "Error: ", "fatal: "} {
		line = strings.TrimPrefix(line, severity)
	}
	if rest, ok := strings.CutPrefix(line, "["); ok {
		if k := strings.IndexByte(rest, ']'); k > 0 && k < 40 && !strings.ContainsAny(rest[:k], " \t") {
			return rest[:k]
		}
	}
	k := strings.IndexByte(line, ':')
	if k <= 0 || k > 80 || strings.ContainsAny(line[:k], " \t") {
		return ""
	}
	switch strings.ToLower(line[:k]) {
	case "error", "err", "fatal", "warning", "warn", "usage", "note", "info", "e", "failed", "failure", "sorry", "exception", "unknown", "invalid", "syntax", "try", "options", "http", "https":
		return ""
	}
	return line[:k]
}

// indexName returns the offset of the tool's name in s as a word of its own, or
// -1.
func indexName(s, tool string) int {
	name := programName(tool)
	for at := range occurrences(s, name) {
		end := at + len(name)
		if (at == 0 || !isWordByte(s[at-1]) && s[at-1] != '/' && s[at-1] != '.' && s[at-1] != '-') &&
			(end == len(s) || !isWordByte(s[end]) && s[end] != '/' && s[end] != '@') {
			return at
		}
	}
	return -1
}

func isNameWord(s string) bool {
	if s == "" || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		if !isWordByte(s[i]) && strings.IndexByte("-._+/", s[i]) < 0 {
			return false
		}
	}
	return true
}

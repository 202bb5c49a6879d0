package command_test

import (
	"strings"
	"testing"

	"github.com/mendkit/mend/command"
	"github.com/stretchr/testify/assert"
)

func TestLintNames(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		allowed    []string
		denied     string // the details of ToolNotAllowed, with blanks between
	}{
		{"all are allowed", "x | y", nil, ""},
		{"none is", "x | y", []string{}, "x y"},
		{"by name", "x -v", []string{"x"}, ""},
		{"another", "x -v", []string{"y"}, "x"},
		{"case counts", "X -v", []string{"x"}, "X"},
		{"a directory of the system", "/usr/bin/x; /bin/x; /sbin/x; /usr/sbin/x; /usr/local/bin/x", []string{"x"}, ""},
		{"an entry with a directory of the system", "x", []string{"/usr/bin/x"}, ""},
		{"below the install directory", "{install_dir}/lib/y/x", []string{"x"}, ""},
		{"an entry below the install directory", "x", []string{"{install_dir}/bin/x"}, ""},
		{"another directory", "/opt/x", []string{"x"}, "/opt/x"},
		{"a directory below one of the system's", "/usr/bin/y/x", []string{"x"}, "/usr/bin/y/x"},
		{"its entry", "/opt/./y/../x", []string{"/opt/x"}, ""},
		{"a relative path", "./x; a/x", []string{"x"}, "./x ./a/x"},
		{"its entries", "./x; a/x", []string{"./x", "a//x"}, ""},
		{"every launcher too", "sudo nice x", []string{"x"}, "nice sudo"},
		{"all of a chain", "sudo -u y nice -n 5 x", []string{"x", "nice", "sudo"}, ""},
		{"behind xargs and find", `xargs x; find . -exec y {} \;`, []string{"xargs", "find"}, "x y"},
		{"in nested text", "sh -c 'x; y'", []string{"sh", "y"}, "x"},
		{"in substitutions", "x $(y) `z`", []string{"x"}, "y z"},
		{"a builtin is none", "cd x; export A; x", []string{}, "x"},
		{"a function is none", "f() { x; }; f", []string{}, "x"},
		{"a shell's own time is none", "time x", []string{}, "x"},
		{"time by its path is one", "/usr/bin/time x", []string{}, "time x"},
		{"a question too", "x --version", []string{}, "x"},
		{"said once at one place", "x", []string{}, "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var denied []string
			p := &command.Profile{AllowedTools: tt.allowed}
			for _, kind := range said(tt.line, p) {
				if name, ok := strings.CutPrefix(kind, "ToolNotAllowed/"); ok {
					denied = append(denied, name)
				}
			}
			assert.ElementsMatch(t, strings.Fields(tt.denied), denied)
			checkFindings(t, tt.line, p)
		})
	}
}

// A long list is searched in another way than a short one, and so is one that is
// asked often.
func TestLintManyAllowed(t *testing.T) {
	allowed := []string{"./y"}
	for i := range 500 {
		allowed = append(allowed, "x"+strings.Repeat("y", i))
	}
	line := strings.Repeat("x; ./y; xyy; zz; ", 20)
	var denied int
	for _, f := range command.Lint(line, &command.Profile{AllowedTools: allowed}) {
		if f.Code == command.ToolNotAllowed {
			assert.Equal(t, "zz", f.Detail)
			denied++
		}
	}
	assert.Equal(t, 20, denied)
}

func TestLintCommandName(t *testing.T) {
	checkCases(t, []lintCase{
		{"a variable", "$X -v", "NeedsShell/expansion OpaqueCommand/command-name"},
		{"a part of one", "a$X -v", "NeedsShell/expansion OpaqueCommand/command-name"},
		{"a pattern", "./*.sh", "NeedsShell/glob OpaqueCommand/command-name"},
		{"a list", "{a,b} c", "NeedsShell/brace OpaqueCommand/command-name"},
		{"a substitution", "$(which x) -v", "NeedsShell/substitution OpaqueCommand/command-name"},
		{"a substitution that downloads", "$(curl x) -v", "NeedsShell/substitution DangerousCommand/remote-exec"},
		{"behind a launcher", "sudo $X", "NeedsShell/expansion OpaqueCommand/command-name"},
		{"what xargs reads", "xargs -I {} {} -v", "OpaqueCommand/command-name"},
		{"a home directory is known", "~/bin/x -v", "NeedsShell/tilde"},
		{"spelled bytes are known", `$'\x6c\163' -l`, "NeedsShell/expansion"},
		{"spelled bytes of all kinds", `$'\u006c\163' $'\U0000006c\n\e\q\cA\xz'`, "NeedsShell/expansion"},
		{"spelled bytes without an end", `$'\x6c`, "SyntaxError/unterminated"},
		{"one bracket", "[ a ]", ""},
	})
}

func TestLintBuiltins(t *testing.T) {
	for word := range strings.FieldsSeq(`cd . : source export set unset eval exec command builtin type hash alias read trap ulimit umask wait exit
		return shift local declare typeset readonly bg fg jobs getopts unalias times pushd popd dirs shopt enable let mapfile logout`) {
		t.Run(word, func(t *testing.T) {
			kinds := said(word+" xyz", &command.Profile{AllowedTools: []string{"xyz", "sh"}})
			assert.Contains(t, kinds, "NeedsShell/builtin")
			assert.NotContains(t, strings.Join(kinds, " "), "ToolNotAllowed")
			assert.NotContains(t, said("sh -c '"+word+" xyz'", gnu), "NeedsShell/builtin", "nested text has its shell")
			assert.NotContains(t, said("./"+word+" xyz", gnu), "NeedsShell/builtin", "a path is a program")
		})
	}
	checkCases(t, []lintCase{
		{"in a list", "cd x && make", "NeedsShell/builtin NeedsShell/operator"},
		{"behind a launcher", "sudo cd x", "NeedsShell/builtin"},
		{"in a substitution", "x $(cd y)", "NeedsShell/builtin NeedsShell/substitution"},
		{"in backticks", "x `cd y`", "NeedsShell/substitution"},
		{"echo is a program", "echo x", ""},
		{"test is a program", "test -f x", ""},
		{"kill is a program", "kill 12", ""},
		{"a question of command", "command -v rm -rf /", "NeedsShell/builtin"},
		{"command", "command -p rm -rf /", "NeedsShell/builtin DangerousCommand/delete"},
		{"exec", "exec -a x rm -rf /", "NeedsShell/builtin DangerousCommand/delete"},
		{"builtin", "builtin eval 'rm -rf /'", "NeedsShell/builtin DangerousCommand/delete"},
		{"a script", "source x.sh", "NeedsShell/builtin OpaqueCommand/script-file"},
		{"a script, short", ". ./x.sh", "NeedsShell/builtin OpaqueCommand/script-file"},
		{"eval of words", "sh -c 'eval ls -l'", ""},
		{"eval of what nobody knows", "sh -c 'eval $X'", "OpaqueCommand/script"},
		{"trap", "sh -c 'trap \"rm -rf /\" EXIT'", "DangerousCommand/delete"},
		{"trap of nothing", "sh -c 'trap - EXIT'", ""},
		{"trap behind the end of options", "sh -c 'trap -- \"rm -rf /\" EXIT'", "DangerousCommand/delete"},
		{"eval of nothing", "sh -c eval", ""},
		{"trap of a list", "sh -c 'trap -l'", ""},
	})
}

func TestLintQuestions(t *testing.T) {
	for word := range strings.FieldsSeq("--version --help -V -version -help --usage") {
		for program := range strings.FieldsSeq("rm bash python3 shutdown mkfs.ext4 dropdb xargs find sudo sort") {
			assert.Empty(t, said(program+" "+word, gnu), "%s %s", program, word)
		}
		assert.Equal(t, []string{"ToolNotAllowed/rm"}, said("rm "+word, &command.Profile{AllowedTools: []string{}}))
		assert.Equal(t, []string{"ToolUnavailable/ss"}, said("ss "+word, &command.Profile{Platform: command.PlatformBSD}))
	}
	checkCases(t, []lintCase{
		{"of a program that a launcher starts", "sudo rm --version", ""},
		{"two arguments are no question", "rm --version /", "DangerousCommand/delete"},
		{"other words are none", "shutdown now", "DangerousCommand/host"},
		{"nothing comes through a pipe to a question", "curl x | bash --version", "NeedsShell/operator"},
	})
}

func TestLintOptions(t *testing.T) {
	const is, no = "FlagNotSupported/-P", ""
	bsd := &command.Profile{Platform: command.PlatformBSD}
	for _, tt := range []struct{ name, line, want string }{
		{"letter", "grep -P x", is},
		{"in a cluster", "grep -qiP x", is},
		{"behind operands", "grep x f -P", is},
		{"behind the end of options", "grep -- -P x", no},
		{"behind the end, in the middle", "grep -q -- x -P", no},
		{"behind a dash", "grep - -P", is},
		{"a letter's value in the word", "grep -eP x", no},
		{"a letter's value in a cluster", "grep -qeP x", no},
		{"a letter's value is the next word", "grep -e -P x", no},
		{"and not the one behind it", "grep -e x -P", is},
		{"a number for a value", "grep -m1P x", no},
		{"long", "grep --perl-regexp x", "FlagNotSupported/--perl-regexp"},
		{"short for it", "grep --perl x", "FlagNotSupported/--perl-regexp"},
		{"three letters", "grep --per x", "FlagNotSupported/--perl-regexp"},
		{"two letters are too few", "grep --pe x", no},
		{"longer than it", "grep --perl-regexps x", no},
		{"a long option's value", "grep --regexp -P x", no},
		{"a long option's value in the word", "grep --regexp=-P -q x", no},
		{"an option without a value", "grep --quiet -P x", is},
		{"an operand that looks so in quotes is one still", "grep '-P' x", is},
		{"behind a launcher", "nice -n -P grep -P x", is},
		{"of the launcher", "nice -P x", no},
		{"date's zone", "date -I -d x", "FlagNotSupported/-d"},
		{"sort's key", "sort -k h x", no},
		{"sort's key in a cluster", "sort -rkh x", no},
		{"sort", "sort -rh x", "FlagNotSupported/-h"},
		{"du", "du -t -X x --max-depth=1", "FlagNotSupported/--max-depth"},
		{"du with the value behind it", "du --max-depth 1 x", "FlagNotSupported/--max-depth"},
		{"du, short", "du --max 1 x", "FlagNotSupported/--max-depth"},
		{"a value of ps", "ps -o --sort x", no},
		{"find skips arguments", "find . -name -printf -print", no},
		{"find", "find . -name x -printf y", "FlagNotSupported/-printf"},
		{"find does not look into what it starts", `find . -exec x -printf y \;`, no},
		{"but that program is looked at", `find . -exec grep -P x {} \;`, is},
		{"readlink, a long one that begins another", "readlink --canonicalize x", "FlagNotSupported/--canonicalize"},
		{"readlink, short for one of several", "readlink --canonicalize-m x", "FlagNotSupported/--canonicalize-missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, strings.Join(said(tt.line, bsd), " "))
		})
	}
}

// launched holds for each launcher lines in which it starts rm, written as rm, and
// lines in which rm is something else.
func TestLintLaunchers(t *testing.T) {
	starts := strings.Split(`env rm|env -u A rm|env -i A=b C= rm|env -C / -- rm|env --unset A --chdir=x rm|env -S rm|env -S'A=b rm'|env -vS rm|env --split-string=rm|
		env -S '-i A=b' rm|env -P /x -a y rm|nice rm|nice -n 5 rm|nice -5 rm|nice --adjustment 5 rm|nice --adj=5 rm|ionice rm|ionice -c 2 -n 7 rm|ionice --class idle rm|timeout 5 rm|timeout -k 1 -s KILL 5s rm|
		timeout --signal=KILL --foreground 5 rm|stdbuf -oL rm|stdbuf -o L -e 0 rm|/usr/bin/time -f %e -o x rm|/usr/bin/time -v rm|nohup rm|setsid -w rm|busybox rm|toybox rm|chrt 5 rm|chrt -f 5 rm|taskset 1 rm|taskset -c 0 rm|
		chroot / rm|chroot --userspec=a / rm|flock x rm|flock -w 5 -E 3 x rm|flock -n x rm|flock x -c rm|flock -c rm x|xvfb-run rm|xvfb-run -a -s '-screen 0' rm|sudo rm|sudo -u a -g b rm|sudo --user a A=b rm|sudo -E -H -- rm|
		sudo -i rm|sudo -s rm|doas rm|doas -u a -C x rm|watch rm|watch -n 1 -d rm|watch -n1 'ls;' rm|watch -x rm|xargs -I R rm|su -c rm|su - a -c rm|runuser -u a rm|runuser a -c rm|pkexec --user a rm|script -c rm x|
		strace -f -o x rm|unshare -r rm|nsenter -t 1 -m rm|setpriv --reuid 1 rm|systemd-run --unit x rm|sudo env A=b nice -n 1 timeout 5 rm`, "|")
	for _, line := range starts {
		line = strings.TrimSpace(line)
		// The last rm is the program; in quotes or out of them, what it removes stands
		// behind it.
		at := strings.LastIndex(line, "rm")
		dangerous := line[:at] + "rm -r /" + line[at+2:]
		switch {
		case strings.Contains(line, "-S rm"), strings.Contains(line, "-c rm"), strings.Contains(line, "-vS rm"), strings.Contains(line, "string=rm"):
			dangerous = line[:at] + `"rm -r /"` + line[at+2:]
		}
		assert.Contains(t, said(dangerous, gnu), "DangerousCommand/delete", "%q", dangerous)
		benign := strings.Replace(dangerous, "rm -r /", "ls -l /", 1)
		assert.Empty(t, said(benign, gnu), "%q", benign)
		checkFindings(t, dangerous, gnu)
	}
	checkCases(t, []lintCase{
		{"nothing to start", "env", ""},
		{"variables only", "env A=b", ""},
		{"the value of an option", "timeout -s rm 5 ls /", ""},
		{"the leading operand", "timeout rm ls /", ""},
		{"a process that is there", "taskset -p 1 rm /", ""},
		{"text of env that is not plain", "env -S 'rm $X'", "OpaqueCommand/hidden-program"},
		{"text of env that nobody knows", "env -S $X", "NeedsShell/expansion OpaqueCommand/hidden-program"},
		{"a leading operand and no more", "timeout 5", ""},
		{"text of env in text of env", "env -S '-S \"-S \\\"-S \\\\\\\"-S a\\\\\\\"\\\"\"'", "OpaqueCommand/depth"},
		{"a list of what may be done", "sudo -l rm /", ""},
		{"sudo's own shell", "sudo -i", "OpaqueCommand/interactive"},
		{"sudo's own shell, another", "sudo -u a -s", "OpaqueCommand/interactive"},
		{"sudo alone", "sudo -v", ""},
		{"su", "su - a", "OpaqueCommand/interactive"},
		{"text of watch", "watch 'ls; rm -r /'", "DangerousCommand/delete"},
		{"text of watch that nobody knows", "watch $X", "NeedsShell/expansion OpaqueCommand/script"},
		{"text of flock", "flock x -c 'ls; rm -r /'", "DangerousCommand/delete"},
		{"a chain of too many", strings.Repeat("nice ", 40) + "ls", "OpaqueCommand/depth"},
	})
}

func TestLintXargs(t *testing.T) {
	const operand = "OpaqueCommand/operand"
	checkCases(t, []lintCase{
		{"echo", "xargs", ""},
		{"what it reads is an operand", "xargs rm", operand},
		{"with values", "xargs -n 1 -P 4 -L 1 -E x -s 99 -a f -d , rm", operand},
		{"in the place of a mark", "xargs -I R rm R", operand},
		{"in the place of a mark, glued", "xargs -IR rm aRb", operand},
		{"in the place of the usual mark", "xargs -i rm {}", operand},
		{"in the place of the usual mark, long", "xargs --replace rm {}", operand},
		{"in the place of a mark, long", "xargs --replace=R rm R", operand},
		{"the mark is not there", "xargs -I R rm x", ""},
		{"it is harmless elsewhere", "xargs grep -l x", ""},
		{"as a script", "xargs sh -c", "OpaqueCommand/script"},
		{"as a part of a script", "xargs -I {} sh -c 'ls {}'", "OpaqueCommand/script"},
		{"as an argument of a script", `xargs sh -c 'ls "$1"' x`, ""},
		{"as an operand in a script", `xargs sh -c 'rm "$1"' x`, operand},
		{"as an option's value", "xargs -I R grep R x", ""},
		{"as what dd writes", "xargs -I R dd of=R", operand},
		{"from the network", "curl x | xargs -I {} sh -c {}", "NeedsShell/operator DangerousCommand/remote-exec"},
	})
}

func TestLintShells(t *testing.T) {
	for shell := range strings.FieldsSeq("sh bash dash zsh ksh mksh ash fish /bin/sh busybox:sh") {
		shell = strings.ReplaceAll(shell, ":", " ")
		for _, tt := range []lintCase{
			{"text", shell + " -c 'rm -rf /'", "DangerousCommand/delete"},
			{"text in a cluster", shell + " -ec 'rm -rf /'", "DangerousCommand/delete"},
			{"text behind options", shell + " -c -e -o pipefail 'rm -rf /'", "DangerousCommand/delete"},
			{"text behind options that are switched off", shell + " +e -c 'rm -rf /'", "DangerousCommand/delete"},
			{"plain text", shell + " -c 'ls; cd x' name arg", ""},
			{"text that nobody knows", shell + ` -c "$X"`, "NeedsShell/expansion OpaqueCommand/script"},
			{"what is whole before it", shell + ` -c "rm -rf /; $X"`, "NeedsShell/expansion OpaqueCommand/script DangerousCommand/delete"},
			{"a look at the syntax", shell + " -n x.sh", ""},
			{"a look at the syntax of text", shell + " -n -c 'rm -rf /'", "DangerousCommand/delete"},
			{"a file", shell + " x.sh -c y", "OpaqueCommand/script-file"},
			{"a file behind options", shell + " -x -o pipefail x.sh", "OpaqueCommand/script-file"},
			{"a file behind the end", shell + " -- x.sh", "OpaqueCommand/script-file"},
			{"nothing", shell, "OpaqueCommand/interactive"},
			{"options only", shell + " -l", "OpaqueCommand/interactive"},
		} {
			assert.ElementsMatch(t, strings.Fields(tt.want), said(tt.line, gnu), "%s: %q", tt.name, tt.line)
		}
	}
	nested := "ls"
	for range 4 {
		nested = "sh -c " + command.Join([]string{nested})
	}
	assert.Empty(t, said(nested, gnu), "four texts deep")
	nested = "sh -c " + command.Join([]string{nested})
	assert.Equal(t, []string{"OpaqueCommand/depth"}, said(nested, gnu), "five texts deep")
}

func TestLintConstructs(t *testing.T) {
	const reserved = "NeedsShell/reserved-word "
	checkCases(t, []lintCase{
		{"case", "case $x in a) ls;; esac", reserved + "OpaqueCommand/construct"},
		{"select", "select x in a b; do ls; done", reserved + "OpaqueCommand/construct"},
		{"coproc", "coproc ls", reserved + "OpaqueCommand/construct"},
		{"what is fatal before one counts", "rm -rf /; case x in esac", "NeedsShell/operator OpaqueCommand/construct DangerousCommand/delete"},
		{"reading ends there", "case x in a) rm -rf /;; esac", reserved + "OpaqueCommand/construct"},
		{"in nested text", "sh -c 'case x in a) ls;; esac'", "OpaqueCommand/construct"},
		{"as an argument", "echo case select coproc", ""},
		{"brackets in brackets", strings.Repeat("( ", 60) + "ls" + strings.Repeat(")", 60), "NeedsShell/operator OpaqueCommand/depth"},
		{"substitutions in substitutions", strings.Repeat("a $(", 60) + "ls" + strings.Repeat(")", 60), "NeedsShell/substitution OpaqueCommand/depth"},
	})
	for _, script := range []string{
		"if a; then rm /; fi", "if rm /; then a; fi", "if a; then b; elif rm /; then c; else d; fi", "if a; then b; else rm /; fi", "while rm /; do a; done",
		"while a; do rm /; done", "until a; do rm /; done", "for x in a b; do rm /; done", "for x in $(rm /); do a; done", "for ((i=0; i<1; i++)); do rm /; done", "for x; do rm /; done",
		"f() { rm /; }", "f() (rm /)", "function f { rm /; }", "function f() { rm /; }", "{ rm /; }", "(rm /)", "( (rm /) )", "A[1]=$(rm /)", "A=(b >$(rm /)) c", "[[ a > $(rm /) ]]", "a ${b:-\"$(rm /)\"}", "a ${b:-'c'$(rm /)}", "a $(((1)+$(rm /)))", "time; rm /", "f() rm /", "! rm /", "time rm /", "time { rm /; }", "a | rm /", "a |& rm /",
		"a && rm /", "a || rm /", "a & rm /", "a; rm /", "a\nrm /", "a \\\n&& rm /", "[[ -n $(rm /) ]]", "((x=$(rm /)))", "A=$(rm /)", "A=($(rm /)) b", "declare -a A=($(rm /))",
		"a ${b:-$(rm /)}", "a \"${b:-$(rm /)}\"", "a $((1+$(rm /)))", "a $[$(rm /)]", "a <(rm /)", "a >(rm /)", "a > $(rm /)", "cat <<E\n$(rm /)\nE", "cat <<-E\n\t`rm /`\n\tE", "a <<< \"$(rm /)\"",
		"a `b \\`rm /\\``", "a \"`rm /`\"", "a \"b $(c \"$(rm /)\")\"", "\\rm /", "r\\m /", "'r'm /", "$'rm' /", "$\"rm\" /", "rm /\\\n", "rm \"/\"", "rm / # x", "# x\nrm /", "if a; then b; fi; rm /", "a >x 2>&1; rm /", "2>x rm /",
		"{fd}>x rm /", "A=b rm /", "A=b C=d rm /", "trap 'rm /' 0", "eval 'rm /'", "eval rm /", "exec rm /", "command rm /", "nohup rm / &",
	} {
		line := "bash -c " + command.Join([]string{script})
		assert.Contains(t, said(line, gnu), "DangerousCommand/delete", "%q", script)
		checkFindings(t, line, gnu)
		assert.NotContains(t, strings.Join(said(line, gnu), " "), "SyntaxError", "%q", script)
		checkFindings(t, script, gnu)
	}
	for _, script := range []string{
		"cat <<'E'\n$(rm /)\nE", "echo '$(rm /)' \"\\$(rm /)\" '`rm /`'", "[[ rm == / ]]", "((rm / 2))", "for rm in /; do a; done", "a # rm /", "echo rm /", "a rm /", "A='rm /' b", "f() { a; }; f rm /", "rm() { a; }; rm /", "a \\; rm /", "a <<E\nrm /\nE",
	} {
		line := "bash -c " + command.Join([]string{script})
		assert.NotContains(t, said(line, gnu), "DangerousCommand/delete", "%q", script)
		checkFindings(t, line, gnu)
	}
}

func TestLintInterpreters(t *testing.T) {
	for name := range strings.FieldsSeq("python python3 python3.12 pypy pypy3 perl perl5.36 ruby node nodejs deno bun php php8.2 lua lua5.4 tclsh tclsh8.6 Rscript osascript pwsh") {
		assert.Equal(t, []string{"OpaqueCommand/interactive"}, said(name, gnu))
		assert.Empty(t, said(name+" script.x arg", gnu), "files may run")
		assert.Empty(t, said(name+" --version", gnu))
	}
	const inline = "OpaqueCommand/inline-code"
	checkCases(t, []lintCase{
		{"a module", "python3 -m pip list", ""},
		{"code that only prints", "python3 -c 'print(1)'", ""},
		{"os.system", "python3 -c 'import os; os.system(\"ls\")'", inline},
		{"subprocess", "python3 -c 'import subprocess'", inline},
		{"popen", "python3 -c 'import os; os.popen(\"ls\")'", inline},
		{"exec", "python3 -c 'exec(open(\"x\").read())'", inline},
		{"child_process", "node -e 'require(\"child_process\")'", inline},
		{"print and eval together", "node -pe 'require(\"child_process\")'", inline},
		{"long options", "node --eval 'require(\"child_process\")'", inline},
		{"long options, glued", "node --print='require(\"child_process\")'", inline},
		{"a method of that name", "node -e '/a/.exec(\"a\")'", ""},
		{"another system", "python3 -c 'import platform; print(platform.system())'", ""},
		{"perl", "perl -e 'system(\"ls\")'", inline},
		{"perl without brackets", "perl -e 'system \"ls\"'", inline},
		{"perl without quotes", "perl -e 'system $x'", inline},
		{"perl that only speaks of it", "perl -e 'print \"the system is up\"'", ""},
		{"a method of another name", "python3 -c '__import__(\"os\").system(\"rm -rf /\")'", inline + " DangerousCommand/delete"},
		{"removing what a pattern matches", "perl -e 'unlink glob(\"/*\")'", inline + " DangerousCommand/delete"},
		{"perl in a cluster", "perl -lne 'system(\"ls\")'", inline},
		{"perl, the other letter", "perl -E 'qx(ls)'", inline},
		{"perl's backticks", "perl -e 'print `ls`'", inline},
		{"no other language's backticks", "node -e 'console.log(`a`)'", ""},
		{"perl's values that are no code", "perl -MPOSIX -I x -i.bak -ne 'print'", ""},
		{"ruby", "ruby -e 'system(\"ls\")'", inline},
		{"ruby's library option is no code", "ruby -r open3 -e 'p 1'", ""},
		{"php", "php -r 'shell_exec(\"ls\");'", inline},
		{"lua", "lua -e 'os.execute(\"ls\")'", inline},
		{"osascript", "osascript -e 'do shell script \"ls\"'", inline},
		{"pwsh", "pwsh -Command 'Start-Process x'", inline},
		{"deno", "deno eval 'new Deno.Command(\"ls\")'", inline},
		{"R", "Rscript -e 'system(\"ls\")'", inline},
		{"awk", "awk '{system(\"ls\")}' x", inline},
		{"awk's pipe", "awk '{print | \"sort\"}' x", inline},
		{"awk's getline", "awk '{\"date\" | getline d}' x", inline},
		{"awk's program in an option", "gawk -e 'BEGIN{system(\"ls\")}'", inline},
		{"awk's program that nobody knows", "awk \"$X\" y", "NeedsShell/expansion OpaqueCommand/script"},
		{"awk alone", "awk", ""},
		{"awk with an open string", "awk '{print \"a > \\\"/etc/x\\\"\"}' y", ""},
		{"perl's other quotes", "perl -e 'qx{rm -rf /}'", inline + " DangerousCommand/delete"},
		{"perl's other quotes again", "perl -e 'qx/ls/; qx[ls]; qx|rm -rf .|; qx~a~'", inline + " DangerousCommand/delete"},
		{"strings with escapes", `python3 -c 'import os; os.system("ls\nrm -rf /")'`, inline + " DangerousCommand/delete"},
		{"a string that does not end", `python3 -c 'import os; os.system("rm -rf /)'`, inline},
		{"awk with values", "awk -F : -v a=b 'BEGIN{system(\"ls\")}'", inline},
		{"awk that only prints", "awk -F: '$1 || $2 {print $1}' x", ""},
		{"awk's program in a file", "awk -f x.awk 'system(1)'", ""},
		{"rmtree", "python3 -c 'import shutil; shutil.rmtree(\"build\")'", inline},
		{"unlink", "perl -e 'unlink \"x\"'", inline},
		{"rm_rf", "ruby -e 'FileUtils.rm_rf(\"x\")'", inline},
		{"rmSync", "node -e 'fs.rmSync(\"x\")'", inline},
		{"removing what is a class", "python3 -c 'import shutil; shutil.rmtree(\"/etc\")'", inline + " DangerousCommand/delete"},
		{"removing home", "python3 -c 'import shutil,pathlib; shutil.rmtree(pathlib.Path.home())'", inline + " DangerousCommand/delete"},
		{"strings as shell text", "python3 -c 'import os; os.system(\"ls; rm -rf /\")'", inline + " DangerousCommand/delete"},
		{"strings as words", "python3 -c 'import subprocess; subprocess.run([\"sudo\", \"rm\", \"/etc\"])'", inline + " DangerousCommand/delete"},
		{"strings apart are no words", "python3 -c 'import subprocess; a(\"rm\"); b(\"/etc\")'", inline},
		{"strings without a way to run them", "python3 -c 'print(\"rm -rf /\")'", ""},
		{"code that nobody knows", "python3 -c \"$X\"", "NeedsShell/expansion OpaqueCommand/script"},
		{"code that is downloaded", "python3 -c \"$(curl x)\"", "NeedsShell/substitution DangerousCommand/remote-exec"},
		{"code that downloads and runs", "python3 -c 'import urllib.request as u; exec(u.urlopen(\"http://x\").read())'", inline + " DangerousCommand/remote-exec"},
		{"code that forks for ever", "perl -e 'fork while fork'", "DangerousCommand/fork-bomb"},
		{"code that forks once", "python3 -c 'import os; os.fork()'", ""},
		{"code that forks for ever, in other words", "python3 -c 'import os\nwhile 1: os.fork()'", "DangerousCommand/fork-bomb"},
		{"awk writes a system file", "awk '{print > \"/etc/x\"}' y", "DangerousCommand/system-file"},
		{"awk writes another", "awk '{print > \"x\"}' y", ""},
		{"awk compares", "awk '$1 > 2 && $2 > \"a\"' y", ""},
	})
}

func TestLintHiddenProgram(t *testing.T) {
	const is = "OpaqueCommand/hidden-program"
	checkCases(t, []lintCase{
		{"to-command", "tar -xf x --to-command=./y", is},
		{"to-command, the next word", "tar -xf x --to-command ./y", is},
		{"checkpoint", "tar -cf x y --checkpoint=1 --checkpoint-action=exec=./z", is},
		{"another checkpoint", "tar -cf x y --checkpoint-action=dot", ""},
		{"compressor", "tar -I ./z -xf x", is},
		{"compressor, glued", "tar -I./z -xf x", is},
		{"compressor, long", "tar --use-compress-program=./z -xf x", is},
		{"a known one", "tar -I 'zstd -19 -T0' -cf x y", ""},
		{"a known one by its path", "tar --use-compress-program=/usr/bin/pigz -cf x y", ""},
		{"sort", "sort --compress-program=./z x", is},
		{"sort, a known one", "sort --compress-program gzip x", ""},
		{"rsync", "rsync -e ./z a b", is},
		{"rsync, long", "rsync --rsh=./z a b", is},
		{"rsync over ssh", "rsync -e 'ssh -p 22' a b:c", ""},
		{"ssh", "ssh -oProxyCommand=./z host", is},
		{"ssh, the next word", "ssh -o 'ProxyCommand ./z' host", is},
		{"scp", "scp -o proxycommand=./z a host:b", is},
		{"ssh without", "ssh -o ProxyCommand=none host", ""},
		{"another option of ssh", "ssh -o BatchMode=yes host", ""},
		{"pager", "git -c core.pager=./z log", is},
		{"editor", "git -c core.editor=./z commit", is},
		{"ssh of git", "git -c core.sshCommand=./z fetch", is},
		{"monitor", "git -c core.fsmonitor=./z status", is},
		{"hooks", "git -c core.hooksPath=z commit", is},
		{"pager of a command", "git -c pager.log=./z log", is},
		{"diff", "git -c diff.external=./z diff", is},
		{"a command of something", "git -c diff.x.command=./z diff", is},
		{"an alias", "git -c alias.x='!./z' x", is},
		{"an alias of git's own", "git -c alias.x=status x", ""},
		{"cat", "git -c core.pager=cat log", ""},
		{"nothing", "git -c core.pager= log", ""},
		{"a switch", "git -c core.fsmonitor=false status", ""},
		{"another setting", "git -c user.name=./z log", ""},
		{"an option of git's command", "git commit -c core.pager=./z", ""},
		{"what is fatal in one counts", "rsync -e 'sh -c \"rm -rf /\"' a b", is + " DangerousCommand/delete"},
	})
}

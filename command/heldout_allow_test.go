package command_test

// allowCase is a line under a list of allowed programs, and what is to be said about it.
type allowCase struct {
	allowed []string
	line    string
	want    string
}

var heldoutAllow = []allowCase{
	{[]string{"foo"}, "foo --version", ""},
	{[]string{"foo"}, "bar --version", "ToolNotAllowed bar"},
	{[]string{}, "foo", "ToolNotAllowed foo"},
	{nil, "foo", ""},
	{[]string{"foo"}, "/usr/bin/foo x", ""},
	{[]string{"foo"}, "/bin/foo x", ""},
	{[]string{"foo"}, "/usr/local/bin/foo x", ""},
	{[]string{"foo"}, "/sbin/foo", ""},
	{[]string{"foo"}, "{install_dir}/bin/foo x", ""},
	{[]string{"/usr/bin/foo"}, "foo x", ""},
	{[]string{"{install_dir}/bin/foo"}, "foo x", ""},
	{[]string{"foo"}, "/opt/x/foo", "ToolNotAllowed /opt/x/foo"},
	{[]string{"foo"}, "./foo", "ToolNotAllowed ./foo"},
	{[]string{"foo"}, "bin/foo", "ToolNotAllowed ./bin/foo"},
	{[]string{"./bin/foo"}, "bin/foo", ""},
	{[]string{"bin/foo"}, "./bin/../bin/foo", ""},
	{[]string{"/opt/x/foo"}, "/opt/./x//foo", ""},
	{[]string{"foo"}, "Foo", "ToolNotAllowed Foo"},
	{[]string{"foo"}, "f\"o\"o", ""},
	{[]string{"foo"}, "env foo", "ToolNotAllowed env"},
	{[]string{"env"}, "env foo", "ToolNotAllowed foo"},
	{[]string{"env", "foo"}, "env A=b foo", ""},
	{[]string{"sudo", "timeout", "foo"}, "sudo timeout 5 foo", ""},
	{[]string{"foo"}, "sudo timeout 5 foo", "ToolNotAllowed sudo; ToolNotAllowed timeout"},
	{[]string{"sh", "foo"}, "sh -c 'foo; bar'", "ToolNotAllowed bar"},
	{[]string{"sh", "foo", "bar"}, "sh -c 'foo; bar'", ""},
	{[]string{"xargs"}, "xargs -n 1 foo", "ToolNotAllowed foo"},
	{[]string{"find"}, "find . -name x -exec foo {} +", "ToolNotAllowed foo"},
	{[]string{"find", "foo"}, "find . -name x -exec foo {} +", ""},
	{[]string{"foo"}, "foo | bar", "NeedsShell operator; ToolNotAllowed bar"},
	{[]string{"foo"}, "cd x", "NeedsShell builtin"},
	{[]string{"foo"}, "bar --help", "ToolNotAllowed bar"},
	{[]string{"foo"}, "foo $(bar)", "NeedsShell substitution; ToolNotAllowed bar"},
	{[]string{"sh"}, "sh -c 'f() { :; }; f'", ""},
	{[]string{"sh"}, "sh -c 'cd x'", ""},
	{[]string{"foo"}, "rm -rf /", "DangerousCommand delete; ToolNotAllowed rm"},
}

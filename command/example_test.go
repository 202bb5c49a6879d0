package command_test

import (
	"errors"
	"fmt"

	"github.com/mendkit/mend/command"
)

func ExampleSplit() {
	argv, err := command.Split(`grep -q "release 1.2" {install_dir}/'release notes'`)
	fmt.Printf("%q %v\n", argv, err)

	_, err = command.Split("jq --version | grep 1.7")
	fmt.Println(err)
	// Output:
	// ["grep" "-q" "release 1.2" "{install_dir}/release notes"] <nil>
	// cannot split the command at byte 13: operator
}

func ExampleSplitEnv() {
	env, argv, err := command.SplitEnv("CGO_ENABLED=0 GOFLAGS='-mod=mod -v' go build ./...")
	fmt.Printf("%q %q %v\n", env, argv, err)

	_, _, err = command.SplitEnv("CGO_ENABLED=0")
	fmt.Println(err)
	// Output:
	// ["CGO_ENABLED=0" "GOFLAGS=-mod=mod -v"] ["go" "build" "./..."] <nil>
	// cannot split the command at byte 0: assignment
}

func ExampleLint() {
	p := &command.Profile{Platform: command.PlatformBSD, AllowedTools: []string{"readlink", "grep", "mytool"}}
	for _, line := range []string{
		"readlink -f bin/mytool | grep -Po '[0-9.]+'",
		"mytool --version 2>&1",
		"sudo rm -rf /usr",
		"mytool --version",
	} {
		fmt.Println(line)
		for _, f := range command.Lint(line, p) {
			fmt.Printf("  %s %s %s: %s\n", f.Severity, f.Code, f.Detail, f.Message)
			if f.Fix != "" {
				fmt.Printf("  instead: %s\n", f.Fix)
			}
		}
	}
	// Output:
	// readlink -f bin/mytool | grep -Po '[0-9.]+'
	//   warn FlagNotSupported -f: "-f": readlink on some bsd systems has no -f
	//   error NeedsShell operator: "|" needs a shell, and the program is started directly
	//   error FlagNotSupported -P: "-Po": grep on bsd has no -P
	// mytool --version 2>&1
	//   error NeedsShell operator: ">&" needs a shell, and the program is started directly
	//   instead: mytool --version
	// sudo rm -rf /usr
	//   error ToolNotAllowed sudo: "sudo" is not among the programs that may be started
	//   error ToolNotAllowed rm: "rm" is not among the programs that may be started
	//   fatal DangerousCommand delete: "/usr" would be deleted, and it is not the command's own
	// mytool --version
}

func ExampleSplitError_Finding() {
	line := "jq --version | grep 1.7"
	_, err := command.Split(line)
	var refused *command.SplitError
	if errors.As(err, &refused) {
		f := refused.Finding(line)
		fmt.Printf("[%s %s] %s\nat bytes %d-%d\nhint: %s\n", f.Code, f.Detail, f.Message, f.Start, f.End, f.Hint)
	}
	// Output:
	// [NeedsShell operator] "|" needs a shell, and the program is started directly
	// at bytes 13-14
	// hint: give the program before it alone; what grep would look for goes into pattern
}

func ExampleJoin() {
	fmt.Println(command.Join([]string{"echo", "it's", "a b", "$HOME", "", "v{version}"}))
	// Output: echo "it's" 'a b' '$HOME' '' v{version}
}

func ExamplePlain() {
	plain, changed := command.Plain("mytool --version 2>&1 || true")
	fmt.Printf("%q %v\n", plain, changed)

	plain, changed = command.Plain("mytool --version 2>&1 | head -n 1")
	fmt.Printf("%q %v\n", plain, changed)
	// Output:
	// "mytool --version" true
	// "mytool --version 2>&1 | head -n 1" false
}

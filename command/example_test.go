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

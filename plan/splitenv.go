package plan

import (
	"errors"
	"strings"

	"github.com/mendkit/mend/command"
)

// commandSplitEnv stands in for command.SplitEnv.
func commandSplitEnv(line string) (env, argv []string, err error) {
	for at := 0; ; {
		argv, err = command.Split(line[at:])
		var refused *command.SplitError
		if err == nil || !errors.As(err, &refused) {
			return env, argv, err
		}
		start := at + refused.Offset
		end := wordEnd(line, start)
		if refused.Class != command.ClassAssignment || strings.TrimSpace(line[end:]) == "" || strings.Contains(line[start:end], "+=") {
			refused.Offset = start
			return nil, nil, refused
		}
		word, err := command.Split("x " + line[start:end])
		if err != nil {
			return nil, nil, err
		}
		env = append(env, word[1])
		at = end
	}
}

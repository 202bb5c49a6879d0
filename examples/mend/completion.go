package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// shells are what writes the completion script of each shell.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
}

// newCompletion takes the place of cobra's own command, which accepts any shell.
func newCompletion(t *terminal) *cobra.Command {
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion {" + strings.Join(names, " | ") + "}",
		Short: "Print the completion script of a shell",
		Long:  "Completion prints a script by which a shell completes commands, flags and their values.",
		Example: `  bash: source <(mend completion bash)
  zsh:  mend completion zsh > "${fpath[1]}/_mend"
  fish: mend completion fish > ~/.config/fish/completions/mend.fish`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || shells[args[0]] == nil {
				return fmt.Errorf("one shell has to be named, of %s", strings.Join(names, ", "))
			}
			return nil
		},
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			return shells[args[0]](c.Root(), t.out)
		},
	}
}

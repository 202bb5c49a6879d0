package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend"
)

// options are the flags that all commands know.
type options struct {
	json     bool
	color    choice
	sandbox  choice
	confirm  choice
	image    string // of containers
	engine   string // the client's command line
	install  bool   // the recipes' own steps
	timeout  time.Duration
	floor    floor
	versions versions
}

// newRoot returns the whole command line. A further command gets its file and its
// line here.
func newRoot(t *terminal) *cobra.Command {
	o := &options{
		color:   choice{value: "auto", of: []string{"auto", "always", "never"}},
		sandbox: choice{value: sandboxAuto, of: []string{sandboxAuto, sandboxLocal, sandboxPlain, sandboxContainer}},
		confirm: choice{value: confirmNone, of: []string{confirmNone, sandboxContainer}},
	}
	root := &cobra.Command{
		Use:   "mend",
		Short: "Check the verify sections of install recipes, and mend them",
		Long: `Mend runs the checks of install recipes, says what they prove, and mends those that fail
although the tool works. A check is mended only to one that is proven: a broken install
would fail it. Of a change in a source tree, mend plan says whether it is verified.

Exit codes:
  0    every recipe's check passes, as it is or mended; all of a plan ran and passed
  1    a recipe is refused: its check fails, or it is malformed; a plan did not pass as a whole, or its contract is malformed
  2    the command line, or a variable of the environment, is wrong; nothing was done
  3    nothing was learned: no sandbox, no work tree, a file that cannot be read or written
  130  a signal ended the program`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error {
			c.SetOut(t.err)
			_ = c.Help() // writes to a terminal
			return exitWith(exitUsage)
		},
		PersistentPreRunE: func(*cobra.Command, []string) error {
			t.setUp(o)
			return nil
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("mend {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%w (see %s --help)", err, c.CommandPath())
	})
	root.PersistentFlags().BoolVar(&o.json, "json", false, "print one JSON object a line")
	root.PersistentFlags().Var(&o.color, "color", "whether to print in colours")
	root.AddCommand(newCheck(t, o), newFix(t, o), newBatch(t, o), newExplain(t, o), newLint(t, o), newPlan(t, o), newCompletion(t))
	for _, c := range root.Commands() {
		c.Args = asUsage(c.Args)
		if c.ValidArgs == nil && c.ValidArgsFunction == nil {
			c.ValidArgsFunction = recipeFiles
		}
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetHelpCommand(newHelp(root))
	return root
}

// newHelp takes the place of cobra's own command, which is content with any name.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			c, _, err := root.Find(args)
			if err != nil || c == root && len(args) > 0 {
				return noSuchCommand(root, args)
			}
			return c.Help()
		},
	}
}

// addRunning adds the flags of commands that run tools.
func (o *options) addRunning(c *cobra.Command) {
	f := c.Flags()
	f.Var(&o.sandbox, "sandbox", "where tools run")
	f.Var(&o.confirm, "confirm", "where a check that passes is run once more")
	f.StringVar(&o.image, "image", "", "the `IMAGE` of containers (default debian:stable-slim)")
	f.StringVar(&o.engine, "engine", "", "the `CLIENT` of containers and its global arguments (default: podman, or docker if that does not work)")
	f.BoolVar(&o.install, "install", false, "install the recipe's tool by its steps, and do not look on PATH")
	f.DurationVar(&o.timeout, "timeout", 5*time.Second, "how long one run of a tool may take")
	f.Var(&o.floor, "floor", "the weakest check to be content with (default: any that passes; complaint for a mended one)")
	f.Var(&o.versions, "version-of", "the version that is installed, as `TOOL=VERSION`; can be repeated (default: [metadata] version)")
	c.Long += "\n\n" + sandboxHelp + "\n\n" + installHelp
	for name, values := range map[string][]string{"sandbox": o.sandbox.of, "confirm": o.confirm.of, "floor": floors, "image": nil} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
	}
}

// asUsage makes the errors of a validator usage errors.
func asUsage(valid cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if valid == nil {
			return nil
		}
		if err := valid(c, args); err != nil {
			return usagef("%s: %w (see %s --help)", c.Name(), err, c.CommandPath())
		}
		return nil
	}
}

// files is the validator of commands that take recipes.
func files(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("no recipe is given")
	}
	return nil
}

// noSuchCommand refuses what is no command, with the one that was probably meant.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if like := c.SuggestionsFor(args[0]); len(like) > 0 {
		return usagef("there is no command %q; did you mean %s?", args[0], strings.Join(like, " or "))
	}
	return usagef("there is no command %q (see mend --help)", args[0])
}

// recipeFiles completes the names of recipes.
func recipeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"toml"}, cobra.ShellCompDirectiveFilterFileExt
}

// version returns the version of this program, as far as it was built from one.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// choice is a flag with a few values.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }

func (c *choice) Set(s string) error {
	for _, v := range c.of {
		if s == v {
			c.value = s
			return nil
		}
	}
	return fmt.Errorf("it has to be one of %s", strings.Join(c.of, ", "))
}

// floors are the values of --floor.
var floors = []string{"exit_code", "complaint", "usage", "version"}

// floor is the flag for a strength. Its zero value is not set.
type floor struct{ strength mend.Strength }

func (f *floor) Type() string { return strings.Join(floors, "|") }

func (f *floor) String() string {
	if f.strength == mend.StrengthUnproven {
		return ""
	}
	return f.strength.String()
}

func (f *floor) Set(s string) error {
	var strength mend.Strength
	if err := strength.UnmarshalText([]byte(s)); err != nil || strength == mend.StrengthUnproven {
		return fmt.Errorf("it has to be one of %s", strings.Join(floors, ", "))
	}
	f.strength = strength
	return nil
}

// versions is the flag that says which versions are installed.
type versions map[string]string

// of returns the version of a recipe's tool that the flag says, or else another one.
func (v versions) of(r *mend.Recipe, otherwise string) string {
	for _, name := range []string{toolOf(r), r.Metadata.Name} {
		if version, ok := v[name]; ok {
			return version
		}
	}
	return otherwise
}

func (v *versions) Type() string   { return "TOOL=VERSION" }
func (v *versions) String() string { return "" }

func (v *versions) Set(s string) error {
	tool, version, ok := strings.Cut(s, "=")
	if !ok || tool == "" || version == "" {
		return errors.New("it has to have the form TOOL=VERSION")
	}
	if *v == nil {
		*v = make(versions)
	}
	(*v)[tool] = version
	return nil
}

// noColor reports whether the environment asks for plain text.
func noColor() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" }

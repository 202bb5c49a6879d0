package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend/plan"
)

// planFlags are the flags of the command plan alone.
type planFlags struct {
	commands    []string
	contract    string
	changed     []string
	changedFrom string
	base        string
	dir         string
	role        string
	mode        choice
	most        int
	timeout     time.Duration
	env         []string
	noChanges   bool
	dryRun      bool
	adjust      bool
	full        bool
}

func newPlan(t *terminal, o *options) *cobra.Command {
	f := &planFlags{mode: choice{of: modes}}
	c := &cobra.Command{
		Use:   "plan [flags] [-- COMMAND [ARGUMENT...]]",
		Short: "Run the commands that verify a change, and say what was verified",
		Long: `Plan puts together what verifies a change: the commands that are asked for here, and what
the repository's contract demands for the files that changed. It runs them in order, and
says of each what became of it, and of the whole whether it was verified. What was
skipped or replaced was not: only a plan of which all ran and passed ends with 0.

Where they run: in the tree itself, as you, with your files and your network. Nothing
shuts them in, and what they write stays. They are the repository's own build commands;
give mend plan no tree whose makefile you would not run. They get PATH, HOME and what says
where toolchains are, and no other variable unless --env names it. No shell runs.

The changed files are what git says differs from --base, and untracked files, unless
--changed or --changed-from lists them. The contract is that of the base, too: a change
must not weaken what it has to pass.`,
		Example: `  mend plan --dry-run
  mend plan --base main --command 'npm test' --command 'make build'
  mend plan -- go test ./...
  git diff --name-only main... | mend plan --changed-from - --base main --json`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 && c.ArgsLenAtDash() != 0 {
				return errors.New("a command is given behind --, or by --command")
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(c *cobra.Command, args []string) error {
			return t.plan(c, f, args)
		},
	}
	f.add(c)
	return c
}

// add adds the flags to the command.
func (f *planFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringArrayVar(&f.commands, "command", nil, "a command `LINE` to run before those of the contract; can be repeated")
	flags.StringVar(&f.contract, "contract", "", "`PATH` of the contract in the tree (default "+plan.DefaultContractPath+")")
	flags.StringArrayVar(&f.changed, "changed", nil, "`PATH` of a changed file, from the top of the tree; can be repeated")
	flags.StringVar(&f.changedFrom, "changed-from", "", "`FILE` that lists the changed files, one a line; - is standard input")
	flags.StringVar(&f.base, "base", "", "the `REVISION` that the change is made to (default HEAD)")
	flags.StringVar(&f.dir, "dir", ".", "`DIR` that is the top of a git work tree")
	flags.StringVar(&f.role, "role", "", "who makes the change, as the contract's byRole says (default worker)")
	flags.Var(&f.mode, "mode", "what is added to the commands that are asked for; without a model, llm is off and hybrid is contract (default contract)")
	flags.IntVar(&f.most, "max-commands", 0, "how many commands the contract may add (default 4)")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "how long one command may take")
	flags.StringArrayVar(&f.env, "env", nil, "a variable that commands get, as `NAME` or NAME=VALUE; the value of a NAME alone is not shown; can be repeated")
	flags.BoolVar(&f.noChanges, "allow-no-changes", false, "verify a tree without changes like any other")
	flags.BoolVar(&f.dryRun, "dry-run", false, "print the plan and run nothing")
	flags.BoolVar(&f.adjust, "adjust", false, "where the plan itself is at fault, take that out of it and run it again")
	flags.BoolVar(&f.full, "full", false, "show all that a command printed that did not pass")
	_ = c.MarkFlagDirname("dir") // fails for unknown flags only
	for name, values := range map[string][]string{"mode": modes, "command": nil, "base": nil, "role": nil, "env": nil} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // likewise
	}
	c.Long += "\n\n" + planEnvHelp
}

// planEnvHelp names the variables that a run without a model acts on.
const planEnvHelp = `Environment, which flags override:
  WORKER_AUTO_VERIFY_MODE, WORKER_AUTO_VERIFY_MAX_COMMANDS, WORKER_VERIFY_CONTRACT_PATH
                      as --mode, --max-commands, --contract
  WORKER_VERIFY_SKIP_MISSING_EXPLICIT_SCRIPT, WORKER_VERIFY_SKIP_INVALID_AUTO_COMMAND,
  WORKER_VERIFY_AUTO_NON_BLOCKING_AFTER_EXPLICIT_PASS
                      false: what is asked for, or added, is never skipped or ignored
  WORKER_VERIFY_INLINE_COMMAND_RECOVERY, WORKER_VERIFY_INLINE_COMMAND_RECOVERY_CANDIDATES
                      false: nothing is installed or run in place of what fails
  WORKER_NO_CHANGE_CONFIRM_MODE
                      off: a tree without changes is not run as it is
  FAILED_TASK_REPEATED_SIGNATURE_THRESHOLD
                      how often --adjust sees the same failure`

// modes are the values of --mode.
var modes = []string{string(plan.ModeOff), string(plan.ModeFallback), string(plan.ModeContract), string(plan.ModeLLM), string(plan.ModeHybrid)}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/plan"
)

// planned is one run of the command plan.
type planned struct {
	*terminal
	flags     *planFlags
	opts      *plan.Options
	workspace *plan.DirWorkspace
	contract  string // path of the contract that counts; "" if there is none
	notes     []string
	sanitizer *mend.Sanitizer // of what is shown
	req       plan.Request
	display   *display
}

// base names the revision that the change is made to.
func (p *planned) base() string {
	if p.flags.base == "" {
		return "HEAD"
	}
	return p.flags.base
}

// options returns what the environment and the flags ask for. The command line has no
// model, so a mode that nobody chose is one that does not ask for it.
func (f *planFlags) options() (*plan.Options, error) {
	o, err := plan.OptionsFromEnv(os.LookupEnv)
	if err != nil {
		return nil, usagef("the environment: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	switch {
	case f.mode.value != "":
		o.Run.Mode = plan.Mode(f.mode.value)
	case o.Run.Mode == "":
		o.Run.Mode = plan.ModeContract
	}
	if f.contract != "" {
		if !demands(o.Run.Mode) {
			return nil, usagef("--contract %s: mode %s asks for none", oneLine(f.contract), o.Run.Mode)
		}
		o.Run.ContractPath = f.contract
	}
	switch {
	case f.most < 0:
		return nil, usagef("--max-commands %d: at least one is needed; --mode off adds none", f.most)
	case f.most > 0:
		o.Run.MaxCommands = f.most
	}
	if f.timeout <= 0 {
		return nil, usagef("--timeout %s: a command needs some time", f.timeout)
	}
	o.CommandTimeout, o.AllowNoChanges, o.Profile = f.timeout, f.noChanges, command.HostProfile()
	return o, nil
}

// minSecret is how long a value is, in bytes, that is kept from what is shown. Shorter
// ones, as true or 8080, stand in every output.
const minSecret = 8

// environ returns the variables that --env asks for, and the values that came from the
// caller's environment, which may be secret: those on a command line are not.
func (f *planFlags) environ() (env, secrets []string, err error) {
	for _, entry := range f.env {
		name, _, given := strings.Cut(entry, "=")
		value, known := os.LookupEnv(name)
		switch {
		case name == "" || strings.ContainsAny(name, " \t\n"):
			return nil, nil, usagef("--env %q: it has to have the form NAME or NAME=VALUE", entry)
		case given:
			env = append(env, entry)
		case known:
			env = append(env, name+"="+value)
			if len(value) >= minSecret {
				secrets = append(secrets, value)
			}
		default:
			return nil, nil, usagef("--env %s: it is not set here, and no value is given", oneLine(name))
		}
	}
	return env, secrets, nil
}

// changes returns the changed files that the flags list; nil if they list none.
func (f *planFlags) changes(stdin io.Reader) ([]string, error) {
	if f.changedFrom == "" && f.changed == nil {
		return nil, nil
	}
	names := append([]string{}, f.changed...)
	if f.changedFrom != "" {
		in := stdin
		if f.changedFrom != "-" {
			file, err := os.Open(f.changedFrom)
			if err != nil {
				return nil, fmt.Errorf("--changed-from: %w", err)
			}
			defer file.Close()
			in = file
		}
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			if name := strings.TrimRight(lines.Text(), "\r"); name != "" {
				names = append(names, unquoted(name))
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("--changed-from %s: %w", f.changedFrom, err)
		}
	}
	for i, name := range names {
		names[i] = path.Clean(filepath.ToSlash(name))
		if name == "" || !filepath.IsLocal(name) || names[i] == "." {
			return nil, usagef("%q is no path of a changed file from the top of the tree", name)
		}
	}
	return names, nil
}

// unquoted returns a path without the quotes and escapes that git puts round one with
// characters out of the ordinary.
func unquoted(name string) string {
	if plain, err := strconv.Unquote(name); err == nil && name[0] == '"' {
		return plain
	}
	return name
}

// newPlanned reads what is asked for, and opens the tree. Close its workspace.
func (t *terminal) newPlanned(c *cobra.Command, f *planFlags, args []string) (*planned, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	env, secrets, err := f.environ()
	if err != nil {
		return nil, err
	}
	changed, err := f.changes(c.InOrStdin())
	if err != nil {
		return nil, err
	}
	p := &planned{terminal: t, flags: f, opts: opts}
	opts.Sanitizer = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: -1, Secrets: secrets}) // signatures take it all
	if p.sanitizer = opts.Sanitizer; !f.full {
		p.sanitizer = mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: sanitizerLimit, Secrets: secrets})
	}
	p.req = plan.Request{Role: f.role, Explicit: f.commands, Changed: changed}
	if len(args) > 0 {
		p.req.Explicit = append(p.req.Explicit, command.Join(args))
	}
	if p.workspace, err = plan.NewDirWorkspace(c.Context(), f.dir, &plan.DirOptions{Base: f.base, Env: env}); err != nil {
		return nil, err
	}
	if err := p.read(c.Context()); err != nil {
		_ = p.workspace.Close() // it has run nothing
		return nil, err
	}
	return p, nil
}

// read reads the changes and the contract from the tree.
func (p *planned) read(ctx context.Context) error {
	p.req.Files = p.workspace.FS()
	if p.req.Changed == nil {
		changes, err := p.workspace.Changes(ctx)
		if err != nil {
			return err
		}
		p.req.Changed = []string{}
		for _, c := range changes {
			p.req.Changed = append(p.req.Changed, c.Path)
		}
	}
	if !demands(p.opts.Run.Mode) {
		return nil
	}
	name := p.opts.Run.ContractPath
	contract, err := plan.LoadContract(p.workspace.BaseFS(ctx), name)
	var fault *plan.ContractError
	switch {
	case errors.As(err, &fault) && fault.Line == 0:
		return usagef("%w", err)
	case errors.As(err, &fault):
		return fmt.Errorf("%s at %s: %w", contractName(name), p.base(), err)
	case errors.Is(err, plan.ErrNoContract) && name == "":
	case errors.Is(err, plan.ErrNoContract):
		return fmt.Errorf("there is no contract %s at %s%s", oneLine(name), oneLine(p.base()), p.inTree(name))
	case err != nil:
		return err
	}
	p.req.Contract = contract
	if contract != nil {
		p.contract = contractName(name)
	}
	p.compare(name)
	return nil
}

// demands reports whether a mode adds what a contract asks for.
func demands(m plan.Mode) bool { return m != plan.ModeOff && m != plan.ModeLLM }

func contractName(name string) string {
	if name == "" {
		return plan.DefaultContractPath
	}
	return name
}

// inTree says where a contract is that the base does not have.
func (p *planned) inTree(name string) string {
	if _, err := plan.LoadContract(p.workspace.FS(), name); errors.Is(err, plan.ErrNoContract) {
		return ""
	}
	return ", only in the tree; it counts once it is committed"
}

// compare notes how the contract in the tree differs from the one that counts.
func (p *planned) compare(name string) {
	now, err := plan.LoadContract(p.workspace.FS(), name)
	note := ""
	switch {
	case errors.Is(err, plan.ErrNoContract):
		if p.contract != "" {
			note = "the change removes it, and that of " + p.base() + " counts"
		}
	case err != nil:
		note = "the one in the tree cannot be read: " + err.Error()
	case p.contract == "":
		note = "there is one in the tree; it counts once it is committed"
	case now.Hash != p.req.Contract.Hash:
		note = "the change edits it, and that of " + p.base() + " counts"
	}
	if note != "" {
		p.notes = append(p.notes, oneLine(contractName(name)+": "+note))
	}
}

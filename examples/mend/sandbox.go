package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
	"github.com/mendkit/mend/installer"
)

// The values of --sandbox. A further kind gets a value, a line of help and a case of
// openSandbox.
const (
	sandboxAuto      = "auto"
	sandboxLocal     = "local"
	sandboxPlain     = "plain"
	sandboxContainer = "container"
)

// confirmNone is the value of --confirm beside sandboxContainer.
const confirmNone = "none"

const sandboxHelp = `Sandboxes:
  auto       the best isolation there is; where there is none, nothing is run
  local      this machine's: bubblewrap, or namespaces and Landlock
  plain      none: programs run as you, with your files and your network
  container  Podman's or Docker's, with the tools of --image instead of those on PATH;
             nothing is pulled
With --confirm container, candidates are tried in the sandbox, and the check that is
about to be accepted is run once more in a container.`

const installHelp = `With --install, the recipe's own steps install the tool: downloads over https or from
files with their SHA-256, extract, chmod, install_binaries. That happens outside of the
sandbox, in a temporary directory that is gone afterwards.`

// boxes are the sandboxes that the flags ask for.
type boxes struct {
	sandbox mend.Sandbox
	confirm mend.Sandbox // nil if there is none
	label   string       // how tools are isolated
}

// openSandbox returns the sandboxes that the flags ask for. It tries them out, so that
// one that does not work is reported once, and before anything is done.
func openSandbox(ctx context.Context, o *options) (*boxes, error) {
	if o.timeout <= 0 {
		return nil, usagef("--timeout %s: a run needs some time", o.timeout)
	}
	contained := o.sandbox.value == sandboxContainer
	confirmed := o.confirm.value == sandboxContainer
	switch {
	case contained && confirmed:
		return nil, usagef("--confirm container: with --sandbox container, nothing else would be seen there")
	case !contained && !confirmed && (o.image != "" || o.engine != ""):
		return nil, usagef("--image and --engine are for containers; --sandbox container or --confirm container asks for them")
	}
	b := &boxes{}
	var container mend.Sandbox
	var name string
	var err error
	if contained || confirmed {
		if container, name, err = openContainer(ctx, o); err != nil {
			return nil, err
		}
	}
	if contained {
		b.sandbox, b.label = container, name
		return b, nil
	}
	if b.sandbox, b.label, err = openLocal(o); err != nil {
		return nil, err
	}
	if confirmed {
		b.confirm, b.label = container, b.label+", confirmed in "+name
	}
	return b, nil
}

// openLocal returns the sandbox of this machine, and how well it isolates.
func openLocal(o *options) (mend.Sandbox, string, error) {
	local := mend.LocalOptions{Path: pathDirs(), Timeout: o.timeout, Installer: o.installer()}
	if o.install {
		local.Path = nil // or a tool on PATH would answer for one that was not installed
	}
	if o.sandbox.value == sandboxPlain {
		local.Isolation = mend.IsolationPlain
	}
	sandbox := mend.NewLocalSandbox(&local)
	isolation, err := sandbox.Isolation()
	if err != nil {
		return nil, "", fmt.Errorf("%w (--sandbox plain runs tools without isolation)", err)
	}
	return sandbox, isolation.String(), nil
}

// openContainer returns the sandbox of containers, and what it is called.
func openContainer(ctx context.Context, o *options) (mend.Sandbox, string, error) {
	opts := mend.ContainerOptions{Image: o.image, Timeout: o.timeout, Installer: o.installer()}
	if o.engine != "" {
		var err error
		if opts.Engine, err = command.Split(o.engine); err != nil {
			return nil, "", usagef("--engine %q: %w", o.engine, err)
		}
	}
	sandbox := mend.NewContainerSandbox(&opts)
	_, err := sandbox.Engine(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case errors.Is(err, mend.ErrSandboxUnavailable):
		return nil, "", fmt.Errorf("%w (--engine names another client)", err)
	case err != nil:
		return nil, "", fmt.Errorf("%w (nothing is pulled; --image names another one)", err)
	}
	if o.image == "" {
		return sandbox, sandboxContainer, nil
	}
	return sandbox, sandboxContainer + " " + o.image, nil
}

// installer returns what performs the recipes' steps; nil if nothing does.
func (o *options) installer() mend.Installer {
	if !o.install {
		return nil
	}
	return installer.New(&installer.Options{Version: func(r *mend.Recipe) string {
		return o.versions.of(r, statedVersion(r.Bytes()))
	}}).Install
}

// pathDirs returns the directories of PATH in which tools are looked for.
func pathDirs() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

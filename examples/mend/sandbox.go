package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mendkit/mend"
)

// The values of --sandbox. A further kind gets a value, a line of help and a case of
// openSandbox.
const (
	sandboxAuto  = "auto"
	sandboxLocal = "local"
	sandboxPlain = "plain"
)

const sandboxHelp = `Sandboxes:
  auto   the best isolation there is; where there is none, nothing is run
  local  this machine's: bubblewrap, or namespaces and Landlock
  plain  none: programs run as you, with your files and your network`

// openSandbox returns the sandbox that the flags ask for, and how well it isolates. It
// tries it out, so that one that does not work is reported once, and before anything
// is done.
func openSandbox(o *options) (mend.Sandbox, string, error) {
	if o.timeout <= 0 {
		return nil, "", usagef("--timeout %s: a run needs some time", o.timeout)
	}
	local := mend.LocalOptions{Path: pathDirs(), Timeout: o.timeout}
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

// Quickstart shows what mend is for, on programs that are on this machine: it
// writes the recipe that a builder would write for each, with the check
// "tool --version", mends those that fail in the local sandbox, and refuses a copy
// of one that it broke on purpose. It needs no key, no network and no root.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
)

// How many programs are shown, how many of them reject --version if the machine
// has that many, and among how many of those the varied ones are picked.
const (
	wanted       = 12
	wantedFaulty = 9
	pool         = 30
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// entry is a line of the table.
type entry struct {
	tool    string
	version string // that the package manager says; "" if it says none
	answer  string // what --version did
	result  *mend.BuildResult
	err     error
	took    time.Duration
}

func run(ctx context.Context) error {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Path: hosttools.PathDirs(), AllowPlain: true, Timeout: 2 * time.Second})
	isolation, err := sandbox.Isolation()
	if err != nil {
		return err
	}
	fmt.Printf("Sandbox: %s. Looking for programs that do not know --version ...\n\n", isolation)
	tools, err := pick(ctx, sandbox, isolation)
	if err != nil {
		return err
	}
	if len(tools) == 0 {
		return errors.New("no program on PATH answers --version at all")
	}

	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	versions := hosttools.PackagedVersions(ctx, names)
	entries, err := mendAll(ctx, sandbox, tools, versions)
	if err != nil {
		return err
	}
	entries = varied(entries)
	printTable(entries)
	printDiff(entries)
	return showBroken(ctx, entries)
}

// mendAll takes each program through the loop.
func mendAll(ctx context.Context, sandbox mend.Sandbox, tools []candidate, versions map[string]string) ([]entry, error) {
	orchestrator := mend.New(sandbox, nil)
	entries := make([]entry, 0, len(tools))
	for _, t := range tools {
		recipe, err := naiveRecipe(t.name)
		if err != nil {
			return nil, err
		}
		e := entry{tool: t.name, version: versions[t.name], answer: t.answer}
		start := time.Now()
		e.result, e.err = orchestrator.Create(ctx, mend.StaticBuilder(recipe), mend.BuildRequest{Package: t.name, Version: e.version})
		e.took = time.Since(start)
		var failed *mend.ValidationFailedError
		if e.err != nil && !errors.As(e.err, &failed) {
			return nil, e.err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// naiveRecipe is what a builder writes that knows nothing of the tool.
func naiveRecipe(tool string) (*mend.Recipe, error) {
	return mend.ParseRecipe(fmt.Appendf(nil, `# %[1]s, as a builder would generate it
[metadata]
name = %[1]q

[[steps]]
action = "system_package"
package = %[1]q

[verify]
command = "%[1]s --version"  # every tool knows that, surely
`, tool))
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mendkit/mend"
)

// candidate is a program and what it said to --version.
type candidate struct {
	name, answer string
	passes       bool
}

// harmless are programs of the POSIX standard. Where there is no isolation, no
// other is run.
var harmless = []string{"awk", "basename", "cat", "cksum", "cut", "diff", "expr", "find", "fold", "grep", "ls", "m4", "make", "sed", "sort", "tar", "tr", "uniq", "wc", "xargs"}

// scanned bounds how many programs are asked for their version.
const scanned = 600

// pathDirs returns the absolute directories of PATH.
func pathDirs() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() && filepath.IsAbs(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// programs returns the names of what can be started, one for each family of
// programs, so that the table does not show twelve of a kind.
func programs() []string {
	seen := make(map[string]bool)
	var names []string
	for _, dir := range pathDirs() {
		files, _ := os.ReadDir(dir) // a directory that cannot be read has no programs for us
		for _, f := range files {
			info, err := os.Stat(filepath.Join(dir, f.Name()))
			if err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
				continue
			}
			family := strings.FieldsFunc(f.Name(), func(c rune) bool { return c == '-' || c == '.' || c == '_' || c >= '0' && c <= '9' })
			if len(family) > 0 && len(family[0]) > 2 && !seen[family[0]] {
				seen[family[0]] = true
				names = append(names, f.Name())
			}
		}
	}
	slices.Sort(names)
	return names
}

// pick returns the programs to choose from: first such as reject --version but say
// something, then such as know it.
func pick(ctx context.Context, sandbox *mend.LocalSandbox, isolation mend.Isolation) ([]candidate, error) {
	names := programs()
	if isolation == mend.IsolationPlain {
		names = harmless
	}
	env, err := sandbox.Install(ctx, &mend.Recipe{})
	if err != nil {
		return nil, err
	}
	defer env.Close()
	var failing, passing []candidate
	for chunk := range slices.Chunk(spread(names), 40) {
		for _, c := range ask(ctx, env, chunk) {
			if c.passes {
				passing = append(passing, c)
			} else {
				failing = append(failing, c)
			}
		}
		if len(failing) >= pool && len(passing) >= wanted-wantedFaulty {
			break
		}
	}
	failing = failing[:min(len(failing), pool)]
	return append(failing, passing[:min(len(passing), wanted-min(len(failing), wantedFaulty))]...), nil
}

// spread returns at most scanned names in another order, in which neighbours
// come from all over the alphabet.
func spread(names []string) []string {
	stride := max(1, len(names)/50)
	var out []string
	for start := range stride {
		for i := start; i < len(names); i += stride {
			out = append(out, names[i])
		}
	}
	return out[:min(len(out), scanned)]
}

// ask runs each program with --version, and returns those that said something.
func ask(ctx context.Context, env mend.Environment, names []string) []candidate {
	answers := make([]candidate, len(names))
	var wg sync.WaitGroup
	slots := make(chan struct{}, 4)
	for i, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			o, err := env.Run(ctx, mend.Command{Argv: []string{name, "--version"}})
			analysis := mend.AnalyzeVerifyFailure(o.Stdout, o.Stderr, o.ExitCode, name)
			if err == nil && !o.TimedOut && o.Signal == "" && o.Stdout+o.Stderr != "" && (o.ExitCode == 0 || analysis.Verdict == mend.Working) {
				answers[i] = candidate{name: name, answer: fmt.Sprintf("exit %d", o.ExitCode), passes: o.ExitCode == 0}
			}
		})
	}
	wg.Wait()
	return slices.DeleteFunc(answers, func(c candidate) bool { return c.name == "" })
}

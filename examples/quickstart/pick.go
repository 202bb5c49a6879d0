package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
)

// candidate is a program and what it said to --version.
type candidate struct {
	name, answer string
	passes       bool
}

// scanned bounds how many programs are asked for their version.
const scanned = 600

// pick returns the programs to choose from: first such as reject --version but say
// something, then such as know it.
func pick(ctx context.Context, sandbox *mend.LocalSandbox, isolation mend.Isolation) ([]candidate, error) {
	names := hosttools.Programs()
	if isolation == mend.IsolationPlain {
		names = hosttools.Harmless
	}
	env, err := sandbox.Install(ctx, &mend.Recipe{})
	if err != nil {
		return nil, err
	}
	defer env.Close()
	var failing, passing []candidate
	for chunk := range slices.Chunk(names[:min(len(names), scanned)], 40) {
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

// Githubrelease is a builder as a program has one that writes install recipes: it
// makes a recipe of a repository's latest release, by way of a releases API in
// GitHub's form, with a language model that may look into the repository and the
// archives. A sandbox on this machine installs what the recipe says.
//
//	go run ./examples/githubrelease
//
// shows two whole runs without a key, without a network and without root: against
// a server that it starts itself, and with a model that follows a script. With
// the model of one of the modules under providers/ instead, newBuilder is all that
// a program needs. By hand,
//
//	go run ./examples/githubrelease owner/repo
//
// says what the model is told of a repository, and with -answer it takes the
// arguments of extract_pattern from a file, as if a model had given them.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/mendkit/mend/mendtest"
)

func main() {
	base := flag.String("api", "https://api.github.com", "base `address` of the releases API")
	answer := flag.String("answer", "", "`file` with the arguments of extract_pattern, instead of a model")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: githubrelease [-api address] [-answer file] [owner/repo]")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Stdout, *base, *answer, flag.Args())
	var failed *mend.ValidationFailedError
	switch {
	case errors.As(err, &failed): // evidence: the release cannot be installed so
		fmt.Fprintln(os.Stderr, failed)
		os.Exit(1)
	case err != nil: // nothing was learned about it
		fmt.Fprintln(os.Stderr, "githubrelease:", err)
		os.Exit(3)
	}
}

func run(ctx context.Context, out io.Writer, base, answer string, args []string) error {
	switch {
	case len(args) == 0:
		return demonstrate(ctx, out)
	case len(args) > 1:
		return fmt.Errorf("one owner/repo is asked for, not %d", len(args))
	case answer == "":
		return describe(ctx, out, base, args[0])
	}
	given, err := os.ReadFile(answer)
	if err != nil {
		return err
	}
	// Foreign programs are run in isolation or not at all.
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer.New(nil).Install})
	result, err := build(ctx, out, sandbox, base, args[0], mendtest.NewScriptedProvider("by hand", mendtest.Call("extract_pattern", string(given))))
	if err == nil {
		fmt.Fprintf(out, "\n%s", result.Recipe.Bytes())
	}
	return err
}

// describe prints what a model is told of a repository.
func describe(ctx context.Context, out io.Writer, base, repo string) error {
	b := newBuilder(base, nil, newClient())
	r, err := b.api.latest(ctx, repo)
	if err != nil {
		return err
	}
	known, err := b.api.sums(ctx, r)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\nNo model is here to go on. Give its answer with -answer, as JSON of this form:\n%s\n",
		(&job{builder: b, release: r, sums: known}).describe(), extractPattern.Parameters)
	return nil
}

// demonstrate shows both scenarios, each with a server and a sandbox of its own.
func demonstrate(ctx context.Context, out io.Writer) error {
	base, stop, err := newDemo().serve()
	if err != nil {
		return err
	}
	defer stop()
	// The program is our own, so it may be run without isolation where there is none.
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: installer.New(nil).Install, AllowPlain: true})
	isolation, err := sandbox.Isolation()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Sandbox: %s. A careful model, whose check is wrong:\n\n", isolation)
	first, err := build(ctx, out, sandbox, base, demoRepo, careful())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe recipe:\n\n%s\nA hasty model, which guesses where the binary is:\n\n", first.Recipe.Bytes())
	second, err := build(ctx, out, sandbox, base, demoRepo, hasty())
	if err != nil {
		return err
	}
	if bytes.Equal(first.Recipe.Bytes(), second.Recipe.Bytes()) {
		fmt.Fprintln(out, "\nThe recipe is the same.")
		return nil
	}
	fmt.Fprintf(out, "\nThe recipe:\n\n%s", second.Recipe.Bytes())
	return nil
}

// build makes one recipe, and tells how.
func build(ctx context.Context, out io.Writer, sandbox mend.Sandbox, base, repo string, p mend.Provider) (*mend.BuildResult, error) {
	n := &narrator{Provider: p, out: out}
	orchestrator := mend.New(sandbox, &mend.Options{Observer: n.observe})
	result, err := orchestrator.Create(ctx, newBuilder(base, n, newClient()), mend.BuildRequest{Package: path.Base(repo), Source: repo})
	if err != nil {
		return nil, err
	}
	n.say("mend", fmt.Sprintf("the check is %q and proves: %s; repairs by the model: %d", result.Recipe.Verify.Command, result.Strength, result.RepairAttempts))
	for _, w := range result.Warnings {
		n.say("warning", w)
	}
	return result, nil
}

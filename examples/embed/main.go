// Embed is what a program that generates recipes adds to use mend: its generator
// behind a Builder, a sandbox, and one call. Give it the name of a program on PATH:
//
//	go run ./examples/embed tar
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/mendkit/mend"
)

// generate stands for what the program does now: it knows a name and writes a
// recipe.
func generate(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
	return mend.ParseRecipe(fmt.Appendf(nil, "[metadata]\nname = %[1]q\n\n[verify]\ncommand = \"%[1]s --version\"\n", req.Package))
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: embed TOOL")
		os.Exit(2)
	}
	orchestrator := mend.New(mend.NewLocalSandbox(nil), nil)
	result, err := orchestrator.Create(context.Background(), mend.BuildFunc("mine", generate), mend.BuildRequest{Package: os.Args[1]})
	var failed *mend.ValidationFailedError
	switch {
	case errors.As(err, &failed): // the install does not work, or nothing proves that it does
		fmt.Fprintln(os.Stderr, failed)
		os.Exit(1)
	case err != nil: // nothing was learned about the recipe
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(3)
	}
	fmt.Printf("# strength of the check: %s\n%s", result.Strength, result.Recipe.Bytes())
}

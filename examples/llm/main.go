// Llm shows a repair by a language model. With a key and a model in the environment
// (see providers/env) a real one answers; without, a scripted one does, so that the
// whole loop can be watched offline:
//
//	ANTHROPIC_API_KEY=… MEND_ANTHROPIC_MODEL=… go run ./examples/llm
//
// The package is called wordmill, and its program is not. A model that guesses
// finds out, looks, and repairs its recipe; the check, which the program's own
// help text corrects, is mended without it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
	"github.com/mendkit/mend/providers/env"
)

func main() {
	providers, err := env.FromEnv(env.Options{})
	if missing, ok := errors.AsType[*env.MissingError](err); ok {
		fmt.Printf("A scripted model answers (%v).\n\n", missing)
		providers, err = []mend.Provider{scripted()}, nil
	}
	if err == nil {
		err = run(context.Background(), os.Stdout, mend.NewFailover(providers, nil))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "llm:", err)
		os.Exit(1)
	}
}

// scripted is a model that guesses first, and looks when that fails.
func scripted() mend.Provider {
	return mendtest.NewScriptedProvider("scripted",
		submit("wordmill --version"), mendtest.Call("list_files", map[string]any{}), submit("wm --version"))
}

// submit is the turn that submits a recipe with that check.
func submit(command string) mendtest.Turn {
	recipe := fmt.Sprintf("[metadata]\nname = \"wordmill\"\n\n[[steps]]\naction = \"unpack\"\n\n[verify]\ncommand = %q\npattern = \"{version}\"\n", command)
	return mendtest.Call("submit_recipe", map[string]any{"recipe": recipe, "confidence": 0.9})
}

// run has the model write the recipe, and prints how that goes.
func run(ctx context.Context, w io.Writer, p mend.Provider) error {
	builder := mend.NewModelBuilder("wordmill", &spoken{p, w}, &mend.ModelOptions{
		Describe:   describe,
		Tools:      func(mend.BuildRequest) []mend.Tool { return []mend.Tool{listFiles} },
		FreshStart: true,
	})
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{Installer: unpack, AllowPlain: true})
	o := mend.New(sandbox, &mend.Options{Observer: func(_ context.Context, e mend.Event) {
		if e.Error != "" {
			fmt.Fprintf(w, "mend     %s: %s\n", e.Kind, e.Error)
		}
	}})
	result, err := o.Create(ctx, builder, mend.BuildRequest{Package: "wordmill", Version: "2.4.1"})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\nIt proves: %s. ", result.Recipe.Bytes(), result.Strength)
	if result.RepairMetadata != nil {
		fmt.Fprintf(w, "Its check was mended by %s, without the model. ", result.RepairMetadata.Method)
	}
	fmt.Fprintf(w, "Repairs by %s: %d, tokens: %d.\n", result.Provider, result.RepairAttempts, result.Usage.Total())
	return nil
}

// spoken is a provider whose answers are printed.
type spoken struct {
	mend.Provider
	w io.Writer
}

func (s *spoken) Complete(ctx context.Context, req *mend.CompletionRequest) (*mend.CompletionResponse, error) {
	resp, err := s.Provider.Complete(ctx, req)
	if err != nil {
		return nil, err
	}
	if text := strings.TrimSpace(resp.Message.Content); text != "" {
		fmt.Fprintf(s.w, "model    %s\n", text)
	}
	for _, call := range resp.Message.ToolCalls {
		fmt.Fprintf(s.w, "model    calls %s %s\n", call.Name, call.Arguments)
	}
	return resp, nil
}

package mend_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

// exampleSandbox shows a tool that does not know --version.
func exampleSandbox() *mendtest.Replay {
	const usage = "usage: frob [-hV] FILE\n  -h  show this help\n  -V  show the version\n"
	return mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		{Argv: []string{"frob", "--version"}, ExitCode: 2, Stderr: "frob: unknown option --version\n" + usage},
		{Argv: []string{"frob", "-V"}, Stdout: "frob 1.2.3\n"},
	}})
}

// A recipe whose check is wrong is mended without a model, from what the tool
// itself says.
func ExampleOrchestrator_Create() {
	recipe, err := mend.ParseRecipe([]byte(`# from the generator
[metadata]
name = "frob"

[verify]
command = "frob --version"
pattern = "{version}"
`))
	if err != nil {
		panic(err)
	}
	o := mend.New(exampleSandbox(), nil)
	result, err := o.Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s", result.Recipe.Bytes())
	fmt.Printf("\n%s, proves: %s\n", result.RepairMetadata.Method, result.Strength)
	// Output:
	// # from the generator
	// [metadata]
	// name = "frob"
	//
	// [verify]
	// command = "frob -V"
	// pattern = "frob {version}"
	//
	// documented_version, proves: version
}

// A broken install is refused, with what gave it away.
func ExampleValidationFailedError() {
	sandbox := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{{
		Argv: []string{"frob", "--version"}, ExitCode: 2,
		Stderr: "Can't locate Frob/Main.pm in @INC (you may need to install the Frob::Main module) at /usr/bin/frob line 7.\n",
	}}})
	recipe := &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version", Pattern: "{version}"}}

	_, err := mend.New(sandbox, nil).Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	var failed *mend.ValidationFailedError
	if errors.As(err, &failed) {
		analysis := failed.Failure.Analysis
		fmt.Println(analysis.Verdict)
		fmt.Println(analysis.Evidence[0].Signature)
		fmt.Println(analysis.Evidence[0].Line)
	}
	// Output:
	// broken
	// perl.missing_module
	// Can't locate Frob/Main.pm in @INC (you may need to install the Frob::Main module) at /usr/bin/frob line 7.
}

// Requests are built by a few workers; one that fails stops no other.
func ExampleOrchestrator_CreateAll() {
	builder := mend.BuildFunc("guess", func(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
		return &mend.Recipe{
			Metadata: mend.Metadata{Name: req.Package},
			Verify:   &mend.VerifySection{Command: req.Package + " --version", Pattern: "{version}"},
		}, nil
	})
	requests := slices.Values([]mend.BuildRequest{{Package: "frob"}, {Package: "quux"}})

	var lines []string
	for result, err := range mend.New(exampleSandbox(), nil).CreateAll(context.Background(), builder, requests, 2) {
		if err != nil {
			lines = append(lines, err.Error())
			continue
		}
		lines = append(lines, result.Request.Package+" "+result.Strength.String())
	}
	slices.Sort(lines) // they come in any order
	fmt.Println(strings.Join(lines, "\n"))
	// Output:
	// frob version
	// quux: no recording of "quux"
}

// The analyzer can be asked alone, about one failed run of "frob --version".
func ExampleAnalyzeVerifyFailure() {
	stderr := "frob: unrecognized option '--version'\nUsage: frob [OPTION]... FILE\n  -V   show the version and exit\n"
	a := mend.AnalyzeVerifyFailure("", stderr, 2, "frob")
	fmt.Println(a.Verdict)
	for _, e := range a.Evidence {
		fmt.Printf("  %s: %s\n", e.Signature, e.Line)
	}
	fmt.Println(a.SuggestedMode, a.SuggestedPattern)
	fmt.Println(a.VersionCommands)

	a = mend.AnalyzeVerifyFailure("", "frob: error while loading shared libraries: libz.so.1: cannot open shared object file\n", 127, "frob")
	fmt.Println(a.Verdict, a.Repairable)
	// Output:
	// working
	//   usage.own: Usage: frob [OPTION]... FILE
	//   complaint.option: frob: unrecognized option '--version'
	// output Usage: frob
	// [frob -V]
	// broken false
}

// Judge says what a check found, expectation by expectation.
func ExampleJudge() {
	check := mend.VerifySection{Command: "frob --version", Pattern: "frob {version}", VersionFormat: mend.FormatStripV}
	installed := mend.Installed{Version: "v1.2.3"}
	for _, stdout := range []string{"\x1b[1mfrob 1.2.3\x1b[0m\n", "frob 1.2.30\n"} {
		run := mend.Observation{Argv: []string{"frob", "--version"}, Stdout: stdout}
		j := mend.Judge(check, []mend.Observation{run}, installed)
		fmt.Println(j.Passed, j)
	}
	// Output:
	// true passed
	// false pattern: "frob 1.2.3" is not in the output
}

// Only the verify section changes, and of it only what is said otherwise.
func ExampleRecipe_WithVerify() {
	recipe, err := mend.ParseRecipe([]byte(`[metadata]
name = "frob"   # all this stays

[verify]
  command = "frob --version"  # so does this
  # and this
  timeout = 5
`))
	if err != nil {
		panic(err)
	}
	check := *recipe.Verify
	check.Command, check.Pattern, check.ExitCode = "frob -V", "frob {version}", new(1)
	before := strings.Split(string(recipe.Bytes()), "\n")
	for line := range strings.SplitSeq(string(recipe.WithVerify(check).Bytes()), "\n") {
		if !slices.Contains(before, line) {
			fmt.Println("+", line)
		}
	}
	// Output:
	// +   command = "frob -V"  # so does this
	// +   pattern = "frob {version}"
	// +   exit_code = 1
}

// A mistake in a recipe has an address.
func ExampleParseRecipe() {
	_, err := mend.ParseRecipe([]byte("[verify]\ncommand = \"frob --version\"\nexit_code = \"two\"\n"))
	var malformed *mend.ParseError
	if errors.As(err, &malformed) {
		fmt.Println(malformed.Line, malformed.Column, malformed.Key)
	}
	// Output:
	// 3 13 verify.exit_code
}

// A system that can only install and run in one go plugs in as a function.
func ExampleSandboxFunc() {
	sandbox := mend.SandboxFunc(func(_ context.Context, r *mend.Recipe) (mend.Observation, error) {
		fmt.Println("installing and running:", r.Verify.Command)
		if r.Verify.Command == "frob version" {
			return mend.Observation{Stdout: "frob 1.2.3\n"}, nil
		}
		return mend.Observation{ExitCode: 1, Stderr: "frob: unknown command\ncommands:\n  version   print the version\n"}, nil
	})
	recipe := &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version", Pattern: "{version}"}}
	request := mend.BuildRequest{Package: "frob", Version: "1.2.3"}

	result, err := mend.New(sandbox, nil).Create(context.Background(), mend.StaticBuilder(recipe), request)
	fmt.Println(result.Strength, err)
	// Output:
	// installing and running: frob --version
	// installing and running: frob version
	// version <nil>
}

// A generator that is a single function needs no session type.
func ExampleBuildFunc() {
	builder := mend.BuildFunc("template", func(_ context.Context, req mend.BuildRequest) (*mend.Recipe, error) {
		if req.Source == "" {
			return nil, errors.New("no source given for " + req.Package)
		}
		return &mend.Recipe{
			Metadata: mend.Metadata{Name: req.Package},
			Steps:    []mend.Step{{Action: "download", Params: map[string]any{"url": req.Source}}},
			Verify:   &mend.VerifySection{Command: req.Package + " --version", Pattern: "{version}"},
		}, nil
	})
	o := mend.New(exampleSandbox(), nil)
	result, err := o.Create(context.Background(), builder, mend.BuildRequest{Package: "frob", Source: "https://example.org/frob.tar.gz"})
	fmt.Println(result.Recipe.Verify.Command, err)

	_, err = o.Create(context.Background(), builder, mend.BuildRequest{Package: "frob"})
	fmt.Println(err)
	// Output:
	// frob -V <nil>
	// no source given for frob
}

// Each transition of the loop can be logged, or counted.
func ExampleSlogObserver() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Key == "duration" || a.Key == "time_saved" {
				return slog.Attr{} // another one each time
			}
			return a
		},
	}))
	recipe := &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version", Pattern: "{version}"}}
	o := mend.New(exampleSandbox(), &mend.Options{Observer: mend.SlogObserver(logger)})
	_, err := o.Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	fmt.Println(err)
	// Output:
	// level=INFO msg=generation_started event.package=frob event.success=false event.builder=static
	// level=INFO msg=generation_completed event.package=frob event.success=true event.builder=static
	// level=WARN msg=validation_result event.package=frob event.success=false event.builder=static event.tool=frob event.error="exit_code: expected 0, saw 2"
	// level=INFO msg=verify_self_repair event.package=frob event.success=true event.builder=static event.tool=frob event.method=documented_version event.strength=version event.probes=1
	// <nil>
}

// What passes in a cheap sandbox is run once more in a dear one, which here lacks a
// library.
func ExampleOptions_confirm() {
	container := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		{Argv: []string{"frob", "-V"}, ExitCode: 127, Stderr: "frob: error while loading shared libraries: libz.so.1: cannot open shared object file\n"},
	}})
	o := mend.New(exampleSandbox(), &mend.Options{Confirm: container})
	recipe := &mend.Recipe{
		Metadata: mend.Metadata{Name: "frob"},
		Verify:   &mend.VerifySection{Command: "frob --version", Pattern: "{version}"},
	}
	_, err := o.Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	var failed *mend.ValidationFailedError
	if errors.As(err, &failed) {
		fmt.Println(failed.Failure.Findings[0].Code, failed.Failure.Analysis.Verdict)
	}
	// Output: unconfirmed broken
}

// Programs run in containers of Podman, or of Docker where there is no Podman, with
// the tools of an image.
func ExampleContainerSandbox() {
	sandbox := mend.NewContainerSandbox(&mend.ContainerOptions{Image: "debian:stable-slim"})
	env, err := sandbox.Install(context.Background(), &mend.Recipe{})
	if err != nil {
		fmt.Println(err) // no engine, or the image has not been pulled
		return
	}
	defer env.Close()
	obs, err := env.Run(context.Background(), mend.Command{Argv: []string{"tar", "--version"}})
	fmt.Println(obs.Stdout, err)
}

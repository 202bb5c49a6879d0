package mendtest_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/mendtest"
)

func ExampleReplay() {
	sandbox := mendtest.NewReplay(&mendtest.Capture{Tool: "frob", Version: "1.2.3", Runs: []mendtest.Run{
		{Argv: []string{"frob", "--version"}, Stdout: "frob 1.2.3\n"},
	}})
	recipe := &mend.Recipe{Verify: &mend.VerifySection{Command: "frob --version", Pattern: "frob {version}"}}

	result, err := mend.New(sandbox, nil).Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	fmt.Println(result.Strength, err)
	fmt.Println(sandbox.Installs(), "install,", sandbox.Runs(), "run")

	env, _ := sandbox.Install(context.Background(), recipe)
	_, err = env.Run(context.Background(), mend.Command{Argv: []string{"frob", "--help"}})
	fmt.Println(err) // never an answer that nobody saw
	// Output:
	// version <nil>
	// 1 install, 1 run
	// no recording of "frob --help"
}

func ExampleRecorder() {
	// Any sandbox: a real one starts the programs.
	sandbox := mend.SandboxFunc(func(context.Context, *mend.Recipe) (mend.Observation, error) {
		return mend.Observation{Stdout: "frob 1.2.3\n"}, nil
	})
	recorder := mendtest.NewRecorder(sandbox)
	recipe := &mend.Recipe{
		Metadata: mend.Metadata{Name: "frob"},
		Verify:   &mend.VerifySection{Command: "frob --version", Pattern: "frob"},
	}
	_, err := mend.New(recorder, nil).Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "frob"})
	fmt.Println(err)
	fmt.Println(mendtest.WriteCaptures(os.Stdout, recorder.Captures()))
	// Output:
	// <nil>
	// {"tool":"frob","runs":[{"argv":["frob","--version"],"exit_code":0,"stdout":"frob 1.2.3\n"}]}
	// <nil>
}

func ExampleReadCaptures() {
	recording := strings.NewReader(`{"tool": "frob", "version": "1.2.3", "runs": [
		{"argv": ["frob", "--version"], "exit_code": 2, "stderr": "frob: unknown option --version\n"}
	]}`)
	captures, err := mendtest.ReadCaptures(recording)
	fmt.Println(captures[0].Tool, captures[0].Runs[0].ExitCode, err)

	_, err = mendtest.ReadCaptures(strings.NewReader(`{"tool": "frob", "exit": 2}`))
	fmt.Println(err)
	// Output:
	// frob 2 <nil>
	// capture 0: json: unknown field "exit"
}

func ExampleScriptedBuilder() {
	sandbox := mendtest.NewReplay(
		&mendtest.Capture{Tool: "frob", Install: "checksum mismatch"},
		&mendtest.Capture{Tool: "frobctl", Version: "2.0", Runs: []mendtest.Run{
			{Argv: []string{"frobctl", "version"}, Stdout: "frobctl 2.0\n"},
		}},
	)
	builder := mendtest.NewScriptedBuilder(
		&mend.Recipe{Verify: &mend.VerifySection{Command: "frob version", Pattern: "{version}"}},
		&mend.Recipe{Verify: &mend.VerifySection{Command: "frobctl version", Pattern: "{version}"}},
	)
	result, err := mend.New(sandbox, nil).Create(context.Background(), builder, mend.BuildRequest{Package: "frob"})
	fmt.Println(result.Recipe.Verify.Command, result.RepairAttempts, err)
	fmt.Println(builder.Failures()[0].Install)
	// Output:
	// frobctl version 1 <nil>
	// install failed: checksum mismatch
}

func ExampleReplayProvider() {
	// Any provider: a real one asks a model.
	recorder := mendtest.NewRecordingProvider(mendtest.NewScriptedProvider("p", mendtest.Turn{Text: "Fine."}), nil)
	ask := func(p mend.Provider, question string) {
		resp, err := p.Complete(context.Background(), &mend.CompletionRequest{Messages: []mend.Message{{Role: mend.RoleUser, Content: question}}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(resp.Message.Content)
	}
	ask(recorder, "How are you?")

	var file strings.Builder // kept in testdata
	fmt.Println(mendtest.WriteConversation(&file, recorder.Conversation()))
	conversation, err := mendtest.ReadConversation(strings.NewReader(file.String()))
	fmt.Println(err)
	replay := mendtest.NewReplayProvider(conversation, nil)
	ask(replay, "Who are you?")
	fmt.Println(len(replay.Unasked()), "left")
	ask(replay, "How are you?")
	fmt.Println(len(replay.Unasked()), "left")
	// Output:
	// Fine.
	// <nil>
	// <nil>
	// p: invalid_request: request 0 is not the recorded one: Messages[0].Content is "Who are you?", and was "How are you?"
	// 1 left
	// Fine.
	// 0 left
}

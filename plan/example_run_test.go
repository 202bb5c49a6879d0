package plan_test

import (
	"context"
	"fmt"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/plan"
)

// A contract demands more than the author asked for, and only for the files that
// changed.
func ExampleBuild() {
	contract := &plan.Contract{Rules: []plan.ContractRule{
		{WhenChangedAny: []string{"services/**"}, Commands: []string{"go test ./services/..."}},
		{WhenChangedAny: []string{"web/**"}, Commands: []string{"cd web && npm test"}},
	}}
	p, err := plan.Build(context.Background(), plan.Request{
		Explicit: []string{"go vet ./..."},
		Contract: contract,
		Changed:  []string{"services/billing/invoice.go"},
	}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeContract}})
	if err != nil {
		panic(err)
	}
	for _, c := range p.Commands {
		fmt.Println(c.ID, c.Source, c.Line)
	}
	// Output:
	// 288f16ee explicit go vet ./...
	// cb452d98 auto go test ./services/...
}

// A wish that does not exist is skipped while others remain, and stays a gap.
func ExampleRun() {
	ctx := context.Background()
	oneShot := mend.SandboxFunc(func(_ context.Context, r *mend.Recipe) (mend.Observation, error) {
		if r.Verify.Command == "npm run verify" {
			return mend.Observation{ExitCode: 1, Stderr: "npm error Missing script: \"verify\"\n"}, nil
		}
		return mend.Observation{Stdout: "fine\n"}, nil
	})
	env, err := oneShot.Install(ctx, &mend.Recipe{})
	if err != nil {
		panic(err)
	}
	p, err := plan.Build(ctx, plan.Request{Explicit: []string{"npm run verify", "go vet ./..."}}, &plan.Options{Run: plan.StageOptions{Mode: plan.ModeOff}})
	if err != nil {
		panic(err)
	}
	r, err := plan.Run(ctx, env, p, nil)
	if err != nil {
		panic(err) // nothing was learned
	}
	for _, o := range r.Outcomes {
		fmt.Printf("%s: %s (%s)\n", o.Command.Line, o.State, o.Code)
	}
	fmt.Println(r.Err())
	// Output:
	// npm run verify: skipped (verification_command_missing_script)
	// go vet ./...: passed ()
	// verification passed_with_gaps: npm run verify skipped (verification_command_missing_script)
}

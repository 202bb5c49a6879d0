package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/internal/hosttools"
)

// showBroken installs a copy of one of the programs that works, breaks it on
// purpose, and shows that no check is mended for it.
func showBroken(ctx context.Context, entries []entry) error {
	for _, e := range entries {
		path, err := exec.LookPath(e.tool)
		if err != nil || e.err != nil {
			continue
		}
		program, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		return refuse(ctx, e, hosttools.Damages(program)[0])
	}
	return errors.New("none of the programs works, so there is none to break")
}

// refuse runs the mended recipe's check, and then the whole loop, on a damaged
// program.
func refuse(ctx context.Context, e entry, d hosttools.Damage) error {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{
		AllowPlain: true,
		Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
			bin := filepath.Join(dir, "bin")
			if err := os.Mkdir(bin, 0o755); err != nil {
				return mend.Installed{}, err
			}
			return mend.Installed{Version: e.version}, os.WriteFile(filepath.Join(bin, e.tool), d.Program, 0o755)
		},
	})
	fmt.Printf("\nA copy of %s, broken on purpose (%s):\n\n", e.tool, d.Fault)
	recipe, err := naiveRecipe(e.tool)
	if err != nil {
		return err
	}
	for _, r := range []*mend.Recipe{recipe, e.result.Recipe} {
		_, err := mend.New(sandbox, nil).Create(ctx, mend.StaticBuilder(r), mend.BuildRequest{Package: e.tool, Version: e.version})
		var failed *mend.ValidationFailedError
		if !errors.As(err, &failed) {
			return fmt.Errorf("the broken copy of %s was not refused: %v", e.tool, err)
		}
		fmt.Printf("    %s\n      refused: %s\n", describe(r.Verify), failed.Failure.Judgement)
		for _, ev := range failed.Failure.Analysis.Evidence[:min(1, len(failed.Failure.Analysis.Evidence))] {
			fmt.Printf("      %s: %s\n", ev.Signature, strings.TrimSpace(ev.Line))
		}
	}
	return nil
}

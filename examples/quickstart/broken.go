package main

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mendkit/mend"
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
		damaged, fault, ok := damage(program)
		if !ok {
			continue
		}
		return refuse(ctx, e, damaged, fault)
	}
	return errors.New("none of the programs is of a kind that this example knows to break")
}

// damage returns a copy of a program that cannot run any more, as an install
// that went wrong leaves it: a library or the interpreter has another name.
func damage(program []byte) (damaged []byte, fault string, ok bool) {
	if rest, isScript := bytes.CutPrefix(program, []byte("#!")); isScript {
		_, body, _ := bytes.Cut(rest, []byte("\n"))
		return append([]byte("#!/usr/lib/no-such-interpreter\n"), body...), "its interpreter is not there", true
	}
	file, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, "", false
	}
	libraries, err := file.ImportedLibraries()
	if err != nil || len(libraries) == 0 {
		return nil, "", false
	}
	name := libraries[0]
	other := name[:len(name)-1] + "x"
	damaged = bytes.ReplaceAll(program, append([]byte(name), 0), append([]byte(other), 0))
	return damaged, name + " is not there", true
}

// refuse runs the mended recipe's check, and then the whole loop, on a damaged
// program.
func refuse(ctx context.Context, e entry, damaged []byte, fault string) error {
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{
		AllowPlain: true,
		Installer: func(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
			bin := filepath.Join(dir, "bin")
			if err := os.Mkdir(bin, 0o755); err != nil {
				return mend.Installed{}, err
			}
			return mend.Installed{Version: e.version}, os.WriteFile(filepath.Join(bin, e.tool), damaged, 0o755)
		},
	})
	fmt.Printf("\nA copy of %s, broken on purpose (%s):\n\n", e.tool, fault)
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

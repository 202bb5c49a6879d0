package installer_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
)

func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	released := []byte("#!/bin/sh\necho hello, version 1.2.3\n")
	if err := os.WriteFile(filepath.Join(dir, "hello"), released, 0o644); err != nil {
		panic(err)
	}
	recipe, err := mend.ParseRecipe(fmt.Appendf(nil, `
[[steps]]
action = "download"
url = "file://%s/hello"
checksum = "sha256:%x"
version = "1.2.3"

[[steps]]
action = "install_binaries"
binaries = ["hello"]

[verify]
command = "hello"
pattern = "{version}"
`, dir, sha256.Sum256(released)))
	if err != nil {
		panic(err)
	}
	sandbox := mend.NewLocalSandbox(&mend.LocalOptions{
		Installer:  installer.New(nil).Install,
		AllowPlain: true, // where there is nothing better
	})
	result, err := mend.New(sandbox, nil).Create(context.Background(), mend.StaticBuilder(recipe), mend.BuildRequest{Package: "hello"})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Strength)
	// Output: version
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mendkit/mend"
)

// files are what the package holds.
var files = map[string]string{
	"bin/wm": `#!/bin/sh
case "$1" in
-V) echo "wordmill wm 2.4.1" ;;
-h) printf 'usage: wm [-hV] FILE\n  -h  show this help\n  -V  show the version\n' ;;
*) printf 'wm: unknown option %s\nusage: wm [-hV] FILE\n  -h  show this help\n  -V  show the version\n' "$1" >&2; exit 2 ;;
esac
`,
	"share/doc/README": "Wordmill grinds words.\n",
}

// unpack installs the package, whatever the recipe's steps say: a real Installer
// would carry them out.
func unpack(_ context.Context, _ *mend.Recipe, dir string) (mend.Installed, error) {
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return mend.Installed{}, err
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			return mend.Installed{}, err
		}
	}
	return mend.Installed{Version: "2.4.1"}, nil
}

func describe(context.Context, mend.BuildRequest) (string, error) {
	return "Wordmill grinds words. The step with the action \"unpack\" installs it: bin/ holds its program. Steps take no other keys.", nil
}

// listFiles lets the model see what is installed.
var listFiles = mend.Tool{
	ToolDef: mend.ToolDef{Name: "list_files", Description: "Lists the files that the package installs.", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
	Call: func(context.Context, json.RawMessage) (string, error) {
		var lines []string
		for name, content := range files {
			lines = append(lines, fmt.Sprintf("%s (%d bytes)", name, len(content)))
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n"), nil
	},
}

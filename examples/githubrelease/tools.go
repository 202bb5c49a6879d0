package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
)

// fetchFile is the tool that reads a file of the repository.
func (j *job) fetchFile() mend.Tool {
	return mend.Tool{
		ToolDef: mend.ToolDef{
			Name:        "fetch_file",
			Description: "Returns the beginning of a text file of the repository as it is at the release's tag, such as README.md or install.sh.",
			Parameters: json.RawMessage(`{"type":"object","properties":{` +
				`"path":{"type":"string","description":"Path from the root of the repository, without a leading slash."}},"required":["path"]}`),
		},
		Call: func(ctx context.Context, args json.RawMessage) (string, error) {
			var call struct{ Path string }
			if err := json.Unmarshal(args, &call); err != nil {
				return "", err
			}
			// A server may take "../.." for its own; what is asked is the repository only.
			if !fs.ValidPath(call.Path) || call.Path == "." || strings.ContainsFunc(call.Path, func(c rune) bool { return c < ' ' || c == '\\' }) {
				return "", fmt.Errorf("%q is no path of a file in the repository", call.Path)
			}
			return j.api.text(ctx, j.release, call.Path)
		},
	}
}

// inspectArchive is the tool that looks into an asset.
func (j *job) inspectArchive() mend.Tool {
	return mend.Tool{
		ToolDef: mend.ToolDef{
			Name:        "inspect_archive",
			Description: "Lists the members of an archive among the assets of this release, with mode and size.",
			Parameters: json.RawMessage(`{"type":"object","properties":{` +
				`"asset":{"type":"string","description":"Name of the asset, as listed."}},"required":["asset"]}`),
		},
		Call: func(ctx context.Context, args json.RawMessage) (string, error) {
			var call struct{ Asset string }
			if err := json.Unmarshal(args, &call); err != nil {
				return "", err
			}
			f, ok := j.release.asset(call.Asset)
			switch {
			case !ok:
				return "", j.unknown(call.Asset)
			case formatOf(f.Name) == "":
				return "", fmt.Errorf("%s is no archive that can be looked into: %s", f.Name, strings.Join(formats, ", "))
			case f.Size > maxAsset:
				return "", fmt.Errorf("%s is too large to look into", f.Name)
			}
			return j.list(ctx, f)
		},
	}
}

// unknown says that there is no such asset, and which there are.
func (j *job) unknown(name string) error {
	var names []string
	for _, f := range j.release.Assets[:min(len(j.release.Assets), maxListed)] {
		names = append(names, f.Name)
	}
	return fmt.Errorf("release %s has no asset %q; it has: %s", j.release.Tag, name, strings.Join(names, ", "))
}

// formats are those of archives that a recipe may be made of.
var formats = []string{"tar.gz", "tar.xz", "tar.bz2", "tar.zst", "zip"}

// formatOf returns the archive format that a name speaks of, or "" if it speaks of
// none.
func formatOf(name string) string {
	if format := installer.FormatOf(name); slices.Contains(formats, format) {
		return format
	}
	return ""
}

// maxAsset is how many bytes of an asset are looked into.
const maxAsset = 512 << 20

// list lists the members of an archive. Nothing of it is kept.
func (j *job) list(ctx context.Context, f asset) (string, error) {
	body, err := get(ctx, j.api.client, f.URL, "*/*")
	if err != nil {
		return "", err
	}
	defer body.Close()
	archive, err := os.CreateTemp("", "asset-")
	if err != nil {
		return "", err
	}
	defer os.Remove(archive.Name())
	defer archive.Close()
	size, err := io.Copy(archive, io.LimitReader(body, maxAsset))
	if err != nil {
		return "", err
	}
	var s strings.Builder
	n := 0
	for m, err := range j.installer.List(ctx, archive, size, formatOf(f.Name)) {
		if err != nil {
			return s.String(), err
		}
		if n++; n <= maxListed {
			fmt.Fprintf(&s, "%s %9d %s\n", m.Mode, m.Size, printable(m))
		}
	}
	if n > maxListed {
		fmt.Fprintf(&s, "and %d more\n", n-maxListed)
	}
	return s.String(), nil
}

// printable returns a member's name on one line, with what it leads to if it is a
// link.
func printable(m installer.Member) string {
	name := strings.Trim(fmt.Sprintf("%q", m.Name), `"`)
	if m.Link != "" {
		name += fmt.Sprintf(" -> %q", m.Link)
	}
	return name
}

package main

import (
	"archive/tar"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mendkit/mend"
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
			Description: "Lists the members of a .tar.gz asset of this release, with mode and size.",
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
				return "", fmt.Errorf("%s is no .tar.gz, and nothing else can be looked into", f.Name)
			case f.Size > j.bounds.download:
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

// formatOf returns the archive format that a name speaks of, "" for one that
// cannot be unpacked here: the standard library reads no xz and no zstd, and zip
// is left out because it would double the code that an example has to show.
func formatOf(name string) string {
	if strings.HasSuffix(name, ".tar.gz") || strings.HasSuffix(name, ".tgz") {
		return formatTarGz
	}
	return ""
}

const formatTarGz = "tar.gz"

// list lists the members of an archive while it is downloaded. Nothing is kept.
func (j *job) list(ctx context.Context, f asset) (string, error) {
	body, err := get(ctx, j.api.client, f.URL, "*/*")
	if err != nil {
		return "", err
	}
	defer body.Close()
	var s strings.Builder
	n := 0
	err = walk(ctx, io.LimitReader(body, j.bounds.download), j.bounds, func(h *tar.Header, _ io.Reader) error {
		if n++; n <= maxListed {
			fmt.Fprintf(&s, "%s %9d %s\n", h.FileInfo().Mode(), h.Size, printable(h))
		}
		return nil
	})
	if n > maxListed {
		fmt.Fprintf(&s, "and %d more\n", n-maxListed)
	}
	return s.String(), err
}

// printable returns a member's name on one line, with what it leads to if it is a
// link.
func printable(h *tar.Header) string {
	name := strings.Trim(fmt.Sprintf("%q", h.Name), `"`)
	if h.Linkname != "" {
		name += fmt.Sprintf(" -> %q", h.Linkname)
	}
	return name
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/mendkit/mend/mendtest"
)

// The repository that the demonstration serves, and its latest release.
const (
	demoRepo    = "example/frob"
	demoTag     = "v1.4.0"
	demoVersion = "1.4.0"
)

// frob is the program in the release. It is a real one that does not know
// --version, like a third of all tools.
const frob = `#!/bin/sh
# Counts the words of its standard input.
usage() {
	echo "Usage: frob [-V] [-h] [-l]"
	echo
	echo "  -h  show this help"
	echo "  -l  count lines instead of words"
	echo "  -V  print the version and exit"
}
case $1 in
-h) usage ;;
-V) echo "frob ` + demoVersion + `" ;;
-l) wc -l ;;
"") wc -w ;;
*)
	echo "frob: unknown option: $1" >&2
	usage >&2
	exit 2
	;;
esac
`

const readme = `# frob

Counts the words of its standard input. Download the archive for your system, and put bin/frob on your PATH.

    $ echo one two | frob
    2
`

// demoPlatforms are those of the release: the program runs on any of them.
func demoPlatforms() []platform {
	all := []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}}
	if !slices.Contains(all, host()) {
		all = append(all, host())
	}
	return all
}

// archOf is the name of a processor in the release's assets, which is not Go's.
var archOf = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// demo is a server with one repository. Its maps may be changed until it is used.
type demo struct {
	assets map[string][]byte // of the release, by name
	files  map[string]string // of the repository, by path
	sums   bool              // the API states checksums
}

func newDemo() *demo {
	d := &demo{assets: make(map[string][]byte), files: map[string]string{"README.md": readme}, sums: true}
	archive := tarGz(
		&tar.Header{Name: "frob-1.4.0/", Typeflag: tar.TypeDir, Mode: 0o755}, "",
		&tar.Header{Name: "frob-1.4.0/README.md", Mode: 0o644}, readme,
		&tar.Header{Name: "frob-1.4.0/bin/frob", Mode: 0o755}, frob,
	)
	for _, p := range demoPlatforms() {
		arch := p.arch
		if a := archOf[arch]; a != "" {
			arch = a
		}
		d.assets[fmt.Sprintf("frob_%s_%s_%s.tar.gz", demoVersion, p.os, arch)] = archive
	}
	return d
}

// tarGz returns an archive of headers, each followed by its content. It panics on
// what no archive can hold.
func tarGz(members ...any) []byte {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for i := 0; i < len(members); i += 2 {
		h, content := members[i].(*tar.Header), members[i+1].(string)
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		h.Size = int64(len(content))
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	if err := zipped.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// ServeHTTP answers as the API does, and as the server that it takes assets from.
func (d *demo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	contents, isFile := strings.CutPrefix(r.URL.Path, "/repos/"+demoRepo+"/contents/")
	name, isAsset := strings.CutPrefix(r.URL.Path, "/"+demoRepo+"/releases/download/"+demoTag+"/")
	asset, hasAsset := d.assets[name]
	file, hasFile := d.files[contents]
	switch {
	case r.URL.Path == "/repos/"+demoRepo+"/releases/latest":
		w.Header().Set("Content-Type", "application/json")
		w.Write(d.release("http://" + r.Host))
	case isFile && hasFile && r.URL.Query().Get("ref") == demoTag && strings.Contains(r.Header.Get("Accept"), "raw"):
		w.Write([]byte(file))
	case isAsset && hasAsset:
		w.Write(asset)
	default:
		http.NotFound(w, r)
	}
}

// release returns the release's JSON, its assets in the order of their names.
func (d *demo) release(base string) []byte {
	r := release{Tag: demoTag, Page: base + "/" + demoRepo + "/releases/tag/" + demoTag}
	for name, content := range d.assets {
		a := asset{Name: name, Size: int64(len(content)), URL: base + "/" + demoRepo + "/releases/download/" + demoTag + "/" + name}
		if d.sums {
			a.Digest = fmt.Sprintf("sha256:%x", sha256.Sum256(content))
		}
		r.Assets = append(r.Assets, a)
	}
	slices.SortFunc(r.Assets, func(a, b asset) int { return strings.Compare(a.Name, b.Name) })
	data, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return data
}

// serve starts the server on this machine, and returns its address.
func (d *demo) serve() (base string, stop func() error, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: d}
	go server.Serve(l)
	return "http://" + l.Addr().String(), server.Close, nil
}

// demoAnswer is what a model submits that has looked into the archive, but trusts
// --version. A test or a scenario changes what it wants to be wrong.
func demoAnswer() map[string]any {
	var platforms []string
	for _, p := range demoPlatforms() {
		platforms = append(platforms, p.String())
	}
	return map[string]any{
		"assets":       []any{map[string]any{"platforms": platforms, "name": "frob_{version}_{os}_{arch}.tar.gz"}},
		"arch_mapping": archOf, "format": "tar.gz", "strip_dirs": 1, "binaries": []string{"bin/frob"},
		"verify_command": "frob --version", "verify_pattern": "frob {version}", "confidence": 0.9,
	}
}

// careful is a model that looks before it answers. What it gets wrong is the
// check, which mend puts right by itself.
func careful() *mendtest.ScriptedProvider {
	archive := (&job{release: &release{Tag: demoTag}}).expand(&pattern{ArchMapping: archOf}, "frob_{version}_{os}_{arch}.tar.gz", host())
	return mendtest.NewScriptedProvider("careful",
		mendtest.Call("fetch_file", map[string]any{"path": "README.md"}),
		mendtest.Call("inspect_archive", map[string]any{"asset": archive}),
		mendtest.Call("extract_pattern", demoAnswer()))
}

// hasty is a model that guesses where the binary is. Nothing but the model can put
// that right, and it does when it is told what the archive holds.
func hasty() *mendtest.ScriptedProvider {
	guess := demoAnswer()
	guess["strip_dirs"], guess["binaries"] = 0, []string{"frob"}
	return mendtest.NewScriptedProvider("hasty", mendtest.Call("extract_pattern", guess), mendtest.Call("extract_pattern", demoAnswer()))
}

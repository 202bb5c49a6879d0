package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/command"
)

// extractPattern is the tool that the answer comes with.
var extractPattern = mend.ToolDef{
	Name:        "extract_pattern",
	Description: "Submits how the release is installed. A recipe is made of it, installed, and its verification run; what fails comes back to you.",
	Parameters: json.RawMessage(`{"type":"object","properties":{
"assets":{"type":"array","description":"Which asset is for which platform.","items":{"type":"object","properties":{
  "platforms":{"type":"array","items":{"type":"string"},"description":"Such as linux/amd64 or darwin/arm64: Go's names."},
  "name":{"type":"string","description":"The asset's name, in which {version}, {tag}, {os} and {arch} may stand."}},"required":["platforms","name"]}},
"os_mapping":{"type":"object","description":"What {os} stands for where that is not Go's name, as {\"darwin\":\"macOS\"}."},
"arch_mapping":{"type":"object","description":"What {arch} stands for where that is not Go's name, as {\"amd64\":\"x86_64\"}."},
"format":{"type":"string","enum":["tar.gz","tar.xz","tar.bz2","tar.zst","zip"]},
"strip_dirs":{"type":"integer","minimum":0,"description":"How many leading directories of the archive are left out."},
"binaries":{"type":"array","items":{"type":"string"},"description":"Paths of the programs in the archive, without the directories that are left out."},
"verify_command":{"type":"string","description":"Runs one of the binaries, by its name alone."},
"verify_pattern":{"type":"string","description":"Text that it prints; {version} stands for the version."},
"confidence":{"type":"number","minimum":0,"maximum":1,"description":"How sure you are that it installs and verifies."}},
"required":["assets","format","strip_dirs","binaries","verify_command","verify_pattern","confidence"]}`),
}

// pattern is what the model submits.
type pattern struct {
	Assets []struct {
		Platforms []string
		Name      string
	}
	OSMapping     map[string]string `json:"os_mapping"`
	ArchMapping   map[string]string `json:"arch_mapping"`
	Format        string
	StripDirs     int `json:"strip_dirs"`
	Binaries      []string
	VerifyCommand string `json:"verify_command"`
	VerifyPattern string `json:"verify_pattern"`
}

// recipe makes a recipe of an answer. Every error says what is wrong with the
// answer: it goes back to the model. Nothing is asked of a server here.
func (j *job) recipe(args json.RawMessage) (*mend.Recipe, error) {
	var p pattern
	if err := json.Unmarshal(args, &p); err != nil {
		return nil, fmt.Errorf("the arguments are malformed: %w", err)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	homepage, _, _ := strings.Cut(j.release.Page, "/releases/")
	r := &mend.Recipe{
		Metadata: mend.Metadata{Name: j.name, Homepage: homepage},
		Verify:   &mend.VerifySection{Command: p.VerifyCommand, Pattern: p.VerifyPattern},
	}
	var done []platform
	for _, a := range p.Assets {
		for _, text := range a.Platforms {
			on, err := parsePlatform(text)
			if err == nil && slices.Contains(done, on) {
				err = fmt.Errorf("%s is there twice", on)
			}
			if err != nil {
				return nil, fmt.Errorf("assets: platforms: %w", err)
			}
			steps, err := j.steps(&p, a.Name, on)
			if err != nil {
				return nil, err
			}
			r.Steps, done = append(r.Steps, steps...), append(done, on)
		}
	}
	if !slices.Contains(done, j.host) {
		return nil, fmt.Errorf("assets: there is none for %s, on which the recipe is tried", j.host)
	}
	// Parsed again, it keeps the remark, and whoever mends its check keeps the bytes.
	remark := fmt.Sprintf("# made of release %s of %s\n", oneLine(j.release.Tag), j.release.repo)
	return mend.ParseRecipe(append([]byte(remark), r.Bytes()...))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxStrip is far more than archives have.
const maxStrip = 16

// check refuses what would fail for every release.
func (p *pattern) check() error {
	switch {
	case !slices.Contains(formats, p.Format):
		return fmt.Errorf("format: %q is none that can be unpacked; it has to be one of %s", p.Format, strings.Join(formats, ", "))
	case p.StripDirs < 0 || p.StripDirs > maxStrip:
		return fmt.Errorf("strip_dirs: %d is not between 0 and %d", p.StripDirs, maxStrip)
	case len(p.Binaries) == 0:
		return errors.New("binaries: there are none")
	}
	var names []string
	for _, b := range p.Binaries {
		if !fs.ValidPath(b) || b == "." || strings.Contains(b, `\`) {
			return fmt.Errorf("binaries: %q is no path inside an archive", b)
		}
		if slices.Contains(names, path.Base(b)) {
			return fmt.Errorf("binaries: two are called %s", path.Base(b))
		}
		names = append(names, path.Base(b))
	}
	// mend refuses commands that prove nothing; that this one proves something about
	// another program is for the builder to see.
	words, err := command.Split(p.VerifyCommand)
	if err != nil {
		return fmt.Errorf("verify_command: %w", err)
	}
	if !slices.Contains(names, words[0]) {
		return fmt.Errorf("verify_command: it runs %q, which is none of the binaries: %s", words[0], strings.Join(names, ", "))
	}
	return nil
}

// steps returns what installs the asset on one platform.
func (j *job) steps(p *pattern, name string, on platform) ([]mend.Step, error) {
	name = j.expand(p, name, on)
	if strings.ContainsAny(name, "{}") {
		return nil, fmt.Errorf("assets: %q holds another placeholder than {version}, {tag}, {os} and {arch}", name)
	}
	f, ok := j.release.asset(name)
	if !ok {
		return nil, fmt.Errorf("assets: for %s: %w", on, j.unknown(name))
	}
	if formatOf(name) != p.Format {
		return nil, fmt.Errorf("assets: for %s: %s is no %s archive", on, name, p.Format)
	}
	if j.sums[name] == "" {
		return nil, fmt.Errorf("assets: for %s: the release states no SHA-256 checksum of %s, so that it cannot be pinned", on, name)
	}
	file, err := fileOf(f.URL)
	if err != nil {
		return nil, err
	}
	var binaries []any
	for _, b := range p.Binaries {
		binaries = append(binaries, b)
	}
	steps := []mend.Step{
		{Action: "download", Params: map[string]any{"url": f.URL, "checksum": "sha256:" + j.sums[name], "version": j.release.version()}},
		{Action: "extract", Params: map[string]any{"archive": file, "format": p.Format, "strip_dirs": int64(p.StripDirs)}},
		{Action: "install_binaries", Params: map[string]any{"binaries": binaries}},
	}
	for _, s := range steps {
		s.Params["when"] = on.when()
	}
	return steps, nil
}

// expand fills in the placeholders of an asset's name.
func (j *job) expand(p *pattern, name string, on platform) string {
	system, arch := on.os, on.arch
	if s := p.OSMapping[system]; s != "" {
		system = s
	}
	if s := p.ArchMapping[arch]; s != "" {
		arch = s
	}
	return strings.NewReplacer("{version}", j.release.version(), "{tag}", j.release.Tag, "{os}", system, "{arch}", arch).Replace(name)
}

// fileOf returns the name of the file that an address is downloaded to.
func fileOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	name := path.Base(u.Path)
	if !fs.ValidPath(name) || name == "." || strings.Contains(name, `\`) {
		return "", fmt.Errorf("the address %q does not end in the name of a file", address)
	}
	return name, nil
}

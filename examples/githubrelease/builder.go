package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
)

// builder makes recipes of the latest releases of repositories. The Source of a
// request is owner/repo.
type builder struct {
	api       *api
	provider  mend.Provider
	installer *installer.Installer // for looking into archives as they are unpacked
	host      platform             // that the recipe is tried on, and has to be for
}

func newBuilder(base string, p mend.Provider, client *http.Client) *builder {
	return &builder{api: newAPI(base, client), provider: p, installer: installer.New(nil), host: host()}
}

// Name implements [mend.Builder].
func (b *builder) Name() string { return "githubrelease" }

// NewSession reads the release, and leaves the rest to a session of mend's own
// whose tools know that release and no other. So the builder has no state, and
// any number of requests may be worked on at once.
func (b *builder) NewSession(ctx context.Context, req mend.BuildRequest) (mend.Session, error) {
	r, err := b.api.latest(ctx, req.Source)
	if err != nil {
		return nil, err
	}
	if req.Version != "" && req.Version != r.version() {
		return nil, fmt.Errorf("the latest release of %s is %s, not %s", r.repo, r.version(), req.Version)
	}
	known, err := b.api.sums(ctx, r)
	if err != nil {
		return nil, err
	}
	j := &job{builder: b, release: r, sums: known, name: req.Package}
	return mend.NewModelBuilder(b.Name(), b.provider, j.options()).NewSession(ctx, req)
}

// version is what {version} stands for: the tag without the v that most put before
// it.
func (r *release) version() string {
	if rest, ok := strings.CutPrefix(r.Tag, "v"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return rest
	}
	return r.Tag
}

// asset returns the asset of that name.
func (r *release) asset(name string) (asset, bool) {
	for _, f := range r.Assets {
		if f.Name == name {
			return f, true
		}
	}
	return asset{}, false
}

// job is the work on one release.
type job struct {
	*builder
	release *release
	sums    sums
	name    string // of the tool
}

// system is what the model is told beside mend's own rules.
const system = `The recipe installs a program from an asset of a release. Choose the assets by their names, one for each platform. Look into the archive of one of them with inspect_archive: the paths of the binaries and the number of leading directories to strip are to be seen there, not guessed. The README says more about the program than its name does. You never write an address or a checksum: both are filled in for the asset that you name.`

// readable is how many runes of a tool's answer the model is shown: a listing and
// the beginning of a README are worth more than the 2,000 that are the default.
const readable = 10_000

func (j *job) options() *mend.ModelOptions {
	return &mend.ModelOptions{
		Describe: func(context.Context, mend.BuildRequest) (string, error) { return j.describe(), nil },
		Tools:    func(mend.BuildRequest) []mend.Tool { return []mend.Tool{j.fetchFile(), j.inspectArchive()} },
		Submit:   extractPattern,
		Recipe: func(_ context.Context, _ mend.BuildRequest, args json.RawMessage) (*mend.Recipe, error) {
			return j.recipe(args)
		},
		System:    system,
		Sanitizer: mend.NewSanitizer(&mend.SanitizerOptions{MaxLength: readable}),
	}
}

// maxListed bounds how many assets, members or names are listed for a model.
const maxListed = 200

// describe says what the release holds.
func (j *job) describe() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Release of %s with tag %s; {version} is %s.\nThe recipe is tried on %s.\nAssets:\n", j.release.repo, j.release.Tag, j.release.version(), j.host)
	for i, f := range j.release.Assets {
		if i == maxListed {
			fmt.Fprintf(&s, "and %d more\n", len(j.release.Assets)-i)
			break
		}
		note := ""
		if j.sums[f.Name] == "" {
			note = ", no checksum known"
		}
		fmt.Fprintf(&s, "- %s (%d bytes%s)\n", f.Name, f.Size, note)
	}
	return s.String()
}

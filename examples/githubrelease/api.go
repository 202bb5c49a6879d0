package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// api reads releases and files, in the form of GitHub's REST API. A program that
// has to authenticate gives it a client whose transport does.
type api struct {
	base   string // without a slash at its end
	client *http.Client
}

// release is what the API says of one release.
type release struct {
	repo   string  // as owner/name
	Tag    string  `json:"tag_name"`
	Page   string  `json:"html_url"` // below that of the repository
	Assets []asset `json:"assets"`
}

// asset is one file of a release.
type asset struct {
	Name   string `json:"name"`
	URL    string `json:"browser_download_url"`
	Size   int64  `json:"size"`
	Digest string `json:"digest"` // as sha256:…; "" where the API does not say
}

// Bounds of what is read into memory: a release with a thousand assets has about
// 2 MB, and what a model reads of a file it pays for.
const (
	maxRelease = 8 << 20
	maxSums    = 1 << 20
	maxText    = 8 << 10
)

// newClient returns the client for everything here. Its limit is for servers that
// go silent; it is long enough for an asset over a slow line.
func newClient() *http.Client { return &http.Client{Timeout: 5 * time.Minute} }

func newAPI(base string, client *http.Client) *api {
	return &api{base: strings.TrimRight(base, "/"), client: client}
}

// latest returns the latest release of a repository.
func (a *api) latest(ctx context.Context, repo string) (*release, error) {
	if err := checkRepo(repo); err != nil {
		return nil, err
	}
	data, err := a.read(ctx, a.base+"/repos/"+repo+"/releases/latest", "application/vnd.github+json", maxRelease)
	if err != nil {
		return nil, fmt.Errorf("the latest release of %s: %w", repo, err)
	}
	r := &release{repo: repo}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("the latest release of %s: %w", repo, err)
	}
	if r.Tag == "" {
		return nil, fmt.Errorf("the latest release of %s has no tag", repo)
	}
	return r, nil
}

// checkRepo refuses what is no owner/name, before it becomes part of an address.
func checkRepo(repo string) error {
	owner, name, ok := strings.Cut(repo, "/")
	for _, part := range []string{owner, name} {
		foreign := func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.')
		}
		if !ok || part == "" || part == "." || part == ".." || strings.ContainsFunc(part, foreign) {
			return fmt.Errorf("%q is no owner/repo", repo)
		}
	}
	return nil
}

// text returns the beginning of a text file of the repository, at the release's
// tag. The path was checked.
func (a *api) text(ctx context.Context, r *release, path string) (string, error) {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	address := fmt.Sprintf("%s/repos/%s/contents/%s?ref=%s", a.base, r.repo, strings.Join(segments, "/"), url.QueryEscape(r.Tag))
	body, err := get(ctx, a.client, address, "application/vnd.github.raw+json")
	if err != nil {
		return "", err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, maxText+1))
	if err != nil {
		return "", err
	}
	cut := len(data) > maxText
	if cut {
		data = data[:maxText]
	}
	for n := 1; cut && n < utf8.UTFMax && !utf8.Valid(data); n++ {
		data = data[:len(data)-1] // the last rune may have been cut in two
	}
	if !utf8.Valid(data) || strings.IndexByte(string(data), 0) >= 0 {
		return "", fmt.Errorf("%s is no text file", path)
	}
	if cut {
		return fmt.Sprintf("%s\n[the file goes on: only its first %d bytes are shown]", data, len(data)), nil
	}
	return string(data), nil
}

// read returns a whole answer of at most limit bytes.
func (a *api) read(ctx context.Context, address, accept string, limit int64) ([]byte, error) {
	body, err := get(ctx, a.client, address, accept)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("the answer has more than %d bytes", limit)
	}
	return data, err
}

// statusError reports that a server answered, but not with what was asked for.
type statusError struct {
	code int
	path string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("HTTP %d (%s) for %s", e.code, http.StatusText(e.code), e.path)
}

// get asks for an address. An answer other than 200 is a *statusError.
func get(ctx context.Context, client *http.Client, address, accept string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if req.URL.Scheme != "https" && req.URL.Scheme != "http" || req.URL.Host == "" {
		return nil, fmt.Errorf("%q is no address of the web", address)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", "mend-example-githubrelease")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, &statusError{resp.StatusCode, req.URL.Path}
	}
	return resp.Body, nil
}

package installer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
)

var sha256Hex = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// maxSums is how many bytes a list of checksums may have.
const maxSums = 1 << 20

// download fetches a file, and verifies its checksum before anybody reads it. It
// returns the file's name among the downloads.
func (w *work) download(ctx context.Context, p *params) (string, error) {
	address := p.text("url")
	u, err := w.parseAddress(address)
	if p.err == nil {
		p.err = err
	}
	name := path.Base(address)
	if u != nil {
		name = path.Base(u.Path)
	}
	if p.has("dest") {
		name = p.name("dest")
	}
	if p.err == nil && !isFileName(name) {
		p.fail(faultf("the address %q does not end in the name of a file", address))
	}
	want, sumsAt := p.text("checksum"), p.text("checksum_url")
	if p.err != nil {
		return "", p.err
	}
	if want == "" && sumsAt != "" {
		if want, err = w.findSum(ctx, sumsAt, path.Base(u.Path)); err != nil {
			return "", err
		}
	}
	want = strings.TrimPrefix(strings.ToLower(strings.TrimSpace(want)), "sha256:")
	if !sha256Hex.MatchString(want) {
		return "", faultf("the step needs a checksum such as sha256:…, and has %q", want)
	}
	file, err := w.downloads.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", faultf("%q was downloaded already", name)
	}
	if err != nil {
		return "", err
	}
	got, err := w.fetch(ctx, u, file, w.opts.Limits.Download, want)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", err
	}
	if got != want {
		return "", faultf("checksum mismatch of %s: expected sha256:%s but got sha256:%s", name, want, got)
	}
	return name, nil
}

// fetch writes a download to a file, and returns its SHA-256. If that is not the one
// that is wanted, and the download was put together of several answers, they may not
// have been of one file: then it is fetched again.
func (in *Installer) fetch(ctx context.Context, u *url.URL, file *os.File, limit int64, want string) (string, error) {
	if u.Scheme == "file" {
		return copyFile(ctx, u.Path, file, limit)
	}
	f := &transfer{in: in, address: u, limit: limit, file: file}
	sum, err := f.run(ctx)
	if err == nil && sum != want && want != "" && f.resumed {
		f.validator = ""
		sum, err = f.run(ctx)
	}
	return sum, err
}

// copyFile copies a file of this machine.
func copyFile(ctx context.Context, name string, to *os.File, limit int64) (string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", faultf("download failed: %s: no such file", name)
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", faultf("download failed: %s is no regular file", name)
	case info.Size() > limit:
		return "", faultf("download failed: there are more than %d bytes", limit)
	}
	from, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer from.Close()
	hash := sha256.New()
	content := &contextReader{ctx, io.LimitReader(from, limit)} // it may have grown since
	if _, err := io.Copy(io.MultiWriter(to, hash), content); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// contextReader ends with its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.r.Read(p)
}

// findSum fetches a list of checksums, as sha256sum writes them with and without --tag,
// and returns that of a file. One that stands alone is that of whatever the list is
// beside.
func (w *work) findSum(ctx context.Context, address, name string) (string, error) {
	u, err := w.parseAddress(address)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(w.downloads.Name(), "sums-")
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if _, err := w.fetch(ctx, u, file, maxSums, ""); err != nil {
		return "", fmt.Errorf("the checksums: %w", err)
	}
	var list bytes.Buffer
	if _, err := io.Copy(&list, io.NewSectionReader(file, 0, maxSums)); err != nil {
		return "", err
	}
	var alone []string
	for line := range strings.Lines(list.String()) {
		switch sum, of := readSum(line); {
		case sum == "":
		case of == "":
			alone = append(alone, sum)
		case path.Base(of) == name:
			return sum, nil
		}
	}
	if len(alone) != 1 {
		return "", faultf("%s states no SHA-256 of %s", address, name)
	}
	return alone[0], nil
}

// readSum reads a line of a list: a checksum, and of which file it is, or "" if it does
// not say. It returns nothing for any other line.
func readSum(line string) (sum, of string) {
	line = strings.TrimSpace(line)
	if named, ok := strings.CutPrefix(line, "SHA256 ("); ok {
		of, sum, _ = strings.Cut(named, ") = ")
	} else {
		sum, of, _ = strings.Cut(line, " ")
		of = strings.TrimPrefix(strings.TrimSpace(of), "*")
	}
	if !sha256Hex.MatchString(sum) {
		return "", ""
	}
	return sum, of
}

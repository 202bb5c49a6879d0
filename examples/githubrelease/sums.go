package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// maxSumsFiles bounds how many files of checksums are read. Releases have one, or
// one beside each asset.
const maxSumsFiles = 40

// sums are the SHA-256 checksums of a release's assets by name, in small letters.
// An asset without one cannot be installed: a recipe that does not pin what it
// downloads would install whatever is there on the day.
type sums map[string]string

var sha256Hex = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// sums returns the checksums that the API states, and where it states none those
// of the files of checksums among the assets.
func (a *api) sums(ctx context.Context, r *release) (sums, error) {
	known := make(sums)
	for _, f := range r.Assets {
		if sum, ok := strings.CutPrefix(f.Digest, "sha256:"); ok && sha256Hex.MatchString(sum) {
			known[f.Name] = strings.ToLower(sum)
		}
	}
	if len(known) == len(r.Assets) {
		return known, nil
	}
	files := 0
	for _, f := range r.Assets {
		if !holdsSums(f) || files == maxSumsFiles {
			continue
		}
		files++
		data, err := a.read(ctx, f.URL, "*/*", maxSums)
		if err != nil {
			return nil, fmt.Errorf("the checksums in %s: %w", f.Name, err)
		}
		known.add(string(data), sumsSuffix.ReplaceAllString(f.Name, ""))
	}
	return known, nil
}

// sumsSuffix is what an asset's name is followed by in that of its checksum file.
var sumsSuffix = regexp.MustCompile(`(?i)\.sha256(sums?)?(\.txt)?$`)

// holdsSums reports whether an asset may be a file of checksums, by its name and
// size. Lines in it that are none are passed over.
func holdsSums(f asset) bool {
	name := strings.ToLower(f.Name)
	return (strings.Contains(name, "checksum") || strings.Contains(name, "sha256")) && formatOf(name) == "" && f.Size <= maxSums
}

// add reads lines such as sha256sum writes. A checksum that stands alone is that
// of the file which the file of checksums is named for. What the API said stays.
func (s sums) add(text, namedFor string) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || len(fields) > 2 || !sha256Hex.MatchString(fields[0]) {
			continue
		}
		name := namedFor
		if len(fields) == 2 {
			name = strings.TrimPrefix(strings.TrimPrefix(fields[1], "*"), "./")
		}
		if s[name] == "" {
			s[name] = strings.ToLower(fields[0])
		}
	}
}

package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mendkit/mend"
)

// Job is one request on its way to a worker. Its JSON form is what waits in the queue.
type Job struct {
	Key     string `json:"key"` // identifies the request and its inputs; see [NewJob]
	Package string `json:"package"`
	Version string `json:"version,omitempty"`
	Source  string `json:"source,omitempty"`
}

// Request returns what is to be built.
func (j Job) Request() mend.BuildRequest {
	return mend.BuildRequest{Package: j.Package, Version: j.Version, Source: j.Source}
}

// maxSlug bounds the readable part of a key, in bytes.
const maxSlug = 40

// NewJob returns the job of a request. Its key is the package's name, as far as that is
// letters, digits, dashes and underscores, and 32 hexadecimal digits of the SHA-256 of
// the request and the inputs: equal for equal requests and inputs, on every machine.
// See [Options.Inputs].
func NewJob(req mend.BuildRequest, inputs string) Job {
	hash := sha256.New()
	for _, s := range []string{req.Package, req.Version, req.Source, inputs} {
		fmt.Fprintf(hash, "%d:%s", len(s), s)
	}
	slug := strings.Map(func(c rune) rune {
		if isKeyByte(c) {
			return c
		}
		return '_'
	}, req.Package)
	key := slug[:min(len(slug), maxSlug)] + "-" + hex.EncodeToString(hash.Sum(nil))[:32]
	return Job{Key: key, Package: req.Package, Version: req.Version, Source: req.Source}
}

// isKeyByte reports whether a character may stand in a subject's token, in a bucket's
// key and in a stream's name.
func isKeyByte(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// maxKey bounds a key, in bytes. Those of [NewJob] are shorter.
const maxKey = 128

// keyOf returns the key of the job that came under a subject. Anybody can send something
// under a subject that makes no key; what came of that is kept under its hash.
func keyOf(subject string) string {
	key := subject[strings.LastIndexByte(subject, '.')+1:]
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return !isKeyByte(c) }) {
		sum := sha256.Sum256([]byte(key))
		return "unreadable-" + hex.EncodeToString(sum[:])[:32]
	}
	return key
}

// maxJob bounds a job in bytes, so that a dead letter with all of its errors fits into
// a message of the size that servers take by default.
const maxJob = 128 << 10

// encode returns the job's JSON form. It has to be the request again on the other side.
func (j Job) encode() ([]byte, error) {
	for _, text := range []string{j.Package, j.Version, j.Source} {
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("request %q: not UTF-8", j.Package)
		}
	}
	data, err := json.Marshal(j)
	if err == nil && len(data) > maxJob {
		err = fmt.Errorf("request %.40q: %d bytes, and %d is the limit", j.Package, len(data), maxJob)
	}
	return data, err
}

// decodeJob reads a job that has the key.
func decodeJob(key string, data []byte) (Job, error) {
	var j Job
	if err := json.Unmarshal(data, &j); err != nil {
		return Job{Key: key}, fmt.Errorf("unreadable job: %w", err)
	}
	if j.Key != key {
		return Job{Key: key}, fmt.Errorf("unreadable job: its key is %.100q", j.Key)
	}
	return j, nil
}

package installer

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// statusError reports that a server answered, but not with what was asked for.
type statusError struct {
	code  int
	path  string
	after time.Duration // when to ask again, if the server says; else 0
	limit bool          // what it refuses is not the address, but so many questions
}

func (e *statusError) Error() string {
	return fmt.Sprintf("HTTP %d (%s) for %s", e.code, http.StatusText(e.code), e.path)
}

// final reports whether asking again would bring the same: what the server refuses is
// the address's fault, and its own troubles and its patience are not.
func (e *statusError) final() bool {
	switch e.code {
	case http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return e.code/100 == 4 && !e.limit
}

// transfer is one download, in as many attempts as it takes.
type transfer struct {
	in      *Installer
	address *url.URL
	limit   int64    // bytes
	file    *os.File // what is written to, from its beginning
	hash    hash.Hash

	have      int64  // bytes that are written
	validator string // of the answer that they are of; "" if it cannot be gone on with
	resumed   bool   // they are of several answers
}

// errStalled is why an attempt was given up.
var errStalled = errors.New("the server has stopped sending")

// sign is how many bytes are a sign of life. With fewer in all that time, a server that
// sends one now and then would keep an install waiting for days.
const sign = 4 << 10

// progress is how many bytes make an attempt not count.
const progress = 1 << 20

// maxWait is the longest time to wait between two attempts.
const maxWait = 30 * time.Second

// run writes what the address leads to, and returns its SHA-256. The error is a fault
// if the server refuses for good, or sends too much.
func (f *transfer) run(ctx context.Context) (sum string, err error) {
	f.hash = sha256.New()
	wait := f.in.opts.Backoff
	for attempt := 1; ; attempt++ {
		had := f.have
		if err = f.attempt(ctx); err == nil {
			return hex.EncodeToString(f.hash.Sum(nil)), nil
		}
		if ctx.Err() != nil || !isTransient(err) {
			return "", err
		}
		if f.have >= had+progress {
			attempt, wait = 0, f.in.opts.Backoff
		}
		if attempt >= f.in.opts.Attempts {
			return "", fmt.Errorf("%w (after %d attempts)", err, attempt)
		}
		pause := wait
		var status *statusError
		if errors.As(err, &status) && status.after > 0 {
			pause = status.after
		}
		select {
		case <-time.After(min(pause, maxWait)):
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		wait = min(2*wait, maxWait)
	}
}

// isTransient reports whether another attempt may do better.
func isTransient(err error) bool {
	var known *fault
	var status *statusError
	var local *localError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &known), errors.As(err, &local), errors.As(err, &certificate):
		return false
	case errors.As(err, &status):
		return !status.final()
	}
	return true
}

// localError is an error of this machine.
type localError struct{ error }

func (e *localError) Unwrap() error { return e.error }

// attempt asks once, for what is missing if the server can tell that it has not
// changed.
func (f *transfer) attempt(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if f.validator == "" {
		if err := f.restart(); err != nil {
			return err
		}
	}
	req, err := f.request(ctx)
	if err != nil {
		return err
	}
	stall := time.AfterFunc(f.in.opts.Stall, func() { cancel(errStalled) })
	defer stall.Stop()
	if err := f.exchange(req, stall); err != nil {
		if context.Cause(ctx) == errStalled {
			return errStalled
		}
		return err
	}
	return nil
}

// exchange sends the question, and receives the answer.
func (f *transfer) exchange(req *http.Request, stall *time.Timer) error {
	resp, err := f.in.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := f.accept(resp); err != nil {
		return err
	}
	stall.Reset(f.in.opts.Stall)
	return f.receive(resp.Body, stall)
}

func (f *transfer) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address.String(), nil)
	if err != nil {
		return nil, &fault{err: err}
	}
	req.Header.Set("Accept", "application/octet-stream, */*")
	req.Header.Set("Accept-Encoding", "identity") // what is packed stays packed
	req.Header.Set("User-Agent", "mend-installer")
	if f.have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", f.have))
		req.Header.Set("If-Range", f.validator)
	}
	return req, nil
}

// accept takes an answer for the beginning of a file, or for the rest of what is there.
func (f *transfer) accept(resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusOK:
		if err := f.restart(); err != nil {
			return err
		}
	case http.StatusPartialContent:
		if !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", f.have)) || f.have == 0 {
			f.validator = "" // so that the next attempt begins anew
			return fmt.Errorf("the server sent the range %q, and not that from byte %d on", resp.Header.Get("Content-Range"), f.have)
		}
		if changed := validatorOf(resp.Header); changed != "" && changed != f.validator {
			f.validator = ""
			return errors.New("the server has another file than before")
		}
		f.resumed = true
	case http.StatusRequestedRangeNotSatisfiable:
		f.validator = ""
		return errors.New("the server does not have the range that is missing")
	default:
		return newStatusError(resp)
	}
	if resp.ContentLength > f.limit-f.have {
		return f.tooLarge()
	}
	if resp.StatusCode == http.StatusOK {
		f.validator = validatorOf(resp.Header)
	}
	return nil
}

// newStatusError reads what an answer says about another one.
func newStatusError(resp *http.Response) error {
	e := &statusError{code: resp.StatusCode, path: resp.Request.URL.Path}
	after := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(after); err == nil {
		e.after = time.Duration(seconds) * time.Second
	} else if date, err := http.ParseTime(after); err == nil {
		e.after = time.Until(date)
	}
	e.limit = e.code == http.StatusForbidden && (after != "" || resp.Header.Get("X-RateLimit-Remaining") == "0")
	if e.final() {
		return &fault{err: fmt.Errorf("download failed: %w", e)}
	}
	return e
}

// validatorOf returns by what a server knows again what it has sent, byte for byte.
func validatorOf(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" {
		if strings.HasPrefix(tag, "W/") {
			return "" // means the same, but need not be the same bytes
		}
		return tag
	}
	return h.Get("Last-Modified")
}

// restart forgets what is there.
func (f *transfer) restart() error {
	f.have, f.resumed = 0, false
	f.hash.Reset()
	_, err := f.file.Seek(0, io.SeekStart)
	if err == nil {
		err = f.file.Truncate(0)
	}
	if err != nil {
		return &localError{err}
	}
	return nil
}

func (f *transfer) tooLarge() error {
	return faultf("download failed: there are more than %d bytes", f.limit)
}

// receive writes what is read, and puts off the time at which the server counts as
// silent.
func (f *transfer) receive(body io.Reader, stall *time.Timer) error {
	buffer := make([]byte, 64<<10)
	for quiet := 0; ; {
		n, err := body.Read(buffer)
		if quiet += n; quiet >= sign {
			stall.Reset(f.in.opts.Stall)
			quiet = 0
		}
		if f.have+int64(n) > f.limit {
			return f.tooLarge()
		}
		written, writeErr := f.file.Write(buffer[:n])
		f.hash.Write(buffer[:written])
		f.have += int64(written)
		switch {
		case writeErr != nil:
			return &localError{writeErr}
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

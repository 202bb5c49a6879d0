package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
)

// maxAnswer bounds an answer, in bytes: far over what any model writes at once, so
// that a server that never stops cannot fill the memory.
const maxAnswer = 32 << 20

var errTooLong = errors.New("answer is too long")

// Answer is what an API answered to one call.
type Answer struct {
	Status int // of HTTP; 0 if there was no answer
	Header http.Header
	Body   []byte // as far as it was read

	sent   bool  // an attempt to send was made
	broken error // why reading the body ended early
}

type answerKey struct{}

// recorded returns ctx with an answer that a client of [Client] fills in.
func recorded(ctx context.Context) (context.Context, *Answer) {
	a := new(Answer)
	return context.WithValue(ctx, answerKey{}, a), a
}

// Client returns a client that does what c does, or the default client if c is
// nil, but follows no redirect, which would take the key and the prompt to another
// address, and records the answer for [Caller.Do].
func Client(c *http.Client) *http.Client {
	if c == nil {
		c = new(http.Client)
	}
	recording := *c
	recording.Transport = &recorder{next: c.Transport}
	recording.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &recording
}

type recorder struct{ next http.RoundTripper }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	next := r.next
	if next == nil {
		next = http.DefaultTransport
	}
	a, ok := req.Context().Value(answerKey{}).(*Answer)
	if !ok {
		return next.RoundTrip(req)
	}
	a.sent = true
	resp, err := next.RoundTrip(req)
	if err != nil {
		return resp, err
	}
	a.Status, a.Header = resp.StatusCode, resp.Header
	resp.Body = &recordedBody{ReadCloser: resp.Body, answer: a}
	return resp, nil
}

// recordedBody copies what is read of a body to its answer.
type recordedBody struct {
	io.ReadCloser
	answer *Answer
}

func (b *recordedBody) Read(p []byte) (int, error) {
	if len(b.answer.Body) > maxAnswer {
		b.answer.broken = errTooLong
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p)
	b.answer.Body = append(b.answer.Body, p[:n]...)
	if err != nil && err != io.EOF {
		b.answer.broken = err
	}
	return n, err
}

// isJSON reports whether the answer begins as a JSON object does.
func (a *Answer) isJSON() bool { return bytes.HasPrefix(bytes.TrimSpace(a.Body), []byte("{")) }

package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/mendkit/mend"
)

// Fault is what an API says is wrong, without what it echoes of the request.
type Fault struct {
	Kind       mend.ProviderErrorKind
	Code       string // the API's own word for it, if it has one
	Text       string // ours, short
	RetryAfter time.Duration
}

// Caller makes the calls of one provider.
type Caller struct {
	Name    string
	Key     string        // never part of an error
	Timeout time.Duration // of one call; 0 means none

	Explain   func(*Answer) Fault // what an answer with an error status means
	RequestID func(*Answer) string
}

// Do makes one call by send, which gives its context to a client of [Client], and
// returns the answer. Every error is a *mend.ProviderError. An error of send itself
// decides nothing but that there was one: its text may hold the request.
func (c *Caller) Do(ctx context.Context, send func(context.Context) error) (*Answer, error) {
	if ctx.Err() != nil {
		return nil, c.canceled(ctx, &Answer{})
	}
	call, cancel := ctx, context.CancelFunc(func() {})
	if c.Timeout > 0 {
		call, cancel = context.WithTimeout(ctx, c.Timeout)
	}
	defer cancel()
	call, a := recorded(call)
	err := guarded(call, a, send)
	switch {
	case err == nil && a.Status/100 == 2:
		return a, nil
	case ctx.Err() != nil:
		return nil, c.canceled(ctx, a)
	case call.Err() != nil || timedOut(err) || timedOut(a.broken):
		return nil, c.Fail(a, Fault{Kind: mend.KindTimeout, Text: c.timeoutText(call)})
	case a.Status >= 400:
		return nil, c.Fail(a, c.Explain(a))
	}
	return nil, c.Fail(a, noAnswer(a, err))
}

// guarded calls send. One of the SDKs panics on an answer whose fields have other types
// than it knows; what panics before there is an answer goes on panicking.
func guarded(ctx context.Context, a *Answer, send func(context.Context) error) (err error) {
	defer func() {
		if a.Status != 0 && recover() != nil {
			err = errors.New("panic over the answer")
		}
	}()
	return send(ctx)
}

// Fail returns the error for a call that got the answer.
func (c *Caller) Fail(a *Answer, f Fault) *mend.ProviderError {
	text := c.word(f.Code)
	switch {
	case text == "":
		text = f.Text
	case f.Text != "":
		text += ": " + f.Text
	}
	if text == "" {
		text = strings.ToLower(http.StatusText(a.Status))
	}
	e := &mend.ProviderError{
		Kind: f.Kind, Provider: c.Name, Status: a.Status, RetryAfter: f.RetryAfter, RequestID: c.ID(a),
	}
	if text != "" {
		e.Err = errors.New(text)
	}
	return e
}

// ID returns the id that the API gave the request, if it is one.
func (c *Caller) ID(a *Answer) string { return c.word(c.RequestID(a)) }

func (c *Caller) canceled(ctx context.Context, a *Answer) *mend.ProviderError {
	e := c.Fail(a, Fault{Kind: mend.KindCanceled})
	e.Err = fmt.Errorf("call given up: %w", ctx.Err())
	return e
}

func (c *Caller) timeoutText(call context.Context) string {
	if call.Err() != nil {
		return "no whole answer within " + c.Timeout.String()
	}
	return "no whole answer within the time of the HTTP client"
}

// plainWord is what codes and request ids of APIs look like. Anything else may be
// an echo.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:/=+-]{1,128}$`)

// word returns s if it is fit for an error's text, else "".
func (c *Caller) word(s string) string {
	if !plainWord.MatchString(s) || c.Key != "" && strings.Contains(s, c.Key) {
		return ""
	}
	return s
}

func timedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// noAnswer says why a call got nothing that its API would send.
func noAnswer(a *Answer, err error) Fault {
	switch {
	case a.broken == errTooLong:
		return Fault{Kind: mend.KindBadResponse, Text: errTooLong.Error()}
	case a.broken != nil:
		return Fault{Kind: mend.KindUnavailable, Text: "connection lost inside the answer"}
	case a.Status/100 == 3:
		return Fault{Kind: mend.KindBadResponse, Text: "redirect, which is not followed"}
	case a.Status != 0 && !a.isJSON():
		return Fault{Kind: mend.KindBadResponse, Text: "answer is no JSON object"}
	case a.Status != 0:
		return Fault{Kind: mend.KindBadResponse, Text: "answer is not of this API's form"}
	case !a.sent:
		return Fault{Kind: mend.KindInvalidRequest, Text: "request cannot be encoded"}
	}
	return Fault{Kind: mend.KindUnavailable, Text: connectionText(err)}
}

// connectionText tells common causes apart. The error's own text may hold the
// address with what is secret in it.
func connectionText(err error) string {
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
		op   *net.OpError
	)
	switch {
	case errors.As(err, &dns):
		return "host not found"
	case errors.As(err, &cert):
		return "certificate not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &op) && op.Op == "dial":
		return "no connection"
	}
	return "connection lost"
}

// KindOfStatus returns the kind of error that a status of HTTP stands for where the
// API says no more.
func KindOfStatus(status int) mend.ProviderErrorKind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return mend.KindAuth
	case http.StatusPaymentRequired:
		return mend.KindQuota
	case http.StatusNotFound, http.StatusGone:
		return mend.KindModelNotFound
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return mend.KindUnavailable
	case http.StatusRequestEntityTooLarge:
		return mend.KindContextLength
	case http.StatusTooManyRequests:
		return mend.KindRateLimited
	case http.StatusServiceUnavailable, 529:
		return mend.KindOverloaded
	}
	switch {
	case status >= 500:
		return mend.KindUnavailable
	case status >= 400:
		return mend.KindInvalidRequest
	}
	return mend.KindBadResponse
}

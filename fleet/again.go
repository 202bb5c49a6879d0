package fleet

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	callTime = 3 * time.Second // of one request to a server
	patience = time.Minute     // of one thing that servers are asked for, until a cluster is itself again
	grace    = 5 * time.Second // to write down what is finished when the context has ended

	minPause = 10 * time.Millisecond // between two requests for the same
	maxPause = time.Second
)

// again calls f until it succeeds, fails for a reason that does not pass, or the
// patience is over. Each call has its own time limit.
func again[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	began := time.Now()
	for wait := minPause; ; wait = min(2*wait, maxPause) {
		v, err := once(ctx, f)
		if err == nil || !passes(err) || time.Since(began) > patience || !pause(ctx, wait) {
			return v, err
		}
	}
}

func once[T any](ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return f(ctx)
}

// pause waits, and reports whether the context is still there.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// passing are the errors of a connection that is being made anew and of a cluster that
// elects a leader.
var passing = []error{
	context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrStaleConnection,
	nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
	jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout, jetstream.ErrServerShutdown,
	jetstream.ErrConsumerLeadershipChanged, jetstream.ErrNoHeartbeat,
}

// passes reports whether the same request may succeed in a while.
func passes(err error) bool {
	for _, p := range passing {
		if errors.Is(err, p) {
			return true
		}
	}
	if errors.As(err, new(*net.OpError)) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return true // the connection broke under this very call
	}
	var api jetstream.JetStreamError
	return errors.As(err, &api) && api.APIError() != nil && api.APIError().Code >= http.StatusInternalServerError
}

// afterwards returns a context for writing down what came of work in ctx: it ends a
// while after ctx does.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		pause(later, grace)
		cancel()
	})
	return later, func() {
		stop()
		cancel()
	}
}

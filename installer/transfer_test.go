package installer_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/installer"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shaky is a server of one file that breaks off answers, and notes what it was asked.
type shaky struct {
	data   []byte
	etag   string // "" for none
	ranges bool   // it sends what is missing only
	cuts   []int  // after how many bytes of a body each answer breaks off; the others do not

	mu    sync.Mutex
	asked []string // the Range of each request
}

func (s *shaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r.Header.Get("Range"))
	s.mu.Unlock()
	from := 0
	if s.etag != "" {
		w.Header().Set("ETag", s.etag)
	}
	if rest, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok && s.ranges && r.Header.Get("If-Range") == s.etag {
		from, _ = strconv.Atoi(strings.TrimSuffix(rest, "-"))
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(s.data)-1, len(s.data)))
	}
	body := s.data[from:]
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if from > 0 {
		w.WriteHeader(http.StatusPartialContent)
	}
	if n < len(s.cuts) {
		w.Write(body[:min(s.cuts[n], len(body))])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	w.Write(body)
}

// fetched downloads the file, and returns what was asked for.
func fetched(t *testing.T, s *shaky, o installer.Options) ([]string, error) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close() // a second time is no harm
	installed, err := install(t, o, step("download", "url", server.URL+"/frob", "checksum", sumOf(s.data)), step("install_binaries", "binaries", list("frob")))
	if err == nil {
		got, readErr := os.ReadFile(filepath.Join(installed.Dir, "frob"))
		require.NoError(t, readErr)
		assert.True(t, bytes.Equal(s.data, got), "the file is another one")
	}
	server.Close() // and all its answers have ended
	return s.asked, err
}

func TestDownloadIsResumed(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 1000)
	for name, test := range map[string]struct {
		server *shaky
		asked  []string
	}{
		"in one piece":              {&shaky{etag: `"a"`, ranges: true}, []string{""}},
		"cut twice":                 {&shaky{etag: `"a"`, ranges: true, cuts: []int{5000, 1000}}, []string{"", "bytes=5000-", "bytes=6000-"}},
		"before anything came":      {&shaky{etag: `"a"`, ranges: true, cuts: []int{0}}, []string{"", ""}},
		"by a server that does not": {&shaky{etag: `"a"`, cuts: []int{5000}}, []string{"", "bytes=5000-"}},
		"without a validator":       {&shaky{ranges: true, cuts: []int{5000, 6000}}, []string{"", "", ""}},
		"with a weak validator":     {&shaky{etag: `W/"a"`, ranges: true, cuts: []int{5000}}, []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			test.server.data = data
			asked, err := fetched(t, test.server, installer.Options{})
			require.NoError(t, err)
			assert.Equal(t, test.asked, asked)
		})
	}
}

// TestDownloadThatChangesHalfway begins anew where the server says so, and where the
// pieces do not fit although it says nothing.
func TestDownloadThatChangesHalfway(t *testing.T) {
	data := bytes.Repeat([]byte("new content "), 1000)
	for name, answer := range map[string]func(w http.ResponseWriter, from int){
		"it sends all":          func(w http.ResponseWriter, _ int) { w.Write(data) },
		"it sends other ranges": func(w http.ResponseWriter, _ int) { sendRange(w, data, 7) },
		"it has no such range":  func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusRequestedRangeNotSatisfiable) },
		"it does not notice":    func(w http.ResponseWriter, from int) { sendRange(w, data, from) },
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				n := asked.Add(1)
				var from int
				fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
				switch {
				case n == 1:
					w.Header().Set("ETag", `"a"`)
					w.Header().Set("Content-Length", strconv.Itoa(len(data)))
					w.Write(bytes.Repeat([]byte("old content "), 300))
					panic(http.ErrAbortHandler)
				case from > 0:
					answer(w, from)
				default:
					w.Write(data)
				}
			}))
			defer server.Close()
			_, err := install(t, installer.Options{}, step("download", "url", server.URL+"/frob", "checksum", sumOf(data)))
			assert.NoError(t, err)
			assert.LessOrEqual(t, asked.Load(), int64(3))
		})
	}
}

func sendRange(w http.ResponseWriter, data []byte, from int) {
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
	w.WriteHeader(http.StatusPartialContent)
	w.Write(data[from:])
}

// TestDownloadTellsEvidence: what a server says about the address is evidence; that it
// says nothing, or has troubles of its own, is not, and is tried again.
func TestDownloadTellsEvidence(t *testing.T) {
	status := func(code int, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
		}
	}
	elsewhere := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	for name, test := range map[string]struct {
		answer   http.HandlerFunc // nil: there is no server
		evidence bool
		why      string
		asked    int
	}{
		"not found":           {status(404), true, "download failed: HTTP 404 (Not Found) for /frob", 1},
		"gone":                {status(410), true, "HTTP 410", 1},
		"forbidden":           {status(403), true, "HTTP 403", 1},
		"asked too often":     {status(403, "X-RateLimit-Remaining", "0"), false, "HTTP 403 (Forbidden) for /frob (after 3 attempts)", 3},
		"too many requests":   {status(429, "Retry-After", "0"), false, "HTTP 429", 3},
		"a proxy's":           {status(407), false, "HTTP 407", 3},
		"unavailable":         {status(503), false, "HTTP 503 (Service Unavailable) for /frob (after 3 attempts)", 3},
		"broken":              {status(500), false, "HTTP 500", 3},
		"odd":                 {status(204), false, "HTTP 204", 3},
		"too large":           {func(w http.ResponseWriter, _ *http.Request) { io.CopyN(w, endless{}, 1<<20) }, true, "there are more than 262144 bytes", 1},
		"too large as stated": {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99999999") }, true, "there are more than 262144 bytes", 1},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.Write([]byte("x"))
		}, false, "unexpected EOF", 3},
		"no server":             {nil, false, "refused", 0},
		"to no encryption":      {elsewhere("http://example.com/frob"), true, "is not encrypted", 1},
		"to a file":             {elsewhere("file:///etc/passwd"), true, "no address of the web", 1},
		"round and round":       {elsewhere("/frob"), true, "redirects too often", 10},
		"to where nothing is":   {func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusFound) }, false, "HTTP 302", 3},
		"to a page instead":     {func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }, true, "checksum mismatch", 1},
		"more than was asked":   {status(206, "Content-Range", "bytes 5-9/10"), false, `range "bytes 5-9/10"`, 3},
		"no range although not": {status(416), false, "does not have the range", 3},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked.Add(1); test.answer(w, r) }))
			defer server.Close()
			if test.answer == nil {
				server.Close()
			}
			_, err := install(t, installer.Options{Attempts: 3}, step("download", "url", server.URL+"/frob", "checksum", sumOf(nil)))
			assert.EqualValues(t, test.asked, asked.Load())
			if test.evidence {
				isEvidence(t, err, 0, "download", test.why)
				return
			}
			var failed *mend.InstallError
			require.ErrorContains(t, err, test.why)
			assert.ErrorContains(t, err, "step 0 (download): ")
			assert.NotErrorAs(t, err, &failed)
		})
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestDownloadOfASilentServer is given up and tried again.
func TestDownloadOfASilentServer(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", "10")
			w.Write([]byte("01234"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return
		}
		w.Write([]byte("0123456789"))
	}))
	defer server.Close()
	_, err := install(t, installer.Options{Stall: 50 * time.Millisecond}, step("download", "url", server.URL+"/frob", "checksum", sumOf([]byte("0123456789"))))
	assert.NoError(t, err)
	assert.EqualValues(t, 2, asked.Load())
	_, err = install(t, installer.Options{Stall: 50 * time.Millisecond, Attempts: 1}, step("download", "url", silent(t)+"/frob", "checksum", sumOf(nil)))
	assert.ErrorContains(t, err, "the server has stopped sending")
}

// silent returns the address of a server that begins an answer and goes no further.
func silent(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestDownloadOfAServerThatDoesNotAnswer with a client that would wait for ever.
func TestDownloadOfAServerThatDoesNotAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	_, err := install(t, installer.Options{Client: server.Client(), Stall: 50 * time.Millisecond, Attempts: 2}, step("download", "url", server.URL+"/frob", "checksum", sumOf(nil)))
	assert.ErrorContains(t, err, "the server has stopped sending (after 2 attempts)")
}

// TestDownloadThatTrickles sends a byte whenever it would count as silent.
func TestDownloadThatTrickles(t *testing.T) {
	const stall = 100 * time.Millisecond
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000")
		for tick := time.NewTicker(stall / 4); ; {
			select {
			case <-tick.C:
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	defer server.Close()
	_, err := install(t, installer.Options{Stall: stall, Attempts: 1}, step("download", "url", server.URL+"/frob", "checksum", sumOf(nil)))
	assert.ErrorContains(t, err, "the server has stopped sending")
}

// TestDownloadOfAListThatChangesHalfway: nothing would notice that it is of two pieces.
func TestDownloadOfAListThatChangesHalfway(t *testing.T) {
	first, second := sumOf([]byte("another file"))[7:], sumOf([]byte(frob))[7:]
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/frob":
			w.Write([]byte(frob))
		case asked.Add(1) == 1:
			w.Header().Set("ETag", `"a"`)
			w.Header().Set("Content-Length", "65")
			w.Write([]byte(first[:30]))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case r.Header.Get("Range") != "": // it does not heed If-Range
			w.Header().Set("ETag", `"b"`)
			sendRange(w, []byte(second+"\n"), 30)
		default:
			w.Write([]byte(second + "\n"))
		}
	}))
	defer server.Close()
	_, err := install(t, installer.Options{}, step("download", "url", server.URL+"/frob", "checksum_url", server.URL+"/sum"))
	assert.NoError(t, err)
	assert.EqualValues(t, 3, asked.Load())
}

// TestDownloadThatGetsOn is not given up, however often it breaks off.
func TestDownloadThatGetsOn(t *testing.T) {
	s := &shaky{data: bytes.Repeat([]byte("x"), 8<<20), etag: `"a"`, ranges: true}
	for range 7 {
		s.cuts = append(s.cuts, 1<<20)
	}
	asked, err := fetched(t, s, installer.Options{Attempts: 2, Limits: installer.Limits{Download: 8 << 20}})
	require.NoError(t, err)
	assert.Len(t, asked, 8)
	s.asked, s.cuts = nil, []int{1000, 1000, 1000}
	_, err = fetched(t, s, installer.Options{Attempts: 2, Limits: installer.Limits{Download: 8 << 20}})
	assert.ErrorContains(t, err, "(after 2 attempts)")
}

// TestDownloadOverTLS trusts whom the client trusts, and nobody else.
func TestDownloadOverTLS(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		assert.Equal(t, "identity", r.Header.Get("Accept-Encoding"))
		w.Header().Set("Content-Encoding", "gzip") // which some servers say of any archive
		w.Write([]byte(frob))
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	s := step("download", "url", server.URL+"/frob", "checksum", sumOf([]byte(frob)))
	_, err := install(t, installer.Options{Client: server.Client()}, s)
	assert.NoError(t, err)
	_, err = install(t, installer.Options{}, s)
	assert.ErrorContains(t, err, "certificate")
	assert.NotContains(t, err.Error(), "attempts", "which another attempt would not change")
	assert.EqualValues(t, 1, asked.Load())
}

// TestDownloadThatLosesItsEncryption on the way is refused, wherever it leads to.
func TestDownloadThatLosesItsEncryption(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(frob)) }))
	defer plain.Close()
	server := httptest.NewTLSServer(http.RedirectHandler(plain.URL+"/frob", http.StatusFound))
	defer server.Close()
	s := step("download", "url", server.URL+"/frob", "checksum", sumOf([]byte(frob)))
	_, err := install(t, installer.Options{Client: server.Client()}, s)
	isEvidence(t, err, 0, "download", "redirects from https to")
	_, err = install(t, installer.Options{Client: server.Client(), AllowHTTP: true}, s)
	assert.NoError(t, err)
}

// TestDownloadWithoutEncryption is for those who ask for it.
func TestDownloadWithoutEncryption(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(frob)) }))
	defer server.Close()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial}}
	s := step("download", "url", "http://mirror.example.com/frob", "checksum", sumOf([]byte(frob)))
	_, err := install(t, installer.Options{Client: client}, s)
	isEvidence(t, err, 0, "download", `"http://mirror.example.com/frob" is not encrypted; https is needed`)
	_, err = install(t, installer.Options{Client: client, AllowHTTP: true}, s)
	assert.NoError(t, err)
	elsewhere := httptest.NewServer(http.RedirectHandler("http://127.0.0.1/frob", http.StatusFound))
	defer elsewhere.Close()
	inside := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, elsewhere.Listener.Addr().String())
	}}}
	_, err = install(t, installer.Options{Client: inside, AllowHTTP: true}, s)
	isEvidence(t, err, 0, "download", "the server redirects to this machine")
	s.Params["url"] = "http://localhost/frob"
	_, err = install(t, installer.Options{Client: client}, s)
	assert.NoError(t, err, "this machine needs none")
}

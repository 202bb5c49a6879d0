package wire_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/providers/internal/wire"
)

func header(pairs ...string) http.Header {
	h := make(http.Header)
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

func TestRetryAfter(t *testing.T) {
	const now, later = "Mon, 02 Mar 2026 10:00:00 GMT", "Mon, 02 Mar 2026 10:01:30 GMT"
	const longest = 90 * 24 * time.Hour
	for _, c := range []struct {
		name string
		h    http.Header
		want time.Duration
	}{
		{"none", nil, 0},
		{"seconds", header("Retry-After", "7"), 7 * time.Second},
		{"seconds with blanks", header("Retry-After", " 7 "), 7 * time.Second},
		{"part of a second", header("Retry-After", "0.25"), 250 * time.Millisecond},
		{"milliseconds come first", header("Retry-After-Ms", "20", "Retry-After", "1"), 20 * time.Millisecond},
		{"no milliseconds", header("Retry-After-Ms", "soon", "Retry-After", "1"), time.Second},
		{"date by the server's clock", header("Date", now, "Retry-After", later), 90 * time.Second},
		{"date in the past", header("Date", later, "Retry-After", now), 0},
		{"date long past without a clock", header("Retry-After", "Mon, 02 Mar 1998 10:00:00 GMT"), 0},
		{"date far away", header("Date", now, "Retry-After", "Mon, 02 Mar 2126 10:00:00 GMT"), longest},
		{"zero", header("Retry-After", "0"), 0},
		{"negative", header("Retry-After", "-5"), 0},
		{"not a number", header("Retry-After", "NaN"), 0},
		{"infinite", header("Retry-After", "Inf"), longest},
		{"too many to count", header("Retry-After", "1e300"), longest},
		{"words", header("Retry-After", "a while"), 0},
	} {
		assert.Equal(t, c.want, wire.RetryAfter(c.h), c.name)
	}
	assert.Equal(t, 6*time.Minute, wire.Duration("6m0s"))
	assert.Equal(t, 34074824224*time.Nanosecond, wire.Duration("34.074824224s"))
	assert.Zero(t, wire.Duration("-3s"))
	assert.Zero(t, wire.Duration("soon"))
}

func TestObject(t *testing.T) {
	for arguments, want := range map[string]string{
		``: `{}`, "  ": `{}`, `{"a": 1}`: `{"a": 1}`, " {}\n": `{}`,
		`{"a":`: `{"INVALID_JSON":"{\"a\":"}`, `[1]`: `{"INVALID_JSON":"[1]"}`, `null`: `{"INVALID_JSON":"null"}`, `text`: `{"INVALID_JSON":"text"}`,
	} {
		assert.Equal(t, want, string(wire.Object(json.RawMessage(arguments))), "%q", arguments)
	}
}

func TestNameCallsLeavesNoIDTwice(t *testing.T) {
	history := []mend.Message{{ToolCalls: []mend.ToolCall{{ID: "call_0"}, {ID: "list#4"}}}}
	calls := []mend.ToolCall{{ID: "call_0", Name: "list"}, {Name: "list"}, {ID: "call_1", Name: "read"}, {ID: "call_1", Name: "read"}}
	wire.NameCalls(history, calls)
	var ids []string
	for _, c := range calls {
		ids = append(ids, c.ID)
	}
	assert.Equal(t, []string{"list#3", "list#5", "call_1", "read#6"}, ids)
}

// A server that never stops must not fill the memory.
func TestAnswersAreBounded(t *testing.T) {
	caller := wire.Caller{Name: "p", RequestID: func(*wire.Answer) string { return "" }}
	client := wire.Client(&http.Client{Transport: endless{}})
	_, err := caller.Do(t.Context(), func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://mend.test", nil)
		require.NoError(t, err)
		resp, err := client.Do(req)
		require.NoError(t, err)
		defer func() { assert.NoError(t, resp.Body.Close()) }()
		buf := make([]byte, 1<<20)
		for err == nil {
			_, err = resp.Body.Read(buf)
		}
		return err
	})
	require.EqualError(t, err, "p: bad_response (HTTP 200): answer is too long")
}

// endless answers with a body without an end.
type endless struct{}

func (endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: endless{}}, nil
}

func (endless) Read(p []byte) (int, error) { return copy(p, strings.Repeat("x", len(p))), nil }
func (endless) Close() error               { return nil }

// Only a panic over an answer is an error; one of the program stays one.
func TestOtherPanicsGoOn(t *testing.T) {
	caller := wire.Caller{Name: "p", RequestID: func(*wire.Answer) string { return "" }}
	assert.PanicsWithValue(t, "bug", func() {
		_, _ = caller.Do(t.Context(), func(context.Context) error { panic("bug") })
	})
}

// Package paritytest runs one table of conversations and faults through every
// adapter, against a server that speaks the adapter's API, and holds each to the
// same neutral result and to what its requests have to say.
package paritytest

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/mendkit/mend"
)

// Wire is one API, told in neutral terms.
type Wire struct {
	Name string // of its provider, by default
	New  func(Config) (mend.Provider, error)

	Answer func(Answer) string                            // body of an answer
	Seen   func(r *http.Request, body []byte) SeenRequest // what a request says
	KeyOf  func(r *http.Request) string

	// Faults are the replies that mean what the name says, one for each form that
	// the API has for it. Each message holds the echo.
	Faults func(echo string) map[string][]Reply

	// AnswerTurn and RequestTurn return the assistant's turn in the API's form: of an
	// answer, and the n-th turn of a request.
	AnswerTurn  func(body []byte) json.RawMessage
	RequestTurn func(body []byte, n int) json.RawMessage

	NoCacheWrite bool     // the API does not count what it writes to a cache
	Environment  []string // variables that the SDK reads
}

// Config is what a test needs to say about a provider.
type Config struct {
	Name, Model, Key, BaseURL string
	MaxTokens                 int
	Timeout                   time.Duration
	HTTPClient                *http.Client
}

// Answer is what a model says.
type Answer struct {
	Text   string
	Calls  []mend.ToolCall // without ids: those are the API's
	Stop   mend.StopReason
	Usage  mend.Usage
	Model  string
	Opaque bool // with what the API wants back, and [OpaqueMark] in it
}

// OpaqueMark stands in everything opaque: plain enough for every API's form.
const OpaqueMark = "b3BhcXVlbWFyazEy"

// Reply is an answer of HTTP.
type Reply struct {
	Status int
	Header map[string]string
	Body   string
}

// SeenRequest is what a request says, in neutral terms.
type SeenRequest struct {
	Model, System string
	Turns         []Turn
	Tools         []SeenTool
	Choice        mend.ToolChoice
	MaxTokens     int
	Temperature   *float64
}

// Turn is a turn of a request.
type Turn struct {
	Role    mend.Role
	Text    string
	Calls   []SeenCall
	Results []SeenResult
}

// SeenCall is a tool call of a turn.
type SeenCall struct{ Name, Arguments string }

// SeenResult is a tool result. Of is the name of the tool whose call it answers, as
// far as the request tells.
type SeenResult struct {
	Of, Content string
	IsError     bool
}

// SeenTool is a tool that is offered.
type SeenTool struct{ Name, Description, Schema string }

// Run runs all of it.
func Run(t *testing.T, w Wire) {
	t.Run("conversations", func(t *testing.T) { runConversations(t, w) })
	t.Run("stop reasons", func(t *testing.T) { runStops(t, w) })
	t.Run("opaque", func(t *testing.T) { runOpaque(t, w) })
	t.Run("several calls at once", func(t *testing.T) { runConcurrent(t, w) })
	t.Run("environment", func(t *testing.T) { runEnvironment(t, w) })
	t.Run("faults", func(t *testing.T) { runFaults(t, w) })
	t.Run("faults of HTTP", func(t *testing.T) { runHTTPFaults(t, w) })
	t.Run("ended calls", func(t *testing.T) { runEnded(t, w) })
	t.Run("options", func(t *testing.T) { runOptions(t, w) })
}

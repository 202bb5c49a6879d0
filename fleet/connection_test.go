package fleet_test

import (
	"net"
	"sync"
	"testing"

	"github.com/mendkit/mend"
	"github.com/mendkit/mend/fleet"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cuttable is a dialer whose connections can be cut.
type cuttable struct {
	mu   sync.Mutex
	last net.Conn
	cuts int
}

func (c *cuttable) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = conn
	return conn, err
}

func (c *cuttable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil {
		_ = c.last.Close() // under the feet of whoever uses it
		c.last, c.cuts = nil, c.cuts+1
	}
}

// TestCutConnectionLosesNothing cuts the connection of a process that submits, works and
// collects.
func TestCutConnectionLosesNothing(t *testing.T) {
	const n = 2000
	_, joined := served(t, "batch", fleet.Options{})
	network := &cuttable{}
	joined.Connect = []nats.Option{nats.SetCustomDialer(network)}
	f := open(t, "batch", joined)
	ctx := within(t)
	var done fleet.Submitted
	submitted := 0
	done, err := f.Submit(ctx, func(yield func(mend.BuildRequest) bool) {
		for req := range requests(0, n) {
			if submitted++; submitted%500 == 0 {
				network.cut()
			}
			if !yield(req) {
				return
			}
		}
	})
	require.NoError(t, err)
	assert.Equal(t, n, done.Queued+done.Known)

	seen := make(map[string]*fleet.Result)
	for r, err := range f.CreateAll(ctx, newLedger(), requests(0, n), 4) {
		require.NoError(t, err)
		assert.NotContains(t, seen, r.Package)
		if seen[r.Package] = r; len(seen)%500 == 0 {
			network.cut()
		}
	}
	sameAsOnce(t, seen, requests(0, n))
	assert.Greater(t, network.cuts, 4)
	seen = make(map[string]*fleet.Result)
	for r, err := range f.Collect(ctx) { // as fast as the server gives
		require.NoError(t, err)
		assert.NotContains(t, seen, r.Package)
		if seen[r.Package] = r; len(seen)%300 == 0 {
			network.cut()
		}
	}
	assert.Len(t, seen, n)
}

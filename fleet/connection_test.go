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

// cuttable is a dialer whose connections can be cut: now, or in the middle of what they
// carry.
type cuttable struct {
	mu   sync.Mutex
	last net.Conn
	left int // bytes until the next cut; 0 means that there is none
	cuts int
}

func (c *cuttable) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = conn
	return &cuttableConn{conn, c}, err
}

func (c *cuttable) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil {
		_ = c.last.Close() // under the feet of whoever uses it
		c.last, c.cuts = nil, c.cuts+1
	}
}

// cutAfter cuts the connection when so many bytes more were read.
func (c *cuttable) cutAfter(bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left = bytes
}

// carried counts bytes that were read, and returns whether the connection is to be cut.
func (c *cuttable) carried(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return false
	}
	c.left = max(c.left-n, 0)
	return c.left == 0
}

type cuttableConn struct {
	net.Conn
	of *cuttable
}

func (c *cuttableConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), 4096)])
	if c.of.carried(n) {
		c.of.cut()
		return 0, net.ErrClosed // what was read last is lost
	}
	return n, err
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
		if seen[r.Package] = r; len(seen)%800 == 0 {
			network.cut()
		}
	}
	sameAsOnce(t, seen, requests(0, n))
	assert.Greater(t, network.cuts, 3)
	for i := range 3 {
		network.cutAfter(20_000 + 60_000*i) // somewhere among outcomes that are on their way
		cuts := network.cuts
		assert.Len(t, collect(t, f.Collect(ctx)).results, n)
		assert.Equal(t, cuts+1, network.cuts)
	}
}

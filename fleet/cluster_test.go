package fleet_test

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mendkit/mend/fleet"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cluster is three servers in this process that know each other.
type cluster struct {
	nodes []*server.Server
	url   string // of all of them
}

// freePorts returns ports that nobody has at the moment.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer l.Close()
		_, port, err := net.SplitHostPort(l.Addr().String())
		require.NoError(t, err)
		number, err := strconv.Atoi(port)
		require.NoError(t, err)
		ports = append(ports, number)
	}
	return ports
}

func startCluster(t testing.TB) *cluster {
	t.Helper()
	c := &cluster{}
	ports := freePorts(t, 3)
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var urls []string
	for i := range ports {
		node, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprintf("node-%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(),
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[i]}, Routes: routes,
		})
		require.NoError(t, err)
		node.Start()
		t.Cleanup(func() {
			node.Shutdown()
			node.WaitForShutdown()
		})
		c.nodes = append(c.nodes, node)
	}
	for _, node := range c.nodes {
		require.True(t, node.ReadyForConnections(enough))
		urls = append(urls, node.ClientURL())
	}
	c.url = strings.Join(urls, ",")
	until(t, "the cluster has a leader that knows all servers", func() bool {
		for _, node := range c.nodes {
			if node.JetStreamIsLeader() {
				return len(node.JetStreamClusterPeers()) == len(c.nodes)
			}
		}
		return false
	})
	return c
}

// shortServer starts a server that takes no message of more than 16 KB.
func shortServer(t *testing.T) string {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: t.TempDir(), MaxPayload: 16 << 10,
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(t, s.ReadyForConnections(enough))
	return s.ClientURL()
}

// until waits for what servers tell nobody about.
func until(t testing.TB, what string, happened func() bool) {
	t.Helper()
	require.Eventually(t, happened, enough, 20*time.Millisecond, what)
}

// leader returns the server that leads a stream, as soon as there is one.
func (c *cluster) leader(t testing.TB, stream string) (leader *server.Server) {
	t.Helper()
	until(t, "a server leads "+stream, func() bool {
		i := slices.IndexFunc(c.nodes, func(s *server.Server) bool { return s.Running() && s.JetStreamIsStreamLeader("$G", stream) })
		if i >= 0 {
			leader = c.nodes[i]
		}
		return i >= 0
	})
	return leader
}

// TestClusterLosesAServerAndAWorker stops the server that leads the queue and kills a
// worker half-way, and counts.
func TestClusterLosesAServerAndAWorker(t *testing.T) {
	const n = 300
	c := startCluster(t)
	opts := &fleet.Options{URL: c.url, Replicas: 3, AckWait: 2 * time.Second}
	f := open(t, "batch", opts)
	ctx := within(t)
	done, err := f.Submit(ctx, requests(0, n))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Queued: n}, done)

	cmd, lines := joining(opts, "frob-100").start(t)
	l := newLedger()
	hold := make(chan struct{})
	go func() {
		defer close(hold)
		for line := range lines {
			if strings.HasPrefix(line, "held") {
				assert.NoError(t, cmd.Process.Kill())
			}
		}
	}()
	<-hold // it is dead, with a third of the jobs done by nobody else
	other := newLedger()
	run(t, open(t, "batch", opts), other, 2)
	got := collected{make(map[string]*fleet.Result), nil}
	for r, err := range f.CreateAll(ctx, l, requests(0, n), 2) {
		require.NoError(t, err)
		assert.NotContains(t, got.results, r.Package, "one outcome for each")
		got.results[r.Package] = r
		if len(got.results) == n/2 {
			c.leader(t, "batch-jobs").Shutdown()
		}
	}
	sameAsOnce(t, got.results, requests(0, n))
	repeated := 0
	for name, r := range got.results {
		if r.Delivery > 1 || l.asked(name)+other.asked(name) > 1 {
			repeated++
		}
	}
	assert.GreaterOrEqual(t, repeated, 1, "the job of the worker that was killed")
	t.Logf("%d of %d jobs were worked on more than once", repeated, n)
}

func TestDuplicatesAreDroppedByACluster(t *testing.T) {
	c := startCluster(t)
	f := open(t, "batch", &fleet.Options{URL: c.url, Durable: true})
	ctx := within(t)
	done, err := f.Submit(ctx, requests(0, 20))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Queued: 20}, done)
	c.leader(t, "batch-jobs").Shutdown()
	done, err = f.Submit(ctx, requests(0, 25))
	require.NoError(t, err)
	assert.Equal(t, fleet.Submitted{Queued: 5, Known: 20}, done)
	l := newLedger()
	got := collect(t, f.CreateAll(ctx, l, requests(0, 25), 2))
	assert.Len(t, got.results, 25)
}

// TestFirstToOpenDecides opens a fleet with other options than it was made with.
func TestFirstToOpenDecides(t *testing.T) {
	c := startCluster(t)
	open(t, "batch", &fleet.Options{URL: c.url, Replicas: 3})
	f := open(t, "batch", &fleet.Options{URL: c.url, Replicas: 1, AckWait: time.Minute})
	got := collect(t, f.CreateAll(within(t), newLedger(), requests(0, 5), 1))
	assert.Len(t, got.results, 5)
	for _, node := range c.nodes {
		assert.True(t, node.JetStreamIsStreamAssigned("$G", "batch-jobs"))
	}
}

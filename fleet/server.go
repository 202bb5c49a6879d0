package fleet

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ErrInUse reports that another process has the directory of a fleet open.
var ErrInUse = errors.New("the directory is in use by another process")

// maxPayload is what a server inside of this process takes as one message, in bytes:
// the most that is advised.
const maxPayload = 8 << 20

// startTime bounds how long a server may take to recover its store.
const startTime = 2 * time.Minute

// embedded is a server inside of this process, and its directory.
type embedded struct {
	server    *server.Server
	lock      *os.File
	temporary string // directory to remove, or ""
}

// startEmbedded starts a server as the options say.
func startEmbedded(o *Options) (e *embedded, err error) {
	e = &embedded{}
	defer func() {
		if err != nil {
			e.stop()
		}
	}()
	dir := o.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "mend-fleet-"); err != nil {
			return e, err
		}
		e.temporary = dir
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return e, err
	}
	if e.lock, err = lockDir(filepath.Join(dir, "lock")); err != nil {
		return e, fmt.Errorf("%s: %w", dir, err)
	}
	opts := &server.Options{
		ServerName: "mend", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: dir, SyncAlways: o.Durable, MaxPayload: maxPayload,
		Authorization: o.Token,
	}
	if o.Listen != "" {
		if opts.Host, opts.Port, err = listenAddress(o.Listen, o.Token); err != nil {
			return e, err
		}
		opts.DontListen = false
	}
	if e.server, err = server.NewServer(opts); err != nil {
		return e, err
	}
	e.server.Start()
	if !e.server.ReadyForConnections(startTime) {
		return e, errors.New("the server inside of this process does not get ready")
	}
	return e, nil
}

// listenAddress splits an address, and refuses to let everybody in.
func listenAddress(address, token string) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("listen on %q: %w", address, err)
	}
	if port, err = strconv.Atoi(number); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("listen on %q: no port", address)
	}
	ip := net.ParseIP(host)
	if token == "" && host != "localhost" && !ip.IsLoopback() {
		return "", 0, fmt.Errorf("listen on %q: everybody could use the fleet without a token", address)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// connect returns the option that connects within the process.
func (e *embedded) connect(token string) []nats.Option {
	opts := []nats.Option{nats.InProcessServer(e.server)}
	if token != "" {
		opts = append(opts, nats.Token(token))
	}
	return opts
}

// stop ends the server and gives its directory free. It may be called with whatever a
// start that failed has left.
func (e *embedded) stop() {
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
	}
	if e.lock != nil {
		_ = e.lock.Close() // which is what unlocks it
	}
	if e.temporary != "" {
		_ = os.RemoveAll(e.temporary) // nothing in it is needed again
	}
}

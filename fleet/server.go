package fleet

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/mendkit/mend/internal/tempdir"
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
	lock      *os.File     // of the directory that was named, or nil
	temporary *tempdir.Dir // that was made, or nil
}

// startEmbedded starts a server as the options say.
func startEmbedded(o *Options) (e *embedded, err error) {
	e = &embedded{}
	defer func() {
		if err != nil {
			e.stop()
		}
	}()
	dir, err := e.takeDir(o.Dir)
	if err != nil {
		return e, err
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

// temporaryPrefix is what the names of temporary directories begin with.
const temporaryPrefix = "mend-fleet-"

// takeDir returns a directory that is this process's alone: the one of that name, or a
// temporary one for "". Those of processes that were killed are removed then.
func (e *embedded) takeDir(name string) (dir string, err error) {
	if name == "" {
		tempdir.RemoveOrphans("", temporaryPrefix)
		if e.temporary, err = tempdir.New("", temporaryPrefix); err != nil {
			return "", err
		}
		return e.temporary.Path, nil
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return "", err
	}
	if e.lock, err = lockFile(filepath.Join(name, "lock")); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return name, nil
}

// lockFile locks a file until it is closed or the process ends, however that happens.
// Where files cannot be locked, two processes in one directory go unnoticed.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := tempdir.TryLock(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		f.Close()
		if errors.Is(err, tempdir.ErrLocked) {
			err = ErrInUse
		}
		return nil, err
	}
	return f, nil
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
	if e.temporary != nil {
		_ = e.temporary.Remove() // nothing in it is needed again
	}
}

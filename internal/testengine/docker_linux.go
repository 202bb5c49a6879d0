package testengine

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Docker returns Docker with a daemon of its own. Where that does not work, the test
// is skipped, with the reason.
func Docker(t testing.TB) Engine {
	t.Helper()
	need(t, "docker", "dockerd", "containerd")
	if os.Geteuid() != 0 {
		t.Skip("no containers of Docker are tested: its daemon is root's")
	}
	dir := shortDir(t)
	socket := "unix://" + filepath.Join(dir, "socket")
	e := Engine{Client: []string{"docker", "--host=" + socket}, Image: image}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	daemon := exec.Command("dockerd", "--host="+socket, "--data-root="+filepath.Join(dir, "data"), "--exec-root="+filepath.Join(dir, "exec"),
		"--pidfile="+filepath.Join(dir, "pid"), "--storage-driver=vfs", "--bridge=none", "--iptables=false", "--ip6tables=false",
		"--exec-opt=native.cgroupdriver=cgroupfs")
	daemon.Stdout, daemon.Stderr = log, log
	daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM} // or a killed test leaves it
	begun, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // whose death is the parent's
		defer runtime.UnlockOSThread()
		err := daemon.Start()
		begun <- err
		if err == nil {
			_ = daemon.Wait() // its log says more
		}
	}()
	if err := <-begun; err != nil {
		t.Skipf("no containers of Docker are tested: %v", err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM) // it may have ended
		<-ended
	})
	e.await(t, ended, log.Name())
	e.Import(t, e.Image, nil)
	if out, err := e.Run("run", "--rm", "--network=none", e.Image, "true"); err != nil {
		t.Skipf("no containers of Docker are tested: it cannot start one here: %v: %s", err, out)
	}
	return e
}

// await returns when the daemon answers. Nothing else says when it does.
func (e Engine) await(t testing.TB, ended chan struct{}, log string) {
	t.Helper()
	up := make(chan struct{})
	go func() {
		defer close(up)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
			if _, err := e.Run("version"); err == nil {
				return
			}
		}
	}()
	select {
	case <-up:
	case <-ended:
		said, _ := os.ReadFile(log)
		t.Skipf("no containers of Docker are tested: its daemon does not start: %.2000s", said)
	}
}

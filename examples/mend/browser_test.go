//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium that a test drives over two pipes, in the DevTools
// protocol: objects of JSON, each with a NUL byte behind it. Everything that it would
// ask of a network goes to a proxy, which counts.
type browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	calls   int
	session string
	events  []event

	mu    sync.Mutex
	asked []string // of the proxy; guarded by mu
}

// event is what the browser tells without having been asked.
type event struct {
	Method string         `json:"method"`
	Params map[string]any `json:"params"`
}

// openBrowser starts the browser with an empty page.
func openBrowser(t *testing.T) *browser {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("THE REPORT IS NOT LOOKED AT: no chromium is installed (apt-get install chromium)")
	}
	b := &browser{t: t}
	toBrowser, in, err := os.Pipe()
	require.NoError(t, err)
	out, fromBrowser, err := os.Pipe()
	require.NoError(t, err)
	b.in, b.out = in, bufio.NewReader(out)
	dir, err := os.MkdirTemp("", "mend-browser-")
	require.NoError(t, err)
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--proxy-server="+b.proxy(), "--proxy-bypass-list=<-loopback>", "--user-data-dir="+filepath.Join(dir, "profile"), "--remote-debugging-pipe", "about:blank")
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // 3 and 4
	require.NoError(t, cmd.Start())
	_, _ = toBrowser.Close(), fromBrowser.Close()
	t.Cleanup(func() {
		_, err := in.WriteString(`{"id": 0, "method": "Browser.close"}` + "\x00")
		if err != nil {
			_ = cmd.Process.Kill()
		}
		_, _ = io.Copy(io.Discard, out) // until it ends
		_ = cmd.Wait()                  // however it ended, it has done its work
		_, _ = in.Close(), out.Close()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left behind, if anything
		removeBusy(t, dir)
	})
	target := b.call("Target.createTarget", object{"url": "about:blank"})
	b.session = b.call("Target.attachToTarget", object{"targetId": target["targetId"], "flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Page", "Network", "Runtime", "Log"} {
		b.call(domain+".enable", nil)
	}
	return b
}

// removeBusy removes a directory in which processes that are about to die may still
// write. Nothing says when they are gone.
func removeBusy(t *testing.T, dir string) {
	var err error
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		if err = os.RemoveAll(dir); err == nil {
			return
		}
	}
	t.Error(err)
}

type object = map[string]any

// proxy returns the address of a proxy that lets nothing through.
func (b *browser) proxy() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b.t, err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.asked = append(b.asked, r.Method+" "+r.URL.String())
		w.WriteHeader(http.StatusForbidden)
	})}
	go func() { _ = server.Serve(listener) }() // ends with Close
	b.t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}

// call asks the browser for something and waits for its answer. What it tells
// meanwhile is kept.
func (b *browser) call(method string, params object) object {
	b.calls++
	message := object{"id": b.calls, "method": method, "params": params}
	if params == nil {
		message["params"] = object{}
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	require.NoError(b.t, err)
	_, err = b.in.Write(append(text, 0))
	require.NoError(b.t, err)
	for {
		var answer struct {
			ID     int    `json:"id"`
			Result object `json:"result"`
			Error  object `json:"error"`
			event
		}
		b.next(&answer)
		if answer.ID == b.calls {
			require.Nil(b.t, answer.Error, "%s", method)
			return answer.Result
		}
		b.events = append(b.events, answer.event)
	}
}

func (b *browser) next(v any) {
	text, err := b.out.ReadBytes(0)
	require.NoError(b.t, err)
	require.NoError(b.t, json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), v))
}

// open loads a page and waits until it is there.
func (b *browser) open(url string) {
	b.events = nil
	b.call("Page.navigate", object{"url": url})
	for !b.told("Page.loadEventFired") {
		var e event
		b.next(&e)
		b.events = append(b.events, e)
	}
}

func (b *browser) told(method string) bool {
	for _, e := range b.events {
		if e.Method == method {
			return true
		}
	}
	return false
}

// eval returns what a script comes to, as JSON has it.
func (b *browser) eval(script string) any {
	b.t.Helper()
	got := b.call("Runtime.evaluate", object{"expression": script, "returnByValue": true, "awaitPromise": true})
	require.NotContains(b.t, got, "exceptionDetails", "%s", script)
	return got["result"].(object)["value"]
}

// press presses keys, one after the other.
func (b *browser) press(keys ...string) {
	codes := map[string]int{"Tab": 9, "Enter": 13, " ": 32}
	for _, key := range keys {
		params := object{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
		if key == "Enter" {
			params["text"] = "\r"
		} else if key != "Tab" {
			params["text"] = key
		}
		b.call("Input.dispatchKeyEvent", params)
		b.call("Input.dispatchKeyEvent", object{"type": "keyUp", "key": key, "windowsVirtualKeyCode": codes[key]})
	}
}

// requests returns what the page has asked for beside itself.
func (b *browser) requests() []string {
	var all []string
	for _, e := range b.events {
		if e.Method == "Network.requestWillBeSent" {
			all = append(all, e.Params["request"].(object)["url"].(string))
		}
	}
	return all
}

// proxied returns what the browser has asked of the network, for the page and for
// itself: some of its own business it cannot be talked out of.
func (b *browser) proxied() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}

// errors returns what the browser complained of, and dialogs.
func (b *browser) errors() []event {
	var all []event
	for _, e := range b.events {
		switch e.Method {
		case "Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening":
			all = append(all, e)
		}
	}
	return all
}

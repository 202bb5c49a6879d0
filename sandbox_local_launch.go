package mend

import (
	"io"
	"os"
	"syscall"
	"time"
)

// launch is one program start, as one kind of isolation makes it.
//
// A supervised launch starts a supervisor in the sandbox, not the program: it
// waits for a line on its standard input, then starts the program and reports on
// its standard output how that ended. Its standard error and file descriptor 3
// are the program's standard error and output. Every supervised sandbox is a PID
// namespace whose end the started process awaits, so that when it has ended,
// nothing of the sandbox is left.
type launch struct {
	path       string
	argv       []string
	env        []string
	dir        string // working directory; "" for the current one
	attr       *syscall.SysProcAttr
	supervised bool
	announced  bool         // a "child-pid" on file descriptor 4 comes before the supervisor's reports
	filter     *os.File     // passed on as file descriptor 5; or nil
	closeUpTo  int          // the highest file descriptor that must not be passed on
	owner      int          // uid that the program runs as, if it is another than ours; else 0
	confine    func() error // restricts the thread that starts the process, for good; or nil
	settle     func(pid int) error
	sweep      func(pid int) // kills what outlived the process; or nil
	cleanup    func()        // after everything has ended; or nil
}

// wiring is the pipes between a launch and us.
type wiring struct {
	child    []*os.File // by file descriptor, from 0; the child gets no other
	out, err *os.File   // what the program prints
	report   *os.File   // what the supervisor prints; nil without one
	release  *os.File   // its standard input; nil without one
	opened   []*os.File // all of these
	failed   error      // the first error
}

func newWiring(l *launch) (*wiring, error) {
	w := &wiring{}
	var childOut, childErr *os.File
	w.out, childOut = w.pipe()
	w.err, childErr = w.pipe()
	if l.supervised {
		w.supervise(l, childOut, childErr)
	} else {
		none, err := os.Open(os.DevNull)
		w.keep(err, none)
		w.child = []*os.File{none, childOut, childErr}
	}
	if w.failed != nil {
		w.closeParent()
		return nil, w.failed
	}
	if l.owner != 0 { // so that the program can open /dev/stderr
		_ = childOut.Chown(l.owner, l.owner)
		_ = childErr.Chown(l.owner, l.owner)
	}
	for len(w.child) <= l.closeUpTo {
		w.child = append(w.child, nil) // which is closed in the child
	}
	return w, nil
}

// supervise makes the pipes to a supervisor.
func (w *wiring) supervise(l *launch, out, err *os.File) {
	var in, report *os.File
	w.report, report = w.pipe()
	in, w.release = w.pipe()
	w.child = []*os.File{in, report, err, out}
	if l.announced {
		w.child = append(w.child, report)
	}
	if l.filter != nil {
		w.keep(nil, l.filter)
		w.child = append(w.child, l.filter)
	}
}

// pipe makes a pipe, unless something failed before.
func (w *wiring) pipe() (r, wr *os.File) {
	r, wr, err := os.Pipe()
	w.keep(err, r, wr)
	return r, wr
}

// keep notes files to be closed if they were opened without an error.
func (w *wiring) keep(err error, files ...*os.File) {
	if err == nil {
		w.opened = append(w.opened, files...)
	} else if w.failed == nil {
		w.failed = err
	}
}

// closeChild closes the ends that the child has copies of.
func (w *wiring) closeChild() {
	for _, f := range w.child {
		if f != nil {
			f.Close() // the reports' end stands there twice; closing it again is harmless
		}
	}
}

// closeParent closes every pipe.
func (w *wiring) closeParent() {
	for _, f := range w.opened {
		f.Close()
	}
}

// drainGrace is how long to read on when all that could write is dead. Only a
// plain process that hid from being killed can make this pass.
const drainGrace = time.Second

// stream is one of a program's two streams while it is read.
type stream struct {
	capture
	r    *os.File
	done chan struct{}
}

func newStream(r *os.File, keep int) *stream {
	s := &stream{capture: capture{limit: keep}, r: r, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(&s.capture, s.r) // a read error ends the stream like its end
	}()
	return s
}

// finish returns when all that the pipe holds was read. Nothing writes any more.
func (s *stream) finish() {
	_ = s.r.SetReadDeadline(time.Now().Add(drainGrace)) // pipes have deadlines on unix
	<-s.done
	s.r.Close()
}
